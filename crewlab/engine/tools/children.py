"""What the delegating family needs from the turns, and from the canvases: protocols, so that it stands on ``tools`` alone.

``turn/children.py`` implements ``ChildTurns``; the canvas family gives ``CanvasesWritten``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


@dataclass(frozen=True, slots=True)
class Job:
    """A job to be given out. ``call_id`` is that of the call, or of a script's call with its number (DLG-85)."""

    parent_id: str
    call_id: str
    agent_id: str
    task: str
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Begun:
    """The child of a job: its conversation and the run that does the job."""

    conversation_id: str
    run_id: str


class ChildTurns(Protocol):
    """Opens the turns of children and waits for them. One implementation, in the turns."""

    @property
    def going_down(self) -> bool:
        """Whether the server is going down: nothing is opened any more."""
        ...

    def begin(self, job: Job) -> Begun:
        """The child of this job: the one that its call has opened before, else a new one with its turn begun.

        Raises ``NotFound`` when the agent or the parent is gone, ``StoreWriteFailed``.
        """
        ...

    async def wait(self, parent_id: str, child: Begun, seconds: float, grace: float) -> bool:
        """Wait until the run has ended; ``False`` when ``seconds`` have passed and no request of the child is open.

        While one is, the wait goes on until ``grace`` seconds after its deadline. When the waiting itself is cancelled by
        anything but the server going down, the child's turn is stopped.
        """
        ...

    async def stop(self, child: Begun) -> None:
        """Stop the child's turn as a person would, close an open request as expired, and wait for its end."""
        ...


class WrittenCanvas(NamedTuple):
    """A canvas that a conversation wrote: its id, the highest version written there, its title."""

    id: str
    version: int
    title: str


CanvasesWritten = Callable[[str], Sequence[tuple[str, int, str]]]
"""Id, highest version and title of the canvases a conversation wrote and that still are, in the order of first writing (DLG-57)."""


def no_canvases(_conversation_id: str) -> Sequence[tuple[str, int, str]]:
    """Stands in while there is no canvas family."""
    return ()

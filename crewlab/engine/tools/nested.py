"""What a tool that makes calls itself is given by the turn or the job it runs in (SCR-95, SCR-125, EVAL-28).

The one way for such calls: the same registry, gate and hooks as direct calls. ``turn/nested.py`` implements ``Nest``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

from crewlab.engine.records import NestedCall
from crewlab.engine.store.conversations import Charge
from crewlab.engine.tools.call import Ran
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext
from crewlab.engine.tools.registry import Registry


@dataclass(slots=True)
class Inside:
    """What was done inside one call, for its step, its result and its stored message (SCR-201, SCR-203).

    ``received_chars``: what the script was handed; ``printed_chars``: what it printed, ``None`` when nobody counted (SCR-200).
    """

    calls: list[NestedCall] = field(default_factory=list)
    received_chars: int | None = None
    printed_chars: int | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The gate's verdict on a call inside. ``pattern``: the entry of the owner's lists that decided it."""

    kind: Literal["run", "ask", "refuse"]
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """A call inside that has ended, before it is shortened for its record. ``metered``: it paid a model, or may have."""

    name: str
    arguments: Arguments
    ok: bool
    output: str
    ms: int
    charges: tuple[Charge, ...] = ()
    metered: bool = False
    gated: bool = False


class Nest(Protocol):
    """The calls of one script or kernel cell, seen from inside."""

    @property
    def registry(self) -> Registry:
        """The tools the turn holds, fixed when the script starts (SCR-83)."""
        ...

    @property
    def inside(self) -> Inside:
        """What has been done so far."""
        ...

    @property
    def gated(self) -> bool:
        """Whether calls of writing tools may be made, each through the gate (SCR-122)."""
        ...

    @property
    def delegates(self) -> tuple[str, ...]:
        """The agents it may give work to; empty where it may not delegate at all (SCR-146)."""
        ...

    @property
    def asks(self) -> bool:
        """Whether a model may be asked (SCR-181)."""
        ...

    @property
    def limit(self) -> int:
        """How many calls a turn may make inside others (SCR-210)."""
        ...

    def context(self, call_id: str | None = None) -> ToolContext:
        """What a call inside is given; its charges are its own. ``call_id``: an id of its own (SCR-151)."""
        ...

    def judge(self, tool: Tool, arguments: Arguments, context: ToolContext) -> Judged:
        """The verdict of the one gate, with the conversation as it is now (SCR-125)."""
        ...

    def take(self, count: int) -> bool:
        """Take places of the turn's limit, all or none (SCR-211, SCR-212). ``False`` ends the turn."""
        ...

    def give_back(self, count: int) -> None:
        """Give back the places of calls that did not start."""
        ...

    async def run(self, tool: Tool, arguments: Arguments, context: ToolContext) -> Ran:
        """Run the call between the agent's hooks; its answer is not shortened."""
        ...

    async def keep(self, call_id: str, text: str) -> bool:
        """Keep a long answer where ``tool_output_read`` finds it; ``False`` where it cannot be kept (SCR-188)."""
        ...

    def ended(self, done: Done) -> None:
        """Record a call that has ended, count its money with the result, and tell the viewers (SCR-206)."""
        ...

    def is_spent(self) -> bool:
        """Whether the conversation has reached its cost cap with what was done inside (SCR-173)."""
        ...

    async def ask(self, system: str, text: str) -> tuple[str, Charge]:
        """One question to the agent's first route alone, at its lowest thinking level, under the purpose ``script`` (SCR-174, SCR-177).

        Raises ``NotAsked``.
        """
        ...


class NotAsked(Exception):
    """A question that brought no answer; the message is for people, never for the script (SCR-176). ``charge``: what it cost."""

    def __init__(self, message: str, charge: Charge) -> None:
        super().__init__(message)
        self.message = message
        self.charge = charge

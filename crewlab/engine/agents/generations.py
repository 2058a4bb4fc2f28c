"""How often an agent of an id was removed while this process ran (STO-44).

An agent carries the number of its id from when it was built, so a script that outlives its agent is told from one of a new
agent of the same id. In memory alone: no script survives a restart.
"""

from __future__ import annotations

from threading import RLock


class Generations:
    """The numbers by id. ``lock`` is held while a number is compared and while what hangs on it is read or written."""

    def __init__(self) -> None:
        self.lock = RLock()
        self._numbers: dict[str, int] = {}

    def of(self, agent_id: str) -> int:
        """The number of an agent that is built now."""
        return self._numbers.get(agent_id, 0)

    def removed(self, agent_id: str) -> None:
        """An agent of this id has left the crew."""
        with self.lock:
            self._numbers[agent_id] = self.of(agent_id) + 1

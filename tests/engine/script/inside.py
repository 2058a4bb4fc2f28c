"""The interpreter inside the test's own process, with the limits that are its own (no process, no limits of the system)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from crewlab.engine.script.child import words
from crewlab.engine.script.child.faults import Fault, Refused, Stop
from crewlab.engine.script.child.host import Host
from crewlab.engine.script.child.machine import Machine
from crewlab.engine.script.child.meter import Memory, Meter
from crewlab.engine.script.child.session import RECURSION, conclude
from crewlab.engine.script.words import script_words
from crewlab.engine.texts import Texts

__all__ = ["Fault", "Refused", "Result", "Stop", "answering", "script"]


@dataclass
class Result:
    code: str
    line: int
    params: dict[str, Any]
    printed: str
    steps: int = 0
    sent: list[dict[str, Any]] = field(default_factory=list)

    @property
    def error(self) -> str:
        """``Type: message`` of an uncaught error."""
        return f"{self.params['type']}: {self.params['message']}"

    @property
    def word(self) -> str:
        """The word of a refusal."""
        return str(self.params["word"])


class Asked:
    """Stands where the channel to the server stands: keeps what was sent and answers."""

    def __init__(self, answer: Callable[[str, dict[str, Any]], dict[str, Any]]) -> None:
        self.sent: list[dict[str, Any]] = []
        self._answer = answer

    def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        self.sent.append({"op": op, **fields})
        return self._answer(op, fields)


def answering(value: Any) -> Callable[[str, dict[str, Any]], dict[str, Any]]:
    return lambda op, fields: {"ok": True, "value": value}


def script(
    source: str,
    *,
    steps: int = 2_000_000,
    memory: int = 256 * 1024 * 1024,
    answer: Callable[[str, dict[str, Any]], dict[str, Any]] | None = None,
) -> Result:
    words.learn(script_words(Texts("en")))
    machine = Machine(Meter(steps, Memory(memory)))
    asked = Asked(answer or answering("answer"))
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(RECURSION)
    try:
        ended = conclude(source, machine, Host(machine, asked))
    finally:
        sys.setrecursionlimit(before)
        machine.meter.memory.close()
    return Result(ended["code"], ended["line"], ended["params"], ended["printed"], machine.meter.used, asked.sent)

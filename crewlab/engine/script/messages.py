"""The messages between server and child (SCR-8): read strictly, because the server trusts no claim of the child (SCR-9, SCR-10)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

MAX_PRINTED = 60_000  # SCR-66
FIELDS: dict[str, dict[str, tuple[type, ...]]] = {
    "call": {"line": (int,), "tool": (str,), "args": (dict,)},
    "batch": {"line": (int,), "calls": (list,)},
    "lookup": {"kind": (str,), "text": (str,), "limit": (int,)},
    "llm": {"line": (int,), "kind": (str,), "text": (str,)},
    "load": {"key": (str,)},
    "store": {"key": (str,)},
    "done": {"ok": (bool,), "code": (str,), "params": (dict,), "line": (int,), "printed": (str,), "printed_chars": (int,)},
}
OPTIONAL: dict[str, dict[str, tuple[type, ...]]] = {
    "llm": {"labels": (list,), "max_chars": (int,)},
    "store": {"json": (str,), "forget": (bool,)},
}
ENDS = frozenset(
    {
        "ok", "syntax", "refused_syntax", "uncaught", "stopped", "limit_calls", "limit_llm", "limit_args", "limit_steps", "limit_depth",
        "limit_int", "limit_value", "limit_memory",
    }
)  # fmt: skip
"""How a child may say that a script ended (SCR-64); the other codes are the server's."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the child."""

    op: str
    id: int
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server answers: a value, an error the script can catch, or a stop with its code (SCR-64)."""

    value: Any = None
    error: str | None = None
    stop: bool = False
    code: str = ""
    line: int = 0
    params: dict[str, Any] = field(default_factory=dict)

    def line_for(self, number: int) -> dict[str, Any]:
        """The answer as a message."""
        if self.stop:
            return {"id": number, "stop": True}
        if self.error is not None:
            return {"id": number, "ok": False, "error": self.error}
        return {"id": number, "ok": True, "value": self.value}


def read_message(line: bytes, number: int, *, stopped: bool) -> Message:
    """The message of one line. ``ValueError`` when it is not one, not the next one, or anything but the end after a stop."""
    try:
        data = json.loads(line)
    except RecursionError:
        raise ValueError("nested too deep") from None
    if not isinstance(data, dict):
        raise ValueError("not an object")
    op = data.pop("op", None)
    if not isinstance(op, str) or op not in FIELDS or data.pop("id", None) != number or (stopped and op != "done"):
        raise ValueError("another message")
    wanted, more = FIELDS[op], OPTIONAL.get(op, {})
    if not wanted.keys() <= data.keys() <= wanted.keys() | more.keys():
        raise ValueError("other fields")
    if any(type(value) not in {**wanted, **more}[key] for key, value in data.items()):
        raise ValueError("another type")
    if op == "done" and (data["code"] not in ENDS or data["ok"] is not (data["code"] == "ok") or len(data["printed"]) > MAX_PRINTED):
        raise ValueError("another end")
    return Message(op, number, data)

"""The messages between server and child (SCR-8): read strictly, because the server trusts no claim of the child (SCR-9, SCR-10)."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any

from crewlab.engine.script.child.faults import CLASSES
from crewlab.engine.script.child.limits import MAX_CALLERS, MAX_DATA_DEPTH, MAX_MESSAGE
from crewlab.engine.texts import Texts

MAX_PRINTED = 60_000  # SCR-66
AROUND = 4  # levels of a message around the arguments of a call
LAST_LINE = 20_001  # a script has no more characters, and at most one line for each
MAX_PARAM = 20_000  # characters of what a refusal names: a name of the script at most
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
    data = _parsed(line)
    if not isinstance(data, dict):
        raise ValueError("not an object")
    op = data.pop("op", None)
    if not isinstance(op, str) or op not in FIELDS or data.pop("id", None) != number or (stopped and op != "done"):
        raise ValueError("another message")
    wanted, more = FIELDS[op], OPTIONAL.get(op, {})
    if not wanted.keys() <= data.keys() <= wanted.keys() | more.keys():
        raise ValueError("other fields")
    if any(type(value) not in {**wanted, **more}[key] for key, value in data.items()) or not 0 <= data.get("line", 0) <= LAST_LINE:
        raise ValueError("another type")
    if op == "done" and not _is_end(data, stopped=stopped):
        raise ValueError("another end")
    return Message(op, number, data)


def _parsed(line: bytes) -> Any:
    """The JSON of one line: plain data as the child writes it, which goes on to tools, records and viewers as it is."""
    text = line.decode("utf-8")
    try:
        data = json.loads(text, parse_constant=_number, parse_float=_number)
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode()  # a half of a surrogate pair has no bytes (SCR-70)
    except RecursionError:
        raise ValueError("nested too deep") from None
    left = [(data, 1)]
    while left:
        part, level = left.pop()
        if level > MAX_DATA_DEPTH + AROUND:
            raise ValueError("nested too deep")
        inner = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        left += [(one, level + 1) for one in inner if isinstance(one, (dict, list))]
    return data


def _number(text: str) -> float:
    """A number of JSON; the words for what is none, and what is beyond every number, are refused (SCR-94)."""
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("no number")
    return number


def _is_end(data: dict[str, Any], *, stopped: bool) -> bool:
    """Whether the server can say in words that a script ended so."""
    code, params = data["code"], data["params"]
    if code not in ENDS or data["ok"] is not (code == "ok") or len(data["printed"]) > MAX_PRINTED or (code == "stopped" and not stopped):
        return False
    if code == "uncaught":
        return params.keys() == {"type", "message", "callers"} and _is_error(**params)
    if code not in ("syntax", "refused_syntax"):
        return not params
    return _is_refusal(params)


def _is_error(type: object, message: object, callers: object) -> bool:
    if type not in CLASSES or not isinstance(message, str) or len(message) > MAX_MESSAGE or not isinstance(callers, list):
        return False
    return len(callers) <= MAX_CALLERS and all(_is_line(one) for one in callers)


def _is_line(value: object) -> bool:
    return isinstance(value, int) and 0 <= value <= LAST_LINE


def _is_refusal(params: dict[str, Any]) -> bool:
    rest = {key: value for key, value in params.items() if key != "word"}
    if not all((isinstance(one, str) and len(one) <= MAX_PARAM) or _is_line(one) for one in rest.values()):
        return False
    word = params.get("word")
    try:
        return isinstance(word, str) and bool(Texts("en")(f"script.{word}", **rest))
    except KeyError:
        return False

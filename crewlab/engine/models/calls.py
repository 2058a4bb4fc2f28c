"""Tool calls as they arrive: fragments by index, put together to the calls of one message (PRV-18, FT-2).

Servers differ in what they leave out: the index, the id, the name after the first fragment, or the
text form of the arguments. Whatever comes is kept; what cannot be read stays as the model wrote it.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import Any

from crewlab.engine.models.base import CallDelta
from crewlab.engine.models.unicode import mend, mend_value
from crewlab.engine.records import Json, ToolCall

MAX_CALLS = 64  # more calls in one message are a fault of the stream
MAX_DEPTH = 64  # of arguments; JSON of SQLite, pydantic and Python end at some hundreds
UNREADABLE_KEY = "unreadable_arguments"  # how arguments that are no JSON object are sent back
NAME_CHARS = re.compile(r"[^a-zA-Z0-9_-]")
MAX_NAME_CHARS = 64


def read_arguments(text: str) -> Json | str:
    """The JSON object in ``text``; empty counts as ``{}``; JSON in a JSON string is opened once (FT-2).

    Anything else is returned as it is (PRV-18): numbers that are none and an object nested too deep too, which neither the
    store nor a request could hold.
    """
    if not text.strip():
        return {}
    try:
        value = DECODER.decode(text)
        if isinstance(value, str):
            value = DECODER.decode(value) if value.strip() else {}
    except (ValueError, RecursionError):
        return mend(text)
    if not isinstance(value, dict) or is_too_deep(value):
        return mend(text)
    mended: Json = mend_value(value)
    return mended


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_finite)


def is_too_deep(value: object) -> bool:
    """Whether lists and objects stand in one another more than 64 times; walks without recursion."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        inner = (held for outer in level for held in (outer.values() if isinstance(outer, dict) else outer))
        level = [held for held in inner if isinstance(held, dict | list)]
        if not level:
            return False
    return True


def write_arguments(arguments: Json | str) -> Json:
    """Arguments for a request: always an object, because servers refuse a history they cannot parse."""
    return arguments if isinstance(arguments, dict) else {UNREADABLE_KEY: arguments}


def safe_name(name: str) -> str:
    """A tool name or call id that every provider accepts in a history."""
    return NAME_CHARS.sub("_", name)[:MAX_NAME_CHARS] or "_"


@dataclass(slots=True)
class _Open:
    id: str
    name: str
    arguments: list[str]


class CallBuilder:
    """Collects the fragments of one message's calls."""

    def __init__(self) -> None:
        self._calls: dict[int, _Open] = {}
        self._last: int | None = None

    def __len__(self) -> int:
        return len(self._calls)

    def add(self, index: int | None, call_id: str | None, name: str | None, arguments: object) -> CallDelta | None:
        """Take one fragment in; the delta to show, or ``None`` when the message has too many calls.

        Without an index, a new id or a new name after arguments begins the next call.
        """
        call_id, name = mend(call_id or ""), mend(name or "")
        place = self._place(index, call_id, name)
        call = self._calls.get(place)
        if call is None:
            if len(self._calls) >= MAX_CALLS:
                return None
            call = self._calls[place] = _Open(id=call_id or f"call_{place}", name="", arguments=[])
        self._last = place
        if name and not call.name:
            call.name = name
        text = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments, ensure_ascii=False)
        if text:
            call.arguments.append(text)
        return CallDelta(index=place, id=call.id, name=call.name, arguments=text)

    def _place(self, index: int | None, call_id: str | None, name: str | None) -> int:
        if isinstance(index, int) and index >= 0:
            return index
        if self._last is None:
            return 0
        last = self._calls[self._last]
        is_new = bool(call_id and call_id != last.id) or bool(not call_id and name and last.arguments)
        return max(self._calls) + 1 if is_new else self._last

    def finish(self) -> tuple[ToolCall, ...]:
        """The calls in their order; ids that repeat within the message are made different."""
        calls: list[ToolCall] = []
        seen: set[str] = set()
        for place in sorted(self._calls):
            call = self._calls[place]
            call_id = call.id if call.id not in seen else f"{call.id}_{place}"
            seen.add(call_id)
            calls.append(ToolCall(id=call_id, name=call.name, arguments=read_arguments("".join(call.arguments))))
        return tuple(calls)

"""``str`` and ``repr`` of values by a walk: charged for each element, bounded in depth and length (SCR-51, SCR-52)."""

from __future__ import annotations

from .faults import CLASSES, Fault, Stop
from .kinds import Any
from .limits import CASE_PER_STEP, MAX_DATA_DEPTH, MAX_VALUE
from .meter import Meter
from .values import PLAIN, Builtin, Function, ScriptSet, nested


def text_of(value: Any, meter: Meter) -> str:
    """``str(value)``."""
    kind = type(value)
    if kind is str:
        return value  # type: ignore[no-any-return]
    if kind in PLAIN or kind is range:
        return str(value)
    if kind is Fault:
        return error_text(value, meter)
    return repr_of(value, meter)


def repr_of(value: Any, meter: Meter) -> str:
    """``repr(value)``."""
    kind = type(value)
    if kind is str:
        return quoted(value, meter)
    if kind in PLAIN or kind is range:
        return repr(value)
    walk = _Walk(meter)
    walk.add(value, 0)
    return "".join(walk.parts)


def quoted(text: str, meter: Meter) -> str:
    """``repr`` of a text: up to ten characters for one that cannot be shown."""
    if text.isascii():
        meter.room_text(len(text) + 2)
    else:
        meter.charge(len(text) // CASE_PER_STEP)
        meter.room_text(len(text) + 2)
        if len(text) > 100_000:
            meter.memory.measure(len(text) * 10)
    made = repr(text)
    if len(made) > MAX_VALUE:
        raise Stop("limit_value")
    return made


def error_text(value: Fault, meter: Meter) -> str:
    """What ``str()`` of a caught error gives (SCR-239)."""
    if not value.values:
        return ""
    if issubclass(CLASSES[value.name], KeyError):
        return repr_of(value.values[0], meter)
    return text_of(value.values[0], meter)


class _Walk:
    """One walk: the parts written so far, their length, and the containers that are open."""

    def __init__(self, meter: Meter) -> None:
        self.meter = meter
        self.parts: list[str] = []
        self.size = 0
        self.waiting = 0
        self.open: set[int] = set()

    def put(self, part: str) -> None:
        self.size += len(part)
        self.waiting += len(part)
        if self.size > MAX_VALUE:
            raise Stop("limit_value")
        if self.waiting > 100_000:
            self.meter.room_text(self.waiting)
            self.waiting = 0
        self.parts.append(part)

    def add(self, value: Any, depth: int) -> None:
        self.meter.charge(1)
        kind = type(value)
        if kind is str:
            self.put(quoted(value, self.meter))
        elif kind in PLAIN or kind is range:
            self.put(repr(value))
        elif kind is Function or kind is Builtin:
            self.put(f"<function {value.name}>")
        else:
            self.container(value, kind, depth)

    def container(self, value: Any, kind: type, depth: int) -> None:
        if id(value) in self.open:
            self.put("[...]" if kind is list else "(...)" if kind is tuple else "{...}")
            return
        if depth >= MAX_DATA_DEPTH:
            raise nested()
        self.open.add(id(value))
        if kind is dict:
            self.pairs(value, depth + 1)
        elif kind is Fault:
            self.put(f"{value.name}(")
            self.rows(value.values, depth + 1)
            self.put(")")
        elif kind is ScriptSet:
            self.put("{" if value.items else "set(")
            self.rows(value.items, depth + 1)
            self.put("}" if value.items else ")")
        else:
            self.put("[" if kind is list else "(")
            self.rows(value, depth + 1)
            self.put("]" if kind is list else ",)" if len(value) == 1 else ")")
        self.open.discard(id(value))

    def rows(self, rows: Any, depth: int) -> None:
        first = True
        for element in rows:
            if not first:
                self.put(", ")
            first = False
            self.add(element, depth)

    def pairs(self, pairs: dict[Any, Any], depth: int) -> None:
        self.put("{")
        first = True
        for key, value in pairs.items():
            if not first:
                self.put(", ")
            first = False
            self.add(key, depth)
            self.put(": ")
            self.add(value, depth)
        self.put("}")

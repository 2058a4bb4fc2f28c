"""``json.dumps``, what is stored and what goes to the server: written by a walk (SCR-51, SCR-52)."""

from __future__ import annotations

import _json

from .faults import Stop, fault
from .kinds import Any, Callable
from .limits import MAX_DATA_DEPTH, MAX_VALUE
from .meter import Meter
from .values import nested, type_name

_quote: Callable[[str], str] = _json.encode_basestring
_quote_ascii: Callable[[str], str] = _json.encode_basestring_ascii


class Writer:
    """Writes one value as JSON text. ``strict``: what the store and tool arguments allow (STO-3, SCR-94)."""

    def __init__(
        self, meter: Meter, *, ascii_only: bool = True, indent: int | None = None, sort: bool = False, strict: bool = False
    ) -> None:
        self.meter = meter
        self.quote = _quote_ascii if ascii_only else _quote
        self.indent = indent
        self.sort = sort
        self.strict = strict
        self.item, self.colon = (",", ":") if strict else (", ", ": ")
        if indent is not None:
            self.item = ","
        self.parts: list[str] = []
        self.size = 0
        self.open: set[int] = set()

    def write(self, value: Any) -> str:
        """The text of ``value``."""
        self._value(value, 0)
        self.meter.room_text(self.size)
        return "".join(self.parts)

    def _put(self, part: str) -> None:
        self.size += len(part)
        if self.size > MAX_VALUE:
            raise Stop("limit_value")
        self.parts.append(part)

    def _value(self, value: Any, depth: int) -> None:
        self.meter.charge(1)
        kind = type(value)
        if kind is str:
            self.meter.room_text(len(value) * 2)
            self._put(self.quote(value))
        elif value is None or kind is bool or kind is int:
            self._put({None: "null", True: "true", False: "false"}[value] if kind is not int else str(value))
        elif kind is float:
            self._put(self._float(value))
        elif kind in (list, tuple, dict):
            self._container(value, kind, depth)
        else:
            raise fault("TypeError", f"Object of type {type_name(value)} is not JSON serializable")

    def _float(self, value: float) -> str:
        if value != value or value in (float("inf"), float("-inf")):
            if self.strict:
                raise fault("ValueError", f"Out of range float values are not JSON compliant: {value!r}")
            return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
        return repr(value)

    def _container(self, value: Any, kind: type, depth: int) -> None:
        if id(value) in self.open:
            raise fault("ValueError", "Circular reference detected")
        if depth >= MAX_DATA_DEPTH:
            raise nested()
        self.open.add(id(value))
        rows = self._pairs(value) if kind is dict else value
        brackets = "{}" if kind is dict else "[]"
        self._put(brackets[0])
        for place, row in enumerate(rows):
            if place:
                self._put(self.item)
            self._line(depth + 1)
            if kind is dict:
                self._put(self.quote(row[0]) + self.colon)
                row = row[1]
            self._value(row, depth + 1)
        if rows:
            self._line(depth)
        self._put(brackets[1])
        self.open.discard(id(value))

    def _line(self, depth: int) -> None:
        if self.indent is not None:
            self._put("\n" + " " * (self.indent * depth))

    def _pairs(self, value: dict[Any, Any]) -> list[tuple[str, Any]]:
        from .sorting import sorted_list

        keys = list(value)
        self.meter.copied(len(keys))
        if self.sort:
            keys = sorted_list(keys, self.meter)
        return [(self._key(key), value[key]) for key in keys]

    def _key(self, key: Any) -> str:
        if type(key) is str:
            self.meter.room_text(len(key) * 2)
            return key
        if self.strict or type(key) is tuple:
            raise fault("TypeError", f"keys must be str, int, float, bool or None, not {type_name(key)}")
        if type(key) is float:
            return self._float(key)
        return {None: "null", True: "true", False: "false"}[key] if type(key) is not int else str(key)


def quoted(text: str) -> str:
    """A JSON string, characters outside ASCII as they are."""
    return _quote(text)

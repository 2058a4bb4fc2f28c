"""``json.loads`` and ``json.dumps``: measured before they run, written by a walk (SCR-51 to SCR-54)."""

from __future__ import annotations

import _json
import sys

from .faults import Stop, fault
from .kinds import Any, Callable
from .limits import MAX_DATA_DEPTH, MAX_JSON_DIGITS, MAX_VALUE
from .meter import Meter
from .operators import checked
from .values import nested, type_name

BLANK = " \t\n\r"
CONSTANTS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


class JSONDecodeError(ValueError):
    """What the scanner raises; stands where it looks for the class of the ``json`` package, which is not imported (start-up time)."""

    def __init__(self, message: str, text: str, place: int) -> None:
        line = text.count("\n", 0, place) + 1
        column = place - text.rfind("\n", 0, place)
        super().__init__(f"{message}: line {line} column {column} (char {place})")


def stand_in() -> None:
    """Put the class above where the scanner looks for it, unless the real package is there."""
    if "json.decoder" not in sys.modules:
        module = type(sys)("json.decoder")
        module.JSONDecodeError = JSONDecodeError  # type: ignore[attr-defined]
        sys.modules["json.decoder"] = module


def _integer(text: str) -> int:
    if len(text.lstrip("-")) > MAX_JSON_DIGITS:
        raise Stop("limit_int")
    return checked(int(text))  # type: ignore[no-any-return]


def _real(text: str) -> float:
    if len(text.lstrip("-").split(".")[0].split("e")[0].split("E")[0]) > MAX_JSON_DIGITS:
        raise Stop("limit_int")
    return float(text)


class _Context:
    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = staticmethod(_real)
    parse_int = staticmethod(_integer)
    parse_constant = CONSTANTS.__getitem__
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner's own, emptied after each text


_scan: Callable[[str, int], tuple[Any, int]] = _json.make_scanner(_Context())  # type: ignore[arg-type]
_quote: Callable[[str], str] = _json.encode_basestring
_quote_ascii: Callable[[str], str] = _json.encode_basestring_ascii


def decode(text: str) -> Any:
    """The value of a JSON text; what is wrong with it is a ``ValueError``."""
    start = _skip(text, 0)
    try:
        value, end = _scan(text, start)
    except StopIteration as stop:
        raise JSONDecodeError("Expecting value", text, stop.value) from None
    end = _skip(text, end)
    if end != len(text):
        raise JSONDecodeError("Extra data", text, end)
    return value


def _skip(text: str, at: int) -> int:
    while at < len(text) and text[at] in BLANK:
        at += 1
    return at


def loads(text: Any, meter: Meter) -> Any:
    """``json.loads`` of the language."""
    if type(text) is not str:
        raise fault("TypeError", f"the JSON object must be str, bytes or bytearray, not {type_name(text)}")
    if len(text) > MAX_VALUE:
        raise Stop("limit_value")
    meter.charge(len(text) // 100)
    if len(text) > 20_000:
        meter.memory.measure(len(text) * 40)
    if text.startswith("\ufeff"):
        raise JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0)
    if _too_deep(text):
        raise nested()
    return decode(text)


def _too_deep(text: str) -> bool:
    """Whether brackets outside of strings open more than 100 levels; looks at brackets and quotes only."""
    if text.count("[") + text.count("{") <= MAX_DATA_DEPTH:
        return False
    depth = at = 0
    while at < len(text):
        char = text[at]
        if char == '"':
            at = _end_of_string(text, at + 1)
        elif char in "[{":
            depth += 1
            if depth > MAX_DATA_DEPTH:
                return True
        elif char in "]}":
            depth -= 1
        at += 1
    return False


def _end_of_string(text: str, at: int) -> int:
    while True:
        close = text.find('"', at)
        if close < 0:
            return len(text)
        slashes = 0
        while close - slashes - 1 >= at and text[close - slashes - 1] == "\\":
            slashes += 1
        if slashes % 2 == 0:
            return close
        at = close + 1


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

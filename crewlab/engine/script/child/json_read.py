"""``json.loads``: measured before it runs (SCR-51 to SCR-54), read by Python's own scanner."""

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
BRACKETS = b"[]{}"
NO_BRACKETS = bytes(byte for byte in range(256) if byte not in BRACKETS)
LEVELS = 20  # nesting that is told by taking away the innermost pairs; deeper texts are read sign by sign
DIGITS_ALIKE = bytes(48 if 48 <= byte < 58 else byte for byte in range(256))
LONG_NUMBER = b"0" * MAX_JSON_DIGITS  # a shorter number has less than 256 bits


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
    """What the scanner reads its settings from; the numbers are the scanner's own, which is fast."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float: Any = float
    parse_int: Any = int
    parse_constant = CONSTANTS.__getitem__
    memo: dict[str, str] = {}  # noqa: RUF012 - the scanner's own, emptied after each text


class _Measured(_Context):
    parse_float = staticmethod(_real)
    parse_int = staticmethod(_integer)


Scan = Callable[[str, int], tuple[Any, int]]
_scan: Scan = _json.make_scanner(_Context())  # type: ignore[arg-type]
_scan_measured: Scan = _json.make_scanner(_Measured())  # type: ignore[arg-type]


def decode(text: str, scan: Scan = _scan_measured) -> Any:
    """The value of a JSON text; what is wrong with it is a ``ValueError``."""
    start = len(text) - len(text.lstrip(BLANK))
    try:
        value, end = scan(text, start)
    except StopIteration as stop:
        raise JSONDecodeError("Expecting value", text, stop.value) from None
    if end != len(text):
        rest = text[end:].lstrip(BLANK)
        if rest:
            raise JSONDecodeError("Extra data", text, len(text) - len(rest))
    return value


def trusted(text: str) -> Any:
    """The value of a JSON text of the server, which is not measured."""
    return decode(text, _scan)


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
    if _too_deep(text, meter):
        raise nested()
    return decode(text, _scan_measured if _long_number(text) else _scan)


def _long_number(text: str) -> bool:
    """Whether digits stand together that could be a number of more than 256 bits."""
    return len(text) >= len(LONG_NUMBER) and LONG_NUMBER in text.encode("utf-8", "surrogatepass").translate(DIGITS_ALIKE)


def _too_deep(text: str, meter: Meter) -> bool:
    """Whether brackets outside of strings open more than 100 levels."""
    if text.count("[") + text.count("{") <= MAX_DATA_DEPTH or _shallow(text):
        return False
    meter.charge(len(text) // 30)
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


def _shallow(text: str) -> bool:
    """Whether the brackets outside of strings are balanced and open few levels: the usual case, told without looking at every sign.

    Where a backslash stands outside of a string the reader fails, and up to there this looks at the same brackets as the reader.
    """
    plain = text.replace("\\\\", "").replace('\\"', "") if "\\" in text else text
    left = "".join(plain.split('"')[::2]).encode("utf-8", "surrogatepass").translate(None, NO_BRACKETS)
    for _ in range(LEVELS):
        if not left:
            return True
        left = left.replace(b"[]", b"").replace(b"{}", b"")
    return not left


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

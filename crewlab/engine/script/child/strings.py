"""The methods of text (SCR-42 to SCR-44); ``split`` and the like measure memory between slices (SCR-52)."""

from __future__ import annotations

from .equality import search_cost
from .faults import Stop, fault
from .kinds import Any, Callable
from .limits import CASE_PER_STEP, MAX_NEEDLE, MAX_VALUE
from .meter import Meter, width
from .values import iterate, type_name
from .words import say

SLICE = 100_000  # SCR-52: pieces between two measures
BREAKS = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"
PIECE_BYTES = 57
READING = 500  # SCR-246: characters a step where each is looked up


def _reading(name: str) -> Callable[..., Any]:
    native = getattr(str, name)

    def run(meter: Meter, text: str, *args: Any) -> Any:
        meter.charge(len(text) // READING)
        return native(text, *args)

    return run


def _casing(name: str) -> Callable[..., Any]:
    native = getattr(str, name)

    def run(meter: Meter, text: str) -> str:
        if len(text) >= CASE_PER_STEP:
            meter.charge(len(text) // CASE_PER_STEP)
            if not text.isascii():
                meter.room_text(min(len(text) * 3, MAX_VALUE))
        result: str = native(text)
        if len(result) > MAX_VALUE:
            raise Stop("limit_value")
        return result

    return run


def _searching(name: str, bounded: bool) -> Callable[..., Any]:
    native = getattr(str, name)

    def run(meter: Meter, text: str, *args: Any) -> Any:
        if args and type(args[0]) is str:
            if bounded:
                _short(args[0], name)
            search_cost(text, args[0], meter)
        if len(text) >= 1000:
            meter.room_text(len(text), width(text))
        return native(text, *args)

    return run


def _short(needle: str, name: str) -> None:
    if len(needle) > MAX_NEEDLE:
        raise fault("ValueError", say("needle", name=name, limit=MAX_NEEDLE))


def _affix(name: str) -> Callable[..., Any]:
    native = getattr(str, name)

    def run(meter: Meter, text: str, wanted: Any, *args: Any) -> Any:
        for one in wanted if type(wanted) is tuple else (wanted,):
            if type(one) is str:
                meter.text(len(one))
        if type(wanted) is tuple:
            meter.charge(len(wanted))
        return native(text, wanted, *args)

    return run


def _padding(name: str) -> Callable[..., Any]:
    native = getattr(str, name)

    def run(meter: Meter, text: str, size: Any, *args: Any) -> Any:
        if type(size) not in (int, bool):
            raise fault("TypeError", f"'{type_name(size)}' object cannot be interpreted as an integer")
        meter.room_text(max(size, len(text)))
        return native(text, size, *args)

    return run


def _stripping(name: str) -> Callable[..., Any]:
    native = getattr(str, name)

    def run(meter: Meter, text: str, *args: Any) -> Any:
        if args and type(args[0]) is str:
            _short(args[0], name)
            search_cost(text, args[0], meter)
        meter.text(len(text))
        return native(text, *args)

    return run


def join(meter: Meter, text: str, rows: Any) -> str:
    """``sep.join(rows)``: every element looked at, the length computed first."""
    rows = iterate(rows, meter)
    if type(rows) is range:
        rows = rows[:1]
    meter.copied(2 * len(rows))
    if not {str}.issuperset(map(type, rows)):
        place, row = next((place, row) for place, row in enumerate(rows) if type(row) is not str)
        raise fault("TypeError", f"sequence item {place}: expected str instance, {type_name(row)} found")
    size = sum(map(len, rows)) + len(text) * max(len(rows) - 1, 0)
    meter.room_text(size, 4 if size < 250_000 or not all(map(str.isascii, rows)) else width(text))
    return text.join(rows)


def replace(meter: Meter, text: str, old: Any, new: Any, count: Any = -1) -> str:
    """``text.replace``: the replacements are counted first."""
    if type(old) is not str or type(new) is not str or type(count) not in (int, bool):
        return text.replace(old, new, count)
    search_cost(text, old, meter)
    times = text.count(old) if len(text) * (len(new) + 1) >= 1000 else len(text) + 1
    if count >= 0:
        times = min(times, count)
    meter.room_text(max(len(text), len(text) + times * (len(new) - len(old))), width(text, new))
    return text.replace(old, new, count)


def _split(name: str) -> Callable[..., Any]:
    native = getattr(str, name)
    last = -1 if name == "split" else 0

    def run(meter: Meter, text: str, sep: Any = None, maxsplit: Any = -1) -> list[str]:
        if type(sep) is str:
            if name == "rsplit":
                _short(sep, name)
            search_cost(text, sep, meter)
        if len(text) < SLICE or type(maxsplit) is not int:
            meter.text(len(text))
            meter.copied(len(text) // 10)
            return native(text, sep, maxsplit)  # type: ignore[no-any-return]
        pieces: list[str] = []
        left = maxsplit if maxsplit >= 0 else MAX_VALUE + 1
        while True:
            meter.room_text(len(text), width(text))
            meter.memory.measure(SLICE * PIECE_BYTES)
            part = native(text, sep, min(left, SLICE))
            if len(part) <= min(left, SLICE) or left <= SLICE:
                return _joined(pieces, part, last, meter)
            left -= SLICE
            text = part.pop(last)
            pieces = _joined(pieces, part, last, meter)

    return run


def _joined(pieces: list[str], part: list[str], last: int, meter: Meter) -> list[str]:
    meter.room_list(len(pieces) + len(part))
    return pieces + part if last else part + pieces


def splitlines(meter: Meter, text: str, keepends: Any = False) -> list[str]:
    """``text.splitlines``: the line breaks are counted first."""
    meter.text(len(text) * 4)
    if len(text) > 10_000:
        meter.room_list(sum(text.count(mark) for mark in BREAKS) + 1, PIECE_BYTES)
        meter.memory.measure(len(text) * width(text))
    return text.splitlines(keepends)


Entry = tuple[Callable[..., Any], int, int, frozenset[str]]
NONE: frozenset[str] = frozenset()
METHODS: dict[str, Entry] = {
    **{name: (_casing(name), 0, 0, NONE) for name in ("capitalize", "casefold", "lower", "swapcase", "title", "upper")},
    **{
        name: (_reading(name), 0, 0, NONE)
        for name in (
            "isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "islower", "isnumeric", "isspace", "istitle", "isupper",
        )
    },
    **{name: (_searching(name, False), 1, 3, NONE) for name in ("count", "find", "index")},
    **{name: (_searching(name, True), 1, 3, NONE) for name in ("rfind", "rindex")},
    "partition": (_searching("partition", False), 1, 1, NONE),
    "rpartition": (_searching("rpartition", True), 1, 1, NONE),
    **{name: (_affix(name), 1, 3, NONE) for name in ("endswith", "startswith")},
    **{name: (_reading(name), 1, 1, NONE) for name in ("removeprefix", "removesuffix")},
    **{name: (_padding(name), 1, 2, NONE) for name in ("center", "ljust", "rjust")},
    "zfill": (_padding("zfill"), 1, 1, NONE),
    **{name: (_stripping(name), 0, 1, NONE) for name in ("lstrip", "rstrip", "strip")},
    "join": (join, 1, 1, NONE),
    "replace": (replace, 2, 3, NONE),
    **{name: (_split(name), 0, 2, frozenset({"sep", "maxsplit"})) for name in ("rsplit", "split")},
    "splitlines": (splitlines, 0, 1, frozenset({"keepends"})),
}  # fmt: skip

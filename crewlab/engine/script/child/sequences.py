"""The methods of lists and tuples (SCR-42)."""

from __future__ import annotations

from .equality import equal, position, same
from .faults import fault
from .kinds import Any
from .limits import CASE_PER_STEP
from .meter import Meter
from .strings import NONE, Entry
from .values import PLAIN, element_bytes, iterate, length, type_name


def append(meter: Meter, rows: list[Any], value: Any) -> None:
    """``rows.append``."""
    if len(rows) >= 8_000_000:
        meter.room_list(len(rows) + 1)
    rows.append(value)


def clear(meter: Meter, rows: list[Any]) -> None:
    """``rows.clear``."""
    rows.clear()


def copy(meter: Meter, rows: list[Any]) -> list[Any]:
    """``rows.copy``."""
    meter.room_list(len(rows))
    return rows.copy()


def count(meter: Meter, rows: Any, value: Any) -> int:
    """``rows.count``."""
    if type(value) in PLAIN:
        meter.copied(len(rows))
        if type(value) is str and len(value) >= 100:
            meter.charge(len(rows) * len(value) // 1000)
        return int(rows.count(value))
    found = 0
    for row in list(rows):
        meter.charge(1)
        found += same(row, value, meter)
    return found


def extend(rows: list[Any], more: Any, meter: Meter) -> None:
    """``rows.extend(more)`` and ``rows += more``."""
    source = iterate(more, meter)
    size = length(source)
    meter.room_list(len(rows) + size if len(rows) + size > 8_000_000 else size, element_bytes(source))
    rows.extend(source)


def _extend(meter: Meter, rows: list[Any], more: Any) -> None:
    extend(rows, more, meter)


def index(meter: Meter, rows: Any, value: Any, start: Any = 0, stop: Any = None) -> int:
    """``rows.index``."""
    for bound in (start, stop):
        if bound is not None and type(bound) not in (int, bool):
            raise fault("TypeError", "slice indices must be integers or have an __index__ method")
    first, last, _ = slice(start, stop, None).indices(len(rows))
    place = position(value, rows, meter, first, last)
    if place < 0:
        if type(value) is str:
            meter.charge(len(value) // CASE_PER_STEP)
        text = f"{value!r} is not in list" if type(value) in PLAIN and type(rows) is list else f"{type(rows).__name__}.index(x): x not in "
        raise fault("ValueError", text if text.endswith("list") else text + type(rows).__name__)
    return place


def _whole(value: Any) -> int:
    if type(value) not in (int, bool):
        raise fault("TypeError", f"'{type_name(value)}' object cannot be interpreted as an integer")
    return int(value)


def insert(meter: Meter, rows: list[Any], place: Any, value: Any) -> None:
    """``rows.insert``."""
    where = _whole(place)
    meter.copied(len(rows))
    if len(rows) >= 8_000_000:
        meter.room_list(len(rows) + 1)
    rows.insert(where, value)


def pop(meter: Meter, rows: list[Any], place: Any = -1) -> Any:
    """``rows.pop``."""
    where = _whole(place)
    if where != -1:
        meter.copied(len(rows))
    return rows.pop(where)


def remove(meter: Meter, rows: list[Any], value: Any) -> None:
    """``rows.remove``."""
    place = position(value, rows, meter)
    if place < 0:
        raise fault("ValueError", "list.remove(x): x not in list")
    meter.copied(len(rows))
    rows.pop(place)


def reverse(meter: Meter, rows: list[Any]) -> None:
    """``rows.reverse``."""
    meter.copied(len(rows))
    rows.reverse()


LIST: dict[str, Entry] = {
    "append": (append, 1, 1, NONE),
    "clear": (clear, 0, 0, NONE),
    "copy": (copy, 0, 0, NONE),
    "count": (count, 1, 1, NONE),
    "extend": (_extend, 1, 1, NONE),
    "index": (index, 1, 3, NONE),
    "insert": (insert, 2, 2, NONE),
    "pop": (pop, 0, 1, NONE),
    "remove": (remove, 1, 1, NONE),
    "reverse": (reverse, 0, 0, NONE),
}
TUPLE: dict[str, Entry] = {"count": (count, 1, 1, NONE), "index": (index, 1, 3, NONE)}
__all__ = ["LIST", "TUPLE", "append", "equal", "extend"]

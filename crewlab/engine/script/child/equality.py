"""Comparing values: plain ones as Python does, containers by a walk that is charged and bounded (SCR-51)."""

from __future__ import annotations

import _operator

from .faults import fault
from .kinds import Any, Callable
from .limits import MAX_DATA_DEPTH, MAX_NEEDLE, SEARCHED, TEXT_PER_STEP
from .meter import Meter
from .values import ATOMS, PLAIN, ScriptSet, hashable, nested, type_name, weigh

ORDERS: dict[str, Callable[[Any, Any], Any]] = {"<": _operator.lt, "<=": _operator.le, ">": _operator.gt, ">=": _operator.ge}


def equal(left: Any, right: Any, meter: Meter, depth: int = 0) -> bool:
    """``left == right``."""
    kind = type(left)
    if kind in ATOMS or type(right) in ATOMS:
        if kind is str and type(right) is str and len(left) == len(right):
            meter.text(len(left))
        return bool(left == right)
    if kind is not type(right):
        return False
    if depth >= MAX_DATA_DEPTH:
        raise nested()
    if kind is list or kind is tuple:
        return _equal_rows(left, right, meter, depth + 1)
    if kind is dict:
        return _equal_dicts(left, right, meter, depth + 1)
    if kind is ScriptSet:
        return len(left.items) == len(right.items) and _within(left, right, meter)
    return left is right


def same(left: Any, right: Any, meter: Meter, depth: int = 0) -> bool:
    """``left is right or left == right``, as the elements of containers are compared."""
    return left is right or equal(left, right, meter, depth)


def _equal_rows(left: Any, right: Any, meter: Meter, depth: int) -> bool:
    if len(left) != len(right):
        return False
    for one, other in zip(left, right, strict=True):
        meter.charge(1)
        if not same(one, other, meter, depth):
            return False
    return True


def _equal_dicts(left: dict[Any, Any], right: dict[Any, Any], meter: Meter, depth: int) -> bool:
    if len(left) != len(right):
        return False
    meter.hashed(len(left))
    weigh(left, meter)
    for key, value in left.items():
        meter.charge(1)
        if key not in right or not same(value, right[key], meter, depth):
            return False
    return True


def _within(left: ScriptSet, right: ScriptSet, meter: Meter) -> bool:
    meter.charge(len(left.items))
    meter.hashed(len(left.items))
    weigh(left.items, meter)
    return all(key in right.items for key in left.items)


def order(sign: str, left: Any, right: Any, meter: Meter, depth: int = 0) -> bool:
    """``left < right`` and the like."""
    kind = type(left)
    if kind is str and type(right) is str:
        meter.text(min(len(left), len(right)))
        return bool(ORDERS[sign](left, right))
    if kind is ScriptSet and type(right) is ScriptSet:
        return _order_sets(sign, left, right, meter)
    if kind is type(right) and (kind is list or kind is tuple):
        return _order_rows(sign, left, right, meter, depth)
    if kind in PLAIN and type(right) in PLAIN:
        return bool(ORDERS[sign](left, right))
    raise fault("TypeError", f"'{sign}' not supported between instances of '{type_name(left)}' and '{type_name(right)}'")


def _order_sets(sign: str, left: ScriptSet, right: ScriptSet, meter: Meter) -> bool:
    if sign[0] == ">":
        left, right = right, left
    if len(sign) == 1 and len(left.items) == len(right.items):
        return False
    return len(left.items) <= len(right.items) and _within(left, right, meter)


def _order_rows(sign: str, left: Any, right: Any, meter: Meter, depth: int) -> bool:
    if depth >= MAX_DATA_DEPTH:
        raise nested()
    for one, other in zip(left, right, strict=False):
        meter.charge(1)
        if not same(one, other, meter, depth + 1):
            return order(sign, one, other, meter, depth + 1)
    return bool(ORDERS[sign](len(left), len(right)))


def contains(item: Any, holder: Any, meter: Meter) -> bool:
    """``item in holder``."""
    kind = type(holder)
    if kind is dict:
        return hashable(item, meter) in holder
    if kind is ScriptSet:
        return hashable(item, meter) in holder.items
    if kind is str:
        if type(item) is not str:
            raise fault("TypeError", f"'in <string>' requires string as left operand, not {type_name(item)}")
        search_cost(holder, item, meter)
        return item in holder
    if kind is list or kind is tuple:
        return position(item, holder, meter) >= 0
    if kind is range:
        return _in_range(item, holder)
    raise fault("TypeError", f"argument of type '{type_name(holder)}' is not iterable")


def search_cost(text: str, needle: str, meter: Meter) -> None:
    """Pay for a search: a short needle may be compared at every place of the text (SCR-241)."""
    work = len(text) * (SEARCHED + min(len(needle), MAX_NEEDLE))
    if work >= SEARCHED * TEXT_PER_STEP:
        meter.charge(work // (SEARCHED * TEXT_PER_STEP))


def _in_range(item: Any, holder: range) -> bool:
    if type(item) is float:
        if item != item or item in (float("inf"), float("-inf")) or item != int(item):
            return False
        return int(item) in holder
    return type(item) in (int, bool) and int(item) in holder


def _plain_position(item: Any, rows: Any, meter: Meter, start: int, end: int) -> int:
    """A plain value is never compared into a container, so Python may look for it."""
    meter.copied(end - start)
    if type(item) is str and len(item) >= 100:
        meter.charge((end - start) * len(item) // 1000)
    try:
        place: int = rows.index(item, start, end)
    except ValueError:
        return -1
    return place


def position(item: Any, rows: Any, meter: Meter, start: int = 0, stop: int | None = None) -> int:
    """The first place of ``item`` from ``start`` on, -1 when it is not there."""
    end = len(rows) if stop is None else min(stop, len(rows))
    if type(item) in PLAIN:
        return _plain_position(item, rows, meter, start, end)
    place = start
    while place < end and place < len(rows):
        candidate = rows[place]
        meter.charge(1)
        if same(candidate, item, meter):
            return place
        place += 1
    return -1

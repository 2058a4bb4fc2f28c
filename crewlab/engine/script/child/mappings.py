"""The methods of dicts and sets (SCR-42); views are lists (SCR-38)."""

from __future__ import annotations

from .faults import fault
from .kinds import Any, Sequence
from .meter import Meter
from .operators import combine, subtract
from .strings import NONE, Entry
from .values import ScriptSet, as_list, hashable, iterate, length, type_name, weigh

Pairs = dict[Any, Any]


def get(meter: Meter, pairs: Pairs, key: Any, default: Any = None) -> Any:
    """``pairs.get``."""
    return pairs.get(hashable(key, meter), default)


def items(meter: Meter, pairs: Pairs) -> list[tuple[Any, Any]]:
    """``pairs.items`` as a list."""
    meter.room_list(len(pairs), 72)
    meter.copied(2 * len(pairs))  # pairs are made anew
    return list(pairs.items())


def keys(meter: Meter, pairs: Pairs) -> list[Any]:
    """``pairs.keys`` as a list."""
    meter.room_list(len(pairs))
    return list(pairs)


def values(meter: Meter, pairs: Pairs) -> list[Any]:
    """``pairs.values`` as a list."""
    meter.room_list(len(pairs))
    return list(pairs.values())


def copy(meter: Meter, pairs: Pairs) -> Pairs:
    """``pairs.copy``."""
    meter.room_dict(len(pairs))
    return pairs.copy()


def clear(meter: Meter, pairs: Pairs) -> None:
    """``pairs.clear``."""
    pairs.clear()


def pop(meter: Meter, pairs: Pairs, key: Any, *default: Any) -> Any:
    """``pairs.pop``."""
    return pairs.pop(hashable(key, meter), *default)


def popitem(meter: Meter, pairs: Pairs) -> tuple[Any, Any]:
    """``pairs.popitem``: the last inserted."""
    return pairs.popitem()


def setdefault(meter: Meter, pairs: Pairs, key: Any, default: Any = None) -> Any:
    """``pairs.setdefault``."""
    hashable(key, meter)
    if len(pairs) >= 8_000_000 and key not in pairs:
        meter.room_dict(len(pairs) + 1)
    return pairs.setdefault(key, default)


def update(pairs: Pairs, sources: Sequence[Any], named: dict[str, Any], meter: Meter) -> None:
    """Put the pairs of each source, then the named ones, into ``pairs``."""
    for source in sources:
        if type(source) is dict:
            _grow(len(pairs), len(source), meter)
            if pairs:
                weigh(source, meter)
            pairs.update(source)
        else:
            _from_rows(pairs, source, meter)
    _grow(len(pairs), len(named), meter)
    pairs.update(named)


def _grow(size: int, more: int, meter: Meter) -> None:
    meter.room_dict(size + more if size + more > 8_000_000 else more)


def _from_rows(pairs: Pairs, source: Any, meter: Meter) -> None:
    rows = iterate(source, meter)
    _grow(len(pairs), length(rows), meter)
    for place, row in enumerate(rows):
        if type(row) not in (list, tuple):
            if type(row) is str or type(row) is dict:
                raise fault("ValueError", f"dictionary update sequence element #{place} has length {len(row)}; 2 is required")
            raise fault("TypeError", f"cannot convert dictionary update sequence element #{place} to a sequence")
        if len(row) != 2:
            raise fault("ValueError", f"dictionary update sequence element #{place} has length {len(row)}; 2 is required")
        pairs[hashable(row[0], meter)] = row[1]


def _update(meter: Meter, pairs: Pairs, /, *sources: Any, **named: Any) -> None:
    update(pairs, sources, named, meter)


DICT: dict[str, Entry] = {
    "clear": (clear, 0, 0, NONE),
    "copy": (copy, 0, 0, NONE),
    "get": (get, 1, 2, NONE),
    "items": (items, 0, 0, NONE),
    "keys": (keys, 0, 0, NONE),
    "pop": (pop, 1, 2, NONE),
    "popitem": (popitem, 0, 0, NONE),
    "setdefault": (setdefault, 1, 2, NONE),
    "update": (_update, 0, 1, frozenset({"*"})),
    "values": (values, 0, 0, NONE),
}


def make_set(source: Any, meter: Meter) -> ScriptSet:
    """``set(source)``."""
    if type(source) is ScriptSet:
        meter.room_dict(len(source.items))
        return ScriptSet(source.items)
    rows = iterate(source, meter)
    meter.room_dict(length(rows))
    for row in rows:
        hashable(row, meter)
    return ScriptSet(rows)


def set_add(meter: Meter, holder: ScriptSet, value: Any) -> None:
    """``holder.add``."""
    hashable(value, meter)
    if len(holder.items) >= 8_000_000:
        meter.room_dict(len(holder.items) + 1)
    holder.items[value] = None


def set_pop(meter: Meter, holder: ScriptSet) -> Any:
    """``holder.pop``: the last inserted (SCR-44)."""
    if not holder.items:
        raise KeyError("pop from an empty set")
    return holder.items.popitem()[0]


def _remove(meter: Meter, holder: ScriptSet, value: Any) -> None:
    del holder.items[hashable(value, meter)]


def _discard(meter: Meter, holder: ScriptSet, value: Any) -> None:
    holder.items.pop(hashable(value, meter), None)


def _copy(meter: Meter, holder: ScriptSet) -> ScriptSet:
    return make_set(holder, meter)


def _clear(meter: Meter, holder: ScriptSet) -> None:
    holder.items.clear()


def _apply(sign: str, left: ScriptSet, source: Any, meter: Meter) -> ScriptSet:
    right = make_set(source, meter)
    if sign == "-":
        result: ScriptSet = subtract(left, right, meter)
        return result
    return combine(sign, left, right, meter)


def _making(sign: str) -> Any:
    def run(meter: Meter, holder: ScriptSet, *sources: Any) -> ScriptSet:
        result = make_set(holder, meter)
        for source in sources:
            result = _apply(sign, result, source, meter)
        return result

    return run


def _changing(sign: str) -> Any:
    def run(meter: Meter, holder: ScriptSet, *sources: Any) -> None:
        for source in sources:
            holder.items = _apply(sign, holder, source, meter).items

    return run


def _asking(test: str) -> Any:
    def run(meter: Meter, holder: ScriptSet, source: Any) -> bool:
        other = make_set(source, meter)
        meter.charge(len(holder.items) + len(other.items))
        if test == "apart":
            weigh(holder.items, meter)
            return not any(key in other.items for key in holder.items)
        small, large = (holder, other) if test == "below" else (other, holder)
        weigh(small.items, meter)
        return all(key in large.items for key in small.items)

    return run


MANY = 1_000
SET: dict[str, Entry] = {
    "add": (set_add, 1, 1, NONE),
    "clear": (_clear, 0, 0, NONE),
    "copy": (_copy, 0, 0, NONE),
    "difference": (_making("-"), 0, MANY, NONE),
    "difference_update": (_changing("-"), 0, MANY, NONE),
    "discard": (_discard, 1, 1, NONE),
    "intersection": (_making("&"), 0, MANY, NONE),
    "intersection_update": (_changing("&"), 0, MANY, NONE),
    "isdisjoint": (_asking("apart"), 1, 1, NONE),
    "issubset": (_asking("below"), 1, 1, NONE),
    "issuperset": (_asking("above"), 1, 1, NONE),
    "pop": (set_pop, 0, 0, NONE),
    "remove": (_remove, 1, 1, NONE),
    "symmetric_difference": (_making("^"), 1, 1, NONE),
    "symmetric_difference_update": (_changing("^"), 1, 1, NONE),
    "union": (_making("|"), 0, MANY, NONE),
    "update": (_changing("|"), 0, MANY, NONE),
}
__all__ = ["DICT", "SET", "as_list", "make_set", "type_name", "update"]

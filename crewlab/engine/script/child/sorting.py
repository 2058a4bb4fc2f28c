"""Sorting: keys first, then natively where that is bounded, by a walk otherwise (SCR-51, SCR-56)."""

from __future__ import annotations

from .equality import order
from .kinds import Any, Callable
from .meter import Meter
from .values import NUMBERS

Key = Callable[[Any], Any]


def sorted_list(rows: list[Any], meter: Meter, key: Key | None = None, backwards: bool = False) -> list[Any]:
    """A new sorted list, stable like Python's."""
    keys = rows if key is None else [key(row) for row in rows]
    size = len(keys)
    if size < 2:
        return list(rows)
    rounds = (size - 1).bit_length()
    meter.charge(size * rounds // 20)
    meter.room_list(size, 16)
    if native(keys, meter, rounds):
        if key is None:
            return sorted(rows, reverse=backwards)
        places = sorted(range(size), key=keys.__getitem__, reverse=backwards)
        return [rows[place] for place in places]
    places = merge_sort(keys, meter, backwards)
    return [rows[place] for place in places]


def native(keys: list[Any], meter: Meter, rounds: int) -> bool:
    """Whether Python may compare these keys: all text, all numbers, or flat tuples of one length of those. Pays for long texts."""
    kinds = set(map(type, keys))
    if kinds <= NUMBERS:
        return True
    if kinds == {str}:
        meter.charge(sum(map(len, keys)) // 1000 * rounds)
        return True
    if kinds == {tuple}:
        meter.charge(len(keys) // 10)
        first = len(keys[0])
        if len(set(map(len, keys))) == 1 and first <= 20:
            columns = [[key[column] for key in keys] for column in range(first)]
            return all(_flat(column) and native(column, meter, rounds) for column in columns)
    return False


def _flat(column: list[Any]) -> bool:
    kinds = set(map(type, column))
    return kinds <= NUMBERS or kinds == {str}


def merge_sort(keys: list[Any], meter: Meter, backwards: bool) -> list[int]:
    """The places of ``keys`` in order, by comparisons that are walked. Backwards stays stable, as in Python."""
    places = list(range(len(keys)))
    if backwards:
        places.reverse()
    places = _merged(places, keys, meter)
    if backwards:
        places.reverse()
    return places


def _merged(places: list[int], keys: list[Any], meter: Meter) -> list[int]:
    if len(places) < 2:
        return places
    middle = len(places) // 2
    left = _merged(places[:middle], keys, meter)
    right = _merged(places[middle:], keys, meter)
    out: list[int] = []
    i = j = 0
    while i < len(left) and j < len(right):
        meter.charge(1)
        if order("<", keys[right[j]], keys[left[i]], meter):
            out.append(right[j])
            j += 1
        else:
            out.append(left[i])
            i += 1
    return [*out, *left[i:], *right[j:]]


def extreme(rows: list[Any], meter: Meter, sign: str, key: Key | None) -> Any:
    """The first smallest or largest of ``rows``, which are not empty."""
    keys = rows if key is None else [key(row) for row in rows]
    kinds = set(map(type, keys))
    meter.copied(len(keys))
    if kinds <= NUMBERS:
        return rows[keys.index(min(keys) if sign == "<" else max(keys))] if key else (min(rows) if sign == "<" else max(rows))
    best = 0
    for place in range(1, len(keys)):
        meter.charge(1)
        if order(sign, keys[place], keys[best], meter):
            best = place
    return rows[best]

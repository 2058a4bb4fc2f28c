"""Reading and writing places of containers: ``x[i]``, ``x[a:b]``, ``x[i] = v``."""

from __future__ import annotations

from .faults import Fault, fault
from .kinds import Any
from .meter import Meter, width
from .values import hashable, length, type_name


def get_item(holder: Any, index: Any, meter: Meter) -> Any:
    """``holder[index]``."""
    kind = type(holder)
    if kind is dict:
        return holder[hashable(index, meter)]
    if kind is list or kind is tuple or kind is str or kind is range:
        if type(index) is int or type(index) is bool:
            return holder[index]
        name = {str: "string"}.get(kind, kind.__name__)
        wanted = "integers" if kind is str else "integers or slices"
        got = f"'{type_name(index)}'" if kind is str else type_name(index)
        raise fault("TypeError", f"{name} indices must be {wanted}, not {got}")
    raise fault("TypeError", f"'{type_name(holder)}' object is not subscriptable")


def get_slice(holder: Any, lower: Any, upper: Any, step: Any, meter: Meter) -> Any:
    """``holder[lower:upper:step]``; the size is computed before the copy (SCR-52)."""
    kind = type(holder)
    for bound in (lower, upper, step):
        if bound is not None and type(bound) not in (int, bool):
            raise fault("TypeError", "slice indices must be integers or None or have an __index__ method")
    if kind is dict:
        raise fault("TypeError", "unhashable type: 'slice'")
    if kind not in (list, tuple, str, range):
        raise fault("TypeError", f"'{type_name(holder)}' object is not subscriptable")
    part = slice(lower, upper, step)
    if kind is range:
        return holder[part]
    size = len(range(*part.indices(len(holder))))
    if kind is str:
        meter.room_text(size, width(holder) if size > 1000 else 4)
    else:
        meter.room_list(size)
    return holder[part]


def set_item(holder: Any, index: Any, value: Any, meter: Meter) -> None:
    """``holder[index] = value``."""
    kind = type(holder)
    if kind is dict:
        hashable(index, meter)
        if len(holder) >= 8_000_000 and index not in holder:
            meter.room_dict(len(holder) + 1)
        holder[index] = value
        return
    if kind is not list:
        raise fault("TypeError", f"'{type_name(holder)}' object does not support item assignment")
    if type(index) not in (int, bool):
        raise fault("TypeError", f"list indices must be integers or slices, not {type_name(index)}")
    holder[index] = value


def unpack(value: Any, count: int, star: int, meter: Meter) -> list[Any]:
    """The parts of ``value`` for ``count`` targets; ``star``: the place of the starred one, -1 when there is none."""
    from .values import as_list, iterate

    try:
        source = iterate(value, meter)
    except Fault:
        raise fault("TypeError", f"cannot unpack non-iterable {type_name(value)} object") from None
    size = length(source)
    if star < 0:
        if size > count:
            raise fault("ValueError", f"too many values to unpack (expected {count})")
        if size < count:
            raise fault("ValueError", f"not enough values to unpack (expected {count}, got {size})")
        return list(source)
    if size < count - 1:
        raise fault("ValueError", f"not enough values to unpack (expected at least {count - 1}, got {size})")
    parts = as_list(source, meter)
    rest = size - (count - 1)
    return [*parts[:star], parts[star : star + rest], *parts[star + rest :]]

"""Making values of a type from other values: ``int``, ``str``, ``list`` … (SCR-40, SCR-238)."""

from __future__ import annotations

from .faults import fault
from .kinds import Any, Callable
from .limits import BOUND, MAX_NUMBER_TEXT
from .mappings import make_set, update
from .meter import Meter
from .operators import checked, truth
from .show import repr_of, text_of
from .values import NUMBERS, as_list, type_name
from .words import say


def to_text(meter: Meter, *args: Any) -> str:
    """``str``."""
    return text_of(args[0], meter) if args else ""


def to_int(meter: Meter, *args: Any) -> int:
    """``int``."""
    if not args:
        return 0
    value = args[0]
    if len(args) == 2:
        return checked(int(_number_text(value, "int"), _base(args[1])))  # type: ignore[no-any-return]
    if type(value) is str:
        return checked(int(_number_text(value, "int")))  # type: ignore[no-any-return]
    if type(value) not in NUMBERS:
        raise fault("TypeError", f"int() argument must be a string, a bytes-like object or a real number, not '{type_name(value)}'")
    return checked(int(value))  # type: ignore[no-any-return]


def _base(base: Any) -> int:
    if type(base) not in (int, bool):
        raise fault("TypeError", f"'{type_name(base)}' object cannot be interpreted as an integer")
    if base != 0 and not 2 <= base <= 36:
        raise fault("ValueError", "int() base must be >= 2 and <= 36, or 0")
    return int(base)


def _number_text(value: Any, name: str) -> str:
    if type(value) is not str:
        raise fault("TypeError", f"{name}() can't convert non-string with explicit base")
    if len(value) > MAX_NUMBER_TEXT:
        raise fault("ValueError", say("number_text", name=name, limit=MAX_NUMBER_TEXT))
    return value


def to_float(meter: Meter, *args: Any) -> float:
    """``float``."""
    if not args:
        return 0.0
    if type(args[0]) is str:
        return float(_number_text(args[0], "float"))
    if type(args[0]) not in NUMBERS:
        raise fault("TypeError", f"float() argument must be a string or a real number, not '{type_name(args[0])}'")
    return float(args[0])


def to_bool(meter: Meter, *args: Any) -> bool:
    """``bool``."""
    return truth(args[0]) if args else False


def to_list(meter: Meter, *args: Any) -> list[Any]:
    """``list``."""
    return as_list(args[0], meter) if args else []


def to_tuple(meter: Meter, *args: Any) -> tuple[Any, ...]:
    """``tuple``; a tuple stays the very same."""
    if args and type(args[0]) is tuple:
        return args[0]
    return tuple(as_list(args[0], meter)) if args else ()


def to_set(meter: Meter, *args: Any) -> Any:
    """``set``."""
    return make_set(args[0] if args else (), meter)


def to_dict(meter: Meter, /, *args: Any, **named: Any) -> dict[Any, Any]:
    """``dict``."""
    pairs: dict[Any, Any] = {}
    update(pairs, args, named, meter)
    return pairs


def to_range(meter: Meter, *args: Any) -> range:
    """``range``; its three numbers are kept, nothing is built."""
    for value in args:
        if type(value) not in (int, bool):
            raise fault("TypeError", f"'{type_name(value)}' object cannot be interpreted as an integer")
        if not -BOUND < value < BOUND:
            checked(value)
    return range(*map(int, args))


CONVERSIONS: dict[str, tuple[Callable[..., Any], int, int]] = {
    "str": (to_text, 0, 1), "int": (to_int, 0, 2), "float": (to_float, 0, 1), "bool": (to_bool, 0, 1), "list": (to_list, 0, 1),
    "dict": (to_dict, 0, 1), "set": (to_set, 0, 1), "tuple": (to_tuple, 0, 1), "range": (to_range, 1, 3),
}  # fmt: skip
__all__ = ["CONVERSIONS", "repr_of"]

"""Binary and unary operators where the quick path of a closure does not decide: each result measured before it is made."""

from __future__ import annotations

import _operator

from .faults import RAISED, Stop, fault
from .kinds import Any, Callable
from .limits import BOUND, MAX_BITS, SMALL
from .meter import Meter, width
from .values import NUMBERS, PLAIN, ScriptSet, element_bytes, type_name, weigh
from .words import say

Operator = Callable[[Any, Any, Meter], Any]


def checked(value: Any) -> Any:
    """The number, unless it is an integer of more than 256 bits (SCR-53)."""
    if type(value) is int and not -BOUND < value < BOUND:
        raise Stop("limit_int")
    return value


def _plain(sign: str, native: Callable[[Any, Any], Any]) -> Operator:
    def run(left: Any, right: Any, meter: Meter) -> Any:
        if type(left) in NUMBERS and type(right) in NUMBERS:
            return checked(native(left, right))
        raise unsupported(sign, left, right)

    return run


def unsupported(sign: str, left: Any, right: Any) -> Exception:
    """Python's own sentence for operands that do not fit."""
    return fault("TypeError", f"unsupported operand type(s) for {sign}: '{type_name(left)}' and '{type_name(right)}'")


def add(left: Any, right: Any, meter: Meter) -> Any:
    """``left + right``."""
    kind = type(left)
    if kind in NUMBERS and type(right) in NUMBERS:
        return checked(left + right)
    if kind is type(right) and kind in (str, list, tuple):
        size = len(left) + len(right)
        if kind is str:
            meter.room_text(size, width(left, right))
        else:
            meter.room_list(size)
        return left + right
    if kind is str:
        raise fault("TypeError", f'can only concatenate str (not "{type_name(right)}") to str')
    if kind is list or kind is tuple:
        raise fault("TypeError", f'can only concatenate {kind.__name__} (not "{type_name(right)}") to {kind.__name__}')
    raise unsupported("+", left, right)


def subtract(left: Any, right: Any, meter: Meter) -> Any:
    """``left - right``, also of sets."""
    if type(left) is ScriptSet and type(right) is ScriptSet:
        meter.charge(len(left.items))
        meter.room_dict(len(left.items))
        weigh(left.items, meter)
        return ScriptSet(key for key in left.items if key not in right.items)
    return _minus(left, right, meter)


_minus = _plain("-", _operator.sub)
divide = _plain("/", _operator.truediv)
floor_divide = _plain("//", _operator.floordiv)
_mod = _plain("%", _operator.mod)


def multiply(left: Any, right: Any, meter: Meter) -> Any:
    """``left * right``, also the repetition of text and sequences."""
    if type(left) in NUMBERS and type(right) in NUMBERS:
        return _product(left, right)
    if type(left) in (str, list, tuple) and type(right) in (int, bool):
        return _repeat(left, right, meter)
    if type(right) in (str, list, tuple) and type(left) in (int, bool):
        return _repeat(right, left, meter)
    for one, other in ((left, right), (right, left)):
        if type(one) in (str, list, tuple):
            raise fault("TypeError", f"can't multiply sequence by non-int of type '{type_name(other)}'")
    raise unsupported("*", left, right)


def _product(left: Any, right: Any) -> Any:
    if type(left) is float or type(right) is float or (-SMALL < left < SMALL and -SMALL < right < SMALL):
        return left * right
    if left and right and left.bit_length() + right.bit_length() - 1 > 2 * MAX_BITS:  # SCR-242
        raise Stop("limit_int")
    return checked(left * right)


def _repeat(sequence: Any, times: int, meter: Meter) -> Any:
    size = len(sequence) * max(times, 0)
    if type(sequence) is str:
        meter.room_text(size, width(sequence))
    else:
        meter.room_list(size)
    return sequence * (times if size else 0)


def modulo(left: Any, right: Any, meter: Meter) -> Any:
    """``left % right``; text on the left is refused (SCR-43)."""
    if type(left) is str:
        raise fault("TypeError", say("percent"))
    return _mod(left, right, meter)


def _bits(sign: str, native: Callable[[Any, Any], Any]) -> Operator:
    def run(left: Any, right: Any, meter: Meter) -> Any:
        if type(left) in (int, bool) and type(right) in (int, bool):
            return checked(native(left, right))
        if type(left) is ScriptSet and type(right) is ScriptSet:
            return combine(sign, left, right, meter)
        if type(left) is dict and type(right) is dict and sign == "|":
            meter.room_dict(len(left) + len(right))
            weigh(right, meter)
            return left | right
        raise unsupported(sign, left, right)

    return run


def combine(sign: str, left: ScriptSet, right: ScriptSet, meter: Meter) -> ScriptSet:
    """``|``, ``&`` and ``^`` of sets, in the order of insertion."""
    meter.charge(len(left.items) + len(right.items))
    meter.room_dict(len(left.items) + len(right.items))
    weigh(left.items, meter)
    weigh(right.items, meter)
    if sign == "|":
        return ScriptSet({**left.items, **right.items})
    if sign == "&":
        return ScriptSet(key for key in left.items if key in right.items)
    merged = [key for key in left.items if key not in right.items]
    merged += [key for key in right.items if key not in left.items]
    return ScriptSet(merged)


BINARY: dict[str, tuple[str, Operator]] = {
    "Add": ("+", add), "Sub": ("-", subtract), "Mult": ("*", multiply), "Div": ("/", divide), "FloorDiv": ("//", floor_divide),
    "Mod": ("%", modulo), "BitOr": ("|", _bits("|", _operator.or_)), "BitAnd": ("&", _bits("&", _operator.and_)),
    "BitXor": ("^", _bits("^", _operator.xor)),
}  # fmt: skip


def in_place(sign: str, run: Operator) -> Operator:
    """The operator of an augmented assignment: lists, sets and dicts are changed where they are."""

    def change(left: Any, right: Any, meter: Meter) -> Any:
        kind = type(left)
        if kind in PLAIN or kind is tuple:
            try:
                return run(left, right, meter)
            except RAISED as error:
                raise renamed(error, sign) from None
        if kind is list and sign == "+":
            from .sequences import extend

            extend(left, right, meter)
            return left
        if kind is list and sign == "*":
            left[:] = run(left, right, meter)
            return left
        if kind is dict and sign == "|":
            from .mappings import update

            update(left, [right], {}, meter)
            return left
        result = run(left, right, meter)
        if kind is ScriptSet:
            left.items = result.items
            return left
        return result

    return change


def renamed(error: Exception, sign: str) -> Exception:
    """Python names the operator of an augmented assignment with its ``=``."""
    values = getattr(error, "values", ())
    if values and type(values[0]) is str and values[0].startswith(f"unsupported operand type(s) for {sign}:"):
        return fault("TypeError", values[0].replace(f"for {sign}:", f"for {sign}=:", 1))
    return error


def negative(value: Any) -> Any:
    """``-value``."""
    if type(value) not in NUMBERS:
        raise fault("TypeError", f"bad operand type for unary -: '{type_name(value)}'")
    return checked(-value)


def positive(value: Any) -> Any:
    """``+value``."""
    if type(value) not in NUMBERS:
        raise fault("TypeError", f"bad operand type for unary +: '{type_name(value)}'")
    return +value


def truth(value: Any) -> bool:
    """``bool(value)``: every value of the language knows it."""
    return bool(value)


__all__ = ["BINARY", "add", "checked", "element_bytes", "in_place", "multiply", "negative", "positive", "truth"]

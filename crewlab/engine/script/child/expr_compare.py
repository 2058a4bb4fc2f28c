"""Closures of comparisons, with quick paths for whole numbers and short texts."""

from __future__ import annotations

import _ast
import _operator

from .compiler import EXPRESSIONS, Compiler
from .equality import ORDERS, contains, equal, order
from .faults import RAISED, located
from .kinds import Any, Callable
from .limits import QUICK_SEARCH, SHORT
from .scopes import Scope
from .values import Frame, Run

SIGNS = {"Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">="}
Comparison = Callable[[Any, Any, Any], bool]


def _unequal(left: Any, right: Any, meter: Any) -> bool:
    return not equal(left, right, meter)


def _missing(left: Any, right: Any, meter: Any) -> bool:
    return not contains(left, right, meter)


def _order(sign: str) -> Comparison:
    return lambda left, right, meter: order(sign, left, right, meter)


COMPARISONS: dict[str, Comparison] = {
    "Eq": equal, "NotEq": _unequal, "In": contains, "NotIn": _missing, **{name: _order(sign) for name, sign in SIGNS.items()},
    "Is": lambda left, right, meter: left is right, "IsNot": lambda left, right, meter: left is not right,
}  # fmt: skip
QUICK: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": _operator.eq, "NotEq": _operator.ne, **{name: ORDERS[sign] for name, sign in SIGNS.items()},
}  # fmt: skip


def _compare(compiler: Compiler, node: _ast.Compare, scope: Scope) -> Run:
    if len(node.ops) > 1:
        return _chain(compiler, node, scope)
    name = type(node.ops[0]).__name__
    other = node.comparators[0]
    left, right = compiler.expr(node.left, scope), compiler.expr(other, scope)
    shared = (left, right, COMPARISONS[name], compiler.meter, node.lineno)
    if name in QUICK:
        place = compiler.local_place(node.left, scope)
        if place and name in ("Lt", "Gt") and isinstance(other, _ast.Constant) and type(other.value) is int:
            return (_less_constant if name == "Lt" else _more_constant)(place, other.value, *shared)
        return _quick(QUICK[name], name in SIGNS, *shared)
    if name in ("In", "NotIn"):
        if isinstance(node.left, _ast.Constant) and type(node.left.value) is str and 0 < len(node.left.value) < SHORT:
            return _constant_in(node.left.value, name == "In", compiler.local_place(other, scope), *shared)
        return _membership(name == "In", *shared)
    return _slow(*shared)


def _less_constant(place: int, number: int, left: Run, right: Run, slow: Comparison, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> Any:
        a = frame[place]
        if type(a) is int:
            return a < number
        a = left(frame)
        try:
            return slow(a, number, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _more_constant(place: int, number: int, left: Run, right: Run, slow: Comparison, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> Any:
        a = frame[place]
        if type(a) is int:
            return a > number
        a = left(frame)
        try:
            return slow(a, number, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _quick(native: Callable[[Any, Any], Any], ordered: bool, left: Run, right: Run, slow: Comparison, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> Any:
        a = left(frame)
        b = right(frame)
        kind = type(a)
        if kind is type(b) and (kind is int or (kind is str and len(a) < 1000)):
            return native(a, b)
        try:
            return slow(a, b, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _membership(wanted: bool, left: Run, right: Run, slow: Comparison, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> bool:
        a = left(frame)
        b = right(frame)
        kind = type(b)
        if type(a) is str and len(a) < 1000 and (kind is dict or (kind is str and len(a) * len(b) < QUICK_SEARCH)):
            return (a in b) is wanted
        try:
            return slow(a, b, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _constant_in(text: str, wanted: bool, place: int, left: Run, right: Run, slow: Comparison, meter: Any, line: int) -> Run:
    most = QUICK_SEARCH // len(text)

    def run(frame: Frame) -> bool:
        holder = frame[place] if place else right(frame)
        kind = type(holder)
        if (kind is str and len(holder) < most) or kind is dict:
            return (text in holder) is wanted
        if place:
            holder = right(frame)
        try:
            return slow(text, holder, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _slow(left: Run, right: Run, slow: Comparison, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> bool:
        a = left(frame)
        b = right(frame)
        try:
            return slow(a, b, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _chain(compiler: Compiler, node: _ast.Compare, scope: Scope) -> Run:
    first = compiler.expr(node.left, scope)
    rest = [compiler.expr(node.comparators[0], scope), *(compiler.paid(one, scope) for one in node.comparators[1:])]
    steps = list(zip((COMPARISONS[type(sign).__name__] for sign in node.ops), rest, strict=True))
    meter, line = compiler.meter, node.lineno

    def run(frame: Frame) -> bool:
        left = first(frame)
        for compare, other in steps:
            right = other(frame)
            try:
                if not compare(left, right, meter):
                    return False
            except RAISED as error:
                raise located(error, line) from None
            left = right
        return True

    return run


EXPRESSIONS["Compare"] = _compare

"""Closures of arithmetic, with quick paths for whole numbers in names and constants."""

from __future__ import annotations

import _ast
import _operator

from .compiler import EXPRESSIONS, Compiler
from .faults import RAISED, located
from .kinds import Any, Callable
from .limits import BOUND
from .operators import BINARY, Operator
from .scopes import Scope
from .values import Frame, Run

NATIVE: dict[str, Callable[[Any, Any], Any]] = {
    "Add": _operator.add, "Sub": _operator.sub, "Mult": _operator.mul, "FloorDiv": _operator.floordiv, "Mod": _operator.mod,
    "BitOr": _operator.or_, "BitAnd": _operator.and_, "BitXor": _operator.xor, "Div": _operator.truediv,
}  # fmt: skip
LOWEST = -BOUND


def _binary(compiler: Compiler, node: _ast.BinOp, scope: Scope) -> Run:
    name = type(node.op).__name__
    slow = BINARY[name][1]
    left, right = compiler.expr(node.left, scope), compiler.expr(node.right, scope)
    place = compiler.local_place(node.left, scope)
    number = node.right.value if isinstance(node.right, _ast.Constant) else None
    shared = (left, right, slow, compiler.meter, node.lineno)
    if place and type(number) is int and name in CONSTANT and number:
        return CONSTANT[name](place, number, *shared)
    if name == "Add":
        return _add(*shared)
    if name == "Sub":
        return _subtract(*shared)
    return _general(NATIVE[name], *shared)


def _add_constant(place: int, number: int, left: Run, right: Run, slow: Operator, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> Any:
        a = frame[place]
        if type(a) is int:
            c = a + number
            if LOWEST < c < BOUND:
                return c
        try:
            return slow(left(frame), number, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _subtract_constant(place: int, number: int, left: Run, right: Run, slow: Operator, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> Any:
        a = frame[place]
        if type(a) is int:
            c = a - number
            if LOWEST < c < BOUND:
                return c
        try:
            return slow(left(frame), number, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _modulo_constant(place: int, number: int, left: Run, right: Run, slow: Operator, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> Any:
        a = frame[place]
        if type(a) is int:
            return a % number
        try:
            return slow(left(frame), number, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _multiply_constant(place: int, number: int, left: Run, right: Run, slow: Operator, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> Any:
        a = frame[place]
        if type(a) is int:
            c = a * number  # both at most 256 bits, so at most 512 (SCR-242)
            if LOWEST < c < BOUND:
                return c
        try:
            return slow(left(frame), number, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


CONSTANT: dict[str, Callable[..., Run]] = {
    "Add": _add_constant,
    "Sub": _subtract_constant,
    "Mod": _modulo_constant,
    "Mult": _multiply_constant,
}


def _add(left: Run, right: Run, slow: Operator, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> Any:
        a = left(frame)
        b = right(frame)
        if type(a) is int and type(b) is int:
            c = a + b
            if LOWEST < c < BOUND:
                return c
        try:
            return slow(a, b, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _subtract(left: Run, right: Run, slow: Operator, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> Any:
        a = left(frame)
        b = right(frame)
        if type(a) is int and type(b) is int:
            c = a - b
            if LOWEST < c < BOUND:
                return c
        try:
            return slow(a, b, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _general(native: Callable[[Any, Any], Any], left: Run, right: Run, slow: Operator, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> Any:
        a = left(frame)
        b = right(frame)
        try:
            if type(a) is int and type(b) is int:
                c = native(a, b)
                if type(c) is float or LOWEST < c < BOUND:
                    return c
            return slow(a, b, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


EXPRESSIONS["BinOp"] = _binary

"""Closures of items and slices."""

from __future__ import annotations

import _ast

from .compiler import EXPRESSIONS, Compiler
from .faults import RAISED, located
from .items import get_item, get_slice
from .kinds import Any
from .limits import TEXT_PER_STEP
from .scopes import Scope
from .values import Frame, Run


def _subscript(compiler: Compiler, node: _ast.Subscript, scope: Scope) -> Run:
    holder = compiler.expr(node.value, scope)
    if isinstance(node.slice, _ast.Slice):
        return _slice(compiler, holder, node, scope)
    if isinstance(node.slice, _ast.Constant) and type(node.slice.value) is str and len(node.slice.value) < TEXT_PER_STEP:
        return _item_named(holder, compiler.local_place(node.value, scope), node.slice.value, compiler.meter, node.lineno)
    return _item(holder, compiler.expr(node.slice, scope), compiler.meter, node.lineno)


def _item_named(holder: Run, place: int, name: str, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> Any:
        where = frame[place] if place else holder(frame)
        if type(where) is not dict and place:
            where = holder(frame)
        try:
            if type(where) is dict:
                return where[name]
            return get_item(where, name, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _item(holder: Run, index: Run, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> Any:
        where = holder(frame)
        at = index(frame)
        try:
            if type(where) is dict and type(at) is str and len(at) < 1000:
                return where[at]
            if type(where) is list and type(at) is int:
                return where[at]
            return get_item(where, at, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _slice(compiler: Compiler, holder: Run, node: _ast.Subscript, scope: Scope) -> Run:
    meter, line = compiler.meter, node.lineno
    part = node.slice
    assert isinstance(part, _ast.Slice)
    bounds = [None if bound is None else compiler.expr(bound, scope) for bound in (part.lower, part.upper, part.step)]

    def run(frame: Frame) -> Any:
        where = holder(frame)
        lower, upper, step = [None if bound is None else bound(frame) for bound in bounds]
        try:
            return get_slice(where, lower, upper, step, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


EXPRESSIONS["Subscript"] = _subscript

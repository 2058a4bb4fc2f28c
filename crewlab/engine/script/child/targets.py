"""Closures that store a value in a target: a name, a place of a container, or several of these (the table of statements)."""

from __future__ import annotations

import _ast

from .compiler import Compiler
from .faults import RAISED, located
from .items import set_item, unpack
from .kinds import Any, Callable
from .scopes import Scope
from .values import Frame

Store = Callable[[Frame, Any], None]


def store(compiler: Compiler, target: Any, scope: Scope) -> Store:
    """The closure that puts a value into ``target``."""
    if isinstance(target, _ast.Name):
        return _name(scope, target.id)
    if isinstance(target, _ast.Subscript):
        return _place(compiler, target, scope)
    return _several(compiler, target, scope)


def _name(scope: Scope, name: str) -> Store:
    place = scope.names[name]

    def run(frame: Frame, value: Any) -> None:
        frame[place] = value

    return run


def _place(compiler: Compiler, target: _ast.Subscript, scope: Scope) -> Store:
    holder, index = compiler.expr(target.value, scope), compiler.expr(target.slice, scope)
    meter, line = compiler.meter, target.lineno

    def run(frame: Frame, value: Any) -> None:
        where = holder(frame)
        at = index(frame)
        try:
            set_item(where, at, value, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _several(compiler: Compiler, target: Any, scope: Scope) -> Store:
    star = next((place for place, part in enumerate(target.elts) if isinstance(part, _ast.Starred)), -1)
    parts = [store(compiler, part.value if isinstance(part, _ast.Starred) else part, scope) for part in target.elts]
    meter, line, count = compiler.meter, target.lineno, len(target.elts)

    def run(frame: Frame, value: Any) -> None:
        kind = type(value)
        if star < 0 and (kind is tuple or kind is list) and len(value) == count:
            found = value if kind is tuple else tuple(value)
        else:
            try:
                found = unpack(value, count, star, meter)
            except RAISED as error:
                raise located(error, line) from None
        for part, one in zip(parts, found, strict=True):
            part(frame, one)

    return run

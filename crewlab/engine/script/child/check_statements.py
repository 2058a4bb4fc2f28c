"""Statements: targets, loops, handlers, ``raise`` and what CPython's compiler rejects (SCR-28, SCR-34, SCR-243)."""

from __future__ import annotations

import _ast

from . import allowed, check_names
from .kinds import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from .check import Checker, Place


def _targets(checker: Checker, target: Any) -> None:
    if isinstance(target, _ast.Starred):
        checker.refuse(target, "bare_star")
        return
    _target(checker, target)


def _target(checker: Checker, target: Any) -> None:
    if isinstance(target, (_ast.Tuple, _ast.List)):
        stars = [part for part in target.elts if isinstance(part, _ast.Starred)]
        if len(stars) > 1:
            checker.refuse(stars[1], "two_stars")
        for part in target.elts:
            _target(checker, part.value if isinstance(part, _ast.Starred) else part)


def _assign(checker: Checker, node: _ast.Assign, place: Place) -> None:
    for target in node.targets:
        _targets(checker, target)
    _bare_star(checker, node.value)


def _bare_star(checker: Checker, value: Any) -> None:
    if isinstance(value, _ast.Starred):
        checker.refuse(value, "bare_star")


def _ann_assign(checker: Checker, node: _ast.AnnAssign, place: Place) -> None:
    if not isinstance(node.target, _ast.Name) or not node.simple:
        checker.refuse(node, "annotation")
    _bare_star(checker, node.value)


def _comprehension(checker: Checker, node: _ast.comprehension, place: Place) -> None:
    _targets(checker, node.target)


def _augmented(checker: Checker, node: _ast.AugAssign, place: Place) -> None:
    _bare_star(checker, node.value)


def _for(checker: Checker, node: _ast.For, place: Place) -> None:
    _targets(checker, node.target)
    _bare_star(checker, node.iter)


def _loop_exit(checker: Checker, node: Any, place: Place) -> None:
    what = type(node).__name__.lower()
    if not place.loop:
        checker.refuse(node, "outside_loop", what=what)
    elif place.final and not place.final_loop:
        checker.refuse(node, "leaves_finally", what=what)


def _return(checker: Checker, node: _ast.Return, place: Place) -> None:
    if not place.function:
        checker.refuse(node, "outside_function")
    elif place.final:
        checker.refuse(node, "leaves_finally", what="return")
    _bare_star(checker, node.value)


def _function(checker: Checker, node: _ast.FunctionDef, place: Place) -> None:
    check_names.bind(checker, node, node.name)
    if node.decorator_list:
        checker.refuse(node.decorator_list[0], "decorator")
    if getattr(node, "type_params", None):
        checker.refuse(node, "type_alias", what="type parameters")


def _try(checker: Checker, node: _ast.Try, place: Place) -> None:
    for handler in node.handlers[:-1]:
        if handler.type is None:
            checker.refuse(handler, "bare_except")


def _handler(checker: Checker, node: _ast.ExceptHandler, place: Place) -> None:
    if node.name:
        check_names.bind(checker, node, node.name)
    if node.type is None:
        return
    for part in node.type.elts if isinstance(node.type, _ast.Tuple) else [node.type]:
        if isinstance(part, _ast.Name) and part.id in allowed.ERROR_NAMES:
            if part.id in checker.bound:
                checker.refuse(part, "error_shadowed", name=part.id)
            check_names.spoken_for(checker).add(id(part))
        elif not isinstance(part, _ast.Attribute):
            checker.refuse(part, "except_type")


def _raise(checker: Checker, node: _ast.Raise, place: Place) -> None:
    value = node.exc
    if value is None:
        if not place.handler:
            checker.refuse(node, "bare_raise")
        return
    call = value.func if isinstance(value, _ast.Call) else value
    if not isinstance(call, _ast.Name):
        checker.refuse(node, "raise_form")
    elif call.id in allowed.ERROR_NAMES and call.id not in checker.bound:
        check_names.spoken_for(checker).add(id(call))
        plain = not isinstance(value, _ast.Call) or (len(value.args) <= 1 and not value.keywords)
        if not plain or (isinstance(value, _ast.Call) and any(isinstance(arg, _ast.Starred) for arg in value.args)):
            checker.refuse(node, "raise_form")
    elif isinstance(value, _ast.Call):
        checker.refuse(node, "raise_form")


def _import(checker: Checker, node: _ast.Import, place: Place) -> None:
    if [(one.name, one.asname) for one in node.names] != [("json", None)]:
        checker.refuse(node, "import", what="import")


def _starred(checker: Checker, node: _ast.Expr, place: Place) -> None:
    _bare_star(checker, node.value)


CHECKS: dict[str, Callable[[Any, Any, Any], None]] = {
    "Assign": _assign,
    "AnnAssign": _ann_assign,
    "AugAssign": _augmented,
    "comprehension": _comprehension,
    "For": _for,
    "Break": _loop_exit,
    "Continue": _loop_exit,
    "Return": _return,
    "FunctionDef": _function,
    "Try": _try,
    "ExceptHandler": _handler,
    "Raise": _raise,
    "Import": _import,
    "Expr": _starred,
    "Name": check_names.check_name,
    "Call": check_names.check_call,
    "Attribute": check_names.check_attribute,
    "arguments": check_names.check_arguments,
}

"""Closures of constants, displays, f-strings, slices and the like."""

from __future__ import annotations

import _ast

from .compiler import EXPRESSIONS, Compiler, Make
from .faults import RAISED, Stop, fault, located
from .formats import formatted
from .kinds import Any
from .limits import MAX_VALUE
from .mappings import update
from .operators import negative, positive
from .scopes import Scope
from .show import repr_of, text_of
from .values import Frame, Run, ScriptSet, as_list, hashable, type_name


def _constant(compiler: Compiler, node: _ast.Constant, scope: Scope) -> Run:
    value = node.value
    return lambda frame: value


def _name(compiler: Compiler, node: _ast.Name, scope: Scope) -> Run:
    return compiler.load(node.id, scope, node.lineno)


def elements(compiler: Compiler, nodes: list[Any], scope: Scope) -> Run:
    """The closure that gives a new list of the values of ``nodes``, ``*`` parts spread out."""
    if any(isinstance(node, _ast.Starred) for node in nodes):
        return _spread(compiler, nodes, scope)
    runs = [compiler.expr(node, scope) for node in nodes]
    if not runs:
        return lambda frame: []
    if len(runs) == 1:
        (one,) = runs
        return lambda frame: [one(frame)]
    if len(runs) == 2:
        first, second = runs
        return lambda frame: [first(frame), second(frame)]
    return lambda frame: [run(frame) for run in runs]


def _spread(compiler: Compiler, nodes: list[Any], scope: Scope) -> Run:
    meter = compiler.meter
    parts = [
        (isinstance(node, _ast.Starred), compiler.expr(node.value if isinstance(node, _ast.Starred) else node, scope), node.lineno)
        for node in nodes
    ]

    def run(frame: Frame) -> list[Any]:
        found: list[Any] = []
        for star, part, line in parts:
            value = part(frame)
            if star:
                try:
                    value = as_list(value, meter)
                    if len(found) + len(value) > MAX_VALUE:
                        raise Stop("limit_value")
                except RAISED as error:
                    raise located(error, line) from None
                found += value
            else:
                found.append(value)
        return found

    return run


def _list(compiler: Compiler, node: _ast.List, scope: Scope) -> Run:
    return elements(compiler, node.elts, scope)


def _tuple(compiler: Compiler, node: _ast.Tuple, scope: Scope) -> Run:
    if len(node.elts) == 2 and not any(isinstance(part, _ast.Starred) for part in node.elts):
        first, second = (compiler.expr(part, scope) for part in node.elts)
        return lambda frame: (first(frame), second(frame))
    run = elements(compiler, node.elts, scope)
    return lambda frame: tuple(run(frame))


def _set(compiler: Compiler, node: _ast.Set, scope: Scope) -> Run:
    meter, line = compiler.meter, node.lineno
    run = elements(compiler, node.elts, scope)

    def make(frame: Frame) -> ScriptSet:
        rows = run(frame)
        try:
            meter.hashed(len(rows))
            return ScriptSet([hashable(row, meter) for row in rows])
        except RAISED as error:
            raise located(error, line) from None

    return make


def _dict(compiler: Compiler, node: _ast.Dict, scope: Scope) -> Run:
    meter, line = compiler.meter, node.lineno
    if all(isinstance(key, _ast.Constant) and type(key.value) is str for key in node.keys):
        return _plain_dict([(key.value, compiler.expr(value, scope)) for key, value in zip(node.keys, node.values, strict=True)])  # type: ignore[union-attr]
    pairs = [
        (None if key is None else compiler.expr(key, scope), compiler.expr(value, scope))
        for key, value in zip(node.keys, node.values, strict=True)
    ]

    def run(frame: Frame) -> dict[Any, Any]:
        made: dict[Any, Any] = {}
        for key, value in pairs:
            if key is None:
                more = value(frame)
                try:
                    if type(more) is not dict:
                        raise fault("TypeError", f"'{type_name(more)}' object is not a mapping")
                    update(made, [more], {}, meter)
                except RAISED as error:
                    raise located(error, line) from None
            else:
                name = key(frame)
                content = value(frame)
                try:
                    made[hashable(name, meter)] = content
                except RAISED as error:
                    raise located(error, line) from None
        return made

    return run


def _plain_dict(pairs: list[tuple[str, Run]]) -> Run:
    return lambda frame: {key: run(frame) for key, run in pairs}


def _joined(compiler: Compiler, node: _ast.JoinedStr, scope: Scope) -> Run:
    meter, line = compiler.meter, node.lineno
    parts = [compiler.expr(part, scope) for part in node.values]

    def run(frame: Frame) -> str:
        made = [part(frame) for part in parts]
        size = sum(map(len, made))
        if size >= 1000:
            try:
                meter.room_text(size)
            except RAISED as error:
                raise located(error, line) from None
        return "".join(made)

    return run


def _formatted(compiler: Compiler, node: _ast.FormattedValue, scope: Scope) -> Run:
    meter, line = compiler.meter, node.lineno
    value = compiler.expr(node.value, scope)
    spec = None if node.format_spec is None else compiler.expr(node.format_spec, scope)
    convert = {ord("r"): repr_of, ord("s"): text_of}.get(node.conversion)

    def run(frame: Frame) -> str:
        content = value(frame)
        if spec is None and convert is None and type(content) is str:
            return content
        try:
            if convert is not None:
                content = convert(content, meter)
            return formatted(content, "" if spec is None else spec(frame), meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _unary(compiler: Compiler, node: _ast.UnaryOp, scope: Scope) -> Run:
    value, line = compiler.expr(node.operand, scope), node.lineno
    if isinstance(node.op, _ast.Not):
        return lambda frame: not value(frame)
    change = negative if isinstance(node.op, _ast.USub) else positive

    def run(frame: Frame) -> Any:
        content = value(frame)
        try:
            return change(content)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _if(compiler: Compiler, node: _ast.IfExp, scope: Scope) -> Run:
    test, then, other = compiler.expr(node.test, scope), compiler.paid(node.body, scope), compiler.paid(node.orelse, scope)
    return lambda frame: then(frame) if test(frame) else other(frame)


def _bool(compiler: Compiler, node: _ast.BoolOp, scope: Scope) -> Run:
    runs = [compiler.expr(node.values[0], scope), *(compiler.paid(value, scope) for value in node.values[1:])]
    wanted = isinstance(node.op, _ast.Or)
    if len(runs) == 2:
        first, second = runs
        if wanted:
            return lambda frame: first(frame) or second(frame)
        return lambda frame: first(frame) and second(frame)

    def run(frame: Frame) -> Any:
        value: Any = None
        for one in runs:
            value = one(frame)
            if bool(value) is wanted:
                break
        return value

    return run


MAKERS: dict[str, Make] = {
    "Constant": _constant, "Name": _name, "List": _list, "Tuple": _tuple, "Set": _set, "Dict": _dict, "JoinedStr": _joined,
    "FormattedValue": _formatted, "UnaryOp": _unary, "IfExp": _if, "BoolOp": _bool,
}  # fmt: skip
EXPRESSIONS.update(MAKERS)

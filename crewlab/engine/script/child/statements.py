"""Closures of the simple statements."""

from __future__ import annotations

import _ast

from .blocks import STATEMENTS, Statement
from .compiler import Compiler
from .costs import cost_of, target_cost
from .faults import CLASSES as ERROR_CLASSES
from .faults import RAISED, Fault, fault, located
from .functions import make_function
from .items import get_item, set_item
from .kinds import Any, Callable
from .limits import BOUND
from .operators import BINARY, Operator, in_place
from .scopes import Scope
from .targets import store
from .values import BREAK, CONTINUE, NORMAL, Frame, Run

LOWEST = -BOUND


def _nothing(frame: Frame) -> Any:
    return NORMAL


def _pass(compiler: Compiler, node: Any, scope: Scope) -> Statement:
    return Statement(_nothing, 1, node.lineno)


def _expr(compiler: Compiler, node: _ast.Expr, scope: Scope) -> Statement:
    return Statement(compiler.expr(node.value, scope), 1 + cost_of(node.value), node.lineno)


def _assign(compiler: Compiler, node: _ast.Assign, scope: Scope) -> Statement:
    value = compiler.expr(node.value, scope)
    cost = 1 + cost_of(node.value) + sum(map(target_cost, node.targets))
    if len(node.targets) == 1 and isinstance(node.targets[0], _ast.Name):
        return Statement(_to_name(scope.names[node.targets[0].id], value), cost, node.lineno)
    stores = [store(compiler, target, scope) for target in node.targets]

    def run(frame: Frame) -> None:
        content = value(frame)
        for put in stores:
            put(frame, content)

    return Statement(run, cost, node.lineno)


def _to_name(place: int, value: Run) -> Run:
    def run(frame: Frame) -> None:
        frame[place] = value(frame)

    return run


def _annotated(compiler: Compiler, node: _ast.AnnAssign, scope: Scope) -> Statement:
    if node.value is None:
        return Statement(_nothing, 1, node.lineno)
    assert isinstance(node.target, _ast.Name)
    return Statement(_to_name(scope.names[node.target.id], compiler.expr(node.value, scope)), 1 + cost_of(node.value), node.lineno)


def _augmented(compiler: Compiler, node: _ast.AugAssign, scope: Scope) -> Statement:
    name = type(node.op).__name__
    sign, operator = BINARY[name]
    slow = in_place(sign, operator)
    value = compiler.expr(node.value, scope)
    cost = 2 + cost_of(node.value) + target_cost(node.target)
    if isinstance(node.target, _ast.Name):
        load = compiler.load(node.target.id, scope, node.target.lineno)
        make = {"Add": _add_to_name, "Sub": _subtract_from_name}.get(name, _change_name)
        return Statement(make(scope.names[node.target.id], load, value, slow, compiler.meter, node.lineno), cost, node.lineno)
    assert isinstance(node.target, _ast.Subscript)
    holder, index = compiler.expr(node.target.value, scope), compiler.expr(node.target.slice, scope)
    return Statement(_change_item(holder, index, value, slow, compiler.meter, node.lineno), cost, node.lineno)


def _add_to_name(place: int, load: Run, value: Run, slow: Operator, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> None:
        before = frame[place]
        if type(before) is not int:
            before = load(frame)
        more = value(frame)
        if type(before) is int and type(more) is int:
            after = before + more
            if LOWEST < after < BOUND:
                frame[place] = after
                return
        try:
            frame[place] = slow(before, more, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _subtract_from_name(place: int, load: Run, value: Run, slow: Operator, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> None:
        before = frame[place]
        if type(before) is not int:
            before = load(frame)
        less = value(frame)
        if type(before) is int and type(less) is int:
            after = before - less
            if LOWEST < after < BOUND:
                frame[place] = after
                return
        try:
            frame[place] = slow(before, less, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _change_name(place: int, load: Run, value: Run, slow: Operator, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> None:
        before = load(frame)
        other = value(frame)
        try:
            frame[place] = slow(before, other, meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _change_item(holder: Run, index: Run, value: Run, slow: Operator, meter: Any, line: int) -> Run:
    def run(frame: Frame) -> None:
        where = holder(frame)
        at = index(frame)
        try:
            before = get_item(where, at, meter)
        except RAISED as error:
            raise located(error, line) from None
        other = value(frame)
        try:
            set_item(where, at, slow(before, other, meter), meter)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _function(compiler: Compiler, node: _ast.FunctionDef, scope: Scope) -> Statement:
    cost = 1 + sum(cost_of(one) for one in [*node.args.defaults, *node.args.kw_defaults])
    make = make_function(compiler, node.name, node.args, node.body, scope, node.lineno)
    return Statement(_to_name(scope.names[node.name], make), cost, node.lineno)


def _return(compiler: Compiler, node: _ast.Return, scope: Scope) -> Statement:
    if node.value is None:
        return Statement(lambda frame: None, 1, node.lineno, leaves=True)
    return Statement(compiler.expr(node.value, scope), 1 + cost_of(node.value), node.lineno, leaves=True)


def _leave(mark: Any) -> Callable[[Compiler, Any, Scope], Statement]:
    return lambda compiler, node, scope: Statement(lambda frame: mark, 1, node.lineno, leaves=True)


def _assert(compiler: Compiler, node: _ast.Assert, scope: Scope) -> Statement:
    test = compiler.expr(node.test, scope)
    message = None if node.msg is None else compiler.paid(node.msg, scope)
    line = node.test.lineno

    def run(frame: Frame) -> None:
        if not test(frame):
            raise Fault("AssertionError", () if message is None else (message(frame),), line)

    return Statement(run, 1 + cost_of(node.test), node.lineno)


def _raise(compiler: Compiler, node: _ast.Raise, scope: Scope) -> Statement:
    value, line = node.exc, node.lineno
    if value is None:
        return Statement(_again(scope.handlers[-1]), 1, line)
    call = value.func if isinstance(value, _ast.Call) else value
    assert isinstance(call, _ast.Name)
    if scope.find(call.id) is None and call.id in ERROR_CLASSES:
        args = [compiler.expr(arg, scope) for arg in value.args] if isinstance(value, _ast.Call) else []
        return Statement(_new(call.id, args, line), 1 + cost_of(value), line)
    return Statement(_given(compiler.expr(value, scope), line), 1 + cost_of(value), line)


def _again(place: int) -> Run:
    def run(frame: Frame) -> Any:
        raise frame[place]

    return run


def _new(name: str, args: list[Run], line: int) -> Run:
    def run(frame: Frame) -> Any:
        raise Fault(name, tuple([arg(frame) for arg in args]), line)

    return run


def _given(value: Run, line: int) -> Run:
    def run(frame: Frame) -> Any:
        error = value(frame)
        if type(error) is not Fault:
            raise located(fault("TypeError", "exceptions must derive from BaseException"), line)
        raise error

    return run


STATEMENTS.update(
    {
        "Pass": _pass, "Import": _pass, "Expr": _expr, "Assign": _assign, "AnnAssign": _annotated, "AugAssign": _augmented,
        "FunctionDef": _function, "Return": _return, "Break": _leave(BREAK), "Continue": _leave(CONTINUE), "Assert": _assert,
        "Raise": _raise,
    }
)  # fmt: skip

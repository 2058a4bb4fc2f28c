"""Closures of comprehensions and lambdas. A generator expression is built as a list."""

from __future__ import annotations

import _ast

from .compiler import EXPRESSIONS, Compiler
from .costs import cost_of
from .faults import RAISED, Stop, located
from .functions import make_function
from .kinds import Any, Callable
from .limits import MAX_VALUE
from .scopes import Scope, assigned, holds_function
from .targets import Store, store
from .values import UNBOUND, Frame, Run, ScriptSet, hashable, iterate

Add = Callable[[Frame, Any], None]


class _Parts:
    """What a comprehension needs: its own scope, one loop for each ``for``, and the places to empty before it starts."""

    def __init__(self, compiler: Compiler, node: Any, scope: Scope) -> None:
        names = assigned([one.target for one in node.generators])
        inline = not holds_function(node)
        self.scope = Scope(scope, names, inline=inline)
        self.inline = inline
        self.places = list(self.scope.names.values())
        self.first = compiler.expr(node.generators[0].iter, scope)
        self.line = node.generators[0].iter.lineno

    def frame(self, frame: Frame) -> Frame:
        """The frame the names lie in, without values."""
        if self.inline:
            for place in self.places:
                frame[place] = UNBOUND
            return frame
        return [frame, frame[1], *[UNBOUND] * (self.scope.frames.size - 2)]


def _comprehension(compiler: Compiler, node: Any, scope: Scope, values: list[Any], start: Callable[[], Any], put: Any) -> Run:
    parts = _Parts(compiler, node, scope)
    meter = compiler.meter
    runs = [compiler.expr(value, parts.scope) for value in values]
    cost = 1 + sum(map(cost_of, values))
    inner = put(runs, cost, compiler, node.lineno)
    for level in range(len(node.generators) - 1, -1, -1):
        inner = _loop(compiler, node.generators[level], parts, inner, level, cost)
    walk = inner
    first, line = parts.first, parts.line

    def run(frame: Frame) -> Any:
        source = first(frame)
        try:
            rows = iterate(source, meter)
        except RAISED as error:
            raise located(error, line) from None
        made = start()
        walk(parts.frame(frame), made, rows)
        return made

    return run


def _loop(compiler: Compiler, generator: Any, parts: _Parts, inner: Any, level: int, cost: int) -> Any:
    scope, meter = parts.scope, compiler.meter
    keep = _store(compiler, generator.target, scope)
    tests = [compiler.paid(test, scope) for test in generator.ifs]
    source = None if level == 0 else compiler.paid(generator.iter, scope)
    line = generator.iter.lineno

    def walk(frame: Frame, made: Any, rows: Any) -> None:
        if source is not None:
            given = source(frame)
            try:
                rows = iterate(given, meter)
            except RAISED as error:
                raise located(error, line) from None
        for row in rows:
            keep(frame, row)
            for test in tests:
                if not test(frame):
                    break
            else:
                inner(frame, made, None)
                continue
            _pay(meter, 1, line)

    if isinstance(generator.target, _ast.Name) and len(tests) <= 1:
        return _quick_loop(scope.names[generator.target.id], tests[0] if tests else None, source, inner, meter, line)
    return walk


def _quick_loop(place: int, test: Run | None, source: Run | None, inner: Any, meter: Any, line: int) -> Any:
    left = meter.left

    def walk(frame: Frame, made: Any, rows: Any) -> None:
        if source is not None:
            given = source(frame)
            try:
                rows = iterate(given, meter)
            except RAISED as error:
                raise located(error, line) from None
        for row in rows:
            frame[place] = row
            if test is None or test(frame):
                inner(frame, made, None)
            else:
                rest = left[0] - 1
                if rest < 0:
                    _pay(meter, 1, line)
                else:
                    left[0] = rest

    return walk


def _store(compiler: Compiler, target: Any, scope: Scope) -> Store:
    return store(compiler, target, scope)


def _pay(meter: Any, cost: int, line: int) -> None:
    try:
        meter.charge(cost)
    except RAISED as error:
        raise located(error, line) from None


def _put_list(runs: list[Run], cost: int, compiler: Compiler, line: int) -> Any:
    (value,) = runs
    meter, left = compiler.meter, compiler.meter.left

    def put(frame: Frame, made: list[Any], rows: None) -> None:
        rest = left[0] - cost
        if rest < 0:
            _pay(meter, cost, line)
        else:
            left[0] = rest
        made.append(value(frame))
        if len(made) > MAX_VALUE:
            raise Stop("limit_value", line)

    return put


def _put_set(runs: list[Run], cost: int, compiler: Compiler, line: int) -> Any:
    (value,) = runs
    meter = compiler.meter

    def put(frame: Frame, made: ScriptSet, rows: None) -> None:
        _pay(meter, cost, line)
        one = value(frame)
        try:
            made.items[hashable(one, meter)] = None
        except RAISED as error:
            raise located(error, line) from None
        if len(made.items) > MAX_VALUE:
            raise Stop("limit_value", line)

    return put


def _put_dict(runs: list[Run], cost: int, compiler: Compiler, line: int) -> Any:
    key, value = runs
    meter = compiler.meter

    def put(frame: Frame, made: dict[Any, Any], rows: None) -> None:
        _pay(meter, cost, line)
        name = key(frame)
        content = value(frame)
        try:
            made[hashable(name, meter)] = content
        except RAISED as error:
            raise located(error, line) from None
        if len(made) > MAX_VALUE:
            raise Stop("limit_value", line)

    return put


def _list(compiler: Compiler, node: Any, scope: Scope) -> Run:
    return _comprehension(compiler, node, scope, [node.elt], list, _put_list)


def _set(compiler: Compiler, node: Any, scope: Scope) -> Run:
    return _comprehension(compiler, node, scope, [node.elt], ScriptSet, _put_set)


def _dict(compiler: Compiler, node: Any, scope: Scope) -> Run:
    return _comprehension(compiler, node, scope, [node.key, node.value], dict, _put_dict)


def _lambda(compiler: Compiler, node: _ast.Lambda, scope: Scope) -> Run:
    return make_function(compiler, "<lambda>", node.args, node.body, scope, node.lineno)


EXPRESSIONS.update({"ListComp": _list, "GeneratorExp": _list, "SetComp": _set, "DictComp": _dict, "Lambda": _lambda})

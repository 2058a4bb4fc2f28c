"""Closures of ``if``, ``for``, ``while`` and ``try``."""

from __future__ import annotations

import _ast

from .blocks import STATEMENTS, Statement, block
from .compiler import Compiler
from .costs import cost_of, target_cost
from .faults import RAISED, Fault, located
from .kinds import Any
from .scopes import Scope
from .targets import store
from .values import BREAK, CONTINUE, NORMAL, UNBOUND, Frame, Run, iterate


def _if(compiler: Compiler, node: _ast.If, scope: Scope) -> Statement:
    test = compiler.expr(node.test, scope)
    then = block(compiler, node.body, scope)
    other = block(compiler, node.orelse, scope) if node.orelse else None
    leaves = then.leaves or (other is not None and other.leaves)
    return Statement(_choice(test, then.run, None if other is None else other.run), 1 + cost_of(node.test), node.lineno, leaves, tells=True)


def _choice(test: Run, then: Run, other: Run | None) -> Run:
    if other is None:

        def alone(frame: Frame) -> Any:
            return then(frame) if test(frame) else NORMAL

        return alone

    def both(frame: Frame) -> Any:
        return then(frame) if test(frame) else other(frame)

    return both


def _for(compiler: Compiler, node: _ast.For, scope: Scope) -> Statement:
    source = compiler.expr(node.iter, scope)
    body = block(compiler, node.body, scope, extra=1 + target_cost(node.target))
    other = block(compiler, node.orelse, scope) if node.orelse else None
    meter, line = compiler.meter, node.iter.lineno
    if isinstance(node.target, _ast.Name):
        walk = _walk_name(scope.names[node.target.id], body.run, body.leaves)
    else:
        walk = _walk_target(store(compiler, node.target, scope), body.run)

    def run(frame: Frame) -> Any:
        given = source(frame)
        try:
            rows = iterate(given, meter)
        except RAISED as error:
            raise located(error, line) from None
        result = walk(frame, rows)
        if result is NORMAL and other is not None:
            return other.run(frame)
        return NORMAL if result is BREAK else result

    return Statement(run, 1 + cost_of(node.iter), node.lineno, body.leaves or (other is not None and other.leaves), tells=True)


def _walk_name(place: int, body: Run, leaves: bool) -> Any:
    def plain(frame: Frame, rows: Any) -> Any:
        for row in rows:
            frame[place] = row
            body(frame)
        return NORMAL

    def watched(frame: Frame, rows: Any) -> Any:
        for row in rows:
            frame[place] = row
            result = body(frame)
            if result is not NORMAL and result is not CONTINUE:
                return result
        return NORMAL

    return watched if leaves else plain


def _walk_target(put: Any, body: Run) -> Any:
    def walk(frame: Frame, rows: Any) -> Any:
        for row in rows:
            put(frame, row)
            result = body(frame)
            if result is not NORMAL and result is not CONTINUE:
                return result
        return NORMAL

    return walk


def _while(compiler: Compiler, node: _ast.While, scope: Scope) -> Statement:
    test = compiler.paid(node.test, scope)
    body = block(compiler, node.body, scope, extra=1)
    other = block(compiler, node.orelse, scope) if node.orelse else None

    def run(frame: Frame) -> Any:
        while test(frame):
            result = body.run(frame)
            if result is NORMAL or result is CONTINUE:
                continue
            return NORMAL if result is BREAK else result
        return NORMAL if other is None else other.run(frame)

    return Statement(run, 1, node.lineno, body.leaves or (other is not None and other.leaves), tells=True)


class _Handler:
    """One ``except``: the classes it takes, the place of its name, what it runs."""

    def __init__(self, compiler: Compiler, node: _ast.ExceptHandler, scope: Scope, held: int) -> None:
        kinds = node.type.elts if isinstance(node.type, _ast.Tuple) else [node.type]
        self.names = ["Exception"] if node.type is None else [kind.id for kind in kinds if isinstance(kind, _ast.Name)]
        self.place = scope.names[node.name] if node.name else 0
        scope.handlers.append(held)
        self.body = block(compiler, node.body, scope)
        scope.handlers.pop()

    def takes(self, error: Fault) -> bool:
        """Whether this handler catches ``error``."""
        return any(error.is_a(name) for name in self.names)

    def run(self, frame: Frame, error: Fault) -> Any:
        """Run the body with the error under its name, which has no value afterwards."""
        if not self.place:
            return self.body.run(frame)
        frame[self.place] = error
        try:
            return self.body.run(frame)
        finally:
            frame[self.place] = UNBOUND


def _try(compiler: Compiler, node: _ast.Try, scope: Scope) -> Statement:
    body = block(compiler, node.body, scope)
    held = scope.frames.place()
    handlers = [_Handler(compiler, handler, scope, held) for handler in node.handlers]
    other = block(compiler, node.orelse, scope) if node.orelse else None
    parts = [body, *(handler.body for handler in handlers), *([other] if other else [])]
    run = _guarded(body.run, handlers, None if other is None else other.run, held)
    if node.finalbody:
        final = block(compiler, node.finalbody, scope)
        run = _finally(run, final.run)
    return Statement(run, 1, node.lineno, any(part.leaves for part in parts), tells=True)


def _guarded(body: Run, handlers: list[_Handler], other: Run | None, held: int) -> Run:
    def run(frame: Frame) -> Any:
        try:
            result = body(frame)
        except Fault as error:
            error.__traceback__ = error.__context__ = None
            caught = error
        else:
            return other(frame) if other is not None and result is NORMAL else result
        for handler in handlers:
            if handler.takes(caught):
                outer = frame[held]
                frame[held] = caught
                try:
                    return handler.run(frame, caught)
                finally:
                    frame[held] = outer
        raise caught

    return run


def _finally(run: Run, final: Run) -> Run:
    def guarded(frame: Frame) -> Any:
        try:
            result = run(frame)
        except Fault:
            final(frame)
            raise
        final(frame)
        return result

    return guarded


STATEMENTS.update({"If": _if, "For": _for, "While": _while, "Try": _try})

"""Closures of ``def`` and ``lambda``."""

from __future__ import annotations

from .compiler import Compiler
from .kinds import Any
from .machine import Shape
from .scopes import FIRST, Scope, assigned, handler_names
from .values import UNBOUND, Frame, Function, Run


def make_function(compiler: Compiler, name: str, arguments: Any, body: Any, scope: Scope, line: int) -> Run:
    """The closure that makes the function value; ``body``: a list of statements, or the expression of a ``lambda``."""
    positional = tuple(one.arg for one in arguments.args)
    only = tuple(one.arg for one in arguments.kwonlyargs)
    shape = Shape(positional, arguments.vararg is not None, only, arguments.kwarg is not None)
    extra, others = ([one.arg] if one else [] for one in (arguments.vararg, arguments.kwarg))
    params = [*positional, *extra, *only, *others]
    is_lambda = not isinstance(body, list)
    inside = Scope(scope, dict.fromkeys([*params, *([] if is_lambda else assigned(body))]))
    inside.sure = frozenset(params) - (set() if is_lambda else handler_names(body))
    defaults = [compiler.expr(one, scope) for one in arguments.defaults]
    named = [(key, compiler.expr(one, scope)) for key, one in zip(only, arguments.kw_defaults, strict=True) if one is not None]
    run_body = compiler.paid(body, inside) if is_lambda else _block(compiler, body, inside)
    padding = [UNBOUND] * (inside.frames.size - FIRST - len(params))
    fixed = len(positional) if params == list(positional) else -1

    def make(frame: Frame) -> Function:
        made = Function(name, run_body, frame, shape, padding)
        made.fixed = fixed
        made.defaults = tuple([one(frame) for one in defaults])
        made.keyword_defaults = {key: one(frame) for key, one in named}
        return made

    return make


def _block(compiler: Compiler, body: list[Any], scope: Scope) -> Run:
    from .blocks import block

    return block(compiler, body, scope).run

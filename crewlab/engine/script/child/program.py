"""A whole script: checked, compiled, run."""

from __future__ import annotations

import _ast

from . import expr_calls, expr_compare, expr_comps, expr_items, expr_ops, expr_values, flow, statements
from .blocks import block
from .builtin import Builtins
from .check import check
from .compiler import Compiler
from .costs import cost_of
from .faults import RAISED, located
from .kinds import Any, Callable, Mapping
from .machine import Machine
from .scopes import FIRST, Scope, assigned
from .show import repr_of
from .values import UNBOUND, Builtin, Run

LOADED = (expr_calls, expr_compare, expr_comps, expr_items, expr_ops, expr_values, flow, statements)
"""Importing these fills the tables of the compiler."""


def run(source: str, machine: Machine, host: Any, more: Mapping[str, Builtin]) -> None:
    """Check ``source``, compile it and run it. Raises ``Refused``, ``Fault`` or ``Stop``."""
    compiled(source, machine, host, more)()


def compiled(source: str, machine: Machine, host: Any, more: Mapping[str, Builtin]) -> Callable[[], None]:
    """Check ``source`` and compile it; what is given runs it. Raises ``Refused``."""
    tree = check(source)
    builtins = {**Builtins(machine).table(), **more}
    compiler = Compiler(machine, builtins, host)
    scope = Scope(None, assigned(tree.body), module=True)
    body = list(tree.body)
    last = body.pop() if body and isinstance(body[-1], _ast.Expr) else None
    echo = _echo(compiler, last, scope) if isinstance(last, _ast.Expr) else None
    main = block(compiler, body, scope).run if body else None
    frame = compiler.globals
    frame.extend([UNBOUND] * (scope.frames.size - FIRST))

    def go() -> None:
        if main is not None:
            main(frame)
        if echo is not None:
            echo(frame)

    return go


def _echo(compiler: Compiler, node: _ast.Expr, scope: Scope) -> Run:
    """The last expression: its value is printed on a line of its own (SCR-48)."""
    value, cost, line = compiler.expr(node.value, scope), 1 + cost_of(node.value), node.lineno
    machine = compiler.machine

    def run(frame: Any) -> None:
        try:
            machine.meter.charge(cost)
            content = value(frame)
            if content is None:
                return
            text = repr_of(content, machine.meter)
        except RAISED as error:
            raise located(error, line) from None
        if not machine.printed.at_line_start:
            machine.printed.write("\n")
        machine.printed.write(text + "\n")

    return run

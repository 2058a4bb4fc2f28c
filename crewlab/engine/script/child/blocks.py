"""Blocks of statements: paid for at once where the budget allows, one by one where it ends (SCR-50).

A block that is left early (an error, ``return``, ``break``) gets back what the statements after that point would have cost, so the
count is what charging each statement as it begins would give.
"""

from __future__ import annotations

from .compiler import Compiler
from .faults import Fault, Stop
from .kinds import Any, Callable, Sequence
from .meter import Meter
from .scopes import Scope
from .values import NORMAL, Frame, Run


class Statement:
    """A compiled statement. ``leaves``: it may give something else than the usual end; ``tells``: what it gives is how it ended."""

    __slots__ = ("cost", "leaves", "line", "run", "tells")

    def __init__(self, run: Run, cost: int, line: int, leaves: bool = False, tells: bool = False) -> None:
        self.run = run
        self.cost = cost
        self.line = line
        self.leaves = leaves
        self.tells = tells or leaves


STATEMENTS: dict[str, Callable[[Compiler, Any, Scope], Statement]] = {}


def block(compiler: Compiler, nodes: Sequence[Any], scope: Scope, extra: int = 0) -> Statement:
    """The statements as one; ``extra`` steps are paid with the first (an iteration of a loop). Its ``run`` always gives how it ended."""
    parts = [STATEMENTS[type(node).__name__](compiler, node, scope) for node in nodes]
    cost = extra + sum(part.cost for part in parts)
    leaves = any(part.leaves for part in parts)
    slowly = _one_by_one(compiler.meter, parts, extra)
    if len(parts) == 1 and not parts[0].tells:
        run = _paid_closing(parts[0].run, slowly, cost, compiler.meter, parts[0].line)
    else:
        run = _paid(_joined(compiler.meter, parts), slowly, cost, compiler.meter, parts[0].line)
    return Statement(run, cost, parts[0].line, leaves)


def _one_by_one(meter: Meter, parts: list[Statement], extra: int) -> Run:
    def run(frame: Frame) -> Any:
        more = extra
        for part in parts:
            _charge(meter, part.cost + more, part.line)
            more = 0
            result = part.run(frame)
            if part.leaves and result is not NORMAL:
                return result
        return NORMAL

    return run


def _charge(meter: Meter, cost: int, line: int) -> None:
    try:
        meter.charge(cost)
    except Stop as stop:
        stop.line = stop.line or line
        raise


def _paid(run: Run, slowly: Run, cost: int, meter: Meter, line: int) -> Run:
    left = meter.left

    def pay(frame: Frame) -> Any:
        rest = left[0] - cost
        if rest < 0:
            try:
                rest = meter.refill(cost)
            except Stop as stop:
                stop.line = stop.line or line
                raise
            if rest < 0:
                return slowly(frame)
        left[0] = rest
        return run(frame)

    return pay


def _paid_closing(run: Run, slowly: Run, cost: int, meter: Meter, line: int) -> Run:
    """``_paid`` for one statement that does not tell how it ended: the usual case, with a call less."""
    left = meter.left

    def pay(frame: Frame) -> Any:
        rest = left[0] - cost
        if rest < 0:
            try:
                rest = meter.refill(cost)
            except Stop as stop:
                stop.line = stop.line or line
                raise
            if rest < 0:
                return slowly(frame)
        left[0] = rest
        run(frame)
        return NORMAL

    return pay


def _joined(meter: Meter, parts: list[Statement]) -> Run:
    if len(parts) == 1:
        return _closing(parts[0])
    if len(parts) == 2:
        return _pair(meter, parts[0].run, parts[0].leaves, parts[1].cost, _closing(parts[1]))
    middle = len(parts) // 2
    first, second = parts[:middle], parts[middle:]
    leaves = any(part.leaves for part in first)
    return _pair(meter, _joined(meter, first), leaves, sum(part.cost for part in second), _joined(meter, second))


def _closing(part: Statement) -> Run:
    run = part.run
    if part.tells:
        return run

    def closing(frame: Frame) -> Any:
        run(frame)
        return NORMAL

    return closing


def _pair(meter: Meter, first: Run, leaves: bool, rest: int, second: Run) -> Run:
    left = meter.left

    def plain(frame: Frame) -> Any:
        try:
            first(frame)
        except Fault:
            left[0] += rest
            raise
        return second(frame)

    def watched(frame: Frame) -> Any:
        try:
            result = first(frame)
        except Fault:
            left[0] += rest
            raise
        if result is not NORMAL:
            left[0] += rest
            return result
        return second(frame)

    return watched if leaves else plain

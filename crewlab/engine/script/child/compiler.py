"""Turns a checked tree into closures, once. ``Compiler`` holds what all of them share and finds the right module for a node."""

from __future__ import annotations

from .costs import cost_of
from .faults import RAISED, Fault, located
from .kinds import Any, Callable, Mapping
from .machine import Machine
from .scopes import Scope
from .values import UNBOUND, Builtin, Frame, Run

Make = Callable[["Compiler", Any, Scope], Run]


class Compiler:
    """One compilation. ``globals`` is the frame of the module, which is filled before the run."""

    def __init__(self, machine: Machine, builtins: Mapping[str, Builtin], host: Any) -> None:
        self.machine = machine
        self.meter = machine.meter
        self.builtins = builtins
        self.host = host
        self.globals: Frame = [None, 0]

    def expr(self, node: Any, scope: Scope) -> Run:
        """The closure that evaluates ``node``."""
        return EXPRESSIONS[type(node).__name__](self, node, scope)

    def paid(self, node: Any, scope: Scope) -> Run:
        """Like ``expr``, for what is evaluated only sometimes: it pays when it is."""
        run = self.expr(node, scope)
        return _paid(run, cost_of(node), self.meter, node.lineno)

    def load(self, name: str, scope: Scope, line: int) -> Run:
        """The closure that reads a name."""
        found = scope.find(name)
        if found is None:
            builtin = self.builtins.get(name)
            return _missing(name, line) if builtin is None else _constant(builtin)
        hops, holder = found
        place = holder.names[name]
        if holder.module:
            return _global(self.globals, place, name, line, self.builtins.get(name, UNBOUND))
        if hops == 0:
            return _certain(place) if name in holder.sure else _local(place, name, line)
        return _outer(hops, place, name, line)

    def local_place(self, node: Any, scope: Scope) -> int:
        """The place of a name in the frame at hand, 0 when ``node`` is not such a name."""
        if type(node).__name__ != "Name":
            return 0
        found = scope.find(node.id)
        if found is None:
            return 0
        hops, holder = found
        if hops == 0 or (holder.module and scope.in_module_frame):
            return holder.names[node.id]
        return 0


def _paid(run: Run, cost: int, meter: Any, line: int) -> Run:
    left = meter.left

    def pay(frame: Frame) -> Any:
        rest = left[0] - cost
        if rest < 0:
            try:
                meter.charge(cost)
            except RAISED as error:
                raise located(error, line) from None
        else:
            left[0] = rest
        return run(frame)

    return pay


def _constant(value: Any) -> Run:
    return lambda frame: value


def _certain(place: int) -> Run:
    return lambda frame: frame[place]


def _local(place: int, name: str, line: int) -> Run:
    def run(frame: Frame) -> Any:
        value = frame[place]
        if value is UNBOUND:
            raise Fault("NameError", (f"cannot access local variable '{name}' where it is not associated with a value",), line)
        return value

    return run


def _global(frame_of_module: Frame, place: int, name: str, line: int, fallback: Any) -> Run:
    def run(frame: Frame) -> Any:
        value = frame_of_module[place]
        if value is UNBOUND:
            if fallback is UNBOUND:
                raise Fault("NameError", (f"name '{name}' is not defined",), line)
            return fallback
        return value

    return run


def _outer(hops: int, place: int, name: str, line: int) -> Run:
    def run(frame: Frame) -> Any:
        for _ in range(hops):
            frame = frame[0]
        value = frame[place]
        if value is UNBOUND:
            text = f"cannot access free variable '{name}' where it is not associated with a value in enclosing scope"
            raise Fault("NameError", (text,), line)
        return value

    return run


def _missing(name: str, line: int) -> Run:
    def run(frame: Frame) -> Any:
        raise Fault("NameError", (f"name '{name}' is not defined",), line)

    return run


EXPRESSIONS: dict[str, Make] = {}
"""Node type to the function that makes its closure; filled by the modules of the expressions."""

"""Names and their places in frames: scoping as in Python (SCR-46).

A frame is a list: the frame it was made in, the depth of calls, then one place per name.
"""

from __future__ import annotations

import _ast

from .allowed import COMPREHENSIONS, SCOPES
from .kinds import Any, Iterable
from .parse import children

FIRST = 2  # the first place of a name


class Frames:
    """How many places the frames of one function need."""

    def __init__(self) -> None:
        self.size = FIRST

    def place(self) -> int:
        """A new place."""
        self.size += 1
        return self.size - 1


class Scope:
    """The names of the module, a function or a comprehension. ``inline``: its names lie in the frame around it."""

    def __init__(self, parent: Scope | None, names: Iterable[str], *, inline: bool = False, module: bool = False) -> None:
        self.parent = parent
        self.inline = inline
        self.module = module
        self.frames: Frames = parent.frames if inline and parent is not None else Frames()
        self.names = {name: self.frames.place() for name in names}
        self.sure: frozenset[str] = frozenset()
        self.handlers: list[int] = []

    def find(self, name: str) -> tuple[int, Scope] | None:
        """How many frames outwards ``name`` lies, and the scope that holds it."""
        scope: Scope | None = self
        hops = 0
        while scope is not None:
            if name in scope.names:
                return hops, scope
            hops += 0 if scope.inline else 1
            scope = scope.parent
        return None

    @property
    def in_module_frame(self) -> bool:
        """Whether the frame at hand is the module's."""
        scope: Scope | None = self
        while scope is not None and scope.inline:
            scope = scope.parent
        return scope is not None and scope.module


def assigned(body: Iterable[Any]) -> list[str]:
    """The names that statements bind in their own scope, in order."""
    found: dict[str, None] = {}
    waiting = list(reversed(list(body)))
    while waiting:
        node = waiting.pop()
        if isinstance(node, _ast.Name) and isinstance(node.ctx, _ast.Store):
            found[node.id] = None
        elif isinstance(node, _ast.FunctionDef):
            found[node.name] = None
            continue
        elif isinstance(node, (*SCOPES, *COMPREHENSIONS)):
            continue
        elif isinstance(node, _ast.ExceptHandler) and node.name:
            found[node.name] = None
        waiting.extend(reversed(list(children(node))))
    return list(found)


def holds_function(node: Any) -> bool:
    """Whether a ``lambda`` stands somewhere below: it could keep the names of a comprehension."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, _ast.Lambda):
            return True
        waiting.extend(children(one))
    return False


def handler_names(body: Iterable[Any]) -> set[str]:
    """The names that handlers unbind when they end."""
    found: set[str] = set()
    waiting = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, _ast.ExceptHandler) and node.name:
            found.add(node.name)
        waiting.extend(children(node))
    return found

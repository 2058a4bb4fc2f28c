"""The check of the whole script before it runs: an allow-list of nodes, and the first offence in line order (SCR-21, SCR-22, SCR-36)."""

from __future__ import annotations

import _ast

from . import allowed, check_names, check_statements
from .faults import Refused
from .kinds import Any
from .limits import BOUND
from .parse import children, parse


class Place:
    """Where a node stands: inside a function, a loop, a handler, a ``finally``, a loop of that ``finally``."""

    __slots__ = ("final", "final_loop", "function", "handler", "loop")

    def __init__(
        self, function: bool = False, loop: bool = False, handler: bool = False, final: bool = False, final_loop: bool = False
    ) -> None:
        self.function = function
        self.loop = loop
        self.handler = handler
        self.final = final
        self.final_loop = final_loop


class Checker:
    """Walks the tree and keeps every offence; the first in line order is the one that is told."""

    def __init__(self, tree: _ast.Module) -> None:
        self.found: list[tuple[int, int, int, Refused]] = []
        self.bound = check_names.bound_names(tree)
        self._visit(tree, Place())

    def refuse(self, node: Any, word: str, **params: Any) -> None:
        """Keep an offence."""
        line = getattr(node, "lineno", 1)
        self.found.append((line, getattr(node, "col_offset", 0), len(self.found), Refused(word, line, **params)))

    def _visit(self, node: Any, place: Place) -> None:
        name = type(node).__name__
        if name not in allowed.PLAIN_NODES:
            return  # told by the node that holds it, which has a line
        special = getattr(self, f"_{name.lower()}", None)
        if special is not None:
            special(node)
        check = check_statements.CHECKS.get(name)
        if check is not None:
            check(self, node, place)
        for child in children(node):
            word = type(child).__name__
            if word not in allowed.PLAIN_NODES:
                where = child if hasattr(child, "lineno") else node
                self.refuse(where, allowed.WORDS.get(word, "node"), what=word)
            elif not self._skipped(node, child):
                self._visit(child, self._place_of(node, child, place))

    @staticmethod
    def _skipped(node: Any, child: Any) -> bool:
        """Annotations are neither checked nor evaluated; what ``from`` gives in ``raise`` is ignored."""
        return child in (getattr(node, "annotation", None), getattr(node, "returns", None)) or (
            isinstance(node, _ast.Raise) and child is node.cause
        )

    @staticmethod
    def _place_of(node: Any, child: Any, place: Place) -> Place:
        if isinstance(node, allowed.SCOPES):
            return Place(function=isinstance(node, _ast.FunctionDef))
        if isinstance(node, (_ast.For, _ast.While)) and child in node.body:
            return Place(place.function, True, place.handler, place.final, True)
        if isinstance(node, _ast.Try) and child in node.finalbody:
            return Place(place.function, place.loop, place.handler, True, False)
        if isinstance(node, _ast.ExceptHandler):
            return Place(place.function, place.loop, True, place.final, place.final_loop)
        return place

    def _constant(self, node: _ast.Constant) -> None:
        value = node.value
        if type(value) in (bytes, complex) or value is ...:
            self.refuse(node, "constant", what=type(value).__name__)
        elif type(value) is int and value >= BOUND:
            self.refuse(node, "big_int")

    def _compare(self, node: _ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for place, sign in enumerate(node.ops):
            if isinstance(sign, (_ast.Is, _ast.IsNot)) and not any(_literal(side) for side in sides[place : place + 2]):
                self.refuse(node, "identity")

    def _subscript(self, node: _ast.Subscript) -> None:
        if isinstance(node.slice, _ast.Slice) and not isinstance(node.ctx, _ast.Load):
            self.refuse(node, "slice_assign")
        if isinstance(node.slice, _ast.Tuple) and any(isinstance(part, _ast.Slice) for part in node.slice.elts):
            self.refuse(node, "slice_tuple")

    def _formattedvalue(self, node: _ast.FormattedValue) -> None:
        if node.conversion == ord("a"):
            self.refuse(node, "conversion")

    def _comprehension(self, node: Any) -> None:
        if node.is_async:
            self.refuse(node.target, "async", what="async")

    def _attribute(self, node: _ast.Attribute) -> None:
        if node.attr.startswith("__"):
            self.refuse(node, "dunder", name=node.attr)

    def _keyword(self, node: _ast.keyword) -> None:
        if node.arg is not None and node.arg.startswith("__"):
            self.refuse(node.value if not hasattr(node, "lineno") else node, "dunder", name=node.arg)


def _literal(node: Any) -> bool:
    return isinstance(node, _ast.Constant) and (node.value is None or node.value is True or node.value is False)


def check(source: str) -> _ast.Module:
    """The tree of a script that is in the language; otherwise raises ``Refused``."""
    tree = parse(source)
    found = Checker(tree).found
    if found:
        raise min(found)[3]
    return tree

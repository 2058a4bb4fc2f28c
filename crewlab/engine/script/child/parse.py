"""From text to tree: the parser's failures become refusals, and the depth is measured without recursion (SCR-23, SCR-24)."""

from __future__ import annotations

import _ast

from .faults import Refused
from .kinds import Any, Iterator
from .limits import MAX_SOURCE_DEPTH

SKIPPED = (_ast.expr_context, _ast.operator, _ast.boolop, _ast.unaryop, _ast.cmpop)  # SCR-243


def parse(source: str) -> _ast.Module:
    """The tree of ``source``, at most 200 nodes deep."""
    try:
        tree = compile(source, "<script>", "exec", _ast.PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError as error:
        raise Refused("syntax", error.lineno or 1, "syntax", message=error.msg or "invalid syntax") from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise Refused("syntax", 1, "syntax", message=str(error) or type(error).__name__) from None
    depth, line = deepest(tree)
    if depth > MAX_SOURCE_DEPTH:
        raise Refused("nesting", line, "refused_syntax", limit=MAX_SOURCE_DEPTH)
    assert isinstance(tree, _ast.Module)
    return tree


def children(node: Any) -> Iterator[Any]:
    """The nodes right below ``node``, in the order of the text."""
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            yield from (item for item in value if isinstance(item, _ast.AST))
        elif isinstance(value, _ast.AST):
            yield value


def deepest(tree: Any) -> tuple[int, int]:
    """The depth of the deepest node and its line. A chain of ``elif`` counts as one level."""
    most, where = 0, 1
    waiting: list[tuple[Any, int, int]] = [(tree, 0, 1)]
    while waiting:
        node, depth, line = waiting.pop()
        line = getattr(node, "lineno", line)
        if depth > most:
            most, where = depth, line
        for child in children(node):
            if isinstance(child, SKIPPED):
                continue
            chained = isinstance(node, _ast.If) and node.orelse == [child] and isinstance(child, _ast.If)
            waiting.append((child, depth if chained else depth + 1, line))
    return most, where

"""Steps of an expression that are certain to be spent when it is evaluated: one for each node (SCR-50).

What is evaluated only sometimes (the right side of ``and``, the branches of ``if``, the body of a comprehension) pays when it is.
"""

from __future__ import annotations

import _ast

from .allowed import COMPREHENSIONS, NAMESPACES
from .kinds import Any
from .parse import children

IGNORED = (_ast.expr_context, _ast.operator, _ast.boolop, _ast.unaryop, _ast.cmpop)


def cost_of(node: Any) -> int:
    """The steps of ``node``; 0 for ``None``."""
    if node is None:
        return 0
    return (1 if isinstance(node, _ast.expr) else 0) + sum(cost_of(child) for child in certain(node))


def certain(node: Any) -> list[Any]:
    """The nodes below that are evaluated whenever ``node`` is."""
    if isinstance(node, _ast.BoolOp):
        return node.values[:1]
    if isinstance(node, _ast.IfExp):
        return [node.test]
    if isinstance(node, _ast.Lambda):
        return [*node.args.defaults, *(one for one in node.args.kw_defaults if one is not None)]
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter]
    if isinstance(node, _ast.Compare):
        return [node.left, node.comparators[0]]
    if isinstance(node, _ast.Call):
        return [*_function(node.func), *node.args, *node.keywords]
    return [child for child in children(node) if not isinstance(child, IGNORED)]


def _function(function: Any) -> list[Any]:
    if not isinstance(function, _ast.Attribute):
        return [function]
    if isinstance(function.value, _ast.Name) and function.value.id in NAMESPACES:
        return []
    return [function.value]


def target_cost(target: Any) -> int:
    """The steps of an assignment target: what stands inside ``x[i]``."""
    if isinstance(target, _ast.Subscript):
        return cost_of(target.value) + cost_of(target.slice)
    if isinstance(target, (_ast.Tuple, _ast.List)):
        return sum(target_cost(part) for part in target.elts)
    if isinstance(target, _ast.Starred):
        return target_cost(target.value)
    return 0

"""Names and calls: what may be bound, read and called (SCR-28 to SCR-32)."""

from __future__ import annotations

import _ast

from . import allowed
from .kinds import TYPE_CHECKING, Any
from .parse import children

if TYPE_CHECKING:
    from .check import Checker, Place


def bound_names(tree: Any) -> frozenset[str]:
    """Every name that is bound anywhere in the script."""
    found: set[str] = set()
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, _ast.Name) and isinstance(node.ctx, _ast.Store):
            found.add(node.id)
        elif isinstance(node, _ast.FunctionDef) or (isinstance(node, _ast.ExceptHandler) and node.name):
            found.add(str(node.name))
        elif isinstance(node, _ast.arg):
            found.add(node.arg)
        waiting.extend(children(node))
    return frozenset(found)


def bind(checker: Checker, node: Any, name: str) -> None:
    """Refuse names that cannot be bound (SCR-31)."""
    if name.startswith("__"):
        checker.refuse(node, "dunder", name=name)
    elif name in allowed.RESERVED:
        checker.refuse(node, "reserved", name=name)


def check_name(checker: Checker, node: _ast.Name, place: Place) -> None:
    """A name that is read or bound."""
    name = node.id
    if isinstance(node.ctx, _ast.Store):
        bind(checker, node, name)
    elif name.startswith("__"):
        checker.refuse(node, "dunder", name=name)
    elif name in allowed.NAMESPACES:
        if id(node) not in spoken_for(checker):
            checker.refuse(node, "namespace", name=name)
    elif name in checker.bound or name in allowed.BUILTIN_NAMES:
        return
    elif name in allowed.ERROR_NAMES:
        if id(node) not in spoken_for(checker):
            checker.refuse(node, "error_value", name=name)
    else:
        checker.refuse(node, "unknown_name", name=name, names=", ".join(sorted(allowed.BUILTIN_NAMES)))


def spoken_for(checker: Checker) -> set[int]:
    """The name nodes that stand where a namespace or an error name may stand."""
    found: set[int] = checker.__dict__.setdefault("spoken", set())
    return found


def check_call(checker: Checker, node: _ast.Call, place: Place) -> None:
    """The four forms of a call (SCR-29)."""
    names = [word.arg for word in node.keywords if word.arg is not None]
    if len(names) != len(set(names)):
        checker.refuse(node, "keyword_twice")
    function = node.func
    if isinstance(function, _ast.Attribute):
        checker.__dict__.setdefault("called", set()).add(id(function))
        _check_attribute(checker, function)
    elif isinstance(function, _ast.Name) and function.id == "isinstance" and function.id not in checker.bound:
        _check_isinstance(checker, node)


def _check_attribute(checker: Checker, function: _ast.Attribute) -> None:
    holder = function.value
    if isinstance(holder, _ast.Name) and holder.id in allowed.NAMESPACES:
        spoken_for(checker).add(id(holder))
        names = allowed.NAMESPACES[holder.id]
        if names is not None and function.attr not in names:
            checker.refuse(function, "namespace_name", space=holder.id, name=function.attr, names=", ".join(names))
    elif function.attr not in allowed.METHODS and not function.attr.startswith("__"):
        checker.refuse(function, "unknown_method", name=function.attr)


def _check_isinstance(checker: Checker, node: _ast.Call) -> None:
    if len(node.args) != 2 or node.keywords:
        return
    wanted = node.args[1]
    for part in wanted.elts if isinstance(wanted, _ast.Tuple) else [wanted]:
        if isinstance(part, _ast.Name) and part.id in allowed.TYPE_NAMES | allowed.ERROR_NAMES and part.id not in checker.bound:
            spoken_for(checker).add(id(part))
        else:
            checker.refuse(part, "isinstance")


def check_attribute(checker: Checker, node: _ast.Attribute, place: Place) -> None:
    """An attribute stands only as the function of a call."""
    if id(node) not in checker.__dict__.get("called", set()):
        if isinstance(node.value, _ast.Name) and node.value.id in allowed.NAMESPACES:
            spoken_for(checker).add(id(node.value))
        checker.refuse(node, "json_error" if node.attr == "JSONDecodeError" else "attribute", name=node.attr)


def check_arguments(checker: Checker, node: _ast.arguments, place: Place) -> None:
    """Parameters: no positional-only ones, no name twice."""
    given = [*node.args, *node.kwonlyargs, *(one for one in (node.vararg, node.kwarg) if one)]
    for one in node.posonlyargs:
        checker.refuse(one, "positional_only")
    names = [one.arg for one in given]
    for place_, one in enumerate(given):
        bind(checker, one, one.arg)
        if one.arg in names[:place_]:
            checker.refuse(one, "parameter_twice", name=one.arg)

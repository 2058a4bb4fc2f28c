"""Closures of calls: own functions, built-ins, methods, and what the server does for the script (SCR-29)."""

from __future__ import annotations

import _ast

from .allowed import NAMESPACES
from .builtin import is_instance
from .compiler import EXPRESSIONS, Compiler
from .expr_methods import arguments_of, method_call, passed
from .faults import RAISED, Stop, fault, located
from .json_read import loads
from .json_write import Writer
from .kinds import Any
from .limits import MAX_CALL_DEPTH, MAX_INDENT
from .machine import Machine
from .scopes import Scope
from .values import NORMAL, Frame, Function, Run
from .words import say

Named = dict[str, Any]


def _call(compiler: Compiler, node: _ast.Call, scope: Scope) -> Run:
    function = node.func
    if isinstance(function, _ast.Attribute):
        if isinstance(function.value, _ast.Name) and function.value.id in NAMESPACES:
            return _namespace(compiler, node, function.value.id, function.attr, scope)
        return method_call(compiler, node, function, scope)
    if isinstance(function, _ast.Name) and scope.find(function.id) is None:
        special = _special(compiler, node, function.id, scope)
        if special is not None:
            return special
    callee = compiler.expr(function, scope)
    plain = not node.keywords and not any(isinstance(arg, _ast.Starred) for arg in node.args)
    if plain and len(node.args) == 1:
        return _call_one(compiler.machine, callee, compiler.expr(node.args[0], scope), node.lineno)
    if plain:
        return _call_plain(compiler.machine, callee, [compiler.expr(arg, scope) for arg in node.args], node.lineno)
    return _call_general(compiler.machine, callee, *arguments_of(compiler, node, scope), node.lineno)


def _special(compiler: Compiler, node: _ast.Call, name: str, scope: Scope) -> Run | None:
    plain = not node.keywords and not any(isinstance(arg, _ast.Starred) for arg in node.args)
    if name == "isinstance" and plain and len(node.args) == 2:
        wanted = node.args[1]
        names = tuple(part.id for part in (wanted.elts if isinstance(wanted, _ast.Tuple) else [wanted]) if isinstance(part, _ast.Name))
        value = compiler.expr(node.args[0], scope)
        return lambda frame: is_instance(value(frame), names)
    if name in ("len", "str") and plain and len(node.args) == 1:
        builtin = compiler.builtins[name].run
        return (_length if name == "len" else _text)(builtin, compiler.expr(node.args[0], scope), node.lineno)
    return None


def _length(builtin: Any, value: Run, line: int) -> Run:
    def run(frame: Frame) -> Any:
        content = value(frame)
        kind = type(content)
        if kind is list or kind is str or kind is dict:
            return len(content)
        try:
            return builtin(frame, [content], {})
        except RAISED as error:
            raise located(error, line) from None

    return run


def _text(builtin: Any, value: Run, line: int) -> Run:
    def run(frame: Frame) -> Any:
        content = value(frame)
        if type(content) is int:
            return str(content)
        try:
            return builtin(frame, [content], {})
        except RAISED as error:
            raise located(error, line) from None

    return run


def _call_one(machine: Machine, callee: Run, argument: Run, line: int) -> Run:
    call = machine.call

    def run(frame: Frame) -> Any:
        function = callee(frame)
        value = argument(frame)
        try:
            if type(function) is Function and function.fixed == 1:
                depth = frame[1] + 1
                if depth > MAX_CALL_DEPTH:
                    raise Stop("limit_depth")
                result = function.body([function.env, depth, value, *function.padding])
                return None if result is NORMAL else result
            return call(frame, function, [value], {})
        except RAISED as error:
            raise passed(error, line) from None

    return run


def _call_plain(machine: Machine, callee: Run, arguments: list[Run], line: int) -> Run:
    call = machine.call

    def run(frame: Frame) -> Any:
        function = callee(frame)
        values = [argument(frame) for argument in arguments]
        try:
            return call(frame, function, values, {})
        except RAISED as error:
            raise passed(error, line) from None

    return run


def _call_general(machine: Machine, callee: Run, arguments: Run, keywords: Any, line: int) -> Run:
    call = machine.call

    def run(frame: Frame) -> Any:
        function = callee(frame)
        values = arguments(frame)
        named = keywords(frame)
        try:
            return call(frame, function, values, named)
        except RAISED as error:
            raise passed(error, line) from None

    return run


def _namespace(compiler: Compiler, node: _ast.Call, space: str, name: str, scope: Scope) -> Run:
    arguments, keywords = arguments_of(compiler, node, scope)
    machine, host, line = compiler.machine, compiler.host, node.lineno

    def run(frame: Frame) -> Any:
        args = arguments(frame)
        named = keywords(frame)
        try:
            if space == "json":
                return _json(machine, name, args, named)
            return host.ask(space, name, args, named, line)
        except RAISED as error:
            raise located(error, line) from None

    return run


def _json(machine: Machine, name: str, args: list[Any], named: Named) -> Any:
    from .builtin import form

    if name == "loads":
        if len(args) != 1 or named:
            raise form("json.loads")
        return loads(args[0], machine.meter)
    if len(args) != 1 or not {"ensure_ascii", "indent", "sort_keys"}.issuperset(named):
        raise form("json.dumps")
    indent = named.get("indent")
    if indent is not None and (type(indent) is not int or not 0 <= indent <= MAX_INDENT):
        raise fault("ValueError", say("indent", limit=MAX_INDENT))
    plain = bool(named.get("ensure_ascii", True))
    return Writer(machine.meter, ascii_only=plain, indent=indent, sort=bool(named.get("sort_keys", False))).write(args[0])


EXPRESSIONS["Call"] = _call

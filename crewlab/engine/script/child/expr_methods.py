"""Closures of method calls, and the arguments of any call."""

from __future__ import annotations

import _ast

from .compiler import Compiler
from .expr_values import elements
from .faults import RAISED, Fault, located
from .kinds import Any
from .limits import MAX_VALUE, SHORT
from .machine import BY_TYPE, Machine
from .scopes import Scope
from .values import Frame, Run, type_name, weigh

Named = dict[str, Any]
SHORT_NONE = frozenset({"capitalize", "casefold", "lower", "lstrip", "rstrip", "split", "strip", "swapcase", "title", "upper"})
SHORT_ONE = frozenset({"count", "endswith", "find", "index", "partition", "removeprefix", "removesuffix", "split", "startswith"})
"""Methods of texts that cost nothing beyond their step where the text is short: Python is asked at once."""


def passed(error: Exception, line: int) -> Exception:
    """An error that leaves a call: it has a line when it arose inside, and then this line called (SCR-60)."""
    if type(error) is Fault and error.line:
        error.called_from(line)
        return error
    return located(error, line)


def arguments_of(compiler: Compiler, node: _ast.Call, scope: Scope) -> tuple[Run, Run]:
    """The closures that give the positional arguments and the keywords of a call."""
    pairs = [(word.arg, compiler.expr(word.value, scope)) for word in node.keywords]
    meter, line = compiler.meter, node.lineno

    def keywords(frame: Frame) -> Named:
        named: Named = {}
        for name, value in pairs:
            content = value(frame)
            if name is not None:
                _put(named, name, content, line)
                continue
            if type(content) is not dict:
                raise Fault("TypeError", (f"argument after ** must be a mapping, not {type_name(content)}",), line)
            try:
                meter.hashed(len(content))
                weigh(content, meter)
            except RAISED as error:
                raise located(error, line) from None
            for key, one in content.items():
                _put(named, key, one, line)
        return named

    return elements(compiler, node.args, scope), keywords


def _put(named: Named, name: Any, value: Any, line: int) -> None:
    if type(name) is not str:
        raise Fault("TypeError", ("keywords must be strings",), line)
    if name in named:
        raise Fault("TypeError", (f"got multiple values for keyword argument '{name}'",), line)
    named[name] = value


def method_call(compiler: Compiler, node: _ast.Call, function: _ast.Attribute, scope: Scope) -> Run:
    """The closure of ``holder.name(...)``."""
    holder, name, line = compiler.expr(function.value, scope), function.attr, node.lineno
    plain = not node.keywords and not any(isinstance(arg, _ast.Starred) for arg in node.args)
    if plain and len(node.args) == 1:
        argument = compiler.expr(node.args[0], scope)
        if name == "append":
            return _append(compiler.machine, holder, argument, line)
        return _method_one(compiler.machine, holder, compiler.local_place(function.value, scope), name, argument, line)
    if plain and not node.args:
        return _method_none(compiler.machine, holder, compiler.local_place(function.value, scope), name, line)
    if plain and len(node.args) == 2 and name == "replace":
        old, new = (compiler.expr(arg, scope) for arg in node.args)
        return _replace(compiler.machine, holder, old, new, line)
    return _method_general(compiler.machine, holder, name, *arguments_of(compiler, node, scope), line)


def owners_of(name: str) -> frozenset[type]:
    """The types that have a method of this name."""
    return frozenset(kind for kind, methods in BY_TYPE.items() if name in methods)


def _append(machine: Machine, holder: Run, argument: Run, line: int) -> Run:
    method = machine.method

    def run(frame: Frame) -> None:
        rows = holder(frame)
        if type(rows) is not list:
            raise located(machine.no_method(rows, "append"), line)
        value = argument(frame)
        if len(rows) < MAX_VALUE:
            rows.append(value)
            return
        try:
            method(frame, rows, "append", [value], {})
        except RAISED as error:
            raise located(error, line) from None

    return run


def _method_one(machine: Machine, holder: Run, place: int, name: str, argument: Run, line: int) -> Run:
    method, meter = machine.method, machine.meter
    short = getattr(str, name) if name in SHORT_ONE else None
    quick = {kind: methods[name][0] for kind, methods in BY_TYPE.items() if name in methods and methods[name][1] <= 1 <= methods[name][2]}
    owners = owners_of(name)

    def run(frame: Frame) -> Any:
        value = frame[place] if place else holder(frame)
        if type(value) not in owners:
            raise located(machine.no_method(holder(frame) if place else value, name), line)
        given = argument(frame)
        try:
            if short is not None and type(value) is str and type(given) is str and len(value) < SHORT and len(given) < SHORT // 4:
                return short(value, given)
            native = quick.get(type(value))
            if native is not None:
                return native(meter, value, given)
            return method(frame, value, name, [given], {})
        except RAISED as error:
            raise located(error, line) from None

    return run


def _replace(machine: Machine, holder: Run, old: Run, new: Run, line: int) -> Run:
    method = machine.method
    owners = owners_of("replace")

    def run(frame: Frame) -> Any:
        text = holder(frame)
        if type(text) not in owners:
            raise located(machine.no_method(text, "replace"), line)
        before = old(frame)
        after = new(frame)
        try:
            if type(before) is str and type(after) is str and len(text) < SHORT and len(before) < SHORT // 4 and len(after) < SHORT // 10:
                return text.replace(before, after)
            return method(frame, text, "replace", [before, after], {})
        except RAISED as error:
            raise located(error, line) from None

    return run


def _method_none(machine: Machine, holder: Run, place: int, name: str, line: int) -> Run:
    method, meter = machine.method, machine.meter
    short = getattr(str, name) if name in SHORT_NONE else None
    quick = {kind: methods[name][0] for kind, methods in BY_TYPE.items() if name in methods and not methods[name][1] and name != "sort"}

    def run(frame: Frame) -> Any:
        value = frame[place] if place else holder(frame)
        if short is not None and type(value) is str and len(value) < SHORT:
            return short(value)
        if place:
            value = holder(frame)
        try:
            native = quick.get(type(value))
            if native is not None:
                return native(meter, value)
            return method(frame, value, name, [], {})
        except RAISED as error:
            raise passed(error, line) from None

    return run


def _method_general(machine: Machine, holder: Run, name: str, arguments: Run, keywords: Run, line: int) -> Run:
    method = machine.method
    owners = owners_of(name)

    def run(frame: Frame) -> Any:
        value = holder(frame)
        if type(value) not in owners:  # Python looks the method up before it evaluates the arguments
            raise located(machine.no_method(value, name), line)
        args = arguments(frame)
        named = keywords(frame)
        try:
            return method(frame, value, name, args, named)
        except RAISED as error:
            raise passed(error, line) from None

    return run

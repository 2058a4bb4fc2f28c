"""What the server does for a script: tools, batches, lookups, questions, the store. The server checks and counts again (SCR-9)."""

from __future__ import annotations

from . import limits, questions
from .channel import Raw
from .faults import Fault, Stop, fault
from .json_read import trusted
from .json_write import Writer
from .kinds import Any, Protocol
from .machine import Machine
from .printed import clean
from .values import Builtin, Frame
from .words import say

Named = dict[str, Any]
LOOKUPS = ("names", "search", "describe")


class Asks(Protocol):
    """The way to the server; ``Channel`` is the real one."""

    def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        """Send and wait."""


class Host:
    """Counts what the script asks for and turns answers into values and errors."""

    def __init__(self, machine: Machine, channel: Asks) -> None:
        self.machine = machine
        self.meter = machine.meter
        self.channel = channel
        self.calls = 0
        self.questions = 0
        self.lookups = 0

    def builtins(self) -> dict[str, Builtin]:
        """``store`` and ``load``."""
        return {"store": Builtin("store", self._store), "load": Builtin("load", self._load)}

    def ask(self, space: str, name: str, args: list[Any], named: Named, line: int) -> Any:
        """``tools.NAME(...)`` or ``llm.NAME(...)``."""
        if space == "llm":
            return self._question(name, args, named, line)
        if name in LOOKUPS:
            return self._lookup(name, args, named)
        if name == "batch":
            return self._batch(args, named, line)
        return self._call(name, args, named, line)

    def answer(self, op: str, error: str = "RuntimeError", /, **fields: Any) -> Any:
        """Send, wait, and give the value; a failed answer is an error of the class ``error`` (SCR-59), a stop ends the script."""
        answer = self.channel.ask(op, **fields)
        if answer.get("stop"):
            raise Stop("stopped")
        value = answer.get("value") if answer.get("ok") else str(answer.get("error", ""))
        self.meter.text(_size(value))
        if not answer.get("ok"):
            raise Fault(error, (value,))
        return value

    def _call(self, name: str, args: list[Any], named: Named, line: int) -> Any:
        if args and (named or len(args) > 1 or type(args[0]) is not dict):
            raise fault("TypeError", say("call_form", name=name))
        text = self._arguments(args[0] if args else named)
        if len(text) > limits.MAX_ARGUMENTS:
            raise Stop("limit_args")
        self._count()
        return self.answer("call", line=line, tool=name, args=Raw(text))

    def _arguments(self, value: Any) -> str:
        return clean(Writer(self.meter, ascii_only=False, strict=True).write(value))

    def _count(self) -> None:
        if self.calls >= limits.MAX_CALLS:
            raise Stop("limit_calls")
        self.calls += 1

    def _batch(self, args: list[Any], named: Named, line: int) -> Any:
        given = args[0] if len(args) == 1 and not named else named.get("calls") if not args and list(named) == ["calls"] else None
        if type(given) is not list or not 1 <= len(given) <= limits.MAX_BATCH:
            raise fault("TypeError", say("batch_form", limit=limits.MAX_BATCH))
        calls = [self._element(place, one) for place, one in enumerate(given)]
        if self.calls >= limits.MAX_CALLS:
            raise Stop("limit_calls")
        if self.calls + len(calls) > limits.MAX_CALLS:
            raise fault("RuntimeError", say("batch_left", left=limits.MAX_CALLS - self.calls, limit=limits.MAX_CALLS))
        self.calls += len(calls)
        return self.answer("batch", line=line, calls=calls)

    def _element(self, place: int, one: Any) -> Named:
        fits = type(one) is dict and {"tool", "args"}.issuperset(one) and type(one.get("tool")) is str and type(one.get("args", {})) is dict
        if not fits:
            raise fault("TypeError", say("batch_element", place=place))
        text = self._arguments(one.get("args", {}))
        if len(text) > limits.MAX_ARGUMENTS:
            raise fault("ValueError", say("batch_args", place=place, limit=limits.MAX_ARGUMENTS))
        return {"tool": one["tool"], "args": Raw(text)}

    def _lookup(self, name: str, args: list[Any], named: Named) -> Any:
        self.lookups += 1
        if self.lookups > limits.MAX_LOOKUPS:
            raise fault("RuntimeError", say("lookups", limit=limits.MAX_LOOKUPS))
        text, limit = questions.lookup_arguments(name, args, named)
        return self.answer("lookup", kind=name, text=text, limit=limit)

    def _question(self, name: str, args: list[Any], named: Named, line: int) -> Any:
        fields = questions.question_arguments(name, args, named)
        if self.questions >= limits.MAX_QUESTIONS:
            raise Stop("limit_llm")
        self._count()
        self.questions += 1
        return self.answer("llm", line=line, kind=name, **fields)

    def _store(self, frame: Frame, args: list[Any], named: Named) -> None:
        key, *rest = _take("store", ("key", "value"), args, named)
        _check_key(key)
        if rest[0] is None:
            self.answer("store", "ValueError", key=key, forget=True)
            return
        try:
            text = Writer(self.meter, ascii_only=False, strict=True).write(rest[0])
        except Fault as error:
            raise Fault("ValueError", error.values) from None
        if clean(text) != text:
            raise fault("ValueError", say("store_surrogate"))
        if len(text) > limits.MAX_STORED:
            raise fault("ValueError", say("store_value", size=len(text), limit=limits.MAX_STORED))
        self.answer("store", "ValueError", key=key, json=text)

    def _load(self, frame: Frame, args: list[Any], named: Named) -> Any:
        (key,) = _take("load", ("key",), args, named)
        _check_key(key)
        text = self.answer("load", "ValueError", key=key)
        return None if text is None else trusted(text)


def _size(value: Any) -> int:
    if type(value) is str:
        return len(value)
    if type(value) is list:
        return sum(_size(one) for one in value)
    if type(value) is dict:
        return sum(_size(one) for one in value.values())
    return 0


def _take(name: str, names: tuple[str, ...], args: list[Any], named: Named) -> list[Any]:
    from .builtin import form

    found = dict(zip(names, args, strict=False))
    if len(args) > len(names) or set(found) & set(named) or set(found) | set(named) != set(names):
        raise form(name)
    found.update(named)
    return [found[one] for one in names]


def _check_key(key: Any) -> None:
    if type(key) is not str or not 1 <= len(key) <= limits.MAX_KEY or clean(key) != key:
        raise fault("ValueError", say("store_key", limit=limits.MAX_KEY))

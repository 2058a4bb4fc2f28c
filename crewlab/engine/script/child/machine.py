"""One run: the meter, what is printed, the way to the server, and how functions and methods are called."""

from __future__ import annotations

from .faults import Fault, Stop, fault
from .kinds import Any
from .limits import BOUND_PER_STEP, COPIED_PER_STEP, MAX_CALL_DEPTH
from .mappings import DICT, SET
from .meter import Meter
from .printed import Printed
from .sequences import LIST, TUPLE
from .strings import METHODS, NONE, Entry
from .values import NORMAL, UNBOUND, Builtin, Frame, Function, ScriptSet, type_name
from .words import say

SORT: Entry = (lambda *_: None, 0, 0, NONE)  # needs the frame of the caller: the machine runs it itself
BY_TYPE: dict[type, dict[str, Entry]] = {str: METHODS, list: {**LIST, "sort": SORT}, dict: DICT, ScriptSet: SET, tuple: TUPLE}
METHOD_NAMES = frozenset(name for methods in BY_TYPE.values() for name in methods)


class Shape:
    """The parameters of a function: their names in the order of their slots; ``extra``: ``*args``, ``named``: ``**kwargs``."""

    __slots__ = ("extra", "keyword_only", "named", "positional")

    def __init__(self, positional: tuple[str, ...], extra: bool, keyword_only: tuple[str, ...], named: bool) -> None:
        self.positional = positional
        self.extra = extra
        self.keyword_only = keyword_only
        self.named = named


class Machine:
    """What the closures of one script share."""

    def __init__(self, meter: Meter, printed: Printed | None = None) -> None:
        self.meter = meter
        self.printed = printed or Printed()

    def call(self, frame: Frame, function: Any, args: list[Any], named: dict[str, Any]) -> Any:
        """Call a function value."""
        if type(function) is Function:
            depth = frame[1] + 1
            if depth > MAX_CALL_DEPTH:
                raise Stop("limit_depth")
            slots = args if function.fixed == len(args) and not named else bound(function, args, named, self.meter)
            result = function.body([function.env, depth, *slots, *function.padding])
            return None if result is NORMAL else result
        if type(function) is Builtin:
            return function.run(frame, args, named)
        raise fault("TypeError", f"'{type_name(function)}' object is not callable")

    def method(self, frame: Frame, holder: Any, name: str, args: list[Any], named: dict[str, Any]) -> Any:
        """Call ``holder.name(...)``."""
        entry = BY_TYPE.get(type(holder), {}).get(name)
        if entry is None:
            raise self.no_method(holder, name)
        run, low, high, keywords = entry
        if run is SORT[0]:
            return self._sort(frame, holder, args, named)
        if not low <= len(args) <= high or (named and not (keywords == {"*"} or keywords.issuperset(named))):
            raise fault("TypeError", say("method_form", name=name, low=low, high=high))
        return run(self.meter, holder, *args, **named)

    def no_method(self, holder: Any, name: str) -> Fault:
        """The error that lists what the type has."""
        methods = BY_TYPE.get(type(holder))
        if methods is None:
            return fault("AttributeError", say("no_methods", type=type_name(holder), name=name))
        return fault("AttributeError", say("no_method", type=type_name(holder), name=name, methods=", ".join(sorted(methods))))

    def _sort(self, frame: Frame, rows: list[Any], args: list[Any], named: dict[str, Any]) -> None:
        if args or not {"key", "reverse"}.issuperset(named):
            raise fault("TypeError", say("form", form="list.sort(key=None, reverse=False)"))
        rows[:] = self.sorted(frame, list(rows), named)

    def sorted(self, frame: Frame, rows: list[Any], named: dict[str, Any]) -> list[Any]:
        """The rows sorted by the keywords ``key`` and ``reverse``."""
        from .sorting import sorted_list

        backwards = named.get("reverse", False)
        if type(backwards) not in (int, bool):
            raise fault("TypeError", f"'{type_name(backwards)}' object cannot be interpreted as an integer")
        return sorted_list(rows, self.meter, self.key(frame, named), bool(backwards))

    def key(self, frame: Frame, named: dict[str, Any]) -> Any:
        """The ``key`` of the keywords as a Python function, or ``None``."""
        function = named.get("key")
        if function is None:
            return None
        return lambda value: self.call(frame, function, [value], {})


def bound(function: Function, args: list[Any], named: dict[str, Any], meter: Meter) -> list[Any]:
    """The slots of a call: what was given, then the defaults, as Python binds them."""
    shape: Shape = function.shape
    count = len(shape.positional)
    meter.charge(len(named) * (10 + count) // BOUND_PER_STEP + count // COPIED_PER_STEP)
    slots = args[:count]
    rest = tuple(args[count:])
    if rest and not shape.extra:
        raise _too_many(function, len(args))
    slots += [UNBOUND] * (count - len(slots))
    only: list[Any] = [UNBOUND] * len(shape.keyword_only)
    others: dict[str, Any] = {}
    for name, value in named.items():
        _bind_named(function, slots, only, others, name, value)
    _fill(function, slots, only)
    if shape.extra:
        meter.room_list(len(rest))
        slots.append(rest)
    slots += only
    if shape.named:
        slots.append(others)
    return slots


def _bind_named(function: Function, slots: list[Any], only: list[Any], others: dict[str, Any], name: str, value: Any) -> None:
    shape: Shape = function.shape
    if name in shape.positional:
        place = shape.positional.index(name)
        if slots[place] is not UNBOUND:
            raise fault("TypeError", f"{function.name}() got multiple values for argument '{name}'")
        slots[place] = value
    elif name in shape.keyword_only:
        only[shape.keyword_only.index(name)] = value
    elif shape.named:
        others[name] = value
    else:
        raise fault("TypeError", f"{function.name}() got an unexpected keyword argument '{name}'")


def _fill(function: Function, slots: list[Any], only: list[Any]) -> None:
    shape: Shape = function.shape
    first = len(shape.positional) - len(function.defaults)
    for place, value in enumerate(function.defaults):
        if slots[first + place] is UNBOUND:
            slots[first + place] = value
    missing = [name for name, value in zip(shape.positional, slots, strict=True) if value is UNBOUND]
    if missing:
        raise _missing(function, missing, "positional")
    for place, name in enumerate(shape.keyword_only):
        if only[place] is UNBOUND:
            only[place] = function.keyword_defaults.get(name, UNBOUND)
    missing = [name for name, value in zip(shape.keyword_only, only, strict=True) if value is UNBOUND]
    if missing:
        raise _missing(function, missing, "keyword-only")


def _missing(function: Function, names: list[str], kind: str) -> Fault:
    quoted = [f"'{name}'" for name in names]
    if len(quoted) == 1:
        listed = quoted[0]
    elif len(quoted) == 2:
        listed = " and ".join(quoted)
    else:
        listed = ", ".join(quoted[:-1]) + ", and " + quoted[-1]
    plural = "" if len(quoted) == 1 else "s"
    return fault("TypeError", f"{function.name}() missing {len(quoted)} required {kind} argument{plural}: {listed}")


def _too_many(function: Function, given: int) -> Fault:
    shape: Shape = function.shape
    most = len(shape.positional)
    least = most - len(function.defaults)
    takes = f"{most}" if least == most else f"from {least} to {most}"
    plural = "" if most == 1 and least == most else "s"
    were = "was" if given == 1 else "were"
    return fault("TypeError", f"{function.name}() takes {takes} positional argument{plural} but {given} {were} given")

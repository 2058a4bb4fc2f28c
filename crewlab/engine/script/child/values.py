"""The values of the language that are not Python's own, and what can be iterated (SCR-37, SCR-38)."""

from __future__ import annotations

from .faults import Fault, fault
from .kinds import Any, Callable, Iterable
from .limits import HASH_MODULUS, MAX_DATA_DEPTH, TEXT_PER_STEP, WIDE
from .meter import Meter
from .words import say

Frame = list[Any]
Run = Callable[[Frame], Any]
PLAIN = frozenset({int, float, str, bool, type(None)})
NUMBERS = frozenset({int, float, bool})
ATOMS = PLAIN | {range}


class Unbound:
    """Marks that are no values: a name without one, and how statements end."""


UNBOUND: Any = Unbound()
NORMAL: Any = Unbound()
"""What a statement gives that ends in the usual way."""
BREAK: Any = Unbound()
CONTINUE: Any = Unbound()


class ScriptSet:
    """A set that keeps the order of insertion (SCR-38): the keys of a dict."""

    __slots__ = ("items",)

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self.items: dict[Any, None] = dict.fromkeys(items)

    def __bool__(self) -> bool:
        return bool(self.items)


ScriptSet.__name__ = ScriptSet.__qualname__ = "set"


class Function:
    """A ``def`` or ``lambda`` with the frame it was made in. ``fixed``: the count of plain parameters, -1 when there are others."""

    __slots__ = ("body", "defaults", "env", "fixed", "keyword_defaults", "name", "padding", "shape")

    def __init__(self, name: str, body: Run, env: Frame, shape: Any, padding: list[Any]) -> None:
        self.name = name
        self.body = body
        self.env = env
        self.shape = shape
        self.padding = padding
        self.fixed = -1
        self.defaults: tuple[Any, ...] = ()
        self.keyword_defaults: dict[str, Any] = {}


class Builtin:
    """A function of the language. ``run`` takes the frame of the caller, the arguments and the keywords."""

    __slots__ = ("name", "run")

    def __init__(self, name: str, run: Callable[[Frame, list[Any], dict[str, Any]], Any]) -> None:
        self.name = name
        self.run = run


Function.__name__ = Builtin.__name__ = "function"


def type_name(value: object) -> str:
    """The name of a value's type, as Python's own messages write it."""
    return value.name if isinstance(value, Fault) else type(value).__name__


def size_of(value: Any) -> int:
    """How many elements or characters a value holds; ``TypeError`` for what has no length."""
    if type(value) is ScriptSet:
        return len(value.items)
    if type(value) not in (str, list, tuple, dict, range):
        raise fault("TypeError", f"object of type '{type_name(value)}' has no len()")
    return len(value)


def iterate(value: Any, meter: Meter) -> Any:
    """What a loop walks: a snapshot of a dict or set (SCR-47), everything else as it is."""
    kind = type(value)
    if kind is list or kind is tuple or kind is str or kind is range:
        return value
    if kind is dict:
        meter.room_list(len(value))
        return list(value)
    if kind is ScriptSet:
        meter.room_list(len(value.items))
        return list(value.items)
    raise fault("TypeError", f"'{type_name(value)}' object is not iterable")


def as_list(value: Any, meter: Meter) -> list[Any]:
    """A new list of the elements; measured before it is made (SCR-52)."""
    source = iterate(value, meter)
    meter.room_list(length(source), element_bytes(source))
    return list(source)


def length(source: Any) -> int:
    """Like ``len``, for ranges of any size."""
    if type(source) is range and not -(1 << 62) < source.start < source.stop < 1 << 62:
        if source.step > 0:
            return max(0, (source.stop - source.start + source.step - 1) // source.step)
        return max(0, (source.start - source.stop - source.step - 1) // -source.step)
    return len(source)


def element_bytes(source: Any) -> int:
    """Bytes an element of a new list takes: numbers of a range are made anew, and characters beyond the common ones."""
    if type(source) is str:
        return 8 if source.isascii() else 84
    return 40 if type(source) is range else 8


def hashable(value: Any, meter: Meter) -> Any:
    """The value, when it can be a key (SCR-37); tuples are walked (SCR-51)."""
    kind = type(value)
    if kind is str:
        meter.text(len(value))
    elif kind is tuple:
        if walk_key(value, meter, 0):
            meter.odd_key()
    elif kind is int:
        if not -HASH_MODULUS < value < HASH_MODULUS:
            meter.odd_key()
    elif kind not in PLAIN:
        raise fault("TypeError", f"unhashable type: '{type_name(value)}'")
    return value


def walk_key(value: tuple[Any, ...], meter: Meter, depth: int) -> bool:
    """Charge each element of a tuple that becomes a key; whether its place could have been chosen."""
    if depth >= MAX_DATA_DEPTH:
        raise nested()
    meter.charge(len(value))
    odd = False
    for element in value:
        kind = type(element)
        if kind is tuple:
            odd |= walk_key(element, meter, depth + 1)
        elif kind is int:
            odd |= not -WIDE < element < WIDE
        else:
            hashable(element, meter)
            odd |= kind is float
    return odd


def weigh(keys: Iterable[Any], meter: Meter) -> None:
    """Pay for keys that are there already where others may be compared with them: long texts and tuples (SCR-51)."""
    for key in keys:
        kind = type(key)
        if kind is str:
            if len(key) >= TEXT_PER_STEP:
                meter.text(len(key))
        elif kind is tuple:
            walk_key(key, meter, 0)


def nested() -> Fault:
    """Data nested more than 100 levels (SCR-244)."""
    return fault("ValueError", say("nested", limit=MAX_DATA_DEPTH))

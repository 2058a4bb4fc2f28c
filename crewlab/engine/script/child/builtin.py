"""The built-in functions (SCR-33, SCR-40); ``convert`` holds those that make a value of a type."""

from __future__ import annotations

from .convert import CONVERSIONS
from .faults import CLASSES, Fault, fault
from .kinds import Any, Callable
from .limits import MAX_ROUND
from .machine import Machine
from .operators import add, checked, truth
from .show import repr_of, text_of
from .sorting import extreme
from .values import NUMBERS, Builtin, Frame, ScriptSet, as_list, element_bytes, iterate, length, size_of, type_name
from .words import say

Named = dict[str, Any]
FORMS: dict[str, str] = {
    "print": 'print(*values, sep=" ", end="\\n")', "len": "len(x)", "str": "str(x)", "repr": "repr(x)", "int": "int(x) or int(text, base)",
    "float": "float(x)", "bool": "bool(x)", "list": "list(x)", "dict": "dict(mapping_or_pairs, **kw)", "set": "set(x)",
    "tuple": "tuple(x)", "range": "range(stop) or range(start, stop[, step])", "enumerate": "enumerate(x, start=0)",
    "zip": "zip(*xs, strict=False)", "sorted": "sorted(x, key=None, reverse=False)", "reversed": "reversed(x)",
    "min": "min(iterable, key=None, default=...) or min(a, b, ...)", "max": "max(iterable, key=None, default=...) or max(a, b, ...)",
    "sum": "sum(x, start=0)", "any": "any(x)", "all": "all(x)", "abs": "abs(x)", "round": "round(x, ndigits=None)",
    "isinstance": "isinstance(x, names)", "store": "store(key, value)", "load": "load(key)",
    "json.loads": "json.loads(text)", "json.dumps": "json.dumps(value, ensure_ascii=True, indent=None, sort_keys=False)",
}  # fmt: skip
NAMES = tuple(name for name in FORMS if not name.startswith("json."))
TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,), "int": (int, bool), "float": (float,), "bool": (bool,), "list": (list,), "dict": (dict,), "set": (ScriptSet,),
    "tuple": (tuple,),
}  # fmt: skip


def form(name: str) -> Fault:
    """The error for a call that does not have the binding form (SCR-41)."""
    return fault("TypeError", say("form", form=FORMS[name]))


def check_form(name: str, args: list[Any], named: Named, low: int, high: int, keywords: tuple[str, ...] = ()) -> None:
    """Refuse another count of arguments or another keyword."""
    if not low <= len(args) <= high or any(key not in keywords for key in named):
        raise form(name)


class Builtins:
    """The functions of one run. Each takes the caller's frame, the arguments and the keywords."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.meter = machine.meter

    def table(self) -> dict[str, Builtin]:
        """Name to function, without ``store`` and ``load``, which the host adds."""
        found: dict[str, Callable[[Frame, list[Any], Named], Any]] = {
            name: getattr(self, f"_{name}") for name in NAMES if hasattr(self, f"_{name}")
        }
        for name, (convert, low, high) in CONVERSIONS.items():
            found[name] = self._conversion(name, convert, low, high)
        return {name: Builtin(name, run) for name, run in found.items()}

    def _conversion(self, name: str, convert: Callable[..., Any], low: int, high: int) -> Callable[[Frame, list[Any], Named], Any]:
        meter = self.meter

        def run(frame: Frame, args: list[Any], named: Named) -> Any:
            if not low <= len(args) <= high or (named and name != "dict"):
                raise form(name)
            return convert(meter, *args, **named)

        return run

    def _print(self, frame: Frame, args: list[Any], named: Named) -> None:
        check_form("print", args, named, 0, len(args), ("sep", "end"))
        parts = [text_of(value, self.meter) for value in args]
        ends = {"sep": " ", "end": "\n"}
        for key, value in named.items():
            if value is not None and type(value) is not str:
                raise fault("TypeError", f"{key} must be None or a string, not {type_name(value)}")
            ends[key] = ends[key] if value is None else value
        self.meter.text(sum(map(len, parts)) + len(ends["sep"]) * len(parts))
        for place, part in enumerate(parts):
            if place:
                self.machine.printed.write(ends["sep"])
            self.machine.printed.write(part)
        self.machine.printed.write(ends["end"])

    def _len(self, frame: Frame, args: list[Any], named: Named) -> int:
        check_form("len", args, named, 1, 1)
        return size_of(args[0])

    def _repr(self, frame: Frame, args: list[Any], named: Named) -> str:
        check_form("repr", args, named, 1, 1)
        return repr_of(args[0], self.meter)

    def _enumerate(self, frame: Frame, args: list[Any], named: Named) -> list[Any]:
        check_form("enumerate", args, named, 1, 2 - len(named), ("start",))
        start = named.get("start", args[1] if len(args) == 2 else 0)
        if type(start) not in (int, bool):
            raise fault("TypeError", f"'{type_name(start)}' object cannot be interpreted as an integer")
        rows = iterate(args[0], self.meter)
        self.meter.room_list(length(rows), 104 + element_bytes(rows))
        self.meter.copied(3 * length(rows))  # pairs and numbers are made anew
        return [*enumerate(rows, start)]

    def _zip(self, frame: Frame, args: list[Any], named: Named) -> list[Any]:
        check_form("zip", args, named, 0, len(args), ("strict",))
        rows = [iterate(source, self.meter) for source in args]
        sizes = [length(source) for source in rows]
        if truth(named.get("strict", False)) and len(set(sizes)) > 1:
            wrong = next(place for place, size in enumerate(sizes) if size != sizes[0])
            than = "argument 1" if wrong == 1 else f"arguments 1-{wrong}"
            raise fault("ValueError", f"zip() argument {wrong + 1} is {'shorter' if sizes[wrong] < sizes[0] else 'longer'} than {than}")
        self.meter.room_list(min(sizes, default=0), 56 + 40 * len(rows) + sum(map(element_bytes, rows)))
        self.meter.copied(min(sizes, default=0) * len(rows))
        return list(zip(*rows, strict=False))

    def _sorted(self, frame: Frame, args: list[Any], named: Named) -> list[Any]:
        check_form("sorted", args, named, 1, 1, ("key", "reverse"))
        return self.machine.sorted(frame, as_list(args[0], self.meter), named)

    def _reversed(self, frame: Frame, args: list[Any], named: Named) -> list[Any]:
        check_form("reversed", args, named, 1, 1)
        if type(args[0]) is ScriptSet:
            raise fault("TypeError", "'set' object is not reversible")
        try:
            rows = as_list(args[0], self.meter)
        except Fault:
            raise fault("TypeError", f"'{type_name(args[0])}' object is not reversible") from None
        rows.reverse()
        return rows

    def _min(self, frame: Frame, args: list[Any], named: Named) -> Any:
        return self._extreme("min", "<", frame, args, named)

    def _max(self, frame: Frame, args: list[Any], named: Named) -> Any:
        return self._extreme("max", ">", frame, args, named)

    def _extreme(self, name: str, sign: str, frame: Frame, args: list[Any], named: Named) -> Any:
        check_form(name, args, named, 1, len(args), ("key", "default") if len(args) == 1 else ("key",))
        rows = as_list(args[0], self.meter) if len(args) == 1 else args
        if not rows:
            if "default" in named:
                return named["default"]
            raise fault("ValueError", f"{name}() arg is an empty sequence")
        return extreme(rows, self.meter, sign, self.machine.key(frame, named))

    def _sum(self, frame: Frame, args: list[Any], named: Named) -> Any:
        check_form("sum", args, named, 1, 2 - len(named), ("start",))
        rows = iterate(args[0], self.meter)
        total = named.get("start", args[1] if len(args) == 2 else 0)
        if type(total) not in NUMBERS:
            raise form("sum")
        size = length(rows)
        self.meter.charge(size // 10)
        for row in rows:
            total = total + row if type(row) is int and type(total) is int else add(total, row, self.meter)
            if type(total) is int:
                checked(total)
        return total

    def _any(self, frame: Frame, args: list[Any], named: Named) -> bool:
        check_form("any", args, named, 1, 1)
        rows = iterate(args[0], self.meter)
        self.meter.copied(length(rows) * 10)
        return any(truth(row) for row in rows)

    def _all(self, frame: Frame, args: list[Any], named: Named) -> bool:
        check_form("all", args, named, 1, 1)
        rows = iterate(args[0], self.meter)
        self.meter.copied(length(rows) * 10)
        return all(truth(row) for row in rows)

    def _abs(self, frame: Frame, args: list[Any], named: Named) -> Any:
        check_form("abs", args, named, 1, 1)
        if type(args[0]) not in NUMBERS:
            raise fault("TypeError", f"bad operand type for abs(): '{type_name(args[0])}'")
        return abs(args[0])

    def _isinstance(self, frame: Frame, args: list[Any], named: Named) -> bool:
        check_form("isinstance", args, named, 2, 2)
        return is_instance(args[0], _names_of_types(args[1]))

    def _round(self, frame: Frame, args: list[Any], named: Named) -> Any:
        check_form("round", args, named, 1, 2 - len(named), ("ndigits",))
        digits = named.get("ndigits", args[1] if len(args) == 2 else None)
        if type(args[0]) not in NUMBERS:
            raise fault("TypeError", f"type {type_name(args[0])} doesn't define __round__ method")
        if digits is None:
            return checked(round(args[0]))
        if type(digits) not in (int, bool):
            raise fault("TypeError", f"'{type_name(digits)}' object cannot be interpreted as an integer")
        if not -MAX_ROUND <= digits <= MAX_ROUND:
            raise fault("ValueError", say("round_limit", limit=MAX_ROUND))
        return checked(round(args[0], digits))


def _names_of_types(wanted: Any) -> tuple[str, ...]:
    names = tuple(one.name if type(one) is Builtin else "" for one in (wanted if type(wanted) is tuple else (wanted,)))
    if not TYPES.keys() >= set(names):
        raise form("isinstance")
    return names


def is_instance(value: Any, names: tuple[str, ...]) -> bool:
    """``isinstance`` for the names of types and errors, which the check has found to be such."""
    for name in names:
        if name in CLASSES:
            if type(value) is Fault and value.is_a(name):
                return True
        elif type(value) in TYPES[name]:
            return True
    return False

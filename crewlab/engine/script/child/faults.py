"""How a script ends early: an error it can catch, a stop it cannot, a refusal before it runs."""

from __future__ import annotations

from .kinds import Any
from .limits import MAX_CALLERS

CLASSES: dict[str, type[Exception]] = {  # SCR-34
    kind.__name__: kind
    for kind in (
        Exception, ArithmeticError, AssertionError, AttributeError, IndexError, KeyError, LookupError, NameError, OverflowError,
        RuntimeError, TypeError, ValueError, ZeroDivisionError,
    )
}  # fmt: skip


class Fault(Exception):
    """An error of the script; also the value of a caught error (SCR-40). ``line`` 0: not known yet."""

    def __init__(self, name: str, values: tuple[Any, ...] = (), line: int = 0) -> None:
        super().__init__(name)
        self.name = name
        self.values = values
        self.line = line
        self.callers: list[int] = []

    def called_from(self, line: int) -> None:
        """Remember one calling line (SCR-60)."""
        if len(self.callers) < MAX_CALLERS:
            self.callers.append(line)

    def is_a(self, name: str) -> bool:
        """Whether this error is of the class ``name`` or of one below it."""
        return issubclass(CLASSES[self.name], CLASSES[name])


class Stop(Exception):
    """The script ends at once and cannot catch it (SCR-62). ``code``: SCR-64."""

    def __init__(self, code: str, line: int = 0, /, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.line = line
        self.params = params


class Refused(Exception):
    """The script is rejected before one statement of it runs (SCR-36). ``word`` names the sentence."""

    def __init__(self, word: str, line: int, code: str = "refused_syntax", /, **params: Any) -> None:
        super().__init__(word)
        self.word = word
        self.line = line
        self.code = code
        self.params = params


RAISED = (Fault, Stop, ArithmeticError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError)
"""What the operations of a script can raise: our own, and what Python raises while it carries one out."""


def located(error: Exception, line: int) -> Exception:
    """The error as the script knows it, with the line of the innermost expression that was being evaluated (SCR-60)."""
    if isinstance(error, (Fault, Stop)):
        if error.line == 0:
            error.line = line
        return error
    if isinstance(error, MemoryError):
        return Stop("limit_memory", line)
    if isinstance(error, KeyError):
        return Fault("KeyError", error.args[:1], line)
    return Fault(_class_of(error), (str(error),), line)


def _class_of(error: Exception) -> str:
    for kind in type(error).__mro__:
        if CLASSES.get(kind.__name__) is kind and kind is not Exception:
            return kind.__name__
    return "RuntimeError"


def fault(name: str, text: str) -> Fault:
    """An error with a text; its line is set where it passes an expression."""
    return Fault(name, (text,))

"""Format specs of f-strings, read here and never by Python before they are measured (SCR-45)."""

from __future__ import annotations

from .faults import fault
from .kinds import Any
from .limits import MAX_PRECISION, MAX_WIDTH
from .meter import Meter
from .show import text_of
from .values import type_name
from .words import say

ALIGN = "<>^="
TYPES = "sdboxXeEfFgG%"
MAX_DIGITS = 12  # a width written with more is read no further


def formatted(value: Any, spec: str, meter: Meter) -> str:
    """``format(value, spec)``."""
    if not spec:
        return text_of(value, meter)
    if type(value) not in (str, int, float, bool):
        raise fault("TypeError", f"unsupported format string passed to {type_name(value)}.__format__")
    meter.room_text(measure(spec) + (len(value) if type(value) is str else 0))
    return format(value, spec)


def measure(spec: str) -> int:
    """The width and precision a spec asks for together; raises ``ValueError`` for what is not in the language."""
    at = 2 if spec[1:2] and spec[1] in ALIGN else 1 if spec[0] in ALIGN else 0
    for optional in ("+- ", "#", "0"):
        if spec[at : at + 1] and spec[at] in optional:
            at += 1
    width, at = _number(spec, at, MAX_WIDTH, "width")
    if spec[at : at + 1] and spec[at] in ",_":
        at += 1
    precision = 0
    if spec[at : at + 1] == ".":
        if not spec[at + 1 : at + 2].isdigit():
            raise fault("ValueError", "Format specifier missing precision")
        precision, at = _number(spec, at + 1, MAX_PRECISION, "precision")
    if len(spec) - at > 1 or (len(spec) - at == 1 and spec[at] not in TYPES):
        raise fault("ValueError", "Invalid format specifier")
    return width + precision + 400


def _number(spec: str, at: int, limit: int, what: str) -> tuple[int, int]:
    start = at
    while at - start <= MAX_DIGITS and spec[at : at + 1] and spec[at] in "0123456789":
        at += 1
    if at == start:
        return 0, at
    if at - start > MAX_DIGITS or int(spec[start:at]) > limit:
        raise fault("ValueError", say("format_limit", what=what, limit=limit))
    return int(spec[start:at]), at

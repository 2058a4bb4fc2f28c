"""The ``Status:`` line of a child's answer, in all the ways models write it (DLG-50 to DLG-53). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

Status = Literal["done", "done_with_concerns", "blocked", "needs_context"]
VALUES: tuple[Status, ...] = ("done_with_concerns", "needs_context", "blocked", "done")  # the longer of two that begin alike first

# Each pattern is anchored and has no two parts that could share characters: a line of any length is read once.
_BEFORE = re.compile(r"[\W_]*(?:\d{1,3}[.)][\W_]*)?")  # heading, quote, bullet, number, bold, code, emoji
_STATUS = re.compile(r"status[\s*_`]*[:：]", re.IGNORECASE)
_SUMMARY = re.compile(r"summary[\s*_`]*[:：]", re.IGNORECASE)
_VALUE = re.compile(r"[\W_]*(?P<value>" + "|".join(value.replace("_", r"[ _-]+") for value in VALUES) + r")(?!_*[^\W_])(?P<rest>.*)$", re.I)
_FENCE = re.compile(r"^\s{0,3}(?:[>*+-]\s+)?(?P<fence>`{3,}|~{3,})(?P<info>.*)$")
_MARKS = " \t*_~"
_LEADING = re.compile(r"^[^\w\"'“‘«`$€£¥<@/\\&]+")
_SEPARATORS = " \t*_~—–-:：,;.()[]"


class Line(NamedTuple):
    """One line of a text and whether it stands inside a code block."""

    text: str
    code: bool


class Declared(NamedTuple):
    """What a status line says. ``reason`` is empty when it gives none."""

    status: Status
    reason: str


def declared(text: str) -> Declared | None:
    """The last status line that counts, with the reason on it or on the ``Summary:`` line right after it."""
    lines = list(_lines(text))
    for code in (False, True):  # DLG-52: one in a code block counts only when there is none outside
        for place in range(len(lines) - 1, -1, -1):
            found = _read(lines[place].text, capitals=code) if lines[place].code == code else None
            if found is not None:
                return found if found.reason else Declared(found.status, _summary(lines[place + 1 :]))
    return None


def _lines(text: str) -> Iterator[Line]:
    """The lines with whether each stands in a fenced code block; a block that is never closed goes on to the end."""
    fence = ""
    for line in text.splitlines():
        found = _FENCE.match(line)
        if found and not fence:
            fence = found["fence"]
            yield Line("", True)
        elif found and found["fence"].startswith(fence) and not found["info"].strip():
            fence = ""
            yield Line("", True)
        else:
            yield Line(line, bool(fence))


def _after(key: re.Pattern[str], line: str) -> str | None:
    """What stands after the key and its colon; ``None`` for a line that does not begin with it."""
    before = _BEFORE.match(line)
    found = key.match(line, before.end() if before else 0)
    return line[found.end() :] if found else None


def _read(line: str, *, capitals: bool) -> Declared | None:
    rest = _after(_STATUS, line)
    value = _VALUE.match(rest) if rest is not None else None
    if value is None or (capitals and value["value"] != value["value"].upper()):
        return None
    name = re.sub(r"[ -]+", "_", value["value"].lower())
    status = next(each for each in VALUES if each == re.sub("_+", "_", name))
    return Declared(status, _reason(value["rest"]))


def _summary(after: Sequence[Line]) -> str:
    """The words of a ``Summary:`` line that follows directly, empty lines skipped (DLG-51)."""
    line = next((line.text for line in after if line.text.strip()), "")
    return _bare(_after(_SUMMARY, line) or "")


def _reason(rest: str) -> str:
    """The words after the value, without what separates and encloses them."""
    rest = rest.lstrip("*_").removeprefix("`")
    opened = rest.lstrip(_MARKS).startswith(("(", "["))
    words = _bare(_LEADING.sub("", rest.lstrip(_SEPARATORS)))
    return words.rstrip(")]. ") if opened else words


def _bare(words: str) -> str:
    """Without marks around them; a back quote goes where its partner is missing."""
    words = words.strip(_MARKS)
    return words.strip("`").strip(_MARKS) if words.count("`") % 2 else words

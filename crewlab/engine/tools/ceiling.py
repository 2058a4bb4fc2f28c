"""The output ceiling: every tool result is limited once, here, before a model reads it (OUT-1).

The ways are ``structure`` (``structure.py``) for JSON, ``summary`` (``summary.py``, asked of a model by the turn) and ``cut``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from crewlab.engine.texts import Texts
from crewlab.engine.tools.shown import grouped
from crewlab.engine.tools.structure import parse, shorten_tree

Way = Literal["structure", "summary", "cut"]

ASIDE_CHARS = 200_000  # a longer text is shortened in a thread, so that the loop is never held for long


@dataclass(frozen=True, slots=True)
class Shortened:
    """A result that fits. ``way`` is ``None`` when nothing had to be shortened (OUT-36)."""

    text: str
    way: Way | None
    original_chars: int


def shorten(text: str, limit: int, texts: Texts, pointer: str = "") -> Shortened:
    """``text`` in at most ``limit`` characters, marks and the line ``pointer`` included (OUT-10).

    A text that fits comes back unchanged and without the pointer (OUT-5). A pretty-printed JSON text that
    fits once its white space is gone is whole, and so carries no mark. Pure.
    """
    return Shortened(text, None, len(text)) if len(text) <= limit else fit(text, limit, texts, pointer)


def with_pointer(text: str, limit: int, texts: Texts, pointer: str) -> Shortened:
    """``text`` and always the line ``pointer``, which counts to the ceiling (PTL-53)."""
    whole = f"{text}\n{pointer}"
    return Shortened(whole, None, len(text)) if len(whole) <= limit else fit(text, limit, texts, pointer)


def fit(text: str, limit: int, texts: Texts, pointer: str = "") -> Shortened:
    """``text`` by the ways ``structure`` and ``cut``, with the pointer (OUT-8)."""
    tail = f"\n{pointer}" if pointer else ""
    room = limit - len(tail)
    tree = parse(text) if room > 0 else None
    if tree is not None:
        body = shorten_tree(tree, room, texts)
        if body is not None:
            return Shortened(body + tail, "structure", len(text))
    return Shortened(_cut(text, limit, tail, texts), "cut", len(text))


def _cut(text: str, limit: int, tail: str, texts: Texts) -> str:
    """The opening, and on a line of its own how many characters were left out (OUT-33, OUT-34)."""
    longest_mark = f"\n{texts('tools.cut_mark', count=grouped(len(text), texts))}"
    keep = _whole(text, limit - len(tail) - len(longest_mark))
    if keep <= 0:
        return text[: _whole(text, limit)]  # OUT-10: no room for marks
    mark = texts("tools.cut_mark", count=grouped(len(text) - keep, texts))
    opening = text[:keep]
    return f"{opening}{'' if opening.endswith(chr(10)) else chr(10)}{mark}{tail}"


def _whole(text: str, keep: int) -> int:
    """``keep``, or one less where the cut would part the two halves of a surrogate pair (OUT-34)."""
    parts_pair = 0 < keep < len(text) and "\ud800" <= text[keep - 1] <= "\udbff" and "\udc00" <= text[keep] <= "\udfff"
    return keep - 1 if parts_pair else keep

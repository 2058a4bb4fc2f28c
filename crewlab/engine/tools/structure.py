"""Shortening JSON so that it still parses: the ``structure`` way (OUT-11 to OUT-21).

Every key stays, numbers stay as the characters they were written with, arrays lose their tail, long strings
their middle. The tree is walked with a stack of iterators and stops at the first character too many, so a
step of the ladder costs the ceiling and not the length of the output.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from json.encoder import encode_basestring, encode_basestring_ascii
from typing import Any

from crewlab.engine.texts import Texts
from crewlab.engine.tools.shown import grouped

SURROGATE = re.compile("[\ud800-\udfff]")

# OUT-19, OUT-20: (elements per array, characters per string), from everything down to the last step
LADDER: tuple[tuple[int | None, int | None], ...] = (
    (None, None), (1000, 4000), (700, 3000), (500, 2400), (350, 1800), (250, 1400), (180, 1100), (120, 850), (90, 650), (60, 500),
    (45, 400), (30, 300), (20, 240), (15, 200), (10, 160), (7, 120), (5, 100), (4, 80), (3, 60), (2, 50), (1, 40),
)  # fmt: skip


class _Piece(str):
    """Characters that go into the body as they are: a bracket, a key."""

    __slots__ = ()


class _NotStructured(ValueError):
    """The text has a value that rewriting would lose or could not write."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise _NotStructured("duplicate key")  # OUT-12
    return members


def _no_constant(name: str) -> None:
    raise _NotStructured(name)  # NaN and Infinity are no JSON


def parse(text: str) -> object | None:
    """The tree of a JSON object or array, ``None`` for every other text (OUT-11, OUT-12).

    Numbers are ``bytes``, the characters they were written with: made without a call into Python, of which a long output would
    need a million, and no container, which the garbage collector would have to visit.
    """
    bare = text.strip()
    if not (bare.startswith("{") and bare.endswith("}")) and not (bare.startswith("[") and bare.endswith("]")):
        return None
    try:
        tree: object = json.loads(bare, parse_int=str.encode, parse_float=str.encode, parse_constant=_no_constant, object_pairs_hook=_pairs)
    except (ValueError, RecursionError):  # OUT-19: too deep to be walked is not structured
        return None
    return tree


def shorten_tree(tree: object, room: int, texts: Texts) -> str | None:
    """The body at the first step of the ladder that fits in ``room`` characters; ``None`` when the last does not (OUT-20)."""
    for elements, characters in LADDER:
        body = _Writer(elements, characters, room, texts).write(tree)
        if body is not None:
            return body
    return None


def _quote(text: str) -> str:
    return encode_basestring_ascii(text) if SURROGATE.search(text) else encode_basestring(text)


class _Writer:
    """One step of the ladder."""

    def __init__(self, elements: int | None, characters: int | None, room: int, texts: Texts) -> None:
        self.elements = elements
        self.characters = characters
        self.room = room
        self.texts = texts

    def write(self, tree: object) -> str | None:
        """The body, or ``None`` as soon as it is longer than the room."""
        out: list[str] = []
        total = 0
        stack: list[Iterator[object]] = [iter((tree,))]
        while stack:
            for item in stack[-1]:
                if isinstance(item, (list, dict)):
                    stack.append(self.members(item) if isinstance(item, dict) else self.items(item))
                    break
                piece = self.leaf(item)
                total += len(piece)
                if total > self.room:
                    return None
                out.append(piece)
            else:
                stack.pop()
        return "".join(out)

    def members(self, pairs: dict[str, Any]) -> Iterator[object]:
        lead = "{"
        for key, value in pairs.items():
            yield _Piece(f"{lead}{_quote(key)}:")
            yield value
            lead = ","
        yield _Piece("}" if pairs else "{}")

    def items(self, array: list[object]) -> Iterator[object]:
        kept = self.kept(array)
        lead = "["
        for index in range(kept):
            yield _Piece(lead)
            yield array[index]
            lead = ","
        if kept < len(array):
            yield _Piece(f"{lead}{self.array_mark(len(array) - kept)}]")
        else:
            yield _Piece("]" if array else "[]")

    def array_mark(self, count: int) -> str:
        return _quote(self.texts("tools.items_mark", count=grouped(count, self.texts)))

    def kept(self, array: list[object]) -> int:
        """How many elements stay: all of them where the mark would be longer than the tail it stands for."""
        if self.elements is None or len(array) <= self.elements:
            return len(array)
        room = len(self.array_mark(len(array) - self.elements))
        used = 0
        for index in range(self.elements, len(array)):
            if isinstance(array[index], (list, dict)):
                return self.elements
            used += 1 + len(self.leaf(array[index]))
            if used > room:
                return self.elements
        return len(array)

    def leaf(self, value: object) -> str:
        if isinstance(value, _Piece):
            return value
        if isinstance(value, bytes):
            return value.decode()
        if isinstance(value, str):
            return self.string(value)
        return "null" if value is None else "true" if value else "false"

    def string(self, text: str) -> str:
        """``text`` quoted; too long, its middle replaced by a mark that is shorter than what it replaces (OUT-16, OUT-18)."""
        limit = self.characters
        if limit is None and len(text) > self.room:
            return " " * (self.room + 1)  # never fits: spare the quoting
        if limit is None or len(text) <= limit:
            return _quote(text)
        mark = self.texts("tools.string_mark", count=grouped(len(text) - limit, self.texts))
        if limit + len(mark) >= len(text):
            return _quote(text)
        return _quote(f"{text[: limit - limit // 2]}{mark}{text[len(text) - limit // 2 :]}")

"""Markdown as Telegram's text with entities, in pieces that fit a message (CHN-22, FG-10, FG-13).

Entities travel beside the text, so there is no markup to escape or to leave open; lengths are UTF-16 units as Telegram counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from telegram import MessageEntity

TEXT_UNITS = 4096  # CHN-22
CAPTION_UNITS = 1024  # CHN-22
BORDERS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"\s+"))  # paragraph, line, word
KEEP = 0.5  # a border in the first half of a piece is passed over for a lower one


@dataclass(frozen=True, slots=True)
class Span:
    """One entity: ``kind`` as Telegram names it, ``start`` and ``end`` in characters of the text."""

    kind: str
    start: int
    end: int
    url: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """One message."""

    text: str
    spans: tuple[Span, ...] = ()

    def entities(self) -> list[MessageEntity]:
        """The spans as the library wants them, in UTF-16 units."""
        from telegram import MessageEntity

        def entity(span: Span) -> MessageEntity:
            offset, length = units(self.text[: span.start]), units(self.text[span.start : span.end])
            return MessageEntity(span.kind, offset, length, url=span.url, language=span.language)

        return [entity(span) for span in self.spans]


def units(text: str) -> int:
    """The length of ``text`` as Telegram counts: UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def rendered(markdown: str) -> Piece:
    """Markdown as text with entities. What the library cannot read stays as it was written."""
    from telegramify_markdown import convert
    from telegramify_markdown.config import RenderConfig

    config = RenderConfig.isolated()
    symbols = config.markdown_symbol
    symbols.heading_level_1 = symbols.heading_level_2 = symbols.heading_level_3 = symbols.heading_level_4 = ""
    symbols.unordered_list_item = "•"
    text, found = convert(markdown, latex_escape=False, config=config)
    places = _places(text)
    spans = [
        Span(entity.type, places[entity.offset], places[min(entity.offset + entity.length, len(places) - 1)], entity.url, entity.language)
        for entity in found
        if entity.offset < len(places)
    ]
    return Piece(text, tuple(spans))


def _places(text: str) -> list[int]:
    """For each UTF-16 unit the character it belongs to, and the end."""
    places: list[int] = []
    for index, character in enumerate(text):
        places += [index] * (2 if ord(character) > 0xFFFF else 1)
    return [*places, len(text)]


def split(piece: Piece, limit: int = TEXT_UNITS) -> Iterator[Piece]:
    """Pieces of at most ``limit`` units, cut at a paragraph, a line or a word, never inside an entity that fits into one piece."""
    start = 0
    while start < len(piece.text):
        end = _end(piece, start, limit)
        cut = _cut(piece, start, end) if end < len(piece.text) else end
        part = _part(piece, start, cut)
        if part.text:
            yield part
        start = cut


def _end(piece: Piece, start: int, limit: int) -> int:
    """The furthest end of a piece that begins at ``start``."""
    used = 0
    for index in range(start, len(piece.text)):
        used += 2 if ord(piece.text[index]) > 0xFFFF else 1
        if used > limit:
            return index
    return len(piece.text)


def _cut(piece: Piece, start: int, end: int) -> int:
    """The best place to cut in ``start`` < place ≤ ``end``."""
    least = start + int((end - start) * KEEP)
    for border in BORDERS:
        for found in reversed(list(border.finditer(piece.text, start + 1, end))):
            place = found.end() if found.end() <= end else found.start()
            if place > least and not _inside(piece.spans, place):
                return place
    crossed = [span.start for span in piece.spans if span.start < end < span.end and span.start > start]
    return min(crossed, default=end)


def _inside(spans: Sequence[Span], place: int) -> bool:
    return any(span.start < place < span.end for span in spans)


def _part(piece: Piece, start: int, end: int) -> Piece:
    """The text from ``start`` to ``end`` without white space around it, with the entities that lie in it."""
    text = piece.text[start:end]
    left = len(text) - len(text.lstrip("\n "))
    body = text.strip("\n ")
    begin, finish = start + left, start + left + len(body)
    spans = [
        Span(span.kind, max(span.start, begin) - begin, min(span.end, finish) - begin, span.url, span.language)
        for span in piece.spans
        if span.start < finish and span.end > begin
    ]
    return Piece(body, tuple(span for span in spans if span.end > span.start))

"""Which passages of a page belong to a question (PTL-104). Pure."""

from __future__ import annotations

import re
import unicodedata

PIECE_CHARS = 700  # a paragraph longer than this is weighed in pieces
SHORT_WORD = 2  # shorter ones say nothing, unless the question has no others
_WORD = re.compile(r"\w+")
_PARAGRAPH = re.compile(r"\n+")


def folded(text: str) -> str:
    """``text`` without accents and case, ``đ`` as ``d``, as the searches of the crew compare."""
    plain = unicodedata.normalize("NFD", text.casefold().replace("đ", "d"))
    return "".join(char for char in plain if not unicodedata.combining(char))


def words_of(query: str) -> frozenset[str]:
    """The words a passage is compared by."""
    words = frozenset(_WORD.findall(folded(query)))
    return frozenset(word for word in words if len(word) > SHORT_WORD) or words


def passages(text: str, query: str, most: int) -> str:
    """The passages of ``text`` with words of ``query``, those with most of them first to stay, in the order of the page; ``""``: none."""
    wanted = words_of(query)
    pieces = _pieces(text)
    ranked = sorted(((len(wanted & words_of_text(piece)), -place) for place, piece in enumerate(pieces)), reverse=True)
    kept: list[int] = []
    room = most
    for score, place in ranked:
        length = len(pieces[-place]) + 1
        if score and length <= room:
            kept.append(-place)
            room -= length
    return "\n".join(pieces[place] for place in sorted(kept))


def words_of_text(text: str) -> frozenset[str]:
    """Every word of a passage."""
    return frozenset(_WORD.findall(folded(text)))


def _pieces(text: str) -> list[str]:
    """Paragraphs, the long ones parted at spaces."""
    pieces = []
    for paragraph in _PARAGRAPH.split(text):
        rest = paragraph.strip()
        while len(rest) > PIECE_CHARS:
            end = rest.rfind(" ", 0, PIECE_CHARS)
            end = end if end > PIECE_CHARS // 2 else PIECE_CHARS
            pieces.append(rest[:end])
            rest = rest[end:].strip()
        if rest:
            pieces.append(rest)
    return pieces

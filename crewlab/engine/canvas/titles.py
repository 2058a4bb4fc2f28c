"""Titles: one line of visible text, and how they are compared and shown (CNV-8, CNV-36, CNV-38).

Signs that reorder or hide what stands around them would let a title pass for something else in a tag, a chip or a file name:
those that move text become spaces like line breaks do, those that show nothing are dropped. Right-to-left scripts and
joined emoji stay as they are.
"""

from __future__ import annotations

import unicodedata

TITLE_CHARS = 200  # CNV-8
SHOWN_CHARS = 160  # CNV-38, CNV-85, CNV-99
BREAKS = frozenset({"Cc", "Zl", "Zp"})
MOVES = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
HIDES = frozenset(
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060\u2061\u2062\u2063\u2064\u206a\u206b\u206c\u206d\u206e\u206f\u3164\ufeff\uffa0"
)
JOINS = frozenset("\u200c\u200d\ufe0e\ufe0f")  # inside words and emoji; alone they are nothing
TAGS = range(0xE0000, 0xE0080)


def _clean(letter: str) -> str:
    category = unicodedata.category(letter)
    if category in BREAKS or letter in MOVES:
        return " "
    return "" if category == "Cs" or letter in HIDES or ord(letter) in TAGS else letter


def clean_title(raw: str) -> str | None:
    """The title as it is stored; ``None`` when nothing visible is left or it is over 200 characters (CNV-8)."""
    title = "".join(map(_clean, raw)).strip()
    seen = any(not letter.isspace() and letter not in JOINS for letter in title)
    return title if seen and len(title) <= TITLE_CHARS else None


def shown(title: str) -> str:
    """The title, or a file's name, in one line of at most 160 characters."""
    line = " ".join("".join(map(_clean, title)).split())
    return line if len(line) <= SHOWN_CHARS else line[: SHOWN_CHARS - 1] + "…"


def fold(text: str) -> str:
    """``text`` for comparison: case and accents do not count, and đ counts as d (CNV-36)."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).replace("đ", "d")

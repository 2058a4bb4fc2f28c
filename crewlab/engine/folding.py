"""Words as people compare them: without case and accents, đ as d, whatever Unicode form they were typed in (MEM-6, MEM-17)."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"\w+")


def fold(text: str) -> str:
    """``text`` for comparing. Pure; two texts that differ in case, accents, đ or normal form alone fold to the same."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFD", text.casefold())
    kept = "".join(letter for letter in apart if unicodedata.category(letter) != "Mn")
    return unicodedata.normalize("NFC", kept).replace("đ", "d")


def keywords(query: str) -> list[str]:
    """The words of a query, folded, each once; what holds no letter and no digit is none."""
    return list(dict.fromkeys(word for word in fold(query).split() if _WORD.search(word)))


def words(text: str) -> list[str]:
    """Every word of a text, folded."""
    return _WORD.findall(fold(text))

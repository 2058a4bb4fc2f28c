"""Half characters from JSON escapes: an emoji split over two chunks arrives as two lone surrogates.

Neither SQLite nor a request can hold one, so halves are joined, and a half that stays alone becomes U+FFFD.
"""

from __future__ import annotations

from typing import Any

HIGH_FIRST, HIGH_LAST = "\ud800", "\udbff"


def mend(text: str) -> str:
    """``text`` with pairs of surrogates joined and lone ones replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def mend_value(value: Any) -> Any:
    """A JSON value with every text in it mended."""
    if isinstance(value, str):
        return mend(value)
    if isinstance(value, list):
        return [mend_value(item) for item in value]
    if isinstance(value, dict):
        return {mend(key): mend_value(item) for key, item in value.items()}
    return value


class SurrogateMender:
    """Joins halves across pieces: a high half at the end of a piece waits for the next one."""

    def __init__(self) -> None:
        self._half = ""

    def add(self, text: str) -> str:
        """What of ``text`` can be shown now."""
        if not text or (text.isascii() and not self._half):
            return text
        text = self._half + text
        self._half = ""
        if HIGH_FIRST <= text[-1] <= HIGH_LAST:
            text, self._half = text[:-1], text[-1]
        return mend(text)

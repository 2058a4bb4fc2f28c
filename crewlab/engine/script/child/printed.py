"""What a script prints: the beginning and the end are kept, never more than the limit (SCR-66, SCR-67)."""

from __future__ import annotations

import _codecs

from .limits import MAX_PRINTED
from .words import say


class Printed:
    """The printed text so far."""

    def __init__(self, limit: int = MAX_PRINTED) -> None:
        self._limit = limit
        self._head: list[str] = []
        self._room = limit
        self._tail: list[str] = []
        self._tail_size = 0
        self.total = 0
        self.at_line_start = True

    def write(self, text: str) -> None:
        """Add one piece."""
        if not text:
            return
        self.total += len(text)
        self.at_line_start = text[-1] == "\n"
        if self._room:
            kept = text[: self._room]
            self._head.append(kept)
            self._room -= len(kept)
            text = text[len(kept) :]
        if text:
            self._tail.append(text[-self._limit :])
            self._tail_size += len(self._tail[-1])
            if self._tail_size > 2 * self._limit:
                self._shorten()

    def _shorten(self) -> None:
        self._tail = ["".join(self._tail)[-self._limit :]]
        self._tail_size = len(self._tail[0])

    def result(self) -> str:
        """The text as it stands: whole, or head, marker and tail; one line break at the very end dropped (SCR-240)."""
        head = "".join(self._head)
        if self.total <= self._limit:
            return head.removesuffix("\n")
        rest = ("".join(self._tail))[-self._limit :].removesuffix("\n")
        share, marker = self._shares()
        end = (head + rest)[-share:] if len(rest) < share else rest[-share:]
        return head[:share] + marker + end

    def _shares(self) -> tuple[int, str]:
        marker = say("printed_marker", total=self.total, left=self.total)
        share = (self._limit - len(marker) - 2) // 2
        return share, "\n" + say("printed_marker", total=self.total, left=self.total - 2 * share) + "\n"


def _replacement(error: UnicodeError) -> tuple[bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    return b"\xef\xbf\xbd" * (error.end - error.start), error.end


_codecs.register_error("crewlab-script", _replacement)


def clean(text: str) -> str:
    """The text with lone surrogates replaced (SCR-70)."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "crewlab-script").decode()
    return text

"""Masking of secrets in exports, best effort and never promised (TURN-104 to TURN-106). Pure.

What is replaced: each secret, what a cut at the beginning or the end of a text or beside a ``…`` has left of it
(at least eight characters), and strings of known key shapes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

MASKED = "[masked]"  # TURN-104
SHORTEST = 8  # TURN-104, TURN-105
ELLIPSIS = "…"
_SHAPES = re.compile(  # TURN-104
    r"(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{8,}"
    r"|(?i:\bbearer)\s+[A-Za-z0-9._~+/=-]{8,}"
    r"|(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"
)

Span = tuple[int, int]


class Mask:
    """Masks one set of secrets; values shorter than eight characters are none."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = sorted(forms(secrets), key=lambda form: (-len(form), form))

    def text(self, text: str) -> str:
        """``text`` with every secret, and what cuts have left of one, as ``[masked]``."""
        if len(text) < SHORTEST:
            return text
        spans = [match.span() for match in _SHAPES.finditer(text)]
        pieces = _pieces(text)
        for secret in self._secrets:
            spans.extend(_whole(text, secret))
            near = pieces if ELLIPSIS not in secret else [(start, end, 0, len(text)) for start, end, _, _ in pieces]
            if secret[:SHORTEST] in text:
                spans.extend(span for _, end, low, _ in near if (span := _beginning(text, low, end, secret)))
            if secret[-SHORTEST:] in text:
                spans.extend(span for start, _, _, high in near if (span := _end(text, start, high, secret)))
        return _replaced(text, spans)

    def value(self, value: Any) -> Any:
        """A JSON value with every string in it masked, names of fields included."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {self.text(str(name)): self.value(item) for name, item in value.items()}
        return value


def forms(secrets: Iterable[str]) -> set[str]:
    """Every way in which one of the secrets may be written, those of at least eight characters."""
    return {form for secret in secrets for form in _forms(secret) if len(form) >= SHORTEST}


def _forms(secret: str) -> set[str]:
    """A secret as it is, and as it stands in JSON, in an address and on one line (TURN-84 collapses white space)."""
    return {secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], _quoted(secret), " ".join(secret.split())}


def _quoted(secret: str) -> str:
    return quote(secret.encode("utf-8", errors="replace"), safe="")


def _pieces(text: str) -> list[tuple[int, int, int, int]]:
    """What stands between two ``…`` or ends of the text (TURN-105): start and end, and how far a rest of a secret may reach."""
    marks = [match.start() for match in re.finditer(ELLIPSIS, text)]
    return [(start, end, start, end) for start, end in zip([0, *(mark + 1 for mark in marks)], [*marks, len(text)], strict=True)]


def _whole(text: str, secret: str) -> Iterator[Span]:
    at = text.find(secret)
    while at != -1:
        yield at, at + len(secret)
        at = text.find(secret, at + 1)


def _beginning(text: str, low: int, end: int, secret: str) -> Span | None:
    """The longest beginning of ``secret`` that ends at ``end`` and begins at ``low`` or later."""
    first = secret[:SHORTEST]
    at = text.find(first, max(low, end - len(secret) + 1), end)
    while at != -1:
        if text.startswith(secret[: end - at], at):
            return at, end
        at = text.find(first, at + 1, end)
    return None


def _end(text: str, start: int, high: int, secret: str) -> Span | None:
    """The longest end of ``secret`` that begins at ``start`` and ends at ``high`` or before."""
    last = secret[-SHORTEST:]
    at = text.rfind(last, start, min(high, start + len(secret) - 1))
    while at != -1:
        end = at + SHORTEST
        if text.startswith(secret[start - end :], start):
            return start, end
        at = text.rfind(last, start, end - 1)
    return None


def _replaced(text: str, spans: list[Span]) -> str:
    """``text`` with the spans masked; spans that overlap or touch are one."""
    if not spans:
        return text
    pieces: list[str] = []
    done = 0
    for start, end in _merged(spans):
        pieces += [text[done:start], MASKED]
        done = end
    return "".join([*pieces, text[done:]])


def _merged(spans: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged

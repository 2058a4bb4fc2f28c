"""Texts of the run record go into the copy masked (ANL-8, TURN-104).

DuckDB looks through a page for anything that could be a secret, or what a cut has left of one; only rows with such a place are
then masked by ``turn.masking``, the one place that knows how. The look-through may find too much, never too little.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from crewlab.engine.turn.masking import SHORTEST, Mask, forms

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_TEXTS = ("text", "reason", "error", "output", "arguments", "summary")
_BEFORE = r"(?:^|[^A-Za-z0-9]|\\[nrtbf]|\\u[0-9a-fA-F]{4})"  # in JSON a line break before a key is `\n`, whose `n` is no letter of it
_SHAPES = (_BEFORE + "sk-[A-Za-z0-9_-]{8}", r"(?i:bearer)(?:\s|\\)", _BEFORE + r"eyJ[A-Za-z0-9_-]{8}")
_LOOK = "SELECT rowid, head, steps FROM page WHERE regexp_matches(steps, $pattern) OR regexp_matches(head, $pattern)"


class Masker:
    """Masks JSON objects of the store before they are copied."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = list(secrets)
        self._mask = Mask(known)
        pieces = {end for form in forms(known) for end in (form[:SHORTEST], form[-SHORTEST:])}
        self._pattern = "|".join([*_SHAPES, *(_literal(piece) for piece in sorted(pieces))])

    def clean_page(self, con: DuckDBPyConnection) -> None:
        """Mask the rows of the table ``page`` in which something could be a secret."""
        for row, head, steps in con.execute(_LOOK, {"pattern": self._pattern}).fetchall():
            con.execute("UPDATE page SET head = ?, steps = ? WHERE rowid = ?", [self.masked(head), self.masked(steps), row])

    def masked(self, record: str) -> str:
        """A JSON object, or a list of them, with the free texts masked."""
        value = json.loads(record)
        found = [self._masked(one) for one in value] if isinstance(value, list) else self._masked(value)
        return json.dumps(found, ensure_ascii=False)

    def _masked(self, record: dict[str, Any]) -> dict[str, Any]:
        """The record with its free texts masked, and those of the records in it; ids and names stay."""
        found: dict[str, Any] = {}
        for name, value in record.items():
            if name in _TEXTS:
                found[name] = self._mask.value(value)
            elif name == "calls" and isinstance(value, list):
                found[name] = [self._masked(one) for one in value]
            else:
                found[name] = value
        return found


def _literal(text: str) -> str:
    """``text`` as DuckDB's regular expressions read it, also inside JSON."""
    return "".join(letter if letter.isalnum() or letter in "_ " else f"\\x{{{ord(letter):x}}}" for letter in text)

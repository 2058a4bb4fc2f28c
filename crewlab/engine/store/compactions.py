"""Table ``compactions``: what a model reads in place of old messages (CMP-6). Messages themselves never change."""

from __future__ import annotations

from crewlab.engine.records import Compaction
from crewlab.engine.store.db import Database, Row
from crewlab.engine.store.memory import Maybe

_COLUMNS = "id, through_seq, at_seq, text, tokens_before, tokens_after, created_at"


def _compaction(row: Row) -> Compaction:
    return Compaction.model_construct(**{name: row[name] for name in row.keys()})  # noqa: SIM118 - a Row iterates over its values


class Compactions:
    """Reads and writes of compactions; the newest of a conversation holds."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._maybe = Maybe(db, "SELECT DISTINCT conversation_id FROM compactions")

    def add(
        self, conversation_id: str, run_id: str, seqs: tuple[int, int], text: str, tokens: tuple[int, int], created_at: str
    ) -> Compaction:
        """Store one; ``seqs`` are the last message replaced and the last there was, ``tokens`` before and after."""
        self._maybe.add(conversation_id)
        rows = self._db.write(
            "INSERT INTO compactions (conversation_id, run_id, through_seq, at_seq, text, tokens_before, tokens_after, created_at)"
            f" VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING {_COLUMNS}",
            (conversation_id, run_id, *seqs, text, *tokens, created_at),
        )
        return _compaction(rows[0])

    def list(self, conversation_id: str) -> list[Compaction]:
        """Those that hold or held, oldest first."""
        return [
            _compaction(row)
            for row in self._db.rows(f"SELECT {_COLUMNS} FROM compactions WHERE conversation_id = ? ORDER BY id", (conversation_id,))
        ]

    def newest(self, conversation_id: str) -> Compaction | None:
        """The one that holds, if any."""
        if self._maybe.none(conversation_id):
            return None
        row = self._db.row(f"SELECT {_COLUMNS} FROM compactions WHERE conversation_id = ? ORDER BY id DESC LIMIT 1", (conversation_id,))
        if row is None:
            self._maybe.found_none(conversation_id)
            return None
        return _compaction(row)

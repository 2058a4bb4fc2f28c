"""Table ``compactions``: what a model reads in place of old messages (CMP-6). Messages themselves never change."""

from __future__ import annotations

from crewlab.engine.records import Compaction
from crewlab.engine.store.db import Database, Row


def _compaction(row: Row) -> Compaction:
    return Compaction(
        id=row["id"],
        through_seq=row["through_seq"],
        at_seq=row["at_seq"],
        text=row["text"],
        tokens_before=row["tokens_before"],
        tokens_after=row["tokens_after"],
        created_at=row["created_at"],
    )


class Compactions:
    """Reads and writes of compactions. A row without a text is an attempt that freed nothing (CMP-7)."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(
        self, conversation_id: str, run_id: str, seqs: tuple[int, int], text: str | None, tokens: tuple[int, int], created_at: str
    ) -> Compaction | None:
        """Store one; ``seqs`` are the last message replaced and the last there was, ``tokens`` before and after."""
        row = self._db.write(
            "INSERT INTO compactions (conversation_id, run_id, through_seq, at_seq, text, tokens_before, tokens_after, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING *",
            (conversation_id, run_id, *seqs, text, *tokens, created_at),
        )[0]
        return _compaction(row) if text is not None else None

    def list(self, conversation_id: str) -> list[Compaction]:
        """Those that hold or held, oldest first."""
        rows = self._db.rows("SELECT * FROM compactions WHERE conversation_id = ? AND text IS NOT NULL ORDER BY id", (conversation_id,))
        return [_compaction(row) for row in rows]

    def newest(self, conversation_id: str) -> Compaction | None:
        """The one that holds, if any."""
        row = self._db.row(
            "SELECT * FROM compactions WHERE conversation_id = ? AND text IS NOT NULL ORDER BY id DESC LIMIT 1", (conversation_id,)
        )
        return _compaction(row) if row else None

    def tried_through(self, conversation_id: str) -> int:
        """The highest ``seq`` up to which a compaction was ever tried (CMP-7)."""
        row = self._db.row("SELECT coalesce(max(through_seq), 0) AS seq FROM compactions WHERE conversation_id = ?", (conversation_id,))
        return int(row["seq"]) if row else 0

    def runs(self, conversation_id: str) -> set[str]:
        """The runs that have tried one: once per turn (CMP-2)."""
        return {row["run_id"] for row in self._db.rows("SELECT run_id FROM compactions WHERE conversation_id = ?", (conversation_id,))}

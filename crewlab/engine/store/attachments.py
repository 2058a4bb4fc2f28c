"""Table ``attachments``: files given to a conversation (PTL-89, PTL-90). The bytes lie in the home."""

from __future__ import annotations

from dataclasses import dataclass

from crewlab.engine.store.db import Database, Row

ATTACHMENTS = (
    """CREATE TABLE attachments (
        id TEXT PRIMARY KEY,
        conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        type TEXT NOT NULL,
        size INTEGER NOT NULL,
        path TEXT,
        chars INTEGER,
        indexed INTEGER NOT NULL DEFAULT 0,
        error TEXT,
        created_at TEXT NOT NULL
    )""",
    "CREATE INDEX attachments_by_conversation ON attachments(conversation_id, created_at)",
)


@dataclass(frozen=True, slots=True)
class StoredAttachment:
    """One attached file. ``name`` is cleaned; ``path`` is its absolute place in the inbox, ``None`` when it has none there."""

    id: str
    conversation_id: str
    name: str
    type: str
    size: int
    path: str | None
    chars: int | None
    created_at: str
    indexed: bool = False
    error: str | None = None


def _attachment(row: Row) -> StoredAttachment:
    return StoredAttachment(
        id=row["id"],
        conversation_id=row["conversation_id"],
        name=row["name"],
        type=row["type"],
        size=row["size"],
        path=row["path"],
        chars=row["chars"],
        created_at=row["created_at"],
        indexed=bool(row["indexed"]),
        error=row["error"],
    )


class Attachments:
    """Reads and writes of attached files."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def insert(self, file: StoredAttachment) -> None:
        """Store one row."""
        self._db.write(
            "INSERT INTO attachments (id, conversation_id, name, type, size, path, chars, indexed, error, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                *(file.id, file.conversation_id, file.name, file.type, file.size, file.path),
                *(file.chars, int(file.indexed), file.error, file.created_at),
            ),
        )

    def list(self, conversation_id: str) -> list[StoredAttachment]:
        """Those of a conversation, in the order they came."""
        rows = self._db.rows("SELECT * FROM attachments WHERE conversation_id = ? ORDER BY created_at, rowid", (conversation_id,))
        return [_attachment(row) for row in rows]

    def get(self, conversation_id: str, attachment_id: str) -> StoredAttachment | None:
        """One of this very conversation."""
        row = self._db.row("SELECT * FROM attachments WHERE conversation_id = ? AND id = ?", (conversation_id, attachment_id))
        return _attachment(row) if row else None

    def count(self, conversation_id: str) -> int:
        """How many a conversation has."""
        row = self._db.row("SELECT count(*) AS n FROM attachments WHERE conversation_id = ?", (conversation_id,))
        return int(row["n"]) if row else 0

    def delete(self, attachment_id: str) -> None:
        """Take the row away."""
        self._db.write("DELETE FROM attachments WHERE id = ?", (attachment_id,))

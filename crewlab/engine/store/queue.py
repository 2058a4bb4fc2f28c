"""Table ``queued_messages``: what waits for the running turn to end (QUE)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from crewlab.engine.records import AttachedFile, QueuedItem, QueueKind
from crewlab.engine.store.db import Database, Row
from crewlab.engine.store.memory import Maybe


@dataclass(frozen=True, slots=True)
class Waiting:
    """A waiting message with what its turn will need."""

    item_id: int
    kind: QueueKind
    text: str
    source: str
    timezone: str | None
    request_id: str | None
    created_at: str
    attachments: tuple[str, ...] = ()


def _waiting(row: Row) -> Waiting:
    attachments = tuple(json.loads(row["attachments"]))
    return Waiting(
        row["item_id"], row["kind"], row["text"], row["source"], row["timezone"], row["request_id"], row["created_at"], attachments
    )


class Queue:
    """Reads and writes of waiting messages."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._maybe = Maybe(db, "SELECT DISTINCT conversation_id FROM queued_messages")

    def add(
        self,
        conversation_id: str,
        kind: QueueKind,
        text: str,
        source: str,
        timezone: str | None,
        request_id: str | None,
        created_at: str,
        attachments: Sequence[str] = (),
    ) -> int:
        """Store a waiting message; returns its ``item_id``."""
        self._maybe.add(conversation_id)
        rows = self._db.write(
            "INSERT INTO queued_messages (conversation_id, kind, text, source, timezone, request_id, created_at, attachments)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING item_id",
            (conversation_id, kind, text, source, timezone, request_id, created_at, json.dumps(list(attachments))),
        )
        return int(rows[0]["item_id"])

    def waiting(self, conversation_id: str, kind: QueueKind | None = None) -> list[Waiting]:
        """Waiting messages in the order they were sent."""
        if self._maybe.none(conversation_id):
            return []
        rows = self._db.rows(
            "SELECT * FROM queued_messages WHERE conversation_id = ? AND (? IS NULL OR kind = ?) ORDER BY item_id",
            (conversation_id, kind, kind),
        )
        if not rows and kind is None:
            self._maybe.found_none(conversation_id)
        return [_waiting(row) for row in rows]

    def items(self, conversation_id: str) -> list[QueuedItem]:
        """The same as faces see it, with positions from 1."""
        return [
            QueuedItem(
                item_id=w.item_id,
                kind=w.kind,
                text=w.text,
                position=place,
                created_at=w.created_at,
                attachments=self._files(w.attachments),
            )
            for place, w in enumerate(self.waiting(conversation_id), start=1)
        ]

    def count(self, conversation_id: str) -> int:
        """How many messages wait."""
        row = self._db.row("SELECT count(*) AS n FROM queued_messages WHERE conversation_id = ?", (conversation_id,))
        return int(row["n"]) if row else 0

    def by_request(self, conversation_id: str, request_id: str) -> QueuedItem | None:
        """The waiting message sent under this name, if any (TURN-45)."""
        found = [w.item_id for w in self.waiting(conversation_id) if w.request_id == request_id]
        return next((item for item in self.items(conversation_id) if found and item.item_id == found[0]), None)

    def remove(self, item_ids: list[int]) -> None:
        """Take messages out of the queue; call it in the transaction that puts them into the log (QUE-12)."""
        for item_id in item_ids:
            self._db.write("DELETE FROM queued_messages WHERE item_id = ?", (item_id,))

    def clear(self, conversation_id: str) -> list[QueuedItem]:
        """Take everything out (QUE-19); returns it in the order it was sent."""
        with self._db.transaction():
            items = self.items(conversation_id)
            self._db.write("DELETE FROM queued_messages WHERE conversation_id = ?", (conversation_id,))
        return items

    def _files(self, ids: Iterable[str]) -> list[AttachedFile]:
        """Those that are still there."""
        rows = [self._db.row("SELECT id, name, type, size FROM attachments WHERE id = ?", (each,)) for each in ids]
        return [AttachedFile(id=row["id"], name=row["name"], type=row["type"], size=row["size"]) for row in rows if row is not None]

    def conversations(self) -> list[str]:
        """Every conversation with a waiting message (QUE-13)."""
        return [row["conversation_id"] for row in self._db.rows("SELECT DISTINCT conversation_id FROM queued_messages")]

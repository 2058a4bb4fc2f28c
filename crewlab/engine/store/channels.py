"""What a channel remembers: its place in the stream of updates, and what has to be sent (CHN-6, CHN-23, JOB-41)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from crewlab.engine.store.db import Database, Row

KEPT_UPDATES = 1000  # ids of updates that were taken, newest kept: Telegram itself keeps a day of them

CHANNELS: tuple[str, ...] = (
    """CREATE TABLE channel_state (
        channel TEXT NOT NULL,
        key TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (channel, key)
    ) WITHOUT ROWID""",
    """CREATE TABLE channel_updates (
        channel TEXT NOT NULL,
        update_id INTEGER NOT NULL,
        PRIMARY KEY (channel, update_id)
    ) WITHOUT ROWID""",
    """CREATE TABLE outbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        channel TEXT NOT NULL,
        kind TEXT NOT NULL,
        run_id TEXT NOT NULL,
        agent_id TEXT NOT NULL,
        conversation_id TEXT,
        text TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('pending', 'sending', 'sent', 'failed', 'unknown')),
        parts INTEGER NOT NULL DEFAULT 0,
        error TEXT,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        UNIQUE (channel, kind, run_id)
    )""",
    "CREATE INDEX outbox_open ON outbox(channel, id) WHERE status IN ('pending', 'sending')",
)
"""The statements of the migration."""

OutboxStatus = Literal["pending", "sending", "sent", "failed", "unknown"]


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One message that has to reach the person; ``parts`` of it are known to be there."""

    id: int
    kind: str
    run_id: str
    agent_id: str
    conversation_id: str | None
    text: str
    status: OutboxStatus
    parts: int
    error: str | None


def _outgoing(row: Row) -> Outgoing:
    return Outgoing(**{name: row[name] for name in Outgoing.__slots__})


class Channel:
    """The rows of one channel."""

    def __init__(self, db: Database, name: str) -> None:
        self._db = db
        self._name = name

    def get(self, key: str) -> str | None:
        """A value, or ``None``."""
        row = self._db.row("SELECT value FROM channel_state WHERE channel = ? AND key = ?", (self._name, key))
        return str(row["value"]) if row else None

    def set(self, key: str, value: str) -> None:
        """Write a value."""
        self._db.write(
            "INSERT INTO channel_state (channel, key, value) VALUES (?, ?, ?)"
            " ON CONFLICT (channel, key) DO UPDATE SET value = excluded.value",
            (self._name, key, value),
        )

    def take(self, update_id: int) -> bool:
        """Record that an update is being handled; false when it was before (FG-1, FG-2)."""
        rows = self._db.write(
            "INSERT INTO channel_updates (channel, update_id) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING update_id",
            (self._name, update_id),
        )
        self._db.write(
            "DELETE FROM channel_updates WHERE channel = ? AND update_id <= (SELECT update_id FROM channel_updates WHERE channel = ?"
            " ORDER BY update_id DESC LIMIT 1 OFFSET ?)",
            (self._name, self._name, KEPT_UPDATES),
        )
        return bool(rows)

    def put(self, kind: str, run_id: str, agent_id: str, conversation_id: str | None, text: str, now: str) -> bool:
        """Add a message to be sent; false when the run has one of this kind already."""
        rows = self._db.write(
            "INSERT INTO outbox (channel, kind, run_id, agent_id, conversation_id, text, status, created_at, updated_at)"
            " VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?) ON CONFLICT DO NOTHING RETURNING id",
            (self._name, kind, run_id, agent_id, conversation_id, text, now, now),
        )
        return bool(rows)

    def waiting(self) -> list[Outgoing]:
        """What has to be sent, in order; also what an earlier process was sending."""
        rows = self._db.rows("SELECT * FROM outbox WHERE channel = ? AND status IN ('pending', 'sending') ORDER BY id", (self._name,))
        return [_outgoing(row) for row in rows]

    def mark(self, outgoing_id: int, status: OutboxStatus, parts: int, error: str | None, now: str) -> None:
        """How far the sending of one message has come."""
        values = (status, parts, error, now, outgoing_id)
        self._db.write("UPDATE outbox SET status = ?, parts = ?, error = ?, updated_at = ? WHERE id = ?", values)

    def of_run(self, run_id: str) -> list[Outgoing]:
        """What was to be sent of a run."""
        rows = self._db.rows("SELECT * FROM outbox WHERE channel = ? AND run_id = ? ORDER BY id", (self._name, run_id))
        return [_outgoing(row) for row in rows]

    def undelivered(self, source: str, since: str) -> list[str]:
        """Runs of ``source`` that ended after ``since`` and have nothing in the outbox, oldest first (RES-9)."""
        rows = self._db.rows(
            "SELECT id FROM runs WHERE source = ? AND status IN ('done', 'halted', 'error') AND ended_at > ? AND NOT EXISTS"
            " (SELECT 1 FROM outbox WHERE outbox.channel = ? AND outbox.run_id = runs.id) ORDER BY ended_at",
            (source, since, self._name),
        )
        return [str(row["id"]) for row in rows]

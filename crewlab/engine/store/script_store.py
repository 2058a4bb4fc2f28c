"""Table ``script_store``: what scripts keep for later runs (STO-22).

Rows of a ``conv:`` namespace go with their conversation by a trigger, hence in the very transaction that deletes it (STO-26).
Nothing here measures text: SQLite stops counting at a NUL, so the lengths are taken in Python (STO-5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from crewlab.engine.store.db import Database, Row

CONVERSATION = "conv:"
JOB = "job:"

SCRIPT_STORE = (
    """CREATE TABLE script_store (
        agent_id TEXT NOT NULL,
        namespace TEXT NOT NULL,
        key TEXT NOT NULL,
        value_json TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        PRIMARY KEY (agent_id, namespace, key)
    )""",
    f"""CREATE TRIGGER script_store_of_conversation AFTER DELETE ON conversations BEGIN
        DELETE FROM script_store WHERE agent_id = OLD.agent_id AND namespace = '{CONVERSATION}' || OLD.id;
    END""",
)
"""The statements of the migration."""

_COLUMNS = "namespace, key, value_json, updated_at"


class StoredValue(NamedTuple):
    """One row of an agent."""

    namespace: str
    key: str
    text: str
    updated_at: str


def _value(row: Row) -> StoredValue:
    return StoredValue(row["namespace"], row["key"], row["value_json"], row["updated_at"])


class ScriptStore:
    """Reads and writes of what scripts keep. Every call names the agent: rows of another are never touched (STO-25)."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def namespace(self, agent_id: str, namespace: str) -> dict[str, str]:
        """Key to JSON text of one namespace."""
        rows = self._db.rows("SELECT key, value_json FROM script_store WHERE agent_id = ? AND namespace = ?", (agent_id, namespace))
        return {row["key"]: row["value_json"] for row in rows}

    def all(self, agent_id: str) -> Iterator[StoredValue]:
        """Every row of an agent, by namespace and key in the order of code points, one key at a time: together they may be large."""
        names = self._db.rows("SELECT namespace, key FROM script_store WHERE agent_id = ? ORDER BY namespace, key", (agent_id,))
        for name in names:
            value = self.value(agent_id, name["namespace"], name["key"])
            if value is not None:
                yield value

    def value(self, agent_id: str, namespace: str, key: str) -> StoredValue | None:
        """One row, or ``None``."""
        row = self._db.row(
            f"SELECT {_COLUMNS} FROM script_store WHERE agent_id = ? AND namespace = ? AND key = ?", (agent_id, namespace, key)
        )
        return _value(row) if row else None

    def can_stand(self, namespace: str) -> bool:
        """Whether what the namespace belongs to is there: ``False`` for one of a conversation that was deleted (STO-21)."""
        if not namespace.startswith(CONVERSATION):
            return True
        return self._db.row("SELECT 1 FROM conversations WHERE id = ?", (namespace.removeprefix(CONVERSATION),)) is not None

    def apply(self, agent_id: str, namespace: str, writes: Mapping[str, str | None], now: str) -> None:
        """Write these keys, ``None`` removes one; all of it or nothing."""
        with self._db.transaction():
            for key, text in writes.items():
                if text is None:
                    self.forget(agent_id, namespace, key)
                else:
                    self._db.write(
                        f"INSERT INTO script_store (agent_id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (agent_id, namespace, key)"
                        " DO UPDATE SET value_json = excluded.value_json, updated_at = excluded.updated_at",
                        (agent_id, namespace, key, text, now),
                    )

    def forget(self, agent_id: str, namespace: str, key: str | None = None) -> int:
        """Remove one key, or with ``None`` the whole namespace; how many values are lost (STO-36)."""
        rows = self._db.write(
            "DELETE FROM script_store WHERE agent_id = :agent AND namespace = :space AND (:key IS NULL OR key = :key) RETURNING 1",
            {"agent": agent_id, "space": namespace, "key": key},
        )
        return len(rows)

    def forget_agent(self, agent_id: str) -> None:
        """An agent was removed: all it kept goes (STO-39)."""
        self._db.write("DELETE FROM script_store WHERE agent_id = ?", (agent_id,))

"""Table ``conversations``."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from crewlab.engine.records import ForkedFrom, Tier
from crewlab.engine.store.db import Database, Row
from crewlab.engine.store.memory import Rows

PATCHABLE = frozenset({"title", "title_source", "autonomous", "auto_approve", "skills", "plan", "vibe", "cost_cap_usd"})
_JSON = frozenset({"auto_approve", "skills"})
# What delegation opens has a parent call and is left out of lists (TURN-14)
_SELECT = "SELECT c.*, f.title AS forked_title FROM conversations c LEFT JOIN conversations f ON f.id = c.forked_from"


@dataclass(slots=True)
class StoredConversation:
    """A row of ``conversations``. Read only: this family alone keeps it as the table is."""

    id: str
    agent_id: str
    title: str
    title_source: str
    source: str
    autonomous: bool
    auto_approve: list[str]
    skills: list[str]
    plan: bool
    vibe: bool
    tier_cap: Tier
    cost_cap_usd: float
    spent_usd: float
    unknown_cost_calls: int
    delegated_usd: float
    approval_ttl_seconds: int | None
    forked_from: ForkedFrom | None
    parent_id: str | None
    parent_call_id: str | None
    created_at: str
    updated_at: str


def _conversation(row: Row) -> StoredConversation:
    forked = ForkedFrom(id=row["forked_from"], title=row["forked_title"] or "") if row["forked_from"] else None
    return StoredConversation(
        id=row["id"],
        agent_id=row["agent_id"],
        title=row["title"],
        title_source=row["title_source"],
        source=row["source"],
        autonomous=bool(row["autonomous"]),
        auto_approve=json.loads(row["auto_approve"]),
        skills=json.loads(row["skills"]),
        plan=bool(row["plan"]),
        vibe=bool(row["vibe"]),
        tier_cap=row["tier_cap"],
        cost_cap_usd=row["cost_cap_usd"],
        spent_usd=row["spent_usd"],
        unknown_cost_calls=row["unknown_cost_calls"],
        delegated_usd=row["delegated_usd"],
        approval_ttl_seconds=row["approval_ttl_seconds"],
        forked_from=forked,
        parent_id=row["parent_id"],
        parent_call_id=row["parent_call_id"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


class Conversations:
    """Reads and writes of conversations."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self.on_delete: Callable[[str], None] = lambda _conversation_id: None
        self._rows: Rows[StoredConversation] = Rows(db)

    def insert(self, row: dict[str, Any]) -> None:
        """Store a new conversation; ``row`` maps column names to values (lists become JSON)."""
        values = {name: json.dumps(value) if name in _JSON else value for name, value in row.items()}
        names = ", ".join(values)
        marks = ", ".join(f":{name}" for name in values)
        self._db.write(f"INSERT INTO conversations ({names}) VALUES ({marks})", values)

    def get(self, conversation_id: str) -> StoredConversation | None:
        """The conversation, or ``None``."""
        known = self._rows.get(conversation_id)
        if known is None:
            row = self._db.row(f"{_SELECT} WHERE c.id = ?", (conversation_id,))
            if row is None:
                return None
            known = _conversation(row)
            if known.forked_from is None and known.parent_id is None:  # else the row changes with the one it names
                self._rows.put(conversation_id, known)
        return known

    def list(self, agent_id: str, limit: int, before: str | None) -> list[StoredConversation]:
        """Newest ``updated_at`` first; children of delegation are left out (TURN-14)."""
        rows = self._db.rows(
            f"{_SELECT} WHERE c.agent_id = ? AND c.parent_id IS NULL AND c.parent_call_id IS NULL AND (? IS NULL OR c.updated_at < ?)"
            " ORDER BY c.updated_at DESC, c.id DESC LIMIT ?",
            (agent_id, before, before, limit),
        )
        return [_conversation(row) for row in rows]

    def patch(self, conversation_id: str, changes: dict[str, Any], updated_at: str) -> None:
        """Change columns of ``PATCHABLE`` by a person and move ``updated_at`` (TURN-21)."""
        unknown = set(changes) - PATCHABLE
        if unknown:
            raise ValueError(f"not patchable: {sorted(unknown)!r}")
        values = {name: json.dumps(value) if name in _JSON else value for name, value in changes.items()}
        sets = ", ".join(f"{name} = :{name}" for name in values)
        self._db.write(
            f"UPDATE conversations SET {sets}, updated_at = :_now WHERE id = :_id", {**values, "_now": updated_at, "_id": conversation_id}
        )
        self._rows.drop(conversation_id)

    def touch(self, conversation_id: str, updated_at: str) -> None:
        """Move ``updated_at`` alone."""
        self._db.write("UPDATE conversations SET updated_at = ? WHERE id = ?", (updated_at, conversation_id))
        known = self._rows.get(conversation_id)
        if known is not None:
            known.updated_at = updated_at

    def name_first(self, conversation_id: str, title: str) -> None:
        """Give an untitled conversation its first words (TURN-56)."""
        self._db.write("UPDATE conversations SET title = ? WHERE id = ? AND title = ''", (title, conversation_id))
        known = self._rows.get(conversation_id)
        if known is not None:
            known.title = known.title or title

    def spend(self, conversation_id: str, cost_usd: float | None, updated_at: str) -> tuple[float, int]:
        """Add one call to the conversation's money (DB-9); returns ``spent_usd`` and ``unknown_cost_calls``."""
        unknown = 1 if cost_usd is None else 0
        rows = self._db.write(
            "UPDATE conversations SET spent_usd = spent_usd + ?, unknown_cost_calls = unknown_cost_calls + ?, updated_at = ?"
            " WHERE id = ? RETURNING spent_usd, unknown_cost_calls",
            (cost_usd or 0.0, unknown, updated_at, conversation_id),
        )
        if not rows:
            return 0.0, 0
        spent, calls = rows[0]
        known = self._rows.get(conversation_id)
        if known is not None:
            known.spent_usd, known.unknown_cost_calls, known.updated_at = spent, calls, updated_at
        return spent, calls

    def delete(self, conversation_id: str) -> bool:
        """Delete the conversation with everything that cascades from it; ``False`` if it was not there."""
        self._rows.drop(conversation_id)
        self.on_delete(conversation_id)
        return bool(self._db.write("DELETE FROM conversations WHERE id = ? RETURNING id", (conversation_id,)))

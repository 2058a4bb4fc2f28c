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


@dataclass(frozen=True, slots=True)
class Charge:
    """Money of several calls: known dollars, how many calls have no known price, how many of the known ones are estimates.

    ``delegated_usd`` is the part of ``usd`` that child conversations spent (COST-7). ``child``: all of it, and the child's own
    run has it already, so that the parent's run does not add it again (DLG-68).
    """

    usd: float = 0.0
    unknown: int = 0
    estimated: int = 0
    delegated_usd: float = 0.0
    child: bool = False

    def __add__(self, other: Charge) -> Charge:
        return Charge(
            self.usd + other.usd,
            self.unknown + other.unknown,
            self.estimated + other.estimated,
            self.delegated_usd + other.delegated_usd,
        )


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
    estimated_cost_calls: int
    delegated_usd: float
    approval_ttl_seconds: int | None
    forked_from: ForkedFrom | None
    parent_id: str | None
    parent_call_id: str | None
    root_id: str | None
    chain_source: str | None
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
        estimated_cost_calls=row["estimated_cost_calls"],
        delegated_usd=row["delegated_usd"],
        approval_ttl_seconds=row["approval_ttl_seconds"],
        forked_from=forked,
        parent_id=row["parent_id"],
        parent_call_id=row["parent_call_id"],
        root_id=row["root_id"],
        chain_source=row["chain_source"],
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

    def spend(self, conversation_id: str, cost_usd: float | None, updated_at: str, *, estimated: bool = False) -> tuple[float, int]:
        """Add one call to the conversation's money (DB-9); returns ``spent_usd`` and ``unknown_cost_calls``."""
        charge = Charge(cost_usd or 0.0, unknown=int(cost_usd is None), estimated=int(estimated and cost_usd is not None))
        return self.charge(conversation_id, charge, updated_at)

    def charge(self, conversation_id: str, charge: Charge, updated_at: str | None) -> tuple[float, int]:
        """Add what several calls have cost; with ``updated_at`` ``None`` the conversation does not move (TURN-21)."""
        rows = self._db.write(
            "UPDATE conversations SET spent_usd = spent_usd + ?, unknown_cost_calls = unknown_cost_calls + ?,"
            " estimated_cost_calls = estimated_cost_calls + ?, delegated_usd = delegated_usd + ?, updated_at = coalesce(?, updated_at)"
            " WHERE id = ? RETURNING spent_usd, unknown_cost_calls, estimated_cost_calls, delegated_usd, updated_at",
            (charge.usd, charge.unknown, charge.estimated, charge.delegated_usd, updated_at, conversation_id),
        )
        if not rows:
            return 0.0, 0
        spent, calls, estimated, delegated, moved = rows[0]
        known = self._rows.get(conversation_id)
        if known is not None:
            known.spent_usd, known.unknown_cost_calls, known.updated_at = spent, calls, moved
            known.estimated_cost_calls, known.delegated_usd = estimated, delegated
        return spent, calls

    def retitle(self, conversation_id: str, title: str) -> bool:
        """A model's title in place of the first words, never of a person's; does not move it (TURN-56, TURN-21)."""
        sql = "UPDATE conversations SET title = ?, title_source = 'model' WHERE id = ? AND title_source = 'first_words' RETURNING id"
        taken = bool(self._db.write(sql, (title, conversation_id)))
        self._rows.drop(conversation_id)
        return taken

    def summarise(self, conversation_id: str, summary: str, through_seq: int) -> None:
        """Store the session summary with the ``seq`` it covers; does not move the conversation (TURN-57, TURN-21)."""
        sql = "UPDATE conversations SET summary = ?, summary_through_seq = ? WHERE id = ?"
        self._db.write(sql, (summary, through_seq, conversation_id))

    def summary_of(self, conversation_id: str) -> tuple[str | None, int]:
        """The session summary and the ``seq`` it covers, 0 when there is none."""
        row = self._db.row("SELECT summary, summary_through_seq FROM conversations WHERE id = ?", (conversation_id,))
        return (row["summary"], row["summary_through_seq"] or 0) if row else (None, 0)

    def chain_source(self, conversation_id: str) -> str | None:
        """The source of the turn that opened the chain this conversation belongs to; ``None`` when it is not known (MEM-13)."""
        row = self._db.row("SELECT chain_source FROM conversations WHERE id = ?", (conversation_id,))
        return row["chain_source"] if row else None

    def previous(self, agent_id: str, created_at: str, without: str | None) -> str | None:
        """The agent's conversation that was opened last before ``created_at``, children left out (TURN-75)."""
        row = self._db.row(
            "SELECT id FROM conversations WHERE agent_id = ? AND created_at < ? AND id IS NOT ? AND parent_id IS NULL"
            " AND parent_call_id IS NULL ORDER BY created_at DESC, id DESC LIMIT 1",
            (agent_id, created_at, without),
        )
        return str(row["id"]) if row else None

    def before(self, agent_id: str, conversation_id: str) -> str | None:
        """The agent's conversation that was changed last, other than this one and children (TURN-57)."""
        row = self._db.row(
            "SELECT id FROM conversations WHERE agent_id = ? AND id <> ? AND parent_id IS NULL AND parent_call_id IS NULL"
            " ORDER BY updated_at DESC, id DESC LIMIT 1",
            (agent_id, conversation_id),
        )
        return str(row["id"]) if row else None

    def delete(self, conversation_id: str) -> bool:
        """Delete the conversation with everything that cascades from it; ``False`` if it was not there."""
        self._rows.drop(conversation_id)
        self.on_delete(conversation_id)
        return bool(self._db.write("DELETE FROM conversations WHERE id = ? RETURNING id", (conversation_id,)))

"""Table ``memory_proposals``: what would be remembered if a person agrees (MEMF-10)."""

from __future__ import annotations

from crewlab.engine.memory_records import MemoryProposal, ProposalStatus
from crewlab.engine.store.db import Database, Row

_COLUMNS = "id, agent_id, conversation_id, operation, target, before_text, after_text, reason, run_id, status, created_at, decided_at"
LISTED = 500  # most proposals in one answer


def _proposal(row: Row) -> MemoryProposal:
    return MemoryProposal.model_construct(**{name: row[name] for name in row.keys()})  # noqa: SIM118 - a Row iterates over its values


class Proposals:
    """Reads and writes of proposals."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def insert(self, proposal: MemoryProposal) -> None:
        """Store one; a pending one of the same agent for the same target gives way to it (MEMF-14)."""
        with self._db.transaction():
            self._db.write(
                "DELETE FROM memory_proposals WHERE agent_id = ? AND target = ? AND status = 'pending'",
                (proposal.agent_id, proposal.target),
            )
            marks = ", ".join(f":{name}" for name in _COLUMNS.split(", "))
            self._db.write(f"INSERT INTO memory_proposals ({_COLUMNS}) VALUES ({marks})", proposal.model_dump())

    def get(self, proposal_id: str) -> MemoryProposal | None:
        """One proposal."""
        row = self._db.row(f"SELECT {_COLUMNS} FROM memory_proposals WHERE id = ?", (proposal_id,))
        return _proposal(row) if row else None

    def list(self, status: ProposalStatus | None) -> list[MemoryProposal]:
        """Newest first (MEMF-17)."""
        rows = self._db.rows(
            f"SELECT {_COLUMNS} FROM memory_proposals WHERE ? IS NULL OR status = ? ORDER BY created_at DESC, rowid DESC LIMIT ?",
            (status, status, LISTED),
        )
        return [_proposal(row) for row in rows]

    def count_pending(self, agent_id: str, target: str) -> int:
        """How many of the agent's proposals wait for other targets than this one, whose own gives way (MEMF-14)."""
        row = self._db.row(
            "SELECT count(*) FROM memory_proposals WHERE agent_id = ? AND target <> ? AND status = 'pending'", (agent_id, target)
        )
        return int(row[0]) if row else 0

    def move(self, proposal_id: str, before: ProposalStatus, after: ProposalStatus, decided_at: str) -> bool:
        """Change the status of one that still is ``before``; ``False`` when somebody else was first."""
        sql = "UPDATE memory_proposals SET status = ?, decided_at = ? WHERE id = ? AND status = ? RETURNING id"
        return bool(self._db.write(sql, (after, decided_at, proposal_id, before)))

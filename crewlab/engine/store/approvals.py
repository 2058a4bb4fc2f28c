"""Table ``approvals``. Closing one is a compare-and-set on ``status = 'pending'`` (TURN-52)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from crewlab.engine.records import Approval, ApprovalStatus
from crewlab.engine.store.db import Database, Row
from crewlab.engine.store.memory import Maybe

_JSON = ("arguments", "options", "preview", "labels", "read_before")
_BOOL = ("allow_free_text", "multi_select", "always", "skipped", "again")
_HIDDEN = "binding"  # the gate's own


def _approval(row: Row) -> Approval:
    values: dict[str, Any] = {name: row[name] for name in row.keys() if name != _HIDDEN}  # noqa: SIM118 - a Row iterates over its values
    for name in _JSON:
        values[name] = json.loads(values[name]) if values[name] is not None else None
    for name in _BOOL:
        values[name] = bool(values[name])
    return Approval.model_validate(values)


class Approvals:
    """Reads and writes of approvals."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._pending = Maybe(db, "SELECT conversation_id FROM approvals WHERE status = 'pending'")

    def insert(self, approval: Approval, binding: str | None = None) -> None:
        """Store a request with what it is bound to; a second pending one of the conversation raises ``sqlite3.IntegrityError``."""
        self._pending.add(approval.conversation_id)
        values = {**approval.model_dump(), _HIDDEN: binding}
        for name in _JSON:
            values[name] = json.dumps(values[name], ensure_ascii=False) if values[name] is not None else None
        names = ", ".join(f'"{name}"' for name in values)
        marks = ", ".join(f":{name}" for name in values)
        self._db.write(f"INSERT INTO approvals ({names}) VALUES ({marks})", values)

    def get(self, approval_id: str) -> Approval | None:
        """One request."""
        row = self._db.row("SELECT * FROM approvals WHERE id = ?", (approval_id,))
        return _approval(row) if row else None

    def pending_of(self, conversation_id: str) -> Approval | None:
        """The open request of the conversation, if any."""
        if self._pending.none(conversation_id):
            return None
        row = self._db.row("SELECT * FROM approvals WHERE conversation_id = ? AND status = 'pending'", (conversation_id,))
        if row is None:
            self._pending.found_none(conversation_id)
            return None
        return _approval(row)

    def of_call(self, conversation_id: str, call_id: str) -> Approval | None:
        """The newest request for this call of this conversation, if any."""
        row = self._db.row(
            "SELECT * FROM approvals WHERE conversation_id = ? AND call_id = ? ORDER BY rowid DESC LIMIT 1",
            (conversation_id, call_id),
        )
        return _approval(row) if row else None

    def binding(self, approval_id: str) -> str | None:
        """What the request was bound to when it was shown."""
        row = self._db.row("SELECT binding FROM approvals WHERE id = ?", (approval_id,))
        return row["binding"] if row else None

    def asked_in_vain(self, conversation_id: str, run_id: str) -> list[str]:
        """The questions of this turn that were skipped or that nobody answered in time (ASKU-12)."""
        rows = self._db.rows(
            "SELECT question FROM approvals WHERE conversation_id = ? AND run_id = ? AND kind = 'question'"
            " AND (status = 'expired' OR skipped)",
            (conversation_id, run_id),
        )
        return [row["question"] for row in rows]

    def decide(
        self,
        approval_id: str,
        status: ApprovalStatus,
        decided_at: str,
        *,
        always: bool = False,
        answer: str | None = None,
        labels: Sequence[str] = (),
        skipped: bool = False,
    ) -> Approval | None:
        """Close a pending request; ``None`` when somebody else was first."""
        rows = self._db.write(
            "UPDATE approvals SET status = ?, decided_at = ?, always = ?, answer = ?, labels = ?, skipped = ?"
            " WHERE id = ? AND status = 'pending' RETURNING *",
            (status, decided_at, always, answer, json.dumps(list(labels), ensure_ascii=False), skipped, approval_id),
        )
        return _approval(rows[0]) if rows else None

    def pending(self) -> list[Approval]:
        """Every open request of the crew, oldest first."""
        rows = self._db.rows("SELECT * FROM approvals WHERE status = 'pending' ORDER BY rowid")
        return [_approval(row) for row in rows]

    def overdue(self, now: str) -> list[Approval]:
        """Pending requests whose deadline has passed (GATE-51)."""
        rows = self._db.rows("SELECT * FROM approvals WHERE status = 'pending' AND expires_at <= ? ORDER BY expires_at", (now,))
        return [_approval(row) for row in rows]

    def count_pending(self) -> int:
        """How many requests wait in the whole crew (GATE-94)."""
        row = self._db.row("SELECT count(*) AS n FROM approvals WHERE status = 'pending'")
        return int(row["n"]) if row else 0

    def list(
        self,
        status: ApprovalStatus | None = None,
        conversation_id: str | None = None,
        agent_id: str | None = None,
        limit: int = 50,
        before: str | None = None,
    ) -> list[Approval]:
        """Pending first, then decided, newest first (GATE-72); ``before`` is a ``created_at``."""
        rows = self._db.rows(
            "SELECT * FROM approvals WHERE (:status IS NULL OR status = :status)"
            " AND (:conversation IS NULL OR conversation_id = :conversation) AND (:agent IS NULL OR agent_id = :agent)"
            " AND (:before IS NULL OR created_at < :before)"
            " ORDER BY status = 'pending' DESC, created_at DESC, rowid DESC LIMIT :limit",
            {"status": status, "conversation": conversation_id, "agent": agent_id, "before": before, "limit": limit},
        )
        return [_approval(row) for row in rows]

"""Table ``runs``: the record of every turn (TURN-81)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from crewlab.engine.records import Run, Step
from crewlab.engine.store.db import Database, Row

_COLUMNS = (
    "id, agent_id, source, conversation_id, status, halt_reason, summary, label, relayed_from, steps, cost_usd,"
    " unknown_cost_calls, estimated_cost_calls, after_seq, resumed, timezone, started_at, ended_at"
)
_SAVE = (
    "UPDATE runs SET status = ?, halt_reason = ?, summary = ?, steps = ?, cost_usd = ?, unknown_cost_calls = ?,"
    " estimated_cost_calls = ?, resumed = ?, relayed_from = ?, ended_at = ? WHERE id = ?"
)


def _run(row: Row) -> Run:
    values: dict[str, Any] = {name: row[name] for name in row.keys()}  # noqa: SIM118 - a Row iterates over its values
    values["steps"] = [Step.model_validate(step) for step in json.loads(values["steps"])]
    values["resumed"] = bool(values["resumed"])
    return Run.model_validate(values)


def _steps(run: Run) -> str:
    return "[" + ",".join([step.model_dump_json(exclude_none=True) for step in run.steps]) + "]"


class Runs:
    """Reads and writes of runs."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def insert(self, run: Run, tools: Sequence[str]) -> None:
        """Store a new run with the names of the tools it holds."""
        self._db.write(
            "INSERT INTO runs (id, agent_id, source, conversation_id, status, steps, after_seq, timezone, tools, started_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                run.id,
                run.agent_id,
                run.source,
                run.conversation_id,
                run.status,
                _steps(run),
                run.after_seq,
                run.timezone,
                json.dumps(list(tools)),
                run.started_at,
            ),
        )

    def save(self, run: Run) -> None:
        """Write what changes while a run goes on (TURN-87)."""
        self._db.write(
            _SAVE,
            (
                run.status,
                run.halt_reason,
                run.summary,
                _steps(run),
                run.cost_usd,
                run.unknown_cost_calls,
                run.estimated_cost_calls,
                run.resumed,
                run.relayed_from,
                run.ended_at,
                run.id,
            ),
        )

    def get(self, run_id: str) -> Run | None:
        """One run with all steps."""
        row = self._db.row(f"SELECT {_COLUMNS} FROM runs WHERE id = ?", (run_id,))
        return _run(row) if row else None

    def open(self) -> list[Run]:
        """Runs marked running or waiting, in the order they were begun."""
        rows = self._db.rows(f"SELECT {_COLUMNS} FROM runs WHERE status IN ('running', 'waiting') ORDER BY rowid")
        return [_run(row) for row in rows]

    def began(self, conversation_id: str, call_id: str) -> bool:
        """Whether a step of this call was stored: then a call without a result may have run (DUR-4)."""
        row = self._db.row(
            "SELECT 1 FROM runs, json_each(runs.steps) AS step WHERE runs.conversation_id = ?"
            " AND json_extract(step.value, '$.tool_call_id') = ? LIMIT 1",
            (conversation_id, call_id),
        )
        return row is not None

    def newest_of(self, conversation_id: str) -> str | None:
        """The id of the run that was begun last, whatever the clock said then."""
        row = self._db.row("SELECT id FROM runs WHERE conversation_id = ? ORDER BY rowid DESC LIMIT 1", (conversation_id,))
        return str(row["id"]) if row else None

    def only_first_done(self, conversation_id: str) -> bool:
        """Whether the newest run of the conversation is its first, and has ended well (TURN-56)."""
        row = self._db.row(
            "SELECT status, after_seq FROM runs WHERE conversation_id = ? ORDER BY started_at DESC, rowid DESC LIMIT 1", (conversation_id,)
        )
        return row is not None and row["status"] == "done" and row["after_seq"] == 0

    def of(self, conversation_id: str) -> Sequence[Run]:
        """All runs of the conversation, oldest first."""
        rows = self._db.rows(f"SELECT {_COLUMNS} FROM runs WHERE conversation_id = ? ORDER BY started_at, rowid", (conversation_id,))
        return [_run(row) for row in rows]

    def by_source(self, source: str, before: str | None, limit: int) -> Sequence[Run]:
        """The runs of a job, newest first; ``before`` is a ``started_at`` (JOB-25)."""
        rows = self._db.rows(
            f"SELECT {_COLUMNS} FROM runs WHERE source = :source AND source LIKE 'job:%' AND (:before IS NULL OR started_at < :before)"
            " ORDER BY started_at DESC, rowid DESC LIMIT :limit",
            {"source": source, "before": before, "limit": limit},
        )
        return [_run(row) for row in rows]

    def list(self, agent_id: str | None, conversations: Sequence[str] | None, before: str | None, limit: int) -> list[Run]:
        """Newest first, of all or of some conversations; ``before`` is a ``started_at`` (TURN-14)."""
        ids = None if conversations is None else json.dumps(list(conversations))
        rows = self._db.rows(
            f"SELECT {_COLUMNS} FROM runs WHERE (:agent IS NULL OR agent_id = :agent)"
            " AND (:ids IS NULL OR conversation_id IN (SELECT value FROM json_each(:ids))) AND (:before IS NULL OR started_at < :before)"
            " ORDER BY started_at DESC, rowid DESC LIMIT :limit",
            {"agent": agent_id, "ids": ids, "before": before, "limit": limit},
        )
        return [_run(row) for row in rows]

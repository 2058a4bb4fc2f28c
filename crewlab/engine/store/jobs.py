"""Tables ``created_schedules`` and ``job_state``, and the runs of jobs (JOB-27, JOB-31, JOB-32, JOB-42)."""

from __future__ import annotations

import json
from dataclasses import dataclass

from crewlab.engine.store.db import Database, Row

JOBS: tuple[str, ...] = (
    """CREATE TABLE created_schedules (
        id TEXT PRIMARY KEY,
        agent_id TEXT NOT NULL,
        name TEXT NOT NULL,
        prompt TEXT NOT NULL,
        cron TEXT,
        every TEXT,
        skills TEXT NOT NULL DEFAULT '[]',
        conversation_id TEXT,
        created_at TEXT NOT NULL
    )""",
    "CREATE INDEX created_schedules_by_agent ON created_schedules(agent_id)",
    """CREATE TABLE job_state (
        job_id TEXT PRIMARY KEY,
        paused INTEGER NOT NULL DEFAULT 0,
        failures INTEGER NOT NULL DEFAULT 0,
        muted INTEGER NOT NULL DEFAULT 0,
        last_run_id TEXT,
        updated_at TEXT NOT NULL
    )""",
    "CREATE INDEX runs_by_source ON runs(source, started_at DESC) WHERE source LIKE 'job:%'",
)
"""The statements of the migration."""


@dataclass(frozen=True, slots=True)
class CreatedSchedule:
    """A schedule that was made in a conversation (JOB-32). Exactly one of ``cron`` and ``every`` is set."""

    id: str
    agent_id: str
    name: str
    prompt: str
    cron: str | None
    every: str | None
    skills: tuple[str, ...]
    conversation_id: str | None
    created_at: str


@dataclass(frozen=True, slots=True)
class JobState:
    """What the person and the runs have done to a job; absent rows read as the defaults."""

    paused: bool = False
    failures: int = 0
    muted: bool = False
    last_run_id: str | None = None


def _created(row: Row) -> CreatedSchedule:
    return CreatedSchedule(
        row["id"],
        row["agent_id"],
        row["name"],
        row["prompt"],
        row["cron"],
        row["every"],
        tuple(json.loads(row["skills"])),
        row["conversation_id"],
        row["created_at"],
    )


class Jobs:
    """Reads and writes of schedules from conversations and of the state of jobs."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def create(self, schedule: CreatedSchedule) -> None:
        """Store one."""
        self._db.write(
            "INSERT INTO created_schedules (id, agent_id, name, prompt, cron, every, skills, conversation_id, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                schedule.id,
                schedule.agent_id,
                schedule.name,
                schedule.prompt,
                schedule.cron,
                schedule.every,
                json.dumps(schedule.skills, ensure_ascii=False),
                schedule.conversation_id,
                schedule.created_at,
            ),
        )

    def created(self) -> list[CreatedSchedule]:
        """All of them, oldest first."""
        return [_created(row) for row in self._db.rows("SELECT * FROM created_schedules ORDER BY created_at, id")]

    def count(self, agent_id: str) -> int:
        """How many an agent has (GATE-106)."""
        row = self._db.row("SELECT count(*) AS n FROM created_schedules WHERE agent_id = ?", (agent_id,))
        return int(row["n"]) if row else 0

    def delete(self, schedule_id: str, job_id: str) -> None:
        """Remove a schedule with its state; its runs stay (JOB-31)."""
        with self._db.transaction():
            self._db.write("DELETE FROM created_schedules WHERE id = ?", (schedule_id,))
            self._db.write("DELETE FROM job_state WHERE job_id = ?", (job_id,))

    def states(self) -> dict[str, JobState]:
        """The state of every job that has one."""
        return {
            row["job_id"]: JobState(bool(row["paused"]), row["failures"], bool(row["muted"]), row["last_run_id"])
            for row in self._db.rows("SELECT job_id, paused, failures, muted, last_run_id FROM job_state")
        }

    def set_state(self, job_id: str, state: JobState, now: str) -> None:
        """Write the whole state of one job."""
        self._db.write(
            "INSERT INTO job_state (job_id, paused, failures, muted, last_run_id, updated_at) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (job_id) DO UPDATE SET paused = excluded.paused, failures = excluded.failures, muted = excluded.muted,"
            " last_run_id = excluded.last_run_id, updated_at = excluded.updated_at",
            (job_id, state.paused, state.failures, state.muted, state.last_run_id, now),
        )

    def forget(self, job_id: str) -> None:
        """A line was dropped: one that comes back under the same id inherits nothing (JOB-22)."""
        self._db.write("DELETE FROM job_state WHERE job_id = ?", (job_id,))

    def forget_agent(self, agent_id: str) -> None:
        """An agent was removed: its schedules and all states of its jobs go, their runs stay (AGT-37)."""
        with self._db.transaction():
            self._db.write("DELETE FROM created_schedules WHERE agent_id = ?", (agent_id,))
            self._db.write("DELETE FROM job_state WHERE substr(job_id, 1, ?) = ?", (len(agent_id) + 1, f"{agent_id}/"))

    def known(self) -> set[str]:
        """The jobs that have a state."""
        return {row["job_id"] for row in self._db.rows("SELECT job_id FROM job_state")}

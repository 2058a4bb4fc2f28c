"""A job as faces see it (JOB-26)."""

from __future__ import annotations

from typing import Literal

from crewlab.engine.records import Record, RunStatus

JobOrigin = Literal["profile", "chat"]
JobKind = Literal["prompt", "command", "script", "consolidate"]


class LastRun(Record):
    """The newest run of a job."""

    run_id: str
    status: RunStatus
    summary: str
    started_at: str
    ended_at: str | None


class JobInfo(Record):
    """One job. ``words`` is the schedule in words; ``missed`` how many moments passed unused before the last run (SCH-1)."""

    id: str
    agent_id: str
    schedule_id: str
    name: str
    origin: JobOrigin
    kind: JobKind
    cron: str | None
    every: str | None
    words: str
    enabled: bool
    paused: bool
    running: bool
    next_run_at: str | None
    last_run: LastRun | None
    failing: int
    muted: bool
    missed: int
    skills: list[str]
    orphan: bool

"""Jobs: what runs by the clock, and what a person may do to it (JOB-25)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from crewlab.engine.clock import iso
from crewlab.engine.jobs.record import JobInfo
from crewlab.engine.records import Record, Run
from crewlab.server_ext.api.models import LIST_RUNS, MAX_LIST

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew


class JobList(Record):
    """Every job, and the zone whose clock they follow."""

    jobs: list[JobInfo]
    timezone: str


class JobStarted(Record):
    """The job that was started; its run appears on the activity stream."""

    job: str


class JobStateChange(Record):
    """Pause or resume."""

    paused: bool


class JobRunQuery(Record):
    """Which runs of a job to list."""

    before: str | None = None
    limit: int = Field(LIST_RUNS, ge=1, le=MAX_LIST)


class JobRuns(Record):
    """Runs of one job, newest first."""

    runs: list[Run]


class PreviewQuery(Record):
    """The schedule that somebody is writing: exactly one of the two."""

    cron: str | None = None
    every: str | None = None


class SchedulePreview(Record):
    """A schedule in words, its next moments, and the zone whose clock it follows (UI-91)."""

    words: str
    next: list[str]
    timezone: str


async def preview(crew: Crew, query: PreviewQuery) -> SchedulePreview:
    """What a line would do if it were saved now; nothing is saved."""
    shown = crew.jobs.preview(query.cron, query.every)
    return SchedulePreview(words=shown.words, next=[iso(moment) for moment in shown.moments], timezone=crew.zone_name)


async def list_jobs(crew: Crew) -> JobList:
    """Jobs of profiles and of conversations."""
    return JobList(jobs=crew.jobs.describe(), timezone=crew.zone_name)


async def run_now(crew: Crew, id: str) -> JobStarted:
    """Start it at once, also when paused."""
    return JobStarted(job=crew.jobs.run_now(id).id)


async def change_state(crew: Crew, id: str, body: JobStateChange) -> JobInfo:
    """Pause or resume."""
    return crew.jobs.set_paused(id, body.paused)


async def runs(crew: Crew, id: str, query: JobRunQuery) -> JobRuns:
    """What it did."""
    return JobRuns(runs=crew.jobs.runs(id, query.before, query.limit))


async def delete(crew: Crew, id: str) -> None:
    """Remove a schedule that was made in a conversation; its runs stay."""
    crew.jobs.delete(id)

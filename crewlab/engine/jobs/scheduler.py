"""The clock: which jobs are due, and what a person may do to them (JOB-2, JOB-11 to JOB-34)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from crewlab.engine.activity_events import JobsFrame
from crewlab.engine.clock import iso
from crewlab.engine.errors import Conflict, NotFound, StoreWriteFailed
from crewlab.engine.home.timing import missed, next_run
from crewlab.engine.home.timing_words import words
from crewlab.engine.jobs.preview import Preview, preview
from crewlab.engine.jobs.record import JobInfo, LastRun
from crewlab.engine.jobs.running import Runner
from crewlab.engine.jobs.streak import Word, counted
from crewlab.engine.jobs.table import SOURCE, Job, is_orphan, job_of, table_of
from crewlab.engine.records import Run
from crewlab.engine.store.jobs import JobState
from crewlab.engine.turn.turn import Parts

TICK_SECONDS = 20.0  # JOB-2

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Told:
    """What the person is to hear of a run of a job (JOB-40, JOB-43)."""

    job: Job
    run: Run
    word: Word


class Scheduler:
    """The jobs of the crew. Marks live in memory (JOB-18); everything else is in the store."""

    def __init__(self, parts: Parts, runner: Runner) -> None:
        self._parts = parts
        self._runner = runner
        self.workers = runner.workers
        self._table: Mapping[str, Job] = {}
        self._marks: dict[str, datetime] = {}
        self._missed: dict[str, int] = {}
        self._started: set[asyncio.Task[None]] = set()
        self._running: set[str] = set()
        self.on_told: Callable[[Told], None] = lambda _told: None
        self.reload_profiles()
        for job_id in parts.store.jobs.known() - self.jobs().keys():  # lines that went while no process ran (JOB-22)
            parts.store.jobs.forget(job_id)

    # what there is

    def jobs(self) -> dict[str, Job]:
        """Every job by id; schedules from conversations are read from the store each time (JOB-33)."""
        rows = [job_of(row) for row in self._parts.store.jobs.created()]
        return {**self._table, **{job.id: job for job in rows}}

    def get(self, job_id: str) -> Job:
        """One job. Raises ``NotFound``."""
        job = self.jobs().get(job_id)
        if job is None:
            raise NotFound(self._parts.texts("jobs.gone", id=job_id))
        return job

    def describe(self) -> list[JobInfo]:
        """The jobs as faces see them, by id."""
        states = self._parts.store.jobs.states()
        return [self._info(job, states.get(job.id, JobState())) for _, job in sorted(self.jobs().items())]

    def _info(self, job: Job, state: JobState) -> JobInfo:
        parts = self._parts
        orphan = is_orphan(job, self._parts.roster.all())
        last = next(iter(parts.store.runs.by_source(job.source, None, 1)), None)
        following = self._next(job) if job.enabled and not state.paused and not orphan else None
        return JobInfo(
            id=job.id,
            agent_id=job.agent_id,
            schedule_id=job.schedule_id,
            name=job.name,
            origin=job.origin,
            kind=job.kind,
            cron=job.cron,
            every=job.every,
            words=words(job.cron, job.every, parts.texts),
            enabled=job.enabled,
            paused=state.paused and job.enabled,
            running=self.is_running(job),
            next_run_at=iso(following) if following else None,
            last_run=LastRun(run_id=last.id, status=last.status, summary=last.summary, started_at=last.started_at, ended_at=last.ended_at)
            if last
            else None,
            failing=state.failures,
            muted=state.muted,
            missed=self._missed.get(job.id, 0),
            skills=list(job.skills),
            orphan=orphan,
        )

    def preview(self, cron: str | None, every: str | None) -> Preview:
        """What a line would do if it were saved now (UI-91). Raises ``Invalid``."""
        return preview(cron, every, self._parts.clock.now(), self._parts.zone, self._parts.texts)

    def is_running(self, job: Job) -> bool:
        """Whether a run of the job goes on; one that waits for a person counts, its request has a deadline (JOB-11)."""
        return job.id in self._running or any(run.source == job.source for run in self._parts.hub.live.values())

    def runs(self, job_id: str, before: str | None = None, limit: int = 50) -> list[Run]:
        """The runs of a job, newest first. Raises ``NotFound``."""
        found = self._parts.store.runs.by_source(self.get(job_id).source, before, limit)
        return [self._parts.hub.live.get(run.id, run) for run in found]

    # when they run

    def reload_profiles(self) -> None:
        """Read the lines of the running agents again; the new table takes the place of the old one (JOB-17, JOB-20 to JOB-22)."""
        now, old = self._parts.clock.now(), self._table
        table = table_of(self._parts.roster.all())
        for job in table.values():
            before = old.get(job.id)
            if before is None or not job.same_time(before):
                self._marks[job.id] = now
        for job_id in old.keys() - table.keys():
            self._parts.store.jobs.forget(job_id)
        self._table = table
        self._parts.hub.announce(JobsFrame())

    def _mark(self, job: Job) -> datetime:
        """The moment from which the next run is counted; that of a new schedule is now (JOB-34)."""
        return self._marks.setdefault(job.id, self._parts.clock.now())

    def _next(self, job: Job) -> datetime | None:
        return next_run(job.cron, job.every, self._mark(job), self._parts.zone)

    def due(self) -> list[Job]:
        """The jobs whose moment has come, in the order of their ids (JOB-12)."""
        now = self._parts.clock.now()
        states = self._parts.store.jobs.states()
        found = []
        for _, job in sorted(self.jobs().items()):
            if not job.enabled or states.get(job.id, JobState()).paused or is_orphan(job, self._parts.roster.all()):
                continue
            moment = self._next(job)
            if moment is not None and moment <= now:
                found.append(job)
        return found

    async def tick(self) -> None:
        """Run what is due, one after another. A job that was saved or dropped meanwhile is judged again next time (JOB-23)."""
        for job in self.due():
            if self.jobs().get(job.id) != job or self._parts.hub.going_down:
                continue
            now = self._parts.clock.now()
            passed = missed(job.cron, job.every, self._mark(job), now, self._parts.zone)
            self._missed[job.id] = max(0, passed - 1)
            if passed > 1:
                log.warning("job %s: %d moment(s) passed while this machine slept; it runs once", job.id, passed - 1)
            self._marks[job.id] = now
            if self.is_running(job):
                log.info("job %s is still running; this moment is skipped", job.id)
                continue
            await self._run(job)

    async def tick_for_ever(self) -> None:
        """Tick every 20 seconds until cancelled."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            try:
                await self.tick()
            except Exception:
                log.exception("the tick of the scheduler failed; the next one comes in %s s", TICK_SECONDS)

    async def _run(self, job: Job) -> None:
        self._running.add(job.id)
        self._parts.hub.announce(JobsFrame())
        try:
            agent = self._parts.roster.get(job.agent_id)
            ended = await self._runner.run(job, agent)
            if ended is not None:
                self._settle(job, ended.run)  # before the turn that follows, whose end counts as well
            if ended is not None and ended.then is not None:
                await self._runner.open_turn(job, agent, ended.then)
        except (NotFound, StoreWriteFailed) as error:
            log.warning("job %s cannot run now: %s", job.id, error)
            return
        finally:
            self._running.discard(job.id)
            self._parts.hub.announce(JobsFrame())

    def turn_ended(self, conversation_id: str) -> None:
        """A turn has ended: when it was a job's, its end is counted, also after a restart (JOB-42)."""
        newest = self._parts.store.runs.newest_of(conversation_id)
        run = self._parts.store.runs.get(newest) if newest else None
        if run is None or not run.source.startswith(SOURCE) or run.status in ("running", "waiting"):
            return
        job = self.jobs().get(run.source.removeprefix(SOURCE))
        if job is not None:
            self._settle(job, run)

    def _settle(self, job: Job, run: Run) -> None:
        """Count the end of a run once and say what is to be said (JOB-42 to JOB-44)."""
        state = self._parts.store.jobs.states().get(job.id, JobState())
        if state.last_run_id == run.id:
            return
        after, word = counted(state, run)
        self._parts.store.jobs.set_state(job.id, after, self._parts.now())
        self._parts.hub.announce(JobsFrame())
        if word is not None:
            self.on_told(Told(job, run, word))

    # what a person may do

    def run_now(self, job_id: str) -> Job:
        """Start it at once, also when paused; its mark stays (JOB-29). Raises ``NotFound``, ``Conflict`` (``running``, ``disabled``)."""
        job, texts = self.get(job_id), self._parts.texts
        if not job.enabled:
            raise Conflict(texts("jobs.disabled", id=job_id), code="disabled")
        if is_orphan(job, self._parts.roster.all()):
            raise NotFound(texts("jobs.orphan", id=job_id, agent=job.agent_id))
        if self.is_running(job):
            raise Conflict(texts("jobs.running", id=job_id), code="running")
        self._running.add(job.id)
        task = asyncio.get_running_loop().create_task(self._run(job), name=f"job {job_id}")
        self._started.add(task)
        task.add_done_callback(self._started.discard)
        return job

    def set_paused(self, job_id: str, paused: bool) -> JobInfo:
        """Pause or resume. On resuming the mark is now (JOB-28). Raises ``NotFound``, ``Conflict`` (``disabled``)."""
        job = self.get(job_id)
        if not job.enabled:
            raise Conflict(self._parts.texts("jobs.disabled", id=job_id), code="disabled")
        state = self._parts.store.jobs.states().get(job_id, JobState())
        if state.paused and not paused:
            self._marks[job_id] = self._parts.clock.now()
        state = replace(state, paused=paused)
        self._parts.store.jobs.set_state(job_id, state, self._parts.now())
        self._parts.hub.announce(JobsFrame())
        return self._info(job, state)

    def delete(self, job_id: str) -> None:
        """Remove a schedule that was made in a conversation. Raises ``NotFound``, ``Conflict`` (``profile_job``)."""
        job = self.get(job_id)
        if job.origin == "profile":
            raise Conflict(self._parts.texts("jobs.profile_job", id=job_id), code="profile_job")
        self._parts.store.jobs.delete(job.schedule_id, job_id)
        self._parts.hub.announce(JobsFrame())

    async def close(self) -> None:
        """End what was started by hand; the turns themselves belong to the host."""
        for task in tuple(self._started):
            task.cancel()
        await asyncio.gather(*self._started, return_exceptions=True)

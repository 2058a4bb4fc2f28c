"""Which jobs there are: the lines of the profiles and the schedules made in conversations (JOB-1, JOB-14, JOB-33)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from crewlab.engine.agents.roster import Agent
from crewlab.engine.home.schedules import CONSOLIDATE
from crewlab.engine.jobs.record import JobKind, JobOrigin
from crewlab.engine.store.jobs import CreatedSchedule

SOURCE = "job:"  # TURN-13


@dataclass(frozen=True, slots=True)
class Job:
    """One job as its line says. Exactly one of ``cron`` and ``every`` is set; ``text`` is the prompt, the command or the script."""

    id: str
    agent_id: str
    schedule_id: str
    name: str
    origin: JobOrigin
    kind: JobKind
    cron: str | None
    every: str | None
    text: str
    enabled: bool = True
    then_prompt: str | None = None
    skills: tuple[str, ...] = ()
    approval_ttl_seconds: int | None = None
    timeout_s: int | None = None

    @property
    def source(self) -> str:
        """The source of its runs."""
        return SOURCE + self.id

    def same_time(self, other: Job) -> bool:
        """Whether both fire at the same moments and were switched on alike: then the mark stays (JOB-17)."""
        return (self.cron, self.every, self.enabled) == (other.cron, other.every, other.enabled)


def jobs_of(agent: Agent) -> list[Job]:
    """The jobs that the profile of ``agent`` declares."""
    profile = agent.profile
    jobs: list[Job] = []
    for position, line in enumerate(profile.schedules or (), start=1):
        name = line.id or f"job-{position}"
        kind: JobKind = "prompt" if line.prompt is not None else "command" if line.command is not None else "script"
        jobs.append(
            Job(
                id=f"{agent.id}/{name}",
                agent_id=agent.id,
                schedule_id=name,
                name=line.name or name,
                origin="profile",
                kind=kind,
                cron=line.cron,
                every=line.every,
                text=line.prompt or line.command or line.script or "",
                enabled=line.enabled,
                then_prompt=line.then_prompt,
                skills=tuple(line.skills),
                approval_ttl_seconds=line.approval_ttl_seconds,
                timeout_s=line.timeout_s,
            )
        )
    if profile.memory_consolidate:
        cron = profile.memory_consolidate
        jobs.append(Job(f"{agent.id}/{CONSOLIDATE}", agent.id, CONSOLIDATE, CONSOLIDATE, "profile", "consolidate", cron, None, ""))
    return jobs


def job_of(row: CreatedSchedule) -> Job:
    """The job of a schedule that was made in a conversation."""
    times = (row.cron, row.every)
    return Job(f"{row.agent_id}/{row.id}", row.agent_id, row.id, row.name, "chat", "prompt", *times, row.prompt, skills=row.skills)


def table_of(agents: Iterable[Agent]) -> Mapping[str, Job]:
    """The jobs of all profiles by id."""
    return {job.id: job for agent in agents for job in jobs_of(agent)}


def is_orphan(job: Job, agents: Iterable[Agent]) -> bool:
    """Whether the agent of a job has left the crew."""
    return all(agent.id != job.agent_id for agent in agents)

"""Running one job: a turn, a command, a script, or a consolidation (JOB-5 to JOB-8, JOB-14)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from crewlab.engine.agents.roster import Agent
from crewlab.engine.clock import new_id
from crewlab.engine.jobs.printed import after_script, new_number
from crewlab.engine.jobs.record import JobKind
from crewlab.engine.jobs.table import Job
from crewlab.engine.records import Run, Step
from crewlab.engine.turn import steps
from crewlab.engine.turn.conversations import Conversations
from crewlab.engine.turn.host import Opening, TurnHost
from crewlab.engine.turn.turn import Parts

COMMAND_SECONDS = 120  # JOB-6, SHL-85
STEP_NAMES: Mapping[JobKind, str] = {"command": "shell_run", "script": "tool_script"}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a command or a script ended; ``printed`` is what ``then_prompt`` is given, ``reason`` the summary of a failed one."""

    text: str
    ok: bool
    printed: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Single:
    """The run of a command or a script; ``then``: the message of the turn that follows it."""

    run: Run
    then: str | None = None


Worker = Callable[[Job, Agent, Run, Step], Awaitable[Outcome]]
"""Does the work of a command or a script job."""
Consolidation = Callable[[Agent], Awaitable[None]]


@dataclass(slots=True)
class Workers:
    """What the scheduler is given by ``crew.py`` for the kinds that are not turns."""

    command: Worker | None = None
    script: Worker | None = None
    consolidate: Consolidation | None = None


class Runner:
    """Runs jobs to their end, or to their pause at a request."""

    def __init__(self, parts: Parts, host: TurnHost, conversations: Conversations, workers: Workers) -> None:
        self._parts = parts
        self._host = host
        self._conversations = conversations
        self.workers = workers

    async def run(self, job: Job, agent: Agent) -> Single | None:
        """Run it; what has ended without a conversation, ``None`` where a turn ends by itself (its end is heard elsewhere)."""
        if job.kind == "prompt":
            await self.open_turn(job, agent, job.text)
            return None
        if job.kind == "consolidate":
            if self.workers.consolidate is not None:
                await self.workers.consolidate(agent)
            return None
        return await self._one_step(job, agent)

    async def open_turn(self, job: Job, agent: Agent, text: str) -> None:
        """A new autonomous conversation with one turn (JOB-5)."""
        opened = self._conversations.create(
            agent.id, job.name, job.source, autonomous=True, approval_ttl_seconds=job.approval_ttl_seconds, skills=job.skills
        )
        stored = self._parts.store.conversations.get(opened.id)
        if stored is None:
            return
        self._host.open(stored, Opening(text, job.source, written_by="job"))
        self._conversations.announce(opened.id)
        await self._host.wait(opened.id)

    async def _one_step(self, job: Job, agent: Agent) -> Single:
        """A run without a conversation and with exactly one step (TURN-90)."""
        parts = self._parts
        now = parts.now()
        run = Run(id=new_id("run"), agent_id=agent.id, source=job.source, conversation_id=None, status="running", started_at=now)
        name = STEP_NAMES[job.kind]
        arguments = {"command": job.text} if job.kind == "command" else {"script": job.text}
        step = steps.begin(run, parts.clock, "tool", name=name, arguments=steps.card_arguments(arguments))
        parts.store.runs.insert(run, (name,))
        parts.hub.run(run)
        started = parts.clock.monotonic()
        outcome = await self._work(job, agent, run, step)
        ms = round((parts.clock.monotonic() - started) * 1000)
        steps.end(step, ms, "done" if outcome.ok else "error", output=steps.card_output(outcome.text, ok=outcome.ok))
        steps.finish(run, "done" if outcome.ok else "error", outcome.reason or outcome.text, parts.now())
        parts.store.runs.save(run)
        parts.hub.run(run)
        return Single(run, self._then(job, outcome))

    def _then(self, job: Job, outcome: Outcome) -> str | None:
        """What a turn is opened with on what was printed, if there is anything to open it for (JOB-8, SCR-229)."""
        if not outcome.ok or job.then_prompt is None or not outcome.printed.strip():
            return None
        return after_script(job.then_prompt, outcome.printed, new_number(), self._parts.texts)

    async def _work(self, job: Job, agent: Agent, run: Run, step: Step) -> Outcome:
        worker = self.workers.command if job.kind == "command" else self.workers.script
        if worker is None:
            return Outcome(self._parts.texts(f"jobs.no_{job.kind}s"), ok=False)
        try:
            return await worker(job, agent, run, step)
        except Exception as error:
            log.exception("the job %s failed", job.id)
            return Outcome(self._parts.texts("jobs.failed_inside", kind=type(error).__name__), ok=False)

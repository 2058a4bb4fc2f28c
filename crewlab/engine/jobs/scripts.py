"""Script jobs: a script without a conversation, and the turn on what it printed (JOB-7 to JOB-10, SCR-225 to SCR-230)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol

from crewlab.engine.agents.roster import Agent
from crewlab.engine.jobs.running import Outcome, Worker
from crewlab.engine.jobs.table import Job
from crewlab.engine.records import Run, Step
from crewlab.engine.store.conversations import Charge
from crewlab.engine.tools.contract import ToolContext
from crewlab.engine.turn.holding import held
from crewlab.engine.turn.nested import AgentNest
from crewlab.engine.turn.turn import Parts, context_of

log = logging.getLogger(__name__)


class Answered(Protocol):
    """How a script ended."""

    @property
    def ok(self) -> bool:
        """Whether it ran to its end."""

    @property
    def text(self) -> str:
        """What is said of it; for a failed one with the reason."""

    @property
    def printed(self) -> str:
        """What it printed."""

    @property
    def reason(self) -> str:
        """Why it failed, empty when it did not."""


Source = Callable[[Agent, str, AgentNest, ToolContext], Awaitable[Answered]]
"""Runs a script for an agent, as in a turn (SCR-223)."""


def scripts(parts: Parts, source: Source) -> Worker:
    """The worker of script jobs."""

    async def work(job: Job, agent: Agent, run: Run, step: Step) -> Outcome:
        registry = held(parts.toolbox.of(agent), agent, None)
        context = context_of(parts, agent, registry, run, None)
        nest = AgentNest(parts, agent, registry, run, step, context)
        try:
            answered = await source(agent, job.text, nest, context)
        finally:
            _note(run, step, nest, context)
            parts.store.runs.save(run)  # also when the server goes down: what was paid is stored before it does
        return Outcome(answered.text, answered.ok, answered.printed, answered.reason)

    return work


async def warn_of(jobs: Iterable[Job], problem_of: Callable[[str], Awaitable[str | None]]) -> None:
    """Say in the log which scripts would not begin: a start goes on with them (SCR-224)."""
    for job in jobs:
        problem = await problem_of(job.text) if job.kind == "script" else None
        if problem is not None:
            log.warning("the script of job %s will not run: %s", job.id, problem)


def _note(run: Run, step: Step, nest: AgentNest, context: ToolContext) -> None:
    """What it did and what it cost, also when it was cut."""
    inside, charge = nest.inside, sum(context.charges, Charge())
    step.calls, step.received_chars, step.printed_chars = list(inside.calls), inside.received_chars, inside.printed_chars
    run.cost_usd += charge.usd
    run.unknown_cost_calls += charge.unknown
    run.estimated_cost_calls += charge.estimated

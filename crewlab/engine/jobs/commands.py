"""Command jobs: what their lines answer becomes the outcome of the job (JOB-6, SHL-82 to SHL-86)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from crewlab.engine.agents.roster import Agent
from crewlab.engine.jobs.running import Outcome, Worker
from crewlab.engine.jobs.table import Job
from crewlab.engine.records import Run, Step
from crewlab.engine.tools.contract import ToolError

Line = Callable[[Agent, str, int | None], Awaitable[str]]
"""Runs a command line for an agent with a time limit; raises ``ToolError`` when it failed."""


def commands(line: Line) -> Worker:
    """The worker of command jobs."""

    async def work(job: Job, agent: Agent, _run: Run, _step: Step) -> Outcome:
        try:
            text = await line(agent, job.text, job.timeout_s)
        except ToolError as error:
            return Outcome(error.message, ok=False, printed=error.message)
        return Outcome(text, ok=True, printed=text)

    return work

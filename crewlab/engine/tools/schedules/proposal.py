"""What a proposed schedule must hold to (GATE-101, GATE-106, GATE-113)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import islice, pairwise

from crewlab.engine.home.cron import CRON_CHARS, every_minutes, is_cron
from crewlab.engine.home.timing import cron_runs
from crewlab.engine.home.timing_words import local_time
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, ToolError

NAME_CHARS = 60  # GATE-101
PROMPT_CHARS = 2000  # GATE-101
GAP = timedelta(minutes=15)  # GATE-101
AHEAD_DAYS = 366  # GATE-101
PAIRS = 1000  # GATE-113
PER_AGENT = 20  # GATE-106
SHOWN_RUNS = 3  # GATE-103
MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A schedule that keeps every rule; exactly one of ``cron`` and ``every`` is set."""

    name: str
    prompt: str
    cron: str | None
    every: str | None
    skills: tuple[str, ...]


def read(arguments: Arguments, skills: Sequence[str], now: datetime, zone: tzinfo, texts: Texts) -> Proposal:
    """The proposal of a call. Raises ``ToolError`` with the rule that it breaks; ``skills`` are those the agent has."""
    name, prompt = arguments["name"].strip(), arguments["prompt"]
    if not name or len(name) > NAME_CHARS:
        raise ToolError(texts("jobs.create_name", limit=NAME_CHARS))
    if not prompt.strip() or len(prompt) > PROMPT_CHARS:
        raise ToolError(texts("jobs.create_prompt", limit=PROMPT_CHARS, chars=len(prompt)))
    cron, every = arguments.get("cron"), arguments.get("every")
    if every is not None:
        _check_interval(every, texts)
    if cron is not None:
        _check_cron(cron, now, zone, texts)
    named = arguments.get("skills") or []
    wanted = tuple(dict.fromkeys([named] if isinstance(named, str) else named))
    for skill in wanted:
        if skill not in skills:
            raise ToolError(texts("jobs.create_skill", name=skill[:NAME_CHARS], known=", ".join(skills) or "–"))
    return Proposal(name, prompt, cron, every, wanted)


def _check_interval(every: str, texts: Texts) -> None:
    minutes = every_minutes(every)
    if minutes is None or timedelta(minutes=minutes) < GAP:
        raise ToolError(texts("jobs.create_every"))


def _check_cron(cron: str, now: datetime, zone: tzinfo, texts: Texts) -> None:
    if len(cron) > CRON_CHARS or not is_cron(cron):
        raise ToolError(texts("jobs.create_cron"))
    until = now + timedelta(days=AHEAD_DAYS)
    runs = [moment for moment in islice(cron_runs(cron, now, zone), PAIRS + 1) if moment <= until]
    if not runs:
        raise ToolError(texts("jobs.create_never", days=AHEAD_DAYS))
    for first, second in pairwise(runs):
        if second - first < GAP:
            shown = (local_time(first, zone), local_time(second, zone))
            apart = (second - first) // MINUTE
            raise ToolError(texts("jobs.create_often", minutes=apart, first=shown[0], second=shown[1], limit=GAP // MINUTE))


def next_runs(proposal: Proposal, now: datetime, zone: tzinfo) -> list[datetime]:
    """The next three moments, in UTC; with an interval counted from ``now``."""
    if proposal.cron is not None:
        return list(islice(cron_runs(proposal.cron, now, zone), SHOWN_RUNS))
    step = timedelta(minutes=every_minutes(proposal.every or "") or 0)
    return [now + step * number for number in range(1, SHOWN_RUNS + 1)]

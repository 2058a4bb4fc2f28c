"""Entries of ``schedules`` (JOB-3, JOB-4)."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, model_validator

from crewlab.engine.home.cron import every_minutes, is_cron
from crewlab.engine.home.kinds import Keys, NameList, Text, Whole, after
from crewlab.engine.home.wrong import Wrong

SCHEDULE_ID_CHARS = 60  # MEMF-6 has the same length for its slugs
SCRIPT_CHARS = 20_000  # SCR-224
COMMAND_SECONDS_MAX = 900  # JOB-3, SHL-85
CHAT_PREFIX = "chat-"  # JOB-3: ids of schedules made in a conversation
CONSOLIDATE = "consolidate"  # JOB-14
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def schedule_id(value: str) -> str:
    """A slug that does not begin like the ids of schedules made in a conversation (JOB-3)."""
    if len(value) > SCHEDULE_ID_CHARS or not _SLUG.fullmatch(value) or value.startswith(CHAT_PREFIX):
        raise Wrong("must_schedule_id", max=SCHEDULE_ID_CHARS)
    return value


def cron_line(value: str) -> str:
    """A cron line of five fields (JOB-16)."""
    if not is_cron(value):
        raise Wrong("must_cron")
    return value


def interval(value: str) -> str:
    """``30m``, ``2h`` or ``1d``, at least a minute (JOB-4)."""
    if every_minutes(value) is None:
        raise Wrong("must_every")
    return value


def script_text(value: str) -> str:
    """A script that can be given to its interpreter (SCR-11, SCR-224)."""
    if not 1 <= len(value) <= SCRIPT_CHARS or not value.strip() or "\0" in value:
        raise Wrong("must_script", max=SCRIPT_CHARS)
    return value


CronLine = Annotated[str, after(cron_line)]


class Schedule(Keys):
    """One job of an agent."""

    id: Annotated[str, after(schedule_id)] | None = None
    """``None``: ``job-<position in the list>``."""
    name: Text | None = None
    cron: CronLine | None = None
    every: Annotated[str, after(interval)] | None = None
    prompt: Text | None = None
    command: Text | None = None
    script: Annotated[str, after(script_text)] | None = None
    then_prompt: Text | None = None
    skills: NameList = ()
    approval_ttl_seconds: Whole | None = None
    timeout_s: Annotated[int, Field(ge=1, le=COMMAND_SECONDS_MAX)] | None = None
    enabled: bool = True

    @model_validator(mode="after")
    def _pairs(self) -> Schedule:
        if (self.cron is None) == (self.every is None):
            raise Wrong("must_exactly_one", keys="cron, every")
        if sum(value is not None for value in (self.prompt, self.command, self.script)) != 1:
            raise Wrong("must_exactly_one", keys="prompt, command, script")
        if self.then_prompt is not None and self.script is None:
            raise Wrong("must_only_with", key="then_prompt", other="script")
        if self.timeout_s is not None and self.command is None:
            raise Wrong("must_only_with", key="timeout_s", other="command")
        return self


def distinct_schedules(schedules: tuple[Schedule, ...]) -> tuple[Schedule, ...]:
    """Refuses two entries with the same id, counted ids included (JOB-4)."""
    seen: set[str] = set()
    for position, schedule in enumerate(schedules, start=1):
        name = schedule.id or f"job-{position}"
        if name in seen:
            raise Wrong("must_distinct_ids", id=name)
        seen.add(name)
    return schedules

"""The system prompt: the same text from turn to turn while the files behind it stay (TURN-70, TURN-71)."""

from __future__ import annotations

from datetime import datetime, tzinfo
from functools import lru_cache

from crewlab.engine.agents.capping import PERSONA_CHARS, capped
from crewlab.engine.agents.persona import persona_of
from crewlab.engine.agents.roster import Agent
from crewlab.engine.texts import Texts
from crewlab.engine.tools.registry import Registry

__all__ = ["PERSONA_CHARS", "capped", "date_line", "short_prompt", "system_prompt"]

REMEMBERED = 64
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def date_line(now: datetime, zone: tzinfo, texts: Texts) -> str:
    """Weekday and date in the person's zone, never a clock time (TURN-72)."""
    day = now.astimezone(zone)
    return texts("prompt.date", weekday=texts(f"prompt.{WEEKDAYS[day.weekday()]}"), date=day.date().isoformat())


def system_prompt(agent: Agent, registry: Registry, more: tuple[str, ...], now: datetime, zone: tzinfo, texts: Texts) -> str:
    """Frame, persona, mode and workspace, tool names and notes, the sections of ``more``, date line, in this order (TURN-71)."""
    more = ("\n".join(registry.notes), *more) if registry.notes else more
    persona = persona_of(agent, texts)
    return _prompt(agent.name, persona, agent.mode, str(agent.workspace), registry.names, more, date_line(now, zone, texts), texts)


@lru_cache(maxsize=REMEMBERED)
def _prompt(
    name: str, persona: str, mode: str, workspace: str, tools: tuple[str, ...], more: tuple[str, ...], today: str, texts: Texts
) -> str:
    sections = [texts("prompt.frame", name=name)]
    if persona.strip():
        sections.append(capped(persona.strip(), PERSONA_CHARS, texts))
    sections.append(texts(f"prompt.mode_{mode}", workspace=workspace))
    if tools:
        sections.append(texts("prompt.tools", names=", ".join(tools)))
    sections += [*more, today]
    return "\n\n".join(sections)


def short_prompt(agent: Agent, texts: Texts) -> str:
    """A few sentences for a small model that reads slowly."""
    return texts("prompt.short", name=agent.name)

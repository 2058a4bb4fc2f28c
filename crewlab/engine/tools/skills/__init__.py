"""``skill_read``: the full text of a skill (TOOL-30, TOOL-31). Stands on the contract and on ``agents``."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from crewlab.engine.agents.roster import Agent
from crewlab.engine.agents.sections import skill_text
from crewlab.engine.agents.skills import Skills, missing_commands
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.family import FamilyParts
from crewlab.engine.tools.shown import clean_name

__all__ = ["family"]

NAMED = 40  # names in the answer to an unknown one
WHOLE = 1 << 30  # the ceiling of the agent alone cuts what is read


def family(parts: FamilyParts, agent: Agent) -> list[Tool]:
    """The tool; under ``portal`` only for an agent that has a skill (PTL-122)."""
    skills = parts.remembered.skills
    if agent.toolset == "portal" and not skills.of(agent).skills:
        return []
    return [_tool(skills, agent, parts.environ, parts.texts)]


def _tool(skills: Skills, agent: Agent, environ: Mapping[str, str], texts: Texts) -> Tool:
    async def run(arguments: Arguments, _context: ToolContext) -> str:
        return await asyncio.to_thread(_read, skills, agent, arguments["name"], environ, texts)

    return Tool(
        name="skill_read",
        description=texts("skills.read_description"),
        parameters={
            "type": "object",
            "properties": {"name": {"type": "string", "description": texts("skills.read_name")}},
            "required": ["name"],
            "additionalProperties": False,
        },
        run=run,
        marking="bare",
        tier="read",
        replay_safe=True,
        script="any",
    )


def _read(skills: Skills, agent: Agent, name: str, environ: Mapping[str, str], texts: Texts) -> str:
    """The skill of exactly this name; the name is looked up among those that were found and goes nowhere else (TOOL-31)."""
    held = skills.of(agent).skills
    skill = held.get(name)
    if skill is None:
        if "," in name:  # PTL-123
            raise ToolError(texts("skills.one_name"))
        asked = clean_name(name)
        known = ", ".join(sorted(held)[:NAMED])
        raise ToolError(texts("skills.unknown", name=asked, known=known) if held else texts("skills.none", name=asked))
    missing = missing_commands(skill, environ)
    warning = texts("skills.missing", commands=", ".join(missing)) + "\n" if missing else ""
    return warning + skill_text(skill, texts, WHOLE)

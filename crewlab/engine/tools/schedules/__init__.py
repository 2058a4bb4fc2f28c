"""``schedule_create``: an agent proposes a job that runs again and again; a person always decides (GATE-100 to GATE-114)."""

from crewlab.engine.agents.roster import Agent
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.family import FamilyParts
from crewlab.engine.tools.schedules.creating import schedule_tool

__all__ = ["family"]


def family(parts: FamilyParts, agent: Agent) -> list[Tool]:
    """The tool of one agent: the schedule always belongs to the agent that calls it."""
    return [schedule_tool(parts, agent)]

"""The memory tools: an agent's own notes and the facts about the person (MEM-1 to MEM-16). Stands on the contract and on ``agents``."""

from __future__ import annotations

from crewlab.engine.agents.roster import Agent
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.family import FamilyParts
from crewlab.engine.tools.memory.facts import forget_tool, save_fact_tool
from crewlab.engine.tools.memory.notes import save_tool
from crewlab.engine.tools.memory.search import search_tool

__all__ = ["family"]


def family(parts: FamilyParts, agent: Agent) -> list[Tool]:
    """The four tools of an agent whose ``memory_tools`` is on (PTL-18)."""
    if not agent.switches.memory_tools:
        return []
    kept, texts = parts.remembered, parts.texts
    return [
        save_tool(kept.memory, agent, texts),
        search_tool(kept.memory, agent, parts.settings, texts),
        save_fact_tool(kept.memory, kept.proposals, texts),
        forget_tool(kept.memory, kept.proposals, texts),
    ]

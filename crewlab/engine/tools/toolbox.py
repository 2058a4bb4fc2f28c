"""The tools of each agent, assembled once and again when what they hang on has changed (TOOL-19)."""

from __future__ import annotations

from collections.abc import Sequence

from crewlab.engine.agents.roster import Agent
from crewlab.engine.tools.catalogue import tools_of
from crewlab.engine.tools.family import Family, FamilyParts
from crewlab.engine.tools.registry import Registry


class AgentTools:
    """The tools of each agent, assembled once per agent (TOOL-19)."""

    def __init__(self, families: Sequence[Family], parts: FamilyParts) -> None:
        self._families = families
        self._parts = parts
        self._built: dict[str, tuple[Agent, bool, Registry]] = {}

    def of(self, agent: Agent) -> Registry:
        """The registry of the agent as it is now."""
        built = self._built.get(agent.id)
        sees = self._parts.sees()  # a key that was saved acts on the next turn (VIS-3)
        if built is None or built[0] is not agent or built[1] != sees:
            built = self._built[agent.id] = (agent, sees, tools_of(self._families, self._parts, agent))
        return built[2]

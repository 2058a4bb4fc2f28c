"""The prompt of an agent as a person may read it (TURN-79)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from crewlab.engine.agents.agent import Agent
from crewlab.engine.turn.assemble import prompt_of
from crewlab.engine.turn.turn import Parts


@dataclass(frozen=True, slots=True)
class ShownPrompt:
    """The system prompt, and the block the first message of a new conversation would be read after; empty until there are notes."""

    prompt: str
    opening: str


class Prompts:
    """Assembles prompts without a turn. ``opening`` gives the block of a new conversation."""

    def __init__(self, parts: Parts, opening: Callable[[Agent], str]) -> None:
        self._parts = parts
        self._opening = opening

    def of(self, agent_id: str) -> ShownPrompt:
        """The prompt of the agent as it is now. Raises ``NotFound``."""
        parts = self._parts
        agent = parts.roster.get(agent_id)
        return ShownPrompt(prompt_of(parts, agent, parts.toolbox.of(agent), None), self._opening(agent))

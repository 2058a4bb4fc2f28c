"""The memory of a crew: facts about the person and each agent's notes, with the person's clock."""

from __future__ import annotations

from datetime import datetime, tzinfo

from crewlab.engine.agents.agent import Agent
from crewlab.engine.agents.facts import UserFacts
from crewlab.engine.agents.notes import AgentNotes
from crewlab.engine.clock import Clock
from crewlab.engine.home.layout import Home
from crewlab.engine.home.textfiles import TextFiles
from crewlab.engine.home.whole import FileLocks
from crewlab.engine.texts import Texts

USER = ("users", "owner")  # MEM-7


class Memory:
    """Everything that is remembered as Markdown (MEM-1). ``files`` and ``locks`` are one for all of it."""

    def __init__(self, home: Home, texts: Texts, clock: Clock, zone: tzinfo, files: TextFiles) -> None:
        self.files = files
        self.locks = FileLocks()
        self.facts = UserFacts(home.root.joinpath(*USER), files, texts)
        self.texts = texts
        self._clock = clock
        self._zone = zone
        self._notes: dict[str, AgentNotes] = {}

    def now(self) -> datetime:
        """The time as the person's clock shows it (MEM-2)."""
        return self._clock.now().astimezone(self._zone)

    def today(self) -> str:
        """The person's date."""
        return self.now().date().isoformat()

    def notes(self, agent: Agent) -> AgentNotes:
        """The notes of one agent."""
        kept = self._notes.get(agent.id)
        if kept is None or kept.memory_path.parent != agent.directory:
            kept = self._notes[agent.id] = AgentNotes(agent.directory, self.files, self.locks)
        return kept

"""Memory as a person sees and changes it (MEMF-17). Everything that touches files runs in a thread."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from crewlab.engine.agents.capping import MEMORY_CHARS
from crewlab.engine.agents.facts import Fact, FactProblem, checked, file_of, is_slug, read_fact
from crewlab.engine.agents.memory import Memory
from crewlab.engine.agents.notes import MEMORY_FILE, AgentNotes
from crewlab.engine.agents.roster import Roster
from crewlab.engine.errors import Conflict, Invalid, NotFound, Unavailable

SHOWN_DAYS = 60  # newest day notes in one answer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DayNote:
    """The notes of one day."""

    day: str
    text: str


@dataclass(frozen=True, slots=True)
class AgentMemory:
    """What one agent knows about its own work; ``cap`` is how much of ``memory`` the prompt carries (TURN-74)."""

    memory: str
    chars: int
    cap: int
    notes: Sequence[DayNote]


class MemoryDesk:
    """Reads and writes memory for a person, who may do so at any time."""

    def __init__(self, memory: Memory, roster: Roster) -> None:
        self._memory = memory
        self._roster = roster
        self._texts = memory.texts

    async def user(self) -> tuple[str, Sequence[Fact]]:
        """The index and all facts."""
        facts = self._memory.facts
        return await asyncio.to_thread(lambda: (facts.index(), facts.known().facts))

    async def save(self, slug: str, kind: str, description: str, text: str) -> Fact:
        """Save one fact under its name. Raises ``Invalid`` that names the field."""
        try:
            fact = checked(slug, kind, text, description, self._memory.today(), self._texts)
        except FactProblem as problem:
            raise Invalid(str(problem), field="slug" if problem.field == "name" else problem.field) from problem
        await self._write(slug, lambda: self._memory.facts.write(slug, file_of(fact)))
        return fact

    async def forget(self, slug: str) -> Fact:
        """Drop one fact and give it back. Raises ``Invalid``, ``NotFound``."""
        if not is_slug(slug):
            raise Invalid(self._texts("memory.bad_name", limit=60), field="slug")
        written, before = await self._write(slug, lambda: self._memory.facts.write(slug, None, lambda found: found is not None))
        if not written or before is None:
            raise NotFound(self._texts("memory.no_fact", name=slug))
        return read_fact(slug, before)

    async def agent(self, agent_id: str) -> AgentMemory:
        """One agent's memory and its newest notes. Raises ``NotFound``."""
        notes = self._memory.notes(self._roster.get(agent_id))
        return await asyncio.to_thread(_shown, notes)

    async def rewrite(self, agent_id: str, text: str, expected: str) -> AgentMemory:
        """Replace ``MEMORY.md``; ``expected`` is the SHA-256 of the text the person has seen.

        Raises ``NotFound``, and ``Conflict`` (``stale``) with ``current`` when it has changed since.
        """
        notes = self._memory.notes(self._roster.get(agent_id))
        written, before = await self._write(MEMORY_FILE, lambda: notes.rewrite(text, lambda current: digest(current) == expected))
        if not written:
            raise Conflict(self._texts("memory.stale", target=MEMORY_FILE), code="stale", current=before)
        return await asyncio.to_thread(_shown, notes)

    async def _write(self, target: str, write: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(write)
        except OSError as error:
            raise Unavailable(self._texts("memory.not_written", target=target, why=error.strerror)) from error


def digest(text: str) -> str:
    """The SHA-256 of a text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def _shown(notes: AgentNotes) -> AgentMemory:
    memory = notes.memory().text
    days = [DayNote(day, notes.of(day).text) for day in notes.days()[:SHOWN_DAYS]]
    return AgentMemory(memory, len(memory), MEMORY_CHARS, days)

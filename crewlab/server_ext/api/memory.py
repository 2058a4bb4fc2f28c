"""What is remembered, for a person: facts, an agent's memory, proposals (MEMF-17)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, StringConstraints

from crewlab.engine.agents.facts import DESCRIPTION_CHARS, TEXT_CHARS, Fact, FactType
from crewlab.engine.memory_records import MemoryProposal, ProposalStatus
from crewlab.engine.records import Record

if TYPE_CHECKING:
    from crewlab.engine.agents.desk import AgentMemory
    from crewlab.engine.crew import Crew

MEMORY_FILE_CHARS = 500_000  # a longer MEMORY.md is no memory; the prompt carries 8,000 of it
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class ProposalQuery(Record):
    """Which proposals to list."""

    status: ProposalStatus | None = None


class ProposalList(Record):
    """Proposals, newest first."""

    proposals: list[MemoryProposal]


class ProposalDecision(Record):
    """The person's decision; ``force`` writes although the target has changed since (MEMF-12)."""

    decision: Literal["approve", "reject", "revert"]
    force: bool = False


class UserFact(Record):
    """A fact about the person."""

    slug: str
    type: FactType
    description: str
    updated: str
    text: str


class UserMemory(Record):
    """The index, and every fact."""

    index: str
    facts: list[UserFact]


class FactChange(Record):
    """A fact as a person writes it; an empty ``description`` is the first line of the text."""

    type: FactType
    description: str = Field("", max_length=DESCRIPTION_CHARS)
    text: str = Field(max_length=TEXT_CHARS)


class DayNotes(Record):
    """The notes of one day."""

    day: str
    text: str


class AgentMemoryView(Record):
    """An agent's ``MEMORY.md`` with its length and how much of it the prompt carries, and its newest notes."""

    memory: str
    chars: int
    cap: int
    notes: list[DayNotes]


class MemoryChange(Record):
    """A new ``MEMORY.md``; ``expected`` is the SHA-256 of the text it replaces, in hex."""

    text: str = Field(max_length=MEMORY_FILE_CHARS)
    expected: Sha256


async def proposals(crew: Crew, query: ProposalQuery) -> ProposalList:
    """Newest first."""
    return ProposalList(proposals=crew.proposals.list(query.status))


async def decide(crew: Crew, id: str, body: ProposalDecision) -> MemoryProposal:
    """Approve, reject, or take back what was approved."""
    return await crew.proposals.decide(id, body.decision, force=body.force)


async def user(crew: Crew) -> UserMemory:
    """What the crew knows about the person."""
    index, facts = await crew.memory.user()
    return UserMemory(index=index, facts=[_fact(fact) for fact in facts])


async def save(crew: Crew, slug: str, body: FactChange) -> UserFact:
    """Save one fact under its name."""
    return _fact(await crew.memory.save(slug, body.type, body.description, body.text))


async def forget(crew: Crew, slug: str) -> UserFact:
    """Drop one fact; the answer is what it was."""
    return _fact(await crew.memory.forget(slug))


async def agent(crew: Crew, id: str) -> AgentMemoryView:
    """One agent's memory."""
    return _agent(await crew.memory.agent(id))


async def rewrite(crew: Crew, id: str, body: MemoryChange) -> AgentMemoryView:
    """Replace ``MEMORY.md`` if nobody else has in the meantime."""
    return _agent(await crew.memory.rewrite(id, body.text, body.expected))


def _fact(fact: Fact) -> UserFact:
    return UserFact.model_validate(asdict(fact))


def _agent(found: AgentMemory) -> AgentMemoryView:
    notes = [DayNotes(day=note.day, text=note.text) for note in found.notes]
    return AgentMemoryView(memory=found.memory, chars=found.chars, cap=found.cap, notes=notes)

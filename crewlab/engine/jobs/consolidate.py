"""Consolidation: a new ``MEMORY.md`` out of recent notes, as a proposal (MEMF-13, MEMF-14, JOB-14).

Called by whoever keeps the clock. It opens no conversation and writes nothing: a person decides.
"""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import asdict
from datetime import timedelta
from typing import Any

from crewlab.engine.agents.capping import MEMORY_CHARS
from crewlab.engine.agents.facts import Fact, FactProblem, checked, file_of
from crewlab.engine.agents.notes import MEMORY_FILE
from crewlab.engine.agents.roster import Agent
from crewlab.engine.errors import CrewError, TooMany
from crewlab.engine.memory_records import MemoryProposal
from crewlab.engine.models.base import ChatMessage, ChatRequest, NoRoute, RoutesFailed, StreamBroken
from crewlab.engine.tools.fence import fence
from crewlab.engine.turn.remembering import Remembering
from crewlab.engine.turn.side import side_chain
from crewlab.engine.turn.turn import Parts

DAYS = 14  # MEMF-13
NOTES_CHARS = 60_000  # what of the notes is read: the newest
MAX_CHANGES = 10  # of one look over the facts
CALL_SECONDS = 120.0

log = logging.getLogger(__name__)


class Consolidation:
    """Proposes what is worth keeping."""

    def __init__(self, parts: Parts, remembering: Remembering) -> None:
        self._parts = parts
        self._memory = remembering.memory
        self._proposals = remembering.proposals

    async def run(self, agent_id: str) -> list[MemoryProposal]:
        """One model call over the agent's memory, and for the master one more over the facts; the proposals that came of it.

        No model, no notes or a useless answer gives none (MEMF-14). Raises ``NotFound`` for an unknown agent.
        """
        agent = self._parts.roster.get(agent_id)
        try:
            rewritten = await self._rewrite(agent)
            reviewed = await self._review(agent) if agent.master else []
        except TooMany as error:  # a person decides first; what was proposed so far waits with the rest
            log.info("no more proposals of %s: %s", agent.id, error.message)
            return []
        return ([rewritten] if rewritten else []) + reviewed

    async def job(self, agent: Agent) -> None:
        """What the scheduler runs (JOB-14)."""
        await self.run(agent.id)

    async def _rewrite(self, agent: Agent) -> MemoryProposal | None:
        texts = self._parts.texts
        before, notes = await asyncio.to_thread(self._read, agent)
        if not notes:
            return None
        asked = [texts("memory.consolidate_memory"), fence("NOTES", before, texts), texts("memory.consolidate_notes")]
        answer = await self._ask(agent, texts("memory.consolidate", limit=MEMORY_CHARS), "\n".join([*asked, fence("NOTES", notes, texts)]))
        text = answer.strip()
        if not text or len(text) > MEMORY_CHARS or text == before.strip():  # MEMF-14
            return None
        reason = texts("memory.reason_consolidate", agent=agent.name, days=DAYS)
        return self._proposals.propose(agent.id, "rewrite", MEMORY_FILE, (before, text + "\n"), reason)

    def _read(self, agent: Agent) -> tuple[str, str]:
        """``MEMORY.md``, and the notes of the last 14 days, oldest first; of too many the newest."""
        notes = self._memory.notes(agent)
        oldest = (self._memory.now().date() - timedelta(days=DAYS - 1)).isoformat()
        kept: list[str] = []
        room = NOTES_CHARS
        for day in notes.days():
            text = notes.of(day).text.strip()
            if day < oldest or room <= 0:
                break
            if text:
                kept.insert(0, self._parts.texts("memory.notes_of", day=day) + "\n" + text[-room:])
                room -= len(text)
        return notes.memory().text, "\n\n".join(kept)

    async def _review(self, agent: Agent) -> list[MemoryProposal]:
        texts = self._parts.texts
        known = (await asyncio.to_thread(self._memory.facts.known)).facts
        if not known:
            return []
        shown = json.dumps([asdict(fact) for fact in known], ensure_ascii=False)[:NOTES_CHARS]
        asked = texts("memory.review_facts") + "\n" + fence("NOTES", shown, texts)
        answer = await self._ask(agent, texts("memory.review", limit=MAX_CHANGES), asked)
        facts = {fact.slug: fact for fact in known}
        found = [self._change(agent, change, facts) for change in _changes(answer)]
        return [proposal for proposal in found if proposal is not None]

    def _change(self, agent: Agent, change: dict[str, Any], facts: dict[str, Fact]) -> MemoryProposal | None:
        """A change of a fact that the model named; what is no change of a known fact, or no fact, is left out."""
        texts = self._parts.texts
        slug = str(change.get("name"))
        old = facts.get(slug)
        if old is None:
            return None
        before, reason = self._memory.facts.raw(slug), texts("memory.reason_review", agent=agent.name)
        if change.get("operation") == "forget":
            return self._proposals.propose(agent.id, "forget", slug, (before, None), reason)
        try:
            kind, text, said = (str(change.get(field) or "") for field in ("type", "text", "description"))
            new = checked(slug, kind, text, said, self._memory.today(), texts)
        except FactProblem as problem:
            log.info("a change of the fact %s is left out: %s", slug, problem)
            return None
        if (new.type, new.text, new.description) == (old.type, old.text, old.description):
            return None
        return self._proposals.propose(agent.id, "save", slug, (before, file_of(new)), reason)

    async def _ask(self, agent: Agent, system: str, text: str) -> str:
        """The answer, "" when there is none: no fit model, a failure, no time."""
        try:
            chain = await side_chain(self._parts, agent, None)
            if not chain.chain.writes_aside:
                return ""
            async with asyncio.timeout(CALL_SECONDS):
                return (await chain.ask("consolidate", ChatRequest(system, (ChatMessage("user", text),)))).text
        except (CrewError, NoRoute, RoutesFailed, StreamBroken, TimeoutError) as error:
            log.info("no consolidation of %s: %s", agent.id, error)
            return ""


def _changes(answer: str) -> list[dict[str, Any]]:
    """The changes in an answer, at most ten; none when it is no JSON array."""
    start, end = answer.find("["), answer.rfind("]")
    try:
        said = json.loads(answer[start : end + 1]) if start >= 0 else None
    except (ValueError, RecursionError):
        return []
    found = [item for item in said if isinstance(item, dict)] if isinstance(said, list) else []
    return [item for item in found if item.get("operation") in ("save", "forget")][:MAX_CHANGES]

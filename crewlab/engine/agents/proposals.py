"""Memory that a person must agree to: who is there to object, and what happens to a proposal (MEM-11 to MEM-14, MEMF-7 to MEMF-12)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Literal

from crewlab.engine.agents.memory import Memory
from crewlab.engine.agents.notes import MEMORY_FILE
from crewlab.engine.agents.roster import Roster
from crewlab.engine.clock import Clock, iso, new_id
from crewlab.engine.errors import Conflict, NotFound, TooMany, Unavailable
from crewlab.engine.memory_records import MemoryProposal, ProposalOperation, ProposalStatus
from crewlab.engine.store.store import Store

PRESENT = frozenset({"chat", "telegram", "notebook"})  # MEMF-8
CHILD = "delegate:"  # TURN-13
MAX_PENDING = 100  # of one agent: a job that proposes without end is told to stop

Decision = Literal["approve", "reject", "revert"]
_MOVES: dict[Decision, tuple[ProposalStatus, ProposalStatus]] = {
    "approve": ("pending", "approved"),
    "reject": ("pending", "rejected"),
    "revert": ("approved", "reverted"),
}
_Fits = Callable[[str | None], bool]

log = logging.getLogger(__name__)


def present(source: str, chain_source: str | None) -> bool:
    """Whether the person is there to object to what a run of this source writes (MEMF-8). Pure.

    ``chain_source`` is the source of the turn that opened the chain of a delegated conversation; where it is not known, nobody is.
    """
    return (chain_source if source.startswith(CHILD) else source) in PRESENT


class Proposals:
    """The proposals of a crew."""

    def __init__(self, memory: Memory, store: Store, roster: Roster, clock: Clock) -> None:
        self._memory = memory
        self._store = store
        self._roster = roster
        self._clock = clock
        self._texts = memory.texts
        self._one = asyncio.Lock()

    def present(self, source: str, conversation_id: str | None) -> bool:
        """Whether somebody can object to what this run writes now."""
        chain = self._store.conversations.chain_source(conversation_id) if conversation_id else None
        return present(source, chain)

    def propose(
        self,
        agent_id: str,
        operation: ProposalOperation,
        target: str,
        texts: tuple[str | None, str | None],
        reason: str,
        conversation_id: str | None = None,
    ) -> MemoryProposal:
        """Store a proposal; ``texts`` are what is there and what would be. Nothing else is written. Raises ``TooMany``."""
        if self._store.proposals.count_pending(agent_id, target) >= MAX_PENDING:
            raise TooMany(self._texts("memory.too_many_proposals", limit=MAX_PENDING))
        proposal = MemoryProposal(
            id=new_id("mp"),
            agent_id=agent_id,
            conversation_id=conversation_id,
            operation=operation,
            target=target,
            before_text=texts[0],
            after_text=texts[1],
            reason=reason,
            run_id=self._store.runs.newest_of(conversation_id) if conversation_id else None,
            created_at=iso(self._clock.now()),
        )
        self._store.proposals.insert(proposal)
        return proposal

    def list(self, status: ProposalStatus | None = None) -> list[MemoryProposal]:
        """Newest first."""
        return self._store.proposals.list(status)

    async def decide(self, proposal_id: str, decision: Decision, *, force: bool = False) -> MemoryProposal:
        """Approve, reject, or step back behind an approval.

        Raises ``NotFound``, and ``Conflict``: ``decided`` when the status does not allow it, ``stale`` with ``current`` when the
        target has changed since; ``force`` writes over that.
        """
        async with self._one:  # two windows decide one after the other
            found = self._store.proposals.get(proposal_id)
            if found is None:
                raise NotFound(self._texts("memory.no_proposal", id=proposal_id))
            before, after = _MOVES[decision]
            if found.status != before:
                raise Conflict(self._texts("memory.decided", status=found.status), code="decided")
            if decision == "approve":
                await self._put(found, found.after_text, found.before_text, force)
            elif decision == "revert":
                await self._put(found, found.before_text, found.after_text, force)
            self._store.proposals.move(proposal_id, before, after, iso(self._clock.now()))
            return self._store.proposals.get(proposal_id) or found

    async def _put(self, proposal: MemoryProposal, wanted: str | None, was: str | None, force: bool) -> None:
        """Write ``wanted`` where ``was`` still stands; what already is as wanted (a cut between file and row) is no conflict."""

        def fits(current: str | None) -> bool:
            return force or (current or None) in (was or None, wanted or None)

        try:
            written, current = await asyncio.to_thread(self._write, proposal, wanted, fits)
        except OSError as error:
            log.error("%s cannot be written: %s", proposal.target, error)
            raise Unavailable(self._texts("memory.not_written", target=proposal.target, why=error.strerror)) from error
        if not written:
            raise Conflict(self._texts("memory.stale", target=proposal.target), code="stale", current=current or "")

    def _write(self, proposal: MemoryProposal, wanted: str | None, fits: _Fits) -> tuple[bool, str | None]:
        if proposal.target == MEMORY_FILE:
            notes = self._memory.notes(self._roster.get(proposal.agent_id))
            return notes.rewrite(wanted or "", fits)
        return self._memory.facts.write(proposal.target, wanted, fits)

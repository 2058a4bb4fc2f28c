"""The record of a memory proposal (MEMF-10), for the store, the HTTP API and the generated types."""

from __future__ import annotations

from typing import Literal

from crewlab.engine.records import Record

ProposalOperation = Literal["save", "forget", "rewrite"]  # MEMF-10
ProposalStatus = Literal["pending", "approved", "rejected", "reverted"]  # MEMF-10


class MemoryProposal(Record):
    """What an agent would write into memory if a person agrees (MEMF-10).

    ``target`` is the name of a fact, or ``MEMORY.md`` of the agent. The texts are whole files; null: there is no file.
    """

    id: str
    agent_id: str
    conversation_id: str | None = None
    operation: ProposalOperation
    target: str
    before_text: str | None = None
    after_text: str | None = None
    reason: str
    run_id: str | None = None
    status: ProposalStatus = "pending"
    created_at: str
    decided_at: str | None = None

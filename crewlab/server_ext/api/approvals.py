"""Requests for a person: list, read, decide (GATE-72 to GATE-74)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crewlab.engine.errors import Invalid
from crewlab.engine.records import Approval
from crewlab.server_ext.api.models import ApprovalList, ApprovalQuery, Decision

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew


async def list_approvals(crew: Crew, query: ApprovalQuery) -> ApprovalList:
    """Pending ones first."""
    found = crew.approvals.list(query.status, query.conversation_id, query.agent_id, query.limit, query.before)
    return ApprovalList(approvals=found)


async def read(crew: Crew, id: str) -> Approval:
    """One request."""
    return crew.approvals.get(id)


async def decide(crew: Crew, id: str, body: Decision) -> Approval:
    """Record the decision or the answer; the continued turn is followed on the conversation's stream."""
    if sum(each is not None for each in (body.decision, body.answer, body.skip)) != 1:
        raise Invalid(crew.texts("gate.one_of_three"), field="decision")
    if body.decision is not None:
        return await crew.approvals.decide(id, body.decision, body.always)
    if body.answer is None:
        return await crew.approvals.skip(id)
    if isinstance(body.answer, str):
        return await crew.approvals.answer(id, body.answer)
    return await crew.approvals.answer(id, body.answer.text, body.answer.labels)

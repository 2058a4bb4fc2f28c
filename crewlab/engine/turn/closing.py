"""Closing one request: the decision, the end of its wait and what follows are one commit; then the turn goes on (GATE-41, DUR-3)."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime

from crewlab.engine.errors import NotFound
from crewlab.engine.events import ApprovalDecided, TurnError
from crewlab.engine.records import INTERRUPTED, Approval, ApprovalStatus, Run, StepOutcome
from crewlab.engine.tools.questions import Given
from crewlab.engine.turn import steps
from crewlab.engine.turn.host import TurnHost
from crewlab.engine.turn.kept import kept
from crewlab.engine.turn.turn import Parts

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Closing:
    """How a request is closed; ``given`` is the answer to a question."""

    status: ApprovalStatus
    always: bool = False
    given: Given | None = None
    skipped: bool = False

    @property
    def word(self) -> StepOutcome:
        """One word for the step and the log: a skip is none of the others (ASK-3)."""
        if self.skipped:
            return "skipped"
        return "denied" if self.status == "pending" else self.status


def close(parts: Parts, host: TurnHost, approval: Approval, closing: Closing) -> Approval | None:
    """Close ``approval`` and continue its turn; ``None`` when somebody else was first (TURN-52).

    Where the agent was removed the request closes as denied, its call gets that result and the run ends (GATE-45).
    Raises ``StoreWriteFailed``, and then the request is open as before.
    """
    gone = not _held(parts, approval.agent_id)
    if gone and closing.status != "expired":
        closing = Closing("denied")
    run = parts.hub.live.get(approval.run_id) or parts.store.runs.get(approval.run_id)
    with kept(run):
        closed = _write(parts, run, approval, closing, gone=gone)
    if closed is None:
        return None
    log.info("request %s (%s) of conversation %s: %s", approval.id, approval.tool, approval.conversation_id, closing.word)
    event = ApprovalDecided(approval_id=approval.id, status=closing.status, always=closing.always, skipped=closing.skipped)
    parts.watch.publish(approval.conversation_id, event)
    parts.hub.event(run, approval.conversation_id, approval.agent_id, event)
    if run is not None:
        _follow(parts, host, run, approval, gone=gone)
    return closed


def _held(parts: Parts, agent_id: str) -> bool:
    try:
        parts.roster.get(agent_id)
    except NotFound:
        return False
    return True


def _write(parts: Parts, run: Run | None, approval: Approval, closing: Closing, *, gone: bool) -> Approval | None:
    given = closing.given
    answer, labels = (given.whole, given.labels) if given is not None else (None, ())
    with parts.store.transaction():
        closed = parts.store.approvals.decide(
            approval.id, closing.status, parts.now(), always=closing.always, answer=answer, labels=labels, skipped=closing.skipped
        )
        if closed is None:
            return None
        if closing.always:
            _allow(parts, approval)
        if gone:
            _answer_for_nobody(parts, approval)
        if run is not None:
            _end_wait(parts, run, approval, closing)
            run.status = "running"
            if gone:
                steps.finish(run, "error", INTERRUPTED, parts.now())
            parts.store.runs.save(run)
    return closed


def _allow(parts: Parts, approval: Approval) -> None:
    """GATE-40: the tool joins the conversation's list."""
    conversation = parts.store.conversations.get(approval.conversation_id)
    if conversation is not None and approval.tool not in conversation.auto_approve:
        names = [*conversation.auto_approve, approval.tool]
        parts.store.conversations.patch(conversation.id, {"auto_approve": names}, parts.now())


def _answer_for_nobody(parts: Parts, approval: Approval) -> None:
    """The call of an agent that is gone gets its result all the same (GATE-45)."""
    parts.store.messages.append(
        approval.conversation_id,
        "tool",
        parts.texts("gate.agent_gone"),
        parts.now(),
        tool_call_id=approval.call_id,
        name=approval.tool,
        context={"outcome": "denied"},
    )


def _end_wait(parts: Parts, run: Run, approval: Approval, closing: Closing) -> None:
    step = steps.running(run, "wait")
    if step is not None:
        waited = parts.clock.now() - datetime.fromisoformat(approval.created_at)
        steps.end(step, max(0, round(waited.total_seconds() * 1000)), outcome=closing.word)


def _follow(parts: Parts, host: TurnHost, run: Run, approval: Approval, *, gone: bool) -> None:
    """The turn goes on, or its viewers hear that it has ended."""
    if not gone:
        host.resume(run, fresh=True)
        return
    log.warning("request %s was closed for an agent that is gone", approval.id)
    parts.hub.run(run)
    end = TurnError(run_id=run.id, code="internal", message=parts.texts("gate.agent_gone"))
    parts.watch.publish(approval.conversation_id, end)
    parts.hub.event(run, approval.conversation_id, approval.agent_id, end)

"""Decisions on stored requests: approve, deny, expire; each continues exactly the paused turn (GATE-39 to GATE-56)."""

from __future__ import annotations

import asyncio
import logging
from datetime import datetime
from typing import Literal

from crewlab.engine.errors import Conflict, Invalid, NotFound
from crewlab.engine.events import ApprovalDecided
from crewlab.engine.records import INTERRUPTED, Approval, ApprovalStatus, Run
from crewlab.engine.turn import steps
from crewlab.engine.turn.host import TurnHost
from crewlab.engine.turn.kept import kept
from crewlab.engine.turn.resume import write_late
from crewlab.engine.turn.turn import Parts

SWEEP_SECONDS = 20.0  # GATE-51

log = logging.getLogger(__name__)


class Decisions:
    """The requests of the crew. Of a decision, a sweep and a deletion exactly one wins (TURN-52)."""

    def __init__(self, parts: Parts, host: TurnHost) -> None:
        self._parts = parts
        self._host = host

    def list(
        self,
        status: ApprovalStatus | None = None,
        conversation_id: str | None = None,
        agent_id: str | None = None,
        limit: int = 50,
        before: str | None = None,
    ) -> list[Approval]:
        """Pending first, then decided, newest first."""
        return self._parts.store.approvals.list(status, conversation_id, agent_id, limit, before)

    def get(self, approval_id: str) -> Approval:
        """One request. Raises ``NotFound``."""
        approval = self._parts.store.approvals.get(approval_id)
        if approval is None:
            raise NotFound(self._parts.texts("turn.approval_gone", id=approval_id))
        return approval

    async def decide(self, approval_id: str, decision: Literal["approve", "deny"], always: bool = False) -> Approval:
        """Take a decision and continue the turn; answers as soon as it is recorded (GATE-74).

        Raises ``NotFound``, ``Conflict`` (``not_pending``, ``conversation_busy``), ``Invalid``.
        """
        approval = self.get(approval_id)
        if approval.status != "pending":
            raise self._not_pending(approval)
        if approval.kind == "question":
            raise Invalid(self._parts.texts("turn.always_question"), field="decision")
        turn = self._host.live.get(approval.conversation_id)
        if turn is not None and turn.run.status == "waiting":
            await self._host.wait(approval.conversation_id)  # it pauses at this very moment: the request was just told
        if self._host.busy(approval.conversation_id):
            raise Conflict(self._parts.texts("turn.conversation_busy"), code="conversation_busy")
        if datetime.fromisoformat(approval.expires_at) <= self._parts.clock.now():  # GATE-53
            raise self._not_pending(self._close(approval, "expired"))
        status: ApprovalStatus = "approved" if decision == "approve" else "denied"
        return self._close(approval, status, always=always and status == "approved" and approval.reason is None)

    def _not_pending(self, approval: Approval) -> Conflict:
        return Conflict(self._parts.texts("turn.not_pending", status=approval.status), code="not_pending", status=approval.status)

    def _close(self, approval: Approval, status: ApprovalStatus, *, always: bool = False) -> Approval:
        """Close the request in one commit with the wait step and, for always, the conversation's list (GATE-40)."""
        parts = self._parts
        run = parts.hub.live.get(approval.run_id) or parts.store.runs.get(approval.run_id)
        with kept(run), parts.store.transaction():
            closed = parts.store.approvals.decide(approval.id, status, parts.now(), always=always)
            if closed is None:
                raise self._not_pending(self.get(approval.id))
            if always:
                self._allow(approval)
            if run is not None:  # the run goes on in the commit of the decision (DUR-3)
                self._end_wait(run, approval, status)
                run.status = "running"
                parts.store.runs.save(run)
        event = ApprovalDecided(approval_id=approval.id, status=status, always=always)
        parts.watch.publish(approval.conversation_id, event)
        parts.hub.event(run, approval.conversation_id, approval.agent_id, event)
        if run is not None:
            self._go_on(run, approval)
        return closed

    def _allow(self, approval: Approval) -> None:
        conversation = self._parts.store.conversations.get(approval.conversation_id)
        if conversation is not None and approval.tool not in conversation.auto_approve:
            names = [*conversation.auto_approve, approval.tool]
            self._parts.store.conversations.patch(conversation.id, {"auto_approve": names}, self._parts.now())

    def _end_wait(self, run: Run, approval: Approval, status: ApprovalStatus) -> None:
        step = steps.running(run, "wait")
        if step is not None:
            waited = self._parts.clock.now() - datetime.fromisoformat(approval.created_at)
            steps.end(step, max(0, round(waited.total_seconds() * 1000)), outcome=status)

    def _go_on(self, run: Run, approval: Approval) -> None:
        try:
            self._host.resume(run, fresh=True)
        except NotFound:  # the agent was removed (GATE-45)
            with kept(run), self._parts.store.transaction():
                run.status, run.summary, run.ended_at = "error", INTERRUPTED, self._parts.now()
                self._parts.store.runs.save(run)
            self._parts.hub.run(run)
            log.warning("request %s was decided for an agent that is gone", approval.id)

    def sweep(self) -> int:
        """Close every request whose deadline has passed and continue its turn (GATE-51); returns how many."""
        overdue = self._parts.store.approvals.overdue(self._parts.now())
        closed = 0
        for approval in overdue:
            if self._host.busy(approval.conversation_id):
                continue
            try:
                self._close(approval, "expired")
                closed += 1
            except Conflict:
                continue  # somebody decided at this very moment
        return closed

    async def sweep_for_ever(self) -> None:
        """The tick of the sweep; also without a schedule (GATE-54)."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                write_late(self._parts)
                self.sweep()
            except Exception:
                log.exception("sweeping overdue requests failed; trying again in %s s", SWEEP_SECONDS)

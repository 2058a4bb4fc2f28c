"""Decisions on stored requests: approve, deny, answer, skip, expire; each continues exactly the paused turn (GATE-39 to GATE-56)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from crewlab.engine.errors import Conflict, Invalid, NotFound
from crewlab.engine.records import Approval, ApprovalStatus
from crewlab.engine.tools.questions import Given, WrongAnswer, read_answer
from crewlab.engine.turn.closing import Closing, close
from crewlab.engine.turn.host import TurnHost
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

        Raises ``NotFound``, ``Conflict`` (``not_pending``, ``conversation_busy``), ``Invalid`` for a question.
        """
        approval = self._open(approval_id)
        if approval.kind == "question":
            raise Invalid(self._parts.texts("gate.is_question"), field="decision")
        await self._hold(approval)
        if decision == "deny":
            return self._close(approval, Closing("denied"))
        return self._close(approval, Closing("approved", always=always and approval.reason is None))  # GATE-34

    async def answer(self, approval_id: str, text: str = "", labels: Sequence[str] | None = None) -> Approval:
        """Answer a question: plain text, or chosen labels with or without text (ASKU-9); then as ``decide``.

        Raises ``Invalid`` also for an answer that the question does not take; it stays open.
        """
        approval = self._question(approval_id, "answer")
        try:
            given = read_answer(approval, labels, text)
        except WrongAnswer as wrong:
            raise Invalid(self._parts.texts(f"asking.{wrong.key}"), field="answer") from wrong
        await self._hold(approval)
        return self._close(approval, Closing("answered", given=given))

    async def skip(self, approval_id: str) -> Approval:
        """Skip a question, which is success (GATE-88); then as ``decide``."""
        approval = self._question(approval_id, "skip")
        await self._hold(approval)
        return self._close(approval, Closing("answered", given=Given(), skipped=True))

    def _open(self, approval_id: str) -> Approval:
        approval = self.get(approval_id)
        if approval.status != "pending":
            raise self._not_pending(approval)
        return approval

    def _question(self, approval_id: str, field: str) -> Approval:
        approval = self._open(approval_id)
        if approval.kind != "question":
            raise Invalid(self._parts.texts("gate.is_tool"), field=field)
        return approval

    async def _hold(self, approval: Approval) -> None:
        """Wait until the turn that asked has paused; whoever was first meanwhile has decided (GATE-47, GATE-53)."""
        turn = self._host.live.get(approval.conversation_id)
        if turn is not None and turn.run.status == "waiting":
            await self._host.wait(approval.conversation_id)  # it pauses at this very moment: the request was just told
            self._open(approval.id)
        if self._host.busy(approval.conversation_id):
            raise Conflict(self._parts.texts("gate.conversation_busy"), code="conversation_busy")
        if datetime.fromisoformat(approval.expires_at) <= self._parts.clock.now():
            raise self._not_pending(self._close(approval, Closing("expired")))

    def _not_pending(self, approval: Approval) -> Conflict:
        """Who is late is told what was decided, and when (GATE-47, FA-2)."""
        word = "skipped" if approval.skipped else approval.status
        return Conflict(
            self._parts.texts(f"gate.late_{word}"),
            code="not_pending",
            status=approval.status,
            skipped=approval.skipped,
            decided_at=approval.decided_at,
        )

    def _close(self, approval: Approval, closing: Closing) -> Approval:
        closed = close(self._parts, self._host, approval, closing)
        if closed is None:
            raise self._not_pending(self.get(approval.id))
        return closed

    def sweep(self) -> int:
        """Close every request whose deadline has passed and continue its turn (GATE-51); returns how many."""
        overdue = self._parts.store.approvals.overdue(self._parts.now())
        closed = 0
        for approval in overdue:
            if self._host.busy(approval.conversation_id):
                continue
            try:
                self._close(approval, Closing("expired"))
                closed += 1
            except (Conflict, NotFound):
                continue  # somebody decided or deleted at this very moment
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

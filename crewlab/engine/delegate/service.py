"""Giving out a job and reading what became of it: the one way for the tool, scripts and kernel cells (DLG-10, DLG-85)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crewlab.engine.delegate.account import Account, account
from crewlab.engine.delegate.body import body_of
from crewlab.engine.delegate.outcome import Ended, decide
from crewlab.engine.delegate.result import Figures, field, head
from crewlab.engine.errors import NotFound
from crewlab.engine.records import INTERRUPTED, Run
from crewlab.engine.store.children import is_child
from crewlab.engine.store.conversations import Charge, StoredConversation
from crewlab.engine.tools.children import Begun, ChildTurns, Job, WrittenCanvas
from crewlab.engine.tools.contract import ToolContext
from crewlab.engine.tools.family import FamilyParts

MAX_JOBS = 8  # DLG-33
EQUAL_FAILURES = 3  # FJ-10
GRACE_SECONDS = 300.0  # DLG-25: beyond the deadline of the child's requests


class Refused(Exception):
    """The job is not given out; the message says what to do (DLG-95)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a job. ``failed``: an error result (DLG-43). ``words`` are the child's own, ``charge`` what it spent."""

    text: str
    failed: bool
    ended: Ended
    words: str
    whole: bool
    charge: Charge


class Delegation:
    """Gives out the jobs of one agent."""

    def __init__(self, parts: FamilyParts, turns: ChildTurns, agent_id: str) -> None:
        self._parts = parts
        self._turns = turns
        self._agent_id = agent_id

    def permitted(self) -> list[str]:
        """The agents it may give work to now, itself first (DLG-5, DLG-6)."""
        roster = self._parts.roster
        there = {agent.id for agent in roster.all()}
        return [self._agent_id, *(id for id in roster.get(self._agent_id).delegates if id in there)]

    def check(self, context: ToolContext, task: str, agent_id: str) -> None:
        """Raises ``Refused`` for a job that is not given out."""
        texts = self._parts.texts
        parent = self._parts.store.conversations.get(context.conversation_id) if context.conversation_id else None
        if parent is None:
            raise Refused(texts("delegate.no_conversation"))
        if is_child(context.source) or is_child(parent.source):
            raise Refused(texts("delegate.too_deep"))
        if agent_id not in self.permitted():
            raise Refused(texts("delegate.not_permitted", ids=", ".join(self.permitted())))
        if not task.strip():
            raise Refused(texts("delegate.empty_task"))
        if self._parts.store.children.opened_by(parent.id, context.call_id) is None:  # what was opened before is found again
            self._check_room(parent, agent_id)

    def _check_room(self, parent: StoredConversation, agent_id: str) -> None:
        texts, store = self._parts.texts, self._parts.store
        if self._turns.going_down:
            raise Refused(texts("delegate.going_down"))
        children = store.children.of(parent.id, store.messages.list(parent.id))
        if len(children) >= MAX_JOBS:
            raise Refused(texts("delegate.too_many", limit=MAX_JOBS))
        why = self._broken([child.id for child in children if child.agent_id == agent_id])
        if why is not None:
            raise Refused(texts("delegate.broken", id=agent_id, limit=EQUAL_FAILURES, why=field(why)))
        if 0 < parent.cost_cap_usd <= parent.spent_usd:
            raise Refused(texts("delegate.no_budget"))

    def _broken(self, child_ids: list[str]) -> str | None:
        """Why the last jobs of one agent failed, when all of them failed alike (FJ-10, JOBS-4); a person's stop is no failure."""
        failures = {failure_of(self._parts.store.runs.of(child_id)) for child_id in child_ids[-EQUAL_FAILURES:]}
        return next(iter(failures)) if len(child_ids) >= EQUAL_FAILURES and len(failures) == 1 else None

    async def run(self, context: ToolContext, task: str, agent_id: str, *, read_only: bool = False, within: float | None = None) -> Answer:
        """Give the job out under ``context.call_id``, or find it, and wait for its end, at most ``within`` seconds (DLG-87).

        Raises ``Refused``, ``StoreWriteFailed``.
        """
        self.check(context, task, agent_id)
        parent_id = context.conversation_id or ""
        try:
            child = self._turns.begin(Job(parent_id, context.call_id, agent_id, task, read_only))
        except NotFound as error:
            raise Refused(str(error)) from error
        context.opened(child.conversation_id)
        seconds = self._seconds(child)
        ended = await self._turns.wait(parent_id, child, seconds if within is None else min(within, seconds), GRACE_SECONDS)
        if not ended:
            await self._turns.stop(child)
        return self._answer(account(self._parts.store, child), child, context, timed_out=not ended)

    def _seconds(self, child: Begun) -> float:
        """The approval deadline of the child's own conversation plus five minutes (DLG-25)."""
        conversation = self._parts.store.conversations.get(child.conversation_id)
        own = conversation.approval_ttl_seconds if conversation else None
        if own is None and conversation is not None:
            own = self._parts.roster.get(conversation.agent_id).approval_ttl_seconds
        return (own or self._parts.settings.approval_ttl_seconds) + GRACE_SECONDS

    def _answer(self, of: Account, child: Begun, context: ToolContext, *, timed_out: bool) -> Answer:
        ended = decide(of.run, of.last, of.words, timed_out=timed_out)
        canvases = [WrittenCanvas(*each) for each in self._parts.canvases_written(child.conversation_id)]
        status = of.run.status if of.run else "error"
        figures = Figures(child.conversation_id, status, of.charge.usd, len(of.run.steps) if of.run else 0, of.charge.unknown)
        above = head(figures, ended.outcome, ended.reason, canvases)
        body = body_of(of, ended, canvases, context.output_chars - len(above), self._parts.texts)
        return Answer(above + body, timed_out or of.run is None, ended, of.words, of.whole, of.charge)


def failure_of(runs: Sequence[Run]) -> str | None:
    """Why the newest of the runs failed; ``None`` for one that ended well, goes on, or was stopped."""
    newest = runs[-1] if runs else None
    if newest is None or newest.status not in ("error", "halted") or newest.summary == INTERRUPTED:
        return None
    return newest.summary

"""Conversations as faces see them: list, open, change, delete (TURN-14 to TURN-21)."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import Callable, MutableSequence, Sequence
from contextlib import ExitStack
from typing import Any

from crewlab.engine.clock import new_id
from crewlab.engine.errors import Invalid, NotFound
from crewlab.engine.event import Event
from crewlab.engine.events import TextDelta, Watching
from crewlab.engine.records import INTERRUPTED, Conversation, ConversationSummary
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.turn import steps
from crewlab.engine.turn.host import TurnHost
from crewlab.engine.turn.kept import kept
from crewlab.engine.turn.turn import Parts

TITLE_LIMIT = 200
log = logging.getLogger(__name__)
_SHARED = [
    "id",
    "agent_id",
    "title",
    "source",
    "created_at",
    "updated_at",
    "autonomous",
    "auto_approve",
    "skills",
    "cost_cap_usd",
    "spent_usd",
    "unknown_cost_calls",
    "estimated_cost_calls",
    "delegated_usd",
    "approval_ttl_seconds",
    "forked_from",
    "parent_id",
    "parent_call_id",
    "plan",
    "vibe",
    "tier_cap",
]

log = logging.getLogger(__name__)


def _say_left(_function: object, path: str, failure: tuple[object, BaseException, object]) -> None:
    """A folder that is not there is no fault; one that cannot be removed is said and left."""
    if not isinstance(failure[1], FileNotFoundError):
        log.warning("%s of a deleted conversation could not be removed: %s", path, failure[1])


class Conversations:
    """The conversations of the crew. ``host`` knows which of them run."""

    def __init__(self, parts: Parts, host: Callable[[], TurnHost]) -> None:
        self._parts = parts
        self._host = host
        self.on_opened: Callable[[str, str], None] = lambda _agent_id, _conversation_id: None

    def _stored(self, conversation_id: str) -> StoredConversation:
        stored = self._parts.store.conversations.get(conversation_id)
        if stored is None:
            raise NotFound(self._parts.texts("turn.conversation_gone", id=conversation_id))
        return stored

    def _shared(self, stored: StoredConversation) -> dict[str, Any]:
        values: dict[str, Any] = {name: getattr(stored, name) for name in _SHARED}
        values["running"] = self._host().busy(stored.id)
        values["pending"] = self._parts.store.approvals.pending_of(stored.id)
        return values

    def summary(self, conversation_id: str) -> ConversationSummary:
        """One conversation without its messages. Raises ``NotFound``."""
        return ConversationSummary(**self._shared(self._stored(conversation_id)))

    def detail(self, conversation_id: str) -> Conversation:
        """One conversation with messages and queue (TURN-15). Raises ``NotFound``."""
        stored = self._stored(conversation_id)
        return Conversation.model_construct(
            **self._shared(stored),
            queued=self._parts.store.queue.items(conversation_id),
            tasks=[],
            messages=self._parts.store.messages.list(conversation_id),
            compactions=self._parts.store.compactions.list(conversation_id),
        )

    def list(self, agent: str | None = None, limit: int = 100, before: str | None = None) -> tuple[list[ConversationSummary], bool]:
        """Newest first, and whether there are more; those of a removed agent stay readable (AGT-37). Raises ``NotFound``."""
        agent_id = agent or self._parts.roster.master.id
        found = self._parts.store.conversations.list(agent_id, limit + 1, before)
        if not found and before is None:
            self._parts.roster.get(agent_id)
        return [ConversationSummary(**self._shared(stored)) for stored in found[:limit]], len(found) > limit

    def create(
        self,
        agent: str | None = None,
        title: str | None = None,
        source: str = "chat",
        *,
        autonomous: bool | None = None,
        approval_ttl_seconds: int | None = None,
        skills: Sequence[str] = (),
    ) -> ConversationSummary:
        """Open a new conversation with the agent's defaults (GATE-3, COST-5) but for what is given. Raises ``NotFound``, ``Invalid``."""
        member = self._parts.roster.get(agent) if agent else self._parts.roster.master
        if title is not None:
            title = self._title(title)
        now = self._parts.now()
        conversation_id = new_id("c")
        self._parts.store.conversations.insert(
            {
                "id": conversation_id,
                "agent_id": member.id,
                "title": title or "",
                "title_source": "person" if title else "first_words",
                "source": source,
                "autonomous": member.autonomous if autonomous is None else autonomous,
                "approval_ttl_seconds": approval_ttl_seconds,
                "skills": list(skills),
                "cost_cap_usd": member.cost_cap_usd,
                "root_id": conversation_id,
                "created_at": now,
                "updated_at": now,
            }
        )
        self.announce(conversation_id)
        self.on_opened(member.id, conversation_id)
        return self.summary(conversation_id)

    def patch(self, conversation_id: str, changes: dict[str, Any]) -> Conversation:
        """Change what a person may change (TURN-14); seen by the next gate decision and the next cap check (TURN-19).

        Raises ``NotFound``, and ``Invalid`` naming the field.
        """
        stored = self._stored(conversation_id)
        values = {name: self._checked(name, value, stored) for name, value in changes.items()}
        if "title" in values:
            values["title_source"] = "person"
        if values:
            self._parts.store.conversations.patch(conversation_id, values, self._parts.now())
            self.announce(conversation_id)
            self._parts.watch.refresh(conversation_id)
        return self.detail(conversation_id)

    def _checked(self, name: str, value: Any, stored: StoredConversation) -> Any:
        if name == "title":
            return self._title(value)
        if name in ("autonomous", "plan", "vibe"):
            return self._need(name, isinstance(value, bool), value, "must_be_bool")
        if name == "cost_cap_usd":
            number = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")
            return self._need(name, number, value, "must_be_number")
        names = isinstance(value, list) and all(isinstance(item, str) for item in value)
        self._need(name, names, value, "must_be_list")
        if name == "auto_approve" and not set(value) <= set(stored.auto_approve):
            raise Invalid(self._parts.texts("turn.auto_approve_grows"), field=name)
        return value

    def _need(self, name: str, good: bool, value: Any, why: str) -> Any:
        if not good:
            raise Invalid(
                self._parts.texts("turn.bad_patch", field=name, why=self._parts.texts(f"turn.{why}", limit=TITLE_LIMIT)), field=name
            )
        return value

    def _title(self, value: Any) -> str:
        good = isinstance(value, str) and 0 < len(value.strip()) <= TITLE_LIMIT
        return str(self._need("title", good, value, "must_be_title")).strip()

    async def delete(self, conversation_id: str) -> None:
        """Delete it with everything of it, then stop its turn (TURN-20, QUE-18). Raises ``NotFound``."""
        self._stored(conversation_id)
        parts = self._parts
        waiting = [run for run in parts.hub.live.values() if run.conversation_id == conversation_id and run.status == "waiting"]
        told = [doomed(conversation_id) for doomed in parts.doomed]
        with ExitStack() as together:
            for run in waiting:
                together.enter_context(kept(run))
            together.enter_context(parts.store.transaction())
            for run in waiting:  # TURN-86
                run.status, run.summary, run.ended_at = "error", INTERRUPTED, parts.now()
                steps.close_running(run)
                parts.store.runs.save(run)
            parts.store.conversations.delete(conversation_id)
        for run in waiting:
            parts.hub.run(run)
        self._host().stop(conversation_id)
        self._host().last_end.pop(conversation_id, None)
        parts.hub.deleted(conversation_id)
        for gone in told:
            gone()
        parts.watch.refresh(conversation_id)
        await asyncio.to_thread(self._remove_folders, conversation_id)

    def _remove_folders(self, conversation_id: str) -> None:
        home = self._parts.home
        for folder in (home.spill(conversation_id), home.outputs(conversation_id), home.attachments(conversation_id)):
            shutil.rmtree(folder, onerror=_say_left)

    def announce(self, conversation_id: str) -> None:
        """Tell the activity stream that the record has changed."""
        if self._parts.hub.watched and self._parts.store.conversations.get(conversation_id):
            self._parts.hub.conversation(self.summary(conversation_id))

    def changed(self, conversation_id: str) -> None:
        """Tell everybody that the record has changed outside a turn (WIRE-6)."""
        self.announce(conversation_id)
        self._parts.watch.refresh(conversation_id)

    def fresh(self, conversation_id: str) -> Sequence[Event]:
        """The first events of a viewer: the conversation, the text so far (TURN-35), and how the last turn failed (WIRE-13).

        Raises ``NotFound``.
        """
        detail = self.detail(conversation_id)
        events: MutableSequence[Event] = [Watching.model_construct(conversation=detail, running=detail.running)]
        turn = self._host().live.get(conversation_id)
        if turn is not None and turn.text:
            events.append(TextDelta(text="".join(turn.text)))
        last = self._host().last_end.get(conversation_id)
        if last is not None:
            events.append(last)
        return events

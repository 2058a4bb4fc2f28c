"""The conversation of the chat, and which requests concern it (CHN-1, CHN-13)."""

from __future__ import annotations

from crewlab.engine.channels.reach import Reach
from crewlab.engine.errors import NotFound
from crewlab.engine.jobs.table import SOURCE as JOB
from crewlab.engine.records import Approval
from crewlab.engine.store.channels import Channel

SOURCE = "telegram"  # TURN-13
CHILD = ("delegate:", "vibe:")
CHAIN = 4  # a child of a child's worker is the deepest there is


class Chat:
    """One chat of the channel. ``ttl`` is the deadline of conversations it opens (CHN-14)."""

    def __init__(self, reach: Reach, channel: Channel, chat_id: int, ttl: int | None) -> None:
        self._reach = reach
        self._channel = channel
        self._key = f"conversation:{chat_id}"
        self._ttl = ttl

    def conversation(self) -> str:
        """The id of the conversation; a new one when there is none, or it was deleted."""
        known = self._channel.get(self._key)
        if known is not None and self._reach.parts.store.conversations.get(known) is not None:
            return known
        return self.open_new()

    def open_new(self) -> str:
        """Begin a new conversation (``/new``)."""
        opened = self._reach.conversations.create(source=SOURCE, approval_ttl_seconds=self._ttl)
        self._channel.set(self._key, opened.id)
        return opened.id

    def pending(self) -> list[Approval]:
        """The requests that concern the chat, oldest first."""
        found = [approval for approval in self._reach.approvals.list(status="pending", limit=500) if self.concerns(approval)]
        return sorted(found, key=lambda approval: approval.created_at)

    def concerns(self, approval: Approval) -> bool:
        """Whether the person of the chat is the one to ask: turns of the chat, jobs, and children of both (CHN-13)."""
        source = self._root(approval)
        return source == SOURCE or source.startswith(JOB)

    def _root(self, approval: Approval) -> str:
        """The source of the turn at the root of the chain."""
        store = self._reach.parts.store
        run = self._reach.parts.hub.live.get(approval.run_id) or store.runs.get(approval.run_id)
        source = run.source if run else ""
        for _ in range(CHAIN):
            if not source.startswith(CHILD):
                break
            parent = store.conversations.get(source.partition(":")[2])
            source = self._running_source(parent.id) or parent.source if parent else ""
        return source

    def _running_source(self, conversation_id: str) -> str | None:
        live = [run for run in self._reach.parts.hub.live.values() if run.conversation_id == conversation_id]
        return live[0].source if live else None

    def agent_name(self, agent_id: str) -> str:
        """The name a person knows."""
        try:
            return self._reach.parts.roster.get(agent_id).name
        except NotFound:
            return agent_id

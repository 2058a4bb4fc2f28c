"""Forks: a new conversation with a copy of what came before a message (FRK-1 to FRK-12)."""

from __future__ import annotations

import shutil
from typing import get_args

from crewlab.engine.clock import new_id
from crewlab.engine.errors import Conflict, Invalid, NotFound
from crewlab.engine.records import Conversation
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.texts import Language, Texts
from crewlab.engine.turn.attachments import Attached
from crewlab.engine.turn.conversations import TITLE_LIMIT, Conversations
from crewlab.engine.turn.history import open_calls
from crewlab.engine.turn.turn import Parts

CHILD_SOURCES = ("delegate:", "vibe:")  # TURN-13


class Forks:
    """Branches conversations."""

    def __init__(self, parts: Parts, conversations: Conversations) -> None:
        self._parts = parts
        self._conversations = conversations
        self._attached = Attached(parts)

    def fork(self, conversation_id: str, before_message_id: int) -> Conversation:
        """A new conversation of the same agent with every message before this one; the original is not changed (FRK-9).

        Raises ``NotFound``, ``Conflict`` (``child_conversation``), ``Invalid`` (``bad_cut``).
        """
        parts = self._parts
        original = parts.store.conversations.get(conversation_id)
        if original is None:
            raise NotFound(parts.texts("turn.conversation_gone", id=conversation_id))
        if original.parent_id or original.parent_call_id or original.source.startswith(CHILD_SOURCES):
            raise Conflict(parts.texts("turn.fork_child"), code="child_conversation")
        cut = parts.store.messages.get(conversation_id, before_message_id)
        if cut is None or cut.role != "user":
            raise Invalid(parts.texts("turn.bad_cut"), code="bad_cut", field="before_message_id")
        fork_id = new_id("c")
        try:
            with parts.store.transaction():  # FRK-8: an error at any step takes the new conversation with it
                self._open(fork_id, original)
                parts.store.messages.copy(conversation_id, fork_id, cut.seq)
                self._refuse_unanswered(fork_id)
                self._attached.copy(conversation_id, fork_id, cut.created_at)
        except BaseException:
            shutil.rmtree(parts.home.attachments(fork_id), ignore_errors=True)
            raise
        self._conversations.announce(fork_id)
        return self._conversations.detail(fork_id)

    def _open(self, fork_id: str, original: StoredConversation) -> None:
        """The agent's defaults, and of the original only what restricts (FRK-6, FRK-11)."""
        parts = self._parts
        agent = parts.roster.get(original.agent_id)
        now = parts.now()
        parts.store.conversations.insert(
            {
                "id": fork_id,
                "agent_id": agent.id,
                "title": fork_title(original.title, parts.texts),
                "title_source": "person" if original.title_source == "person" else "model",
                "source": "chat",
                "autonomous": agent.autonomous,
                "cost_cap_usd": agent.cost_cap_usd,
                "plan": original.plan,
                "tier_cap": original.tier_cap,
                "forked_from": original.id,
                "root_id": fork_id,
                "created_at": now,
                "updated_at": now,
            }
        )

    def _refuse_unanswered(self, fork_id: str) -> None:
        """Close what was never answered, so that no tool runs for a call of the original (FRK-7)."""
        parts = self._parts
        for call in open_calls(parts.store.messages.list(fork_id)):
            parts.store.messages.append(
                fork_id,
                "tool",
                parts.texts("turn.fork_refused", name=call.name),
                parts.now(),
                tool_call_id=call.id,
                name=call.name,
                context={"outcome": "refused"},
            )


def fork_title(title: str, texts: Texts) -> str:
    """The title with the suffix of a branch, once however often it is forked, in whatever language (FRK-10). Pure."""
    if not title:
        return ""
    suffixes = {Texts(language)("turn.fork_suffix") for language in get_args(Language)}
    if title.endswith(tuple(suffixes)):
        return title
    suffix = texts("turn.fork_suffix")
    return title[: TITLE_LIMIT - len(suffix)].rstrip() + suffix

"""Conversations: list, open, read, change, delete (TURN-14, TURN-15, TURN-19, TURN-20)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crewlab.engine.records import Conversation, ConversationSummary
from crewlab.server_ext.api.models import (
    ConversationList,
    ConversationPatch,
    ConversationQuery,
    ForkRequest,
    NewConversation,
    StopAnswer,
)

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew


async def list_conversations(crew: Crew, query: ConversationQuery) -> ConversationList:
    """Newest first."""
    found, more = crew.conversations.list(query.agent, query.limit, query.before)
    return ConversationList(conversations=found, more=more)


async def create(crew: Crew, body: NewConversation) -> ConversationSummary:
    """Open a conversation."""
    return crew.conversations.create(body.agent, body.title)


async def read(crew: Crew, id: str) -> Conversation:
    """Everything a face needs to draw it."""
    return crew.conversations.detail(id)


async def change(crew: Crew, id: str, body: ConversationPatch) -> Conversation:
    """Change the fields that the request names."""
    return crew.conversations.patch(id, body.model_dump(exclude_unset=True))


async def fork(crew: Crew, id: str, body: ForkRequest) -> Conversation:
    """Branch it before a message of the person (FRK-1)."""
    return crew.forks.fork(id, body.before_message_id)


async def delete(crew: Crew, id: str) -> None:
    """Delete it, then stop its turn (QUE-18)."""
    await crew.conversations.delete(id)


async def stop(crew: Crew, id: str) -> StopAnswer:
    """Take back what waits and cancel the turn (QUE-19)."""
    crew.conversations.summary(id)
    stopped = crew.host.stop(id)
    return StopAnswer(cleared=stopped.cleared, cancelled=stopped.cancelled, attachments=stopped.attachments)

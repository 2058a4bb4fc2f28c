"""Sending a message, and following the turn it starts (TURN-11, TURN-35, TURN-38, WIRE-12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crewlab.engine.events import Queued
from crewlab.server_ext.api.models import (
    InboundMessage,
    QueuedPlace,
    ResumeHeaders,
    SendHeaders,
    SendMessage,
    SentMessage,
    TurnReply,
)
from crewlab.server_ext.following import Given, Single, Stream, primed, ready
from crewlab.server_ext.routing import Answer
from crewlab.server_ext.wire import CONVERSATION

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew

EVENT_STREAM = "text/event-stream"
INBOUND = "inbound"  # TURN-13
NO_CONTENT = 204
ACCEPTED = 202


def _place(queued: Queued | None) -> QueuedPlace | None:
    return QueuedPlace(item_id=queued.item_id, kind=queued.kind, position=queued.position) if queued else None


async def send(crew: Crew, id: str, headers: SendHeaders, body: SendMessage) -> SentMessage | Stream:
    """Store or queue a message; the answer is its place, or its turn as an event stream when the client asks for one."""
    source = headers.x_crewlab_source or "chat"
    sent = await crew.inbound.send(
        id, body.text, source=source, request_id=body.request_id, timezone=body.timezone, attachments=body.attachments
    )
    if EVENT_STREAM not in headers.accept:
        return SentMessage(
            status=sent.status, run_id=sent.run_id, message_id=sent.message_id, queued=_place(sent.queued), running=sent.running
        )
    if sent.queued is not None:  # TURN-38: the stream ends after `queued` at once
        return Stream([Given([Single(CONVERSATION + id, sent.queued)])])
    return Stream([await primed(crew.watch.join(id, until_end=True))])


async def follow(crew: Crew, id: str, headers: ResumeHeaders) -> Stream | Answer:
    """The running turn from here, or the frames missed since ``Last-Event-ID``; 204 when there is nothing to tell."""
    crew.conversations.summary(id)
    if crew.host.busy(id):
        return Stream([crew.watch.join(id, headers.last_event_id, until_end=True)])
    missed = await ready(crew.watch.join(id, headers.last_event_id, until_end=True)) if headers.last_event_id else []
    return Stream([Given(missed)]) if missed else Answer(NO_CONTENT)


async def inbound(crew: Crew, body: InboundMessage) -> Answer:
    """Send and wait until the turn has ended or paused (TURN-17)."""
    source = f"{INBOUND}:{body.source}" if body.source else INBOUND  # CHN-33
    reply = await crew.inbound.reply(body.text, agent=body.agent, conversation_id=body.conversation_id, source=source)
    answer = TurnReply(
        text=reply.text,
        status=reply.status,
        steps=reply.steps,
        conversation_id=reply.conversation_id,
        run_id=reply.run_id,
        suggestions=reply.suggestions,
        queued=_place(reply.queued),
    )
    return Answer(ACCEPTED if reply.queued else 200, answer)

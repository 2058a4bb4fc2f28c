"""Inbound: the one gate for every message (TURN-11). It stores the message, or queues it, and says which."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from crewlab.engine.errors import Conflict, Invalid, NotFound, TooMany
from crewlab.engine.events import Queued
from crewlab.engine.records import QueueKind, Suggestion
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.turn.attachments import Attached
from crewlab.engine.turn.commands import TEXT_LIMIT, spoken
from crewlab.engine.turn.conversations import Conversations
from crewlab.engine.turn.host import Opening, TurnHost
from crewlab.engine.turn.turn import Parts

MAX_WAITING = 20  # QUE-2
REQUEST_ID_LIMIT = 64  # TURN-43
REQUEST_ID = re.compile(rf"[A-Za-z0-9_-]{{1,{REQUEST_ID_LIMIT}}}")
STEER = "/steer"  # QUE-6


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a message. ``status`` is ``started``, ``queued`` or ``known`` (WIRE-12)."""

    status: str
    run_id: str | None
    message_id: int | None
    queued: Queued | None
    running: bool


@dataclass(frozen=True, slots=True)
class TurnReply:
    """The gathered answer of ``POST /crewlab/api/inbound`` (TURN-17)."""

    text: str
    status: str
    steps: int
    conversation_id: str
    run_id: str | None
    suggestions: list[Suggestion]
    queued: Queued | None = None


def read_steer(text: str) -> tuple[QueueKind, str]:
    """The kind of a message and its text without the ``/steer`` prefix (QUE-6, QUE-7)."""
    head = text.strip().partition(" ")[0]
    if head == STEER or head.startswith(STEER + "\n"):
        return "steer", text.strip()[len(STEER) :].strip()
    return "follow_up", text if text.strip() else ""


class Inbound:
    """Takes messages of every face."""

    def __init__(self, parts: Parts, host: TurnHost, conversations: Conversations) -> None:
        self._parts = parts
        self._host = host
        self._conversations = conversations
        self._attached = Attached(parts)

    async def send(
        self,
        conversation_id: str,
        text: str,
        *,
        source: str = "chat",
        request_id: str | None = None,
        timezone: str | None = None,
        attachments: Sequence[str] = (),
    ) -> Sent:
        """Store or queue one message.

        Raises ``NotFound``, ``Conflict`` (``approval_pending``), ``Invalid`` (``bad_request_id``,
        ``empty_steer``, ``text_too_long``, an unknown attachment), ``TooMany`` (``queue_full``).
        """
        kind, body = self._checked(text, request_id, attached=bool(attachments))
        conversation = self._parts.store.conversations.get(conversation_id)
        if conversation is None:
            raise NotFound(self._parts.texts("turn.conversation_gone", id=conversation_id))
        known = self._known(conversation_id, request_id) if request_id else None
        if known is not None:
            return known
        if self._parts.store.approvals.pending_of(conversation_id) is not None:
            raise Conflict(self._parts.texts("turn.approval_pending"), code="approval_pending")
        kind = self._kind(conversation, kind, body)
        files = self._attached.named(conversation_id, attachments)
        if self._host.busy(conversation_id):
            return self._queue(conversation, kind, body, source, timezone, request_id, [file.id for file in files])
        said = spoken(self._parts.kits, self._parts.roster.get(conversation.agent_id), [body])
        opening = Opening(
            said.text, source, timezone, (request_id,) if request_id else (), said.written_by, command=said.command, attachments=files
        )
        turn, message = self._host.open(conversation, opening)
        self._conversations.announce(conversation_id)
        return Sent("started", turn.run.id, message.id, None, True)

    def _checked(self, text: str, request_id: str | None, *, attached: bool = False) -> tuple[QueueKind, str]:
        texts = self._parts.texts
        if request_id is not None and not REQUEST_ID.fullmatch(request_id):
            raise Invalid(texts("turn.bad_request_id", limit=REQUEST_ID_LIMIT), code="bad_request_id", field="request_id")
        if not text.strip() and not attached:
            raise Invalid(texts("turn.empty_text"), field="text")
        if len(text) > TEXT_LIMIT:
            raise Invalid(texts("turn.text_too_long", chars=len(text), limit=TEXT_LIMIT), code="text_too_long", field="text")
        kind, body = read_steer(text)
        if not body and kind == "steer":
            raise Invalid(texts("turn.empty_steer"), code="empty_steer", field="text")
        return kind, body

    def _kind(self, conversation: StoredConversation, kind: QueueKind, body: str) -> QueueKind:
        """A command of a kit is a steer (QUE-6, KIT-13). Raises ``Invalid`` when its text is too long."""
        kits, roster = self._parts.kits, self._parts.roster
        if not body.lstrip().startswith("/"):
            return kind
        found = kits.call(roster.get(conversation.agent_id), body, TEXT_LIMIT) if kits is not None else None
        if found is None:
            return kind
        if found[1] is None:
            raise Invalid(self._parts.texts("kits.too_long", name=found[0].name, limit=TEXT_LIMIT), code="text_too_long", field="text")
        return "steer"

    def _known(self, conversation_id: str, request_id: str) -> Sent | None:
        """The answer to a message that was sent before under the same name (TURN-45)."""
        item = self._parts.store.queue.by_request(conversation_id, request_id)
        running = self._host.busy(conversation_id)
        if item is not None:
            return Sent("queued", None, None, Queued(item_id=item.item_id, kind=item.kind, position=item.position), running)
        message_id = self._parts.store.messages.by_request(conversation_id, request_id)
        if message_id is None:
            return None
        live = self._host.live.get(conversation_id)
        return Sent("known", live.run.id if live else None, message_id, None, running)

    def _queue(
        self,
        conversation: StoredConversation,
        kind: QueueKind,
        text: str,
        source: str,
        timezone: str | None,
        request_id: str | None,
        attachments: Sequence[str],
    ) -> Sent:
        parts = self._parts
        waiting = parts.store.queue.count(conversation.id)
        if waiting >= MAX_WAITING:
            raise TooMany(parts.texts("turn.queue_full", limit=MAX_WAITING), code="queue_full")
        item_id = parts.store.queue.add(conversation.id, kind, text, source, timezone, request_id, parts.now(), attachments)
        event = Queued(item_id=item_id, kind=kind, position=waiting + 1)
        parts.watch.publish(conversation.id, event)
        parts.hub.event(None, conversation.id, conversation.agent_id, event)
        return Sent("queued", None, None, event, True)

    async def reply(self, text: str, *, agent: str | None = None, conversation_id: str | None = None, source: str = "inbound") -> TurnReply:
        """Send and wait until the turn has ended or paused (TURN-17, GATE-115). Raises as ``send``."""
        if conversation_id is None:
            self._checked(text, None)
            conversation_id = self._conversations.create(agent, source=source).id
        sent = await self.send(conversation_id, text, source=source)
        if sent.queued is not None:
            return TurnReply("", "queued", 0, conversation_id, None, [], sent.queued)
        await self._host.wait(conversation_id)
        run = self._parts.store.runs.get(sent.run_id or "")
        if run is None:
            return TurnReply("", "error", 0, conversation_id, None, [])
        after = run.after_seq or 0
        answers = [m for m in self._parts.store.messages.list(conversation_id) if m.seq > after and m.role == "assistant" and m.content]
        text = "\n\n".join(message.content for message in answers)
        return TurnReply(text, run.status, len(run.steps), conversation_id, run.id, [])

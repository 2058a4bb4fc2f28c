"""The opening block: day notes and the last conversation's summary, stored with the message it stands before (TURN-75 to TURN-77).

Each block says only what has changed since the last one that this conversation still reads. What was told is kept with the
message, in ``context["memory"]``, as a length and a hash per day; nothing is taken from the text itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from crewlab.engine.agents.agent import Agent
from crewlab.engine.agents.capping import OPENING_CHARS, capped
from crewlab.engine.agents.memory import Memory
from crewlab.engine.agents.notes import note_text
from crewlab.engine.clock import iso
from crewlab.engine.records import Json, Message
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from crewlab.engine.tools.fence import standing

STATE = "memory"  # of a message's context: what it was told
HEAD = "head"  # of a message's context: a block that is read before the first message (TURN-76)
SAVES = "memory_save"
NOTE_TEXT = len("- 00:00 ")


@dataclass(frozen=True, slots=True)
class Told:
    """What stands before an opening message, and what is kept with it. ``text`` ``None``: it stands elsewhere."""

    text: str | None
    context: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Now:
    """What could be told now: the notes of each day, oldest first, and the summary of the previous conversation."""

    days: Sequence[tuple[str, str]]
    summary: str


class OpeningBlock:
    """Makes the blocks of a crew."""

    def __init__(self, memory: Memory, store: Store) -> None:
        self._memory = memory
        self._store = store

    def part(self, conversation: StoredConversation, agent: Agent) -> Told | None:
        """What the next opening message of the conversation is read after; ``None`` when nothing has changed."""
        messages = self._store.messages.list(conversation.id)
        held = self._store.compactions.newest(conversation.id)
        read = [message for message in messages if held is None or message.seq > held.through_seq]
        before = next((state for message in reversed(read) if (state := (message.context or {}).get(STATE)) is not None), None)
        text, state = changed(self._now(agent, conversation), before or {}, own_notes(read), self._memory.texts)
        if text is None:
            return None
        if before is None and read and _is_fork(conversation, read[0]):  # it has all its memory from the start
            return Told(None, {STATE: state, HEAD: text})
        return Told(text, {STATE: state})

    def preview(self, agent: Agent) -> str:
        """The block that the first message of a new conversation would be read after (TURN-79)."""
        return changed(self._now(agent, None), {}, frozenset(), self._memory.texts)[0] or ""

    def _now(self, agent: Agent, conversation: StoredConversation | None) -> Now:
        today = self._memory.now().date()
        notes, texts = self._memory.notes(agent), self._memory.texts
        days = []
        for day in (today - timedelta(days=1), today):
            file = notes.day(day)
            trouble = file.trouble and texts("memory.trouble", file=f"{day}.md", why=texts(f"memory.{file.trouble}"))
            days.append((day.isoformat(), trouble or file.text))
        return Now(days, self._summary(agent, conversation))

    def _summary(self, agent: Agent, conversation: StoredConversation | None) -> str:
        """The summary of the conversation that was opened before this one; a delegated task is told none."""
        if conversation is not None and (conversation.parent_id or conversation.parent_call_id):
            return ""
        opened = conversation.created_at if conversation else iso(self._memory.now())
        original = conversation.forked_from.id if conversation and conversation.forked_from else None
        previous = self._store.conversations.previous(agent.id, opened, original)
        return (self._store.conversations.summary_of(previous)[0] or "") if previous else ""


def _is_fork(conversation: StoredConversation, first: Message) -> bool:
    """Whether its beginning was said elsewhere: the original may be gone, the time of the first message is its own."""
    return conversation.forked_from is not None or first.created_at < conversation.created_at


def own_notes(messages: Iterable[Message]) -> frozenset[str]:
    """The notes that the conversation has written itself, as far as it still reads the calls (TURN-77). Pure."""
    asked: dict[str, str] = {}
    written = set()
    for message in messages:
        for call in message.tool_calls:
            if call.name == SAVES and isinstance(call.arguments, dict) and isinstance(call.arguments.get("text"), str):
                asked[call.id] = note_text(call.arguments["text"])
        if message.role == "tool" and message.tool_call_id in asked and not (message.context or {}).get("outcome"):
            written.add(asked[message.tool_call_id])
    return frozenset(written)


def changed(now: Now, before: Json, own: frozenset[str], texts: Texts) -> tuple[str | None, Json]:
    """The block that tells what ``before`` had not, ``None`` when that is nothing, and the state after it. Pure."""
    told: dict[str, list[object]] = before.get("days") or {}
    parts, days = [], {}
    for day, text in now.days:
        if not text:
            continue
        days[day] = [len(text), _hash(text)]
        fresh = _fresh(text, told.get(day), own)
        if fresh:
            parts.append(texts("memory.notes_of", day=day) + "\n" + fresh)
    if now.summary and _hash(now.summary) != before.get("summary"):
        parts.append(texts("memory.previous") + "\n" + now.summary)
    state = {"days": days, "summary": _hash(now.summary) if now.summary else None}
    body = capped("\n\n".join(parts), OPENING_CHARS, texts)
    return (standing("NOTES", body, texts, texts("memory.opening")) if parts else None), state


def _fresh(text: str, told: list[object] | None, own: frozenset[str]) -> str:
    """The lines that were not told; all of them when what was told has been edited since."""
    length = told[0] if told and isinstance(told[0], int) else 0
    if told and _hash(text[:length]) == told[1]:
        text = text[length:]
    return "\n".join(line for line in text.splitlines() if line.strip() and line[NOTE_TEXT:] not in own)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]

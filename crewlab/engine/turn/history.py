"""The history as a provider reads it: every call followed by its result (TURN-24, TURN-80)."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import replace

from crewlab.engine.agents.opening import HEAD
from crewlab.engine.models.base import ChatMessage
from crewlab.engine.records import Compaction, Message, ToolCall


def open_calls(messages: Iterable[Message]) -> list[ToolCall]:
    """Tool calls without a result, in order."""
    calls: dict[str, ToolCall] = {}
    for message in messages:
        for call in message.tool_calls:
            calls[call.id] = call
        if message.role == "tool" and message.tool_call_id:
            calls.pop(message.tool_call_id, None)
    return list(calls.values())


def answered(messages: Sequence[Message]) -> Message | None:
    """The answer the history ends with, or ``None``: then nobody has said anything since."""
    last = messages[-1] if messages else None
    return last if last is not None and last.role == "assistant" and not last.tool_calls else None


def arrange(messages: Iterable[Message], held: Compaction | None = None) -> tuple[ChatMessage, ...]:
    """Messages in the order a provider accepts.

    A result may be stored after a later message of the person (a call that was settled by the next
    turn); it is put back behind the message that asked for it. A result whose call is not in the
    history is left out. What ``held`` replaces is read as its summary (CMP-6).
    Callers settle open calls first, so every call has its result.
    """
    stored = [message for message in messages if held is None or message.seq > held.through_seq]
    results = {m.tool_call_id: m for m in stored if m.role == "tool"}
    arranged = [ChatMessage("user", held.text)] if held is not None else []
    for message in stored:
        if message.role == "tool":
            continue
        arranged.append(_chat(message))
        for call in message.tool_calls:
            result = results.get(call.id)
            if result is not None:
                arranged.append(_result(result, call))
    return tuple(_headed(arranged, stored))


def _headed(arranged: list[ChatMessage], stored: Iterable[Message]) -> list[ChatMessage]:
    """A conversation that was under way before it had a block reads that block before its first message (TURN-76)."""
    head = next((text for message in stored if (text := (message.context or {}).get(HEAD))), None)
    if head and arranged:
        first = arranged[0]
        arranged[0] = replace(first, content=f"{head}\n\n{first.content}", own=first.words)
    return arranged


class History:
    """The messages of a conversation with their arrangement, which grows with them instead of being made anew."""

    def __init__(self, messages: Iterable[Message], held: Compaction | None = None) -> None:
        self._stored = list(messages)
        self._held = held
        self._ids = {call.id for message in self._stored for call in message.tool_calls}
        self._arrange()

    def _arrange(self) -> None:
        self._chat = list(arrange(self._stored, self._held))
        last = next((message for message in reversed(self._stored) if message.role != "tool"), None)
        answered = {message.tool_call_id for message in self._stored if message.role == "tool"}
        calls = last.tool_calls if last is not None else []
        # Results that come next and in order stand at the very end; a gap before them means arranging again.
        open_from = next((place for place, call in enumerate(calls) if call.id not in answered), len(calls))
        later = any(call.id in answered for call in calls[open_from:])
        self._next = deque(() if later else calls[open_from:])

    @property
    def stored(self) -> Sequence[Message]:
        """Every message, also those that a summary replaces."""
        return self._stored

    @property
    def compaction(self) -> Compaction | None:
        """What the model reads in place of the oldest messages (CMP-6)."""
        return self._held

    def compact(self, held: Compaction) -> None:
        """From now on the model reads ``held`` in place of what it replaces."""
        self._held = held
        self._arrange()

    def append(self, message: Message) -> None:
        """A message was stored."""
        self._stored.append(message)
        if message.role != "tool":
            self._ids.update(call.id for call in message.tool_calls)
            self._chat.append(_chat(message))
            self._next = deque(message.tool_calls)
        elif self._next and self._next[0].id == message.tool_call_id:
            self._chat.append(_result(message, self._next.popleft()))
        else:
            self._arrange()

    def arranged(self) -> tuple[ChatMessage, ...]:
        """The messages as ``arrange`` gives them."""
        return tuple(self._chat)

    def open_calls(self) -> list[ToolCall]:
        """Tool calls without a result, in order."""
        return open_calls(self._stored)

    def answered(self) -> Message | None:
        """The answer the history ends with, or ``None``."""
        return answered(self._stored)

    def used(self, call_id: str) -> bool:
        """Whether a call of this conversation has that id."""
        return call_id in self._ids


def _result(message: Message, call: ToolCall) -> ChatMessage:
    return ChatMessage("tool", message.content, tool_call_id=call.id, name=call.name)


def _chat(message: Message) -> ChatMessage:
    """The system's parts stand before the person's words, each on its own (TURN-80). Files alone speak for themselves (PTL-91)."""
    if message.role != "user":
        return ChatMessage("assistant", message.content, tool_calls=tuple(message.tool_calls))
    parts = (message.context or {}).get("parts") or []
    if not parts:
        return ChatMessage("user", message.content)
    return ChatMessage("user", "\n\n".join([*parts, *([message.content] if message.content else [])]), own=message.content or parts[-1])

"""The history as a provider reads it: every call followed by its result (TURN-24, TURN-80)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
                arranged.append(ChatMessage("tool", result.content, tool_call_id=call.id, name=call.name))
    return tuple(arranged)


def _chat(message: Message) -> ChatMessage:
    if message.role == "user":
        return ChatMessage("user", _with_context(message))
    return ChatMessage("assistant", message.content, tool_calls=tuple(message.tool_calls))


def _with_context(message: Message) -> str:
    """The system's parts stand before the person's words, each on its own (TURN-80)."""
    parts = (message.context or {}).get("parts") or []
    return "\n\n".join([*parts, message.content]) if parts else message.content

"""Old tool results in the prompt of a later turn (TURN-31). Stored messages never change.

Pure, and stable: what is shortened depends only on stored messages before the turn, which only grow in
number, so a result once shortened stays shortened and the beginning of the request stays the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crewlab.engine.records import Message, ToolCall
from crewlab.engine.texts import Texts

HISTORY_CHARS = 200_000  # TURN-31
KEPT_TURNS = 4  # TURN-31: opening messages whose results stay whole
RESULT_CHARS = 2_000  # TURN-31
HEAD_CHARS = 500  # TURN-31
NEVER = frozenset({"delegate"})  # TURN-31: the master still has a child's answer after a detour


def opens(message: Message) -> bool:
    """Whether the message opened a turn: one of a person that was not inserted into a running one."""
    return message.role == "user" and not (message.context or {}).get("steer")


def size_of(message: Message) -> int:
    """The characters of a message as a model reads it."""
    return len(message.content) + sum(len(call.name) + len(str(call.arguments)) for call in message.tool_calls)


OldCall = Callable[[ToolCall, Message | None], ToolCall]
"""A call of an earlier turn, with its result, as the prompt carries it; pure, so that the beginning of the request stays."""


def quiet(messages: Sequence[Message], after_seq: int, old_call: OldCall | None) -> Sequence[Message]:
    """The messages with the calls before the running turn as ``old_call`` gives them (TURN-32)."""
    if old_call is None:
        return messages
    results = {message.tool_call_id: message for message in messages if message.role == "tool"}

    def told(message: Message) -> Message:
        if not message.tool_calls or message.seq > after_seq:
            return message
        return message.model_copy(update={"tool_calls": [old_call(call, results.get(call.id)) for call in message.tool_calls]})

    return [told(message) for message in messages]


def trim(messages: Sequence[Message], after_seq: int, texts: Texts) -> list[Message]:
    """The messages as the turn that began after ``after_seq`` reads them."""
    before = [message for message in messages if message.seq <= after_seq]
    if sum(size_of(message) for message in before) <= HISTORY_CHARS:
        return list(messages)
    openings = [message.seq for message in messages if opens(message) and message.seq <= after_seq + 1]
    if len(openings) <= KEPT_TURNS:
        return list(messages)
    border = openings[-KEPT_TURNS]
    return [_short(message, texts) if message.seq < border else message for message in messages]


def _short(message: Message, texts: Texts) -> Message:
    if message.role != "tool" or len(message.content) <= RESULT_CHARS or message.name in NEVER:
        return message
    note = texts("turn.trimmed", chars=len(message.content), call=message.tool_call_id or "")
    return message.model_copy(update={"content": f"{message.content[:HEAD_CHARS]}\n{note}"})

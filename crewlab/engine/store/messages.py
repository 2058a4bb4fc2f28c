"""Tables ``messages`` and ``message_requests``. Rows are only added, never changed (DB-8)."""

from __future__ import annotations

import json
from typing import Any

from crewlab.engine.records import Json, Message, Role, ToolCall, WrittenBy
from crewlab.engine.store.db import Database, Row
from crewlab.engine.store.memory import Histories

_INSERT = """INSERT INTO messages (conversation_id, seq, role, content, tool_calls, tool_call_id, name, provider, model, cost_usd,
    cost_estimated, prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens, written_by, context, created_at)
    VALUES (:conversation_id, (SELECT coalesce(max(seq), 0) + 1 FROM messages WHERE conversation_id = :conversation_id),
    :role, :content, :tool_calls, :tool_call_id, :name, :provider, :model, :cost_usd, :cost_estimated, :prompt_tokens, :completion_tokens,
    :cached_tokens, :reasoning_tokens, :written_by, :context, :created_at) RETURNING id, seq"""

# A fork's messages: provider, money and `context` stay with the original (FRK-4, FRK-5)
_COPY = """INSERT INTO messages (conversation_id, seq, role, content, tool_calls, tool_call_id, name, model, written_by, created_at)
    SELECT ?, row_number() OVER (ORDER BY seq), role, content, tool_calls, tool_call_id, name, model, written_by, created_at
    FROM messages WHERE conversation_id = ? AND seq < ? ORDER BY seq"""


def _message(row: Row) -> Message:
    calls = row["tool_calls"]
    context = row["context"]
    return Message(
        id=row["id"],
        seq=row["seq"],
        role=row["role"],
        content=row["content"],
        tool_calls=[ToolCall(**call) for call in json.loads(calls)] if calls else [],
        tool_call_id=row["tool_call_id"],
        name=row["name"],
        provider=row["provider"],
        model=row["model"],
        cost_usd=row["cost_usd"],
        cost_estimated=bool(row["cost_estimated"]),
        prompt_tokens=row["prompt_tokens"],
        completion_tokens=row["completion_tokens"],
        cached_tokens=row["cached_tokens"],
        reasoning_tokens=row["reasoning_tokens"],
        written_by=row["written_by"],
        context=json.loads(context) if context else None,
        created_at=row["created_at"],
    )


class Messages:
    """Reads and writes of messages."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._histories = Histories(db)

    def append(
        self,
        conversation_id: str,
        role: Role,
        content: str,
        created_at: str,
        *,
        tool_calls: tuple[ToolCall, ...] = (),
        tool_call_id: str | None = None,
        name: str | None = None,
        provider: str | None = None,
        model: str | None = None,
        cost_usd: float | None = None,
        cost_estimated: bool = False,
        tokens: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None),
        written_by: WrittenBy | None = None,
        context: Json | None = None,
    ) -> Message:
        """Store one message at the end of the conversation and return it with its ``id`` and ``seq``.

        ``tokens`` are prompt, completion, cached and reasoning tokens.
        """
        values: dict[str, Any] = {
            "conversation_id": conversation_id,
            "role": role,
            "content": content,
            "tool_calls": json.dumps([call.model_dump() for call in tool_calls], ensure_ascii=False) if tool_calls else None,
            "tool_call_id": tool_call_id,
            "name": name,
            "provider": provider,
            "model": model,
            "cost_usd": cost_usd,
            "cost_estimated": cost_estimated,
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "cached_tokens": tokens[2],
            "reasoning_tokens": tokens[3],
            "written_by": written_by,
            "context": json.dumps(context, ensure_ascii=False) if context else None,
            "created_at": created_at,
        }
        row = self._db.write(_INSERT, values)[0]
        values.update(id=row["id"], seq=row["seq"], tool_calls=list(tool_calls), context=context)
        del values["conversation_id"]
        message = Message(**values)
        self._histories.append(conversation_id, message)
        return message

    def list(self, conversation_id: str) -> list[Message]:
        """All messages of the conversation, in order."""
        known = self._histories.get(conversation_id)
        if known is None:
            rows = self._db.rows("SELECT * FROM messages WHERE conversation_id = ? ORDER BY seq", (conversation_id,))
            known = [_message(row) for row in rows]
            self._histories.put(conversation_id, known)
        return known

    def forget(self, conversation_id: str) -> None:
        """The conversation is being deleted with all its messages."""
        self._histories.drop(conversation_id)

    def get(self, conversation_id: str, message_id: int) -> Message | None:
        """One message of this very conversation."""
        row = self._db.row("SELECT * FROM messages WHERE conversation_id = ? AND id = ?", (conversation_id, message_id))
        return _message(row) if row else None

    def tool_of(self, conversation_id: str, call_id: str) -> str | None:
        """The name of the tool whose result stands in the conversation under this call id, ``None`` when there is none."""
        row = self._db.row("SELECT name FROM messages WHERE conversation_id = ? AND tool_call_id = ? LIMIT 1", (conversation_id, call_id))
        return row["name"] if row else None

    def copy(self, original: str, fork: str, before_seq: int) -> None:
        """Copy every message of ``original`` before ``before_seq`` into the empty conversation ``fork``, numbered from 1 (FRK-4)."""
        self._db.write(_COPY, (fork, original, before_seq))

    def last_seq(self, conversation_id: str) -> int:
        """The highest ``seq``, 0 for an empty conversation."""
        known = self._histories.last(conversation_id)
        if known is not None:
            return known.seq
        row = self._db.row("SELECT coalesce(max(seq), 0) AS seq FROM messages WHERE conversation_id = ?", (conversation_id,))
        return int(row["seq"]) if row else 0

    def note_request(self, conversation_id: str, request_id: str, message_id: int) -> None:
        """Remember the name under which a message was sent (TURN-44)."""
        self._db.write("INSERT INTO message_requests VALUES (?, ?, ?)", (conversation_id, request_id, message_id))

    def by_request(self, conversation_id: str, request_id: str) -> int | None:
        """The message sent under this name before, if any."""
        row = self._db.row(
            "SELECT message_id FROM message_requests WHERE conversation_id = ? AND request_id = ?", (conversation_id, request_id)
        )
        return int(row["message_id"]) if row else None

"""The conversations that a conversation gave out work to: the one path by which they are found (DLG-34).

A child is found by the id of the call that opened it, and told from children of other conversations with the same id of a
call by its source. Reads ``conversations``, ``runs`` and ``approvals``; writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from crewlab.engine.records import Message, ToolCall
from crewlab.engine.store.db import Database, Row

DELEGATE = "delegate"
WORKER = "vibe"
SCRIPTS = frozenset({"tool_script", "eval"})  # DLG-34: calls that open children under ids of their own, `<call id>:<number>`
NUMBER = ":"
_AFTER = chr(ord(NUMBER) + 1)  # ends the range of the ids that begin with `<call id>:`

CHILDREN = ("CREATE INDEX conversations_by_call ON conversations(parent_call_id) WHERE parent_call_id IS NOT NULL",)
"""The migration: children are looked up by the id of a call."""

_ORIGINALS = """
    WITH RECURSIVE line(id) AS (
        SELECT ? UNION SELECT c.forked_from FROM conversations c JOIN line ON c.id = line.id WHERE c.forked_from IS NOT NULL
    ) SELECT id FROM line
"""
_CHILD = "SELECT c.id, c.agent_id, c.title, c.source, c.parent_call_id, c.created_at FROM conversations c"


class ChildRow(NamedTuple):
    """A conversation that was opened by a call."""

    id: str
    agent_id: str
    title: str
    source: str
    parent_call_id: str
    created_at: str


class Decided(NamedTuple):
    """A request for a tool that was decided or has expired."""

    tool: str
    status: str


def source_of(parent_id: str) -> str:
    """The source of a conversation that ``parent_id`` gave work to, and of the run that does it (DLG-12)."""
    return f"{DELEGATE}:{parent_id}"


def is_child(source: str) -> bool:
    """Whether the source is that of delegated work or of a background worker (TURN-13)."""
    return source.startswith((f"{DELEGATE}:", f"{WORKER}:"))


def parent_in(source: str) -> str | None:
    """The conversation a delegated job was given out by; ``None`` for every other source."""
    kind, _, parent = source.partition(":")
    return parent if kind == DELEGATE and parent else None


class Children:
    """Reads of the children of conversations."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def opened_by(self, parent_id: str, call_id: str) -> str | None:
        """The child that this very call of this conversation opened, if any (DLG-69)."""
        row = self._db.row("SELECT id FROM conversations WHERE parent_call_id = ? AND source = ?", (call_id, source_of(parent_id)))
        return str(row["id"]) if row else None

    def opened_inside(self, parent_id: str, call_id: str) -> list[str]:
        """The children that a script or a kernel cell of this conversation opened, by the prefix of their call ids (SCR-158)."""
        rows = self._db.rows(
            "SELECT id FROM conversations WHERE parent_call_id >= ? AND parent_call_id < ? AND source = ? ORDER BY created_at, id",
            (call_id + NUMBER, call_id + _AFTER, source_of(parent_id)),
        )
        return [str(row["id"]) for row in rows]

    def of(self, conversation_id: str, messages: Iterable[Message]) -> list[ChildRow]:
        """The children that the calls in these messages of the conversation opened, in the order of the calls.

        Of a fork also those that the original opened in the copied part (DLG-35): a copied answer has no provider (FRK-4). Ids
        of calls may coincide in original and fork, so a child of the original counts for a copied call alone.
        """
        own = {source_of(conversation_id)}
        originals = {source_of(row["id"]) for row in self._db.rows(_ORIGINALS, (conversation_id,))}
        found: dict[str, ChildRow] = {}
        for message in messages:
            sources = own if message.provider else originals
            rows = [row for call in message.tool_calls for row in self._rows(call) if row["source"] in sources]
            found |= {row["id"]: ChildRow(*row) for row in rows}
        return list(found.values())

    def _rows(self, call: ToolCall) -> list[Row]:
        if call.name == DELEGATE:
            return self._db.rows(f"{_CHILD} WHERE c.parent_call_id = ? ORDER BY c.created_at, c.id", (call.id,))
        if call.name in SCRIPTS:
            sql = f"{_CHILD} WHERE c.parent_call_id >= ? AND c.parent_call_id < ? ORDER BY c.created_at, c.id"
            return self._db.rows(sql, (call.id + NUMBER, call.id + _AFTER))
        return []

    def workers(self, conversation_id: str) -> list[str]:
        """The conversations of its background workers (TURN-91)."""
        rows = self._db.rows(
            "SELECT id FROM conversations WHERE parent_id = ? AND source = ?", (conversation_id, f"{WORKER}:{conversation_id}")
        )
        return [str(row["id"]) for row in rows]

    def last_decided(self, conversation_id: str) -> Decided | None:
        """The request for a tool that was decided last; questions do not count (DLG-49, GATE-70)."""
        row = self._db.row(
            "SELECT tool, status FROM approvals WHERE conversation_id = ? AND kind = 'tool' AND status <> 'pending'"
            " ORDER BY decided_at DESC, rowid DESC LIMIT 1",
            (conversation_id,),
        )
        return Decided(row["tool"], row["status"]) if row else None

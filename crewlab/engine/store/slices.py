"""What belongs to one run: its messages and the conversations it delegated to (TURN-89, TURN-101 to TURN-103)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from crewlab.engine.records import Message, Run
from crewlab.engine.store.db import Database
from crewlab.engine.store.messages import Messages
from crewlab.engine.store.runs import Runs

DELEGATE = "delegate"
SCRIPTS = ("tool_script", "eval")  # DLG-34: calls that open children under ids of their own, `<call id>:<number>`
Cut = Literal["by_seq", "by_time"]  # TURN-101


class Child(NamedTuple):
    """A conversation that a run delegated to, with the id of the call that opened it."""

    tool_call_id: str
    conversation_id: str
    agent_id: str
    title: str
    created_at: str
    runs: Sequence[Run]
    messages: list[Message]


def messages_of(db: Database, run: Run) -> tuple[list[Message], Cut]:
    """The messages of a run, and how they were cut out of the conversation."""
    if run.conversation_id is None:
        return [], "by_seq"
    stored = Messages(db).list(run.conversation_id)
    if run.after_seq is None:
        return [m for m in stored if run.started_at <= m.created_at and (run.ended_at is None or m.created_at <= run.ended_at)], "by_time"
    row = db.row("SELECT min(after_seq) FROM runs WHERE conversation_id = ? AND after_seq > ?", (run.conversation_id, run.after_seq))
    last = row[0] if row and row[0] is not None else float("inf")
    return [m for m in stored if run.after_seq < m.seq <= last], "by_seq"


def children_of(db: Database, run: Run, messages: Sequence[Message]) -> list[Child]:
    """The children that the calls of the run opened, in the order of their calls.

    Ids of calls may coincide in two conversations, so a child counts only when its run names this one as its
    source (TURN-102); one of a script must have been opened while the run was running (TURN-103).
    """
    found: list[Child] = []
    for call in (call for message in messages for call in message.tool_calls):
        if call.name == DELEGATE:
            found += _opened(db, run, "c.parent_call_id = ?", (call.id,))
        elif call.name in SCRIPTS:
            while_running = "substr(c.parent_call_id, 1, ?) = ? AND c.created_at >= ? AND (? IS NULL OR c.created_at <= ?)"
            prefix = f"{call.id}:"
            found += _opened(db, run, while_running, (len(prefix), prefix, run.started_at, run.ended_at, run.ended_at))
    return found


def _opened(db: Database, run: Run, which: str, values: tuple[object, ...]) -> list[Child]:
    rows = db.rows(
        f"SELECT c.* FROM conversations c WHERE {which}"
        " AND EXISTS (SELECT 1 FROM runs r WHERE r.conversation_id = c.id AND r.source = ?) ORDER BY c.created_at, c.id",
        (*values, f"{DELEGATE}:{run.conversation_id}"),
    )
    return [
        Child(
            row["parent_call_id"],
            row["id"],
            row["agent_id"],
            row["title"],
            row["created_at"],
            runs=Runs(db).of(row["id"]),
            messages=Messages(db).list(row["id"]),
        )
        for row in rows
    ]

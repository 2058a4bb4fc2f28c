"""What belongs to one run: its messages and the conversations it delegated to (TURN-89, TURN-101 to TURN-103)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from crewlab.engine.records import Message, Run
from crewlab.engine.store.children import SCRIPTS, Children, ChildRow, source_of
from crewlab.engine.store.db import Database
from crewlab.engine.store.messages import Messages
from crewlab.engine.store.runs import Runs

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
    scripts = tuple(f"{call.id}:" for message in messages for call in message.tool_calls if call.name in SCRIPTS)
    found = []
    for child in Children(db).of(run.conversation_id or "", messages):
        runs = Runs(db).of(child.id)
        if any(each.source == source_of(run.conversation_id or "") for each in runs) and _in_time(run, child, scripts):
            messages_of_it = Messages(db).list(child.id)
            found.append(Child(child.parent_call_id, child.id, child.agent_id, child.title, child.created_at, runs, messages_of_it))
    return found


def _in_time(run: Run, child: ChildRow, scripts: tuple[str, ...]) -> bool:
    """Whether a script's child was opened while the run was running; a direct one always counts."""
    if not child.parent_call_id.startswith(scripts):
        return True
    return run.started_at <= child.created_at and (run.ended_at is None or child.created_at <= run.ended_at)

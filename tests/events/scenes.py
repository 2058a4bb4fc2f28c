"""The scenes behind the recorded event files: each is a list of frames built from the event models (TURN-6).

``python tests/events/record.py`` writes them to ``*.jsonl`` with their ``*.view.json``; tests fail on any drift.
Nothing here is random or takes the time of day.
"""

from __future__ import annotations

from typing import Any

from crewlab.engine import events as e
from crewlab.engine import records as r

TOPIC = "conversation:cv-1"
ACTIVITY = "activity"
DAY = "2026-03-02T09:{:02d}:00+00:00"

Scene = list[tuple[str, dict[str, Any]]]


def at(minute: int) -> str:
    return DAY.format(minute)


def user(number: int, text: str, **more: Any) -> r.Message:
    return r.Message(id=number, seq=number, role="user", content=text, written_by="person", created_at=at(number), **more)


def answer(number: int, text: str, calls: list[r.ToolCall] | None = None, **more: Any) -> r.Message:
    costs = {"model": "fake:echo", "provider": "fake", "cost_usd": 0.0012, "prompt_tokens": 120, "completion_tokens": 12}
    return r.Message(
        id=number, seq=number, role="assistant", content=text, tool_calls=calls or [], created_at=at(number), **{**costs, **more}
    )


def result(number: int, call_id: str, name: str, text: str, outcome: str | None = None, **more: Any) -> r.Message:
    context = more.pop("context", {"outcome": outcome} if outcome else None)
    return r.Message(
        id=number, seq=number, role="tool", content=text, tool_call_id=call_id, name=name, created_at=at(number), context=context, **more
    )


def call(call_id: str, name: str = "read_file", **arguments: Any) -> r.ToolCall:
    return r.ToolCall(id=call_id, name=name, arguments=arguments)


def summary(**more: Any) -> r.ConversationSummary:
    base: dict[str, Any] = {
        "id": "cv-1",
        "agent_id": "master",
        "title": "Tide tables",
        "source": "chat",
        "created_at": at(0),
        "updated_at": at(1),
        "autonomous": False,
        "auto_approve": [],
        "skills": [],
        "cost_cap_usd": 2.0,
        "spent_usd": 0.0,
        "unknown_cost_calls": 0,
        "delegated_usd": 0.0,
        "approval_ttl_seconds": None,
        "forked_from": None,
        "parent_id": None,
        "parent_call_id": None,
        "plan": False,
        "vibe": False,
        "tier_cap": "exec",
        "running": False,
        "pending": None,
    }
    return r.ConversationSummary(**{**base, **more})


def conversation(*messages: r.Message, **more: Any) -> r.Conversation:
    own = {"queued": more.pop("queued", []), "tasks": more.pop("tasks", []), "compactions": more.pop("compactions", [])}
    return r.Conversation(**summary(**more).model_dump(), **own, messages=list(messages))


def approval(call_id: str = "c1", **more: Any) -> r.Approval:
    base: dict[str, Any] = {
        "id": "ap-1",
        "conversation_id": "cv-1",
        "agent_id": "master",
        "run_id": "run-1",
        "call_id": call_id,
        "tool": "write_file",
        "arguments": {"path": "tides.csv", "content": "h,m\n1,2\n"},
        "created_at": at(2),
        "expires_at": at(12),
    }
    return r.Approval(**{**base, **more})


def run(run_id: str = "run-1", **more: Any) -> r.Run:
    base: dict[str, Any] = {
        "id": run_id,
        "agent_id": "master",
        "source": "chat",
        "conversation_id": "cv-1",
        "status": "running",
        "started_at": at(1),
    }
    return r.Run(**{**base, **more})


def talk(*events: e.Event) -> Scene:
    """Frames of the conversation's topic."""
    return [(TOPIC, event.model_dump(mode="json")) for event in events]


def crew(*frames: e.Event) -> Scene:
    """Frames of the activity topic."""
    return [(ACTIVITY, frame.model_dump(mode="json")) for frame in frames]


HELLO = user(1, "When is high tide?")
START = e.Watching(conversation=conversation(HELLO, running=True), running=True)
DONE = e.Done(run_id="run-1", spent_usd=0.0024, unknown_cost_calls=0, cost_usd=0.0024)


def text(words: str) -> e.TextDelta:
    return e.TextDelta(text=words)


def started(call_id: str, name: str = "read_file", **arguments: Any) -> e.ToolCallStarted:
    return e.ToolCallStarted(tool_call_id=call_id, name=name, arguments=arguments, run_id="run-1")


def ended(call_id: str, output: str, name: str = "read_file", *, ok: bool = True, **more: Any) -> e.ToolResult:
    outcome = more.pop("outcome", "ok" if ok else "error")
    return e.ToolResult(tool_call_id=call_id, name=name, ok=ok, outcome=outcome, output=output, ms=more.pop("ms", 40), **more)


def nested(index: int, output: str, *, ok: bool = True) -> e.NestedCallEnded:
    one = r.NestedCall(name="read_file", arguments={"path": output}, ok=ok, output=output, ms=5 + index)
    return e.NestedCallEnded(tool_call_id="c1", index=index, call=one)


def chip(item_id: int, kind: r.QueueKind, words: str, position: int) -> r.QueuedItem:
    return r.QueuedItem(item_id=item_id, kind=kind, text=words, position=position, created_at=at(2))

"""Records as the server sends them, for tests of the notebook side."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def message(seq: int, role: str, content: str, **more: Any) -> Json:
    return {"id": seq, "seq": seq, "role": role, "content": content, "created_at": "2026-01-01T00:00:00+00:00", "context": None, **more}


def conversation(**more: Any) -> Json:
    return {
        "id": "c_1",
        "agent_id": "master",
        "title": "First",
        "running": False,
        "pending": None,
        "autonomous": False,
        "updated_at": "2026-01-01T00:00:00+00:00",
        "messages": [],
        "queued": [],
        "tasks": [],
        **more,
    }


def approval(**more: Any) -> Json:
    return {
        "id": "ap_1",
        "conversation_id": "c_1",
        "agent_id": "master",
        "run_id": "r_1",
        "call_id": "t1",
        "kind": "tool",
        "tool": "workspace_write",
        "arguments": {"path": "a.txt", "content": "hi"},
        "reason": None,
        "status": "pending",
        "nested_in": None,
        "expires_at": "2026-01-01T00:20:00+00:00",
        "always": False,
        **more,
    }


def step(index: int, kind: str = "tool", **more: Any) -> Json:
    return {
        "index": index,
        "kind": kind,
        "status": "done",
        "started_at": f"2026-01-01T00:00:{index:02d}+00:00",
        "ms": 900,
        "name": "workspace_read" if kind == "tool" else None,
        "cost_usd": None,
        "arguments": {"path": f"f{index}.txt"} if kind == "tool" else None,
        **more,
    }


def run(**more: Any) -> Json:
    return {
        "id": "r_1",
        "agent_id": "master",
        "source": "notebook",
        "conversation_id": "c_1",
        "status": "done",
        "halt_reason": None,
        "summary": "hi",
        "steps": [],
        "cost_usd": 0.25,
        "unknown_cost_calls": 0,
        "after_seq": 0,
        "resumed": False,
        "started_at": "2026-01-01T00:00:00+00:00",
        "ended_at": "2026-01-01T00:00:09+00:00",
        **more,
    }


def done(**more: Any) -> Json:
    return {"type": "done", "run_id": "r_1", "spent_usd": 0.25, "unknown_cost_calls": 0, "cost_usd": 0.25, "suggestions": [], **more}


def text(piece: str) -> Json:
    return {"type": "text_delta", "text": piece}


def watching(running: bool = True, **more: Any) -> Json:
    return {"type": "watching", "conversation": conversation(running=running, **more), "running": running}

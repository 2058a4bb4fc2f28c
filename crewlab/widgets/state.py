"""What the components show, as plain data. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]

HEAD = (
    "id", "agent_id", "conversation_id", "source", "status", "halt_reason", "summary", "label",
    "cost_usd", "unknown_cost_calls", "estimated_cost_calls", "started_at", "ended_at",
)  # fmt: skip


def timeline_state(run: Mapping[str, Any] | None) -> Json:
    """A run's timeline: its head and its steps, fields that say nothing left out. Without a run the head is None: there is none yet."""
    if run is None:
        return {"run": None, "steps": [], "dropped": 0}
    steps = [{key: value for key, value in step.items() if value is not None} for step in run.get("steps") or ()]
    return {"run": head_of(run), "steps": steps, "dropped": 0}


def head_of(run: Mapping[str, Any]) -> Json:
    """A run without its steps."""
    return {name: run.get(name) for name in HEAD}

"""What a run's timeline shows, as plain data, and how it travels: whole once, then only what has changed (UI-158). Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

Json = dict[str, Any]

MAX_STATE_BYTES = 2 * 1024 * 1024  # UI-158
HEAD = (
    "id", "agent_id", "conversation_id", "source", "status", "halt_reason", "summary", "label",
    "cost_usd", "unknown_cost_calls", "estimated_cost_calls", "started_at", "ended_at",
)  # fmt: skip
RUNNING = ("running", "waiting")  # TURN-82


def timeline_state(run: Mapping[str, Any] | None, *, at: str, language: str, limit: int = MAX_STATE_BYTES) -> Json:
    """The state of a run's timeline at ``at``: its head, its steps, and how many of the oldest were dropped to stay within ``limit``.

    Without a run the head is None: there is none yet.
    """
    if run is None:
        return {"at": at, "language": language, "run": None, "steps": [], "dropped": 0}
    head = {name: run.get(name) for name in HEAD}
    steps = [{key: value for key, value in step.items() if value is not None} for step in run.get("steps") or ()]
    kept, dropped = _within(steps, limit - _size(head))
    return {"at": at, "language": language, "run": head, "steps": kept, "dropped": dropped}


def _size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False).encode())


def _within(steps: list[Json], limit: int) -> tuple[list[Json], int]:
    """The newest steps that fit, and how many do not."""
    total, kept = 0, len(steps)
    while kept > 0:
        total += _size(steps[kept - 1]) + 2
        if total > limit:
            break
        kept -= 1
    return steps[kept:], kept


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Json | None:
    """What turns ``old`` into ``new``, None when nothing that is drawn differs. Another run is sent whole."""
    before, after = old.get("run") or {}, new["run"] or {}
    if not before or before["id"] != after.get("id"):
        same = bool(old) and {**old, "at": None} == {**new, "at": None}
        return None if same else {"type": "state", "state": dict(new)}
    head = {name: value for name, value in new["run"].items() if old["run"].get(name) != value}
    known = {step["index"]: step for step in old["steps"]}
    steps = [step for step in new["steps"] if known.get(step["index"]) != step]
    rest = {name: new[name] for name in ("dropped", "language", "offline") if old.get(name) != new.get(name) and name in new}
    if not head and not steps and not rest and len(new["steps"]) == len(old["steps"]):
        return None
    first = new["steps"][0]["index"] if new["steps"] else None
    return {"type": "change", "at": new["at"], "run": head, "steps": steps, "first": first, "count": len(new["steps"]), **rest}


def apply_change(old: Mapping[str, Any], change: Mapping[str, Any]) -> Json:
    """``old`` with ``change``: what the page does with the message (``labextension/src/widgets/timeline/state.ts``)."""
    if change["type"] == "state":
        return dict(change["state"])
    steps = {step["index"]: step for step in [*old["steps"], *change["steps"]]}
    kept = [step for index, step in sorted(steps.items()) if change["first"] is not None and index >= change["first"]][: change["count"]]
    rest = {name: change[name] for name in ("dropped", "language", "offline") if name in change}
    return {**old, **rest, "at": change["at"], "run": {**old["run"], **change["run"]}, "steps": kept}


def is_over(state: Mapping[str, Any]) -> bool:
    """Whether the run has ended."""
    return bool(state.get("run")) and state["run"]["status"] not in RUNNING

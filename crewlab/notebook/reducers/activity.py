"""From the frames of the activity topic to the view of the crew (UI-2, TURN-93); mirrors ``labextension/src/shared/activity.ts``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

View = dict[str, Any]
Frame = dict[str, Any]

KEPT_ENDED = 50  # view.ts: runs that ended while this side watched
_PENDING_STEP = {"approval_required": 1, "approval_decided": -1}


def empty_activity() -> View:
    """The view before anything is known."""
    revisions = {"jobs": 0, "tools": 0, "artifacts": 0, "workers": 0}
    return {"runs": [], "ended": [], "pending": 0, "conversations": {}, "snapshots": 0, "revisions": revisions}


def reduce_activity(view: View, frame: Frame) -> View:
    """The view after one more frame; a frame that is not known changes nothing (UI-111)."""
    handle = _HANDLERS.get(frame["type"])
    return view if handle is None else handle(view, frame)


def _newest_first(runs: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(runs, key=lambda run: (run["started_at"], run["id"]), reverse=True)


def _snapshot(view: View, frame: Frame) -> View:
    return {**view, "runs": _newest_first(frame["runs"]), "pending": frame["pending"], "snapshots": view["snapshots"] + 1}


def _run(view: View, frame: Frame) -> View:
    run = frame["run"]
    others = [one for one in view["runs"] if one["id"] != run["id"]]
    ended = [one for one in view["ended"] if one["id"] != run["id"]]
    if run["status"] in ("running", "waiting"):
        return {**view, "runs": _newest_first([run, *others]), "ended": ended}
    return {**view, "runs": others, "ended": _newest_first([run, *ended])[:KEPT_ENDED]}


def _event(view: View, frame: Frame) -> View:
    step = _PENDING_STEP.get(frame["name"], 0)
    return {**view, "pending": max(0, view["pending"] + step)} if step else view


def _conversation(view: View, frame: Frame) -> View:
    known = view["conversations"]
    if frame.get("deleted"):  # a deleted conversation takes its waiting request with it (TURN-20)
        gone = frame.get("id") or ""
        waited = 1 if (known.get(gone) or {}).get("pending") else 0
        return {**view, "pending": max(0, view["pending"] - waited), "conversations": {**known, gone: None}}
    record = frame.get("conversation")
    return {**view, "conversations": {**known, record["id"]: record}} if record else view


def _raise(name: str) -> Callable[[View, Frame], View]:
    return lambda view, frame: {**view, "revisions": {**view["revisions"], name: view["revisions"][name] + 1}}


_HANDLERS: dict[str, Callable[[View, Frame], View]] = {
    "snapshot": _snapshot,
    "run": _run,
    "event": _event,
    "conversation": _conversation,
    "artifact": _raise("artifacts"),
    "jobs": _raise("jobs"),
    "workers": _raise("workers"),
    "tools": _raise("tools"),
}

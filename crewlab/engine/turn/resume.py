"""What a start does with the runs of the last process (RES-1 to RES-13)."""

from __future__ import annotations

import logging

from crewlab.engine.errors import NotFound
from crewlab.engine.records import INTERRUPTED, Run
from crewlab.engine.turn import steps
from crewlab.engine.turn.host import TurnHost
from crewlab.engine.turn.turn import Parts

log = logging.getLogger(__name__)


def close_cut_runs(parts: Parts) -> list[Run]:
    """Close runs still marked running; keep waiting ones whose request is open (RES-1, RES-13).

    Returns the runs that may be continued: of each conversation the newest, never resumed before.
    """
    cut: dict[str, Run] = {}
    for run in parts.store.runs.open():
        if run.status == "waiting" and run.conversation_id:
            pending = parts.store.approvals.pending_of(run.conversation_id)
            if pending is not None and pending.run_id == run.id:
                parts.hub.run(run)
                continue
        was_running = run.status == "running"
        run.status, run.summary, run.ended_at = "error", INTERRUPTED, parts.now()
        steps.close_running(run)
        parts.store.runs.save(run)
        if was_running and not run.resumed and run.conversation_id:
            cut[run.conversation_id] = run
    return list(cut.values())


def may_continue(parts: Parts, run: Run) -> bool:
    """The two barriers and the cases of RES-5 and RES-6."""
    conversation = parts.store.conversations.get(run.conversation_id or "")
    if conversation is None or parts.store.approvals.pending_of(conversation.id) is not None:
        return False
    if 0 < conversation.cost_cap_usd <= conversation.spent_usd:
        return False
    return parts.store.runs.newest_of(conversation.id) == run.id


def resume_cut_turns(parts: Parts, host: TurnHost, cut: list[Run]) -> int:
    """Go on with each kept run once; ``resumed`` is on disk before its first step (RES-3, RES-4)."""
    continued = 0
    for run in cut:
        if not may_continue(parts, run):
            continue
        run.resumed, run.status, run.summary, run.ended_at = True, "running", "", None
        parts.store.runs.save(run)
        try:
            host.resume(run, fresh=False)
        except NotFound as error:
            log.warning("run %s cannot go on: %s", run.id, error)
            run.status, run.summary, run.ended_at = "error", INTERRUPTED, parts.now()
            parts.store.runs.save(run)
            continue
        continued += 1
    return continued

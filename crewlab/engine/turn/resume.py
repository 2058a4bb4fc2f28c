"""What a start does with the runs of the last process (RES-1 to RES-13)."""

from __future__ import annotations

import logging

from crewlab.engine.errors import NotFound
from crewlab.engine.records import INTERRUPTED, Run
from crewlab.engine.store.ledger import TURN
from crewlab.engine.store.side_calls import NO_TOKENS
from crewlab.engine.turn import steps
from crewlab.engine.turn.host import TurnHost
from crewlab.engine.turn.kept import kept
from crewlab.engine.turn.turn import Parts

log = logging.getLogger(__name__)


def close_cut_runs(parts: Parts) -> list[Run]:
    """Close runs still marked running; keep waiting ones whose request is open (RES-1, RES-13).

    Returns the runs that may be continued: of each conversation the newest, never resumed before.
    """
    cut: dict[str, Run] = {}
    with parts.store.transaction():
        _close_stale(parts)
        for run in parts.store.runs.open():
            if run.status == "waiting" and run.conversation_id:
                pending = parts.store.approvals.pending_of(run.conversation_id)
                if pending is not None and pending.run_id == run.id:
                    parts.hub.run(run)
                    continue
            was_running = run.status == "running"
            _close(parts, run)
            if was_running and not run.resumed and run.conversation_id:
                cut[run.conversation_id] = run
    return list(cut.values())


def _close_stale(parts: Parts) -> None:
    """Close requests that no waiting run stands behind: of a kernel cell (EVAL-31), or of a run that has ended (FA-6)."""
    for approval in parts.store.approvals.pending():
        run = parts.store.runs.get(approval.run_id)
        if run is None or run.status != "waiting" or run.conversation_id != approval.conversation_id:
            parts.store.approvals.decide(approval.id, "expired", parts.now())
            log.info("request %s (%s) was closed at start: nothing waits for it any more", approval.id, approval.tool)


def _close(parts: Parts, run: Run) -> None:
    """Close one run that the last process left."""
    _count_cut_calls(parts, run, run)
    run.status, run.summary, run.ended_at = "error", INTERRUPTED, parts.now()
    steps.close_running(run)
    parts.store.runs.save(run)


def _count_cut_calls(parts: Parts, run: Run, stored: Run) -> None:
    """A model call that was under way has a price nobody knows any more (COST-2, DUR-1), and a row (COST-21)."""
    for step in stored.steps:
        if step.kind in ("model", "compaction") and step.status == "running":
            run.unknown_cost_calls += 1
            if run.conversation_id:
                parts.store.conversations.spend(run.conversation_id, None, parts.now())
            purpose = TURN if step.kind == "model" else step.kind
            provider, _, model = (step.route or "").partition(":")
            parts.store.side_calls.insert(run.agent_id, run.conversation_id, purpose, (provider, model), None, NO_TOKENS, parts.now())


def write_late(parts: Parts) -> None:
    """Write the ends that could not be written when they came (DUR-6). Raises ``StoreWriteFailed`` while it still cannot."""
    while parts.hub.unwritten:
        run = parts.hub.unwritten[0]
        with kept(run), parts.store.transaction():
            stored = parts.store.runs.get(run.id)
            if stored is not None and stored.status == "running":
                _count_cut_calls(parts, run, stored)
            parts.store.runs.save(run)
        parts.hub.unwritten.pop(0)


def may_continue(parts: Parts, run: Run) -> bool:
    """The two barriers and the cases of RES-5 and RES-6."""
    conversation = parts.store.conversations.get(run.conversation_id or "")
    if conversation is None or parts.store.approvals.pending_of(conversation.id) is not None:
        return False
    if 0 < conversation.cost_cap_usd <= conversation.spent_usd:
        return False
    return parts.store.runs.newest_of(conversation.id) == run.id


def reopen(parts: Parts) -> list[Run]:
    """Close what the last process left and reopen what goes on, in one commit: a cut start changes nothing (RES-4, DUR-2)."""
    with parts.store.transaction():
        kept = [run for run in close_cut_runs(parts) if may_continue(parts, run)]
        for run in kept:
            run.resumed, run.status, run.summary, run.ended_at = True, "running", "", None
            parts.store.runs.save(run)
    return kept


def resume_cut_turns(parts: Parts, host: TurnHost, kept: list[Run]) -> int:
    """Go on with each reopened run; ``resumed`` is on disk before its first step (RES-3, RES-4)."""
    continued = 0
    for run in kept:
        try:
            host.resume(run, fresh=False)
        except NotFound as error:
            log.warning("run %s cannot go on: %s", run.id, error)
            run.status, run.summary, run.ended_at = "error", INTERRUPTED, parts.now()
            parts.store.runs.save(run)
            continue
        continued += 1
    return continued

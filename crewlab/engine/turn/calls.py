"""Tool calls of one assistant message: gate, run, result, in the written order (TURN-26, RPL-3)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal

from crewlab.engine.events import ToolCallStarted, ToolResult
from crewlab.engine.records import CallOutcome, Step, StepOutcome, StepStatus, ToolCall
from crewlab.engine.store.conversations import Charge
from crewlab.engine.tools.call import run_tool
from crewlab.engine.tools.ceiling import Shortened, shorten
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.registry import not_available
from crewlab.engine.tools.shown import clean_name
from crewlab.engine.tools.validate import check_arguments
from crewlab.engine.turn import notes, steps
from crewlab.engine.turn.output import limited
from crewlab.engine.turn.requests import pause, settled_by, verdict_on
from crewlab.engine.turn.turn import Parts, Turn

After = Literal["go_on", "paused", "stuck"]
_STEP: dict[CallOutcome, StepStatus] = {
    "ok": "done",
    "error": "error",
    "refused": "refused",
    "denied": "refused",
    "expired": "refused",
    "unknown": "error",
}
_NOT_RUN: dict[CallOutcome, StepOutcome] = {"refused": "refused", "denied": "denied", "expired": "expired"}  # ASK-3: three different words


@dataclass(frozen=True, slots=True)
class Result:
    """How one call ended."""

    outcome: CallOutcome
    output: str
    ms: int = 0
    stuck: bool = False


async def run_calls(parts: Parts, turn: Turn, calls: list[ToolCall], *, fresh: bool) -> After:
    """Bring every call to its result, or pause at the first that needs a person.

    ``fresh`` says that none of them can have run before; else RPL-3 decides what may run again.
    """
    after: After = "go_on"
    for call in calls:
        if notes.is_note(turn, call):
            notes.take(parts, turn, call)
            continue
        turn.emit(parts, ToolCallStarted(tool_call_id=call.id, name=call.name, arguments=call.arguments, run_id=turn.run.id))
        result = _cut(parts, turn, call) if not fresh else None
        result = result or await _one(parts, turn, call, fresh=fresh)
        if result is None:
            return "paused"
        if result.stuck:
            after = "stuck"
    return after


def _cut(parts: Parts, turn: Turn, call: ToolCall) -> Result | None:
    """A call that had begun and may not run again is closed, whatever the gate would say of it today (DUR-4)."""
    tool = turn.registry.get(call.name)
    if (tool is not None and tool.replay_safe) or not parts.store.runs.began(turn.conversation_id, call.id):
        return None
    return _unknown(parts, turn, call)


def _unknown(parts: Parts, turn: Turn, call: ToolCall) -> Result:
    return _refuse(parts, turn, call, "unknown", parts.texts(f"gate.cut_{turn.cut or 'restart'}", name=clean_name(call.name)))


async def _one(parts: Parts, turn: Turn, call: ToolCall, *, fresh: bool) -> Result | None:
    asked = not fresh or any(step.kind == "wait" for step in turn.run.steps)  # a new call of a turn that never waited has no decision
    decided = parts.store.approvals.of_call(turn.conversation_id, call.id) if asked else None
    settled = settled_by(decided, parts.texts)
    if settled is not None:
        return _refuse(parts, turn, call, settled.outcome, settled.output)
    tool = turn.registry.get(call.name)
    if tool is None:
        gone = parts.texts("gate.tool_gone", name=clean_name(call.name)) if decided else not_available(call.name, parts.texts)
        return _refuse(parts, turn, call, "error", gone)
    try:
        arguments = check_arguments(tool, call.arguments, parts.texts)
    except ToolError as error:
        return _refuse(parts, turn, call, "error", error.message)
    context = turn.context(parts, call.id)
    judged = verdict_on(parts, turn, tool, arguments, context, decided)
    if judged.verdict.kind == "refuse":
        return _refuse(parts, turn, call, "refused", judged.verdict.text or "")
    if judged.verdict.kind == "ask":
        pause(parts, turn, tool, call, arguments, context, judged)
        return None
    if not fresh and not tool.replay_safe:
        return _unknown(parts, turn, call)
    return await _execute(parts, turn, tool, call, arguments, context)


async def _execute(parts: Parts, turn: Turn, tool: Tool, call: ToolCall, arguments: Arguments, context: ToolContext) -> Result:
    step = steps.begin(turn.run, parts.clock, "tool", tool_call_id=call.id, name=tool.name, arguments=steps.card_arguments(arguments))
    turn.save(parts)
    started = parts.clock.monotonic()
    ran = await run_tool(tool, arguments, context)
    ms = round((parts.clock.monotonic() - started) * 1000)
    result = Result("ok" if ran.ok else "error", ran.text, ms)
    try:
        kept = await limited(parts, turn, tool, ran, context)
    except asyncio.CancelledError:  # the tool has run: its result is stored before the turn goes
        if parts.store.conversations.get(turn.conversation_id) is not None:
            kept = shorten(ran.text, turn.agent.tool_output_chars, parts.texts)
            _record(parts, turn, call, result, step, kept, sum(context.charges, Charge()))
        raise
    return _record(parts, turn, call, result, step, kept, sum(context.charges, Charge()))


def _refuse(parts: Parts, turn: Turn, call: ToolCall, outcome: CallOutcome, output: str) -> Result:
    step = steps.begin(turn.run, parts.clock, "tool", tool_call_id=call.id, name=call.name, arguments=steps.card_arguments(call.arguments))
    return _record(parts, turn, call, Result(outcome, output), step, shorten(output, turn.agent.tool_output_chars, parts.texts))


def _record(parts: Parts, turn: Turn, call: ToolCall, result: Result, step: Step, kept: Shortened, charge: Charge | None = None) -> Result:
    """Store, then publish one result as it was shortened: the one way into the context (TURN-25, OUT-1).

    What the call cost is stored in the same commit, so that it is counted once (DB-9, COST-4).
    """
    charge = charge or Charge()
    cost_usd = charge.usd if charge != Charge() and not charge.unknown else None
    ok = result.outcome == "ok"
    repeated = turn.guard.note(call.name, call.arguments, kept.text)
    text = kept.text + parts.texts("turn.repeats") if repeated else kept.text  # ESC-7: the model is told
    steps.end(
        step,
        result.ms,
        _STEP[result.outcome],
        outcome=_NOT_RUN.get(result.outcome),
        output=steps.card_output(kept.text, ok=ok),
        shortened=kept.way,
        original_chars=kept.original_chars if kept.way else None,
        cost_usd=cost_usd,
        cost_estimated=bool(charge.estimated) or None,
    )
    turn.run.cost_usd += charge.usd
    turn.run.unknown_cost_calls += charge.unknown
    turn.run.estimated_cost_calls += charge.estimated
    now = parts.now()
    with parts.store.transaction():
        message = parts.store.messages.append(
            turn.conversation_id,
            "tool",
            text,
            now,
            tool_call_id=call.id,
            name=call.name,
            cost_usd=cost_usd,
            cost_estimated=bool(charge.estimated),
            context=None if ok else {"outcome": result.outcome},
        )
        parts.store.conversations.charge(turn.conversation_id, charge, now)
        parts.store.runs.save(turn.run)
    turn.messages.append(message)
    parts.hub.run(turn.run)
    turn.emit(
        parts,
        ToolResult(
            tool_call_id=call.id,
            name=call.name,
            ok=ok,
            outcome=result.outcome,
            output=text,
            ms=result.ms,
            cost_usd=cost_usd,
            shortened=kept.way,
            original_chars=kept.original_chars if kept.way else None,
        ),
    )
    return Result(result.outcome, text, result.ms, stuck=repeated == "stuck")

"""One tool call: gate, run, result (TURN-26, RPL-3)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from crewlab.engine.records import CallOutcome, Step, ToolCall
from crewlab.engine.store.conversations import Charge
from crewlab.engine.tools.ceiling import Shortened, shorten
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.hooked import run_after_hooks, told
from crewlab.engine.tools.registry import not_available
from crewlab.engine.tools.shown import clean_name
from crewlab.engine.tools.validate import check_arguments
from crewlab.engine.turn import steps
from crewlab.engine.turn.conclude import was_asked_to_conclude
from crewlab.engine.turn.nested import TurnNest, left_by_children
from crewlab.engine.turn.output import limited
from crewlab.engine.turn.recording import Result, record
from crewlab.engine.turn.requests import pause, settled_by, verdict_on
from crewlab.engine.turn.turn import Parts, Turn


@dataclass(frozen=True, slots=True)
class Work:
    """A call that may run."""

    tool: Tool
    call: ToolCall
    arguments: Arguments
    context: ToolContext


def _cut(parts: Parts, turn: Turn, call: ToolCall) -> Result | None:
    """A call that had begun and may not run again is closed, whatever the gate would say of it today (DUR-4)."""
    tool = turn.registry.get(call.name)
    if (tool is not None and tool.replay_safe) or not parts.store.runs.began(turn.conversation_id, call.id):
        return None
    return _unknown(parts, turn, call)


def _unknown(parts: Parts, turn: Turn, call: ToolCall) -> Result:
    return Result("unknown", parts.texts(f"gate.cut_{turn.cut or 'restart'}", name=clean_name(call.name)))


def judge_call(parts: Parts, turn: Turn, call: ToolCall, *, fresh: bool) -> Result | Work | None:
    """What becomes of a call: the answer to one that does not run, the work, or ``None`` when a person is asked first."""
    return (_cut(parts, turn, call) if not fresh else None) or _judged(parts, turn, call, fresh=fresh)


def _judged(parts: Parts, turn: Turn, call: ToolCall, *, fresh: bool) -> Result | Work | None:
    asked = not fresh or any(step.kind == "wait" for step in turn.run.steps)  # a new call of a turn that never waited has no decision
    decided = parts.store.approvals.of_call(turn.conversation_id, call.id) if asked else None
    settled = settled_by(decided, parts.texts)
    if settled is not None:
        return Result(settled.outcome, settled.output)
    tool = turn.registry.get(call.name)
    if tool is None:
        gone = parts.texts("gate.tool_gone", name=clean_name(call.name)) if decided else not_available(call.name, parts.texts)
        return Result("error", gone)
    if was_asked_to_conclude(turn.run):
        return Result("refused", parts.texts("turn.conclude"))
    try:
        arguments = check_arguments(tool, call.arguments, parts.texts)
    except ToolError as error:
        return Result("error", tool.misfit(error.message) if tool.misfit else error.message)
    context = turn.context(parts, call.id)
    judged = verdict_on(parts, turn, tool, arguments, context, decided)
    if judged.verdict.kind == "refuse":
        return Result("refused", judged.verdict.text or "")
    if judged.verdict.kind == "ask":
        pause(parts, turn, tool, call, arguments, context, judged)
        return None
    if not fresh and not tool.replay_safe:
        return _unknown(parts, turn, call)
    return Work(tool, call, arguments, context)


async def execute(parts: Parts, turn: Turn, work: Work) -> tuple[Result, Step, Shortened]:
    """Run one judged call; several run at once, so nothing is recorded here (DLG-31)."""
    tool, call = work.tool, work.call
    card = steps.card_arguments(work.arguments)
    step = steps.begin(turn.run, parts.clock, "tool", tool_call_id=call.id, name=tool.name, arguments=card)
    turn.save(parts)

    def opened(conversation_id: str) -> None:
        step.child_id = conversation_id
        turn.save(parts)

    started = parts.clock.monotonic()
    context = replace(work.context, opened=opened)
    nest = TurnNest(parts, turn, step, context) if tool.nests else None
    try:
        ran, said = await run_after_hooks(parts.hooks, turn.agent, tool, work.arguments, replace(context, nest=nest))
    except asyncio.CancelledError:
        _pay(parts, turn, context)
        raise
    ms = round((parts.clock.monotonic() - started) * 1000)
    result = Result("ok" if ran.ok else "error", ran.text, ms, inside=nest.inside if nest else None)
    try:
        ran = await told(parts.hooks, turn.agent, tool, work.arguments, context, ran, said)
        return result, step, await limited(parts, turn, tool, ran, work.context)
    except asyncio.CancelledError:  # the tool has run: its result is stored before the turn goes
        if parts.store.conversations.get(turn.conversation_id) is not None:
            kept = shorten(ran.text, turn.agent.tool_output_chars, parts.texts)
            record(parts, turn, call, result, step, kept, work.context)
        raise


def _pay(parts: Parts, turn: Turn, context: ToolContext) -> None:
    """What a cut call has paid models so far; what its children spent comes with the result that closes it (SCR-158)."""
    charge = sum((one for one in context.charges if not one.child), Charge())
    if charge == Charge() or parts.store.conversations.get(turn.conversation_id) is None:
        return
    turn.run.cost_usd += charge.usd
    turn.run.unknown_cost_calls += charge.unknown
    turn.run.estimated_cost_calls += charge.estimated
    with parts.store.transaction():
        parts.store.conversations.charge(turn.conversation_id, charge, parts.now())
        parts.store.runs.save(turn.run)


def refuse(parts: Parts, turn: Turn, call: ToolCall, outcome: CallOutcome, output: str) -> Result:
    """Record the answer to a call that did not run, or of which nobody knows whether it did."""
    context = turn.context(parts, call.id)
    if outcome == "unknown":
        context.charges.extend(left_by_children(parts, turn.conversation_id, call.id, call.name))
    step = steps.begin(turn.run, parts.clock, "tool", tool_call_id=call.id, name=call.name, arguments=steps.card_arguments(call.arguments))
    return record(parts, turn, call, Result(outcome, output), step, shorten(output, turn.agent.tool_output_chars, parts.texts), context)

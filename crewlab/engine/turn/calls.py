"""One tool call: gate, run, result (TURN-26, RPL-3)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from crewlab.engine.events import TextDelta, ToolResult
from crewlab.engine.records import CallOutcome, Step, StepOutcome, StepStatus, ToolCall
from crewlab.engine.store.conversations import Charge
from crewlab.engine.tools.ceiling import Shortened, shorten
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.hooked import run_after_hooks, told
from crewlab.engine.tools.registry import not_available
from crewlab.engine.tools.shown import clean_name
from crewlab.engine.tools.validate import check_arguments
from crewlab.engine.turn import relay, steps
from crewlab.engine.turn.conclude import was_asked_to_conclude
from crewlab.engine.turn.output import limited
from crewlab.engine.turn.requests import pause, settled_by, verdict_on
from crewlab.engine.turn.turn import Parts, Turn

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
        return Result("error", error.message)
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
    ran, said = await run_after_hooks(parts.hooks, turn.agent, tool, work.arguments, context)
    ms = round((parts.clock.monotonic() - started) * 1000)
    result = Result("ok" if ran.ok else "error", ran.text, ms)
    try:
        ran = await told(parts.hooks, turn.agent, tool, work.arguments, context, ran, said)
        return result, step, await limited(parts, turn, tool, ran, work.context)
    except asyncio.CancelledError:  # the tool has run: its result is stored before the turn goes
        if parts.store.conversations.get(turn.conversation_id) is not None:
            kept = shorten(ran.text, turn.agent.tool_output_chars, parts.texts)
            record(parts, turn, call, result, step, kept, work.context)
        raise


def refuse(parts: Parts, turn: Turn, call: ToolCall, outcome: CallOutcome, output: str) -> Result:
    """Record the answer to a call that did not run."""
    step = steps.begin(turn.run, parts.clock, "tool", tool_call_id=call.id, name=call.name, arguments=steps.card_arguments(call.arguments))
    return record(parts, turn, call, Result(outcome, output), step, shorten(output, turn.agent.tool_output_chars, parts.texts))


def _card(turn: Turn, call: ToolCall, text: str, *, ok: bool) -> str:
    tool = turn.registry.get(call.name)
    return tool.card(text) if tool is not None and tool.card is not None else steps.card_output(text, ok=ok)


def record(
    parts: Parts, turn: Turn, call: ToolCall, result: Result, step: Step, kept: Shortened, context: ToolContext | None = None
) -> Result:
    """Store, then publish one result as it was shortened: the one way into the context (TURN-25, OUT-1).

    What the call cost is stored in the same commit, so that it is counted once (DB-9, COST-4). What a child spent goes to
    the conversation alone: the child's own run has it (DLG-66, DLG-68). So does an answer that is handed on (DLG-77).
    """
    charges = context.charges if context else []
    charge = sum((one for one in charges if not one.child), Charge())
    handed = context.handovers[0] if context and context.handovers and relay.may_relay(parts, turn) else None
    cost_usd = charge.usd if charge != Charge() and not charge.unknown else None
    ok = result.outcome == "ok"
    repeated = turn.guard.note(call.name, call.arguments, kept.text)
    text = kept.text + parts.texts("turn.repeats") if repeated else kept.text  # ESC-7: the model is told
    steps.end(
        step,
        result.ms,
        _STEP[result.outcome],
        outcome=_NOT_RUN.get(result.outcome),
        output=_card(turn, call, kept.text, ok=ok),
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
        parts.store.conversations.charge(turn.conversation_id, sum(charges, Charge()), now)
        answer = relay.write(parts, turn, handed, now) if handed else None
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
    if answer is not None:
        turn.messages.append(answer)
        turn.emit(parts, TextDelta(text=answer.content))
    return Result(result.outcome, text, result.ms, stuck=repeated == "stuck")

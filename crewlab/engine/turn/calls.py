"""One tool call: gate, run, result (TURN-26, RPL-3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from crewlab.engine.clock import iso, new_id
from crewlab.engine.events import ApprovalRequired, TextDelta, ToolResult
from crewlab.engine.gate.verdict import Stance, Verdict, judge
from crewlab.engine.records import Approval, CallOutcome, Json, Step, StepStatus, ToolCall
from crewlab.engine.store.conversations import Charge
from crewlab.engine.tools.call import run_tool
from crewlab.engine.tools.ceiling import Shortened, shorten, shorten_aside
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.registry import not_available
from crewlab.engine.tools.shown import clean_name
from crewlab.engine.tools.validate import check_arguments
from crewlab.engine.turn import relay, steps
from crewlab.engine.turn.conclude import was_asked_to_conclude
from crewlab.engine.turn.relay import may_relay
from crewlab.engine.turn.turn import Parts, Turn

_STEP: dict[CallOutcome, StepStatus] = {
    "ok": "done",
    "error": "error",
    "refused": "refused",
    "denied": "refused",
    "expired": "refused",
    "unknown": "error",
}


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
    tool = turn.registry.get(call.name)
    if tool is None:
        asked = parts.store.approvals.of_call(turn.conversation_id, call.id)
        gone = parts.texts("gate.tool_gone", name=clean_name(call.name)) if asked else not_available(call.name, parts.texts)
        return Result("error", gone)
    if was_asked_to_conclude(turn.run):
        return Result("refused", parts.texts("turn.conclude"))
    try:
        arguments = check_arguments(tool, call.arguments, parts.texts)
    except ToolError as error:
        return Result("error", error.message)
    context = turn.context(parts, call.id)
    verdict = _verdict(parts, turn, tool, arguments, context)
    if isinstance(verdict, Result):
        return verdict
    if verdict.kind == "refuse":
        return Result("refused", verdict.text or "")
    if verdict.kind == "ask":
        _pause(parts, turn, tool, call, arguments, context, verdict)
        return None
    if not fresh and not tool.replay_safe:
        return _unknown(parts, turn, call)
    return Work(tool, call, arguments, context)


def _verdict(parts: Parts, turn: Turn, tool: Tool, arguments: Arguments, context: ToolContext) -> Verdict | Result:
    """A decision that was taken for this call, else the gate's verdict (GATE-42, GATE-43, GATE-52)."""
    decided = parts.store.approvals.of_call(turn.conversation_id, context.call_id)
    if decided is not None and decided.status == "denied":
        return Result("denied", parts.texts("gate.denied", name=tool.name))
    if decided is not None and decided.status == "expired":
        return Result("expired", parts.texts("gate.expired", name=tool.name))
    conversation = parts.store.conversations.get(turn.conversation_id)  # read again at each call (GATE-6)
    stance = Stance(
        autonomous=bool(conversation and conversation.autonomous),
        auto_approve=frozenset(conversation.auto_approve if conversation else ()),
    )
    verdict = judge(tool, arguments, context, stance, turn.patterns())
    approved = decided is not None and decided.status == "approved" and verdict.kind == "ask"
    if approved and decided is not None and decided.arguments == arguments and _same_reason(tool, decided, verdict):
        return Verdict("run", None)
    return verdict


def _same_reason(tool: Tool, decided: Approval, verdict: Verdict) -> bool:
    return tool.settled_by_arguments or decided.reason == verdict.text


def _pause(parts: Parts, turn: Turn, tool: Tool, call: ToolCall, arguments: Json, context: ToolContext, verdict: Verdict) -> None:
    """Store the request and the waiting run in one commit, then say so (GATE-29)."""
    conversation = parts.store.conversations.get(turn.conversation_id)
    own = conversation.approval_ttl_seconds if conversation else None
    now = parts.clock.now()
    approval = Approval(
        id=new_id("ap"),
        conversation_id=turn.conversation_id,
        agent_id=turn.agent.id,
        run_id=turn.run.id,
        call_id=call.id,
        tool=tool.name,
        arguments=arguments,
        summary=tool.summary(arguments, context) if tool.summary else None,
        reason=verdict.text,
        created_at=iso(now),
        expires_at=iso(now + timedelta(seconds=own or turn.agent.approval_ttl_seconds)),
    )
    run = turn.run
    steps.begin(run, parts.clock, "wait", approval_id=approval.id, tool=tool.name)
    run.status = "waiting"
    with parts.store.transaction():
        parts.store.approvals.insert(approval)
        parts.store.runs.save(run)
        parts.store.conversations.touch(turn.conversation_id, iso(now))
    parts.hub.run(run)
    turn.emit(parts, ApprovalRequired(approval=approval))


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
    ran = await run_tool(tool, work.arguments, replace(work.context, opened=opened))
    ms = round((parts.clock.monotonic() - started) * 1000)
    result = Result("ok" if ran.ok else "error", ran.text, ms)
    if tool.keeps_ceiling:
        return result, step, Shortened(ran.text, None, len(ran.text))
    return result, step, await shorten_aside(ran.text, turn.agent.tool_output_chars, parts.texts)


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
    handed = context.handovers[0] if context and context.handovers and may_relay(parts, turn) else None
    cost_usd = charge.usd if charge != Charge() and not charge.unknown else None
    ok = result.outcome == "ok"
    repeated = turn.guard.note(call.name, call.arguments, kept.text)
    text = kept.text + parts.texts("turn.repeats") if repeated else kept.text  # ESC-7: the model is told
    steps.end(
        step,
        result.ms,
        _STEP[result.outcome],
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

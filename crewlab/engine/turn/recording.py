"""Storing and telling how one call ended: the one way into the context (TURN-25, OUT-1)."""

from __future__ import annotations

from dataclasses import dataclass

from crewlab.engine.events import TextDelta, ToolResult
from crewlab.engine.records import CallOutcome, Json, Step, StepOutcome, StepStatus, ToolCall
from crewlab.engine.store.conversations import Charge
from crewlab.engine.tools.ceiling import Shortened
from crewlab.engine.tools.contract import ToolContext
from crewlab.engine.tools.nested import Inside
from crewlab.engine.turn import relay, steps
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
    """How one call ended; ``inside``: what was done in a script or a kernel cell."""

    outcome: CallOutcome
    output: str
    ms: int = 0
    stuck: bool = False
    inside: Inside | None = None


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
    told = result.inside
    if told is not None:
        step.calls, step.received_chars, step.printed_chars = list(told.calls), told.received_chars, told.printed_chars
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
            context=_kept_beside(result),
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
            calls=told.calls if told else [],
            received_chars=told.received_chars if told else None,
            printed_chars=told.printed_chars if told else None,
        ),
    )
    if answer is not None:
        turn.messages.append(answer)
        turn.emit(parts, TextDelta(text=answer.content))
    return Result(result.outcome, text, result.ms, stuck=repeated == "stuck")


def _kept_beside(result: Result) -> Json | None:
    """The ``context`` of the stored message: how the call ended, and what was done inside (SCR-207)."""
    context: Json = {} if result.outcome == "ok" else {"outcome": result.outcome}
    if result.inside is not None:
        context["calls"] = [call.model_dump(mode="json") for call in result.inside.calls]
        context |= {"received_chars": result.inside.received_chars, "printed_chars": result.inside.printed_chars}
    return context or None

"""The requests of a turn: what a decision means for a call, when it no longer holds, and how a turn pauses (GATE-29, GATE-42, ASK-1)."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from crewlab.engine.clock import iso, new_id
from crewlab.engine.events import ApprovalRequired
from crewlab.engine.gate.verdict import Stance, Verdict, judge
from crewlab.engine.records import Approval, CallOutcome, Json, Message, ReadBefore, ToolCall
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext
from crewlab.engine.tools.questions import question_of, result_of
from crewlab.engine.tools.registry import Registry
from crewlab.engine.tools.shown import clean_line
from crewlab.engine.turn import steps
from crewlab.engine.turn.turn import Parts, Turn

SOURCE_CHARS = 160  # FI-1: the first words of the argument, as on a run card (TURN-84)
CAME_BACK: frozenset[CallOutcome | None] = frozenset({None, "error", "unknown"})  # calls that ran and may have read something

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Settled:
    """A call that a decision has answered: nothing runs."""

    outcome: CallOutcome
    output: str


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict on a call. ``again`` says that an approval of it came before and no longer holds."""

    verdict: Verdict
    again: bool = False


def settled_by(decided: Approval | None, texts: Texts) -> Settled | None:
    """What a decision answers by itself: a question, a denial, an expiry (GATE-43, GATE-52); ``None`` for what is still to be judged."""
    if decided is None or decided.status == "pending":
        return None
    if decided.kind == "question":
        return Settled(*result_of(decided, texts))
    if decided.status == "denied":
        return Settled("denied", texts("gate.denied"))
    return Settled("expired", texts("gate.expired")) if decided.status == "expired" else None


def verdict_on(parts: Parts, turn: Turn, tool: Tool, arguments: Arguments, context: ToolContext, decided: Approval | None) -> Judged:
    """The gate's verdict, or ``run`` where an approval of this very call still holds (GATE-42).

    An approval holds for the arguments, the reason and the binding that were shown; when anything of it has changed the
    gate's verdict stands, and a person is asked again (ASK-1).
    """
    verdict = judge(tool, arguments, context, stance_of(parts, turn.conversation_id), turn.patterns())
    if verdict.kind == "refuse":
        log.info("call %s (%s) of conversation %s: refused", context.call_id, tool.name, turn.conversation_id)
    if decided is None or decided.status != "approved" or verdict.kind != "ask":
        return Judged(verdict)
    same_reason = tool.settled_by_arguments or decided.reason == verdict.text
    if decided.arguments == arguments and same_reason and _still_bound(parts, decided, tool, arguments, context):
        return Judged(Verdict("run"))
    log.info("the approval %s of %s no longer holds: what it was bound to has changed; asking again", decided.id, tool.name)
    return Judged(verdict, again=True)


def stance_of(parts: Parts, conversation_id: str) -> Stance:
    """What the conversation says now; read again at each call (GATE-6)."""
    conversation = parts.store.conversations.get(conversation_id)
    if conversation is None:
        return Stance()
    return Stance(autonomous=conversation.autonomous, auto_approve=frozenset(conversation.auto_approve))


def bound_to(tool: Tool, arguments: Arguments, context: ToolContext) -> str | None:
    """What an approval of this call is bound to now; ``None`` when nothing, or when it cannot be said."""
    if tool.binding is None:
        return None
    try:
        return tool.binding(arguments, context)
    except Exception:
        log.exception("what an approval of %s is bound to could not be read", tool.name)
        return None


def _still_bound(parts: Parts, decided: Approval, tool: Tool, arguments: Arguments, context: ToolContext) -> bool:
    return parts.store.approvals.binding(decided.id) == bound_to(tool, arguments, context)


def pause(parts: Parts, turn: Turn, tool: Tool, call: ToolCall, arguments: Json, context: ToolContext, judged: Judged) -> None:
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
        summary=_summary(tool, arguments, context),
        reason=judged.verdict.text,
        again=judged.again,
        read_before=read_before(turn.messages.stored, turn.run.after_seq or 0, turn.registry),
        created_at=iso(now),
        expires_at=iso(now + timedelta(seconds=own or turn.agent.approval_ttl_seconds)),
    )
    if tool.is_question:
        approval = _asking(approval, arguments)
    run = turn.run
    steps.begin(run, parts.clock, "wait", approval_id=approval.id, tool=tool.name)
    run.status = "waiting"
    with parts.store.transaction():
        parts.store.approvals.insert(approval, bound_to(tool, arguments, context))
        parts.store.runs.save(run)
        parts.store.conversations.touch(turn.conversation_id, iso(now))
    parts.hub.run(run)
    turn.emit(parts, ApprovalRequired(approval=approval))


def _summary(tool: Tool, arguments: Arguments, context: ToolContext) -> str | None:
    """The tool's own sentence; a card without one is better than a turn that falls over (GATE-16)."""
    try:
        return tool.summary(arguments, context) if tool.summary else None
    except Exception:
        log.exception("the summary of a call of %s could not be built", tool.name)
        return None


def _asking(approval: Approval, arguments: Json) -> Approval:
    """The request as a question (GATE-30, GATE-83)."""
    question = question_of(arguments)
    told: Json = {
        "kind": "question",
        "question": question.text,
        "options": list(question.options),
        "default": question.default,
        "context": question.context,
        "allow_free_text": question.allow_free_text,
        "multi_select": question.multi_select,
    }
    return approval.model_copy(update=told)


def read_before(messages: Iterable[Message], after_seq: int, registry: Registry) -> ReadBefore | None:
    """The last answer from outside in this turn, and how many others came before it (FI-1). Pure."""
    calls: dict[str, ToolCall] = {}
    read: list[ToolCall] = []
    for message in messages:
        if message.seq <= after_seq:
            continue
        calls.update((call.id, call) for call in message.tool_calls)
        call = calls.get(message.tool_call_id or "")
        if message.role == "tool" and call is not None and _from_outside(message, call, registry):
            read.append(call)
    if not read:
        return None
    return ReadBefore(tool=read[-1].name, argument=_first_words(read[-1]), more=len(read) - 1)


def _from_outside(message: Message, call: ToolCall, registry: Registry) -> bool:
    tool = registry.get(call.name)
    return tool is not None and tool.marking != "own" and (message.context or {}).get("outcome") in CAME_BACK


def _first_words(call: ToolCall) -> str:
    """The first text among the arguments: an address, a path, a command."""
    values = call.arguments.values() if isinstance(call.arguments, dict) else ()
    text = next((value for value in values if isinstance(value, str) and value.strip()), "")
    return clean_line(text, SOURCE_CHARS)

"""Tool calls of one assistant message: parallel neighbours together, every other alone, results in the written order (TURN-26)."""

from __future__ import annotations

from contextlib import aclosing
from functools import partial
from typing import Literal

from crewlab.engine.events import ToolCallStarted
from crewlab.engine.records import ToolCall
from crewlab.engine.turn import notes
from crewlab.engine.turn.calls import Work, execute, judge_call, refuse
from crewlab.engine.turn.nested import CALLS_PER_ROUND
from crewlab.engine.turn.recording import Result, record
from crewlab.engine.turn.together import in_order
from crewlab.engine.turn.turn import Parts, Turn

After = Literal["go_on", "paused", "stuck", "relayed", "nested_calls"]


async def run_calls(parts: Parts, turn: Turn, calls: list[ToolCall], *, fresh: bool) -> After:
    """Bring every call to its result, or pause at the first that needs a person.

    ``fresh`` says that none of them can have run before; else RPL-3 decides what may run again. Neighbouring calls of
    tools that declare ``parallel`` start together; their results are recorded in the written order (DLG-30 to DLG-32).
    """
    after: After = "go_on"
    for group in _groups(turn, calls):
        if turn.nested_spent:
            _close(parts, turn, group)
            continue
        if notes.is_note(turn, group[0]):
            notes.take(parts, turn, group[0])
            continue
        results = await _group(parts, turn, group, fresh=fresh)
        if results is None:
            return "paused"
        if turn.run.status == "done":  # an answer was handed on with the result of its call
            return "relayed"
        if any(result.stuck for result in results):
            after = "stuck"
    return "nested_calls" if turn.nested_spent else after


def _close(parts: Parts, turn: Turn, calls: list[ToolCall]) -> None:
    """What the model asked for after a script that met the turn's limit is closed without running (SCR-213)."""
    text = parts.texts("turn.not_run_nested", limit=turn.agent.max_steps * CALLS_PER_ROUND)
    for call in calls:
        turn.emit(parts, ToolCallStarted(tool_call_id=call.id, name=call.name, arguments=call.arguments, run_id=turn.run.id))
        refuse(parts, turn, call, "refused", text)


def _groups(turn: Turn, calls: list[ToolCall]) -> list[list[ToolCall]]:
    """Runs of neighbouring parallel calls; every other call alone, and every call that may have to wait for a person."""
    groups: list[list[ToolCall]] = []
    together = False
    for call in calls:
        tool = turn.registry.get(call.name)
        parallel = tool is not None and tool.parallel and not tool.requires_approval
        if parallel and together:
            groups[-1].append(call)
        else:
            groups.append([call])
        together = parallel
    return groups


async def _group(parts: Parts, turn: Turn, calls: list[ToolCall], *, fresh: bool) -> list[Result] | None:
    """The results of calls that start together, recorded in the written order; ``None`` when one waits for a person."""
    judged: list[Result | Work] = []
    for call in calls:
        turn.emit(parts, ToolCallStarted(tool_call_id=call.id, name=call.name, arguments=call.arguments, run_id=turn.run.id))
        one = judge_call(parts, turn, call, fresh=fresh)
        if one is None:
            return None
        judged.append(one)
    results: list[Result] = []
    works = [partial(execute, parts, turn, one) for one in judged if isinstance(one, Work)]
    async with aclosing(in_order(works)) as ended:
        for call, one in zip(calls, judged, strict=True):
            if isinstance(one, Result):
                results.append(refuse(parts, turn, call, one.outcome, one.output))
            else:
                results.append(record(parts, turn, call, *await anext(ended), one.context))
    return results

"""Steps of a run: begun, ended, and shortened for the run card (TURN-83, TURN-84)."""

from __future__ import annotations

import json
from typing import Any

from crewlab.engine.clock import Clock, iso
from crewlab.engine.records import Json, Run, RunStatus, Step, StepKind, StepStatus

CARD_ARGUMENTS = 12  # TURN-84, OUT-39
CARD_VALUE_CHARS = 160  # TURN-84
CARD_OUTPUT_CHARS = 160  # TURN-84, OUT-38
CARD_ERROR_CHARS = 600  # TURN-84
CARD_ERROR_HEAD = 200  # TURN-84
CARD_ERROR_TAIL = 400  # TURN-84
SUMMARY_CHARS = 200  # TURN-82
ELLIPSIS = "…"


def begin(run: Run, clock: Clock, kind: StepKind, **fields: Any) -> Step:
    """Add a running step at the end of the run and return it."""
    step = Step(index=len(run.steps), kind=kind, status="running", started_at=iso(clock.now()), **fields)
    run.steps.append(step)
    return step


def end(step: Step, ms: int | None, status: StepStatus = "done", **fields: Any) -> None:
    """Close a step with its duration in milliseconds; a note has none."""
    step.status = status
    step.ms = ms
    for name, value in fields.items():
        setattr(step, name, value)


def running(run: Run, kind: StepKind) -> Step | None:
    """The newest running step of this kind, if any."""
    return next((step for step in reversed(run.steps) if step.kind == kind and step.status == "running"), None)


def close_running(run: Run, status: StepStatus = "error") -> None:
    """Close every step that still runs: nothing runs in a run that has ended."""
    for step in run.steps:
        if step.status == "running":
            step.status = status
            step.ms = step.ms or 0


def finish(run: Run, status: RunStatus, summary: str, now: str) -> None:
    """End a run in memory; nothing runs in a run that has ended."""
    run.status = status
    run.summary = summary[:SUMMARY_CHARS]
    run.ended_at = now
    close_running(run)


def model_calls(run: Run) -> int:
    """How many model calls the run has made (TURN-27)."""
    return sum(1 for step in run.steps if step.kind == "model")


def card_arguments(arguments: Json | str) -> Json:
    """The first twelve arguments, each cut at 160 characters (TURN-84)."""
    if isinstance(arguments, str):
        return {ELLIPSIS: arguments[:CARD_VALUE_CHARS]}
    kept: Json = {}
    for name, value in list(arguments.items())[:CARD_ARGUMENTS]:
        kept[name[:CARD_VALUE_CHARS]] = _card_value(value)
    left = len(arguments) - CARD_ARGUMENTS
    if left > 0:
        kept[ELLIPSIS] = left
    return kept


def _card_value(value: Any) -> Any:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if len(text) <= CARD_VALUE_CHARS:
        return value
    return text[:CARD_VALUE_CHARS] + ELLIPSIS


def card_output(output: str, *, ok: bool) -> str:
    """What the run card keeps of a tool's answer (OUT-38)."""
    line = " ".join(output.split())
    if ok:
        return line if len(line) <= CARD_OUTPUT_CHARS else line[:CARD_OUTPUT_CHARS] + ELLIPSIS
    if len(line) <= CARD_ERROR_CHARS:
        return line
    return line[:CARD_ERROR_HEAD] + ELLIPSIS + line[-CARD_ERROR_TAIL:]

"""Failures in a row, and what is said about them (JOB-42 to JOB-45)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from crewlab.engine.records import INTERRUPTED, Run
from crewlab.engine.store.jobs import JobState

TOLD_FAILURES = 2  # JOB-43: these are pushed, the next one says that it is the last

Word = Literal["answer", "failed", "last_warning", "works_again"]


def counted(state: JobState, run: Run) -> tuple[JobState, Word | None]:
    """The state after a run that has ended, and what the person is told; ``None``: nothing.

    An interrupted run counts as neither (JOB-42).
    """
    state = replace(state, last_run_id=run.id)
    if run.status == "done":
        word: Word = "works_again" if state.muted else "answer"
        return replace(state, failures=0, muted=False), word
    if run.status not in ("error", "halted") or run.summary == INTERRUPTED:
        return state, None
    failures = state.failures + 1
    if failures <= TOLD_FAILURES:
        return replace(state, failures=failures), "failed"
    return replace(state, failures=failures, muted=True), None if state.muted else "last_warning"

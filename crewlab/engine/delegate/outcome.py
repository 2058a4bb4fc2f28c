"""How far a job got: facts of the runtime first, then what the child declares (DLG-47, DLG-48). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from crewlab.engine.delegate.status import Status, declared
from crewlab.engine.records import INTERRUPTED, Run
from crewlab.engine.store.children import Decided

Outcome = Literal[Status, "failed"]

NO_CONSENT = ("denied", "expired")
TIMEOUT = "timeout"
ERROR = "error"
UNSPECIFIED = "unspecified"  # DLG-51


@dataclass(frozen=True, slots=True)
class Ended:
    """Outcome and reason; the reason is empty for ``done`` alone. ``halfway``: the child stopped in the middle (DLG-41)."""

    outcome: Outcome
    reason: str
    halfway: bool = False


def decide(run: Run | None, last: Decided | None, answer: str, *, timed_out: bool = False) -> Ended:
    """The outcome of a job.

    ``run`` is the child's, ``None`` when it could not begin; ``last`` the request for a tool that was decided last in the
    child's conversation; ``answer`` the child's final words.
    """
    failed = _failed(run, timed_out)
    if failed:
        return Ended("failed", failed, halfway=True)
    if last is not None and last.status in NO_CONSENT:
        return Ended("blocked", f"{last.tool} {last.status}")
    said = declared(answer)
    if said is None or said.status == "done":
        return Ended("done", "")
    return Ended(said.status, said.reason or UNSPECIFIED)


def _failed(run: Run | None, timed_out: bool) -> str:
    """The code of a run that did not end well, else an empty text."""
    if timed_out:
        return TIMEOUT
    if run is None:
        return ERROR
    if run.status == "done":
        return ""
    if run.status == "halted":
        return run.halt_reason or ERROR
    return INTERRUPTED if run.summary == INTERRUPTED else ERROR

"""What one turn has come to so far: a pure fold over the events of its stream (TURN-40)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

Json = dict[str, Any]
Status = Literal["running", "waiting", "queued", "done", "halted", "stopped", "error", "ended"]

ENDS = ("done", "halted", "error")  # TURN-82


@dataclass(frozen=True, slots=True)
class Progress:
    """``parts`` are the answers between tool calls, the last one possibly still growing.

    ``status`` is ``ended`` when the turn was over before we joined: how it ended then stands in its run.
    """

    parts: tuple[str, ...] = ()
    open_part: bool = False
    status: Status = "running"
    run_id: str | None = None
    tool: str | None = None
    pending: Json | None = None
    queued: Json | None = None
    fault: str | None = None
    reason: str | None = None
    stored: tuple[Mapping[str, Any], ...] = ()

    @property
    def text(self) -> str:
        """The whole answer, its parts in order."""
        return "\n\n".join(part for part in self.parts if part.strip())

    @property
    def over(self) -> bool:
        """Whether nothing more comes without a person or another turn."""
        return self.status != "running"

    def ended(self, run: Mapping[str, Any]) -> Progress:
        """This progress with the end that the turn's run tells."""
        status: Status = run["status"] if run.get("status") in ENDS else self.status
        after = run.get("after_seq")
        own = self.parts if after is None else spoken(m for m in self.stored if m["seq"] > after)
        return replace(self, status=status, parts=own or self.parts, run_id=run.get("id"), reason=run.get("halt_reason"))


def apply(progress: Progress, event: Mapping[str, Any]) -> Progress:
    """``progress`` after ``event``. Unknown events change nothing."""
    kind = event.get("type")
    fold = FOLDS.get(str(kind))
    return fold(progress, event) if fold else progress


def _watching(progress: Progress, event: Mapping[str, Any]) -> Progress:
    conversation = event.get("conversation") or {}
    pending = conversation.get("pending")
    stored = tuple(conversation.get("messages") or ())
    status: Status = "running" if event.get("running") else "waiting" if pending else "ended"
    return replace(
        progress, parts=answers(stored), open_part=False, status=status, pending=pending, tool=None, stored=stored,
        run_id=(pending or {}).get("run_id") or progress.run_id,
    )  # fmt: skip


def answers(messages: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The answers after the message that opened the last turn. A steer follows a tool's result and opens none (QUE-8)."""
    start = 0
    for index, message in enumerate(messages):
        if message.get("role") == "user" and (index == 0 or messages[index - 1].get("role") != "tool"):
            start = index + 1
    return spoken(messages[start:])


def spoken(messages: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """What the agent said in ``messages``."""
    return tuple(m["content"] for m in messages if m.get("role") == "assistant" and m.get("content"))


def _text(progress: Progress, event: Mapping[str, Any]) -> Progress:
    text = str(event.get("text", ""))
    if progress.open_part:
        return replace(progress, parts=(*progress.parts[:-1], progress.parts[-1] + text))
    return replace(progress, parts=(*progress.parts, text), open_part=True, tool=None)


def _tool(progress: Progress, event: Mapping[str, Any]) -> Progress:
    return replace(progress, open_part=False, tool=str(event.get("name")), run_id=event.get("run_id") or progress.run_id)


def _closed(progress: Progress, event: Mapping[str, Any]) -> Progress:
    return replace(progress, open_part=False, tool=None)


def _asked(progress: Progress, event: Mapping[str, Any]) -> Progress:
    approval = dict(event.get("approval") or {})
    status: Status = "running" if approval.get("nested_in") else "waiting"
    return replace(progress, open_part=False, pending=approval, status=status, run_id=approval.get("run_id") or progress.run_id)


def _decided(progress: Progress, event: Mapping[str, Any]) -> Progress:
    same = progress.pending is not None and progress.pending.get("id") == event.get("approval_id")
    return replace(progress, pending=None) if same else progress


def _queued(progress: Progress, event: Mapping[str, Any]) -> Progress:
    return replace(progress, status="queued", queued=dict(event))


def _end(progress: Progress, event: Mapping[str, Any]) -> Progress:
    status: Status = event["type"]
    return replace(
        progress, status=status, open_part=False, tool=None, pending=None, run_id=event.get("run_id") or progress.run_id,
        reason=event.get("reason"), fault=event.get("message"),
    )  # fmt: skip


FOLDS = {
    "watching": _watching,
    "text_delta": _text,
    "tool_call": _tool,
    "tool_result": _closed,
    "steer": _closed,
    "route_fallback": _closed,
    "approval_required": _asked,
    "approval_decided": _decided,
    "queued": _queued,
    "done": _end,
    "halted": _end,
    "stopped": _end,
    "error": _end,
}

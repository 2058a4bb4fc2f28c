"""The event contract: every event that leaves the engine, in one place (TURN-6).

Two unions: ``ConversationEvent`` here (what one conversation tells its viewers, TURN-40) and
``ActivityFrame`` in ``activity_events`` (what the whole crew tells its watchers, TURN-93). ``scripts/contract.py`` writes
them to ``docs/reference/events.schema.json`` and the TypeScript types; tests fail on any drift.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from crewlab.engine.activity_events import *  # noqa: F403 - the frames belong to this contract
from crewlab.engine.event import Event as Event
from crewlab.engine.records import (
    Approval,
    ApprovalStatus,
    AttachedFile,
    CallOutcome,
    Compaction,
    Conversation,
    ConversationSummary,
    HaltReason,
    Json,
    Message,
    NestedCall,
    QueueKind,
    Suggestion,
    Task,
)

ErrorCode = Literal["routes_failed", "no_route", "store_write", "internal", "prompt_too_large"]  # TURN-28, PRV-17, CMP-3


class Watching(Event):
    """First frame for a viewer that joins or fell behind: the conversation as stored."""

    type: Literal["watching"] = "watching"
    conversation: Conversation
    running: bool


class Queued(Event):
    """The message waits instead of starting a turn."""

    type: Literal["queued"] = "queued"
    item_id: int
    kind: QueueKind
    position: int


class Opened(Event):
    """A turn has begun or goes on (WIRE-14). ``message`` is the one that opened it, null when a paused or cut turn goes on;
    ``item_ids`` are the waiting messages it was made of."""

    type: Literal["opened"] = "opened"
    run_id: str
    conversation: ConversationSummary
    message: Message | None = None
    item_ids: list[int] = Field(default_factory=list)


class TextDelta(Event):
    """A piece of the answer being written. Stream-only."""

    type: Literal["text_delta"] = "text_delta"
    text: str


class Thinking(Event):
    """The model reasons; once per model call. Stream-only."""

    type: Literal["thinking"] = "thinking"


class ToolCallStarted(Event):
    """A tool call is about to run. ``arguments`` is complete; raw text when it was no JSON object."""

    type: Literal["tool_call"] = "tool_call"
    tool_call_id: str
    name: str
    arguments: Json | str
    run_id: str


class ToolCallDelta(Event):
    """A fragment of the arguments of a canvas write. Stream-only."""

    type: Literal["tool_call_delta"] = "tool_call_delta"
    tool_call_id: str
    name: str
    index: int
    arguments: str


class ToolStream(Event):
    """Output of a running kernel cell; ``cell_id`` is null for ``eval``. Stream-only."""

    type: Literal["tool_stream"] = "tool_stream"
    tool_call_id: str
    stream: Literal["stdout", "stderr"]
    text: str
    cell_id: str | None = None


class NotebookEditCell(BaseModel):
    """One cell of a ``notebook_edit`` event."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    cell_id: str
    op: Literal["insert", "replace", "edit", "delete", "move", "type", "clear"]


class NotebookEdit(Event):
    """An agent has edited a notebook (NBK-161)."""

    type: Literal["notebook_edit"] = "notebook_edit"
    tool_call_id: str
    edit_id: str
    path: str
    way: Literal["room", "window", "file"]
    cells: list[NotebookEditCell]


class NotebookCell(Event):
    """A cell of a notebook run has changed its state (NBK-161)."""

    type: Literal["notebook_cell"] = "notebook_cell"
    tool_call_id: str
    path: str
    cell_id: str
    index: int
    total: int
    state: Literal["running", "done", "error", "timeout", "interrupted", "died", "stopped", "unknown"]
    execution_count: int | None = None
    ms: int | None = None


class NestedCallEnded(Event):
    """One call inside a script or a kernel cell has ended."""

    type: Literal["nested_call"] = "nested_call"
    tool_call_id: str
    index: int
    call: NestedCall


class ToolResult(Event):
    """A tool call has ended. ``output`` is the whole answer that the model reads."""

    type: Literal["tool_result"] = "tool_result"
    tool_call_id: str
    name: str
    ok: bool
    outcome: CallOutcome = "ok"
    output: str
    ms: int
    cost_usd: float | None = None
    shortened: Literal["structure", "summary", "cut"] | None = None
    original_chars: int | None = None
    calls: list[NestedCall] = Field(default_factory=list)
    received_chars: int | None = None
    printed_chars: int | None = None


class ApprovalRequired(Event):
    """The turn pauses for a person; carries the whole request (GATE-75)."""

    type: Literal["approval_required"] = "approval_required"
    approval: Approval


class ApprovalDecided(Event):
    """A request was decided or has expired."""

    type: Literal["approval_decided"] = "approval_decided"
    approval_id: str
    status: ApprovalStatus
    always: bool = False
    skipped: bool = False


class Steer(Event):
    """The loop has inserted the waiting steers as one user message (QUE-8)."""

    type: Literal["steer"] = "steer"
    item_ids: list[int]
    message_id: int
    text: str
    typed: str | None = None
    """What was typed where a command of a kit wrote the text (KIT-10)."""
    attachments: list[AttachedFile] = Field(default_factory=list)


class Note(Event):
    """A progress note of the agent."""

    type: Literal["note"] = "note"
    text: str


class Tasks(Event):
    """The task list was replaced."""

    type: Literal["tasks"] = "tasks"
    tasks: list[Task]


class RouteFallback(Event):
    """A route failed before showing text and the next is tried (PRV-4)."""

    type: Literal["route_fallback"] = "route_fallback"
    from_route: str
    to_route: str
    error: str


class Escalated(Event):
    """The turn moves to the escalation route (ESC-6)."""

    type: Literal["escalated"] = "escalated"
    route: str
    reason: Literal["loop", "routes_failed"]


class Compacted(Event):
    """The model reads a summary in place of the older messages from here on (CMP-8)."""

    type: Literal["compacted"] = "compacted"
    compaction: Compaction


class Done(Event):
    """The turn has ended well. ``spent_usd`` and ``delegated_usd`` are the conversation's, ``cost_usd`` the run's.

    ``relayed_from`` is the agent whose answer was handed on word for word (DLG-78).
    """

    type: Literal["done"] = "done"
    run_id: str
    spent_usd: float
    delegated_usd: float = 0.0
    relayed_from: str | None = None
    unknown_cost_calls: int
    estimated_cost_calls: int = 0
    cost_usd: float
    suggestions: list[Suggestion] = Field(default_factory=list)


class Halted(Event):
    """The turn was stopped by a limit."""

    type: Literal["halted"] = "halted"
    run_id: str
    reason: HaltReason
    spent_usd: float
    delegated_usd: float = 0.0
    unknown_cost_calls: int
    estimated_cost_calls: int = 0
    cost_usd: float


class Stopped(Event):
    """A person stopped the turn."""

    type: Literal["stopped"] = "stopped"
    run_id: str


class TurnError(Event):
    """The turn failed."""

    type: Literal["error"] = "error"
    run_id: str
    code: ErrorCode
    message: str


ConversationEvent = Annotated[
    Watching
    | Queued
    | Opened
    | TextDelta
    | Thinking
    | ToolCallStarted
    | ToolCallDelta
    | ToolStream
    | NotebookEdit
    | NotebookCell
    | NestedCallEnded
    | ToolResult
    | ApprovalRequired
    | ApprovalDecided
    | Steer
    | Note
    | Tasks
    | RouteFallback
    | Escalated
    | Compacted
    | Done
    | Halted
    | Stopped
    | TurnError,
    Field(discriminator="type"),
]

STREAM_ONLY = frozenset({"text_delta", "thinking", "tool_call_delta", "tool_stream"})  # TURN-41
END_EVENTS = frozenset({"done", "halted", "error", "stopped"})  # TURN-38, beside `approval_required`


def ends_stream(event: Event) -> bool:
    """Whether a stream of the conversation ends after ``event`` (TURN-38)."""
    if isinstance(event, ApprovalRequired):
        return event.approval.nested_in is None
    return event.type in END_EVENTS


def conversation_events() -> TypeAdapter[ConversationEvent]:
    """Validator and schema of the conversation stream (built on demand: start-up stays light)."""
    return TypeAdapter(ConversationEvent)

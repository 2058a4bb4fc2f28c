"""The things of the store as every face sees them: conversation, message, approval, run, step.

One model per thing, used by the store, the events, the HTTP API and the generated TypeScript
types. Money is USD or ``None`` when unknown (TURN-5); times are UTC, ISO 8601 with offset (TURN-7).
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Json = dict[str, Any]

RunStatus = Literal["running", "waiting", "done", "halted", "error"]  # TURN-82
HaltReason = Literal["budget", "max_steps", "loop", "nested_calls"]  # TURN-28
StepKind = Literal["model", "tool", "fallback", "escalation", "steer", "note", "wait", "compaction"]  # TURN-83, CMP-8
StepStatus = Literal["running", "done", "error", "refused"]
Role = Literal["user", "assistant", "tool"]
QueueKind = Literal["follow_up", "steer"]
ApprovalKind = Literal["tool", "question"]
ApprovalStatus = Literal["pending", "approved", "denied", "expired", "answered"]
Tier = Literal["read", "write", "exec"]
CallOutcome = Literal["ok", "error", "refused", "denied", "expired", "unknown"]  # CTX-1
StepOutcome = Literal["approved", "answered", "skipped", "denied", "expired", "refused"]  # ASK-3
_Writing = Literal["title", "session_summary", "tool_summary", "image", "pdf", "audio", "consolidate"]
_Asking = Literal["wiki", "script", "inspect", "embedding", "embedding_query", "compaction"]
Purpose = Literal[_Writing, _Asking]  # COST-9; the last: CMP-5
WrittenBy = Literal["person", "agent", "job", "kit"]

INTERRUPTED = "interrupted"  # TURN-82: a fixed token, the same in both languages


class Record(BaseModel):
    """Base of all records: unknown fields are an error, so that contracts cannot drift."""

    model_config = ConfigDict(extra="forbid", defer_build=True, protected_namespaces=())


class ToolCall(Record):
    """One call as the model wrote it. ``arguments`` is the raw text when it was not a JSON object (PRV-18)."""

    id: str
    name: str
    arguments: Json | str


class Message(Record):
    """A stored message (TURN-16)."""

    id: int
    seq: int
    role: Role
    content: str
    tool_calls: list[ToolCall] = Field(default_factory=list)
    tool_call_id: str | None = None
    name: str | None = None
    provider: str | None = None
    model: str | None = None
    cost_usd: float | None = None
    cost_estimated: bool = False
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    written_by: WrittenBy | None = None
    context: Json | None = None
    created_at: str


class AttachedFile(Record):
    """A file that a message brings, as the chat shows it (PTL-91)."""

    id: str
    name: str
    type: str
    size: int


class QueuedItem(Record):
    """A message that waits (QUE-1); ``position`` counts from 1 within the conversation."""

    item_id: int
    kind: QueueKind
    text: str
    position: int
    created_at: str
    attachments: list[AttachedFile] = []


class QuestionOption(Record):
    """One choice of ``ask_user`` (GATE-83)."""

    label: str
    description: str | None = None
    suggested: bool = False


class ReadBefore(Record):
    """What a turn had last read from outside before it asked: a tool and its first words, and how many readings more (FI-1)."""

    tool: str
    argument: str
    more: int = 0


class Approval(Record):
    """A stored request for a person (GATE-30).

    ``labels`` are the options that were chosen; ``answer`` is the whole answer, the labels first (ASKU-9). ``again`` says that
    an approval of this very call came before, and that what it was bound to has changed since (ASK-1).
    """

    id: str
    conversation_id: str
    agent_id: str
    run_id: str
    call_id: str
    kind: ApprovalKind = "tool"
    tool: str
    arguments: Json
    summary: str | None = None
    preview: Json | None = None
    reason: str | None = None
    question: str | None = None
    options: list[QuestionOption] = Field(default_factory=list)
    default: str | None = None
    context: str | None = None
    allow_free_text: bool = True
    multi_select: bool = False
    nested_in: str | None = None
    status: ApprovalStatus = "pending"
    always: bool = False
    answer: str | None = None
    labels: list[str] = Field(default_factory=list)
    skipped: bool = False
    again: bool = False
    read_before: ReadBefore | None = None
    created_at: str
    expires_at: str
    decided_at: str | None = None


class ForkedFrom(Record):
    """Where a fork came from (TURN-15)."""

    id: str
    title: str


class ConversationSummary(Record):
    """A conversation without its messages (TURN-15)."""

    id: str
    agent_id: str
    title: str
    source: str
    created_at: str
    updated_at: str
    autonomous: bool
    auto_approve: list[str]
    skills: list[str]
    cost_cap_usd: float
    spent_usd: float
    unknown_cost_calls: int
    estimated_cost_calls: int = 0
    delegated_usd: float
    approval_ttl_seconds: int | None
    forked_from: ForkedFrom | None
    parent_id: str | None
    parent_call_id: str | None
    plan: bool
    vibe: bool
    tier_cap: Tier
    running: bool
    pending: Approval | None


class Task(Record):
    """One line of the task list (PTL-125)."""

    text: str
    status: Literal["pending", "in_progress", "done"]


class Compaction(Record):
    """The model reads ``text`` in place of the messages up to ``through_seq``; made when ``at_seq`` was the last one (CMP-6)."""

    id: int
    through_seq: int
    at_seq: int
    text: str
    tokens_before: int
    tokens_after: int
    created_at: str


class Conversation(ConversationSummary):
    """A conversation with everything a face needs to draw it (TURN-15)."""

    queued: list[QueuedItem]
    tasks: list[Task]
    messages: list[Message]
    compactions: list[Compaction] = Field(default_factory=list)


def _is_none(value: object) -> bool:
    return value is None


class NestedCall(Record):
    """One call made inside a script or a kernel cell (TURN-42). Always seven keys; the last two only when they say something (SCR-201)."""

    name: str
    arguments: Json
    ok: bool
    output: str
    ms: int
    cost_usd: float | None = None
    metered: bool = False
    gated: Literal[True] | None = Field(default=None, exclude_if=_is_none)
    child_spent_usd: float | None = Field(default=None, exclude_if=_is_none)


class Step(Record):
    """One line of a run (TURN-83). Fields that do not belong to the kind are ``None``; ``child_id`` is the conversation that the
    call gave its job to (DLG-14)."""

    index: int
    kind: StepKind
    status: StepStatus
    started_at: str
    ms: int | None = None
    route: str | None = None
    cost_usd: float | None = None
    cost_estimated: bool | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    tool_call_id: str | None = None
    name: str | None = None
    arguments: Json | None = None
    output: str | None = None
    shortened: Literal["structure", "summary", "cut"] | None = None
    original_chars: int | None = None
    calls: list[NestedCall] | None = None
    received_chars: int | None = None
    printed_chars: int | None = None
    child_id: str | None = None
    error: str | None = None
    reason: str | None = None
    text: str | None = None
    approval_id: str | None = None
    tool: str | None = None
    outcome: StepOutcome | None = None


class Run(Record):
    """The record of a turn (TURN-82)."""

    id: str
    agent_id: str
    source: str
    conversation_id: str | None
    status: RunStatus
    halt_reason: HaltReason | None = None
    summary: str = ""
    label: str | None = None
    relayed_from: str | None = None
    steps: list[Step] = Field(default_factory=list)
    cost_usd: float = 0.0
    unknown_cost_calls: int = 0
    estimated_cost_calls: int = 0
    after_seq: int | None = None
    resumed: bool = False
    timezone: str | None = None
    started_at: str
    ended_at: str | None = None


class Suggestion(Record):
    """A follow-up the person may send with one click (PTL-63)."""

    label: str
    message: str

"""The second half of the event contract: the frames of the activity stream (TURN-93)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from crewlab.engine.artifacts import Artifact
from crewlab.engine.event import Event
from crewlab.engine.records import ConversationSummary, Run

__all__ = [  # what `events` re-exports
    *("ActivityFrame", "ArtifactFrame", "ConversationFrame", "EventFrame", "JobsFrame", "NotebookFrame", "RunFrame", "Snapshot"),
    *("ToolsFrame", "WindowCommand", "WorkersFrame", "activity_frames"),
]


class Snapshot(Event):
    """All running and waiting runs; first frame of an activity stream."""

    type: Literal["snapshot"] = "snapshot"
    runs: list[Run]
    pending: int


class RunFrame(Event):
    """A run at a step boundary or change of status."""

    type: Literal["run"] = "run"
    run: Run


class EventFrame(Event):
    """A conversation event, stream-only ones left out."""

    type: Literal["event"] = "event"
    run_id: str | None
    conversation_id: str
    agent_id: str
    name: str
    data: dict[str, Any]


class ConversationFrame(Event):
    """A conversation has changed, or (``deleted``) is gone."""

    type: Literal["conversation"] = "conversation"
    conversation: ConversationSummary | None = None
    id: str | None = None
    deleted: bool = False


class ArtifactFrame(Event):
    """A canvas has changed, or (``deleted``) is gone (CNV-112)."""

    type: Literal["artifact"] = "artifact"
    artifact: Artifact | None = None
    id: str | None = None
    deleted: bool = False


class JobsFrame(Event):
    """The list of jobs differs from what was last read."""

    type: Literal["jobs"] = "jobs"


class WorkersFrame(Event):
    """A background worker was opened or changed its state (VIBE-20)."""

    type: Literal["workers"] = "workers"
    conversation_id: str
    workers: list[dict[str, Any]]


class ToolsFrame(Event):
    """What some agent holds has changed."""

    type: Literal["tools"] = "tools"


class WindowCommand(Event):
    """A command to one window (NBK-37)."""

    type: Literal["window_command"] = "window_command"
    command_id: str
    window_id: str
    kind: Literal["read", "apply", "outputs", "save", "reload", "open", "kernel_start", "ping"]
    path: str
    ttl_ms: int
    payload: dict[str, Any]


class NotebookFrame(Event):
    """What agents do with a notebook (NBK-161)."""

    type: Literal["notebook"] = "notebook"
    path: str
    pending: int
    running: bool
    waiting: bool


ActivityFrame = Annotated[
    Snapshot
    | RunFrame
    | EventFrame
    | ConversationFrame
    | ArtifactFrame
    | JobsFrame
    | WorkersFrame
    | ToolsFrame
    | WindowCommand
    | NotebookFrame,
    Field(discriminator="type"),
]


def activity_frames() -> TypeAdapter[ActivityFrame]:
    """Validator and schema of the activity stream."""
    return TypeAdapter(ActivityFrame)

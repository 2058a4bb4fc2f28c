"""The Python client by its public name (UI-142): ``from crewlab.client import Crew, AsyncCrew``."""

from __future__ import annotations

from crewlab.notebook.aio import AsyncCrew
from crewlab.notebook.canvases import Artifact, AsyncArtifact
from crewlab.notebook.chat import Approval, Conversation, Turn
from crewlab.notebook.client import Crew, connect
from crewlab.notebook.errors import ApprovalPending, ConfigInvalid, CrewError, HomeLocked, NotFound, QueueFull, ServerGone
from crewlab.notebook.jobs import AsyncJob, Job
from crewlab.notebook.records import Event, Run
from crewlab.notebook.talk import AsyncApproval, AsyncConversation, AsyncTurn

__all__ = [
    "Approval",
    "ApprovalPending",
    "Artifact",
    "AsyncApproval",
    "AsyncArtifact",
    "AsyncConversation",
    "AsyncCrew",
    "AsyncJob",
    "AsyncTurn",
    "ConfigInvalid",
    "Conversation",
    "Crew",
    "CrewError",
    "Event",
    "HomeLocked",
    "Job",
    "NotFound",
    "QueueFull",
    "Run",
    "ServerGone",
    "Turn",
    "connect",
]

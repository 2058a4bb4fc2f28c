"""Canvases as they leave the engine: in the activity stream and in the API (CNV-124, CNV-125).

Tools, routes and tags call a canvas an artifact, so the records do too.
"""

from __future__ import annotations

from typing import Literal

from crewlab.engine.records import Record

ArtifactKind = Literal["markdown", "code", "html", "svg", "mermaid", "image"]  # CNV-6
ArtifactHow = Literal["create", "edit", "rewrite", "import", "save", "restore"]  # CNV-2


class Artifact(Record):
    """A canvas without its content. ``version``, ``bytes`` and ``author`` are those of the newest version.

    ``author`` is ``user`` or ``agent:<agent id>`` (CNV-3); ``agent_id`` is the agent of the conversation it was made in.
    """

    id: str
    title: str
    kind: ArtifactKind
    language: str | None
    version: int
    bytes: int
    conversation_id: str
    root_conversation_id: str
    agent_id: str
    source_path: str | None
    author: str
    created_at: str
    updated_at: str


class ArtifactVersion(Record):
    """One version without its content (CNV-2)."""

    version: int
    author: str
    how: ArtifactHow
    bytes: int
    created_at: str

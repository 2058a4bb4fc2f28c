"""What the routes of canvases take and give (CNV-124 to CNV-132)."""

from __future__ import annotations

from pydantic import ConfigDict, Field

from crewlab.engine.artifacts import Artifact, ArtifactHow, ArtifactKind, ArtifactVersion
from crewlab.engine.records import Record

LIST_ARTIFACTS = 50  # CNV-125
MAX_ARTIFACTS = 100  # CNV-125
QUERY_CHARS = 200
LANGUAGE_CHARS = 40  # CNV-31


class ArtifactQuery(Record):
    """Which canvases to list; ``conversation_id`` also lists those of its delegated conversations."""

    conversation_id: str | None = None
    query: str | None = Field(None, max_length=QUERY_CHARS)
    limit: int = Field(LIST_ARTIFACTS, ge=1, le=MAX_ARTIFACTS)
    before: str | None = None


class ArtifactList(Record):
    """Canvases, most recently changed first."""

    artifacts: list[Artifact]
    more: bool


class ArtifactUsage(Record):
    """What all versions of all canvases take, and what they may take (CNV-9)."""

    bytes: int
    limit: int


class ArtifactView(Artifact):
    """A canvas with its newest content: ``content`` for text, ``content_url`` (relative to ``/crewlab/api/``) for an image."""

    content: str | None
    content_url: str | None
    usage: ArtifactUsage


class ArtifactVersionList(Record):
    """The versions of a canvas, newest first."""

    versions: list[ArtifactVersion]


class ArtifactVersionView(Record):
    """One version with its content: ``content`` for text, ``content_url`` (relative to ``/crewlab/api/``) for an image."""

    id: str
    version: int
    kind: ArtifactKind
    language: str | None
    author: str
    how: ArtifactHow
    bytes: int
    created_at: str
    content: str | None
    content_url: str | None


class ArtifactDiffQuery(Record):
    """Which two versions to compare."""

    model_config = ConfigDict(populate_by_name=True)

    first: int = Field(alias="from", ge=1)
    second: int = Field(alias="to", ge=1)


class ArtifactDiff(Record):
    """A unified diff; ``null`` when more than 600 lines changed (CNV-59)."""

    model_config = ConfigDict(populate_by_name=True)

    first: int = Field(alias="from")
    second: int = Field(alias="to")
    diff: str | None


class SaveArtifact(Record):
    """A person's whole new text, made on ``base_version`` (CNV-126)."""

    content: str
    base_version: int


class ArtifactPatch(Record):
    """What of a canvas to change; fields that are left out stay. ``language`` null takes it away."""

    title: str | None = None
    language: str | None = Field(None, max_length=LANGUAGE_CHARS)


class RestoreArtifact(Record):
    """The version whose content becomes a new version (CNV-127)."""

    version: int


class ReimportedArtifact(Artifact):
    """The canvas after its file was read again; ``unchanged`` when the file is as it was (CNV-130)."""

    unchanged: bool


class DeletedArtifact(Record):
    """The canvas that is gone."""

    deleted: str


class PageHeaders(Record):
    """Under which name the browser knows this server: the policy of the holder page names it (CNV-118)."""

    host: str = ""

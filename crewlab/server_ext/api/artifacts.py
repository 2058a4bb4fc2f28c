"""Canvases for people (CNV-125): list, read, compare, save, restore, rename, delete, download."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crewlab.engine.errors import NotFound
from crewlab.server_ext.api.artifact_models import (
    ArtifactDiff,
    ArtifactDiffQuery,
    ArtifactList,
    ArtifactPatch,
    ArtifactQuery,
    ArtifactUsage,
    ArtifactVersionList,
    ArtifactVersionView,
    ArtifactView,
    DeletedArtifact,
    PageHeaders,
    ReimportedArtifact,
    RestoreArtifact,
    SaveArtifact,
)
from crewlab.server_ext.api.artifact_pages import HOLDER_HEADERS, PAGE_HEADERS, RAW_HEADERS, holder_html, holder_policy
from crewlab.server_ext.routing import Served

if TYPE_CHECKING:
    from crewlab.engine.artifacts import Artifact
    from crewlab.engine.crew import Crew

HTML = "text/html; charset=utf-8"
PAGE = "page"


async def list_artifacts(crew: Crew, query: ArtifactQuery) -> ArtifactList:
    """Most recently changed first."""
    found, more = crew.canvases.list(query.conversation_id, query.query, query.limit, query.before)
    return ArtifactList(artifacts=list(found), more=more)


async def read(crew: Crew, id: str) -> ArtifactView:
    """The canvas with its newest content."""
    artifact = crew.canvases.get(id)
    text, url = _content(crew, artifact, artifact.version)
    used, limit = crew.canvases.usage()
    return ArtifactView(**artifact.model_dump(), content=text, content_url=url, usage=ArtifactUsage(bytes=used, limit=limit))


def _content(crew: Crew, artifact: Artifact, version: int) -> tuple[str | None, str | None]:
    text = crew.canvases.text(artifact.id, version)
    return text, None if text is not None else f"artifacts/{artifact.id}/versions/{version}/raw"


async def versions(crew: Crew, id: str) -> ArtifactVersionList:
    """Every version, newest first."""
    return ArtifactVersionList(versions=list(crew.canvases.versions(id)))


async def version(crew: Crew, id: str, n: str) -> ArtifactVersionView:
    """One version with its content."""
    artifact = crew.canvases.get(id)
    found = crew.canvases.version(id, _number(crew, id, n))
    text, url = _content(crew, artifact, found.version)
    kind, language = artifact.kind, artifact.language
    return ArtifactVersionView(id=id, kind=kind, language=language, **found.model_dump(), content=text, content_url=url)


def _number(crew: Crew, id: str, n: str) -> int:
    """The version a path names; whatever is no number is a version that is not there."""
    if n.isascii() and n.isdigit() and len(n) < 10:
        return int(n)
    raise NotFound(crew.texts("canvas.api_no_version", id=id, version=repr(n)))


async def raw(crew: Crew, id: str, n: str) -> Served:
    """The bytes of a version, to be saved; a picture is shown in place."""
    file = crew.canvases.file(id, _number(crew, id, n))
    return Served(file.data, file.content_type, RAW_HEADERS, name=file.name, inline=file.inline)


async def page(crew: Crew, id: str, n: str) -> Served:
    """The page of a version that runs in an opaque origin (CNV-115)."""
    html = await crew.canvases.page(id, _number(crew, id, n))
    return Served(html.encode(errors="replace"), HTML, PAGE_HEADERS)


async def holder(crew: Crew, id: str, n: str, headers: PageHeaders, address: str) -> Served:
    """The page without script that holds the frame of the page, and lets it go nowhere else (CNV-118)."""
    crew.canvases.shows_page(id, _number(crew, id, n))
    target = address.rpartition("/")[0] + "/" + PAGE
    policy = {"Content-Security-Policy": holder_policy(headers.host, target)}
    return Served(holder_html(target).encode(), HTML, {**HOLDER_HEADERS, **policy})


async def diff(crew: Crew, id: str, query: ArtifactDiffQuery) -> ArtifactDiff:
    """What changed between two versions."""
    found = await crew.canvases.diff(id, query.first, query.second)
    return ArtifactDiff(first=query.first, second=query.second, diff=found)


async def save(crew: Crew, id: str, body: SaveArtifact) -> Artifact:
    """A person's text as a new version (CNV-126)."""
    return await crew.canvases.save(id, body.content, body.base_version)


async def change(crew: Crew, id: str, body: ArtifactPatch) -> Artifact:
    """Change the fields that the request names."""
    return crew.canvases.patch(id, body.model_dump(exclude_unset=True))


async def restore(crew: Crew, id: str, body: RestoreArtifact) -> Artifact:
    """An older content as a new version (CNV-127)."""
    return await crew.canvases.restore(id, body.version)


async def reimport(crew: Crew, id: str) -> ReimportedArtifact:
    """Read the remembered file again (CNV-130)."""
    artifact, unchanged = await crew.canvases.reimport(id)
    return ReimportedArtifact(**artifact.model_dump(), unchanged=unchanged)


async def delete(crew: Crew, id: str) -> DeletedArtifact:
    """Remove it with all versions (CNV-129)."""
    crew.canvases.delete(id)
    return DeletedArtifact(deleted=id)

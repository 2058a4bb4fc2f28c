"""What people do with canvases: read, compare, save, restore, rename, read again from the file, delete (CNV-124 to CNV-131)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from crewlab.engine.activity_events import ArtifactFrame
from crewlab.engine.artifacts import Artifact, ArtifactHow, ArtifactVersion
from crewlab.engine.canvas.diff import CONFLICT_CHARS, diff
from crewlab.engine.canvas.files import Unfit, read_source
from crewlab.engine.canvas.kinds import CAPS, LANGUAGE_CHARS, STORE_BYTES, file_name
from crewlab.engine.canvas.library import PERSON, Full, Library, Moved, clipped, record
from crewlab.engine.canvas.pictures import picture_of
from crewlab.engine.canvas.titles import TITLE_CHARS, clean_title, fold
from crewlab.engine.errors import Conflict, CrewError, Invalid, NotFound, TooLarge
from crewlab.engine.store.canvases import Origin, Source, StoredCanvas
from crewlab.engine.tools.contract import ToolContext, ToolError
from crewlab.engine.tools.family import FamilyParts
from crewlab.engine.tools.shown import size

NUL = "\x00"


@dataclass(frozen=True, slots=True)
class CanvasFile:
    """A version as a file: its name, media type and bytes; ``inline`` for a picture (CNV-125)."""

    name: str
    content_type: str
    data: bytes
    inline: bool


class People:
    """The canvases of the crew for its people."""

    def __init__(self, parts: FamilyParts) -> None:
        self._parts = parts
        self._library = Library(parts)
        self._store = parts.store

    def _canvas(self, canvas_id: str) -> StoredCanvas:
        canvas = self._store.canvases.get(canvas_id)
        if canvas is None or canvas.deleted:
            raise NotFound(self._parts.texts("canvas.api_deleted" if canvas else "canvas.api_gone", id=repr(canvas_id)))
        return canvas

    def list(
        self, conversation_id: str | None = None, query: str | None = None, limit: int = 50, before: str | None = None
    ) -> tuple[Sequence[Artifact], bool]:
        """Last changed first, and whether there are more. Raises ``NotFound`` and ``Invalid`` (``before``)."""
        if conversation_id is not None and self._store.conversations.get(conversation_id) is None:
            raise NotFound(self._parts.texts("turn.conversation_gone", id=conversation_id))
        last = self._store.canvases.get(before) if before is not None else None
        if before is not None and last is None:
            raise Invalid(self._parts.texts("canvas.api_before", id=repr(before)), field="before")
        found = self._store.canvases.list(conversation_id, fold(query or ""), limit + 1, last)
        return [record(canvas) for canvas in found[:limit]], len(found) > limit

    def get(self, canvas_id: str) -> Artifact:
        """One canvas. Raises ``NotFound``."""
        return record(self._canvas(canvas_id))

    def usage(self) -> tuple[int, int]:
        """The bytes of all versions, and how many there may be (CNV-9)."""
        return self._store.canvases.used(), STORE_BYTES

    def versions(self, canvas_id: str) -> Sequence[ArtifactVersion]:
        """Newest first. Raises ``NotFound``."""
        return self._store.canvases.versions(self._canvas(canvas_id).id)

    def version(self, canvas_id: str, version: int) -> ArtifactVersion:
        """One version. Raises ``NotFound``."""
        found = self._store.canvases.version(self._canvas(canvas_id).id, version)
        if found is None:
            raise NotFound(self._parts.texts("canvas.api_no_version", id=canvas_id, version=version))
        return found

    def text(self, canvas_id: str, version: int) -> str | None:
        """The text of a version, ``None`` for an image. Raises ``NotFound``."""
        canvas = self._canvas(canvas_id)
        self.version(canvas_id, version)
        return None if canvas.kind == "image" else self._library.text(canvas, version)

    def file(self, canvas_id: str, version: int) -> CanvasFile:
        """A version as a file. Raises ``NotFound``."""
        canvas = self._canvas(canvas_id)
        self.version(canvas_id, version)
        data = self._store.canvases.content(canvas_id, version) or b""
        picture = picture_of(data) if canvas.kind == "image" else None
        kind = picture.content_type if picture else "image/svg+xml" if canvas.kind == "svg" else "text/plain; charset=utf-8"
        name = file_name(canvas.title, canvas.kind, canvas.language, picture.format if picture else "png")
        return CanvasFile(name, kind, data, picture is not None)

    async def diff(self, canvas_id: str, first: int, second: int) -> str | None:
        """What changed between two versions; ``None`` above 600 lines (CNV-59). Raises ``NotFound`` and ``Conflict`` (an image)."""
        canvas = self._text_canvas(canvas_id)
        for version in (first, second):
            self.version(canvas_id, version)
        return await diff(self._library.text(canvas, first), self._library.text(canvas, second))

    def _text_canvas(self, canvas_id: str) -> StoredCanvas:
        canvas = self._canvas(canvas_id)
        if canvas.kind == "image":
            raise Conflict(self._parts.texts("canvas.api_image"))
        return canvas

    async def save(self, canvas_id: str, content: str, base_version: int) -> Artifact:
        """A person's whole text as a new version, when ``base_version`` is still the newest (CNV-126).

        Raises ``NotFound``, ``Conflict`` (``version_conflict``, ``store_full``, an image), ``TooLarge``, ``Invalid``.
        """
        canvas = self._text_canvas(canvas_id)
        if NUL in content:
            raise Invalid(self._parts.texts("canvas.api_nul"), field="content")
        data = content.encode(errors="replace")
        self._check_size(canvas, len(data))
        if base_version != canvas.version:
            raise await self._conflict(canvas, base_version)
        if data == self._store.canvases.content(canvas.id, canvas.version):
            return record(canvas)
        return await self._add(canvas, data, "save")

    def _check_size(self, canvas: StoredCanvas, length: int) -> None:
        cap = CAPS[canvas.kind]
        if length > cap:
            texts = self._parts.texts
            message = texts("canvas.api_too_large", size=size(length, texts), kind=canvas.kind, cap=size(cap, texts))
            raise TooLarge(message, bytes=length, limit=cap)

    async def _add(self, canvas: StoredCanvas, data: bytes, how: ArtifactHow, source: Source | None = None) -> Artifact:
        origin = Origin(PERSON, how)
        try:
            await self._library.add(canvas, data, origin, STORE_BYTES, source=source)
        except Full:
            raise Conflict(self._parts.texts("canvas.api_full", limit=size(STORE_BYTES, self._parts.texts)), code="store_full") from None
        except Moved:
            raise await self._conflict(self._canvas(canvas.id), canvas.version) from None
        return self.get(canvas.id)

    async def _conflict(self, canvas: StoredCanvas, base_version: int) -> CrewError:
        """Everything a person needs to decide: the newest version and what changed since theirs (CNV-126)."""
        known = 1 <= base_version <= canvas.version and canvas.kind != "image"
        lines = await diff(self._library.text(canvas, base_version), self._library.text(canvas)) if known else None
        return Conflict(
            self._parts.texts("canvas.api_conflict", version=canvas.version, base=base_version),
            code="version_conflict",
            version=canvas.version,
            base_version=base_version,
            artifact=record(canvas).model_dump(),
            diff=lines if lines is None else clipped(lines, CONFLICT_CHARS),
        )

    def patch(self, canvas_id: str, changes: dict[str, str | None]) -> Artifact:
        """Change title and language as far as they are named. Raises ``NotFound`` and ``Invalid`` naming the field."""
        canvas, texts = self._canvas(canvas_id), self._parts.texts
        title, language = canvas.title, canvas.language
        if "title" in changes:
            clean = clean_title(changes["title"] or "")
            if clean is None:
                raise Invalid(texts("canvas.title_bad", limit=TITLE_CHARS), field="title")
            title = clean
        if "language" in changes:
            language = (changes["language"] or "").strip() or None
            if language is not None and (canvas.kind != "code" or len(language) > LANGUAGE_CHARS):
                raise Invalid(texts("canvas.language_kind", limit=LANGUAGE_CHARS), field="language")
        if (title, language) != (canvas.title, canvas.language):
            self._store.canvases.patch(canvas_id, title, fold(title), language, self._library.now())
            self._library.tell(canvas_id)
        return self.get(canvas_id)

    async def restore(self, canvas_id: str, version: int) -> Artifact:
        """The content of an older version as a new one; the newest itself adds none (CNV-127).

        Raises ``NotFound``, ``Invalid`` (no such version), ``Conflict`` (``store_full``, ``version_conflict``).
        """
        canvas = self._canvas(canvas_id)
        data = self._store.canvases.content(canvas_id, version)
        if data is None:
            raise Invalid(self._parts.texts("canvas.api_no_version", id=canvas_id, version=version), field="version")
        return record(canvas) if version == canvas.version else await self._add(canvas, data, "restore")

    async def reimport(self, canvas_id: str) -> tuple[Artifact, bool]:
        """Read the remembered file again; true when it did not change (CNV-130).

        Raises ``NotFound``, ``Conflict`` (``no_source``, ``source_unusable``, ``store_full``), ``TooLarge``.
        """
        canvas, texts = self._canvas(canvas_id), self._parts.texts
        if canvas.source_path is None or canvas.source_agent_id is None:
            raise Conflict(texts("canvas.api_no_source"), code="no_source")
        try:
            agent = self._parts.roster.get(canvas.source_agent_id)
            context = ToolContext(agent.id, agent.workspace, texts, closed_paths=self._parts.home.reserved(canvas.conversation_id))
            data = await asyncio.to_thread(read_source, canvas.source_path, canvas.kind, context)
        except Unfit as error:
            raise TooLarge(error.message, limit=CAPS[canvas.kind]) from error
        except (NotFound, ToolError) as error:
            message = texts("canvas.api_source", path=canvas.source_path, reason=error.message)
            raise Conflict(message, code="source_unusable", reason=error.message) from error
        if data == self._store.canvases.content(canvas_id, canvas.version):
            return record(canvas), True
        return await self._add(canvas, data, "import"), False

    def delete(self, canvas_id: str) -> None:
        """Remove the canvas with all versions for good (CNV-129). Raises ``NotFound``."""
        self._canvas(canvas_id)
        self._store.canvases.delete(canvas_id, self._library.now())
        self._parts.announce(ArtifactFrame(id=canvas_id, deleted=True))

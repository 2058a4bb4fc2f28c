"""The one way a version is stored, for agents and people alike: compare-and-set, caps, changes for notes, frames (CNV-5, CNV-29)."""

from __future__ import annotations

import secrets
import string
from collections.abc import Callable
from dataclasses import dataclass

from crewlab.engine.activity_events import ArtifactFrame
from crewlab.engine.artifacts import Artifact, ArtifactKind
from crewlab.engine.canvas.diff import ANSWER_CHARS, diff
from crewlab.engine.canvas.titles import fold
from crewlab.engine.clock import iso
from crewlab.engine.store.canvases import Origin, Source, StoredCanvas
from crewlab.engine.tools.family import FamilyParts

PERSON = "user"  # CNV-3
ID_CHARS = 8  # CNV-4
ID_LETTERS = string.ascii_lowercase + string.digits
NOTED_BYTES = 1024 * 1024  # a larger text is not compared for a note: the agent reads it again


class Moved(Exception):
    """Another version came in between, or the canvas was deleted: look again."""


class Full(Exception):
    """All versions together would take more than this writer may use (CNV-9)."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A canvas to be made."""

    title: str
    kind: ArtifactKind
    language: str | None
    content: bytes
    source: Source | None = None


Inside = Callable[[int], None]
"""What is stored in the same transaction with the version of this number; what it raises takes everything back."""


class Library:
    """Canvases and their versions. Keeps nothing of its own: the store is the truth."""

    def __init__(self, parts: FamilyParts) -> None:
        self.parts = parts
        self.store = parts.store

    def now(self) -> str:
        """The time now as it is stored."""
        return iso(self.parts.clock.now())

    def text(self, canvas: StoredCanvas, version: int | None = None) -> str:
        """The text of a version, the newest when none is named; "" for one that is not there."""
        return (self.store.canvases.content(canvas.id, version or canvas.version) or b"").decode()

    def tell(self, canvas_id: str) -> None:
        """Tell everybody that a canvas was made or has changed (CNV-112)."""
        canvas = self.store.canvases.get(canvas_id)
        if canvas is not None and not canvas.deleted:
            self.parts.announce(ArtifactFrame(artifact=record(canvas)))

    def make(
        self, draft: Draft, origin: Origin, agent_id: str, root: str, limit: int, inside: Callable[[StoredCanvas], None]
    ) -> StoredCanvas:
        """Store a new canvas with version 1 (CNV-5). Raises ``Full``."""
        now = self.now()
        source = draft.source
        with self.store.transaction():
            self._room(len(draft.content), limit)
            canvas = StoredCanvas(
                id=self._new_id(),
                title=draft.title,
                kind=draft.kind,
                language=draft.language,
                agent_id=agent_id,
                conversation_id=origin.conversation_id or root,
                root_conversation_id=root,
                source_path=source.path if source else None,
                source_agent_id=source.agent_id if source else None,
                version=1,
                bytes=len(draft.content),
                author=origin.author,
                created_at=now,
                updated_at=now,
                deleted=False,
            )
            self.store.canvases.insert(canvas, fold(draft.title), draft.content, origin)
            inside(canvas)
        self.tell(canvas.id)
        return canvas

    async def add(
        self, base: StoredCanvas, content: bytes, origin: Origin, limit: int, inside: Inside | None = None, source: Source | None = None
    ) -> int:
        """Store the version after ``base`` and return its number. Raises ``Moved`` and ``Full``; then nothing is written."""
        version = base.version + 1
        changes = await self._changes(base, content, origin)
        with self.store.transaction():
            self._room(len(content), limit)
            if not self.store.canvases.add_version(base, content, origin, self.now(), source):
                raise Moved
            for conversation_id, known, text in changes:
                self.store.canvas_marks.keep_changes(conversation_id, base.id, known, version, text)
            if inside is not None:
                inside(version)
        self.tell(base.id)
        return version

    def _room(self, more: int, limit: int) -> None:
        if self.store.canvases.used() + more > limit:
            raise Full

    def _new_id(self) -> str:
        while True:
            token = "".join(secrets.choice(ID_LETTERS) for _ in range(ID_CHARS))
            if self.store.canvases.get(token) is None:
                return token

    async def _changes(self, base: StoredCanvas, content: bytes, origin: Origin) -> list[tuple[str, int, str | None]]:
        """For each conversation that knows an earlier version: the diff its next note quotes, where a person wrote since (CNV-100)."""
        if base.kind == "image" or len(content) > NOTED_BYTES:
            return []
        found: list[tuple[str, int, str | None]] = []
        drawn: dict[int, str | None] = {}
        for conversation_id, known in self.store.canvas_marks.behind(base.id, base.version + 1, origin.conversation_id):
            if known not in drawn:
                if origin.author != PERSON and not self._person_since(base.id, known):
                    continue
                lines = await diff(self.text(base, known), content.decode())
                drawn[known] = lines if lines is None else clipped(lines, ANSWER_CHARS)
            found.append((conversation_id, known, drawn[known]))
        return found

    def _person_since(self, canvas_id: str, known: int) -> bool:
        return any(each.author == PERSON and each.version > known for each in self.store.canvases.versions(canvas_id))


def clipped(text: str, limit: int) -> str:
    """``text`` cut at ``limit`` characters."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def record(canvas: StoredCanvas) -> Artifact:
    """The canvas as faces see it (CNV-124)."""
    return Artifact(**{name: getattr(canvas, name) for name in Artifact.model_fields})

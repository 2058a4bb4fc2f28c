"""Tables ``canvases`` and ``canvas_versions``: documents with versions that are only added to (CNV-1, CNV-2, CNV-5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from crewlab.engine.artifacts import ArtifactHow, ArtifactKind, ArtifactVersion
from crewlab.engine.store.db import Database, Row

_SELECT = """SELECT c.*, coalesce(v.bytes, 0) AS bytes, coalesce(v.author, '') AS author
    FROM canvases c LEFT JOIN canvas_versions v ON v.canvas_id = c.id AND v.version = c.version"""
# CNV-13: of the chain, made in a conversation of the agent, or made below one of its conversations
_REACH = """WHERE c.deleted = 0 AND (c.root_conversation_id = :root OR c.agent_id = :agent
    OR c.root_conversation_id IN (SELECT id FROM conversations WHERE agent_id = :agent))"""
_CHAIN = """SELECT c.agent_id, coalesce((SELECT r.id FROM conversations r WHERE r.id = c.root_id), c.id) AS root, c.source, c.chain_source,
    (c.parent_id IS NOT NULL OR c.parent_call_id IS NOT NULL) AS child FROM conversations c WHERE c.id = ?"""
_BELOW = """WITH RECURSIVE below(id) AS (SELECT :conversation UNION
    SELECT conversations.id FROM conversations JOIN below ON conversations.parent_id = below.id)"""
_WRITTEN = """SELECT v.canvas_id, max(v.version) AS version, c.title FROM canvas_versions v JOIN canvases c ON c.id = v.canvas_id
    WHERE v.conversation_id = ? AND c.deleted = 0 GROUP BY v.canvas_id ORDER BY min(v.created_at), min(v.rowid)"""


@dataclass(frozen=True, slots=True)
class StoredCanvas:
    """A row of ``canvases``; ``bytes`` and ``author`` are those of the newest version (0 and "" once it is deleted)."""

    id: str
    title: str
    kind: ArtifactKind
    language: str | None
    agent_id: str
    conversation_id: str
    root_conversation_id: str
    source_path: str | None
    source_agent_id: str | None
    version: int
    bytes: int
    author: str
    created_at: str
    updated_at: str
    deleted: bool


@dataclass(frozen=True, slots=True)
class Origin:
    """Who makes a version, how, and in which conversation and run (``None`` for a person)."""

    author: str
    how: ArtifactHow
    conversation_id: str | None = None
    run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """The workspace file a version came from (CNV-68)."""

    path: str
    agent_id: str


@dataclass(frozen=True, slots=True)
class Chain:
    """What a conversation is in its chain: ``root`` is the first one, ``chain_source`` how that one's turn began (DLG-22)."""

    agent_id: str
    root: str
    source: str
    chain_source: str | None
    child: bool


def _canvas(row: Row) -> StoredCanvas:
    names = StoredCanvas.__dataclass_fields__
    return StoredCanvas(**{**{name: row[name] for name in names}, "deleted": bool(row["deleted"])})


def _version(row: Row) -> ArtifactVersion:
    return ArtifactVersion(**{name: row[name] for name in ArtifactVersion.model_fields})


class Canvases:
    """Reads and writes of canvases and their versions."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def chain(self, conversation_id: str) -> Chain | None:
        """The place of a conversation in its chain; a root that is gone counts for nothing."""
        row = self._db.row(_CHAIN, (conversation_id,))
        return Chain(row["agent_id"], row["root"], row["source"], row["chain_source"], bool(row["child"])) if row else None

    def get(self, canvas_id: str) -> StoredCanvas | None:
        """One canvas, also a deleted one."""
        row = self._db.row(f"{_SELECT} WHERE c.id = ?", (canvas_id,))
        return _canvas(row) if row else None

    def reach(self, canvas_id: str, agent_id: str, root: str) -> StoredCanvas | None:
        """One canvas within the reach of an agent in a chain (CNV-13)."""
        row = self._db.row(f"{_SELECT} {_REACH} AND c.id = :id", {"id": canvas_id, "agent": agent_id, "root": root})
        return _canvas(row) if row else None

    def reachable(self, agent_id: str, root: str, folded: str, limit: int) -> tuple[Sequence[StoredCanvas], int]:
        """The canvases within reach whose folded title contains ``folded``, last changed first, and how many there are."""
        where = f"{_REACH} AND instr(c.folded, :folded) > 0"
        values = {"agent": agent_id, "root": root, "folded": folded, "limit": limit}
        rows = self._db.rows(f"{_SELECT} {where} ORDER BY c.updated_at DESC, c.id DESC LIMIT :limit", values)
        count = self._db.row(f"SELECT count(*) FROM canvases c {where}", values)
        return [_canvas(row) for row in rows], int(count[0]) if count else 0

    def list(self, conversation_id: str | None, folded: str, limit: int, before: StoredCanvas | None) -> Sequence[StoredCanvas]:
        """Last changed first; of one conversation and those delegated from it, or of the whole crew (CNV-125)."""
        values: dict[str, Any] = {"conversation": conversation_id, "folded": folded, "limit": limit}
        where = "c.deleted = 0 AND instr(c.folded, :folded) > 0"
        if conversation_id is not None:
            where += " AND (c.root_conversation_id = :conversation OR c.conversation_id IN (SELECT id FROM below))"
        if before is not None:
            where += " AND (c.updated_at, c.id) < (:time, :id)"
            values.update(time=before.updated_at, id=before.id)
        rows = self._db.rows(f"{_BELOW} {_SELECT} WHERE {where} ORDER BY c.updated_at DESC, c.id DESC LIMIT :limit", values)
        return [_canvas(row) for row in rows]

    def in_chain(self, root: str) -> Sequence[StoredCanvas]:
        """Every canvas of a chain, deleted ones included, last changed first."""
        rows = self._db.rows(f"{_SELECT} WHERE c.root_conversation_id = ? ORDER BY c.updated_at DESC, c.id DESC", (root,))
        return [_canvas(row) for row in rows]

    def insert(self, canvas: StoredCanvas, folded: str, content: bytes, origin: Origin) -> None:
        """Store a new canvas with its first version, in the current transaction or one of its own (CNV-5)."""
        row = {name: getattr(canvas, name) for name in StoredCanvas.__dataclass_fields__ if name not in ("bytes", "author", "deleted")}
        row.update(folded=folded, run_id=origin.run_id)
        names = ", ".join(row)
        with self._db.transaction():
            self._db.write(f"INSERT INTO canvases ({names}) VALUES ({', '.join(f':{name}' for name in row)})", row)
            self._insert_version(canvas.id, canvas.version, content, origin, canvas.created_at)

    def _insert_version(self, canvas_id: str, version: int, content: bytes, origin: Origin, now: str) -> None:
        values = (canvas_id, version, len(content), origin.author, origin.how, origin.conversation_id, origin.run_id, now, content)
        self._db.write("INSERT INTO canvas_versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)

    def add_version(self, base: StoredCanvas, content: bytes, origin: Origin, now: str, source: Source | None = None) -> bool:
        """Add the version after ``base``; false, and nothing is written, when that is no longer the newest one (CNV-29)."""
        sql = """UPDATE canvases SET version = version + 1, updated_at = ?, source_path = coalesce(?, source_path),
            source_agent_id = coalesce(?, source_agent_id) WHERE id = ? AND version = ? AND deleted = 0 RETURNING version"""
        with self._db.transaction():
            paths = (source.path, source.agent_id) if source else (None, None)
            rows = self._db.write(sql, (now, *paths, base.id, base.version))
            if rows:
                self._insert_version(base.id, rows[0]["version"], content, origin, now)
        return bool(rows)

    def content(self, canvas_id: str, version: int) -> bytes | None:
        """What a version holds."""
        row = self._db.row("SELECT content FROM canvas_versions WHERE canvas_id = ? AND version = ?", (canvas_id, version))
        return bytes(row["content"]) if row else None

    def version(self, canvas_id: str, version: int) -> ArtifactVersion | None:
        """One version without its content."""
        sql = "SELECT version, author, how, bytes, created_at FROM canvas_versions WHERE canvas_id = ? AND version = ?"
        row = self._db.row(sql, (canvas_id, version))
        return _version(row) if row else None

    def versions(self, canvas_id: str) -> Sequence[ArtifactVersion]:
        """Every version, newest first."""
        sql = "SELECT version, author, how, bytes, created_at FROM canvas_versions WHERE canvas_id = ? ORDER BY version DESC"
        return [_version(row) for row in self._db.rows(sql, (canvas_id,))]

    def used(self) -> int:
        """The bytes of all versions of all canvases (CNV-9)."""
        row = self._db.row("SELECT coalesce(sum(bytes), 0) FROM canvas_versions")
        return int(row[0]) if row else 0

    def made_in(self, run_id: str) -> int:
        """How many canvases a turn has made (CNV-25)."""
        row = self._db.row("SELECT count(*) FROM canvases WHERE run_id = ?", (run_id,))
        return int(row[0]) if row else 0

    def added_in(self, run_id: str, canvas_id: str) -> int:
        """How many versions a turn has added to a canvas that was there (CNV-25)."""
        row = self._db.row("SELECT count(*) FROM canvas_versions WHERE canvas_id = ? AND run_id = ? AND version > 1", (canvas_id, run_id))
        return int(row[0]) if row else 0

    def written_in(self, conversation_id: str) -> Sequence[tuple[str, int, str]]:
        """Id, highest version and title of each canvas written in a conversation, first written first (DLG-57, DLG-58)."""
        return [(row["canvas_id"], row["version"], row["title"]) for row in self._db.rows(_WRITTEN, (conversation_id,))]

    def patch(self, canvas_id: str, title: str, folded: str, language: str | None, now: str) -> None:
        """Change title and language."""
        sql = "UPDATE canvases SET title = ?, folded = ?, language = ?, updated_at = ? WHERE id = ? AND deleted = 0"
        self._db.write(sql, (title, folded, language, now, canvas_id))

    def delete(self, canvas_id: str, now: str) -> bool:
        """Remove every version and leave the row as deleted (CNV-129); false when it was gone already."""
        sql = "UPDATE canvases SET deleted = 1, updated_at = ? WHERE id = ? AND deleted = 0 RETURNING id"
        with self._db.transaction():
            gone = self._db.write(sql, (now, canvas_id))
            self._db.write("DELETE FROM canvas_versions WHERE canvas_id = ?", (canvas_id,))
            self._db.write("UPDATE canvas_marks SET pages = '{}', changes = NULL WHERE canvas_id = ?", (canvas_id,))
        return bool(gone)

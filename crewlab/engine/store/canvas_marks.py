"""Table ``canvas_marks``: what the agent of a conversation knows of each canvas, and what it was told (CNV-15, CNV-98)."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from crewlab.engine.store.db import Database, Row

Ranges = list[list[int]]
"""Parts of a text that were read: first character and the one after the last, in order and apart."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What one conversation knows of one canvas; versions are 0 where there is none yet.

    ``told``, ``title`` and ``gone`` are what the last note (or the agent's own call) said of it; ``changes`` is the diff from
    ``known`` to ``changes_to``, kept for the next note.
    """

    known: int = 0
    whole: int = 0
    pages: dict[int, Ranges] = field(default_factory=dict)
    told: int = 0
    title: str | None = None
    gone: bool = False
    changes: str | None = None
    changes_to: int | None = None


def _mark(row: Row) -> Mark:
    pages = {int(version): ranges for version, ranges in json.loads(row["pages"]).items()}
    told = (row["told"], row["title"], bool(row["gone"]))
    return Mark(row["known"], row["whole"], pages, *told, row["changes"], row["changes_to"])


class CanvasMarks:
    """Reads and writes of marks."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def get(self, conversation_id: str, canvas_id: str) -> Mark:
        """The mark; an empty one where nothing is known yet."""
        row = self._db.row("SELECT * FROM canvas_marks WHERE conversation_id = ? AND canvas_id = ?", (conversation_id, canvas_id))
        return _mark(row) if row else Mark()

    def of_conversation(self, conversation_id: str) -> dict[str, Mark]:
        """Every mark of a conversation by canvas."""
        rows = self._db.rows("SELECT * FROM canvas_marks WHERE conversation_id = ?", (conversation_id,))
        return {row["canvas_id"]: _mark(row) for row in rows}

    def behind(self, canvas_id: str, version: int, but: str | None) -> list[tuple[str, int]]:
        """Conversations beside ``but`` that know the canvas, and up to which version, where that is below ``version``."""
        sql = "SELECT conversation_id, known FROM canvas_marks WHERE canvas_id = ? AND known > 0 AND known < ? AND conversation_id IS NOT ?"
        return [(row["conversation_id"], row["known"]) for row in self._db.rows(sql, (canvas_id, version, but))]

    def put(self, conversation_id: str, canvas_id: str, mark: Mark) -> None:
        """Store the mark as it is now."""
        pages = json.dumps({version: ranges for version, ranges in mark.pages.items() if ranges})
        values = (conversation_id, canvas_id, mark.known, mark.whole, pages)
        more = (mark.told, mark.title, mark.gone, mark.changes, mark.changes_to)
        self._db.write("INSERT OR REPLACE INTO canvas_marks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*values, *more))

    def keep_changes(self, conversation_id: str, canvas_id: str, known: int, to: int, changes: str | None) -> None:
        """Keep the diff for the next note, unless the conversation knows more by now."""
        sql = "UPDATE canvas_marks SET changes = ?, changes_to = ? WHERE conversation_id = ? AND canvas_id = ? AND known = ?"
        self._db.write(sql, (changes, to, conversation_id, canvas_id, known))

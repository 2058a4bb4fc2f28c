"""The search index ``messages_fts``, read (FTS-6). The one place that asks it, for people and for the model's tool."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from crewlab.engine.store.db import Database

CANDIDATES = 300  # FTS-10: of more matches the newest are ranked, so that a common word costs no more than a rare one
WINDOW_BEFORE = 80  # characters of a message before its first match that are read for the snippet
WINDOW = 600  # characters read in all, marks included
# FTS-10: the saturation and the weight of length of BM25; every match holds every word, so how rare a word is decides nothing
SATURATION = 1.2
LENGTH_WEIGHT = 0.75
MEAN_CHARS = 400.0

_FIND = f"""
WITH found AS MATERIALIZED (
    SELECT m.id, m.conversation_id, m.role, m.created_at, m.content, highlight(messages_fts, 0, char(2), char(3)) AS marked
    FROM messages_fts CROSS JOIN messages m ON m.id = messages_fts.rowid CROSS JOIN conversations c ON c.id = m.conversation_id
    WHERE messages_fts MATCH :query
        AND (:agent IS NULL OR c.agent_id = :agent) AND (:without IS NULL OR c.id <> :without)
        AND (NOT :person OR (m.role = 'user' AND m.written_by = 'person'))
    ORDER BY messages_fts.rowid DESC LIMIT :candidates
),
folded AS MATERIALIZED (
    SELECT max(id) AS id, conversation_id, role, created_at, content, marked,
        max(1, (length(marked) - length(content)) / 2) AS matches, length(content) AS chars,
        max(1, instr(marked, char(2)) - :before) AS start
    FROM found GROUP BY created_at, role, content
)
SELECT f.id, f.conversation_id, c.agent_id, c.title, f.role, f.created_at, f.start, f.chars,
    substr(f.content, f.start, :window) AS content, substr(f.marked, f.start, :window) AS marked
FROM folded f JOIN conversations c ON c.id = f.conversation_id
ORDER BY f.matches / (f.matches + {SATURATION} * ({1 - LENGTH_WEIGHT} + {LENGTH_WEIGHT} * f.chars / {MEAN_CHARS})) DESC, f.id DESC
"""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which messages count: of one agent, not of one conversation, only a person's words; and how many per conversation (FTS-7)."""

    agent_id: str | None = None
    without: str | None = None
    person: bool = False
    per_conversation: int | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A message that matches. ``content`` and ``marked`` are its text around the first match, beginning at character ``start`` (from 1).

    ``marked`` is the text as it is indexed, each matched word between U+0002 and U+0003; ``chars`` is the length of the message.
    """

    message_id: int
    conversation_id: str
    agent_id: str
    title: str
    role: str
    created_at: str
    start: int
    chars: int
    content: str
    marked: str


def find(db: Database, query: str, scope: Scope, limit: int) -> list[Hit]:
    """The best ``limit`` matches, newest first on equal rank; text shared by a fork and its original once (FTS-8).

    ``query`` is FTS5 syntax, made by ``build_query``.
    """
    values = {
        "query": query,
        "agent": scope.agent_id,
        "without": scope.without,
        "person": scope.person,
        "candidates": CANDIDATES,
        "before": WINDOW_BEFORE,
        "window": WINDOW,
    }
    hits: list[Hit] = []
    seen: Counter[str] = Counter()
    for row in db.rows(_FIND, values):
        seen[row["conversation_id"]] += 1
        if scope.per_conversation is None or seen[row["conversation_id"]] <= scope.per_conversation:
            hits.append(Hit(*row))
        if len(hits) == limit:
            break
    return hits

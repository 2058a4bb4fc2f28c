"""What a copy of the store reads: everything after its watermarks, as JSON that SQLite writes itself (ANL-5).

SQLite makes the texts outside the interpreter's lock, so that a large copy in a worker thread leaves the loop alone. ``payer``
is never read (PTL-156), nor are messages, prompts or results (ANL-8).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from crewlab.engine.store.changes import APPROVAL, DELETED, RUN
from crewlab.engine.store.db import Database, Row

PAGE_CHARS = 8_000_000  # so that each statement has enough to do, and the texts of few runs are held at once
ROWS_A_PAGE = 20_000
IDS_A_PAGE = 50_000

_RUN = """json_object('run_id', r.id, 'agent_id', r.agent_id, 'source', r.source, 'conversation_id', r.conversation_id,
    'status', r.status, 'halt_reason', r.halt_reason, 'summary', r.summary, 'started_at', r.started_at, 'ended_at', r.ended_at,
    'cost_usd', r.cost_usd, 'unknown_cost_calls', r.unknown_cost_calls, 'resumed', r.resumed, 'after_seq', r.after_seq,
    'prompt_chars', r.prompt_chars, 'definition_chars', r.definition_chars)"""
_APPROVAL = """json_object('approval_id', a.id, 'conversation_id', a.conversation_id, 'agent_id', a.agent_id, 'run_id', a.run_id,
    'call_id', a.call_id, 'kind', a.kind, 'tool', a.tool, 'status', a.status, 'always', a.always, 'reason', a.reason,
    'created_at', a.created_at, 'expires_at', a.expires_at, 'decided_at', a.decided_at)"""
_MONEY = """'provider', m.provider, 'model', m.model, 'cost_usd', m.cost_usd, 'cost_estimated', m.cost_estimated,
    'prompt_tokens', m.prompt_tokens, 'completion_tokens', m.completion_tokens, 'cached_tokens', m.cached_tokens,
    'reasoning_tokens', m.reasoning_tokens, 'created_at', m.created_at"""

# In the order of `n` and without a sort: hence the plus and the CROSS JOIN.
_CHANGED_RUNS = f"""SELECT c.n, {_RUN}, r.steps FROM changes c CROSS JOIN runs r ON r.id = c.id
    WHERE +c.kind = '{RUN}' AND c.n > ? ORDER BY c.n"""
_CHANGED_APPROVALS = f"""SELECT c.n, {_APPROVAL} FROM changes c CROSS JOIN approvals a ON a.id = c.id
    WHERE +c.kind = '{APPROVAL}' AND c.n > ? ORDER BY c.n"""
# An answer of a model is an assistant message with its provider (COST-20), as in the ledger.
_MODEL_CALLS = f"""SELECT max(m.id), group_concat(json_object('message_id', m.id, 'conversation_id', m.conversation_id,
    'agent_id', m.agent_id, 'seq', m.seq, {_MONEY}), char(10)) FROM (
        SELECT m.id, m.conversation_id, c.agent_id, m.seq, m.provider, m.model, m.cost_usd, m.cost_estimated, m.prompt_tokens,
            m.completion_tokens, m.cached_tokens, m.reasoning_tokens, m.created_at
        FROM messages m CROSS JOIN conversations c ON c.id = m.conversation_id
        WHERE m.id > ? AND m.role = 'assistant' AND m.provider IS NOT NULL ORDER BY m.id LIMIT {ROWS_A_PAGE}) m"""
_SIDE_CALLS = f"""SELECT max(m.id), group_concat(json_object('id', m.id, 'agent_id', m.agent_id,
    'conversation_id', m.conversation_id, 'purpose', m.purpose, {_MONEY}), char(10)) FROM (
        SELECT * FROM side_calls WHERE id > ? ORDER BY id LIMIT {ROWS_A_PAGE}) m"""
_IDS = """SELECT max(row), json_group_array(id) FROM (
        SELECT rowid AS row, {column} AS id FROM {table} WHERE rowid > ? AND {when} ORDER BY rowid LIMIT {size})"""


@dataclass(frozen=True, slots=True)
class Marks:
    """How far the store has come: the last change, message and side call that were ever written."""

    change: int
    message: int
    side_call: int

    def behind(self, other: Marks) -> bool:
        """Whether this store has not come as far: then it is another file, such as one of a backup."""
        return self.change < other.change or self.message < other.message or self.side_call < other.side_call


def marks(db: Database) -> Marks:
    """The marks of the store as it stands."""
    rows = db.rows("SELECT name, seq FROM sqlite_sequence WHERE name IN ('changes', 'messages', 'side_calls')")
    found = {row["name"]: int(row["seq"]) for row in rows}
    return Marks(found.get("changes", 0), found.get("messages", 0), found.get("side_calls", 0))


def changed_runs(db: Database, after: int) -> Iterator[list[tuple[str, str]]]:
    """Runs that were written after the mark, each as a JSON object and its steps as a JSON list."""
    for page in _pages(db.each(_CHANGED_RUNS, (after,))):
        yield [(head, steps) for _, head, steps in page]


def changed_approvals(db: Database, after: int) -> Iterator[list[str]]:
    """Requests that were written after the mark, each as a JSON object."""
    for page in _pages(db.each(_CHANGED_APPROVALS, (after,))):
        yield [one for _, one in page]


def model_calls(db: Database, after: int) -> Iterator[str]:
    """Answers of models after that message, as lines of JSON objects."""
    return _lists(db, _MODEL_CALLS, after)


def side_calls(db: Database, after: int) -> Iterator[str]:
    """Side calls after that one, as lines of JSON objects."""
    return _lists(db, _SIDE_CALLS, after)


def changed_ids(db: Database, kind: str, after: int) -> Iterator[str]:
    """The ids of the runs or approvals that were written after the mark, as JSON lists."""
    return _lists(db, _IDS.format(column="id", table="changes", when=f"+kind = '{kind}'", size=IDS_A_PAGE), after)


def existing_ids(db: Database, table: str) -> Iterator[str]:
    """The ids that a table holds now, as JSON lists."""
    return _lists(db, _IDS.format(column="id", table=table, when="true", size=IDS_A_PAGE), 0)


def deleted_from(db: Database, after: int) -> frozenset[str]:
    """Of ``conversations``, ``runs`` and ``approvals`` those from which rows were deleted after the mark."""
    rows = db.rows("SELECT id FROM changes WHERE kind = ? AND n > ?", (DELETED, after))
    return frozenset(str(row["id"]) for row in rows)


def _pages(rows: Iterator[Row]) -> Iterator[list[tuple[Any, ...]]]:
    page: list[tuple[Any, ...]] = []
    chars = 0
    for row in rows:
        page.append(tuple(row))
        chars += sum(len(text) for text in page[-1][1:])
        if chars > PAGE_CHARS:
            yield page
            page, chars = [], 0
    if page:
        yield page


def _lists(db: Database, sql: str, after: int) -> Iterator[str]:
    while (row := db.row(sql, (after,))) is not None and row[0] is not None:
        yield str(row[1])
        after = int(row[0])

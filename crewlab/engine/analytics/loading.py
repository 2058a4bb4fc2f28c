"""From pages of the store to rows of the copy: the statements of one update, in DuckDB's own SQL.

DuckDB reads the JSON itself, outside the interpreter's lock. Every function runs inside the transaction of the update.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from crewlab.analytics_schema import TABLES
from crewlab.engine.analytics.masked import Masker
from crewlab.engine.store import copying
from crewlab.engine.store.changes import APPROVAL, RUN
from crewlab.engine.store.db import Database

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_CALL = """{"name": "VARCHAR", "arguments": "JSON", "ok": "BOOLEAN", "output": "VARCHAR", "ms": "BIGINT", "cost_usd": "DOUBLE",
    "metered": "BOOLEAN", "gated": "BOOLEAN", "child_spent_usd": "DOUBLE"}"""
_STEP = f"""{{"index": "INTEGER", "kind": "VARCHAR", "status": "VARCHAR", "started_at": "VARCHAR", "ms": "BIGINT", "route": "VARCHAR",
    "cost_usd": "DOUBLE", "tool_call_id": "VARCHAR", "name": "VARCHAR", "tool": "VARCHAR", "arguments": "JSON", "output": "VARCHAR",
    "outcome": "VARCHAR", "error": "VARCHAR", "reason": "VARCHAR", "text": "VARCHAR", "received_chars": "BIGINT",
    "printed_chars": "BIGINT", "calls": [{_CALL}]}}"""
_RUN = """{"run_id": "VARCHAR", "agent_id": "VARCHAR", "source": "VARCHAR", "conversation_id": "VARCHAR", "status": "VARCHAR",
    "halt_reason": "VARCHAR", "summary": "VARCHAR", "started_at": "VARCHAR", "ended_at": "VARCHAR", "cost_usd": "DOUBLE",
    "unknown_cost_calls": "BIGINT", "resumed": "BIGINT", "after_seq": "BIGINT", "prompt_chars": "BIGINT", "definition_chars": "BIGINT"}"""
_APPROVAL = """{"approval_id": "VARCHAR", "conversation_id": "VARCHAR", "agent_id": "VARCHAR", "run_id": "VARCHAR", "call_id": "VARCHAR",
    "kind": "VARCHAR", "tool": "VARCHAR", "status": "VARCHAR", "always": "BIGINT", "reason": "VARCHAR", "created_at": "VARCHAR",
    "expires_at": "VARCHAR", "decided_at": "VARCHAR"}"""
_MONEY = """"provider": "VARCHAR", "model": "VARCHAR", "cost_usd": "DOUBLE", "cost_estimated": "BIGINT", "prompt_tokens": "BIGINT",
    "completion_tokens": "BIGINT", "cached_tokens": "BIGINT", "reasoning_tokens": "BIGINT", "created_at": "VARCHAR\""""
_MODEL_CALL = f"""{{"message_id": "BIGINT", "conversation_id": "VARCHAR", "agent_id": "VARCHAR", "seq": "BIGINT", {_MONEY}}}"""
_SIDE_CALL = f"""{{"id": "BIGINT", "agent_id": "VARCHAR", "conversation_id": "VARCHAR", "purpose": "VARCHAR", {_MONEY}}}"""

_TIMES = "created_at::TIMESTAMPTZ, (created_at::TIMESTAMPTZ AT TIME ZONE $zone)::DATE"
_TOKENS = "prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens"
_PRICE = "cost_usd, cost_usd IS NOT NULL, cost_estimated <> 0 AND cost_usd IS NOT NULL"

_PAGE = "CREATE OR REPLACE TEMP TABLE page AS SELECT unnest($heads) AS head, unnest($steps) AS steps"
_HEADS = f"CREATE OR REPLACE TEMP TABLE heads AS SELECT unnest(from_json(head, '{_RUN}')) FROM page"
_EACH_STEP = f"""CREATE OR REPLACE TEMP TABLE each_step AS SELECT run_id, conversation_id, agent_id, unnest(step)
    FROM (SELECT head ->> 'run_id' AS run_id, head ->> 'conversation_id' AS conversation_id, head ->> 'agent_id' AS agent_id,
        unnest(from_json(steps, '[{_STEP}]')) AS step FROM page)"""
_INSERT_RUNS = """INSERT INTO runs SELECT h.run_id, agent_id, source, split_part(source, ':', 1),
    CASE WHEN source LIKE 'job:%' THEN source[5:] END,
    CASE WHEN source LIKE 'delegate:%' THEN source[10:] WHEN source LIKE 'vibe:%' THEN source[6:] END,
    conversation_id, status, halt_reason, summary, started_at::TIMESTAMPTZ, ended_at::TIMESTAMPTZ,
    date_diff('millisecond', started_at::TIMESTAMPTZ, ended_at::TIMESTAMPTZ), cost_usd, unknown_cost_calls = 0, unknown_cost_calls,
    coalesce(steps, 0), coalesce(model_calls, 0), coalesce(tool_calls, 0), coalesce(tool_errors, 0), resumed <> 0, after_seq,
    prompt_chars, definition_chars, (started_at::TIMESTAMPTZ AT TIME ZONE $zone)::DATE
    FROM heads h LEFT JOIN (SELECT run_id, count(*) AS steps, count(*) FILTER (kind = 'model') AS model_calls,
        count(*) FILTER (kind = 'tool') AS tool_calls, count(*) FILTER (kind = 'tool' AND status = 'error') AS tool_errors
        FROM each_step GROUP BY run_id) s ON s.run_id = h.run_id"""
_INSERT_STEPS = """INSERT INTO steps SELECT run_id, index, kind, status, coalesce(name, tool), route, started_at::TIMESTAMPTZ, ms, cost_usd,
    coalesce(text, reason, error, output) FROM each_step"""
_SERVER = "CASE WHEN {name} LIKE 'mcp\\_\\_%' ESCAPE '\\' THEN split_part({name}, '__', 2) END"
_INSERT_CALLS = f"""INSERT INTO tool_calls SELECT run_id, index, NULL, conversation_id, agent_id, tool_call_id, name,
        {_SERVER.format(name="name")}, CASE status WHEN 'running' THEN NULL ELSE status = 'done' END,
        coalesce(outcome, CASE status WHEN 'done' THEN 'ok' WHEN 'running' THEN NULL ELSE status END), ms, cost_usd,
        cost_usd IS NOT NULL, NULL, NULL, arguments, output, received_chars, printed_chars, started_at::TIMESTAMPTZ
    FROM each_step WHERE kind = 'tool'"""
_INSERT_NESTED = f"""INSERT INTO tool_calls SELECT run_id, index, place, conversation_id, agent_id, tool_call_id, c.name,
        {_SERVER.format(name="c.name")}, c.ok, CASE WHEN c.ok THEN 'ok' ELSE 'error' END, c.ms, c.cost_usd, c.metered,
        coalesce(c.gated, false), c.child_spent_usd, c.arguments, c.output, NULL, NULL, started_at::TIMESTAMPTZ
    FROM (SELECT * EXCLUDE (calls), unnest(calls) AS c, unnest(range(len(calls)))::INTEGER AS place FROM each_step WHERE len(calls) > 0)"""
_INSERT_APPROVALS = f"""INSERT INTO approvals SELECT approval_id, conversation_id, agent_id, run_id, call_id, kind, tool, status,
    always <> 0, reason, created_at::TIMESTAMPTZ, expires_at::TIMESTAMPTZ, decided_at::TIMESTAMPTZ,
    date_diff('millisecond', created_at::TIMESTAMPTZ, decided_at::TIMESTAMPTZ)
    FROM (SELECT unnest(from_json(raw, '{_APPROVAL}')) FROM (SELECT unnest($rows) AS raw))"""
_LINES = "(SELECT unnest(string_split($page, chr(10))) AS line)"
_NEW_CALLS = f"INSERT INTO new_calls SELECT unnest(from_json(line, '{_MODEL_CALL}')) FROM {_LINES}"
_NO_CALLS = f"CREATE OR REPLACE TEMP TABLE new_calls AS SELECT unnest(from_json('{{}}', '{_MODEL_CALL}')) LIMIT 0"
# A message belongs to the run with the last mark before it (TURN-89).
_INSERT_MODEL_CALLS = f"""INSERT INTO model_calls SELECT m.message_id, m.conversation_id, m.agent_id, r.run_id, m.seq, provider, model,
    {_PRICE}, {_TOKENS}, {_TIMES}
    FROM new_calls m ASOF LEFT JOIN (
        SELECT conversation_id, run_id, after_seq FROM runs
        WHERE after_seq IS NOT NULL AND conversation_id IN (SELECT conversation_id FROM new_calls)) r
    ON m.conversation_id = r.conversation_id AND m.seq > r.after_seq"""
_INSERT_SIDE_CALLS = f"""INSERT INTO side_calls
    SELECT id, agent_id, conversation_id, purpose, provider, model, {_PRICE}, {_TOKENS}, {_TIMES}
    FROM (SELECT unnest(from_json(line, '{_SIDE_CALL}')) FROM {_LINES})"""

_OF_RUNS, _OF_APPROVALS = ("runs", "steps", "tool_calls"), ("approvals",)
_KEYS = {"runs": "run_id", "steps": "run_id", "tool_calls": "run_id", "approvals": "approval_id", "model_calls": "conversation_id"}
_HELD_BY = {"runs": _OF_RUNS, "approvals": _OF_APPROVALS, "conversations": ("model_calls",)}


class Loader:
    """Brings one copy up to a state of the store. ``zone`` decides which day a time belongs to (ANL-9)."""

    def __init__(self, con: DuckDBPyConnection, db: Database, zone: str, masker: Masker) -> None:
        self._con = con
        self._db = db
        self._zone = zone
        self._masker = masker

    def load(self, after: copying.Marks) -> bool:
        """Copy what came after the marks and drop what is gone; whether something was dropped that a reader may still see."""
        self._forget_changed(RUN, after.change, _OF_RUNS)
        for rows in copying.changed_runs(self._db, after.change):
            self._runs(rows)
        self._forget_changed(APPROVAL, after.change, _OF_APPROVALS)
        for found in copying.changed_approvals(self._db, after.change):
            self._con.execute(_INSERT_APPROVALS, {"rows": [self._masker.masked(row) for row in found]})
        self._con.execute(_NO_CALLS)
        for page in copying.model_calls(self._db, after.message):
            self._con.execute(_NEW_CALLS, {"page": page})
        self._con.execute(_INSERT_MODEL_CALLS, {"zone": self._zone})
        for page in copying.side_calls(self._db, after.side_call):
            self._con.execute(_INSERT_SIDE_CALLS, {"page": page, "zone": self._zone})
        return self._drop_deleted(copying.deleted_from(self._db, after.change))

    def _runs(self, rows: Sequence[tuple[str, str]]) -> None:
        self._con.execute(_PAGE, {"heads": [head for head, _ in rows], "steps": [steps for _, steps in rows]})
        self._masker.clean_page(self._con)
        for statement in (_HEADS, _EACH_STEP, _INSERT_STEPS, _INSERT_CALLS, _INSERT_NESTED):
            self._con.execute(statement)
        self._con.execute(_INSERT_RUNS, {"zone": self._zone})

    def _forget_changed(self, kind: str, after: int, tables: tuple[str, ...]) -> None:
        """Rows that are about to be written again."""
        self._ids(copying.changed_ids(self._db, kind, after))
        first = tables[0]
        found = self._con.execute(f"SELECT count(*) FROM {first} SEMI JOIN ids ON {first}.{_KEYS[first]} = ids.id").fetchone()
        if found is not None and found[0]:
            for table in tables:
                self._con.execute(f"DELETE FROM {table} WHERE {_KEYS[table]} IN (SELECT id FROM ids)")

    def _drop_deleted(self, sources: frozenset[str]) -> bool:
        """ANL-7: what no longer stands in the store."""
        dropped = 0
        for source in sources:
            self._ids(copying.existing_ids(self._db, source))
            for table in _HELD_BY[source]:
                key = _KEYS[table]
                done = self._con.execute(f"DELETE FROM {table} WHERE {key} IS NOT NULL AND {key} NOT IN (SELECT id FROM ids)").fetchone()
                dropped += done[0] if done else 0
        return dropped > 0

    def _ids(self, pages: Iterator[str]) -> None:
        self._con.execute("CREATE OR REPLACE TEMP TABLE ids (id VARCHAR)")
        for page in pages:
            self._con.execute("""INSERT INTO ids SELECT unnest(from_json($page, '["VARCHAR"]'))""", {"page": page})


def counted(con: DuckDBPyConnection) -> dict[str, int]:
    """How many rows each table holds (ANL-6)."""
    found = {}
    for table in TABLES:
        row = con.execute(f"SELECT count(*) FROM {table}").fetchone()
        found[table] = int(row[0]) if row else 0
    return found

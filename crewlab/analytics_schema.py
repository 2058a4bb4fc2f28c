"""Tables and views of the analytics store (ANL-10 to ANL-15), as data: imports nothing.

The engine fills a file of this shape; the notebook side makes an empty one when there is none yet. Money is USD and NULL when it
is not known (ANL-9). The keys named in the comments are held by the copy, not by an index: an index over millions of rows would
cost more than all questions.
"""

from __future__ import annotations

SCHEMA_VERSION = 1  # a file of another version is built again (ANL-1)

_TOKENS = ("prompt_tokens BIGINT", "completion_tokens BIGINT", "cached_tokens BIGINT", "reasoning_tokens BIGINT")
_MONEY = ("cost_usd DOUBLE", "cost_known BOOLEAN", "cost_estimated BOOLEAN")

TABLES: dict[str, tuple[str, ...]] = {
    "runs": (  # ANL-10, key run_id
        *("run_id VARCHAR", "agent_id VARCHAR", "source VARCHAR", "source_kind VARCHAR", "job_id VARCHAR"),
        *("parent_conversation_id VARCHAR", "conversation_id VARCHAR", "status VARCHAR", "halt_reason VARCHAR", "summary VARCHAR"),
        *("started_at TIMESTAMPTZ", "ended_at TIMESTAMPTZ", "duration_ms BIGINT"),
        *("cost_usd DOUBLE", "cost_known BOOLEAN", "unknown_cost_calls BIGINT"),
        *("steps INTEGER", "model_calls INTEGER", "tool_calls INTEGER", "tool_errors INTEGER", "resumed BOOLEAN", "after_seq BIGINT"),
        *("prompt_chars BIGINT", "definition_chars BIGINT", "day DATE"),
    ),
    "steps": (  # ANL-11, key run_id and step_index
        *("run_id VARCHAR", "step_index INTEGER", "kind VARCHAR", "status VARCHAR", "name VARCHAR", "route VARCHAR"),
        *("started_at TIMESTAMPTZ", "ms BIGINT", "cost_usd DOUBLE", "text VARCHAR"),
    ),
    "model_calls": (  # ANL-12, key message_id
        *("message_id BIGINT", "conversation_id VARCHAR", "agent_id VARCHAR", "run_id VARCHAR", "seq BIGINT"),
        *("provider VARCHAR", "model VARCHAR", *_MONEY, *_TOKENS, "created_at TIMESTAMPTZ", "day DATE"),
    ),
    "tool_calls": (  # ANL-13, SCR-209, key run_id, step_index and call_index
        *("run_id VARCHAR", "step_index INTEGER", "call_index INTEGER", "conversation_id VARCHAR", "agent_id VARCHAR"),
        *("tool_call_id VARCHAR", "tool VARCHAR", "mcp_server VARCHAR", "ok BOOLEAN", "outcome VARCHAR", "ms BIGINT"),
        *("cost_usd DOUBLE", "metered BOOLEAN", "gated BOOLEAN", "child_spent_usd DOUBLE", "arguments JSON", "output_head VARCHAR"),
        *("received_chars BIGINT", "printed_chars BIGINT", "started_at TIMESTAMPTZ"),
    ),
    "approvals": (  # ANL-14, key approval_id
        *("approval_id VARCHAR", "conversation_id VARCHAR", "agent_id VARCHAR", "run_id VARCHAR", "call_id VARCHAR", "kind VARCHAR"),
        *("tool VARCHAR", "status VARCHAR", "always BOOLEAN", "reason VARCHAR", "created_at TIMESTAMPTZ", "expires_at TIMESTAMPTZ"),
        *("decided_at TIMESTAMPTZ", "waited_ms BIGINT"),
    ),
    "side_calls": (  # ANL-14, key id
        *("id BIGINT", "agent_id VARCHAR", "conversation_id VARCHAR", "purpose VARCHAR", "provider VARCHAR", "model VARCHAR"),
        *(*_MONEY, *_TOKENS, "created_at TIMESTAMPTZ", "day DATE"),
    ),
    "meta": (  # ANL-14, one row
        *("schema_version INTEGER", "crewlab_version VARCHAR", "published_at TIMESTAMPTZ", "through_message_id BIGINT"),
        *("through_side_call_id BIGINT", "through_change BIGINT", "timezone VARCHAR", "clean_from BIGINT"),
    ),
}

_LEDGER = "provider, model, cost_usd, cost_known, cost_estimated, prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens"
_SUMS = """sum(cost_usd) AS cost_usd, count(*) AS calls, count(*) FILTER (NOT cost_known) AS unknown_calls,
    count(*) FILTER (cost_known AND cost_estimated) AS estimated_calls, bool_and(cost_known) AS complete,
    sum(prompt_tokens)::BIGINT AS prompt_tokens, sum(completion_tokens)::BIGINT AS completion_tokens,
    sum(cached_tokens)::BIGINT AS cached_tokens, sum(reasoning_tokens)::BIGINT AS reasoning_tokens"""

CHARS_A_TOKEN = 4

VIEWS: dict[str, str] = {
    # Every paid call once, as GET /crewlab/api/stats counts them.
    "ledger": f"""SELECT 'turn' AS purpose, agent_id, conversation_id, run_id, {_LEDGER}, created_at, day FROM model_calls
        UNION ALL SELECT purpose, agent_id, conversation_id, NULL AS run_id, {_LEDGER}, created_at, day FROM side_calls""",
    "cost_by_day": f"SELECT day, {_SUMS} FROM ledger GROUP BY day ORDER BY day",
    "cost_by_model": f"SELECT provider, model, {_SUMS} FROM ledger GROUP BY provider, model ORDER BY cost_usd DESC NULLS LAST, calls DESC",
    "cost_by_agent": f"SELECT agent_id, {_SUMS} FROM ledger GROUP BY agent_id ORDER BY cost_usd DESC NULLS LAST, calls DESC",
    # First counted per tool and duration: calls are many, durations few. The quantiles are those of all calls.
    "tool_reliability": """WITH durations AS (
            SELECT tool, ms, count(*) AS n, count(*) FILTER (NOT ok) AS failed FROM tool_calls WHERE ok IS NOT NULL GROUP BY tool, ms
        ), counted AS (
            SELECT tool, ms, n, failed, sum(n) OVER (PARTITION BY tool, ms IS NULL ORDER BY ms) AS upto,
                sum(n) OVER (PARTITION BY tool, ms IS NULL) AS measured FROM durations
        ) SELECT tool, sum(n)::BIGINT AS calls, sum(failed)::BIGINT AS errors, round(sum(failed) / sum(n), 4) AS error_share,
            min(ms) FILTER (upto >= 0.5 * measured) AS median_ms, min(ms) FILTER (upto >= 0.95 * measured) AS p95_ms, max(ms) AS longest_ms
        FROM counted GROUP BY tool ORDER BY errors DESC, calls DESC""",
    "approval_waits": """SELECT tool, kind, count(*) AS requests, count(*) FILTER (status = 'pending') AS pending,
            count(*) FILTER (status IN ('approved', 'answered')) AS granted, count(*) FILTER (status = 'denied') AS denied,
            count(*) FILTER (status = 'expired') AS expired, quantile_disc(waited_ms, 0.5) AS median_ms,
            quantile_disc(waited_ms, 0.95) AS p95_ms, max(waited_ms) AS longest_ms
        FROM approvals GROUP BY tool, kind ORDER BY pending DESC, requests DESC""",
    # PTL-145: what the fixed part of the prompt (system prompt and definitions) has cost each run.
    "prompt_cost": f"""WITH calls AS (
            SELECT run_id, count(*) AS model_calls, sum(prompt_tokens)::BIGINT AS input_tokens, arg_min(prompt_tokens, seq) AS first_tokens
            FROM model_calls WHERE run_id IS NOT NULL GROUP BY run_id
        ), fixed AS (
            SELECT c.run_id, r.agent_id, r.day, c.model_calls, r.prompt_chars, r.definition_chars, c.input_tokens,
                CASE WHEN r.prompt_chars IS NOT NULL THEN c.model_calls * least(
                    ceil((r.prompt_chars + coalesce(r.definition_chars, 0)) / {CHARS_A_TOKEN})::BIGINT, c.first_tokens) END AS fixed_tokens
            FROM calls c JOIN runs r ON r.run_id = c.run_id
        ) SELECT *, round(fixed_tokens / nullif(input_tokens, 0), 4) AS fixed_share FROM fixed""",
}


def statements(schema: str = "main") -> list[str]:
    """What makes an empty store in ``schema`` of a DuckDB database."""
    tables = [f"CREATE TABLE {schema}.{name} ({', '.join(columns)})" for name, columns in TABLES.items()]
    return [*tables, *(f"CREATE VIEW {schema}.{name} AS {query}" for name, query in VIEWS.items())]


def names(table: str) -> list[str]:
    """The columns of a table."""
    return [column.split(" ", 1)[0] for column in TABLES[table]]

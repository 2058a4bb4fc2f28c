"""The usage ledger: sums over ``messages`` and ``side_calls``, and over nothing else (COST-20, COST-21)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from crewlab.engine.store.db import Database, open_connection

TURN = "turn"  # COST-20: the purpose of the calls of turns

# An answer of a model is an assistant message with its provider: copies in a fork (FRK-4) and partial texts have none.
_CALLS = """
    SELECT 'turn' AS purpose, c.agent_id, m.provider, m.model, m.cost_usd, m.cost_estimated, m.prompt_tokens, m.completion_tokens,
        m.cached_tokens, m.reasoning_tokens, m.created_at
    FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.role = 'assistant' AND m.provider IS NOT NULL
    UNION ALL
    SELECT purpose, agent_id, provider, model, cost_usd, cost_estimated, prompt_tokens, completion_tokens,
        cached_tokens, reasoning_tokens, created_at FROM side_calls
"""
_SUMS = """
    SELECT purpose, agent_id, provider, model, {day} AS day, total(cost_usd) AS cost_usd, sum(cost_usd IS NULL) AS unknown,
        sum(cost_estimated AND cost_usd IS NOT NULL) AS estimated, count(*) AS calls,
        coalesce(sum(prompt_tokens), 0) AS prompt_tokens, coalesce(sum(completion_tokens), 0) AS completion_tokens,
        coalesce(sum(cached_tokens), 0) AS cached_tokens, coalesce(sum(reasoning_tokens), 0) AS reasoning_tokens
    FROM ({calls}) {where} GROUP BY 1, 2, 3, 4, 5
"""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """The calls of one purpose, agent, model and day. ``day`` is a place among the starts that were asked for, -1 before the first."""

    purpose: str
    agent_id: str
    provider: str
    model: str
    day: int
    cost_usd: float
    unknown: int
    estimated: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    reasoning_tokens: int


class Ledger:
    """Reads of the ledger."""

    def __init__(self, db: Database) -> None:
        self._db = db

    @property
    def writes(self) -> int:
        """The store's write counter: while it stands, sums stay what they are (DB-6, COST-22)."""
        return self._db.writes

    def sums(self, starts: Sequence[str], *, before: bool = True) -> list[LedgerRow]:
        """The sums, with days that begin at ``starts`` (ascending, as stored); without ``before`` nothing earlier than the first.

        For a worker thread: opens its own connection (DB-5).
        """
        whens = " ".join(f"WHEN created_at >= ? THEN {place}" for place in reversed(range(len(starts))))
        sql = _SUMS.format(day=f"CASE {whens} ELSE -1 END", calls=_CALLS, where="" if before else "WHERE created_at >= ?")
        values = [*reversed(starts), *([] if before else starts[:1])]
        with closing(open_connection(self._db.path, readonly=True)) as connection:
            rows = connection.execute(sql, values).fetchall()
        return [LedgerRow(**{name: row[name] for name in row.keys()}) for row in rows]  # noqa: SIM118 - a Row iterates over its values

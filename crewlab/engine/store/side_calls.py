"""Table ``side_calls``: model calls outside the turn loop, numbers only (COST-8)."""

from __future__ import annotations

from crewlab.engine.store.db import Database

NO_TOKENS = (None, None, None, None)  # what is known of an abandoned call


class SideCalls:
    """Writes of the ledger."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def insert(
        self,
        agent_id: str,
        conversation_id: str | None,
        purpose: str,
        route: tuple[str, str],
        cost_usd: float | None,
        tokens: tuple[int | None, int | None, int | None, int | None],
        created_at: str,
        *,
        estimated: bool = False,
    ) -> None:
        """Store one call; ``route`` is provider and model, ``tokens`` as in ``Messages.append``."""
        self._db.write(
            "INSERT INTO side_calls (agent_id, conversation_id, purpose, provider, model, cost_usd, cost_estimated, prompt_tokens,"
            " completion_tokens, cached_tokens, reasoning_tokens, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (agent_id, conversation_id, purpose, *route, cost_usd, estimated, *tokens, created_at),
        )

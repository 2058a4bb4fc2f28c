"""What later versions of the schema changed; ``schema.py`` runs them in their order."""

from __future__ import annotations

MONEY = (  # EST-2, CMP-6
    "ALTER TABLE messages ADD COLUMN cost_estimated INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE side_calls ADD COLUMN cost_estimated INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE conversations ADD COLUMN estimated_cost_calls INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE runs ADD COLUMN estimated_cost_calls INTEGER NOT NULL DEFAULT 0",
    """CREATE TABLE compactions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        run_id TEXT NOT NULL,
        through_seq INTEGER NOT NULL,
        at_seq INTEGER NOT NULL,
        text TEXT NOT NULL,
        tokens_before INTEGER NOT NULL,
        tokens_after INTEGER NOT NULL,
        created_at TEXT NOT NULL
    )""",
    "CREATE INDEX compactions_by_conversation ON compactions(conversation_id, id)",
)

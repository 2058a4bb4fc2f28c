"""Schema of ``memory_proposals`` (MEMF-10)."""

from __future__ import annotations

PROPOSALS = (
    """CREATE TABLE memory_proposals (
        id TEXT PRIMARY KEY,
        agent_id TEXT NOT NULL,
        conversation_id TEXT,
        operation TEXT NOT NULL CHECK (operation IN ('save', 'forget', 'rewrite')),
        target TEXT NOT NULL,
        before_text TEXT,
        after_text TEXT,
        reason TEXT NOT NULL,
        run_id TEXT,
        status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected', 'reverted')),
        created_at TEXT NOT NULL,
        decided_at TEXT
    )""",
    "CREATE INDEX memory_proposals_by_status ON memory_proposals(status, created_at DESC)",
)

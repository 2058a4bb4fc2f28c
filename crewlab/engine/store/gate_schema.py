"""What the gate added to the table of requests."""

from __future__ import annotations

GATE = (  # ASK-1, ASKU-9, FI-1
    "ALTER TABLE approvals ADD COLUMN binding TEXT",
    "ALTER TABLE approvals ADD COLUMN again INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE approvals ADD COLUMN labels TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE approvals ADD COLUMN read_before TEXT",
)

"""Table ``changes``: in which order runs and approvals were written last, for copies that follow the store (ANL-5).

Triggers keep it, so no way of writing is missed. ``n`` never goes back, whatever the clock does and whatever is deleted. A
deletion leaves one row per table that says when the last one was, and nothing of what is gone.
"""

from __future__ import annotations

RUN, APPROVAL, DELETED = "run", "approval", "deleted"
CONVERSATIONS = "conversations"

_FOLLOWED = ((RUN, "runs"), (APPROVAL, "approvals"))


def _note(event: str, kind: str, table: str, row: str) -> str:
    return f"""CREATE TRIGGER {table}_{event.lower()}_noted AFTER {event} ON {table} BEGIN
        DELETE FROM changes WHERE kind = '{kind}' AND id = {row}.id;
        INSERT INTO changes (kind, id) VALUES ('{kind}', {row}.id);
    END"""


def _gone(table: str, kind: str | None) -> str:
    own = f"DELETE FROM changes WHERE kind = '{kind}' AND id = OLD.id;" if kind else ""
    return f"""CREATE TRIGGER {table}_delete_noted AFTER DELETE ON {table} BEGIN
        {own}
        DELETE FROM changes WHERE kind = '{DELETED}' AND id = '{table}';
        INSERT INTO changes (kind, id) VALUES ('{DELETED}', '{table}');
    END"""


CHANGES = (
    "CREATE TABLE changes (n INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL, UNIQUE (kind, id))",
    *(_note(event, kind, table, "NEW") for kind, table in _FOLLOWED for event in ("INSERT", "UPDATE")),
    *(_gone(table, kind) for kind, table in _FOLLOWED),
    _gone(CONVERSATIONS, None),
    *(f"INSERT INTO changes (kind, id) SELECT '{kind}', id FROM {table} ORDER BY rowid" for kind, table in _FOLLOWED),
)
"""The migration; what is there already counts as changed."""

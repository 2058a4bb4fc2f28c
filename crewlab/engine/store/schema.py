"""The tables, as numbered migrations (DB-4, DB-7, DB-8).

``PRAGMA user_version`` holds the number of the last migration. A migration is never edited once
released; a later one changes what it made. All missing ones run in one transaction.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from crewlab.engine.errors import StartupStop
from crewlab.engine.store.attachments import ATTACHMENTS
from crewlab.engine.store.canvas_schema import CANVASES
from crewlab.engine.store.changes import CHANGES
from crewlab.engine.store.channels import CHANNELS
from crewlab.engine.store.children import CHILDREN
from crewlab.engine.store.gate_schema import GATE
from crewlab.engine.store.jobs import JOBS
from crewlab.engine.store.migrations import MONEY
from crewlab.engine.store.proposals_schema import PROPOSALS
from crewlab.engine.store.script_store import SCRIPT_STORE
from crewlab.engine.store.search_schema import SEARCH
from crewlab.engine.texts import Texts

_V1 = (
    """CREATE TABLE conversations (
        id TEXT PRIMARY KEY,
        agent_id TEXT NOT NULL,
        title TEXT NOT NULL DEFAULT '',
        title_source TEXT NOT NULL DEFAULT 'first_words' CHECK (title_source IN ('first_words', 'model', 'person')),
        source TEXT NOT NULL,
        autonomous INTEGER NOT NULL DEFAULT 0,
        auto_approve TEXT NOT NULL DEFAULT '[]',
        skills TEXT NOT NULL DEFAULT '[]',
        plan INTEGER NOT NULL DEFAULT 0,
        vibe INTEGER NOT NULL DEFAULT 0,
        tier_cap TEXT NOT NULL DEFAULT 'exec' CHECK (tier_cap IN ('read', 'write', 'exec')),
        cost_cap_usd REAL NOT NULL DEFAULT 0,
        spent_usd REAL NOT NULL DEFAULT 0,
        unknown_cost_calls INTEGER NOT NULL DEFAULT 0,
        delegated_usd REAL NOT NULL DEFAULT 0,
        approval_ttl_seconds INTEGER,
        forked_from TEXT REFERENCES conversations(id) ON DELETE SET NULL,
        parent_id TEXT REFERENCES conversations(id) ON DELETE SET NULL,
        parent_call_id TEXT,
        root_id TEXT,
        chain_source TEXT,
        summary TEXT,
        summary_through_seq INTEGER,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
    )""",
    "CREATE INDEX conversations_by_agent ON conversations(agent_id, updated_at DESC)",
    "CREATE INDEX conversations_by_parent ON conversations(parent_id)",
    "CREATE INDEX conversations_by_fork ON conversations(forked_from)",
    """CREATE TABLE messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        seq INTEGER NOT NULL,
        role TEXT NOT NULL CHECK (role IN ('user', 'assistant', 'tool')),
        content TEXT NOT NULL,
        tool_calls TEXT,
        tool_call_id TEXT,
        name TEXT,
        provider TEXT,
        model TEXT,
        cost_usd REAL,
        prompt_tokens INTEGER,
        completion_tokens INTEGER,
        cached_tokens INTEGER,
        reasoning_tokens INTEGER,
        written_by TEXT CHECK (written_by IN ('person', 'agent', 'job', 'kit')),
        context TEXT,
        created_at TEXT NOT NULL,
        UNIQUE (conversation_id, seq)
    )""",
    """CREATE TABLE message_requests (
        conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        request_id TEXT NOT NULL,
        message_id INTEGER NOT NULL,
        PRIMARY KEY (conversation_id, request_id)
    ) WITHOUT ROWID""",
    """CREATE TABLE queued_messages (
        item_id INTEGER PRIMARY KEY AUTOINCREMENT,
        conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('follow_up', 'steer')),
        text TEXT NOT NULL,
        source TEXT NOT NULL,
        timezone TEXT,
        attachments TEXT NOT NULL DEFAULT '[]',
        request_id TEXT,
        created_at TEXT NOT NULL,
        UNIQUE (conversation_id, request_id)
    )""",
    "CREATE INDEX queued_by_conversation ON queued_messages(conversation_id, item_id)",
    """CREATE TABLE approvals (
        id TEXT PRIMARY KEY,
        conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        agent_id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        call_id TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('tool', 'question')),
        tool TEXT NOT NULL,
        arguments TEXT NOT NULL,
        summary TEXT,
        reason TEXT,
        question TEXT,
        options TEXT NOT NULL DEFAULT '[]',
        "default" TEXT,
        context TEXT,
        allow_free_text INTEGER NOT NULL DEFAULT 1,
        multi_select INTEGER NOT NULL DEFAULT 0,
        nested_in TEXT,
        preview TEXT,
        status TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'denied', 'expired', 'answered')),
        always INTEGER NOT NULL DEFAULT 0,
        answer TEXT,
        skipped INTEGER NOT NULL DEFAULT 0,
        created_at TEXT NOT NULL,
        expires_at TEXT NOT NULL,
        decided_at TEXT
    )""",
    "CREATE UNIQUE INDEX one_pending_approval ON approvals(conversation_id) WHERE status = 'pending'",
    "CREATE INDEX approvals_by_call ON approvals(conversation_id, call_id)",
    "CREATE INDEX approvals_by_time ON approvals(created_at DESC)",
    """CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        agent_id TEXT NOT NULL,
        source TEXT NOT NULL,
        conversation_id TEXT,
        status TEXT NOT NULL CHECK (status IN ('running', 'waiting', 'done', 'halted', 'error')),
        halt_reason TEXT,
        steps TEXT NOT NULL DEFAULT '[]',
        cost_usd REAL NOT NULL DEFAULT 0,
        unknown_cost_calls INTEGER NOT NULL DEFAULT 0,
        summary TEXT NOT NULL DEFAULT '',
        label TEXT,
        relayed_from TEXT,
        after_seq INTEGER,
        resumed INTEGER NOT NULL DEFAULT 0,
        timezone TEXT,
        tools TEXT NOT NULL DEFAULT '[]',
        prompt_chars INTEGER,
        definition_chars INTEGER,
        payer TEXT,
        started_at TEXT NOT NULL,
        ended_at TEXT
    )""",
    "CREATE INDEX runs_by_time ON runs(started_at DESC)",
    "CREATE INDEX runs_by_conversation ON runs(conversation_id, started_at DESC)",
    "CREATE INDEX runs_by_agent ON runs(agent_id, started_at DESC)",
    "CREATE INDEX runs_open ON runs(status) WHERE status IN ('running', 'waiting')",
    """CREATE TABLE side_calls (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        agent_id TEXT NOT NULL,
        conversation_id TEXT,
        purpose TEXT NOT NULL,
        provider TEXT NOT NULL,
        model TEXT NOT NULL,
        cost_usd REAL,
        prompt_tokens INTEGER,
        completion_tokens INTEGER,
        cached_tokens INTEGER,
        reasoning_tokens INTEGER,
        payer TEXT,
        created_at TEXT NOT NULL
    )""",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    *(_V1, SEARCH, MONEY, JOBS, PROPOSALS, GATE, CHANNELS, CANVASES, CHILDREN, SCRIPT_STORE, CHANGES, ATTACHMENTS),
)
SCHEMA_VERSION = len(MIGRATIONS)


MAGIC = b"SQLite format 3\0"
HEADER_BYTES = 100
VERSION_AT = 60  # where the header of an SQLite file holds ``user_version``


def look(path: Path, texts: Texts) -> str | None:
    """Why a store could not be opened, as far as its first bytes tell; ``None`` when nothing speaks against it.

    Opens no database, takes no lock and writes nothing (DB-14).
    """
    try:
        with path.open("rb") as file:
            header = file.read(HEADER_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        return texts("store.broken", file=str(path), error=error.strerror)
    if header and (not header.startswith(MAGIC) or len(header) < HEADER_BYTES):
        return texts("store.broken", file=str(path), error=texts("store.no_database"))
    found = int.from_bytes(header[VERSION_AT : VERSION_AT + 4], "big")
    return texts("store.newer", file=str(path), found=found, known=SCHEMA_VERSION) if found > SCHEMA_VERSION else None


def apply_schema(connection: sqlite3.Connection, path: Path, texts: Texts, migrations: tuple[tuple[str, ...], ...] = MIGRATIONS) -> None:
    """Bring the file to the newest schema in one transaction (DB-4).

    Raises ``StartupStop`` for a file of a newer crewlab (DB-7). Before an upgrade the file is
    copied to ``<name>.bak-<old version>``.
    """
    newest = len(migrations)
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > newest:
        raise StartupStop(texts("store.newer", file=str(path), found=version, known=newest))
    if version == newest:
        return
    if version:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        import shutil  # brings the compression modules; an upgrade is rare

        shutil.copy2(path, path.with_name(f"{path.name}.bak-{version}"))
    connection.execute("BEGIN IMMEDIATE")
    try:
        for statements in migrations[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version={newest}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise

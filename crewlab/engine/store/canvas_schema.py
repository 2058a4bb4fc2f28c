"""Tables of canvases (CNV-1, CNV-2, CNV-15; DB-8).

A deleted canvas keeps its row without versions, so that those who knew it can be told (CNV-99); the row goes with the
root conversation. ``folded`` is the title as searches compare it. ``agent_id`` is the agent of the conversation it was made
in, ``source_agent_id`` the one from whose workspace it was imported. Of a mark, ``told``, ``title`` and ``gone`` are what
the last note said, ``changes`` the diff from ``known`` to ``changes_to`` for the next one (CNV-100).
"""

from __future__ import annotations

CANVASES = (
    """CREATE TABLE canvases (
        id TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        folded TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('markdown', 'code', 'html', 'svg', 'mermaid', 'image')),
        language TEXT,
        agent_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL,
        root_conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        run_id TEXT,
        source_path TEXT,
        source_agent_id TEXT,
        version INTEGER NOT NULL,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        deleted INTEGER NOT NULL DEFAULT 0
    )""",
    "CREATE INDEX canvases_by_time ON canvases(updated_at DESC, id DESC)",
    "CREATE INDEX canvases_by_root ON canvases(root_conversation_id)",
    "CREATE INDEX canvases_by_agent ON canvases(agent_id)",
    "CREATE INDEX canvases_by_run ON canvases(run_id)",
    """CREATE TABLE canvas_versions (
        canvas_id TEXT NOT NULL REFERENCES canvases(id) ON DELETE CASCADE,
        version INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        author TEXT NOT NULL,
        how TEXT NOT NULL CHECK (how IN ('create', 'edit', 'rewrite', 'import', 'save', 'restore')),
        conversation_id TEXT,
        run_id TEXT,
        created_at TEXT NOT NULL,
        content BLOB NOT NULL,
        PRIMARY KEY (canvas_id, version)
    )""",
    "CREATE INDEX canvas_versions_by_size ON canvas_versions(bytes)",  # the sum of all is read from the index alone (CNV-9)
    "CREATE INDEX canvas_versions_by_conversation ON canvas_versions(conversation_id, created_at)",
    """CREATE TABLE canvas_marks (
        conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
        canvas_id TEXT NOT NULL REFERENCES canvases(id) ON DELETE CASCADE,
        known INTEGER NOT NULL DEFAULT 0,
        whole INTEGER NOT NULL DEFAULT 0,
        pages TEXT NOT NULL DEFAULT '{}',
        told INTEGER NOT NULL DEFAULT 0,
        title TEXT,
        gone INTEGER NOT NULL DEFAULT 0,
        changes TEXT,
        changes_to INTEGER,
        PRIMARY KEY (conversation_id, canvas_id)
    ) WITHOUT ROWID""",
    "CREATE INDEX canvas_marks_by_canvas ON canvas_marks(canvas_id)",
)

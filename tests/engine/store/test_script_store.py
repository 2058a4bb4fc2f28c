"""The table of what scripts keep, and the upgrade that brings it."""

import sqlite3

import pytest

from crewlab.engine.store.db import open_connection
from crewlab.engine.store.schema import MIGRATIONS, apply_schema
from crewlab.engine.store.script_store import SCRIPT_STORE
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts

NOW = "2026-01-05T00:30:02+00:00"


@pytest.mark.spec("DB-4", "DB-7", "STO-22", "STO-26")
def test_an_older_file_gets_the_table_and_its_conversations_take_their_rows_with_them(tmp_path):
    path = tmp_path / "crew.db"
    place = MIGRATIONS.index(SCRIPT_STORE)
    old = open_connection(path)
    apply_schema(old, path, Texts(), MIGRATIONS[:place])
    for name in ("c1", "c2"):
        row = (name, "ada", "chat", NOW, NOW)
        old.execute("INSERT INTO conversations (id, agent_id, source, created_at, updated_at) VALUES (?, ?, ?, ?, ?)", row)
    old.close()
    store = Store(path, Texts())
    columns = [(row["name"], row["pk"]) for row in store.db.rows("PRAGMA table_info(script_store)")]
    assert columns == [("agent_id", 1), ("namespace", 2), ("key", 3), ("value_json", 0), ("updated_at", 0)]
    for namespace in ("conv:c1", "conv:c2", "job:c1"):
        store.script_store.apply("ada", namespace, {"a": "1"}, NOW)
    store.script_store.apply("eva", "conv:c1", {"a": "1"}, NOW)
    assert store.conversations.delete("c1")
    left = [(row["agent_id"], row["namespace"]) for row in store.db.rows("SELECT agent_id, namespace FROM script_store ORDER BY 1, 2")]
    assert left == [("ada", "conv:c2"), ("ada", "job:c1"), ("eva", "conv:c1")]
    store.close()
    assert sqlite3.connect(path.with_name(f"crew.db.bak-{place}")).execute("PRAGMA user_version").fetchone() == (place,)

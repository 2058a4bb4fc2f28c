"""The one path by which children are found (DLG-34), and the index it needs."""

import sqlite3

import pytest

from crewlab.engine.store.children import CHILDREN, is_child, parent_in, source_of
from crewlab.engine.store.db import open_connection
from crewlab.engine.store.schema import MIGRATIONS, apply_schema
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts


@pytest.mark.spec("DB-4", "DB-7")
def test_an_older_file_gets_the_index_when_it_is_upgraded(tmp_path):
    path = tmp_path / "crew.db"
    place = MIGRATIONS.index(CHILDREN)
    old = open_connection(path)
    apply_schema(old, path, Texts(), MIGRATIONS[:place])
    row = ("c1", "ada", "delegate:p", "call_1", "", "")
    old.execute("INSERT INTO conversations (id, agent_id, source, parent_call_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)", row)
    old.close()
    store = Store(path, Texts())
    assert store.children.opened_by("p", "call_1") == "c1"
    assert store.children.opened_by("other", "call_1") is None
    plan = store.db.rows("EXPLAIN QUERY PLAN SELECT id FROM conversations WHERE parent_call_id = ? AND source = ?", ("a", "b"))
    assert any("conversations_by_call" in row["detail"] for row in plan)
    store.close()
    assert sqlite3.connect(path.with_name(f"crew.db.bak-{place}")).execute("PRAGMA user_version").fetchone() == (place,)


@pytest.mark.parametrize(
    ("source", "child", "parent"),
    [("delegate:c1", True, "c1"), ("vibe:c1", True, None), ("delegate:", True, None), ("chat", False, None), ("job:a/b", False, None)],
)
def test_sources_say_whose_work_it_is(source, child, parent):
    assert (is_child(source), parent_in(source)) == (child, parent)
    assert parent_in(source_of("c9")) == "c9"

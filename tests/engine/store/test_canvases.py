import sqlite3
from contextlib import closing

import pytest

from crewlab.engine.store import schema
from crewlab.engine.store.canvas_marks import Mark
from crewlab.engine.store.canvases import Origin, StoredCanvas
from crewlab.engine.store.db import open_connection
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts

AT = "2026-01-01T00:00:00.000000+00:00"
EN = Texts("en")
BEFORE = schema.MIGRATIONS.index(schema.CANVASES)


def conversation(store, name="c_1"):
    store.conversations.insert({"id": name, "agent_id": "default", "source": "chat", "root_id": name, "created_at": AT, "updated_at": AT})


def canvas(name="canvas01", root="c_1"):
    return StoredCanvas(name, "T", "markdown", None, "default", root, root, None, None, 1, 1, "user", AT, AT, False)


@pytest.fixture
def store(tmp_path):
    found = Store(tmp_path / "crew.db", EN)
    conversation(found)
    yield found
    found.close()


@pytest.mark.spec("DB-4", "DB-8")
@pytest.mark.parametrize("old", range(1, BEFORE + 1))
def test_a_file_of_each_earlier_version_gains_the_tables_and_keeps_its_rows(tmp_path, old):
    path = tmp_path / "crew.db"
    with closing(open_connection(path)) as connection:
        schema.apply_schema(connection, path, EN, schema.MIGRATIONS[:old])
        connection.execute(
            "INSERT INTO conversations (id, agent_id, source, created_at, updated_at) VALUES ('c_old', 'default', 'chat', ?, ?)", (AT, AT)
        )
    store = Store(path, EN)
    try:
        assert store.canvases.chain("c_old").root == "c_old"  # a row from before roots were kept is its own root
        store.canvases.insert(canvas(root="c_old"), "t", b"x", Origin("user", "create"))
        assert store.canvases.used() == 1
    finally:
        store.close()


@pytest.mark.spec("CNV-2", "CNV-5", "CNV-29")
def test_a_version_is_added_to_the_newest_one_only_and_never_changed(store):
    store.canvases.insert(canvas(), "t", b"1", Origin("user", "create"))
    base = store.canvases.get("canvas01")
    assert store.canvases.add_version(base, b"22", Origin("user", "save"), AT)
    assert not store.canvases.add_version(base, b"333", Origin("agent:default", "edit"), AT)
    assert [(each.version, each.bytes) for each in store.canvases.versions("canvas01")] == [(2, 2), (1, 1)]
    assert store.canvases.content("canvas01", 1) == b"1"
    newest = store.canvases.get("canvas01")
    assert (newest.version, newest.bytes, newest.author) == (2, 2, "user")
    with pytest.raises(sqlite3.IntegrityError):
        store.canvases._insert_version("canvas01", 2, b"x", Origin("user", "save"), AT)
    store.canvases.delete("canvas01", AT)
    assert not store.canvases.add_version(newest, b"x", Origin("user", "save"), AT)


@pytest.mark.spec("CNV-5")
def test_a_canvas_and_its_version_are_one_commit(store):
    with pytest.raises(RuntimeError), store.transaction():
        store.canvases.insert(canvas(), "t", b"1", Origin("user", "create"))
        raise RuntimeError
    assert store.canvases.get("canvas01") is None
    with pytest.raises(sqlite3.IntegrityError):
        store.canvases.insert(canvas(), "t", b"1", Origin("user", "poem"))  # type: ignore[arg-type]
    assert store.canvases.get("canvas01") is None


@pytest.mark.spec("CNV-12", "CNV-129")
def test_what_is_deleted_leaves_no_bytes_and_goes_with_its_root(store):
    store.canvases.insert(canvas(), "t", b"1", Origin("user", "create"))
    store.canvas_marks.put("c_1", "canvas01", Mark(known=1, pages={1: [[0, 1]]}))
    assert store.canvases.delete("canvas01", AT)
    assert not store.canvases.delete("canvas01", AT)
    assert store.canvases.used() == 0
    assert store.canvas_marks.get("c_1", "canvas01") == Mark(known=1)
    store.conversations.delete("c_1")
    assert store.canvases.get("canvas01") is None
    assert store.canvas_marks.of_conversation("c_1") == {}


@pytest.mark.spec("CNV-15", "CNV-16")
def test_marks_belong_to_the_conversation_and_survive_a_restart(tmp_path, store):
    conversation(store, "c_2")
    store.canvases.insert(canvas(), "t", b"1", Origin("user", "create"))
    mark = Mark(known=3, whole=2, pages={3: [[0, 5], [7, 9]]}, told=3, title="T", changes="d", changes_to=4)
    store.canvas_marks.put("c_1", "canvas01", mark)
    other = Store(tmp_path / "crew.db", EN)
    assert other.canvas_marks.get("c_1", "canvas01") == mark
    assert other.canvas_marks.get("c_2", "canvas01") == Mark()
    other.close()
    assert store.canvas_marks.behind("canvas01", 4, None) == [("c_1", 3)]
    assert store.canvas_marks.behind("canvas01", 4, "c_1") == []
    store.canvas_marks.keep_changes("c_1", "canvas01", 2, 5, "late")  # the agent knows more by now
    assert store.canvas_marks.get("c_1", "canvas01") == mark


@pytest.mark.spec("CNV-1", "DLG-22")
def test_a_root_that_is_gone_counts_for_nothing(store):
    store.db.write("UPDATE conversations SET root_id = 'c_gone', parent_call_id = 'x', chain_source = 'chat' WHERE id = 'c_1'")
    chain = store.canvases.chain("c_1")
    assert (chain.root, chain.child, chain.chain_source) == ("c_1", True, "chat")
    assert store.canvases.chain("c_none") is None

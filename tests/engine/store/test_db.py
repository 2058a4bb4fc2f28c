import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap

import pytest

from crewlab.engine.errors import StartupStop, StoreWriteFailed
from crewlab.engine.store.db import Database, open_connection
from crewlab.engine.store.schema import MIGRATIONS, SCHEMA_VERSION, apply_schema
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts

NOW = "2026-01-01T00:00:00.000000+00:00"


@pytest.fixture
def store(tmp_path):
    opened = Store(tmp_path / "crew.db", Texts())
    yield opened
    opened.close()


def a_conversation(store, name="c1", **more):
    row = {"id": name, "agent_id": "default", "source": "chat", "created_at": NOW, "updated_at": NOW, **more}
    store.conversations.insert(row)
    return name


@pytest.mark.spec("DB-1")
def test_the_file_is_in_wal_mode_with_normal_synchronisation(store):
    assert store.db.row("PRAGMA journal_mode")[0] == "wal"
    assert store.db.connection.execute("PRAGMA synchronous").fetchone()[0] == 1
    assert store.db.path.name == "crew.db"


@pytest.mark.spec("DB-5")
def test_foreign_keys_and_busy_timeout_hold_on_both_connections(store):
    reader = open_connection(store.db.path, readonly=True)
    for connection in (store.db.connection, reader):
        assert connection.execute("PRAGMA foreign_keys").fetchone()[0] == 1
        assert connection.execute("PRAGMA busy_timeout").fetchone()[0] == 5000
    reader.close()


@pytest.mark.spec("DB-3")
def test_a_reader_from_outside_sees_what_is_only_in_the_log_and_cannot_write(store):
    a_conversation(store)
    outside = open_connection(store.db.path, readonly=True)
    assert outside.execute("SELECT count(*) FROM conversations").fetchone()[0] == 1
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        outside.execute("DELETE FROM conversations")
    outside.close()


@pytest.mark.spec("DB-6")
def test_every_commit_raises_the_write_counter_once_and_a_rollback_does_not(store):
    before = store.db.writes
    with store.transaction():
        a_conversation(store, "c1")
        a_conversation(store, "c2")
    assert store.db.writes == before + 1
    with pytest.raises(ZeroDivisionError), store.transaction():
        a_conversation(store, "c3")
        raise ZeroDivisionError
    assert store.db.writes == before + 1
    assert store.conversations.get("c3") is None


def test_a_transaction_sees_its_own_writes_and_others_only_committed_ones(store):
    with store.transaction():
        a_conversation(store)
        assert store.conversations.get("c1") is not None
        outside = open_connection(store.db.path, readonly=True)
        assert outside.execute("SELECT count(*) FROM conversations").fetchone()[0] == 0
        outside.close()


@pytest.mark.spec("DB-7")
def test_a_file_of_a_newer_crewlab_stops_startup_and_names_both_versions(tmp_path):
    Store(tmp_path / "crew.db", Texts()).close()
    raw = sqlite3.connect(tmp_path / "crew.db")
    raw.execute("PRAGMA user_version=99")
    raw.close()
    with pytest.raises(StartupStop) as stop:
        Store(tmp_path / "crew.db", Texts())
    assert "99" in stop.value.message
    assert str(SCHEMA_VERSION) in stop.value.message


@pytest.mark.spec("DB-7")
def test_an_upgrade_copies_the_file_first_and_keeps_its_rows(tmp_path):
    path = tmp_path / "crew.db"
    store = Store(path, Texts())
    a_conversation(store)
    store.close()
    connection = open_connection(path)
    more = (*MIGRATIONS, ("CREATE TABLE later (id INTEGER PRIMARY KEY)",))
    apply_schema(connection, path, Texts(), more)
    assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION + 1
    assert connection.execute("SELECT id FROM conversations").fetchone()[0] == "c1"
    connection.close()
    copy = sqlite3.connect(path.with_name(f"crew.db.bak-{SCHEMA_VERSION}"))
    assert copy.execute("SELECT id FROM conversations").fetchone()[0] == "c1"
    assert copy.execute("SELECT count(*) FROM sqlite_master WHERE name = 'later'").fetchone()[0] == 0
    copy.close()


@pytest.mark.spec("DB-4")
def test_a_failure_in_the_middle_of_the_schema_leaves_the_old_state(tmp_path):
    path = tmp_path / "crew.db"
    connection = open_connection(path)
    broken = (*MIGRATIONS, ("CREATE TABLE half (id INTEGER)", "CREATE NONSENSE"))
    with pytest.raises(sqlite3.OperationalError):
        apply_schema(connection, path, Texts(), broken)
    assert connection.execute("PRAGMA user_version").fetchone()[0] == 0
    assert connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    apply_schema(connection, path, Texts())
    assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION
    connection.close()


@pytest.mark.spec("DB-4")
def test_a_crash_in_the_middle_of_the_schema_is_done_again_at_the_next_start(tmp_path):
    path = tmp_path / "crew.db"
    child = textwrap.dedent(f"""
        import os, pathlib
        from crewlab.engine.store.db import open_connection
        from crewlab.engine.store.schema import MIGRATIONS
        connection = open_connection(pathlib.Path({str(path)!r}))
        connection.execute("BEGIN IMMEDIATE")
        for statement in MIGRATIONS[0][:5]:
            connection.execute(statement)
        os._exit(9)
    """)
    done = subprocess.run([sys.executable, "-c", child], env={**os.environ, "PYTHONPATH": os.getcwd()}, check=False, timeout=30)
    assert done.returncode == 9
    store = Store(path, Texts())
    a_conversation(store)
    assert store.conversations.get("c1") is not None
    store.close()


@pytest.mark.spec("TURN-28")
def test_a_full_disk_is_a_store_write_failure_and_nothing_is_half_stored(store):
    store.db.connection.execute(f"PRAGMA max_page_count={store.db.row('PRAGMA page_count')[0] + 1}")
    a_conversation(store)
    with pytest.raises(StoreWriteFailed) as failure, store.transaction():
        store.messages.append("c1", "user", "first", NOW)
        store.messages.append("c1", "user", "x" * 200_000, NOW)
    assert failure.value.code == "store_write"
    assert store.messages.list("c1") == []


def test_a_read_only_file_is_a_store_write_failure(tmp_path):
    Store(tmp_path / "crew.db", Texts()).close()
    database = Database(tmp_path / "crew.db")
    database.connection.execute("PRAGMA query_only=ON")
    with pytest.raises(StoreWriteFailed):
        database.write("INSERT INTO message_requests VALUES ('c', 'r', 1)")
    database.close()


def test_a_copy_of_the_file_after_close_holds_everything(store, tmp_path):
    a_conversation(store)
    store.close()
    shutil.copy(store.db.path, tmp_path / "copy.db")
    copy = sqlite3.connect(tmp_path / "copy.db")
    assert copy.execute("SELECT id FROM conversations").fetchone()[0] == "c1"
    copy.close()


@pytest.mark.spec("DB-7", "EST-2", "CMP-6", "MEMF-10")
def test_a_file_of_version_1_is_upgraded_with_its_rows(tmp_path):
    path = tmp_path / "crew.db"
    connection = open_connection(path)
    apply_schema(connection, path, Texts(), MIGRATIONS[:1])
    connection.execute(
        "INSERT INTO conversations (id, agent_id, source, created_at, updated_at) VALUES ('c1', 'default', 'chat', ?, ?)", (NOW, NOW)
    )
    connection.execute(
        "INSERT INTO messages (conversation_id, seq, role, content, cost_usd, created_at) VALUES ('c1', 1, 'assistant', 'x', 0.5, ?)",
        (NOW,),
    )
    connection.close()
    store = Store(path, Texts())
    (message,) = store.messages.list("c1")
    assert (message.cost_usd, message.cost_estimated) == (0.5, False)
    assert store.conversations.get("c1").estimated_cost_calls == 0
    assert store.compactions.list("c1") == []
    assert store.proposals.list(None) == []
    store.close()
    assert path.with_name("crew.db.bak-1").exists()


@pytest.mark.spec("DB-7", "GATE-30")
@pytest.mark.parametrize("version", [1, len(MIGRATIONS) - 1])
def test_a_request_of_an_older_file_is_still_there_and_can_be_decided(tmp_path, version):
    path = tmp_path / "crew.db"
    connection = open_connection(path)
    apply_schema(connection, path, Texts(), MIGRATIONS[:version])
    connection.execute(
        "INSERT INTO conversations (id, agent_id, source, created_at, updated_at) VALUES ('c1', 'default', 'chat', ?, ?)", (NOW, NOW)
    )
    connection.execute(
        "INSERT INTO approvals (id, conversation_id, agent_id, run_id, call_id, kind, tool, arguments, status, created_at, expires_at)"
        " VALUES ('ap1', 'c1', 'default', 'r1', 't1', 'tool', 'shell_run', '{}', 'pending', ?, ?)",
        (NOW, NOW),
    )
    connection.close()
    store = Store(path, Texts())
    (old,) = store.approvals.pending()
    assert (old.id, old.labels, old.again, old.read_before, store.approvals.binding("ap1")) == ("ap1", [], False, None, None)
    assert store.approvals.decide("ap1", "approved", NOW).status == "approved"
    assert store.approvals.decide("ap1", "denied", NOW) is None
    store.close()

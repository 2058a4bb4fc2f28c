"""What copies follow: every write of a run or a request is noted, whoever makes it; many writers never meet a locked file (FQ-1)."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from crewlab.engine.analytics.build import Build
from crewlab.engine.store import copying
from crewlab.engine.store.changes import RUN
from crewlab.engine.store.db import open_connection
from crewlab.engine.store.schema import MIGRATIONS, apply_schema
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from tests.fixtures.copied import NOON, ZONE, answer, approval, ask, conversation, run
from tests.fixtures.source import ROOT

WRITERS = 8  # FQ-1
SECONDS = float(os.environ.get("CREWLAB_DRILL_SECONDS", "4"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "crew.db", Texts())
    yield opened
    opened.close()


def changed(store: Store, after: int = 0) -> list[str]:
    return [head.split('"', 4)[3] for page in copying.changed_runs(store.db, after) for head, _ in page]


@pytest.mark.spec("ANL-5")
def test_each_write_moves_a_run_to_the_end_and_keeps_one_row(store: Store) -> None:
    first, _ = run(store, "r1"), run(store, "r2")
    mark = copying.marks(store.db)
    assert changed(store) == ["r1", "r2"]
    store.runs.save(first)
    assert (changed(store), changed(store, mark.change)) == (["r2", "r1"], ["r1"])
    store.db.write("UPDATE runs SET label = 'by hand' WHERE id = 'r2'")
    assert changed(store, mark.change) == ["r1", "r2"]
    rows = store.db.row("SELECT count(*) FROM changes WHERE kind = ?", (RUN,))
    assert rows is not None
    assert rows[0] == 2


@pytest.mark.spec("ANL-7")
def test_a_deletion_is_noted_and_leaves_no_trace_of_what_is_gone(store: Store) -> None:
    conversation(store, "c1")
    approval(store, "a1", "c1")
    run(store, "r1")
    mark = copying.marks(store.db).change
    assert copying.deleted_from(store.db, mark) == frozenset()
    store.conversations.delete("c1")
    assert copying.deleted_from(store.db, mark) == {"conversations", "approvals"}
    store.db.write("DELETE FROM runs WHERE id = 'r1'")
    after = copying.marks(store.db).change
    assert copying.deleted_from(store.db, mark) == {"conversations", "approvals", "runs"}
    assert [tuple(row) for row in store.db.rows("SELECT kind FROM changes")] == [("deleted",)] * 3
    run(store, "r1")
    assert copying.marks(store.db).change > after, "a number is never used again"


@pytest.mark.spec("ANL-5")
def test_a_change_that_was_taken_back_is_none(store: Store) -> None:
    before = copying.marks(store.db)
    with pytest.raises(ZeroDivisionError), store.transaction():
        run(store, "r1")
        raise ZeroDivisionError
    assert copying.marks(store.db) == before
    assert changed(store) == []


@pytest.mark.spec("DB-7", "ANL-5")
def test_what_an_older_file_holds_counts_as_changed(tmp_path: Path) -> None:
    path = tmp_path / "crew.db"
    connection = open_connection(path)
    before = next(place for place, statements in enumerate(MIGRATIONS) if "CREATE TABLE changes" in statements[0])
    apply_schema(connection, path, Texts(), MIGRATIONS[:before])
    connection.execute("INSERT INTO runs (id, agent_id, source, status, started_at) VALUES ('r0', 'default', 'chat', 'done', '2026')")
    connection.close()
    store = Store(path, Texts())
    assert changed(store) == ["r0"]
    store.close()


WRITER = """
import sys, time
from pathlib import Path
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from tests.fixtures.copied import answer, conversation, run
name, path, until = sys.argv[1], Path(sys.argv[2]), time.monotonic() + float(sys.argv[3])
store = Store(path, Texts())
conversation(store, f"c{name}")
done = 0
while done == 0 or time.monotonic() < until:
    with store.transaction():
        run(store, f"r{name}-{done}", conversation_id=f"c{name}", after_seq=done)
        answer(store, f"c{name}")
    done += 1
store.close()
print(done)
"""


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.spec("FQ-1", "ANL-3")
def test_eight_writers_a_copy_and_its_readers_meet_no_locked_file(store: Store, tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER]
    given = {**os.environ, "PYTHONPATH": str(ROOT)}
    writers = [
        subprocess.Popen(
            [*command, str(n), str(store.db.path), str(SECONDS)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=given
        )
        for n in range(WRITERS)
    ]
    conversation(store, "own")
    build = Build(tmp_path / "analytics", store.readers)
    while any(writer.poll() is None for writer in writers):
        answer(store, "own")  # the server itself writes too
        path = build.update(NOON, ZONE, []).path
        with duckdb.connect(str(path), read_only=True) as con:
            runs, calls = con.execute(
                "SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM model_calls WHERE agent_id <> '')"
            ).fetchall()[0]
            assert calls > runs, "one moment: each run with its answer, and those of the server"
    ended = [(*writer.communicate(), writer.returncode) for writer in writers]
    assert [(error, code) for _, error, code in ended] == [("", 0)] * WRITERS
    written = sum(int(out) for out, _, _ in ended)
    assert ask(build.update(NOON, ZONE, []).path, "SELECT count(*) FROM runs") == [(written,)]
    build.close()

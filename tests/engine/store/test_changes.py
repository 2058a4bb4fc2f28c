"""What copies follow: every write of a run or a request is noted, whoever makes it; many writers never meet a locked file (FQ-1)."""

import os
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from crewlab.engine.analytics.build import Build
from crewlab.engine.store import copying
from crewlab.engine.store.changes import RUN
from crewlab.engine.store.db import open_connection
from crewlab.engine.store.schema import MIGRATIONS, apply_schema
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from tests.fixtures.copied import NOON, ZONE, answer, approval, ask, conversation, run

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


def written_by(store: Store, name: str, until: float) -> int:
    """Transactions one after the other, as turns make them; how many there were."""
    conversation(store, f"c{name}")
    done = 0
    while done == 0 or time.monotonic() < until:
        with store.transaction():
            run(store, f"r{name}-{done}", conversation_id=f"c{name}", after_seq=done)
            answer(store, f"c{name}")
        done += 1
    return done


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.spec("FQ-1", "ANL-3")
def test_eight_writers_of_a_server_its_copy_and_readers_meet_no_locked_file(store: Store, tmp_path: Path) -> None:
    until = time.monotonic() + SECONDS
    build = Build(tmp_path / "analytics", store.readers)
    with ThreadPoolExecutor(WRITERS) as pool:
        writers = [pool.submit(written_by, store, str(number), until) for number in range(WRITERS)]
        while not all(writer.done() for writer in writers):
            path = build.update(NOON, ZONE, []).path
            counts = "SELECT (SELECT count(*) FROM runs), (SELECT count(*) FROM model_calls)"
            assert len(set(ask(path, counts)[0])) == 1, "one moment: each run with its answer"
            outside = open_connection(store.db.path, readonly=True)
            assert outside.execute("SELECT count(*) FROM runs").fetchone()[0] >= 0
            outside.close()
        written = sum(writer.result() for writer in writers)
    assert ask(build.update(NOON, ZONE, []).path, "SELECT count(*) FROM runs") == [(written,)]
    build.close()

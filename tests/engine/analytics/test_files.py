"""The files of the copy: published by renames, kept for a while, built again whatever is wrong with them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import duckdb
import pytest

from crewlab.engine.analytics.build import Build, Held
from crewlab.engine.analytics.snapshots import Snapshots
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from tests.fixtures.copied import NOON, ask, built, conversation, filled, run
from tests.fixtures.source import ROOT

MINUTE = timedelta(minutes=1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(tmp_path / "crew.db", Texts())
    filled(opened)
    yield opened
    opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "analytics"


@pytest.fixture
def build(store: Store, folder: Path) -> Iterator[Build]:
    made = Build(folder, store.readers)
    yield made
    made.close()


def snapshots(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("crew-*"))


@pytest.mark.spec("ANL-3")
def test_a_snapshot_is_a_file_of_its_own_that_current_names(store: Store, build: Build, folder: Path) -> None:
    first = built(build)
    assert (first.name, (folder / "CURRENT").read_text()) == ("crew-1.duckdb", "crew-1.duckdb\n")
    assert built(build) == first, "nothing was written: nothing is published"
    before = first.read_bytes()
    run(store, "r9")
    assert built(build).name == "crew-2.duckdb"
    assert first.read_bytes() == before  # ANL-4
    assert (folder / "CURRENT").read_text() == "crew-2.duckdb\n"
    assert not list(folder.glob("*.tmp*"))


@pytest.mark.spec("ANL-8")
def test_no_file_is_open_to_others(build: Build, folder: Path) -> None:
    built(build)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == dict.fromkeys(
        ("CURRENT", "build.duckdb", "crew-1.duckdb"), 0o600
    )


@pytest.mark.spec("ANL-4")
def test_the_newest_three_are_kept_and_what_is_younger_than_ten_minutes(store: Store, build: Build, folder: Path) -> None:
    for number in range(5):
        run(store, f"x{number}")
        built(build, now=NOON + number * MINUTE)
    assert snapshots(folder) == [f"crew-{number}.duckdb" for number in (1, 2, 3, 4, 5)]
    run(store, "x9")
    built(build, now=NOON + 11 * MINUTE)
    assert snapshots(folder) == [f"crew-{number}.duckdb" for number in (3, 4, 5, 6)]
    run(store, "x10")
    built(build, now=NOON + 60 * MINUTE)
    assert snapshots(folder) == [f"crew-{number}.duckdb" for number in (5, 6, 7)]


@pytest.mark.spec("ANL-7", "FY-2")
def test_a_snapshot_that_holds_what_was_deleted_goes_after_ten_minutes(store: Store, build: Build, folder: Path) -> None:
    built(build)
    store.conversations.delete("c1")
    built(build, now=NOON + MINUTE)
    assert build.sweep_at == NOON + 10 * MINUTE
    build.sweep(NOON + 9 * MINUTE)
    assert snapshots(folder) == ["crew-1.duckdb", "crew-2.duckdb"]
    build.sweep(NOON + 10 * MINUTE)
    assert snapshots(folder) == ["crew-2.duckdb"]
    assert build.sweep_at is None


@pytest.mark.spec("ANL-1")
def test_the_folder_may_be_deleted_at_any_time(build: Build, folder: Path) -> None:
    before = ask(built(build), "FROM runs ORDER BY run_id")
    shutil.rmtree(folder)
    assert ask(built(build), "FROM runs ORDER BY run_id") == before


@pytest.mark.spec("ANL-1")
@pytest.mark.parametrize("rubbish", [b"", b"no database at all", "cut", "torn"])
def test_a_damaged_file_is_built_again(store: Store, build: Build, folder: Path, rubbish: bytes | str) -> None:
    before = ask(built(build), "FROM runs ORDER BY run_id")
    build.close()
    file = folder / "build.duckdb"
    whole = file.read_bytes()
    if rubbish == "cut":
        file.write_bytes(whole[: len(whole) // 2])
    elif rubbish == "torn":
        file.write_bytes(whole[:12_288] + bytes(0xA5 ^ byte for byte in whole[12_288:]))
    else:
        assert isinstance(rubbish, bytes)
        file.write_bytes(rubbish)
    run(store, "r9")
    found = ask(built(build), "FROM runs ORDER BY run_id")
    assert found[:-1] == before
    assert found[-1][0] == "r9"


@pytest.mark.spec("ANL-1")
@pytest.mark.parametrize(
    "harm", ["UPDATE meta SET schema_version = 0", "DROP TABLE steps", "ALTER TABLE runs DROP COLUMN day", "DELETE FROM meta"]
)
def test_a_file_of_another_shape_is_built_again(build: Build, folder: Path, harm: str) -> None:
    built(build)
    build.close()
    with duckdb.connect(str(folder / "build.duckdb")) as con:
        con.execute("DROP VIEW IF EXISTS cost_by_day")
        con.execute(harm)
    assert len(ask(built(build), "FROM steps")) == 8


@pytest.mark.spec("ANL-1")
def test_an_older_store_put_back_in_place_is_copied_anew(store: Store, build: Build, folder: Path, tmp_path: Path) -> None:
    built(build)
    build.close()
    other = Store(tmp_path / "other.db", Texts())
    conversation(other, "c7")
    run(other, "r7", conversation_id="c7")
    again = Build(folder, other.readers)
    path = built(again)
    again.close()
    other.close()
    assert ask(path, "SELECT run_id FROM runs") == [("r7",)]
    assert ask(path, "FROM model_calls") == []


@pytest.mark.spec("ANL-2", "ANL-3")
def test_nobody_else_can_open_the_file_the_server_works_in(build: Build, folder: Path) -> None:
    built(build)
    program = f"import duckdb; duckdb.connect({str(folder / 'build.duckdb')!r}, read_only=True)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "Could not set lock on file" in done.stderr


@pytest.mark.spec("ANL-2", "ANL-20")
def test_a_file_that_somebody_holds_is_waited_for_and_not_built_again(store: Store, build: Build, folder: Path) -> None:
    built(build)
    build.close()
    before = (folder / "build.duckdb").stat().st_ino
    file = str(folder / "build.duckdb")
    holder = f"import duckdb, sys; c = duckdb.connect({file!r}, read_only=True); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", holder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "open\n"
        with pytest.raises(Held, match="lock"):
            built(build)
        child.communicate("")
    run(store, "r9")
    assert len(ask(built(build), "FROM runs")) == 5
    assert (folder / "build.duckdb").stat().st_ino == before


@pytest.mark.spec("ANL-3")
def test_a_publication_that_was_cut_off_leaves_nothing_that_is_taken_for_one(store: Store, build: Build, folder: Path) -> None:
    first = built(build)
    (folder / "crew-2.duckdb.tmp").write_bytes(b"half of it")
    assert build.snapshots.current() == first
    run(store, "r9")
    assert len(ask(built(build), "FROM runs")) == 5
    assert not list(folder.glob("*.tmp*"))


@pytest.mark.spec("ANL-3")
@pytest.mark.parametrize("named", ["crew-9.duckdb\n", "", "../../etc/passwd", "crew-1.duckdb/../x", "\xff"])
def test_a_current_that_names_no_file_gives_the_newest_there_is(tmp_path: Path, named: str) -> None:
    (tmp_path / "CURRENT").write_bytes(named.encode("latin-1"))
    assert Snapshots(tmp_path).current() is None
    for number in (2, 10, 9):
        (tmp_path / f"crew-{number}.duckdb").touch()
    if named == "crew-9.duckdb\n":
        os.remove(tmp_path / "crew-9.duckdb")
    assert Snapshots(tmp_path).current() == tmp_path / "crew-10.duckdb"


@pytest.mark.spec("ANL-4", "ANL-17")
def test_a_reader_goes_on_when_its_snapshot_is_deleted(store: Store, build: Build) -> None:
    first = built(build)
    con = duckdb.connect(str(first), read_only=True)
    first.unlink()
    run(store, "r9")
    second = built(build)
    assert con.execute("SELECT count(*), (SELECT count(*) FROM steps) FROM runs").fetchall() == [(4, 8)]
    con.close()
    assert len(ask(second, "FROM runs")) == 5


FULL = """
import asyncio, resource, sys
from pathlib import Path
from tests.fixtures.crews import a_crew, say, types

async def main(root):
    async with a_crew(root) as crew:
        crew.analytics.enabled = True
        await say(crew, "before")
        resource.setrlimit(resource.RLIMIT_FSIZE, (700_000, resource.RLIM_INFINITY))
        state = await crew.analytics.refresh()
        print("error" if state.error and state.snapshot is None else state)
        print(types((await say(crew, "while it is full"))[1])[-1])
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        state = await crew.analytics.refresh()
        print(state.error, state.rows["runs"])

asyncio.run(main(Path(sys.argv[1])))
"""


@pytest.mark.spec("ANL-20")
def test_a_full_disk_touches_no_turn_and_is_tried_again(tmp_path: Path) -> None:
    given = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", FULL, str(tmp_path / "home")], capture_output=True, text=True, env=given, check=False)
    assert done.stdout.splitlines() == ["error", "done", "None 2"], done.stderr
    assert done.stderr.count("analytics:") == 1

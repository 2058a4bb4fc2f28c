"""``crewlab.analytics.connect()`` and ``%%crew_sql``: the published copy, and nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

import crewlab
from crewlab.analytics_schema import TABLES, VIEWS
from crewlab.engine.analytics.build import Build
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from crewlab.notebook.errors import CrewError
from crewlab.notebook.magics import load_ipython_extension
from crewlab.notebook.places import Served
from crewlab.notebook.sql_magic import SHOWN, SqlMagics
from tests.fixtures.copied import built, filled, run
from tests.fixtures.crews import say
from tests.fixtures.server import BASE_URL, isolate, jupyter

duckdb = pytest.importorskip("duckdb")


class Home:
    """A home whose copy is made when the test says so."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.store = Store(root / "crew.db", Texts())
        filled(self.store)
        self.build = Build(root / "analytics", self.store.readers)

    def publish(self) -> Path:
        return built(self.build)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    made = Home(tmp_path)
    yield made
    made.build.close()
    made.store.close()


@pytest.mark.spec("ANL-16", "ANL-19")
def test_a_connection_has_the_newest_snapshot_in_use_and_answers_in_relations(home: Home) -> None:
    home.publish()
    con = crewlab.analytics.connect(home=home.root)
    answer = con.sql("SELECT run_id FROM runs ORDER BY run_id")
    assert isinstance(answer, duckdb.DuckDBPyRelation)
    assert answer.fetchall() == [("r1",), ("r2",), ("r3",), ("r4",)]
    assert con.sql("SELECT count(*) FROM crew.steps").fetchall() == [(8,)]
    assert con.sql("SELECT current_setting('TimeZone')").fetchall() == [("Asia/Ho_Chi_Minh",)]
    con.close()


@pytest.mark.spec("ANL-16", "ANL-17")
def test_a_connection_sees_one_moment_until_it_is_refreshed(home: Home) -> None:
    first = home.publish()
    with crewlab.analytics.connect(home=home.root) as con:
        assert not con.stale()
        run(home.store, "r9")
        home.publish()
        first.unlink()
        assert con.sql("SELECT count(*) FROM runs").fetchall() == [(4,)]
        assert con.stale()
        kept = con.sql("SELECT count(*) FROM runs")
        assert con.refresh().sql("SELECT count(*) FROM runs").fetchall() == [(5,)]
        assert kept.fetchall() == [(4,)]


@pytest.mark.spec("ANL-16")
def test_one_file_and_a_path_with_a_quote_in_it(home: Home, tmp_path: Path) -> None:
    place = tmp_path / "it's here.duckdb"
    place.write_bytes(home.publish().read_bytes())
    with crewlab.analytics.connect(path=str(place)) as con:
        assert con.sql("SELECT count(*) FROM runs").fetchall() == [(4,)]
        assert not con.stale()


@pytest.mark.spec("ANL-16")
@pytest.mark.parametrize("there", [True, False])
def test_a_current_that_names_a_missing_file_gives_the_newest_or_an_empty_store(home: Home, there: bool) -> None:
    first = home.publish()
    (home.root / "analytics" / "CURRENT").write_text("crew-7.duckdb\n")
    if not there:
        first.unlink()
    with crewlab.analytics.connect(home=home.root) as con:
        assert con.snapshot == (first if there else None)
        assert con.sql("SELECT count(*) FROM runs").fetchall() == [(4 if there else 0,)]
        for name in (*TABLES, *VIEWS):
            con.sql(f"FROM {name}").fetchall()


@pytest.mark.spec("ANL-18")
@pytest.mark.parametrize("published", [True, False])
@pytest.mark.parametrize(
    "query",
    [
        "COPY (SELECT 1) TO 'out.csv'",
        "SELECT * FROM read_csv('{home}/crew.db')",
        "SELECT * FROM '{home}/x.csv'",
        "SELECT * FROM read_text('/etc/hostname')",
        "SELECT * FROM read_json('http://127.0.0.1:1/x')",
        "ATTACH '{home}/analytics/build.duckdb' AS b",
        "ATTACH '{home}/new.duckdb' AS b",
        "EXPORT DATABASE '{home}/all'",
        "SELECT * FROM glob('*')",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "RESET lock_configuration",
    ],
)
def test_no_file_no_network_and_no_setting_is_in_reach(home: Home, query: str, published: bool) -> None:
    (home.root / "x.csv").write_text("a\n1\n")
    if published:
        home.publish()
    before = sorted(path.name for path in home.root.rglob("*"))
    with crewlab.analytics.connect(home=home.root) as con:
        with pytest.raises(duckdb.Error):
            con.execute(query.format(home=home.root)).fetchall()
        assert con.sql("SELECT count(*) FROM runs").fetchall() == [(4 if published else 0,)]
    assert sorted(path.name for path in home.root.rglob("*")) == before
    assert not Path("out.csv").exists()


@pytest.mark.spec("ANL-18")
def test_other_files_are_in_reach_when_that_is_asked_for_but_the_copy_stays_as_it_is(home: Home, tmp_path: Path) -> None:
    home.publish()
    with crewlab.analytics.connect(home=home.root, external=True) as con:
        con.execute(f"COPY (FROM runs) TO '{tmp_path}/runs.csv'")
        assert con.sql(f"SELECT count(*) FROM read_csv('{tmp_path}/runs.csv')").fetchall() == [(4,)]
        with pytest.raises(duckdb.Error, match="read-only"):
            con.execute("DELETE FROM runs")


def test_a_file_that_is_no_snapshot_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.duckdb").write_bytes(b"nothing of the kind")
    with pytest.raises(CrewError, match=r"x\.duckdb"):
        crewlab.analytics.connect(path=tmp_path / "x.duckdb")
    with pytest.raises(CrewError) as both:
        crewlab.analytics.connect(path=tmp_path / "x.duckdb", home=tmp_path)
    assert both.value.code == "one_place"


@pytest.mark.spec("ANL-16")
async def test_a_server_on_this_machine_and_one_on_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch, tmp_path)
    async with jupyter(tmp_path) as lab:
        crew = await lab.crew()
        await say(crew, "good morning")
        url = f"http://{lab.host}{BASE_URL}"
        here = await asyncio.to_thread(crewlab.analytics.connect, url=url, token=lab.token)
        assert here.snapshot == lab.home / "analytics" / "crew-1.duckdb"  # the first question has it published
        await say(crew, "and again")
        assert here.sql("SELECT count(*) FROM runs").fetchall() == [(1,)]
        fresh = await asyncio.to_thread(crewlab.analytics.connect, url=url, token=lab.token, fresh=True)
        assert fresh.sql("SELECT count(*) FROM runs").fetchall() == [(2,)]
        assert here.stale()
        monkeypatch.setattr("crewlab.notebook.places._is_the_file", lambda path, size: False)
        there = await asyncio.to_thread(crewlab.analytics.connect, url=url, token=lab.token)
        assert there.snapshot is not None
        assert not there.snapshot.is_relative_to(lab.home)
        assert there.sql("SELECT count(*) FROM runs").fetchall() == [(2,)]
        assert not await asyncio.to_thread(there.stale)
        await say(crew, "a third time")
        await crew.analytics.refresh()
        assert await asyncio.to_thread(there.stale)
        assert (await asyncio.to_thread(there.refresh)).sql("SELECT count(*) FROM runs").fetchall() == [(3,)]
        place = there._place
        assert isinstance(place, Served)
        await asyncio.to_thread(place.crew.close)


@pytest.fixture
def shell(home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[InteractiveShell]:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setattr("crewlab.notebook.sql_magic.connect", lambda: crewlab.analytics.connect(home=home.root))
    shell = InteractiveShell()
    shell.history_manager.enabled = False  # type: ignore[union-attr]
    load_ipython_extension(shell)
    yield shell
    shell.history_manager.end_session()  # type: ignore[union-attr]


def sql(shell: InteractiveShell, cell: str, line: str = "") -> Any:
    return shell.run_cell_magic("crew_sql", line, cell)


@pytest.mark.spec("UI-150", "ANL-16")
def test_a_cell_of_sql_shows_its_rows_and_follows_what_is_published(shell: InteractiveShell, home: Home) -> None:
    home.publish()
    shown = sql(shell, "SELECT run_id, status FROM runs ORDER BY run_id")
    assert repr(shown).splitlines() == ["run_id  status", "r1      done", "r2      running", "r3      done", "r4      halted", "4 rows."]
    assert "<td" in shown._repr_html_()
    magics = shell.magics_manager.registry["SqlMagics"]
    assert isinstance(magics, SqlMagics)
    first = magics.questions and magics.questions._con
    sql(shell, "SELECT 1")
    assert magics.questions is not None
    assert magics.questions._con is first
    run(home.store, "r9")
    home.publish()
    assert sql(shell, "FROM runs").total == 5


@pytest.mark.spec("ANL-19", "UI-150")
def test_at_most_200_rows_are_shown_with_how_many_there_are_and_all_go_into_a_name(shell: InteractiveShell) -> None:
    shown = sql(shell, "SELECT i FROM range(1234) t(i)", "--into found")
    assert repr(shown).splitlines()[-1].startswith(f"{SHOWN} of 1,234 rows.")
    assert shown._repr_html_().count("<tr>") == SHOWN + 1
    assert len(shell.user_ns["found"].fetchall()) == 1234
    assert sql(shell, f"SELECT i FROM range({SHOWN}) t(i)").below == "200 rows."


@pytest.mark.spec("ANL-18", "ANL-19")
@pytest.mark.parametrize("query", ["COPY (SELECT 1) TO 'x.csv'", "SELECT * FROM read_csv('x.csv')"])
def test_a_cell_that_reaches_for_files_is_refused_and_says_how_it_would_go(shell: InteractiveShell, query: str) -> None:
    with pytest.raises(UsageError, match="external=True"):
        sql(shell, query)


def test_mistakes_are_usage_errors(shell: InteractiveShell) -> None:
    for cell, line in (
        ("SELEC 1", ""),
        ("FROM nothing", ""),
        ("  \n", ""),
        ("SELECT 1", "--into 1x"),
        ("SELECT 1", "--what"),
        ("SELECT 1", "'"),
    ):
        with pytest.raises(UsageError):
            sql(shell, cell, line)
    with pytest.raises(UsageError, match="Conversion"):
        sql(shell, "SELECT 'x'::INTEGER + i FROM range(3) t(i)")


def test_texts_are_escaped_and_columns_of_one_name_are_both_shown(shell: InteractiveShell) -> None:
    shown = sql(shell, "SELECT '<script>' AS a, 2 AS a, NULL AS b")
    assert "<script>" not in shown._repr_html_()
    assert repr(shown).splitlines()[0].split() == ["a", "a_1", "b"]


def test_a_table_of_ones_own_can_be_made_beside_the_copy(shell: InteractiveShell) -> None:
    sql(shell, "CREATE TEMP TABLE mine AS SELECT 1 AS one")
    assert sql(shell, "FROM mine").total == 1
    with pytest.raises(UsageError, match="empty"):
        sql(shell, "-- nothing to ask")


@pytest.mark.spec("ANL-21")
def test_a_run_is_drawn_as_bars_over_time_and_as_text_elsewhere(home: Home) -> None:
    home.publish()
    query = "SELECT name AS step, started_at, started_at + to_milliseconds(ms) AS ended_at, kind FROM steps WHERE run_id = 'r1' AND ms > 50"
    with crewlab.analytics.connect(home=home.root) as con:
        chart = crewlab.analytics.timeline(con.sql(query), "step", "started_at", "ended_at", "kind")
        shown = chart._repr_mimebundle_()
        nothing = crewlab.analytics.bars(con.sql("FROM cost_by_day WHERE false"), "day", "cost_usd")._repr_mimebundle_()
    values = shown["application/vnd.vegalite.v5+json"]["data"]["values"]
    assert [(row["step"], row["kind"]) for row in values] == [(None, "model"), ("tool_script", "tool")]
    assert values[1]["started_at"].startswith("2026-03-11T19:00:01")
    assert "tool_script" in shown["text/plain"]
    assert list(nothing) == ["text/plain"]

"""The copy over HTTP: what is published, a refresh, the file itself; no route runs SQL."""

from pathlib import Path

import duckdb
import httpx
import pytest

from crewlab.server_ext.api.table import ROUTES
from tests.fixtures.crews import say
from tests.fixtures.server import Lab, jupyter


@pytest.mark.spec("ANL-6")
async def test_a_refresh_publishes_what_was_done_and_the_file_can_be_fetched(lab: Lab, client: httpx.AsyncClient, tmp_path: Path) -> None:
    before = (await client.get("analytics")).json()
    assert (before["enabled"], before["snapshot"], before["rows"]) == (True, None, {})
    assert (await client.get("analytics/snapshot")).status_code == 404
    await say(await lab.crew(), "good morning")
    told = (await client.post("analytics/refresh")).json()
    assert (told["path"], told["snapshot"], told["error"]) == (str(lab.home / "analytics"), "crew-1.duckdb", None)
    assert (told["rows"]["runs"], told["rows"]["model_calls"]) == (1, 1)
    assert (await client.get("analytics")).json() == told
    file = await client.get("analytics/snapshot")
    assert file.headers["cache-control"] == "no-store"
    assert file.headers["content-disposition"] == 'attachment; filename="crew-1.duckdb"'
    assert len(file.content) == told["bytes"]
    (tmp_path / "fetched.duckdb").write_bytes(file.content)
    with duckdb.connect(str(tmp_path / "fetched.duckdb"), read_only=True) as con:
        assert con.execute("SELECT status FROM runs").fetchall() == [("done",)]


@pytest.mark.spec("ANL-15", "ANL-6")
async def test_the_ledger_of_the_copy_is_that_of_the_statistics_route(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()
    for text in ("one", "two", "three"):
        await say(crew, text)
    await crew.books.settle()
    told = (await client.post("analytics/refresh")).json()
    totals = (await client.get("stats")).json()["totals"]
    with duckdb.connect(str(lab.home / "analytics" / told["snapshot"]), read_only=True) as con:
        sums = "count(*), count(*) FILTER (NOT cost_known), coalesce(sum(cost_usd), 0), coalesce(sum(prompt_tokens), 0)"
        found = con.execute(f"SELECT {sums} FROM ledger").fetchone()
    assert found == (totals["calls"], totals["unknown"], pytest.approx(totals["cost_usd"]), totals["prompt_tokens"])


@pytest.mark.spec("ANL-6")
async def test_no_token_no_copy(lab: Lab) -> None:
    async with lab.client(headers={}) as stranger:
        assert (await stranger.get("analytics/snapshot")).status_code == 403
        assert (await stranger.post("analytics/refresh")).status_code == 403


@pytest.mark.spec("ANL-6")
def test_no_route_of_analytics_takes_anything() -> None:
    found = [route for route in ROUTES if route.path.startswith("analytics")]
    assert {(route.method, route.path) for route in found} == {
        ("GET", "analytics"),
        ("POST", "analytics/refresh"),
        ("GET", "analytics/snapshot"),
    }
    assert [route for route in found if route.query or route.body or route.parameters] == []


async def test_the_trait_turns_it_off(tmp_path: Path) -> None:
    async with jupyter(tmp_path, analytics=False) as lab, lab.client() as client:
        await say(await lab.crew(), "good morning")
        told = (await client.post("analytics/refresh")).json()
        assert (told["enabled"], told["snapshot"]) == (False, None)
        assert not (lab.home / "analytics").exists()

"""Start and stop of the crew inside a Jupyter server (AGT-4, AGT-10, DB-12, RES-16)."""

import asyncio
import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

import crewlab
from crewlab.engine.crew import open_crew
from crewlab.engine.errors import Unavailable
from crewlab.engine.home.layout import Home
from crewlab.engine.home.lock import HomeLock
from crewlab.engine.texts import Texts
from crewlab.server_ext import holder as holder_module
from crewlab.server_ext.api.table import ROUTES
from crewlab.server_ext.holder import CrewHolder
from tests.fixtures.server import BASE_URL, Beats, Lab, jupyter

LOG = logging.getLogger("test")


async def jupyter_answers(lab: Lab) -> bool:
    async with httpx.AsyncClient(headers=lab.auth) as client:
        return (await client.get(f"http://{lab.host}{BASE_URL}api/status")).status_code == 200


async def answers_of_every_route(lab: Lab) -> list[tuple[int, dict[str, Any]]]:
    async with lab.client() as client:
        found = []
        for route in ROUTES:
            answer = await client.request(route.method, route.path.replace("{id}", "x").replace("{run_id}", "x"), json={})
            found.append((answer.status_code, answer.json()))
        return found


@pytest.mark.spec("AGT-4", "TURN-8")
async def test_a_wrong_configuration_stops_the_engine_and_every_route_says_why(tmp_path: Path) -> None:
    async with jupyter(tmp_path, config="routes: [fake:echo]\nautonomus: true\n") as lab:
        for status, body in await answers_of_every_route(lab):
            assert (status, body["code"]) == (503, "config_invalid")
            assert "autonomus" in body["message"]
            assert "config.yaml" in body["message"]
        with pytest.raises(Exception, match="503"):
            await lab.socket()
        assert await jupyter_answers(lab)
    assert not (tmp_path / "home" / "crew.db").exists()


@pytest.mark.spec("DB-12")
async def test_a_home_that_is_held_is_named_and_the_jupyter_server_goes_on(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.ensure()
    held = HomeLock(home)
    held.acquire()
    try:
        async with jupyter(tmp_path) as lab:
            for status, body in await answers_of_every_route(lab):
                assert (status, body["code"]) == (503, "home_locked")
                assert str(home.root) in body["message"]
                assert body["home"] == str(home.root)
            assert await jupyter_answers(lab)
    finally:
        held.release()


@pytest.mark.spec("AGT-10")
async def test_an_extension_that_is_switched_off_builds_nothing(tmp_path: Path) -> None:
    async with jupyter(tmp_path, enabled=False) as lab:
        assert {(status, body["code"]) for status, body in await answers_of_every_route(lab)} == {(503, "unavailable")}
    assert not (tmp_path / "home" / "crew.db").exists()


@pytest.mark.spec("AGT-10")
@pytest.mark.parametrize(("traits", "drained"), [({}, True), ({"schedule": False}, False)])
async def test_without_a_schedule_nothing_starts_by_itself(tmp_path: Path, traits: dict[str, object], drained: bool) -> None:
    crew = await open_crew(Home(tmp_path / "home"), environ={"CREWLAB_ROUTES": "fake:echo"})
    id = crew.conversations.create().id
    crew.store.queue.add(id, "follow_up", "waiting", "chat", None, None, "2026-01-01T00:00:00.000000+00:00")
    await crew.stop()
    async with jupyter(tmp_path, **traits) as lab, lab.client() as client:
        await (await lab.crew()).host.wait(id)
        detail = (await client.get(f"conversations/{id}")).json()
        assert bool(detail["messages"]) is drained
        assert bool(detail["queued"]) is not drained


async def test_the_home_comes_from_the_environment_when_no_trait_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREWLAB_HOME", str(tmp_path / "other"))
    monkeypatch.setenv("CREWLAB_ROUTES", "fake:echo")
    async with jupyter(tmp_path, home="") as lab:
        assert (await lab.crew()).home.root == tmp_path / "other"


async def test_a_request_that_comes_first_starts_the_crew_and_waits_for_it(tmp_path: Path) -> None:
    async with jupyter(tmp_path, start=False) as lab, lab.client() as client:
        assert (await client.get("version")).status_code == 200


@pytest.mark.spec("RES-16")
async def test_the_home_is_free_again_when_the_server_has_stopped(tmp_path: Path) -> None:
    async with jupyter(tmp_path) as lab, lab.client() as client:
        assert (await client.get("version")).status_code == 200
        await lab.extension.stop_extension()
        answer = await client.get("version")
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    lock = HomeLock(Home(tmp_path / "home"))
    lock.acquire()
    lock.release()


def fake_crew(stop: Any) -> Any:
    return SimpleNamespace(texts=Texts("vi"), stop=stop)


async def test_a_request_waits_a_while_for_a_slow_start_then_is_told() -> None:
    gate = asyncio.Event()

    async def build() -> Any:
        await gate.wait()
        return fake_crew(None)

    holder = CrewHolder(build, LOG, start_wait=0.0)
    with pytest.raises(Unavailable, match="still starting"):
        await holder.get()
    patient = CrewHolder(build, LOG)
    early = asyncio.create_task(patient.get())
    gate.set()
    assert (await early).texts.language == "vi"
    assert patient.texts.language == "vi"


async def test_a_start_that_fails_unexpectedly_is_a_reference_and_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def build() -> Any:
        raise RuntimeError("inside 4711")

    holder = CrewHolder(build, LOG)
    holder.start()
    for _ in range(2):
        with pytest.raises(Unavailable) as told:
            await holder.get()
    assert "4711" not in told.value.message
    reference = next(word for word in told.value.message.replace(";", " ").split() if word.startswith("e_"))
    assert reference in caplog.text
    assert "inside 4711" in caplog.text


@pytest.mark.spec("RES-16")
async def test_what_does_not_stop_in_ten_seconds_is_abandoned(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    assert holder_module.STOP_SECONDS == 10.0
    monkeypatch.setattr(holder_module, "STOP_SECONDS", 0.0)
    ended = asyncio.Event()

    async def stop() -> None:
        await Beats()(1)
        ended.set()

    async def build() -> Any:
        return fake_crew(stop)

    holder = CrewHolder(build, LOG)
    await holder.get()
    async with asyncio.timeout(5):
        await holder.stop()
    assert "abandoned" in caplog.text
    assert not ended.is_set()


@pytest.mark.spec("RES-16")
async def test_a_start_that_is_under_way_is_given_up_when_the_server_stops() -> None:
    began = asyncio.Event()

    async def build() -> Any:
        began.set()
        await Beats()(1)

    holder = CrewHolder(build, LOG)
    holder.start()
    await began.wait()
    async with asyncio.timeout(5):
        await holder.stop()
    with pytest.raises(Unavailable):
        await holder.get()


def test_the_package_shows_jupyter_its_two_halves() -> None:
    assert crewlab._jupyter_labextension_paths() == [{"src": "labextension", "dest": "@crewlab/labextension"}]
    point = crewlab._jupyter_server_extension_points()[0]
    assert (point["module"], point["app"].name) == ("crewlab.server_ext.app", "crewlab")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        crewlab.nothing  # noqa: B018

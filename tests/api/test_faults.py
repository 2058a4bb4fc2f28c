"""Faults as a client of the real server meets them: half characters, huge messages, a full disk, a store that is held."""

import asyncio
import dataclasses
from pathlib import Path
from typing import Any

import httpx
import pytest

from crewlab.engine.crew import open_crew
from crewlab.engine.errors import StartupStop
from crewlab.engine.home.layout import Home
from crewlab.engine.models.base import Completion, TextDelta
from tests.fixtures.full import fill, make_room
from tests.fixtures.server import Beats, Lab, events_of, jupyter

ASK_FOR_STREAM = {"Accept": "text/event-stream"}
FIVE_MINUTES_OF_PINGS = 20
SILENCE_SECONDS = 60.0  # between two pieces, on a starved machine


class Plain:
    """A provider of a test's own making."""

    name, small = "fake", False

    def __init__(self, *items: Any) -> None:
        self._items = items

    async def stream(self, request: Any, route: Any) -> Any:
        for item in self._items:
            yield item

    async def close(self) -> None:
        pass


async def opened(client: httpx.AsyncClient) -> str:
    return str((await client.post("conversations", json={})).json()["id"])


@pytest.mark.spec("DUR-5", "FU-3")
async def test_a_half_character_of_a_provider_arrives_whole_over_every_transport(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()
    window = await lab.socket()
    crew.models.plug(Plain(TextDelta("a\ud83d"), TextDelta("\ude00 \ud800"), Completion("a\ud83d\ude00 \ud800", cost_usd=0.0)))
    id = await opened(client)
    await window.subscribe("activity")
    await window.subscribe(f"conversation:{id}")
    async with client.stream("POST", f"conversations/{id}/messages", json={"text": "hi"}, headers=ASK_FOR_STREAM) as response:
        events = [event async for event in events_of(response)]
    assert events[-1].event == "done"
    assert "".join(event.data["text"] for event in events if event.event == "text_delta") == "a😀 "
    await window.until(topic=f"conversation:{id}", event="done")
    stored = (await client.get(f"conversations/{id}")).json()["messages"][-1]["content"]
    assert stored == "a😀 \ufffd"
    assert (await client.get("activity/runs")).json()["runs"][0]["summary"] == stored


@pytest.mark.spec("TURN-18", "TURN-8")
@pytest.mark.parametrize("text", ["x" * 1_000_000, "é" * 900_000])
async def test_a_message_of_a_megabyte_is_refused_and_nothing_is_stored(client: httpx.AsyncClient, text: str) -> None:
    id = await opened(client)
    answer = await client.post(f"conversations/{id}/messages", json={"text": text})
    assert (answer.status_code, answer.json()["code"]) == (422, "text_too_long")
    assert len(answer.text) < 1000
    assert (await client.get(f"conversations/{id}")).json()["messages"] == []


@pytest.mark.spec("TURN-28", "TURN-8")
async def test_a_full_disk_is_told_and_nothing_is_lost_when_there_is_room_again(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()
    id = await opened(client)
    fill(crew.store)
    text = "y" * 90_000
    answer = await client.post(f"conversations/{id}/messages", json={"text": text, "request_id": "r1"})
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "disk space" in answer.json()["message"]
    detail = (await client.get(f"conversations/{id}")).json()
    assert (detail["messages"], detail["running"]) == ([], False)
    make_room(crew.store)
    answer = await client.post(f"conversations/{id}/messages", json={"text": text, "request_id": "r1"})  # the name was not used up
    assert answer.json()["status"] == "started"


@pytest.mark.spec("DB-10", "DB-12")
async def test_a_second_server_on_the_home_reads_nothing_and_leaves_the_first_alone(lab: Lab, client: httpx.AsyncClient) -> None:
    id = await opened(client)
    await client.post("inbound", json={"text": "kept", "conversation_id": id})
    before = {file.name: file.stat().st_mtime_ns for file in Path(lab.home).iterdir()}
    for _ in range(3):
        with pytest.raises(StartupStop) as stop:
            await open_crew(Home(Path(lab.home)), environ={"CREWLAB_ROUTES": "fake:echo"})
        assert (stop.value.code, stop.value.fields["home"]) == ("home_locked", str(lab.home))
    assert before == {file.name: file.stat().st_mtime_ns for file in Path(lab.home).iterdir()}
    assert (await client.post("inbound", json={"text": "and on", "conversation_id": id})).json()["text"] == "and on"


@pytest.mark.spec("DUR-5", "FS-8")
async def test_an_answer_of_a_hundred_thousand_pieces_arrives_in_order(lab: Lab, client: httpx.AsyncClient, tmp_path: Path) -> None:
    class Many(Plain):
        async def stream(self, request: Any, route: Any) -> Any:
            for number in range(100_000):
                yield TextDelta(f"{number % 10}")
                if number % 256 == 0:
                    await asyncio.sleep(0)
            yield Completion("0123456789" * 10_000, cost_usd=0.0)

    crew = await lab.crew()
    crew.models.plug(Many())
    id = await opened(client)
    shown = ""
    post = f"conversations/{id}/messages"
    async with client.stream("POST", post, json={"text": "hi"}, headers=ASK_FOR_STREAM, timeout=SILENCE_SECONDS) as response:
        async for event in events_of(response):
            if event.event == "watching":
                shown = ""  # fell behind: a fresh start (TURN-36)
            if event.event == "text_delta":
                shown += event.data["text"]
    whole = "0123456789" * 10_000
    stored = (await client.get(f"conversations/{id}")).json()["messages"][-1]["content"]
    assert stored == whole
    assert shown == "" or whole.startswith(shown)


@pytest.mark.spec("FS-2", "FS-5", "WIRE-2", "TURN-33")
async def test_a_stream_that_is_cut_twenty_times_shows_every_word_once_and_the_next_message_waits(tmp_path: Path) -> None:
    async with jupyter(tmp_path, config="routes: [fake:slow]\n") as lab, lab.client() as client:
        id = await opened(client)
        assert (await client.post(f"conversations/{id}/messages", json={"text": "/slow 60 0.02"})).status_code == 200
        shown, last, cuts, ended = "", "", 0, False
        while not ended:
            async with client.stream("GET", f"conversations/{id}/turn", headers={"Last-Event-ID": last} if last else {}) as response:
                if response.status_code == 204:
                    break
                taken = 0
                async for event in events_of(response):
                    if event.event == "watching":
                        shown = ""
                    elif event.event == "text_delta":
                        shown += event.data["text"]
                        taken += 1
                    last = event.id or last
                    ended = event.event == "done"
                    if ended or (taken == 2 and cuts < 20):
                        break
            if not ended:
                cuts += 1
            if cuts == 1:
                again = await client.post(f"conversations/{id}/messages", json={"text": "/slow 1 0"})
                assert (again.status_code, again.json()["status"]) == (200, "queued")
        assert shown.split() == [f"w{number}" for number in range(1, 61)]
        assert cuts == 20


@pytest.mark.spec("FS-7", "TURN-39", "TURN-38")
async def test_a_tool_that_is_silent_for_five_minutes_is_bridged_by_pings_and_its_end_arrives(
    lab: Lab, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    crew, go_on = await lab.crew(), asyncio.Event()
    registry = crew.toolbox.of(crew.roster.master)
    listing, get = registry.get("workspace_list"), type(registry).get
    assert listing is not None

    async def silent(_arguments: object, _context: object) -> str:
        await go_on.wait()
        return "at last"

    slow = dataclasses.replace(listing, run=silent)
    monkeypatch.setattr(type(registry), "get", lambda self, name: slow if name == "workspace_list" else get(self, name))
    beats = lab.extension.holder.sleep = Beats()
    id = await opened(client)
    body = {"text": "/tool workspace_list"}
    async with client.stream("POST", f"conversations/{id}/messages", json=body, headers=ASK_FOR_STREAM) as response, asyncio.timeout(30):
        events = events_of(response)
        while (await anext(events)).event != "tool_call":
            pass
        for _ in range(FIVE_MINUTES_OF_PINGS):
            assert await beats.strike() == [15.0]
            assert (await anext(events)).comment == "ping"
        go_on.set()
        rest = [event.event async for event in events if event.event]
    assert (rest[0], rest[-1]) == ("tool_result", "done")

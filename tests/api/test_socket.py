"""The WebSocket of a window on a real server (WIRE-5 to WIRE-11, UI-4), and JupyterLab beside eight of them."""

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from tornado.httpclient import HTTPClientError

from crewlab.engine.events import TextDelta
from crewlab.engine.turn.frames import VIEWER_QUEUE
from tests.fixtures.server import BASE_URL, Beats, Lab, Socket, jupyter
from tests.fixtures.shapes import check_event

WINDOWS = 8
BURST = 4000
ANSWER_SECONDS = 2.0  # a request that the six-connection limit or a busy loop holds up waits for the turns to end


async def opened(client: httpx.AsyncClient) -> str:
    return str((await client.post("conversations", json={})).json()["id"])


@pytest.fixture
async def window(lab: Lab) -> Socket:
    return await lab.socket()


@pytest.mark.spec("WIRE-1", "WIRE-5", "WIRE-6", "WIRE-14", "TURN-6", "TURN-34")
async def test_a_window_sees_whole_turns_of_a_conversation_whoever_starts_them(client: httpx.AsyncClient, window: Socket) -> None:
    id = await opened(client)
    topic = f"conversation:{id}"
    await window.subscribe(topic)
    first = await window.next()
    assert (first["topic"], first["event"], first["data"]["running"]) == (topic, "watching", False)
    for text in ("one", "two"):
        await client.post("inbound", json={"text": text, "conversation_id": id})
        frames: list[dict[str, Any]] = []
        while not frames or frames[-1]["event"] != "done":
            frame = await window.next()
            assert set(frame) == {"topic", "id", "event", "data"}
            assert frame["data"]["type"] == frame["event"]
            check_event(frame["data"], union="ConversationEvent")
            frames.append(frame)
        assert frames[0]["event"] == "opened"
        assert frames[0]["data"]["message"]["content"] == text
        assert "".join(frame["data"]["text"] for frame in frames if frame["event"] == "text_delta") == text
    await client.patch(f"conversations/{id}", json={"title": "renamed"})
    assert (await window.until(event="watching"))["data"]["conversation"]["title"] == "renamed"


@pytest.mark.spec("WIRE-5", "WIRE-8", "TURN-93")
async def test_topics_come_and_go_on_one_connection(client: httpx.AsyncClient, window: Socket) -> None:
    id = await opened(client)
    await window.subscribe("activity")
    assert (await window.next())["event"] == "snapshot"
    await window.say(op="subscribe", topic="conversation:none")
    refused = await window.next()
    assert (refused["op"], refused["topic"], refused["code"]) == ("refused", "conversation:none", "not_found")
    await window.connection.write_message("no json")
    assert (await window.next())["code"] == "bad_request"
    await window.connection.write_message("x" * 70_000)
    assert (await window.next())["code"] == "bad_request"
    await window.subscribe(f"conversation:{id}")
    await window.say(op="unsubscribe", topic=f"conversation:{id}")
    await window.say(op="unsubscribe", topic="activity")
    await client.post("inbound", json={"text": "hello", "conversation_id": id})
    await window.say(op="subscribe", topic="conversation:none")
    while "op" not in (found := await window.next()):
        assert found["event"] in ("watching", "snapshot")
    assert found["op"] == "refused"


@pytest.mark.spec("WIRE-2", "WIRE-10")
async def test_a_window_that_reconnects_shows_each_frame_once(lab: Lab, client: httpx.AsyncClient, window: Socket) -> None:
    id = await opened(client)
    topic = f"conversation:{id}"
    await window.subscribe(topic)
    last = (await window.next())["id"]
    window.connection.close()
    crew = await lab.crew()
    for text in ("a", "b", "c"):
        crew.watch.publish(id, TextDelta(text=text))
    again = await lab.socket()
    await again.subscribe(topic, after=last)
    assert [(await again.next())["data"]["text"] for _ in range(3)] == ["a", "b", "c"]


@pytest.mark.spec("WIRE-5")
async def test_the_server_pings_and_closes_a_silent_window(lab: Lab) -> None:
    beats = lab.extension.holder.sleep = Beats()
    window = await lab.socket()
    assert await beats.strike() == [15.0]
    assert await window.next() == {"op": "ping"}
    await window.say(op="pong")
    await window.subscribe("activity")
    await window.until(event="snapshot")
    for _ in range(3):
        await beats.strike()
        await window.until(op="ping")
    await beats.strike()
    await window.ended()
    async with asyncio.timeout(5):
        while lab.extension.holder.open:
            await asyncio.sleep(0)


@pytest.mark.spec("WIRE-7", "TURN-36", "TURN-94")
async def test_a_window_that_does_not_read_is_given_a_fresh_start(lab: Lab, client: httpx.AsyncClient, window: Socket) -> None:
    id = await opened(client)
    await window.subscribe(f"conversation:{id}")
    await window.until(event="watching")
    crew = await lab.crew()
    big = "x" * 20_000
    for _ in range(BURST):  # far more than the sockets of both sides hold; the window reads nothing meanwhile
        crew.watch.publish(id, TextDelta(text=big))
        await asyncio.sleep(0)
    watcher = next(iter(crew.watch._topics[id].watchers))
    assert len(watcher._queue) <= VIEWER_QUEUE
    await window.until(event="watching")
    crew.watch.publish(id, TextDelta(text="after"))
    await window.until(event="text_delta", data={"type": "text_delta", "text": "after"})


@pytest.mark.spec("WIRE-11", "CHN-61", "CHN-62")
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
async def test_a_foreign_page_opens_no_websocket_even_with_the_token(lab: Lab, origin: str) -> None:
    lab.app.web_app.settings["allow_origin"] = "*"
    with pytest.raises(HTTPClientError) as refused:
        await lab.socket(Origin=origin, **lab.auth)
    assert refused.value.code == 403


@pytest.mark.spec("TURN-10")
async def test_a_window_whose_service_fails_is_closed_and_the_cause_is_logged(
    lab: Lab, client: httpx.AsyncClient, window: Socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> str:
        raise RuntimeError("inside 4711")

    monkeypatch.setattr("crewlab.server_ext.window.frame_text", fail)
    id = await opened(client)
    await window.subscribe(f"conversation:{id}")
    await window.ended()
    assert any("inside 4711" in line and "reference e_" in line for line in lab.log)
    assert not (await lab.crew()).watch._topics[id].watchers


async def test_a_page_of_the_servers_own_opens_a_websocket(lab: Lab) -> None:
    window = await lab.socket(Origin=f"http://{lab.host}", **lab.auth)
    await window.subscribe("activity")


async def test_the_server_closes_its_windows_when_it_stops(lab: Lab, window: Socket) -> None:
    await window.subscribe("activity")
    await window.until(event="snapshot")
    await lab.extension.stop_extension()
    await window.ended()


@pytest.mark.spec("UI-4", "WIRE-5", "WIRE-6")
async def test_jupyterlab_still_answers_beside_eight_windows_with_running_turns(tmp_path: Path) -> None:
    async with jupyter(tmp_path, config="routes: [fake:slow]\n") as lab, lab.client() as client:
        ids = [await opened(client) for _ in range(WINDOWS)]
        windows = [await lab.socket() for _ in range(WINDOWS)]
        for window, id in zip(windows, ids, strict=True):
            await window.subscribe("activity")
            await window.subscribe(f"conversation:{id}")
        for id in ids:
            await client.post(f"conversations/{id}/messages", json={"text": "/slow 40 0.01"})
        slowest = 0.0
        async with httpx.AsyncClient(headers=lab.auth) as other:
            while (await client.get("agents/default")).json()["live"]:
                for url in (f"http://{lab.host}{BASE_URL}api/status", lab.url + "version"):
                    began = time.monotonic()
                    answer = await other.get(url)
                    slowest = max(slowest, time.monotonic() - began)
                    assert answer.status_code == 200
        assert 0 < slowest < ANSWER_SECONDS
        for window, id in zip(windows, ids, strict=True):
            done = await window.until(topic=f"conversation:{id}", event="done")
            assert done["data"]["type"] == "done"

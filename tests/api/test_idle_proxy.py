"""Streams through a proxy that cuts what is idle for 60 seconds: pings keep them, and a cut one is gone on with (FS-1, FS-7)."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx
import pytest
from tornado.httpclient import HTTPRequest
from tornado.websocket import websocket_connect

from crewlab.server_ext.sse import PING_SECONDS
from tests.fixtures.idle_proxy import IdleProxy
from tests.fixtures.server import Beats, Lab, Socket, events_of

IDLE_SECONDS = 60.0
TEN_MINUTES_OF_PINGS = 40
ASK_FOR_STREAM = {"Accept": "text/event-stream"}


@asynccontextmanager
async def through(lab: Lab) -> AsyncIterator[tuple[IdleProxy, httpx.AsyncClient]]:
    async with IdleProxy(lab.port, IDLE_SECONDS) as proxy:
        headers = {**lab.auth, "Host": lab.host}
        async with httpx.AsyncClient(base_url=lab.url.replace(str(lab.port), str(proxy.port), 1), headers=headers, timeout=30.0) as client:
            yield proxy, client


class Silent:
    """The tool ``workspace_list``, made silent until the test lets it go on."""

    def __init__(self) -> None:
        self.go_on = asyncio.Event()

    async def put_in(self, lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
        crew = await lab.crew()
        registry = crew.toolbox.of(crew.roster.master)
        listing, get = registry.get("workspace_list"), type(registry).get
        assert listing is not None

        async def silent(_arguments: object, _context: object) -> str:
            await self.go_on.wait()
            return "at last"

        slow = dataclasses.replace(listing, run=silent)
        monkeypatch.setattr(type(registry), "get", lambda self, name: slow if name == "workspace_list" else get(self, name))


async def beat(beats: Beats, proxy: IdleProxy) -> None:
    """The next heartbeat, after as much silence as the server wanted between two of them."""
    proxy.pass_time(max(await beats.strike()))


@pytest.mark.spec("FS-1", "FS-7", "TURN-39", "TURN-95")
async def test_pings_keep_an_event_stream_through_the_proxy_for_ten_silent_minutes(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    tool, beats = Silent(), Beats()
    await tool.put_in(lab, monkeypatch)
    lab.extension.holder.sleep = beats
    async with through(lab) as (proxy, client), asyncio.timeout(60):
        id = (await client.post("conversations", json={})).json()["id"]
        body = {"text": "/tool workspace_list"}
        async with client.stream("POST", f"conversations/{id}/messages", json=body, headers=ASK_FOR_STREAM) as response:
            events = events_of(response)
            while (await anext(events)).event != "tool_call":
                pass
            for _ in range(TEN_MINUTES_OF_PINGS):
                await beat(beats, proxy)
                event = await anext(events)
                assert (event.event, event.comment) == ("", "ping")  # nothing but the ping comes: no step boundary
            assert proxy.cuts == 0
            tool.go_on.set()
            rest = [event.event async for event in events if event.event]
        assert (rest[0], rest[-1]) == ("tool_result", "done")


@pytest.mark.spec("FS-1", "TURN-95", "TURN-92")
async def test_pings_keep_the_activity_stream_while_a_slow_model_says_nothing(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    tool, beats = Silent(), Beats()
    await tool.put_in(lab, monkeypatch)
    lab.extension.holder.sleep = beats
    async with through(lab) as (proxy, client), asyncio.timeout(60):
        id = (await client.post("conversations", json={})).json()["id"]
        await client.post(f"conversations/{id}/messages", json={"text": "/tool workspace_list"})
        async with client.stream("GET", "activity/stream") as response:
            events = events_of(response)
            while not ((event := await anext(events)).event == "snapshot" and event.data["runs"]):
                pass
            for _ in range(TEN_MINUTES_OF_PINGS):
                await beat(beats, proxy)
                while (event := await anext(events)).event:
                    assert event.event in ("run", "event", "conversation")  # of the beginning of the turn
            assert proxy.cuts == 0
            tool.go_on.set()
            async for event in events:
                if event.event == "run" and event.data["run"]["status"] == "done":
                    break


@pytest.mark.spec("FS-1", "WIRE-5")
async def test_pings_keep_the_socket_of_a_window_through_the_proxy(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    tool, beats = Silent(), Beats()
    await tool.put_in(lab, monkeypatch)
    lab.extension.holder.sleep = beats
    async with through(lab) as (proxy, through_it), lab.client() as client, asyncio.timeout(60):
        id = (await client.post("conversations", json={})).json()["id"]
        url = f"{str(through_it.base_url).replace('http', 'ws', 1)}ws"
        window = Socket(await websocket_connect(HTTPRequest(url, headers={**lab.auth, "Host": lab.host})))
        await window.subscribe(f"conversation:{id}")
        await client.post(f"conversations/{id}/messages", json={"text": "/tool workspace_list"})
        await window.until(event="tool_call")
        for _ in range(TEN_MINUTES_OF_PINGS):
            await beat(beats, proxy)
            assert await window.next() == {"op": "ping"}
            await window.say(op="pong")
        assert proxy.cuts == 0
        tool.go_on.set()
        await window.until(event="done")
        await window.close()


@pytest.mark.spec("FS-1", "WIRE-2")
async def test_a_stream_that_the_proxy_has_cut_goes_on_where_it_was_and_shows_everything_once(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool, beats = Silent(), Beats()
    await tool.put_in(lab, monkeypatch)
    lab.extension.holder.sleep = beats  # never struck: a server whose pings do not come through
    async with through(lab) as (proxy, client), asyncio.timeout(60):
        id = (await client.post("conversations", json={})).json()["id"]
        await client.post(f"conversations/{id}/messages", json={"text": "/tool workspace_list"})
        names, last = [], ""
        with pytest.raises(httpx.HTTPError):
            async with client.stream("GET", f"conversations/{id}/turn") as response:
                async for event in events_of(response):
                    names.append(event.event)
                    last = event.id or last
                    if names == ["watching"]:
                        for _ in range(int(IDLE_SECONDS / PING_SECONDS)):
                            proxy.pass_time(PING_SECONDS)
        assert proxy.cuts == 1
        async with client.stream("GET", f"conversations/{id}/turn", headers={"Last-Event-ID": last}) as response:
            tool.go_on.set()  # what follows comes while nobody but the new connection hears it
            names += [event.event async for event in events_of(response) if event.event]
        assert [names.count(name) for name in ("watching", "tool_result", "done")] == [1, 1, 1]
        assert names[-1] == "done"

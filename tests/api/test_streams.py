"""Event streams of a real server: a turn followed, joined, resumed, left; the crew's activity (TURN-35 to TURN-39, TURN-93)."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from crewlab.engine.events import TextDelta
from tests.fixtures.server import Beats, Lab, SseEvent, events_of, jupyter
from tests.fixtures.shapes import check_event

ASK_FOR_STREAM = {"Accept": "text/event-stream"}
SLOW_HOME = "routes: [fake:slow]\n"
ENDLESS = "/slow 100000 60"
WRITE = '/tool workspace_write {"path": "note.txt", "content": "hello"}'


async def opened(client: httpx.AsyncClient) -> str:
    return str((await client.post("conversations", json={})).json()["id"])


@asynccontextmanager
async def following(client: httpx.AsyncClient, path: str, **headers: str) -> AsyncIterator[AsyncIterator[SseEvent]]:
    async with client.stream("GET", path, headers=headers) as response:
        assert response.status_code == 200
        yield events_of(response)


async def sent(client: httpx.AsyncClient, id: str, text: str, **body: object) -> list[SseEvent]:
    """The events of the answer to a message that asks for a stream."""
    async with client.stream("POST", f"conversations/{id}/messages", json={"text": text, **body}, headers=ASK_FOR_STREAM) as response:
        assert response.status_code == 200
        found = [event async for event in events_of(response)]
    for event in found:
        assert event.data["type"] == event.event
        check_event(event.data, union="ConversationEvent")
    return found


@pytest.fixture
async def slow(tmp_path: Path) -> AsyncIterator[Lab]:
    async with jupyter(tmp_path, config=SLOW_HOME) as found:
        yield found


@pytest.mark.spec("TURN-6", "TURN-14", "TURN-38", "TURN-39", "UI-7")
async def test_a_message_is_answered_by_the_stream_of_its_turn_for_those_who_ask(lab: Lab, client: httpx.AsyncClient) -> None:
    id = await opened(client)
    request = client.build_request("POST", f"conversations/{id}/messages", json={"text": "hello"}, headers=ASK_FOR_STREAM)
    response = await client.send(request, stream=True)
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["x-accel-buffering"] == "no"
    events = [event async for event in events_of(response)]
    assert [event.event for event in events] == ["watching", "text_delta", "done"]
    assert events[0].data["running"] is True
    assert [message["content"] for message in events[0].data["conversation"]["messages"]] == ["hello"]
    assert all(event.id for event in events)
    crew = await lab.crew()
    assert not crew.watch._topics[id].watchers


@pytest.mark.spec("TURN-9")
async def test_an_event_stream_is_never_compressed(lab: Lab) -> None:
    async with httpx.AsyncClient(base_url=lab.url, headers={**lab.auth, "Accept-Encoding": "gzip", **ASK_FOR_STREAM}) as client:
        id = await opened(client)
        answer = await client.post(f"conversations/{id}/messages", json={"text": "long " * 1000})
    assert len(answer.content) > 5000
    assert "content-encoding" not in answer.headers
    assert answer.text.startswith("id: ")


@pytest.mark.spec("TURN-38", "GATE-75")
async def test_the_stream_ends_when_the_turn_waits_for_a_person(client: httpx.AsyncClient) -> None:
    id = await opened(client)
    events = await sent(client, id, WRITE)
    assert events[-1].event == "approval_required"
    approval = events[-1].data["approval"]
    assert approval == (await client.get(f"approvals/{approval['id']}")).json()


@pytest.mark.spec("GATE-74", "GATE-75")
async def test_a_decision_and_what_follows_are_told_on_the_conversations_stream(lab: Lab, client: httpx.AsyncClient) -> None:
    id = await opened(client)
    approval = (await sent(client, id, WRITE))[-1].data["approval"]
    window = await lab.socket(**lab.auth)
    await window.subscribe(f"conversation:{id}")
    assert (await window.next())["event"] == "watching"
    await client.post(f"approvals/{approval['id']}", json={"decision": "approve", "always": True})
    decided = await window.until(event="approval_decided")
    told = {"type": "approval_decided", "approval_id": approval["id"], "status": "approved", "always": True, "skipped": False}
    assert decided["data"] == told
    result = await window.until(event="tool_result")
    assert result["data"]["ok"] is True
    await window.until(event="done")


@pytest.mark.spec("TURN-38", "TURN-45", "WIRE-13")
async def test_queued_ends_the_stream_at_once_and_a_known_name_joins_the_turn(slow: Lab) -> None:
    async with slow.client() as client:
        id = await opened(client)
        await client.post(f"conversations/{id}/messages", json={"text": ENDLESS, "request_id": "first"})
        queued = await sent(client, id, "later")
        assert [event.event for event in queued] == ["queued"]
        assert (queued[0].data["kind"], queued[0].data["position"]) == ("follow_up", 1)
        request = client.build_request(
            "POST", f"conversations/{id}/messages", json={"text": "x", "request_id": "first"}, headers=ASK_FOR_STREAM
        )
        response = await client.send(request, stream=True)
        events = events_of(response)
        joined = await anext(events)
        assert (joined.event, joined.data["running"]) == ("watching", True)
        await client.post(f"conversations/{id}/stop")
        assert [event.event async for event in events][-1] == "stopped"
        await (await slow.crew()).host.wait(id)
        again = await sent(client, id, "x", request_id="first")
        assert [event.event for event in again] == ["watching", "stopped"]
        assert again[0].data["running"] is False


@pytest.mark.spec("TURN-35", "TURN-14")
async def test_a_running_turn_is_joined_with_the_text_so_far_and_nothing_runs_is_204(slow: Lab) -> None:
    async with slow.client() as client:
        id = await opened(client)
        assert (await client.get(f"conversations/{id}/turn")).status_code == 204
        await client.post(f"conversations/{id}/messages", json={"text": ENDLESS})
        crew = await slow.crew()
        async with following(client, f"conversations/{id}/turn") as first, asyncio.timeout(10):
            async for event in first:
                if event.event == "text_delta":
                    break
            async with following(client, f"conversations/{id}/turn") as second:
                watching, text = await anext(second), await anext(second)
                assert (watching.event, watching.data["running"]) == ("watching", True)
                assert (text.event, text.data["text"]) == ("text_delta", "w1 ")
        crew.host.stop(id)
        await crew.host.wait(id)
        assert (await client.get(f"conversations/{id}/turn")).status_code == 204


@pytest.mark.spec("WIRE-2", "WIRE-4")
async def test_last_event_id_brings_exactly_the_frames_after_it(slow: Lab) -> None:
    async with slow.client() as client:
        id = await opened(client)
        await client.post(f"conversations/{id}/messages", json={"text": ENDLESS})
        crew = await slow.crew()
        async with following(client, f"conversations/{id}/turn") as events, asyncio.timeout(10):
            async for seen in events:
                if seen.event == "text_delta":
                    break
        for text in ("a", "b", "c"):
            crew.watch.publish(id, TextDelta(text=text))
        async with following(client, f"conversations/{id}/turn", **{"Last-Event-ID": seen.id or ""}) as events, asyncio.timeout(10):
            assert [(await anext(events)).data["text"] for _ in range(3)] == ["a", "b", "c"]
        async with following(client, f"conversations/{id}/turn", **{"Last-Event-ID": "another-5"}) as events:
            assert (await anext(events)).event == "watching"
        crew.host.stop(id)
        await crew.host.wait(id)
        async with following(client, f"conversations/{id}/turn", **{"Last-Event-ID": seen.id or ""}) as events, asyncio.timeout(10):
            missed = [event async for event in events]
        assert [event.data.get("text") for event in missed][:3] == ["a", "b", "c"]
        assert missed[-1].event == "stopped"
        answer = await client.get(f"conversations/{id}/turn", headers={"Last-Event-ID": missed[-1].id or ""})
        assert answer.status_code == 204


@pytest.mark.spec("WIRE-2", "WIRE-4")
async def test_a_viewer_that_missed_nothing_is_answered_at_once_and_hears_what_follows(slow: Lab) -> None:
    async with slow.client() as client:
        id = await opened(client)
        crew = await slow.crew()
        other = crew.watch.join(id)
        await client.post(f"conversations/{id}/messages", json={"text": ENDLESS})
        async with asyncio.timeout(10):
            while (frame := await anext(other)).event.type != "text_delta":
                pass
        async with following(client, f"conversations/{id}/turn", **{"Last-Event-ID": frame.id}) as events, asyncio.timeout(10):
            crew.watch.publish(id, TextDelta(text="next"))
            assert (await anext(events)).data["text"] == "next"


async def gone(watchers: Any) -> None:
    async with asyncio.timeout(5):
        while watchers:
            await asyncio.sleep(0)


@pytest.mark.spec("TURN-33", "TURN-39")
async def test_a_viewer_that_leaves_is_seen_at_once_and_the_turn_goes_on(slow: Lab) -> None:
    async with slow.client() as client:
        id = await opened(client)
        crew = await slow.crew()
        request = client.build_request("POST", f"conversations/{id}/messages", json={"text": ENDLESS}, headers=ASK_FOR_STREAM)
        response = await client.send(request, stream=True)
        events = events_of(response)
        assert (await anext(events)).event == "watching"
        assert len(crew.watch._topics[id].watchers) == 1
        await response.aclose()
        await gone(crew.watch._topics[id].watchers)
        assert crew.host.busy(id)
        await gone(slow.extension.holder.open)


@pytest.mark.spec("TURN-39", "WIRE-4")
async def test_an_open_stream_has_a_ping_every_15_seconds(lab: Lab, client: httpx.AsyncClient) -> None:
    beats = lab.extension.holder.sleep = Beats()
    async with following(client, "activity/stream") as events, asyncio.timeout(10):
        assert (await anext(events)).event == "snapshot"
        assert await beats.strike() == [15.0]
        assert (await anext(events)).comment == "ping"
        await beats.strike()
        assert (await anext(events)).comment == "ping"


@pytest.mark.spec("TURN-6", "TURN-14", "TURN-41", "TURN-92", "TURN-93", "WIRE-4")
async def test_the_activity_stream_tells_what_the_whole_crew_does(client: httpx.AsyncClient) -> None:
    async with following(client, "activity/stream") as events, asyncio.timeout(10):
        first = await anext(events)
        assert (first.event, first.data) == ("snapshot", {"type": "snapshot", "runs": [], "pending": 0})
        answer = (await client.post("inbound", json={"text": "hello"})).json()
        id = answer["conversation_id"]
        await client.delete(f"conversations/{id}")
        seen = [first]
        while not (seen[-1].event == "conversation" and seen[-1].data["deleted"]):
            seen.append(await anext(events))
    for event in seen:
        check_event(event.data, union="ActivityFrame")
    names = [event.data["name"] for event in seen if event.event == "event"]
    assert names == ["done"]
    assert {event.data["run"]["id"] for event in seen if event.event == "run"} == {answer["run_id"]}
    assert seen[-1].data["id"] == id


@pytest.mark.spec("WIRE-9", "WIRE-1", "WIRE-2")
async def test_many_topics_travel_in_one_stream_of_whole_frames(lab: Lab, client: httpx.AsyncClient) -> None:
    first, second = await opened(client), await opened(client)
    query = f"stream?topic=activity&topic=conversation:{first}&topic=conversation:{second}"
    async with following(client, query) as events, asyncio.timeout(10):
        frames = [await anext(events) for _ in range(3)]
        assert {event.event for event in frames} == {"frame"}
        assert {event.data["topic"] for event in frames} == {"activity", f"conversation:{first}", f"conversation:{second}"}
        await client.post(f"conversations/{second}/messages", json={"text": "hello"})
        while True:
            frame = (await anext(events)).data
            if frame["topic"] == f"conversation:{second}" and frame["event"] == "text_delta":
                break
    assert set(frame) == {"topic", "id", "event", "data"}
    check_event(frame["data"], union="ConversationEvent")
    crew = await lab.crew()
    crew.watch.publish(second, TextDelta(text="missed"))
    await crew.host.wait(second)
    async with following(client, f"stream?topic=conversation:{second}@{frame['id']}") as events, asyncio.timeout(10):
        assert (await anext(events)).data["event"] != "watching"


@pytest.mark.spec("WIRE-8", "WIRE-9")
async def test_a_stream_of_no_or_too_many_topics_is_refused(lab: Lab, client: httpx.AsyncClient) -> None:
    assert (await client.get("stream")).status_code == 422
    id = await opened(client)
    many = "&".join(["topic=activity", *(f"topic=conversation:{id}{number}" for number in range(64))])
    answer = await client.get(f"stream?{many}")
    assert (answer.status_code, answer.json()["field"]) == (422, "topic")
    refused = await client.get(f"stream?topic=conversation:{id}&topic=conversation:none")
    assert refused.status_code == 404
    assert not (await lab.crew()).watch._topics[id].watchers


async def test_the_server_ends_its_open_streams_when_it_stops(tmp_path: Path) -> None:
    async with jupyter(tmp_path) as lab, lab.client() as client, following(client, "activity/stream") as events:
        assert (await anext(events)).event == "snapshot"
        await lab.extension.stop_extension()
        async with asyncio.timeout(5):
            assert [event async for event in events] == []

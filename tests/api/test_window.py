"""The connection of a window, without a network: topics, refusals, silence, slow windows (WIRE-5 to WIRE-8)."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from crewlab.engine.errors import NotFound
from crewlab.engine.event import Event
from crewlab.engine.events import Note, TextDelta
from crewlab.engine.texts import Texts
from crewlab.engine.turn.frames import VIEWER_QUEUE
from crewlab.engine.turn.watch import ActivityHub, TurnWatch
from crewlab.server_ext.window import Window
from crewlab.server_ext.wire import MAX_TOPICS
from tests.fixtures.server import Beats


class Page:
    """A window with what it was sent; ``stuck`` takes nothing until it is released."""

    def __init__(self, *, stuck: bool = False) -> None:
        self.gone: set[str] = set()
        self.crew: Any = SimpleNamespace(watch=TurnWatch(self._fresh), hub=ActivityHub(lambda: 0), texts=Texts("en"))
        self.got: list[dict[str, Any]] = []
        self.closed = False
        self.sending = 0
        self.beats = Beats()
        self._free = asyncio.Event()
        if not stuck:
            self._free.set()
        self._came = asyncio.Event()
        self.window = Window(self.crew, self._send, self._close, self.beats)
        self.running = asyncio.create_task(self.window.run())

    def _fresh(self, conversation_id: str) -> list[Event]:
        if conversation_id in self.gone or conversation_id.startswith("none"):
            raise NotFound("no such conversation")
        return [Note(text=f"fresh {conversation_id}")]

    async def _send(self, text: str) -> None:
        assert self.sending == 0, "a second text while the first is on its way"
        self.sending += 1
        self.got.append(json.loads(text))
        self._came.set()
        await self._free.wait()
        self.sending -= 1

    def _close(self) -> None:
        self.closed = True

    def release(self) -> None:
        self._free.set()

    async def say(self, **message: object) -> None:
        await self.window.hear(json.dumps(message))

    async def seen(self, **wanted: object) -> dict[str, Any]:
        """The first message with these values; it is forgotten with all of its topic before it."""
        async with asyncio.timeout(5):
            while True:
                for index, message in enumerate(self.got):
                    if all(message.get(key) == value for key, value in wanted.items()):
                        self.got = [*(m for m in self.got[:index] if m.get("topic") != message.get("topic")), *self.got[index + 1 :]]
                        return message
                self._came.clear()
                await self._came.wait()

    async def leave(self) -> None:
        self.running.cancel()
        self.window.leave()
        await asyncio.wait({self.running})


@pytest.mark.spec("WIRE-1", "WIRE-5")
async def test_a_topic_is_subscribed_followed_and_left() -> None:
    page = Page()
    await page.say(op="subscribe", topic="conversation:c_1")
    assert page.got[0] == {"op": "subscribed", "topic": "conversation:c_1"}
    first = await page.seen(event="note")
    assert set(first) == {"topic", "id", "event", "data"}
    assert first["data"] == {"type": "note", "text": "fresh c_1"}
    page.crew.watch.publish("c_1", TextDelta(text="a"))
    assert (await page.seen(event="text_delta"))["data"]["text"] == "a"
    await page.say(op="unsubscribe", topic="conversation:c_1")
    page.crew.watch.publish("c_1", TextDelta(text="b"))
    await page.say(op="subscribe", topic="activity")
    await page.seen(op="subscribed", topic="activity")
    snapshot = await page.seen(event="snapshot")
    assert snapshot["data"] == {"type": "snapshot", "runs": [], "pending": 0}
    assert page.got == []
    await page.leave()


@pytest.mark.spec("WIRE-2", "WIRE-10")
async def test_a_window_that_comes_back_is_sent_exactly_what_it_missed() -> None:
    page = Page()
    await page.say(op="subscribe", topic="conversation:c_1")
    last = (await page.seen(event="note"))["id"]
    await page.say(op="unsubscribe", topic="conversation:c_1")
    for text in "abc":
        page.crew.watch.publish("c_1", TextDelta(text=text))
    await page.say(op="subscribe", topic="conversation:c_1", after=last)
    await page.seen(event="text_delta", data={"type": "text_delta", "text": "c"})
    assert page.got == []
    await page.say(op="subscribe", topic="conversation:c_1", after="otherepoch-1")
    assert (await page.seen(event="note"))["data"]["text"] == "fresh c_1"
    await page.leave()


@pytest.mark.spec("WIRE-8")
@pytest.mark.parametrize(
    "text",
    [
        "",
        "no json",
        "[]",
        "{}",
        '{"op":"shout"}',
        '{"op":"subscribe"}',
        '{"op":"subscribe","topic":1}',
        '{"op":"subscribe","topic":"activity","extra":1}',
        b"\xff\xfe",
        '{"op":"pong"}' + " " * 65536,
        '{"op":"subscribe","topic":"' + "é" * 32768 + '"}',
    ],
)
async def test_what_cannot_be_read_is_refused_and_the_connection_stays(text: str | bytes) -> None:
    page = Page()
    await page.window.hear(text)
    assert page.got.pop()["code"] == "bad_request"
    await page.say(op="subscribe", topic="activity")
    await page.seen(op="subscribed")
    assert not page.closed
    await page.leave()


@pytest.mark.spec("WIRE-8")
@pytest.mark.parametrize("topic", ["conversation:none", "conversation:", "runs", ""])
async def test_a_topic_that_does_not_exist_is_refused(topic: str) -> None:
    page = Page()
    if topic == "conversation:":
        page.gone.add("")
    await page.say(op="subscribe", topic=topic)
    refused = page.got.pop()
    assert (refused["op"], refused["topic"], refused["code"]) == ("refused", topic, "not_found")
    assert refused["message"]
    await page.leave()


@pytest.mark.spec("WIRE-8")
async def test_a_connection_carries_64_topics() -> None:
    page = Page()
    for number in range(MAX_TOPICS):
        await page.say(op="subscribe", topic=f"conversation:c_{number}")
    await page.say(op="subscribe", topic="activity")
    assert (await page.seen(op="refused"))["code"] == "too_many"
    await page.say(op="subscribe", topic="conversation:c_1")  # the same topic again takes no further place
    await page.say(op="unsubscribe", topic="conversation:c_0")
    await page.say(op="subscribe", topic="activity")
    await page.seen(op="subscribed", topic="activity")
    await page.leave()


@pytest.mark.spec("WIRE-7")
async def test_a_window_that_does_not_read_is_refreshed_and_its_activity_is_cut() -> None:
    page = Page(stuck=True)
    first = asyncio.create_task(page.say(op="subscribe", topic="conversation:c_1"))
    await page.seen(op="subscribed")
    second = asyncio.create_task(page.say(op="subscribe", topic="activity"))
    page.release()
    await first
    await second
    await page.seen(event="note")
    await page.seen(event="snapshot")
    page._free.clear()
    for number in range(VIEWER_QUEUE + 20):
        page.crew.watch.publish("c_1", TextDelta(text=str(number)))
        page.crew.hub.deleted(f"c_{number}")
    page.release()
    await page.seen(op="cut", topic="activity")
    assert (await page.seen(topic="conversation:c_1", event="note"))["data"]["text"] == "fresh c_1"
    page.crew.watch.publish("c_1", TextDelta(text="after"))
    await page.seen(event="text_delta", data={"type": "text_delta", "text": "after"})
    await page.say(op="subscribe", topic="activity")
    await page.seen(event="snapshot")
    await page.leave()


@pytest.mark.spec("WIRE-5", "WIRE-7")
async def test_a_conversation_that_is_deleted_is_cut_and_then_refused() -> None:
    page = Page()
    await page.say(op="subscribe", topic="conversation:c_1")
    await page.seen(event="note")
    page.gone.add("c_1")
    page.crew.watch.refresh("c_1")
    assert await page.seen(op="cut") == {"op": "cut", "topic": "conversation:c_1"}
    await page.leave()


@pytest.mark.spec("WIRE-5")
async def test_the_server_pings_every_15_seconds_and_closes_after_45_of_silence() -> None:
    page = Page()
    assert await page.beats.strike() == [15.0]
    await page.seen(op="ping")
    await page.say(op="pong")
    for _ in range(3):
        assert not page.closed
        await page.beats.strike()
        await page.seen(op="ping")
    await page.beats.strike()
    async with asyncio.timeout(5):
        await page.running
    assert page.closed


@pytest.mark.spec("WIRE-5")
async def test_a_window_that_neither_reads_nor_writes_is_closed_too() -> None:
    page = Page(stuck=True)
    stuck = asyncio.create_task(page.say(op="subscribe", topic="activity"))
    await page.seen(op="subscribed")
    for _ in range(4):
        assert not page.closed
        await page.beats.strike()
    page.release()
    await stuck
    async with asyncio.timeout(5):
        await page.running
    assert page.closed
    assert all(message.get("op") != "ping" for message in page.got)


async def test_a_window_that_goes_leaves_every_topic() -> None:
    page = Page()
    await page.say(op="subscribe", topic="conversation:c_1")
    await page.say(op="subscribe", topic="activity")
    topics = [page.crew.watch._topics["c_1"], page.crew.hub._topic]
    assert [len(topic.watchers) for topic in topics] == [1, 1]
    await page.leave()
    assert [len(topic.watchers) for topic in topics] == [0, 0]

"""Event streams: wire form, heartbeat, slow and vanished clients (TURN-39, WIRE-1, WIRE-2, WIRE-4, WIRE-9)."""

import asyncio
import json

import pytest
from tornado.iostream import StreamClosedError

from crewlab.engine.activity_events import Snapshot
from crewlab.engine.events import Note, TextDelta, Thinking
from crewlab.engine.turn.frames import EPOCH, VIEWER_QUEUE, Topic
from crewlab.server_ext.following import Given, Single, Stream, event_text, frame_text, primed, ready, whole_text
from crewlab.server_ext.pace import Pace
from crewlab.server_ext.sse import EventStream
from tests.fixtures.server import Beats


class Sink:
    """A client that takes everything at once, or nothing until ``release``."""

    def __init__(self, *, stuck: bool = False) -> None:
        self.text = ""
        self.flushes = 0
        self.outstanding = 0
        self.gone = False
        self._free = asyncio.Event()
        if not stuck:
            self._free.set()
        self.wrote = asyncio.Event()

    def write(self, chunk: str) -> None:
        assert self.outstanding == 0, "written while a flush was outstanding"
        self.text += chunk

    async def flush(self) -> None:
        self.flushes += 1
        self.outstanding += 1
        self.wrote.set()
        await self._free.wait()
        self.outstanding -= 1
        if self.gone:
            raise StreamClosedError

    def release(self) -> None:
        self._free.set()

    async def seen(self, text: str, times: int = 1) -> None:
        async with asyncio.timeout(5):
            while self.text.count(text) < times:
                self.wrote.clear()
                await self.wrote.wait()


def topic(name: str = "conversation:c_1", *, refreshes: bool = True) -> Topic:
    return Topic(name, lambda: [Note(text="fresh")] if refreshes else [Snapshot(runs=[], pending=0)], refreshes=refreshes)


def serve(stream: Stream, sink: Sink, beats: Beats | None = None) -> tuple[EventStream, asyncio.Task[None], list[str]]:
    aborted: list[str] = []

    def abort() -> None:
        aborted.append("aborted")
        sink.gone = True
        sink.release()

    events = EventStream(stream, sink, abort, beats or Beats())
    return events, asyncio.create_task(events.run()), aborted


@pytest.mark.spec("TURN-39", "WIRE-4")
def test_an_event_has_id_name_and_one_data_line() -> None:
    text = event_text(Single("conversation:c_1", TextDelta(text="two\nlines\u2028and é"), id="e-7"))
    assert text.split("\n")[:2] == ["id: e-7", "event: text_delta"]
    assert text.endswith("\n\n")
    assert text.count("\n") == 4
    assert json.loads(text.split("data: ")[1]) == {"type": "text_delta", "text": "two\nlines\u2028and é"}


@pytest.mark.spec("WIRE-1", "WIRE-9")
def test_a_frame_has_its_four_parts_in_every_transport() -> None:
    frame = Single('conversation:c"1', Thinking(), id="e-1")
    whole = {"topic": 'conversation:c"1', "id": "e-1", "event": "thinking", "data": {"type": "thinking"}}
    assert json.loads(frame_text(frame)) == whole
    event, data = whole_text(frame).strip().split("\n")
    assert event == "event: frame"
    assert json.loads(data.removeprefix("data: ")) == whole


@pytest.mark.spec("TURN-39", "WIRE-4")
async def test_a_comment_is_sent_every_15_seconds() -> None:
    sink, beats = Sink(), Beats()
    events, task, _ = serve(Stream([topic(refreshes=False).join(None)]), sink, beats)
    assert await beats.strike() == [15.0]
    await sink.seen("\n\n: ping\n\n")
    await beats.strike()
    await sink.seen(": ping\n\n: ping\n\n")
    events.close()
    await task


class HeldPace(Pace):
    """Ticks when the test says so."""

    def __init__(self) -> None:
        super().__init__(gap=3600.0)

    def tick(self) -> None:
        assert self._tick is not None
        self._tick.set_result(None)


@pytest.mark.spec("WIRE-16", "TURN-36")
async def test_what_comes_shortly_after_a_write_goes_out_together_in_order_and_whole() -> None:
    conversation, pace = topic(), HeldPace()
    sinks = [Sink() for _ in range(3)]
    streams = [EventStream(Stream([conversation.join(None)]), sink, lambda: None, Beats(), pace) for sink in sinks]
    tasks = [asyncio.create_task(stream.run()) for stream in streams]
    for sink in sinks:
        await sink.seen("fresh")  # the first frame waits for nothing
        assert sink.flushes == 1
    for number in range(40):
        conversation.publish(TextDelta(text=f"<{number}>"))
        await asyncio.sleep(0)
    assert {sink.flushes for sink in sinks} == {1}
    pace.tick()
    for sink in sinks:
        await sink.seen("<39>")
        assert sink.flushes == 2
        assert [int(piece.split(">")[0]) for piece in sink.text.split("<")[1:]] == list(range(40))
    for stream in streams:
        stream.close()
    await asyncio.gather(*tasks)


@pytest.mark.spec("TURN-36", "WIRE-7")
async def test_one_flush_is_outstanding_and_the_rest_waits_with_the_watcher() -> None:
    conversation, sink = topic(), Sink(stuck=True)
    watcher = conversation.join(None)
    events, task, _ = serve(Stream([watcher]), sink)
    await sink.seen("fresh")
    for number in range(VIEWER_QUEUE + 10):
        conversation.publish(TextDelta(text=f"<{number}>"))
    assert sink.flushes == 1
    sink.release()
    await sink.seen("fresh", times=2)
    assert "<0>" not in sink.text  # it fell behind: a fresh start in place of what it missed
    events.close()
    await task


@pytest.mark.spec("TURN-94", "WIRE-7")
async def test_an_activity_viewer_that_falls_behind_is_cut_off_and_its_stream_ends() -> None:
    activity, sink = topic("activity", refreshes=False), Sink(stuck=True)
    _, task, _ = serve(Stream([activity.join(None)]), sink)
    await sink.seen("snapshot")
    for _ in range(VIEWER_QUEUE + 1):
        activity.publish(Note(text="x"))
    sink.release()
    async with asyncio.timeout(5):
        await task
    assert not activity.watchers


@pytest.mark.spec("WIRE-5")
async def test_a_client_that_takes_nothing_for_45_seconds_is_let_go() -> None:
    activity, sink, beats = topic("activity", refreshes=False), Sink(stuck=True), Beats()
    _, task, aborted = serve(Stream([activity.join(None)]), sink, beats)
    await sink.seen("snapshot")
    for _ in range(3):
        assert aborted == []
        await beats.strike()
    async with asyncio.timeout(5):
        await task
    assert aborted == ["aborted"]
    assert not activity.watchers


async def test_a_client_that_has_gone_ends_the_stream_quietly() -> None:
    conversation, sink = topic(), Sink()
    sink.gone = True
    _, task, _ = serve(Stream([conversation.join(None)]), sink)
    async with asyncio.timeout(5):
        await task
    assert not conversation.watchers


@pytest.mark.spec("WIRE-9")
async def test_many_topics_share_one_stream_that_ends_with_the_first_of_them() -> None:
    first, second, sink = topic("conversation:c_1"), topic("conversation:c_2"), Sink()
    _, task, _ = serve(Stream([first.join(None), second.join(None)], whole=True), sink)
    await sink.seen("c_2")
    second.publish(Note(text="two"))
    first.publish(Note(text="one"))
    await sink.seen("one")
    await sink.seen("two")
    first.close()
    async with asyncio.timeout(5):
        await task
    assert not second.watchers


@pytest.mark.spec("WIRE-2")
async def test_what_is_there_is_taken_without_waiting_and_the_watcher_is_left() -> None:
    conversation = topic()
    seen = conversation.join(None)
    conversation.publish(Note(text="one"))
    conversation.publish(Note(text="two"))
    found = await ready(conversation.join(f"{EPOCH}-1"))
    assert [frame.id for frame in found] == [f"{EPOCH}-2"]
    assert await ready(conversation.join(f"{EPOCH}-2")) == []
    assert conversation.watchers == {seen}


async def test_a_primed_source_loses_nothing_that_is_published_before_it_is_read() -> None:
    conversation = topic()
    source = await primed(conversation.join(None))
    conversation.publish(TextDelta(text="a"))
    conversation.publish(TextDelta(text="b"))
    iterator = aiter(source)
    assert [(await anext(iterator)).event.type for _ in range(3)] == ["note", "text_delta", "text_delta"]
    source.close()
    assert not conversation.watchers


async def test_frames_that_are_there_end_by_themselves() -> None:
    sink = Sink()
    _, task, _ = serve(Stream([Given([Single("conversation:c", Thinking())])]), sink)
    await task
    assert sink.text == 'event: thinking\ndata: {"type":"thinking"}\n\n'

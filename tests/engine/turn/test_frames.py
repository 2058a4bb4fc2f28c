import asyncio
import gc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.errors import NotFound
from crewlab.engine.events import Done, Note, TextDelta
from crewlab.engine.turn import frames
from crewlab.engine.turn.frames import KEPT_BYTES, KEPT_FRAMES, VIEWER_QUEUE, Topic
from crewlab.engine.turn.watch import TurnWatch


def note(number):
    return Note(text=str(number))


def texts(seen):
    return [frame.event.text for frame in seen]


def a_topic(*, refreshes=True):
    return Topic("conversation:c1", lambda: [Note(text="fresh")], refreshes=refreshes)


async def take(watcher, count):
    return [await asyncio.wait_for(anext(watcher), 5) for _ in range(count)]


@pytest.mark.spec("WIRE-6")
async def test_a_viewer_begins_with_a_fresh_frame_and_then_hears_everything_once():
    topic = a_topic()
    watcher = topic.join(None)
    assert texts(await take(watcher, 1)) == ["fresh"]
    for number in range(5):
        topic.publish(note(number))
    assert texts(await take(watcher, 5)) == ["0", "1", "2", "3", "4"]


@pytest.mark.spec("WIRE-2", "FS-1", "FS-2")
async def test_a_viewer_cut_twenty_times_sees_every_frame_exactly_once():
    topic = a_topic()
    watcher = topic.join(None)
    last = (await take(watcher, 1))[0].id
    seen = []
    for cut in range(20):
        for number in range(3):
            topic.publish(note(cut * 3 + number))
        got = await take(watcher, 2)  # the third is lost on the way
        seen += texts(got)
        last = got[-1].id
        watcher.close()
        watcher = topic.join(last)
        seen += texts(await take(watcher, 1))
        last = f"{frames.EPOCH}-{topic.n}"
    assert seen == [str(number) for number in range(60)]


@pytest.mark.spec("WIRE-2")
@pytest.mark.parametrize("after", ["other-3", "nonsense", "", "-", f"{frames.EPOCH}-99", f"{frames.EPOCH}-x", f"{frames.EPOCH}--1"])
async def test_an_id_of_another_process_or_of_nothing_starts_fresh(after):
    topic = a_topic()
    topic.join(None)
    topic.publish(note(1))
    watcher = topic.join(after)
    assert texts(await take(watcher, 1)) == ["fresh"]


@pytest.mark.spec("WIRE-3")
async def test_at_most_512_frames_are_kept():
    topic = a_topic()
    topic.join(None)
    for number in range(KEPT_FRAMES + 10):
        topic.publish(note(number))
    too_old = topic.join(f"{frames.EPOCH}-5")
    assert texts(await take(too_old, 1)) == ["fresh"]
    in_time = topic.join(f"{frames.EPOCH}-{topic.n - KEPT_FRAMES}")
    assert texts(await take(in_time, 1)) == ["10"]
    assert KEPT_FRAMES == 512


@pytest.mark.spec("WIRE-3")
async def test_at_most_a_mebibyte_is_kept():
    topic = a_topic()
    topic.join(None)
    for _ in range(40):
        topic.publish(Note(text="x" * (KEPT_BYTES // 20)))
    assert topic._bytes <= KEPT_BYTES == 1024 * 1024
    assert len(topic._kept) < 20


@pytest.mark.spec("WIRE-3")
async def test_nothing_is_kept_for_a_topic_that_nobody_watches():
    topic = a_topic()
    for number in range(10):
        topic.publish(note(number))
    assert not topic._kept
    watcher = topic.join(None)
    topic.publish(note(11))
    assert topic._kept
    watcher.close()
    topic.forget()
    topic.publish(note(12))
    assert not topic._kept


@pytest.mark.spec("TURN-36", "WIRE-7")
async def test_a_viewer_that_falls_behind_gets_one_fresh_frame_and_holds_no_memory():
    topic = a_topic()
    watcher = topic.join(None)
    await take(watcher, 1)
    for number in range(VIEWER_QUEUE):
        topic.publish(note(number))
    assert len(watcher._queue) == 256
    for number in range(10_000):
        topic.publish(note(number))
    assert not watcher._queue
    assert texts(await take(watcher, 1)) == ["fresh"]
    topic.publish(note("next"))
    assert texts(await take(watcher, 1)) == ["next"]


@pytest.mark.spec("TURN-94", "WIRE-7")
async def test_an_activity_viewer_that_stops_reading_is_cut_off():
    topic = a_topic(refreshes=False)
    watcher = topic.join(None)
    await take(watcher, 1)
    for number in range(VIEWER_QUEUE):
        topic.publish(note(number))
    assert not watcher.cut
    topic.publish(note("one too many"))
    assert watcher.cut
    assert watcher not in topic.watchers
    with pytest.raises(StopAsyncIteration):
        await anext(watcher)


@pytest.mark.spec("WIRE-6")
async def test_a_change_outside_the_events_of_a_turn_is_shown_in_its_place_among_them():
    state = ["a"]
    topic = Topic("conversation:c1", lambda: [Note(text=",".join(state))], refreshes=True)
    watcher = topic.join(None)
    state.append("b")
    topic.refresh()
    topic.publish(TextDelta(text="c"))
    assert texts(await take(watcher, 3)) == ["a", "a,b", "c"]


async def test_an_end_that_comes_before_the_viewer_reads_is_not_lost():
    topic = Topic("conversation:c1", list, refreshes=True)
    watcher = topic.join(None, until_end=True)
    topic.publish(Done(run_id="r", spent_usd=0, unknown_cost_calls=0, cost_usd=0))
    assert [frame.event.type async for frame in watcher] == ["done"]


@pytest.mark.spec("TURN-38")
async def test_a_stream_that_ends_with_the_turn_ends_after_its_end_event():
    topic = Topic("conversation:c1", list, refreshes=True)
    watcher = topic.join(None, until_end=True)
    topic_reader = asyncio.ensure_future(anext(watcher))
    await asyncio.sleep(0)
    topic.publish(Done(run_id="r", spent_usd=0, unknown_cost_calls=0, cost_usd=0))
    topic.publish(note("of the next turn"))
    assert (await topic_reader).event.type == "done"
    with pytest.raises(StopAsyncIteration):
        await asyncio.wait_for(anext(watcher), 5)


async def test_a_conversation_that_is_gone_ends_its_viewers():
    gone = False

    def fresh(_name):
        if gone:
            raise NotFound("gone")
        return [Note(text="here")]

    watch = TurnWatch(fresh)
    watcher = watch.join("c1")
    await take(watcher, 1)
    gone = True
    watch.refresh("c1")
    with pytest.raises(StopAsyncIteration):
        await asyncio.wait_for(anext(watcher), 5)
    with pytest.raises(NotFound):
        watch.join("c2")


@pytest.mark.spec("WIRE-2")
async def test_a_number_is_never_used_for_two_frames_of_a_topic_that_was_forgotten():
    watch = TurnWatch(lambda _name: [Note(text="fresh")])
    watcher = watch.join("c1")
    await take(watcher, 1)
    watch.publish("c1", note(1))
    last = (await take(watcher, 1))[0].id
    watcher.close()
    watch._topics["c1"].forget()
    again = watch.join("c1")
    await take(again, 1)
    watch.publish("c1", note(2))
    assert texts(await take(watch.join("c1", last), 1)) == ["fresh"]


async def test_closed_viewers_are_let_go():
    topic = a_topic()
    for _ in range(1_000):
        topic.join(None).close()
    gc.collect()
    assert not topic.watchers


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["publish", "read", "cut", "refresh"]), max_size=60))
@pytest.mark.spec("WIRE-10", "TURN-35")
def test_whatever_happens_the_last_fresh_frame_and_what_follows_tell_the_whole_state(actions):
    """A viewer that takes a fresh frame as the truth and adds what follows always ends with the true state."""

    async def play():
        state: list[str] = []
        topic = Topic("conversation:c1", lambda: [Note(text=",".join(state))], refreshes=True)
        view: list[str] = []
        last = None
        watcher = topic.join(last)

        async def read_all(reader):
            nonlocal view, last
            while reader._stale or reader._queue:
                frame = await anext(reader)
                last = frame.id
                if frame.event.type == "note":
                    view = frame.event.text.split(",") if frame.event.text else []
                else:
                    view.append(frame.event.text)

        for number, action in enumerate(actions):
            if action == "publish":
                state.append(str(number))
                topic.publish(TextDelta(text=str(number)))
            elif action == "read":
                await read_all(watcher)
            elif action == "refresh":
                topic.refresh()
            else:
                watcher.close()
                watcher = topic.join(last)
        await read_all(watcher)
        assert view == state
        watcher.close()

    asyncio.run(play())


@pytest.mark.spec("TURN-38", "WIRE-16")
async def test_nothing_follows_the_end_of_a_stream_however_late_its_reader_looks_again():
    topic = a_topic()
    watcher = topic.join(None, until_end=True)
    await take(watcher, 1)
    topic.publish(Done(run_id="r", spent_usd=0, unknown_cost_calls=0, estimated_cost_calls=0, cost_usd=0))
    assert [frame.event.type for frame in await take(watcher, 1)] == ["done"]
    topic.publish(note(1))  # a title has changed the conversation before the reader comes back
    topic.refresh()
    assert watcher.more(10) == []
    with pytest.raises(StopAsyncIteration):
        await anext(watcher)

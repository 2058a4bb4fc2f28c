"""Many watchers at once, one of which never reads: everybody else hears everything, and nothing piles up (TURN-36)."""

import asyncio
import gc
import tracemalloc

import pytest

from crewlab.engine.events import Note, TextDelta
from crewlab.engine.turn.frames import KEPT_FRAMES, VIEWER_QUEUE
from tests.fixtures.crews import a_crew

WATCHERS = 60
EVENTS = 2_000
BURST = 100  # events between two chances for the readers


@pytest.mark.spec("TURN-33", "TURN-34", "TURN-36", "WIRE-3", "WIRE-7")
async def test_a_stalled_watcher_costs_nothing_and_is_given_a_fresh_frame_when_it_reads(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        heard = [0] * WATCHERS
        watchers = [crew.watch.join(conversation) for _ in range(WATCHERS)]
        stalled = crew.watch.join(conversation)

        async def reads(place):
            async for frame in watchers[place]:
                if frame.event.type == "note":
                    assert frame.event.text.startswith(f"{heard[place]} ")
                    heard[place] += 1

        readers = [asyncio.create_task(reads(place)) for place in range(WATCHERS)]
        sizes = []
        tracemalloc.start()
        for number in range(EVENTS):
            crew.watch.publish(conversation, Note(text=f"{number} " + "x" * 180))
            if number % BURST == BURST - 1:
                async with asyncio.timeout(20):
                    while min(heard) <= number:
                        await asyncio.sleep(0)
                assert len(stalled._queue) <= VIEWER_QUEUE
                gc.collect()
                sizes.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        assert heard == [EVENTS] * WATCHERS
        steady = sizes[KEPT_FRAMES // BURST + 1 :]  # from when as much is kept as ever will be
        assert max(steady) - min(steady) < 300_000
        seen = [frame.event.type for frame in [await anext(stalled)]]
        assert seen == ["watching"]
        crew.watch.publish(conversation, Note(text="after"))
        assert (await anext(stalled)).event.text == "after"
        for watcher in (*watchers, stalled):
            watcher.close()
        await asyncio.gather(*readers)


@pytest.mark.spec("TURN-94", "WIRE-7")
async def test_a_stalled_watcher_of_the_activity_is_cut_off_and_the_others_go_on(tmp_path):
    async with a_crew(tmp_path) as crew:
        stalled, reading = crew.hub.join(), crew.hub.join()
        await anext(reading)
        for number in range(VIEWER_QUEUE + 10):
            crew.hub.event(None, "c", "default", Note(text=str(number)))
            assert (await anext(reading)).event.data["text"] == str(number)
        assert stalled.cut
        assert len(stalled._queue) == 0
        with pytest.raises(StopAsyncIteration):
            await anext(stalled)
        reading.close()


@pytest.mark.spec("TURN-35", "TURN-36", "WIRE-7")
async def test_the_fresh_frame_holds_the_text_written_so_far(tmp_path):
    go_on, flood = asyncio.Event(), asyncio.Event()

    async def writes(_scene):
        for number in range(1000):
            yield f"w{number} "
        flood.set()
        await go_on.wait()
        yield "end"

    async with a_crew(tmp_path, routes="fake:writes", scripts={"writes": writes}) as crew:
        conversation = crew.conversations.create().id
        stalled = crew.watch.join(conversation)
        await crew.inbound.send(conversation, "go")
        await flood.wait()
        fresh = [await anext(stalled), await anext(stalled)]
        assert [frame.event.type for frame in fresh] == ["watching", "text_delta"]
        assert fresh[1].event == TextDelta(text="".join(f"w{number} " for number in range(1000)))
        go_on.set()
        rest = [frame.event async for frame in _until_done(stalled)]
        assert [event.type for event in rest] == ["text_delta", "done"]
        stalled.close()


async def _until_done(watcher):
    async for frame in watcher:
        yield frame
        if frame.event.type == "done":
            return

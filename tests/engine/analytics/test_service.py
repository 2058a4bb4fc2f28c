"""When the copy follows the store, in which thread, and that its failures reach nobody but its reader."""

import asyncio
import logging
import sys
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import duckdb
import pytest

from crewlab.engine.analytics.service import Analytics, Due
from crewlab.engine.clock import FakeClock
from crewlab.engine.errors import NotFound
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from tests.fixtures.copied import ZONE, ask, conversation, filled, run
from tests.fixtures.crews import TEST_SECONDS, a_crew, say, types


class Waits:
    """Waiting that moves the clock, and shows what was waited for."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self.clock.advance(seconds)
        await asyncio.sleep(0)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(datetime(2026, 3, 11, 12, tzinfo=UTC))


@pytest.fixture
def waits(clock: FakeClock) -> Waits:
    return Waits(clock)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "crew.db", Texts())


@pytest.fixture
async def analytics(store: Store, clock: FakeClock, waits: Waits, tmp_path: Path) -> AsyncIterator[Analytics]:
    made = Analytics(tmp_path / "analytics", store, clock, Texts(), lambda: ZONE, list, waits)
    made.enabled = True
    yield made
    await made.close()
    store.close()


async def until_updated(analytics: Analytics, times: int) -> None:
    async with asyncio.timeout(TEST_SECONDS):
        while analytics.updates < times or analytics._lock.locked():
            await asyncio.sleep(0.005)


@pytest.mark.spec("ANL-5")
@pytest.mark.parametrize(
    ("writes", "last_update", "due"),
    [
        ([100.0], None, 105.0),  # five seconds after the last write
        ([100.0, 104.0], None, 109.0),
        ([100.0 + n for n in range(60)], None, 130.0),  # writing without a pause does not put it off for ever
        ([100.0], 90.0, 120.0),  # thirty seconds after the last update
        ([118.0], 90.0, 123.0),
    ],
)
def test_an_update_is_due_when_it_is_quiet_and_not_too_often(writes: list[float], last_update: float | None, due: float) -> None:
    plan = Due()
    if last_update is not None:
        plan.done(last_update, last_update)
    for moment in writes:
        plan.written(moment)
    assert plan.at() == due


def test_an_update_that_took_long_is_followed_by_a_long_pause() -> None:
    plan = Due()
    plan.done(100.0, 108.0)
    plan.written(109.0)
    assert plan.at() == 188.0


@pytest.mark.spec("ANL-5")
async def test_the_copy_follows_the_store_by_itself(analytics: Analytics, store: Store, waits: Waits) -> None:
    analytics.start()
    await asyncio.sleep(0)
    assert (analytics.updates, "duckdb" in {thread.name for thread in threading.enumerate()}) == (0, False)
    filled(store)
    await until_updated(analytics, 1)
    assert waits.seconds == [5.0]
    run(store, "r9")
    await until_updated(analytics, 2)
    assert waits.seconds == [5.0, 30.0]
    assert len(ask(analytics.current(), "FROM runs")) == 5


@pytest.mark.spec("ANL-2")
async def test_every_call_of_duckdb_is_made_in_one_thread(analytics: Analytics, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()
    connect = duckdb.connect

    def noted(*args: object, **options: object) -> object:
        seen.add(threading.current_thread().name)
        return connect(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(duckdb, "connect", noted)
    filled(store)
    await analytics.state()
    await asyncio.gather(*(analytics.refresh() for _ in range(5)))
    assert len(seen) == 1
    assert seen.pop().startswith("crewlab-analytics")


@pytest.mark.spec("ANL-6")
async def test_what_is_told_is_what_is_there(analytics: Analytics, store: Store, tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        analytics.current()
    assert (await analytics.state()).snapshot is None
    filled(store)
    state = await analytics.refresh()
    assert (state.enabled, state.path, state.snapshot, state.error) == (True, tmp_path / "analytics", "crew-1.duckdb", None)
    assert state.rows == {"runs": 4, "steps": 8, "model_calls": 3, "tool_calls": 14, "approvals": 2, "side_calls": 2, "meta": 1}
    assert state.bytes == analytics.current().stat().st_size
    assert (await analytics.refresh()) == state


async def test_a_server_that_has_copied_nothing_yet_tells_what_was_published_before(
    analytics: Analytics, store: Store, clock: FakeClock, tmp_path: Path
) -> None:
    filled(store)
    before = await analytics.refresh()
    later = Analytics(tmp_path / "analytics", store, clock, Texts(), lambda: ZONE, list)
    later.enabled = True
    assert await later.state() == before
    await later.close()


async def test_off_means_off(analytics: Analytics, store: Store, tmp_path: Path) -> None:
    analytics.enabled = False
    analytics.start()
    filled(store)
    state = await analytics.refresh()
    assert (state.enabled, state.snapshot, analytics.updates) == (False, None, 0)
    assert not (tmp_path / "analytics").exists()


@pytest.mark.spec("ANL-20")
async def test_without_duckdb_turns_go_on_and_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)
    caplog.set_level(logging.WARNING)
    async with a_crew(tmp_path / "home") as crew:
        crew.analytics.enabled = True
        for text in ("one", "two"):
            assert types((await say(crew, text))[1])[-1] == "done"
            state = await crew.analytics.refresh()
        assert state.error is not None
        assert "pip install 'crewlab[analytics]'" in state.error
        assert (await crew.analytics.state()).error == state.error
    assert len([record for record in caplog.records if "analytics" in record.getMessage()]) == 1


@pytest.mark.spec("ANL-20")
@pytest.mark.parametrize(
    "fault", [OSError(28, "No space left on device"), duckdb.IOException("disk"), RuntimeError("a bug"), MemoryError()]
)
async def test_a_failure_is_told_once_and_tried_again(
    analytics: Analytics, store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, fault: Exception, waits: Waits
) -> None:
    left = [fault, fault]
    update = analytics.build.update

    def failing(*given: object) -> object:
        if left:
            raise left.pop()
        return update(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(analytics.build, "update", failing)
    analytics.start()
    filled(store)
    await until_updated(analytics, 3)  # nothing more is written meanwhile
    state = await analytics.state()
    assert (state.error, state.rows["runs"]) == (None, 4)
    assert waits.seconds[1] >= 25.0
    assert len([record for record in caplog.records if "analytics" in record.getMessage()]) == 1


@pytest.mark.spec("ANL-20", "RES-16")
async def test_a_crew_goes_down_while_the_copy_is_made(tmp_path: Path) -> None:
    async with a_crew(tmp_path / "home") as crew:
        crew.analytics.enabled = True
        filled(crew.store)
        making = asyncio.create_task(crew.analytics.refresh())
        await asyncio.sleep(0)
    await making
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("crewlab-analytics") and thread.is_alive()]


@pytest.mark.spec("ANL-7")
async def test_files_with_what_was_deleted_go_though_nothing_more_is_written(analytics: Analytics, store: Store, clock: FakeClock) -> None:
    analytics.start()
    conversation(store, "c8")
    filled(store)
    await analytics.refresh()
    store.conversations.delete("c1")
    await analytics.refresh()
    await until_updated(analytics, 2)
    clock.advance(timedelta(minutes=11).total_seconds())
    store.conversations.delete("c8")  # wakes it
    async with asyncio.timeout(TEST_SECONDS):
        while (analytics.folder / "crew-1.duckdb").exists():
            await asyncio.sleep(0.005)

"""When the copy is brought up to date, and what is told about it (ANL-5, ANL-6, ANL-20).

Everything that touches DuckDB runs in one thread (ANL-2). Whatever goes wrong there is told in ``error`` and tried again; a turn
never hears of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from crewlab.engine.analytics.build import Build, Held, Published
from crewlab.engine.clock import Clock, iso
from crewlab.engine.errors import NotFound
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts

QUIET_SECONDS = 5.0  # ANL-5
GAP_SECONDS = 30.0  # ANL-5
SHARE = 10  # an update that takes long is followed by a pause this many times as long
CLOSE_SECONDS = 5.0

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class State:
    """What is known of the copy (ANL-6). ``path`` is the folder, ``snapshot`` the name of the current file in it."""

    enabled: bool
    path: Path
    snapshot: str | None = None
    published_at: str | None = None
    rows: dict[str, int] = field(default_factory=dict)
    bytes: int = 0
    error: str | None = None


@dataclass(slots=True)
class Due:
    """When the next update is due: a while after the last write, never too soon after the last update, never put off for ever."""

    first_write: float | None = None
    last_write: float = 0.0
    not_before: float = 0.0

    def written(self, now: float) -> None:
        """Something was written."""
        self.last_write = now
        if self.first_write is None:
            self.first_write = now

    def at(self) -> float:
        """The moment, in the seconds of the clock."""
        first = self.last_write if self.first_write is None else self.first_write
        return max(self.not_before, min(self.last_write + QUIET_SECONDS, first + GAP_SECONDS))

    def done(self, began: float, ended: float) -> None:
        """An update has run."""
        self.first_write = None
        self.not_before = max(began + GAP_SECONDS, ended + SHARE * (ended - began))


class Analytics:
    """The copy of one crew's store. Off until ``enabled``; ``start`` makes it follow the store.

    ``zone`` names the person's zone, ``secrets`` gives what is masked; ``pause`` stands in for waiting in tests.
    """

    def __init__(
        self,
        folder: Path,
        store: Store,
        clock: Clock,
        texts: Texts,
        zone: Callable[[], str],
        secrets: Callable[[], list[str]],
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.enabled = False
        self.folder = folder
        self.build = Build(folder, store.readers)
        self.pause = pause
        self.updates = 0
        """How often an update was tried."""
        self._store = store
        self._clock = clock
        self._texts = texts
        self._zone = zone
        self._secrets = secrets
        self._thread: ThreadPoolExecutor | None = None
        self._lock = asyncio.Lock()
        self._due = Due()
        self._written = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None
        self._published: Published | None = None
        self._seen = -1
        self._error: str | None = None
        self._closed = False

    def start(self) -> None:
        """Follow the store from now on."""
        if self.enabled and self._task is None:
            self._loop = asyncio.get_running_loop()
            self._store.db.on_commit.append(self._noted)
            self._task = asyncio.create_task(self._for_ever(), name="crewlab analytics")

    async def state(self) -> State:
        """What is published."""
        if self._published is None and self.enabled:
            with contextlib.suppress(ImportError, OSError):  # the update that comes will say so
                self._published = await self._apart(self.build.published)
        return self._state()

    async def refresh(self) -> State:
        """Bring the copy up to date now and publish it (ANL-6)."""
        if self.enabled and not self._closed:
            await self._update()
        return self._state()

    def current(self) -> Path:
        """The file that is published now. Raises ``NotFound``."""
        path = self.build.snapshots.current()
        if path is None:
            raise NotFound(self._texts("analytics.nothing"))
        return path

    async def close(self) -> None:
        """Stop following and let go of the file; an update that runs is broken off."""
        self._closed = True
        with contextlib.suppress(ValueError):
            self._store.db.on_commit.remove(self._noted)
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        thread, self._thread = self._thread, None
        if thread is not None:
            self.build.interrupt()
            done = asyncio.wrap_future(thread.submit(self.build.close))
            await asyncio.wait({done}, timeout=CLOSE_SECONDS)
            thread.shutdown(wait=False, cancel_futures=True)

    def _state(self) -> State:
        found = self._published
        if found is None:
            return State(self.enabled, self.folder, error=self._error)
        return State(self.enabled, self.folder, found.path.name, iso(found.published_at), found.rows, found.bytes, self._error)

    def _noted(self) -> None:
        """After each commit, wherever it was made: cheap, because turns wait for it."""
        self._due.written(self._clock.monotonic())
        if not self._written.is_set() and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._written.set)

    async def _for_ever(self) -> None:
        while True:
            await self._something()
            while (left := self._due.at() - self._clock.monotonic()) > 0:
                await self.pause(left)
            self._written.clear()
            await self._update()
            if self._error is not None:
                self._noted()  # tried again after the pause, also when nothing more is written

    async def _something(self) -> None:
        """Wait for a write; meanwhile files that hold what was deleted go when their time has come (ANL-7)."""
        while not self._written.is_set():
            due = self.build.sweep_at
            left = None if due is None else max(0.0, (due - self._clock.now()).total_seconds())
            try:
                async with asyncio.timeout(left):
                    await self._written.wait()
            except TimeoutError:
                await self._apart(lambda: self.build.sweep(self._clock.now()))

    async def _update(self) -> None:
        async with self._lock:
            writes = self._store.db.writes
            if self._published is not None and self._seen == writes and self._error is None and self._published.path.exists():
                return
            began = self._clock.monotonic()
            now, zone, secrets = self._clock.now(), self._zone(), self._secrets()
            self.updates += 1
            error = await self._tried(now, zone, secrets)
            self._due.done(began, self._clock.monotonic())
            if error is None:
                self._seen = writes
            elif error != self._error:
                log.warning("analytics: %s", error)  # ANL-20: once
            self._error = error

    async def _tried(self, now: datetime, zone: str, secrets: list[str]) -> str | None:
        """Update; what went wrong, if anything did."""
        try:
            self._published = await self._apart(lambda: self.build.update(now, zone, secrets))
        except ImportError:
            return self._texts("analytics.no_duckdb")
        except Held as error:
            return self._texts("analytics.held", file=self.folder / "build.duckdb", error=error)
        except Exception as error:  # noqa: BLE001 - a failure of the copy must reach nobody but its reader (ANL-20)
            return self._texts("analytics.failed", error=f"{type(error).__name__}: {error}")
        return None

    async def _apart(self, work: Callable[[], T]) -> T:
        """The result of ``work``, done in the one thread of analytics."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="crewlab-analytics")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

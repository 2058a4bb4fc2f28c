"""The crew of this server while it is being built, when it is there, and when it cannot be (AGT-4, DB-12, RES-16)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

from crewlab.engine.clock import new_id
from crewlab.engine.errors import CrewError, Unavailable
from crewlab.engine.texts import Texts
from crewlab.server_ext.pace import Pace

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew

START_WAIT_SECONDS = 10.0  # how long a request that comes early waits for the crew
STOP_SECONDS = 10.0  # RES-16

Build = Callable[[], Awaitable["Crew"]]


class Closable(Protocol):
    """An open stream or window."""

    def close(self) -> None: ...


class CrewHolder:
    """Builds the crew in the background and hands it to requests."""

    def __init__(
        self,
        build: Build | None,
        log: logging.Logger,
        *,
        start_wait: float = START_WAIT_SECONDS,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._build = build
        self._log = log
        self._start_wait = start_wait
        self._task: asyncio.Task[Crew] | None = None
        self._problem: CrewError | None = None
        self._stopping = False
        self.texts = Texts("en")
        """The crew's language once the crew is there."""
        self.sleep = sleep
        """What heartbeats wait with."""
        self.pace = Pace()
        """What streams that have just written wait with."""
        self.open: set[Closable] = set()
        """Streams and windows that are open now."""

    def start(self) -> None:
        """Begin to build; returns at once."""
        if self._build is not None and self._task is None and not self._stopping:
            self._task = asyncio.create_task(self._make(self._build))
            self._task.add_done_callback(lambda task: task.cancelled() or task.exception())  # told to every request

    async def get(self) -> Crew:
        """The crew; waits for it a while. Raises why there is none: ``StartupStop``, else ``Unavailable``."""
        if self._stopping:
            raise Unavailable(self.texts("http.stopping"))
        if self._build is None:
            raise Unavailable(self.texts("http.disabled"))
        self.start()
        assert self._task is not None
        if not self._task.done():
            await asyncio.wait({self._task}, timeout=self._start_wait)
        if not self._task.done():
            raise Unavailable(self.texts("http.starting"))
        if self._task.cancelled():
            raise Unavailable(self.texts("http.stopping"))
        if self._problem is not None:
            raise self._problem
        return self._task.result()

    async def stop(self) -> None:
        """End the streams, then the crew, within ten seconds; what has not ended by then is abandoned (RES-16)."""
        self._stopping = True
        for one in list(self.open):
            one.close()
        if self._task is None:
            return
        task = asyncio.create_task(self._end(self._task))
        _, late = await asyncio.wait({task}, timeout=STOP_SECONDS)
        if late:
            self._log.warning("crewlab did not stop within %s seconds and is abandoned", STOP_SECONDS)
            task.cancel()

    async def _end(self, building: asyncio.Task[Crew]) -> None:
        building.cancel()  # does nothing when it is done
        await asyncio.wait({building})
        if not building.cancelled() and building.exception() is None:
            await building.result().stop()

    async def _make(self, build: Build) -> Crew:
        try:
            crew = await build()
        except CrewError as error:
            self._problem = error
            self._log.error("crewlab: %s", error.message)
            raise
        except Exception:
            reference = new_id("e")
            self._problem = Unavailable(self.texts("http.failed_start", reference=reference))
            self._log.exception("crewlab could not start (reference %s)", reference)
            raise
        self.texts = crew.texts
        return crew

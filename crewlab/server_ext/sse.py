"""Server-sent events: one answer that stays open (TURN-39, WIRE-4, WIRE-9)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from tornado.iostream import StreamClosedError

from crewlab.server_ext.following import Frames, Stream, event_text, whole_text
from crewlab.server_ext.pace import Pace

PING_SECONDS = 15.0  # TURN-39
PING = ": ping\n\n"
TOGETHER = 64  # WIRE-16: frames in one write
STALLED_PINGS = 3  # WIRE-5: 45 seconds in which the client takes nothing
HEADERS = {"Content-Type": "text/event-stream; charset=utf-8", "Cache-Control": "no-store", "X-Accel-Buffering": "no"}  # TURN-39

Sleep = Callable[[float], Awaitable[None]]


class Sink(Protocol):
    """Where the text goes; a Tornado handler is one."""

    def write(self, chunk: str) -> None: ...

    def flush(self) -> Awaitable[None]: ...


class EventStream:
    """Writes the frames of a ``Stream`` until a source ends or the client goes.

    At most one flush is outstanding: a client that reads slowly leaves the frames with the watcher,
    whose queue is bounded. One that reads nothing for 45 seconds is let go through ``abort``.
    """

    def __init__(
        self, stream: Stream, sink: Sink, abort: Callable[[], None], sleep: Sleep = asyncio.sleep, pace: Pace | None = None
    ) -> None:
        self._pace = pace or Pace()
        self._last = float("-inf")
        self._stream = stream
        self._sink = sink
        self._abort = abort
        self._sleep = sleep
        self._text = whole_text if stream.whole else event_text
        self._writing = asyncio.Lock()

    async def run(self) -> None:
        """Serve until the end. Returns quietly when the client has gone."""
        try:
            async with asyncio.TaskGroup() as group:
                pumps = [group.create_task(self._pump(source)) for source in self._stream.sources]
                heart = group.create_task(self._beat())
                await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
                self.close()
                heart.cancel()
        except* StreamClosedError:
            pass  # the client went away; closing the sources is all there is to do
        finally:
            self.close()

    def close(self) -> None:
        """End the stream from outside: the client has closed, or the server stops."""
        for source in self._stream.sources:
            source.close()

    async def _pump(self, source: Frames) -> None:
        async for frame in source:
            await self._pace.since(self._last)
            await self._send("".join(map(self._text, [frame, *source.more(TOGETHER)])))

    async def _send(self, text: str) -> None:
        async with self._writing:
            self._last = asyncio.get_running_loop().time()
            self._sink.write(text)
            await self._sink.flush()

    async def _beat(self) -> None:
        stalled = 0
        while stalled < STALLED_PINGS:
            await self._sleep(PING_SECONDS)
            if self._writing.locked():
                stalled += 1
            else:
                stalled = 0
                await self._send(PING)
        self._abort()

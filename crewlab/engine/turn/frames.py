"""Frames, topics and watchers: how events reach viewers without holding memory (WIRE-1 to WIRE-7).

Everything runs on the event loop; ``publish`` never waits. A viewer that falls behind a
conversation is given a fresh start built when it reads again; a viewer of the activity is cut off.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import deque
from collections.abc import Callable, Sequence

from crewlab.engine.errors import CrewError
from crewlab.engine.event import Event
from crewlab.engine.events import ends_stream

VIEWER_QUEUE = 256  # TURN-36, TURN-94
KEPT_FRAMES = 512  # WIRE-3
KEPT_BYTES = 1 << 20  # WIRE-3
KEPT_SECONDS = 60.0  # WIRE-3

EPOCH = secrets.token_hex(4)  # WIRE-2: drawn when the process starts

Fresh = Callable[[], Sequence[Event]]


class Frame:
    """One event on one topic. ``data_json`` is its JSON, made once for all viewers."""

    __slots__ = ("_json", "event", "n", "topic")

    def __init__(self, topic: str, n: int, event: Event) -> None:
        self.topic = topic
        self.n = n
        self.event = event
        self._json: str | None = None

    @property
    def id(self) -> str:
        """``<epoch>-<n>`` (WIRE-2)."""
        return f"{EPOCH}-{self.n}"

    @property
    def data_json(self) -> str:
        """The event as JSON; it repeats its name as ``type`` (TURN-39)."""
        if self._json is None:
            self._json = self.event.__pydantic_serializer__.to_json(self.event).decode()  # without the arguments of `model_dump_json`
        return self._json


class Watcher:
    """One viewer of one topic: an async iterator of frames.

    ``cut`` is true when an activity viewer was cut off (WIRE-7). ``close`` ends the iteration.
    """

    def __init__(self, topic: Topic, *, until_end: bool, refreshes: bool) -> None:
        self._topic = topic
        self._queue: deque[Frame] = deque()
        self._asleep: asyncio.Future[None] | None = None
        self._stale = False
        self._closed = False
        self._ended = False
        self._until_end = until_end
        self._refreshes = refreshes
        self.cut = False

    def preload(self, frames: list[Frame]) -> None:
        """Begin with a fresh start, or with what the viewer missed (WIRE-2)."""
        self._queue.extend(frames)
        self._wake()

    def start_anew(self) -> None:
        """Drop what waits and go on with a fresh frame, built when the viewer reads next (TURN-36)."""
        self._queue.clear()
        self._stale = True
        self._wake()

    def push(self, frame: Frame) -> None:
        """Hand over one frame; never waits."""
        if self._stale or self._ended:
            return  # the fresh frame will show it, or the stream is over though its reader has not looked yet
        if len(self._queue) >= VIEWER_QUEUE:
            if self._refreshes:
                self.start_anew()
            else:
                self.cut = True
                self.close()
            return
        self._queue.append(frame)
        self._wake()

    def _wake(self) -> None:
        if self._asleep is not None and not self._asleep.done():
            self._asleep.set_result(None)

    def close(self) -> None:
        """End the iteration; a second call does nothing."""
        self._closed = True
        self._queue.clear()
        self._topic.leave(self)
        self._wake()

    def __aiter__(self) -> Watcher:
        return self

    async def __anext__(self) -> Frame:
        while True:
            if self._closed or (self._ended and not self._queue):
                self.close()
                raise StopAsyncIteration
            if self._stale:
                self._stale = False
                self._queue.extend(self._topic.fresh_frames())
                continue
            if self._queue:
                return self._next()
            self._asleep = asyncio.get_running_loop().create_future()
            await self._asleep

    def more(self, limit: int) -> list[Frame]:
        """At most ``limit`` frames that are there already, so that they can be sent together."""
        found: list[Frame] = []
        while self._queue and len(found) < limit and not (self._stale or self._closed or self._ended):
            found.append(self._next())
        return found

    def _next(self) -> Frame:
        frame = self._queue.popleft()
        if self._until_end and ends_stream(frame.event):
            self._queue.clear()
            self._ended = True
        elif self._until_end and self._idle(frame):
            self._ended = not any(later.event.type == "watching" for later in self._queue)
        return frame

    def _idle(self, frame: Frame) -> bool:
        return frame.event.type == "watching" and not getattr(frame.event, "running", True)


class Topic:
    """One topic: its viewers and the frames kept for those that come back."""

    def __init__(self, name: str, fresh: Fresh, *, refreshes: bool, start: int = 0) -> None:
        self.name = name
        self.n = start
        self.watchers: set[Watcher] = set()
        self._fresh = fresh
        self._refreshes = refreshes
        self._kept: deque[Frame] = deque()
        self._bytes = 0
        self._keeping = False
        self._forgetting: asyncio.TimerHandle | None = None
        self.on_forgotten: Callable[[Topic], None] = lambda _topic: None

    @property
    def watched(self) -> bool:
        """Whether anybody watches, or watched a short while ago and may come back."""
        return self._keeping

    def publish(self, event: Event) -> None:
        """Number the event and hand it to every viewer."""
        self.n += 1
        if not self._keeping:
            return
        frame = Frame(self.name, self.n, event)
        self._keep(frame)
        for watcher in tuple(self.watchers):
            watcher.push(frame)

    def _keep(self, frame: Frame) -> None:
        self._kept.append(frame)
        self._bytes += len(frame.data_json)
        while self._kept and (len(self._kept) > KEPT_FRAMES or self._bytes > KEPT_BYTES):
            self._bytes -= len(self._kept.popleft().data_json)

    def join(self, after: str | None, *, until_end: bool = False, first: Sequence[Event] | None = None) -> Watcher:
        """A new viewer: it goes on after ``after`` when that is still kept, else starts fresh, with ``first`` if that was just built."""
        watcher = Watcher(self, until_end=until_end, refreshes=self._refreshes)
        missed = self._after(after)
        if missed is None:
            missed = self.fresh_frames() if first is None else [Frame(self.name, self.n, event) for event in first]
        watcher.preload(missed)
        self.watchers.add(watcher)
        self._keeping = True
        return watcher

    def _after(self, after: str | None) -> list[Frame] | None:
        epoch, _, number = (after or "").partition("-")
        if epoch != EPOCH or not number.isdigit() or int(number) > self.n:
            return None
        seen = int(number)
        if seen == self.n:
            return []
        if not self._kept or self._kept[0].n > seen + 1:
            return None
        return [frame for frame in self._kept if frame.n > seen]

    def leave(self, watcher: Watcher) -> None:
        """Forget a viewer; what is kept for it goes after ``KEPT_SECONDS``."""
        if watcher not in self.watchers:
            return
        self.watchers.discard(watcher)
        if not self.watchers:
            if self._forgetting is not None:
                self._forgetting.cancel()  # one timer a topic: a viewer may come and go many times in a minute
            self._forgetting = asyncio.get_running_loop().call_later(KEPT_SECONDS, self.forget)

    def forget(self) -> None:
        """Drop what is kept when nobody watches any more."""
        if not self.watchers:
            self._kept.clear()
            self._bytes = 0
            self._keeping = False
            self.on_forgotten(self)

    def refresh(self) -> None:
        """Show every viewer the state as it is now (WIRE-6)."""
        if not self._keeping:
            self.n += 1
            return
        self._kept.clear()  # who comes back to before this point starts fresh
        self._bytes = 0
        for frame in self.fresh_frames():
            self.n += 1
            for watcher in tuple(self.watchers):
                watcher.push(Frame(self.name, self.n, frame.event))

    def fresh_frames(self) -> list[Frame]:
        """The first frames of a viewer, as things stand now; none when the thing is gone."""
        try:
            return [Frame(self.name, self.n, event) for event in self._fresh()]
        except CrewError:
            for watcher in tuple(self.watchers):
                watcher.close()
            return []

    def close(self) -> None:
        """End every viewer."""
        for watcher in tuple(self.watchers):
            watcher.close()

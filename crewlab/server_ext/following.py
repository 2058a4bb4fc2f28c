"""What an event stream carries: watchers of the engine, or a few frames that are there already (WIRE-1)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from crewlab.engine.errors import NotFound
from crewlab.engine.event import Event
from crewlab.server_ext.wire import ACTIVITY, CONVERSATION

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew


class FrameLike(Protocol):
    """One event on one topic, as the engine's watchers give it; ``data_json`` is the event's JSON text."""

    @property
    def topic(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def event(self) -> Event: ...
    @property
    def data_json(self) -> str: ...


class Frames(Protocol):
    """Frames one after the other; ``more`` takes those that need no waiting.

    ``close`` ends the iteration at once, from wherever it is called.
    """

    def __aiter__(self) -> AsyncIterator[FrameLike]: ...

    def more(self, limit: int) -> Sequence[FrameLike]: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Stream:
    """The answer of a route that streams. ``whole`` sends whole frames, as many topics in one stream need (WIRE-9)."""

    sources: Sequence[Frames]
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Single:
    """A frame made by the server itself; it has no id, so nobody can ask for what follows it."""

    topic: str
    event: Event
    id: str = ""

    @property
    def data_json(self) -> str:
        """The event as JSON."""
        return self.event.model_dump_json()


class Given:
    """Frames that are there already."""

    def __init__(self, frames: Sequence[FrameLike]) -> None:
        self._frames = list(frames)

    async def __aiter__(self) -> AsyncIterator[FrameLike]:
        while self._frames:
            yield self._frames.pop(0)

    def more(self, limit: int) -> Sequence[FrameLike]:
        """The next ``limit`` of them."""
        found, self._frames = self._frames[:limit], self._frames[limit:]
        return found

    def close(self) -> None:
        """Forget what was not sent."""
        self._frames.clear()


class Primed:
    """A source whose first frame was taken already, so that what follows is kept for its viewer from now on."""

    def __init__(self, first: FrameLike, rest: Frames) -> None:
        self._first = first
        self._rest = rest

    async def __aiter__(self) -> AsyncIterator[FrameLike]:
        yield self._first
        async for frame in self._rest:
            yield frame

    def more(self, limit: int) -> Sequence[FrameLike]:
        """What follows and is there."""
        return self._rest.more(limit)

    def close(self) -> None:
        """Close what follows."""
        self._rest.close()


async def primed(source: Frames) -> Frames:
    """``source`` with its first frame taken; nothing when it has none. Only for a source whose first frame is there."""
    async for frame in source:
        return Primed(frame, source)
    return Given([])


def join(crew: Crew, topic: str, after: str | None) -> Frames:
    """Begin to watch ``topic``; raises ``NotFound`` when there is no such topic."""
    if topic == ACTIVITY:
        return crew.hub.join(after)
    if not topic.startswith(CONVERSATION):
        raise NotFound(crew.texts("http.unknown_topic", topic=topic))
    return crew.watch.join(topic.removeprefix(CONVERSATION), after)


async def ready(source: Frames) -> list[FrameLike]:
    """What ``source`` can give without waiting; closes it."""
    found: list[FrameLike] = []
    iterator = aiter(source)
    try:
        while True:
            step = asyncio.ensure_future(anext(iterator))
            await asyncio.sleep(0)  # lets the step take what is queued
            if not step.done():
                step.cancel()
                break
            found.append(step.result())
    except StopAsyncIteration:
        pass
    finally:
        source.close()
    return found


def event_text(frame: FrameLike) -> str:
    """``frame`` as one server-sent event of its own name (TURN-39, WIRE-4)."""
    head = f"id: {frame.id}\n" if frame.id else ""
    return f"{head}event: {frame.event.type}\ndata: {frame.data_json}\n\n"


def frame_text(frame: FrameLike) -> str:
    """The JSON object of WIRE-1, built around the event's own text so that many viewers share one encoding."""
    head = json.dumps({"topic": frame.topic, "id": frame.id, "event": frame.event.type})
    return f'{head[:-1]}, "data": {frame.data_json}}}'


def whole_text(frame: FrameLike) -> str:
    """``frame`` as a server-sent event named ``frame`` (WIRE-9)."""
    return f"event: frame\ndata: {frame_text(frame)}\n\n"

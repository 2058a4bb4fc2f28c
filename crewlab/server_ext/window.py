"""The one connection of a window: topics in, frames out (WIRE-5 to WIRE-8). Knows nothing of WebSockets."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from pydantic import ValidationError

from crewlab.engine.errors import CrewError
from crewlab.engine.records import Record
from crewlab.server_ext.following import Frames, frame_text, join
from crewlab.server_ext.sse import PING_SECONDS, Sleep
from crewlab.server_ext.wire import MAX_TOPICS, Cut, Ping, Refused, Subscribe, Subscribed, Unsubscribe, client_messages

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew

MAX_MESSAGE_BYTES = 64 * 1024  # WIRE-8
SILENT_BEATS = 3  # WIRE-5: 45 seconds without a message

_client = cache(client_messages)


@dataclass(eq=False)
class Subscription:
    """A topic this window watches."""

    topic: str
    source: Frames
    task: asyncio.Task[None] | None = None


class Window:
    """Serves one window over ``send`` (one text, awaited until it is on its way) and ``close``.

    ``send`` is never called while another call is outstanding, so a window that does not read holds
    no more than one text here; its watchers' queues are bounded.
    """

    def __init__(self, crew: Crew, send: Callable[[str], Awaitable[None]], close: Callable[[], None], sleep: Sleep = asyncio.sleep) -> None:
        self._crew = crew
        self._send_text = send
        self._close = close
        self._sleep = sleep
        self._topics: dict[str, Subscription] = {}
        self._writing = asyncio.Lock()
        self._heard = False
        self._group: asyncio.TaskGroup | None = None

    async def run(self) -> None:
        """Own the window's tasks until it is cancelled or falls silent."""
        try:
            async with asyncio.TaskGroup() as group:
                self._group = group
                for subscription in self._topics.values():  # asked for before this task began
                    self._follow(subscription)
                await self._beat()
        finally:
            self.leave()

    def leave(self) -> None:
        """Stop watching everything: the window has gone."""
        for subscription in self._topics.values():
            subscription.source.close()
        self._topics.clear()

    async def hear(self, text: str | bytes) -> None:
        """Obey one message of the window, or answer why not; the connection stays in every case (WIRE-8)."""
        self._heard = True
        if len(text) > MAX_MESSAGE_BYTES or len(text.encode() if isinstance(text, str) else text) > MAX_MESSAGE_BYTES:
            await self._refuse_unread(self._crew.texts("http.message_too_large", limit=MAX_MESSAGE_BYTES))
            return
        try:
            message = _client().validate_json(text)
        except ValidationError as error:
            await self._refuse_unread(error.errors(include_input=False, include_url=False, include_context=False)[0]["msg"])
            return
        if isinstance(message, Subscribe):
            await self._subscribe(message)
        elif isinstance(message, Unsubscribe):
            self._drop(message.topic)

    async def _subscribe(self, wanted: Subscribe) -> None:
        self._drop(wanted.topic)
        if len(self._topics) >= MAX_TOPICS:
            text = self._crew.texts("http.too_many_topics", limit=MAX_TOPICS)
            await self._say(Refused(topic=wanted.topic, code="too_many", message=text))
            return
        try:
            source = join(self._crew, wanted.topic, wanted.after)
        except CrewError as error:
            await self._say(Refused(topic=wanted.topic, code=error.code, message=error.message))
            return
        subscription = self._topics[wanted.topic] = Subscription(wanted.topic, source)
        await self._say(Subscribed(topic=wanted.topic))
        if self._current(subscription):
            self._follow(subscription)

    def _follow(self, subscription: Subscription) -> None:
        if self._group is not None:
            subscription.task = self._group.create_task(self._pump(subscription))

    def _current(self, subscription: Subscription) -> bool:
        return self._topics.get(subscription.topic) is subscription

    def _drop(self, topic: str) -> None:
        """Stop watching ``topic``; what is still on its way is not sent."""
        if subscription := self._topics.pop(topic, None):
            subscription.source.close()
            if subscription.task is not None:
                subscription.task.cancel()

    async def _pump(self, subscription: Subscription) -> None:
        async for frame in subscription.source:
            await self._send(frame_text(frame))
        if self._current(subscription):  # it ended by itself: the window fell behind, or what it showed is gone (WIRE-7)
            del self._topics[subscription.topic]
            await self._say(Cut(topic=subscription.topic))

    async def _refuse_unread(self, problem: str) -> None:
        await self._say(Refused(topic="", code="bad_request", message=self._crew.texts("http.bad_message", problem=problem)))

    async def _say(self, message: Record) -> None:
        await self._send(message.model_dump_json())

    async def _send(self, text: str) -> None:
        async with self._writing:
            await self._send_text(text)

    async def _beat(self) -> None:
        """Ping every 15 seconds; close when the window has said nothing for 45 (WIRE-5)."""
        silent = 0
        while silent < SILENT_BEATS:
            await self._sleep(PING_SECONDS)
            silent = 0 if self._heard else silent + 1
            self._heard = False
            if silent < SILENT_BEATS and not self._writing.locked():
                await self._say(Ping())
        self._close()

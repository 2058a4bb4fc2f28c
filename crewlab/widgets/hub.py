"""One activity subscription for all widgets of a kernel (UI-157): a daemon thread that lives from the first to the last widget."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Future
from typing import Any, Protocol

from crewlab.notebook.errors import CrewError
from crewlab.notebook.following import activity
from crewlab.notebook.http import Http
from crewlab.notebook.locate import Server
from crewlab.notebook.portal import Portal
from crewlab.widgets.wire import BYTES_PER_SECOND

MESSAGES_PER_SECOND = 10  # UI-158
RETRY_SECONDS = 30.0  # WIRE-10: a server that is gone is looked for again
TIMEOUT_SECONDS = 30.0  # UI-142

Json = dict[str, Any]
LOG = logging.getLogger(__name__)


class Listener(Protocol):
    """A widget as the hub sees it. All methods are called in the hub's thread."""

    async def load(self, http: Http) -> None:
        """Reads what the widget shows when it joins."""
        ...

    def frame(self, frame: Mapping[str, Any]) -> None:
        """Takes a frame of the activity stream."""
        ...

    def offline(self, message: str | None) -> None:
        """The server is gone, or (None) there again."""
        ...

    def flush(self) -> Iterator[int]:
        """Sends what has changed since the last time, and gives the bytes of each message after it went."""
        ...


class Hub:
    """The subscription to one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self._portal = Portal("crewlab-widgets")
        self._lock = threading.Lock()
        self._listeners: list[Listener] = []
        self._http: Http | None = None
        self._dirty: asyncio.Event | None = None

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._portal.alive

    def join(self, listener: Listener) -> None:
        """Adds a widget; the first opens the subscription."""
        with self._lock:
            first = not self._listeners
            self._listeners.append(listener)
            if first:
                self._portal.submit(self._open())
            self._portal.submit(self._load(listener)).add_done_callback(_say_failure)

    def leave(self, listener: Listener) -> None:
        """Takes a widget away; the last closes the subscription and ends the thread."""
        with self._lock:
            if listener not in self._listeners:
                return
            self._listeners.remove(listener)
            last = not self._listeners
        if last:
            self._portal.close()
            forget(self)

    def touch(self) -> None:
        """Something is to be sent: from any thread."""
        if self.alive and self._dirty is not None:
            self._portal.loop().call_soon_threadsafe(self._dirty.set)

    def later(self, run: Callable[[], object]) -> None:
        """Runs ``run`` in the thread soon, when there is one: from any thread."""
        if self.alive:
            self._portal.loop().call_soon_threadsafe(run)

    def call(self, work: Callable[[Http], Coroutine[Any, Any, None]]) -> None:
        """Runs ``work`` with the connection, in the thread."""
        self._portal.submit(self.with_http(work)).add_done_callback(_say_failure)

    async def with_http(self, work: Callable[[Http], Coroutine[Any, Any, None]]) -> None:
        """Runs ``work`` with the connection, from within the thread."""
        if self._http is not None:
            await work(self._http)

    async def _open(self) -> None:
        self._http = Http(self.server, TIMEOUT_SECONDS)
        self._dirty = asyncio.Event()
        self._tasks = [asyncio.create_task(self._read(self._http)), asyncio.create_task(self._send(self._dirty))]

    async def _load(self, listener: Listener) -> None:
        if self._http is not None:
            await listener.load(self._http)
            self.touch()

    async def _read(self, http: Http) -> None:
        while True:
            try:
                async for frame in activity(http):
                    self._hear(frame)
            except CrewError as fault:
                self._lost(fault.message)
                await asyncio.sleep(RETRY_SECONDS)

    def _hear(self, frame: Json) -> None:
        for listener in list(self._listeners):
            listener.frame(frame)
        self.touch()

    def _lost(self, message: str) -> None:
        for listener in list(self._listeners):
            listener.offline(message)
        self.touch()

    async def _send(self, dirty: asyncio.Event) -> None:
        """At most ten rounds a second, the last change always among them."""
        while True:
            await dirty.wait()
            dirty.clear()
            rounds = [listener.flush() for listener in self._listeners]
            while rounds:
                rounds = [one for one in rounds if await self._one(one)]
            await asyncio.sleep(1 / MESSAGES_PER_SECOND)

    async def _one(self, messages: Iterator[int]) -> bool:
        """Lets one message of a widget go, and waits as long as its bytes take (WID-3); False when there was none."""
        try:
            sent = next(messages, None)
        except Exception:
            LOG.exception("a widget could not tell its state")  # the others go on
            return False
        if sent is not None:
            await asyncio.sleep(sent / BYTES_PER_SECOND)
        return sent is not None


def _say_failure(work: Future[None]) -> None:
    """What failed in the thread stands in the kernel's log: nobody waits for it."""
    if not work.cancelled() and (fault := work.exception()) is not None:
        LOG.error("a widget failed", exc_info=fault)


_hubs: dict[Server, Hub] = {}
_guard = threading.Lock()


def hub_of(server: Server) -> Hub:
    """The hub of ``server`` in this kernel."""
    with _guard:
        return _hubs.setdefault(server, Hub(server))


def forget(hub: Hub) -> None:
    """The hub has closed: the next widget opens a new one."""
    with _guard:
        if _hubs.get(hub.server) is hub:
            del _hubs[hub.server]

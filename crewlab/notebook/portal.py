"""An event loop in a thread of its own, for code that is not asynchronous (a notebook cell).

A kernel's main thread already runs a loop, so blocking calls hand their coroutines to this one. The thread is a
daemon and holds nothing back when the kernel ends (UI-163); waiting for it can be interrupted.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from concurrent.futures import Future
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Portal:
    """Runs coroutines in its thread. The thread starts with the first call and ends with ``close``."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._pid = 0

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread is not None and self._thread.is_alive()

    def loop(self) -> asyncio.AbstractEventLoop:
        """The loop, started when there is none (or when this process is a fork of the one that had it)."""
        with self._lock:
            if self._loop is None or self._pid != os.getpid():
                self._pid = os.getpid()
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=_serve, args=(self._loop,), name=self._name, daemon=True)
                self._thread.start()
            return self._loop

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Starts ``work`` in the thread and returns at once."""
        return asyncio.run_coroutine_threadsafe(work, self.loop())

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of ``work``. An interrupt cancels it and is raised here."""
        future = self.submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancels what runs and ends the thread. Safe from any thread, also from this one."""
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or self._pid != os.getpid():
            return
        loop.call_soon_threadsafe(loop.stop)
        if thread is not None and thread is not threading.current_thread():
            thread.join()


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
        tasks = asyncio.all_tasks(loop)
        for task in tasks:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()


class Pull(Generic[T]):
    """An asynchronous iterator read from blocking code, one item at a time, so that a slow reader slows the sender."""

    def __init__(self, portal: Portal, source: AsyncIterator[T]) -> None:
        self._portal = portal
        self._source = source
        self._next: Future[T] | None = None
        self._task: asyncio.Task[Any] | None = None

    def get(self, timeout: float | None = None) -> T:
        """The next item. ``StopAsyncIteration`` at the end; ``TimeoutError`` after ``timeout`` seconds without losing the item."""
        if self._next is None:
            self._next = self._portal.submit(self._advance())
        item = self._next.result(timeout)
        self._next = None
        return item

    def close(self) -> None:
        """Ends the source. What it was waiting for is cancelled."""
        self._next = None
        self._portal.run(self._finish())

    async def _advance(self) -> T:
        self._task = asyncio.current_task()
        return await anext(self._source)

    async def _finish(self) -> None:
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])  # the source cannot be closed while it still unwinds
        close = getattr(self._source, "aclose", None)
        if close is not None:
            await close()

    def __iter__(self) -> Iterator[T]:
        try:
            while True:
                try:
                    item = self.get()
                except StopAsyncIteration:
                    return
                yield item
        finally:
            self.close()

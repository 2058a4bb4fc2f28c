"""Read connections for worker threads (DB-5): searches, exports and whatever takes more than a few milliseconds."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock, RLock
from typing import TypeVar

from crewlab.engine.store.db import Database, Transaction, open_connection

KEPT = 2  # connections kept open between uses; more are opened when more are needed at once
T = TypeVar("T")


class View(Database):
    """One state of the file, to be read by the families and by functions of the store; a write fails with ``StoreWriteFailed``."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.on_rollback = []
        self.on_commit = []
        self._writer = self._reader = connection
        self._lock = RLock()
        self._depth = 0
        self._transaction = Transaction(self)


class Readers:
    """Read-only connections, each used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._free: list[sqlite3.Connection] = []
        self._lock = Lock()
        self._closed = False

    async def run(self, read: Callable[[View], T]) -> T:
        """``read`` in a worker thread, on a connection of its own and in one view of the file."""
        return await asyncio.to_thread(self.read, read)

    def read(self, read: Callable[[View], T]) -> T:
        """The same in the thread that calls it, which is none that runs a loop."""
        with self._connection() as connection:
            connection.execute("BEGIN")
            try:
                return read(View(connection))
            finally:
                connection.execute("ROLLBACK")

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            connection = self._free.pop() if self._free else None
        connection = connection or open_connection(self._path, readonly=True)
        try:
            yield connection
        finally:
            with self._lock:
                kept = not self._closed and len(self._free) < KEPT
                if kept:
                    self._free.append(connection)
            if not kept:
                connection.close()

    def close(self) -> None:
        """Close what nobody uses; what is in use closes when its reader is done."""
        with self._lock:
            self._closed = True
            free, self._free = self._free, []
        for connection in free:
            connection.close()

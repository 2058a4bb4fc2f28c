"""The SQLite connections of a home: one writer, one reader, and transactions (DB-1, DB-5).

All statements here are short and run where the event loop runs. A transaction never spans an
``await``: it is a plain ``with`` block, so nothing can come between its statements.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from threading import RLock
from typing import Any

from crewlab.engine.errors import StoreWriteFailed

BUSY_TIMEOUT_MS = 5000  # DB-5
CACHED_STATEMENTS = 256
CACHE_KIB = 8_000  # pages that the writer keeps; with SQLite's 2,000 each message costs twice as much as soon as the file is larger

Row = sqlite3.Row
Params = Sequence[Any] | dict[str, Any]


def open_connection(path: Path, *, readonly: bool = False) -> sqlite3.Connection:
    """A connection in autocommit mode. ``readonly`` uses ``mode=ro`` and never ``immutable`` (DB-3)."""
    mode = "ro" if readonly else "rwc"
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=CACHED_STATEMENTS,
    )
    try:
        _prepare(connection, readonly=readonly)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, *, readonly: bool) -> None:
    connection.row_factory = sqlite3.Row
    connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
    connection.execute("PRAGMA foreign_keys=ON")
    if not readonly:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(f"PRAGMA cache_size=-{CACHE_KIB}")


class Transaction:
    """The ``with`` block of one commit; nested blocks join the outer one. One per database, used again each time."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def __enter__(self) -> None:
        self._db.enter()

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._db.leave(failed=kind is not None)


class Database:
    """One writer guarded by a lock and one reader (DB-5).

    ``writes`` counts committed transactions (DB-6). ``on_rollback`` holds what must forget what it
    remembers of the tables when a transaction is taken back, ``on_commit`` what is told of each commit, in the thread that made it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.writes = 0
        self.on_rollback: list[Callable[[], None]] = []
        self.on_commit: list[Callable[[], None]] = []
        self._writer = open_connection(path)
        self._reader: sqlite3.Connection | None = None
        self._lock = RLock()
        self._depth = 0
        self._transaction = Transaction(self)

    @property
    def connection(self) -> sqlite3.Connection:
        """The writer, for the schema alone."""
        return self._writer

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open, whose writes may still be taken back."""
        return self._depth > 0

    def transaction(self) -> AbstractContextManager[None]:
        """One commit for everything inside; nested blocks join the outer one.

        Raises ``StoreWriteFailed`` when SQLite cannot write (full disk, read-only file); then
        nothing of the block is stored.
        """
        return self._transaction

    def enter(self) -> None:
        """Begin a transaction or join the open one."""
        self._lock.acquire()
        if self._depth == 0:
            try:
                self._writer.execute("BEGIN IMMEDIATE")
            except sqlite3.Error as error:
                self._lock.release()
                raise StoreWriteFailed(str(error)) from error
        self._depth += 1

    def leave(self, *, failed: bool) -> None:
        """Leave a block; the outermost one commits, or takes everything back when it failed."""
        self._depth -= 1
        try:
            if self._depth:
                return
            if failed:
                self._rollback()
            else:
                self._commit()
        finally:
            self._lock.release()

    def _commit(self) -> None:
        try:
            self._writer.execute("COMMIT")
        except sqlite3.Error as error:
            self._rollback()
            raise StoreWriteFailed(str(error)) from error
        self.writes += 1
        for told in self.on_commit:
            told()

    def _rollback(self) -> None:
        if self._writer.in_transaction:
            self._writer.execute("ROLLBACK")
        self.forget()

    def forget(self) -> None:
        """Drop what is remembered of the tables: after a rollback, or after SQL that went past the families."""
        for forget in self.on_rollback:
            forget()

    def write(self, sql: str, params: Params = ()) -> list[Row]:
        """Run one changing statement in the current transaction, or in one of its own.

        Returns the rows of a ``RETURNING`` clause (DB-2).
        """
        with self._transaction:
            try:
                return self._writer.execute(sql, params).fetchall()
            except sqlite3.IntegrityError:
                raise
            except (sqlite3.Error, UnicodeError) as error:  # half a character fits in no row
                raise StoreWriteFailed(str(error)) from error

    def rows(self, sql: str, params: Params = ()) -> list[Row]:
        """Read rows; inside a transaction its own writes are seen."""
        return self._source().execute(sql, params).fetchall()

    def row(self, sql: str, params: Params = ()) -> Row | None:
        """Read the first row, or ``None``."""
        found: Row | None = self._source().execute(sql, params).fetchone()
        return found

    def each(self, sql: str, params: Params = ()) -> Iterator[Row]:
        """Read rows one by one, for more than memory should hold; on a connection that nobody writes to meanwhile."""
        yield from self._source().execute(sql, params)

    def _source(self) -> sqlite3.Connection:
        if self._depth:
            return self._writer
        if self._reader is None:
            self._reader = open_connection(self.path, readonly=True)
        return self._reader

    def close(self) -> None:
        """Close both connections; a second call does nothing."""
        if self._reader is not None:
            self._reader.close()
            self._reader = None
        self._writer.close()

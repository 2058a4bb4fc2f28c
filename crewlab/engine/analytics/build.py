"""``build.duckdb``: the copy the server works in, and the snapshots made of it (ANL-1 to ANL-5). Lives in one thread.

Whatever is wrong with the file, the remedy is the same: it is built again from the store. Only a file that somebody else holds,
a full disk and a lack of memory are waited for.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from crewlab._version import __version__
from crewlab.analytics_schema import SCHEMA_VERSION, TABLES, VIEWS, names, statements
from crewlab.engine.analytics.faults import HELD, roll_back, waits
from crewlab.engine.analytics.loading import Loader, counted
from crewlab.engine.analytics.masked import Masker
from crewlab.engine.analytics.snapshots import UNFINISHED, Snapshots
from crewlab.engine.home.layout import PRIVATE_FILE
from crewlab.engine.store.copying import Marks, marks
from crewlab.engine.store.readers import Readers, View

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

BUILD = "build"
FILE = f"{BUILD}.duckdb"  # ANL-2
MEMORY = "512MB"  # what DuckDB may hold; more goes to its folder of temporary files
_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "threads": 1,  # the other processors are for turns
    "memory_limit": MEMORY,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}


class Held(Exception):
    """Somebody else has ``build.duckdb`` open."""


class _Unfit(Exception):
    """The file is not a copy of this store."""


class _Meta(NamedTuple):
    """The one row of ``meta``, as far as an update needs it."""

    version: int
    timezone: str
    marks: Marks
    clean_from: int


@dataclass(frozen=True, slots=True)
class Published:
    """The current snapshot (ANL-6)."""

    path: Path
    published_at: datetime
    bytes: int
    rows: dict[str, int] = field(default_factory=dict)


class Build:
    """The copy of one store. Every method runs in the one thread of analytics."""

    def __init__(self, folder: Path, readers: Readers) -> None:
        self._file = folder / FILE
        self._readers = readers
        self.snapshots = Snapshots(folder)
        self._con: DuckDBPyConnection | None = None
        self._inode = (0, 0)
        self.sweep_at: datetime | None = None
        """When a snapshot that holds what was deleted is to be removed."""

    def update(self, now: datetime, zone: str, secrets: Iterable[str]) -> Published:
        """Bring the copy up to date and publish it when it has changed. Raises ``Held``, ``OSError``, ``duckdb.Error``."""
        self.snapshots.ensure()
        try:
            changed = self._changed(zone, Masker(secrets))
            current = self.snapshots.current()
            if changed or current is None:
                current = self._publish(now)
            con = self._open()
            self.sweep_at = self.snapshots.sweep(now, self._meta(con).clean_from)
            return Published(current, _time(current), current.stat().st_size, counted(con))
        except BaseException:
            self.close()  # after a failure DuckDB may refuse everything until the file is opened anew
            raise

    def _changed(self, zone: str, masker: Masker) -> bool:
        """Bring the copy up to date; whether anything was new."""
        import duckdb

        try:
            return self._readers.read(lambda view: self._follow(view, zone, masker))
        except _Unfit:
            return self._again(zone, masker)
        except duckdb.Error as error:
            if waits(error):
                raise
            return self._again(zone, masker)

    def published(self) -> Published | None:
        """What is published now, read without touching the copy."""
        current = self.snapshots.current()
        if current is None:
            return None
        import duckdb

        try:
            with duckdb.connect(str(current), read_only=True, config={"threads": 1}) as con:
                rows = counted(con)
        except duckdb.Error:
            rows = {}
        return Published(current, _time(current), current.stat().st_size, rows)

    def sweep(self, now: datetime) -> None:
        """Remove old snapshots."""
        if self._con is not None:
            self.sweep_at = self.snapshots.sweep(now, self._meta(self._con).clean_from)

    def close(self) -> None:
        """Let go of the file."""
        con, self._con = self._con, None
        if con is not None:
            con.close()

    def interrupt(self) -> None:
        """Break off what runs; from any thread."""
        con = self._con
        if con is not None:
            con.interrupt()

    def _again(self, zone: str, masker: Masker) -> bool:
        """Build from nothing. What older snapshots hold may have been deleted since."""
        self.close()
        for path in self.snapshots.folder.glob(f"{FILE}*"):
            if path.is_file():
                path.unlink()
        return self._readers.read(lambda view: self._follow(view, zone, masker))

    def _open(self) -> DuckDBPyConnection:
        """The open copy; one whose file was removed or replaced is opened anew."""
        if self._con is not None and self._inode != _inode(self._file):
            self.close()
        if self._con is None:
            import duckdb

            fresh = not self._file.exists()
            try:
                con = duckdb.connect(str(self._file), config=_SETTINGS)
            except duckdb.Error as error:
                if HELD in str(error):
                    raise Held(str(error)) from error
                raise _Unfit(str(error)) from error
            self._con = con
            self._inode = _inode(self._file)
            if fresh:
                self._fill(con)
            self._close_to_others()
        return self._con

    def _fill(self, con: DuckDBPyConnection) -> None:
        con.execute("BEGIN")
        for statement in statements():
            con.execute(statement)
        con.execute("INSERT INTO meta VALUES (?, ?, NULL, 0, 0, 0, NULL, ?)", [SCHEMA_VERSION, __version__, self.snapshots.next_number()])
        con.execute("COMMIT")

    def _close_to_others(self) -> None:
        for path in self.snapshots.folder.glob(f"{FILE}*"):
            if path.is_file():
                path.chmod(PRIVATE_FILE)

    def _meta(self, con: DuckDBPyConnection) -> _Meta:
        columns = "schema_version, timezone, through_change, through_message_id, through_side_call_id, clean_from"
        row = con.execute(f"SELECT {columns} FROM meta").fetchone()
        if row is None:
            raise _Unfit
        return _Meta(row[0], row[1], Marks(*row[2:5]), row[5])

    def _follow(self, view: View, zone: str, masker: Masker) -> bool:
        """Copy what is new, in one transaction; whether anything was."""
        con = self._open()
        if not _whole(con):
            raise _Unfit
        meta, store = self._meta(con), marks(view)
        if meta.version != SCHEMA_VERSION or store.behind(meta.marks) or meta.timezone not in (None, zone):
            raise _Unfit
        if meta.marks == store and meta.timezone is not None:
            return False
        con.execute("BEGIN")
        try:
            dropped = Loader(con, view, zone, masker).load(meta.marks)
            con.execute(
                "UPDATE meta SET through_change = ?, through_message_id = ?, through_side_call_id = ?, timezone = ?, clean_from = ?",
                [store.change, store.message, store.side_call, zone, self.snapshots.next_number() if dropped else meta.clean_from],
            )
            con.execute("COMMIT")
        except BaseException:
            roll_back(con)
            raise
        finally:
            self._close_to_others()
        return True

    def _publish(self, now: datetime) -> Path:
        """ANL-3."""
        con = self._open()
        number = self.snapshots.next_number()
        made = self.snapshots.folder / f"{self.snapshots.path(number).name}{UNFINISHED}"
        self.snapshots.clear_unfinished()
        con.execute("UPDATE meta SET published_at = ?, crewlab_version = ?", [now, __version__])
        con.execute("CHECKPOINT")
        try:
            con.execute(f"ATTACH '{_quoted(made)}' AS snapshot")
            try:
                made.chmod(PRIVATE_FILE)
                con.execute(f"COPY FROM DATABASE {BUILD} TO snapshot")
            finally:
                con.execute("DETACH snapshot")
        except BaseException:
            self.snapshots.clear_unfinished()
            raise
        return self.snapshots.publish(made, number, now)


def _whole(con: DuckDBPyConnection) -> bool:
    rows = con.execute("SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'main'").fetchall()
    found = {(str(table), str(column)) for table, column in rows}
    tables = {(table, column) for table in TABLES for column in names(table)}
    return tables <= found and set(VIEWS) <= {table for table, _ in found}


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _inode(path: Path) -> tuple[int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return (0, 0)
    return found.st_dev, found.st_ino


def _time(path: Path) -> datetime:
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)

"""What DuckDB's errors mean for the copy: wait, or build it again."""

from __future__ import annotations

import contextlib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

HELD = "set lock on"  # of DuckDB's error when another process has the file
NO_ROOM = re.compile("no space left|file too large|quota|could not write", re.IGNORECASE)  # as the operating system words it


def waits(error: Exception) -> bool:
    """Whether time, room or another program's end mends it; then the copy is not to blame."""
    import duckdb

    if isinstance(error, duckdb.OutOfMemoryException | duckdb.InterruptException):
        return True
    return NO_ROOM.search(str(error)) is not None


def roll_back(con: DuckDBPyConnection) -> None:
    """Leave the transaction, as far as there still is one."""
    import duckdb

    with contextlib.suppress(duckdb.Error):  # a broken database has no transaction any more; the first error is the one to tell
        con.execute("ROLLBACK")

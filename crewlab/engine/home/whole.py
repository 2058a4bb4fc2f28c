"""Files that are written whole or not at all: beside the old one, then renamed over it (MEMF-15, MEM-15)."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from threading import Lock

from crewlab.engine.home.layout import PRIVATE_DIRECTORY, PRIVATE_FILE

PERMISSIONS = 0o777


def beside(path: Path) -> Path:
    """Where the new text of ``path`` is written before it takes its place.

    One name per file: what a killed process left there is written over by the next writer. Writers hold the lock of the file.
    """
    return path.with_name(f".{path.name}.crewlab-tmp")


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Put ``data`` in the place of ``path``, which keeps its mode unless one is named; what is new is the person's alone.

    A reader sees the old file or the new one, also after a kill at any moment. Raises ``OSError``, and then the old file stands.
    """
    path.parent.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
    new = beside(path)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, PRIVATE_FILE)
    try:
        try:
            os.fchmod(descriptor, _mode(path) if mode is None else mode)
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    try:
        return stat.S_IMODE(path.stat().st_mode) & PERMISSIONS
    except OSError:
        return PRIVATE_FILE


class FileLocks:
    """One lock per file, for threads of this process; a home has one process (DB-10)."""

    def __init__(self) -> None:
        self._locks: dict[str, Lock] = {}
        self._guard = Lock()

    def of(self, path: Path) -> Lock:
        """The lock of this file, whichever way it is written."""
        with self._guard:
            return self._locks.setdefault(os.path.realpath(path), Lock())

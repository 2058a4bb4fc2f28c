"""Text files that are read on every turn: a ``stat`` each, and the text again only when the file has changed (MEMF-1)."""

from __future__ import annotations

import os
import stat
import time
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Literal

MAX_BYTES = 1024 * 1024  # what of one file is read; nothing that enters a prompt is longer
KEPT_BYTES = 16 * 1024 * 1024
SETTLED_NS = 50_000_000  # a file that was changed just before it was read is read again: its clock may be coarser than its writers

Trouble = Literal["not_utf8", "unreadable", "no_file"]  # MEMF-16
_Stamp = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class FileText:
    """What a file holds. ``text`` is "" for an absent file and for one in ``trouble``; ``unread`` are bytes beyond the limit."""

    text: str = ""
    there: bool = False
    trouble: Trouble | None = None
    unread: int = 0


ABSENT = FileText()


class TextFiles:
    """Remembers what was read, by ``stat``. For the loop and for threads."""

    def __init__(self, kept_bytes: int = KEPT_BYTES) -> None:
        self._kept: OrderedDict[str, tuple[_Stamp, bool, FileText]] = OrderedDict()
        self._size = 0
        self._limit = kept_bytes
        self._lock = Lock()
        self.reads = 0
        """How many files were read so far, for those who measure."""

    def read(self, path: Path | str) -> FileText:
        """The text as it is now. Never raises: an absent file is empty, one that cannot be read says why."""
        name = os.fspath(path)
        try:
            found = os.stat(name)
        except (FileNotFoundError, NotADirectoryError):
            self._forget(name)
            return ABSENT
        except OSError:
            return FileText(there=True, trouble="unreadable")
        if not stat.S_ISREG(found.st_mode):
            return FileText(there=True, trouble="no_file")
        stamp = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
        with self._lock:
            known = self._kept.get(name)
            if known is not None and known[1] and known[0] == stamp:
                self._kept.move_to_end(name)
                return known[2]
        return self._read(name, stamp)

    def _read(self, name: str, stamp: _Stamp) -> FileText:
        settled = time.time_ns() - max(stamp[3], stamp[4]) > SETTLED_NS
        try:
            data = _bytes(name)
        except OSError:
            return FileText(there=True, trouble="unreadable")
        text = _decoded(data, stamp[2])
        with self._lock:
            self.reads += 1
            self._drop(name)
            self._kept[name] = (stamp, settled, text)
            self._size += len(text.text)
            while self._size > self._limit:
                self._drop(next(iter(self._kept)))
        return text

    def _forget(self, name: str) -> None:
        with self._lock:
            self._drop(name)

    def _drop(self, name: str) -> None:
        known = self._kept.pop(name, None)
        if known is not None:
            self._size -= len(known[2].text)


def _bytes(name: str) -> bytes:
    descriptor = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # a pipe that took the file's place holds nobody up
    with os.fdopen(descriptor, "rb") as file:
        return file.read(MAX_BYTES)


def _decoded(data: bytes, size: int) -> FileText:
    unread = max(0, size - len(data))
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if not unread or error.start < len(data) - 3:  # else the limit fell into a character
            return FileText(there=True, trouble="not_utf8")
        text = data[: error.start].decode("utf-8")
    return FileText(text, there=True, unread=unread)

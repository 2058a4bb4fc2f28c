"""What one agent knows about its own work: ``MEMORY.md`` and its day notes (MEM-2 to MEM-4, MEMF-3, MEMF-5, MEMF-9)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path

from crewlab.engine.home.textfiles import FileText, TextFiles
from crewlab.engine.home.whole import FileLocks, write_whole

MEMORY_FILE = "MEMORY.md"
NOTE_CHARS = 2_000  # MEM-3
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})\.md")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


def note_text(text: str) -> str:
    """A note on one line: line breaks and control characters become spaces (MEM-3). Pure."""
    return " ".join(_CONTROL.sub(" ", text).split())


def note_line(now: datetime, text: str) -> str:
    """The line as it stands in the day's file (MEM-2)."""
    return f"- {now:%H:%M} {text}"


class AgentNotes:
    """The memory of one agent. Methods that write block and belong in a thread."""

    def __init__(self, directory: Path, files: TextFiles, locks: FileLocks) -> None:
        self.memory_path = directory / MEMORY_FILE
        self._days_dir = directory / "memory"
        self._files = files
        self._locks = locks

    def memory(self) -> FileText:
        """``MEMORY.md`` as it is now."""
        return self._files.read(self.memory_path)

    def day(self, day: date) -> FileText:
        """The notes of one day."""
        return self._files.read(self._path(day.isoformat()))

    def days(self) -> list[str]:
        """The days there are notes of, newest first."""
        try:
            names = os.listdir(self._days_dir)
        except OSError:
            return []
        return sorted((found[1] for name in names if (found := _DAY.fullmatch(name))), reverse=True)

    def of(self, day: str) -> FileText:
        """The notes of a day out of ``days``."""
        return self._files.read(self._path(day))

    def _path(self, day: str) -> Path:
        return self._days_dir / f"{day}.md"

    def add(self, now: datetime, text: str) -> None:
        """Append one line to the note of ``now``'s day; the file is whole at every moment (MEM-3). Raises ``OSError``."""
        path = self._path(now.date().isoformat())
        with self._locks.of(path):
            old = path.read_bytes() if path.exists() else b""
            if old and not old.endswith(b"\n"):
                old += b"\n"
            write_whole(path, old + note_line(now, text).encode() + b"\n")

    def rewrite(self, text: str, expected: Callable[[str], bool]) -> tuple[bool, str]:
        """Replace ``MEMORY.md`` when ``expected`` agrees with what is there; a link stays a link (MEMF-9).

        Returns whether it was written, and what was there. Raises ``OSError``.
        """
        with self._locks.of(self.memory_path):
            before = self.memory().text
            if not expected(before):
                return False, before
            write_whole(Path(os.path.realpath(self.memory_path)), text.encode())
            return True, before

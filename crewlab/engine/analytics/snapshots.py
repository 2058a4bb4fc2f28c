"""The published files: ``crew-<number>.duckdb`` and ``CURRENT``, which names one of them (ANL-3, ANL-4). No DuckDB here."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

from crewlab.engine.home.layout import PRIVATE_DIRECTORY, PRIVATE_FILE

KEPT = 3  # ANL-4
KEPT_FOR = timedelta(minutes=10)  # ANL-4
CURRENT = "CURRENT"  # ANL-3
UNFINISHED = ".tmp"
_NAME = re.compile(r"crew-(\d+)\.duckdb")


class Snapshots:
    """The folder of the published files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def ensure(self) -> None:
        """Make the folder, closed to other users."""
        self.folder.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
        self.folder.chmod(PRIVATE_DIRECTORY)

    def numbers(self) -> list[int]:
        """The numbers of the snapshots that are there, ascending."""
        return sorted(number for number, _ in self._files())

    def path(self, number: int) -> Path:
        """Where the snapshot of this number stands."""
        return self.folder / f"crew-{number}.duckdb"

    def next_number(self) -> int:
        """A number that was not used before, also when the newest file was removed by hand."""
        return max([0, *self.numbers(), self._named()]) + 1

    def current(self) -> Path | None:
        """The snapshot that ``CURRENT`` names, else the newest there is."""
        named = self._named()
        if named and self.path(named).is_file():
            return self.path(named)
        there = self.numbers()
        return self.path(there[-1]) if there else None

    def publish(self, made: Path, number: int, now: datetime) -> Path:
        """Put a finished file in place: two renames, so that a reader sees the old one or the new one."""
        made.chmod(PRIVATE_FILE)
        os.utime(made, (now.timestamp(), now.timestamp()))
        place = self.path(number)
        made.replace(place)
        naming = self.folder / f"{CURRENT}{UNFINISHED}"
        naming.write_text(f"{place.name}\n", encoding="ascii")
        naming.chmod(PRIVATE_FILE)
        naming.replace(self.folder / CURRENT)
        return place

    def sweep(self, now: datetime, clean_from: int) -> datetime | None:
        """Remove what is neither among the newest three nor young; of those before ``clean_from`` also the newest.

        Returns when to look again because of a file that holds what was deleted (ANL-7).
        """
        files = sorted(self._files())
        newest = {number for number, _ in files[-KEPT:]}
        last = files[-1][0] if files else 0
        again: list[datetime] = []
        for number, path in files:
            tainted = number < clean_from
            if number == last or (number in newest and not tainted):
                continue
            due = _age(path, now)
            if due <= now:
                with contextlib.suppress(OSError):  # a reader on Windows has it open: it goes the next time
                    path.unlink()
            elif tainted:
                again.append(due)
        return min(again, default=None)

    def clear_unfinished(self) -> None:
        """Remove what a publication that was cut off has left."""
        for path in self.folder.glob(f"*{UNFINISHED}*"):
            if path.is_file():
                path.unlink()

    def _files(self) -> Iterator[tuple[int, Path]]:
        for path in self.folder.glob("crew-*.duckdb"):
            if match := _NAME.fullmatch(path.name):
                yield int(match[1]), path

    def _named(self) -> int:
        try:
            match = _NAME.fullmatch((self.folder / CURRENT).read_text(encoding="ascii").strip())
        except (OSError, UnicodeDecodeError):
            return 0
        return int(match[1]) if match else 0


def _age(path: Path, now: datetime) -> datetime:
    """When the file stops being young; one that was removed meanwhile is old."""
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, now.tzinfo) + KEPT_FOR
    except OSError:
        return now

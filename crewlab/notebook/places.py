"""Where the published copy lies: a file, a home, or a server on this machine or another one (ANL-16)."""

from __future__ import annotations

import re
import shutil
import tempfile
import weakref
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from crewlab.notebook.client import Crew
from crewlab.notebook.errors import CrewError
from crewlab.notebook.words import say

CURRENT = "CURRENT"  # ANL-3
FOLDER = "analytics"
_NAME = re.compile(r"crew-(\d+)\.duckdb")


class Place(Protocol):
    """Where a copy is found; ``None`` when nothing has been published there."""

    def newest(self) -> Path | None:
        """The file to be attached."""
        ...

    def changed(self, since: Path | None) -> bool:
        """Whether another file than ``since`` would be attached now."""
        ...


@dataclass(frozen=True, slots=True)
class OneFile:
    """One file, for ever."""

    path: Path

    def newest(self) -> Path | None:
        return self.path

    def changed(self, since: Path | None) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class Folder:
    """The folder ``analytics`` of a home on this machine."""

    path: Path

    def newest(self) -> Path | None:
        """The file that ``CURRENT`` names, else the newest there is."""
        named = self._named()
        if named is not None and named.is_file():
            return named
        there = [(int(match[1]), path) for path in self.path.glob("crew-*.duckdb") if (match := _NAME.fullmatch(path.name))]
        return max(there)[1] if there else None

    def changed(self, since: Path | None) -> bool:
        return self.newest() != since

    def _named(self) -> Path | None:
        try:
            name = (self.path / CURRENT).read_text(encoding="ascii").strip()
        except (OSError, UnicodeDecodeError):
            return None
        return self.path / name if _NAME.fullmatch(name) else None


class Served:
    """A server. On the same machine its folder is read; from another one the file is fetched into a folder that goes with this object."""

    def __init__(self, crew: Crew, *, fresh: bool = False) -> None:
        self.crew = crew
        self._fresh = fresh
        self._kept: Path | None = None
        self._name: str | None = None
        self._local: Folder | None = None

    def newest(self) -> Path | None:
        told = self.crew.analytics(fresh=self._fresh)
        if not told["enabled"]:
            raise CrewError("analytics_off", 0, say("analytics_off", why=""))
        if told["snapshot"] is None and not self._fresh:
            told = self.crew.analytics(fresh=True)  # the first question: nothing was published before
        self._name = told["snapshot"]
        if self._name is None:
            raise CrewError("analytics_off", 0, say("analytics_off", why=f": {told['error']}" if told["error"] else ""))
        here = Path(told["path"]) / self._name
        if _is_the_file(here, told["bytes"]):
            self._local = Folder(here.parent)
            return here
        if self._kept is None:
            self._kept = Path(tempfile.mkdtemp(prefix="crewlab-analytics-"))
            weakref.finalize(self, shutil.rmtree, self._kept, ignore_errors=True)
        there = self._kept / self._name
        if not there.exists():
            part = there.with_suffix(".part")
            self.crew.save_snapshot(part)
            part.replace(there)
        return there

    def changed(self, since: Path | None) -> bool:
        if self._local is not None:
            return self._local.changed(since)
        return bool(self.crew.analytics()["snapshot"] != self._name)


def _is_the_file(path: Path, size: int) -> bool:
    """Whether this is the server's file, and not one of the same name on another machine."""
    try:
        return path.stat().st_size == size
    except OSError:
        return False

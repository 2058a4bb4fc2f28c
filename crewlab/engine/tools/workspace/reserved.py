"""The places that are closed to file tools, by real name and by identity (WS-4).

The name closes places that do not exist yet; the identity (device and inode) closes those that do, whatever
spelling, case, link or mount leads to them.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from crewlab.engine.tools.contract import ToolContext

Parts = tuple[str, ...]
Identity = tuple[int, int]


def segments(path: str) -> Parts:
    """The names a path consists of."""
    return tuple(segment for segment in path.split("/") if segment)


def below(path: Parts, base: Parts, blind: bool) -> Parts | None:
    """What of ``path`` follows ``base``, by whole segments; ``None`` when it does not lie there."""
    if len(path) < len(base) or fold(path[: len(base)], blind) != fold(base, blind):
        return None
    return path[len(base) :]


def fold(parts: Parts, blind: bool) -> Parts:
    """The segments as the file system compares them; ``blind`` where upper and lower case are the same."""
    return tuple(unicodedata.normalize("NFC", part).casefold() for part in parts) if blind else parts


@dataclass(frozen=True, slots=True)
class Places:
    """Some directories and files, with everything below them."""

    names: tuple[Parts, ...]
    identities: frozenset[Identity]

    def hold(self, real: Parts, blind: bool) -> bool:
        """Whether the real path lies in one of them."""
        return any(below(real, name, blind) is not None for name in self.names)


@dataclass(frozen=True, slots=True)
class Reserved:
    """The closed places of one call and, within them, those that are the turn's own."""

    closed: Places
    open: Places

    def hold(self, real: Parts, blind: bool) -> bool:
        """Whether a real path is closed; also one that does not exist yet."""
        return self.closed.hold(real, blind) and not self.open.hold(real, blind)

    def guard(self) -> Guard:
        """A watch over one walk."""
        return Guard(self)


class Guard:
    """Whether a walk, directory by directory, stands in a closed place."""

    def __init__(self, reserved: Reserved) -> None:
        self._reserved = reserved
        self.shut = False

    def step(self, status: os.stat_result) -> None:
        """Take note of the next directory or file."""
        self.shut = self.shuts(status)

    def shuts(self, status: os.stat_result) -> bool:
        """Whether the walk would stand in a closed place there."""
        identity = (status.st_dev, status.st_ino)
        shut = self.shut or identity in self._reserved.closed.identities
        return shut and identity not in self._reserved.open.identities

    def at(self, status: os.stat_result) -> Guard:
        """Another watch that has taken the step."""
        other = Guard(self._reserved)
        other.shut = self.shuts(status)
        return other


def reserved(context: ToolContext) -> Reserved:
    """The places as they are at this moment."""
    return Reserved(_places(context.closed_paths), _places(context.open_paths))


def _places(paths: Iterable[Path]) -> Places:
    names: list[Parts] = []
    identities: set[Identity] = set()
    parents: dict[str, str] = {}  # nearly all stand in one directory, the home
    for path in paths:
        head, name = os.path.split(path)
        if head not in parents:
            parents[head] = os.path.realpath(head)
        real = os.path.join(parents[head], name)
        try:
            status = os.lstat(real)
            if stat.S_ISLNK(status.st_mode):
                real = os.path.realpath(real)
                status = os.stat(real)
        except OSError:  # not there (yet): closed by its name
            names.append(segments(real))
            continue
        names.append(segments(real))
        identities.add((status.st_dev, status.st_ino))
    return Places(tuple(names), frozenset(identities))

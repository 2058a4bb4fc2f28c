"""Going through the files of a workspace, each directory opened without following a link (WS-27, WS-28). Blocks: for a thread."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from crewlab.engine.tools.contract import ToolContext
from crewlab.engine.tools.workspace.opening import DIRECTORY, FILE, directory
from crewlab.engine.tools.workspace.paths import Place
from crewlab.engine.tools.workspace.reserved import Guard, Parts

SKIPPED = frozenset({".git", ".venv", "node_modules", "__pycache__", "dist", "build"})  # WS-27
MAX_DEPTH = 100  # each level holds a directory open


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file: its parts below the place that is searched, and the open directory that holds it while it is looked at."""

    parts: Parts
    holder: int
    guard: Guard

    def open(self) -> int | None:
        """A descriptor for reading; ``None`` when it is no regular file any more, or a closed one (WS-4, WS-5)."""
        try:
            descriptor = os.open(self.parts[-1], FILE, dir_fd=self.holder)
        except OSError:
            return None
        status = os.fstat(descriptor)
        if stat.S_ISREG(status.st_mode) and not self.guard.shuts(status):
            return descriptor
        os.close(descriptor)
        return None


def files(place: Place, context: ToolContext, stopped: Callable[[], bool]) -> Iterator[Found]:
    """The regular files below the directory at ``place``, by path; links and reserved places are not entered.

    Ends when ``stopped`` says so. Raises ``ToolError`` when ``place`` is no directory.
    """
    with directory(place, context) as top:
        guard = place.reserved.guard()
        guard.step(os.fstat(top))
        yield from _below(top, (), guard, place, stopped)


def _below(here: int, parts: Parts, guard: Guard, place: Place, stopped: Callable[[], bool]) -> Iterator[Found]:
    for name, is_directory in _entries(here):
        if stopped():
            return
        reached = (*parts, name)
        if not is_directory:
            yield Found(reached, here, guard)
            continue
        if name in SKIPPED or len(reached) > MAX_DEPTH:
            continue
        try:
            below = os.open(name, DIRECTORY, dir_fd=here)
        except OSError:  # gone, or not ours to look into
            continue
        try:
            inside = guard.at(os.fstat(below))
            real = (*(each for each in str(place.root).split("/") if each), *place.parts, *reached)
            if not inside.shut and not place.reserved.hold(real, place.blind):
                yield from _below(below, reached, inside, place, stopped)
        finally:
            os.close(below)


def _entries(here: int) -> list[tuple[str, bool]]:
    """Names of directories and regular files, in the order of their whole paths."""
    found: list[tuple[str, bool]] = []
    try:
        with os.scandir(here) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    found.append((entry.name, True))
                elif entry.is_file(follow_symlinks=False):
                    found.append((entry.name, False))
    except OSError:
        return found
    return sorted(found, key=lambda each: f"{each[0]}/" if each[1] else each[0])

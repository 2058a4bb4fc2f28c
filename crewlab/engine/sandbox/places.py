"""Write paths as they really are when a command starts (SHL-55), and the places that stay covered (SHL-56 to SHL-58)."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from crewlab.engine.home.layout import Home

NEW_FOLDER = 0o755
OPEN_PLACE = getattr(os, "O_PATH", os.O_RDONLY) | os.O_NOFOLLOW | os.O_CLOEXEC


class BadPlace(Exception):
    """An entry that cannot be given to a command; the message is the key of the sentence that says why."""


@dataclass(frozen=True, slots=True)
class Place:
    """A write path: its real path, and a descriptor of exactly that folder or file, so that a swap afterwards changes nothing."""

    path: Path
    descriptor: int


@contextlib.contextmanager
def opened(workspace: Path, entries: Iterable[str], guarded: Iterable[Path]) -> Iterator[list[Place]]:
    """The write paths, made where they are missing; one below another comes with it, so none is reached through a place
    that a command can change. Raises ``BadPlace`` for one that leads out, or that is or holds something guarded: what is
    covered could be moved away under its cover.
    """
    root = Path(os.path.realpath(workspace))
    fixed = [Path(os.path.realpath(each)) for each in guarded if os.path.lexists(each)]
    with ExitStack() as stack:
        places = []
        for entry in entries:
            real = Path(os.path.realpath(root / entry))
            if os.path.isabs(entry) or not real.is_relative_to(root):
                raise BadPlace("leads_out")
            if any(each.is_relative_to(real) for each in fixed):
                raise BadPlace("guards")
            place = Place(real, _open(root, real.relative_to(root).parts))
            stack.callback(os.close, place.descriptor)
            places.append(place)
        yield [place for place in places if not any(place.path != one.path and place.path.is_relative_to(one.path) for one in places)]


def _open(root: Path, parts: tuple[str, ...]) -> int:
    """A descriptor of ``parts`` below ``root``; no link is followed, so what was looked at is what is opened."""
    try:
        here = os.open(root, OPEN_PLACE | os.O_DIRECTORY)
        for index, part in enumerate(parts):
            here = _step(here, part, last=index == len(parts) - 1)
    except OSError as error:
        raise BadPlace("unusable") from error
    return here


def _step(here: int, part: str, *, last: bool) -> int:
    flags = OPEN_PLACE if last else OPEN_PLACE | os.O_DIRECTORY
    try:
        try:
            found = os.open(part, flags, dir_fd=here)
        except FileNotFoundError:
            os.mkdir(part, NEW_FOLDER, dir_fd=here)
            found = os.open(part, flags | os.O_DIRECTORY, dir_fd=here)
    finally:
        os.close(here)
    mode = os.fstat(found).st_mode
    if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):  # a link that was put there after the path was resolved, a device, a pipe
        os.close(found)
        raise NotADirectoryError(part)
    return found


def guarded_files(home: Home) -> list[Path]:
    """What no write path may be or contain: the home, the settings, the profiles, the store (SHL-55)."""
    return [home.root, home.config_file, home.db_file, home.master_profile, *home.agents_dir.glob("*/agent.yaml")]


def crew_secrets(home: Home, owner: str, workspace: Path, conversation_id: str | None = None) -> list[Path]:
    """What of the home no sandboxed command sees: the reserved places of WS-4, what was deleted, other agents' folders.

    A folder of another agent that holds this workspace stays in sight: somebody set it so.
    """
    real = Path(os.path.realpath(workspace))
    others = [path for path in _folders(home.agents_dir) if path.name != owner and not real.is_relative_to(os.path.realpath(path))]
    return [*home.reserved(conversation_id), home.trash, sandbox_tmp(home), *others]


def sandbox_tmp(home: Home) -> Path:
    """Where the private temporary folders of the agents lie (SHL-72)."""
    return home.root / "sandbox-tmp"


def _folders(directory: Path) -> list[Path]:
    try:
        return [entry for entry in directory.iterdir() if entry.is_dir()]
    except OSError:
        return []


def outermost(paths: Iterable[Path]) -> list[Path]:
    """The real paths that exist, without those that lie below another one."""
    real = sorted({Path(os.path.realpath(path)) for path in paths if os.path.lexists(path)})
    real = [path for path in real if path.exists()]
    return [path for path in real if not any(path != other and path.is_relative_to(other) for other in real)]

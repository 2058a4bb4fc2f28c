"""Opening a ``Place`` one component at a time, each without following a link (WS-5).

Every directory on the way is also compared with the reserved ones by identity (device and inode), which no
spelling, case, link or mount gets round (WS-4). All of it blocks; callers stand in a thread.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from crewlab.engine.tools.contract import ToolContext, ToolError
from crewlab.engine.tools.workspace.paths import Place
from crewlab.engine.tools.workspace.reserved import Guard

DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # O_NONBLOCK: a pipe must not hold us until we see what it is


@contextmanager
def directory(place: Place, context: ToolContext) -> Iterator[int]:
    """A descriptor of the directory at ``place``."""
    descriptor, guard = _walk(place, place.parts, context, create=False)
    try:
        _refuse_shut(guard, place, context)
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def parent(place: Place, context: ToolContext, *, create: bool = False) -> Iterator[int]:
    """A descriptor of the directory that holds ``place``; with ``create``, missing directories are made."""
    descriptor, guard = _walk(place, place.parts[:-1], context, create=create)
    try:
        status = status_of(descriptor, place.parts[-1])
        if status is not None:
            guard.step(status)
        _refuse_shut(guard, place, context)
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def regular_file(place: Place, context: ToolContext) -> Iterator[int]:
    """A descriptor of the regular file at ``place``, for reading."""
    with parent(place, context) as holder:
        status = status_of(holder, place.parts[-1])
        if status is None:
            raise ToolError(context.texts("tools.path_not_there", path=place.asked))
        check_regular(status, place, context)
        try:
            descriptor = os.open(place.parts[-1], FILE, dir_fd=holder)
        except OSError as error:
            raise explained(error, place, context) from error
        try:
            check_regular(os.fstat(descriptor), place, context)
            yield descriptor
        finally:
            os.close(descriptor)


def status_of(holder: int, name: str) -> os.stat_result | None:
    """What stands under ``name`` in the directory, links not followed; ``None`` when nothing does."""
    try:
        return os.stat(name, dir_fd=holder, follow_symlinks=False)
    except OSError:
        return None


def check_regular(status: os.stat_result, place: Place, context: ToolContext) -> None:
    """Raises ``ToolError`` unless ``status`` is that of a regular file (WS-6)."""
    if stat.S_ISREG(status.st_mode):
        return
    kind = "path_is_directory" if stat.S_ISDIR(status.st_mode) else "path_changed" if stat.S_ISLNK(status.st_mode) else "path_special"
    raise ToolError(context.texts(f"tools.{kind}", path=place.asked))


def explained(error: OSError, place: Place, context: ToolContext) -> ToolError:
    """The sentence for what the system said."""
    texts = context.texts
    if isinstance(error, FileNotFoundError):
        return ToolError(texts("tools.path_not_there", path=place.asked))
    if error.errno == errno.ELOOP:
        return ToolError(texts("tools.path_changed", path=place.asked))
    return ToolError(texts("tools.path_denied", path=place.asked, why=os.strerror(error.errno or 0)))


def _refuse_shut(guard: Guard, place: Place, context: ToolContext) -> None:
    if guard.shut:
        raise ToolError(context.texts("tools.path_reserved", path=place.asked))


def _walk(place: Place, parts: tuple[str, ...], context: ToolContext, *, create: bool) -> tuple[int, Guard]:
    guard = place.reserved.guard()
    try:
        if create:
            place.root.mkdir(parents=True, exist_ok=True)
        here = os.open(place.root, DIRECTORY)
    except OSError as error:
        raise explained(error, place, context) from error
    try:
        guard.step(os.fstat(here))
        for depth, part in enumerate(parts, 1):
            if create:
                _make(here, part, place, context, guard)
            below = _enter(here, part, place, context, final=depth == len(place.parts))
            os.close(here)
            here = below
            guard.step(os.fstat(here))
    except BaseException:
        os.close(here)
        raise
    return here, guard


def _enter(here: int, part: str, place: Place, context: ToolContext, *, final: bool) -> int:
    try:
        return os.open(part, DIRECTORY, dir_fd=here)
    except NotADirectoryError:
        status = status_of(here, part)
        is_link = status is not None and stat.S_ISLNK(status.st_mode)
        kind = "path_changed" if is_link else "path_not_directory" if final else "path_in_file"
        raise ToolError(context.texts(f"tools.{kind}", path=place.asked)) from None
    except OSError as error:
        raise explained(error, place, context) from error


def _make(here: int, part: str, place: Place, context: ToolContext, guard: Guard) -> None:
    """Make a missing directory, never in a reserved place."""
    if status_of(here, part) is not None:
        return
    _refuse_shut(guard, place, context)
    try:
        os.mkdir(part, dir_fd=here)
    except FileExistsError:  # another call made it meanwhile; opening it says what it is
        return
    except OSError as error:
        raise explained(error, place, context) from error

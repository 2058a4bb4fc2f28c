"""Planning and making a write: everything is checked first, then each file is written whole or not at all (WS-20)."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from dataclasses import dataclass

from crewlab.engine.tools.contract import ToolContext, ToolError
from crewlab.engine.tools.shown import grouped, size
from crewlab.engine.tools.workspace.opening import check_regular, parent, regular_file, status_of
from crewlab.engine.tools.workspace.paths import Place, check_write, resolve_file

PERMISSIONS = 0o777
NEW_FILE_MODE = 0o666  # less the umask
UTF8_MAX_BYTES = 4


@dataclass(frozen=True, slots=True)
class Planned:
    """One file to be written; ``old_bytes`` is the size of the file that is there, ``None`` for a new one."""

    place: Place
    data: bytes
    old_bytes: int | None


def plan(files: list[tuple[str, str]], context: ToolContext) -> list[Planned]:
    """Check every path and text; raises ``ToolError`` for the first that cannot be written, and nothing is (PTL-31)."""
    planned = [_plan(path, content, context) for path, content in files]
    for index, each in enumerate(planned):
        for other in planned[:index]:
            _check_apart(each.place, other.place, context)
            _check_apart(other.place, each.place, context)
    return planned


def _check_apart(place: Place, other: Place, context: ToolContext) -> None:
    if place.key == other.key:
        raise ToolError(context.texts("tools.write_twice", path=place.asked))
    if place.key[: len(other.key)] == other.key:
        raise ToolError(context.texts("tools.write_inside_other", path=place.asked, other=other.asked))


def _plan(path: str, content: str, context: ToolContext) -> Planned:
    place = resolve_file(path, context)
    try:
        data = content.encode()
    except UnicodeEncodeError:
        raise ToolError(context.texts("tools.write_half_character", path=place.asked)) from None
    planned = plan_bytes(place, data, context)
    if planned.old_bytes is not None:
        _check_length(place, planned.old_bytes, context)
    return planned


def plan_bytes(place: Place, data: bytes, context: ToolContext) -> Planned:
    """Check that ``data`` may be written at ``place``; raises ``ToolError`` when it may not."""
    check_write(place, context)
    old = _existing(place, context)
    if old is not None:
        check_regular(old, place, context)
    return Planned(place, data, None if old is None else old.st_size)


def _existing(place: Place, context: ToolContext) -> os.stat_result | None:
    """What stands at ``place``; ``None`` also where its directory is still to be made."""
    for depth in range(len(place.parts)):  # only existing directories are walked
        if not os.path.lexists(place.root.joinpath(*place.parts[:depth])):
            return None
    with parent(place, context) as holder:
        return status_of(holder, place.parts[-1])


def _check_length(place: Place, old_bytes: int, context: ToolContext) -> None:
    """PTL-32: a long file is changed by passages and not replaced. 0 switches the rule off."""
    limit = context.rewrite_max_chars
    if limit <= 0 or old_bytes <= limit:
        return
    if old_bytes <= limit * UTF8_MAX_BYTES:  # a longer one has too many characters in any case
        with regular_file(place, context) as descriptor:
            if len(os.read(descriptor, limit * UTF8_MAX_BYTES).decode(errors="replace")) <= limit:
                return
    was, most = size(old_bytes, context.texts), grouped(limit, context.texts)
    raise ToolError(context.texts("tools.write_too_long_to_replace", path=place.asked, size=was, limit=most))


def write(planned: Planned, context: ToolContext) -> bool:
    """Write one file; true when it is new. Raises ``ToolError``, and then what was there before is unchanged."""
    place = planned.place
    try:
        with parent(place, context, create=True) as holder:
            return _replace(holder, place, planned.data, context)
    except OSError as error:
        raise ToolError(context.texts("tools.write_failed", path=place.asked, why=_why(error, context))) from error


def _replace(holder: int, place: Place, data: bytes, context: ToolContext) -> bool:
    name = place.parts[-1]
    temporary = f".crewlab-{secrets.token_hex(8)}.tmp"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, NEW_FILE_MODE, dir_fd=holder)
    try:
        try:
            old = status_of(holder, name)
            if old is not None:
                check_regular(old, place, context)
                if not os.access(name, os.W_OK, dir_fd=holder):
                    raise PermissionError(errno.EACCES, "")
                os.fchmod(descriptor, stat.S_IMODE(old.st_mode) & PERMISSIONS)
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
        finally:
            os.close(descriptor)
        old = status_of(holder, name)
        if old is not None:
            check_regular(old, place, context)  # swapped meanwhile: a link is neither followed nor replaced
        os.rename(temporary, name, src_dir_fd=holder, dst_dir_fd=holder)
    except BaseException:
        os.unlink(temporary, dir_fd=holder)
        raise
    return old is None


def _why(error: OSError, context: ToolContext) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return context.texts("tools.write_no_room")
    if error.errno == errno.EACCES:
        return context.texts("tools.write_read_only")
    return context.texts("tools.write_system", why=os.strerror(error.errno or 0))

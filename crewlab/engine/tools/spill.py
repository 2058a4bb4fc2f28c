"""The whole text of a shortened result, kept for ``tool_output_read`` (OUT-43 to OUT-48). Blocks; callers stand in a thread."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from crewlab.engine.home.layout import Home

MAX_BYTES = 5 * 1024 * 1024  # OUT-44
NAME_DIGITS = 32  # OUT-43
DIRECTORY_MODE = 0o700  # OUT-47
FILE_MODE = 0o600  # OUT-47
READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
CUT = ".cut"
MAX_ID_CHARS = 200
USABLE_ID = re.compile(r"[\x21-\x7e]+")  # what can stand in a pointer line and be written again


@dataclass(frozen=True, slots=True)
class Kept:
    """How many of the result's characters are in the file."""

    chars: int
    total: int


def can_name(call_id: str) -> bool:
    """Whether a model can be told this id in a line and write it back."""
    return len(call_id) <= MAX_ID_CHARS and USABLE_ID.fullmatch(call_id) is not None


def file_name(call_id: str) -> str:
    """The name of the file of a call; nothing of the id itself reaches the file system (OUT-58)."""
    return hashlib.sha256(call_id.encode("utf-8", "surrogatepass")).hexdigest()[:NAME_DIGITS] + ".txt"


def keep(home: Home, conversation_id: str, call_id: str, text: str) -> Kept:
    """Write the text for its owner alone, whole or not at all (OUT-47). Raises ``OSError``."""
    data = text.encode("utf-8", "replace")
    chars = len(text)
    if len(data) > MAX_BYTES:
        data = data[:MAX_BYTES].decode("utf-8", "ignore").encode()
        chars = len(data.decode())
    directory = home.spill(conversation_id)
    for each in (directory.parent, directory):
        each.mkdir(mode=DIRECTORY_MODE, parents=True, exist_ok=True)
        each.chmod(DIRECTORY_MODE)
    temporary = directory / f".{secrets.token_hex(8)}.tmp"
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        _mark(directory / file_name(call_id), cut=chars < len(text))
        os.replace(temporary, directory / file_name(call_id))
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return Kept(chars, len(text))


def _mark(path: Path, *, cut: bool) -> None:
    """Note beside the file that it is not the whole result (SCR-184)."""
    mark = path.with_suffix(CUT)
    if cut:
        os.close(os.open(mark, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, FILE_MODE))
    else:
        mark.unlink(missing_ok=True)


def is_cut(home: Home, conversation_id: str, call_id: str) -> bool:
    """Whether the result was longer than what is kept of it."""
    return (home.spill(conversation_id) / file_name(call_id)).with_suffix(CUT).exists()


def read(home: Home, conversation_id: str, call_id: str) -> str | None:
    """The text kept under the id in this very conversation, ``None`` when there is none. Raises ``OSError``, ``UnicodeDecodeError``."""
    try:
        descriptor = os.open(home.spill(conversation_id) / file_name(call_id), READ)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        return file.read(MAX_BYTES).decode()


def forget(home: Home, conversation_id: str) -> None:
    """Delete everything kept for a conversation (OUT-48). Raises ``OSError``."""
    try:
        shutil.rmtree(home.spill(conversation_id))
    except FileNotFoundError:
        return

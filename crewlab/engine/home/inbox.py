"""Files that a person gives: their names, and the inbox of a workspace (CHN-24, CHN-25)."""

from __future__ import annotations

import errno
import os
import re
import unicodedata
from datetime import datetime
from pathlib import Path

INBOX = "inbox"  # CHN-24
NAME_CHARS = 100
UNSAFE = re.compile(r"[^\w.\-() ]+")
MODE = 0o600


def clean(name: str) -> str:
    """A file name without path parts, control characters and anything a shell or a person could trip over (CHN-25)."""
    return cleaned(name) or "file"


def cleaned(name: str) -> str:
    """The same; empty when nothing of the name can be used."""
    plain = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in unicodedata.normalize("NFC", name))
    last = " ".join(re.split(r"[/\\]", plain)[-1].split())
    stem, dot, ending = UNSAFE.sub("_", last).strip(". ").rpartition(".")
    return f"{stem[: NAME_CHARS - len(ending) - 1]}{dot}{ending}" if stem else ending[:NAME_CHARS]


def save(workspace: Path, name: str, data: bytes, now: datetime) -> Path:
    """Write the file to the inbox under a name of its own; nothing that is there is replaced (CHN-25). Raises ``OSError``."""
    folder = workspace / INBOX
    folder.mkdir(parents=True, exist_ok=True)
    stamp = now.strftime("%Y%m%dT%H%M%SZ")
    for number in range(1, 1000):
        path = folder / (f"{stamp}-{clean(name)}" if number == 1 else f"{stamp}-{number}-{clean(name)}")
        try:
            write_new(path, data)
        except FileExistsError:
            continue
        return path
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, for its owner alone and not executable. Raises ``OSError``."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, MODE)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)

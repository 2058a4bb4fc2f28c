"""Files that come in (CHN-24 to CHN-30)."""

from __future__ import annotations

import errno
import os
import re
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from crewlab.engine.texts import Texts
from crewlab.engine.tools.shown import size

if TYPE_CHECKING:
    from telegram import Message

INBOX = "inbox"  # CHN-24
NAME_CHARS = 100
UNSAFE = re.compile(r"[^\w.\-() ]+")
MODE = 0o600


@dataclass(frozen=True, slots=True)
class Sent:
    """One file of a message before it is fetched."""

    file_id: str
    name: str
    kind: str
    size: int


def files_of(message: Message) -> list[Sent]:
    """The files a message carries; of a photo its largest size (CHN-26)."""
    if message.photo:
        largest = max(message.photo, key=lambda one: one.width * one.height)
        return [Sent(largest.file_id, "photo.jpg", "image/jpeg", largest.file_size or 0)]
    if message.document:
        document = message.document
        kind = document.mime_type or "application/octet-stream"
        return [Sent(document.file_id, document.file_name or "document", kind, document.file_size or 0)]
    if message.voice:
        return [Sent(message.voice.file_id, "voice.ogg", message.voice.mime_type or "audio/ogg", message.voice.file_size or 0)]
    return []


def clean(name: str) -> str:
    """A file name without path parts, control characters and anything a shell or a person could trip over (CHN-25)."""
    plain = "".join(" " if unicodedata.category(c)[0] in "CZ" else c for c in unicodedata.normalize("NFC", name))
    last = " ".join(re.split(r"[/\\]", plain)[-1].split())
    stem, dot, ending = UNSAFE.sub("_", last).strip(". ").rpartition(".")
    whole = f"{stem[: NAME_CHARS - len(ending) - 1]}{dot}{ending}" if stem else ending[:NAME_CHARS]
    return whole or "file"


def save(workspace: Path, sent: Sent, data: bytes, now: datetime) -> Path:
    """Write the file to the inbox under a name of its own; nothing that is there is replaced (CHN-25)."""
    folder = workspace / INBOX
    folder.mkdir(parents=True, exist_ok=True)
    stamp = now.strftime("%Y%m%dT%H%M%SZ")
    name = clean(sent.name)
    for number in range(1, 1000):
        path = folder / (f"{stamp}-{name}" if number == 1 else f"{stamp}-{number}-{name}")
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, MODE)
        except FileExistsError:
            continue
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        return path
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def line(path: Path, sent: Sent, count: int, texts: Texts) -> str:
    """The line about a file that the model reads (PTL-91); crewlab's own words (CHN-28)."""
    return f"[attachment] {path.name} ({clean(sent.kind.replace('/', '-')).replace('-', '/', 1)}, {size(count, texts)}) {path}"

"""Files that come in: what a message carries (CHN-24 to CHN-30)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from crewlab.engine.home.inbox import clean
from crewlab.engine.texts import Texts
from crewlab.engine.tools.shown import size

if TYPE_CHECKING:
    from telegram import Message


VOICE = "voice.ogg"


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
        return [Sent(message.voice.file_id, VOICE, message.voice.mime_type or "audio/ogg", message.voice.file_size or 0)]
    return []


def line(path: Path, sent: Sent, count: int, texts: Texts) -> str:
    """The line about a file beyond the 20 of a conversation (CHN-24); crewlab's own words (CHN-28)."""
    return f"[attachment] {path.name} ({clean(sent.kind.replace('/', '-')).replace('-', '/', 1)}, {size(count, texts)}) {path}"

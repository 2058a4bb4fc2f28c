"""Files attached to a conversation: taken in, listed, given back, and told to the model (PTL-89 to PTL-91)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from crewlab.engine.agents.agent import Agent
from crewlab.engine.clock import new_id
from crewlab.engine.errors import Conflict, Invalid, NotFound, TooLarge, Unavailable
from crewlab.engine.home.inbox import MODE, cleaned, save, write_new
from crewlab.engine.home.layout import PRIVATE_DIRECTORY, Home
from crewlab.engine.records import Json
from crewlab.engine.store.attachments import StoredAttachment
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.store.queue import Waiting
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from crewlab.engine.tools.shown import clean_name, size
from crewlab.engine.turn.turn import OpeningPart, Parts

MAX_BYTES = 20 * 1024 * 1024  # PTL-89
MEGABYTE = 1024 * 1024
MAX_FILES = 20  # PTL-89
BYTES = "application/octet-stream"
TYPES = {  # fixed, so that every machine says the same
    **{"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp", "svg": "image/svg+xml"},
    **{"pdf": "application/pdf", "json": "application/json", "ipynb": "application/x-ipynb+json", "zip": "application/zip"},
    **{"csv": "text/csv", "tsv": "text/tab-separated-values", "md": "text/markdown", "html": "text/html", "xml": "application/xml"},
    **dict.fromkeys(("txt", "log", "py", "r", "yaml", "yml", "toml", "ini", "sql", "tex", "bib"), "text/plain"),
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "parquet": "application/vnd.apache.parquet",
    **{"ogg": "audio/ogg", "mp3": "audio/mpeg", "wav": "audio/wav"},
}


@dataclass(frozen=True, slots=True)
class Given:
    """A file as somebody gives it. ``type``: what a platform says it is; else its ending tells. ``path``: where the inbox has it."""

    name: str
    data: bytes
    type: str | None = None
    path: Path | None = None


class Attached:
    """The attached files of all conversations."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def add(self, conversation_id: str, given: Given) -> StoredAttachment:
        """Take a file in. Raises ``NotFound``, ``TooLarge``, ``Conflict`` (``too_many_attachments``), ``Invalid``, ``Unavailable``."""
        prepared = await self.prepare(conversation_id, given)
        try:
            return self.enter(prepared)
        except BaseException:
            self.discard(prepared)
            if given.path is None and prepared.path is not None:
                with contextlib.suppress(OSError):
                    os.unlink(prepared.path)
            raise

    async def prepare(self, conversation_id: str, given: Given) -> StoredAttachment:
        """Everything but the row: the file lies in its places. Raises as ``add``."""
        parts = self._parts
        texts = parts.texts
        conversation = parts.store.conversations.get(conversation_id)
        if conversation is None:
            raise NotFound(texts("turn.conversation_gone", id=conversation_id))
        name = cleaned(given.name)
        if not name:
            raise Invalid(texts("turn.attachment_name"), field="name")
        if not given.data:
            raise Invalid(texts("turn.attachment_empty", name=name), field="file")
        if len(given.data) > MAX_BYTES:
            raise TooLarge(texts("turn.attachment_large", name=name, limit=MAX_BYTES // MEGABYTE))
        self._room(conversation_id)
        file = StoredAttachment(
            id=new_id("att"),
            conversation_id=conversation_id,
            name=name,
            type=kind_of(name, given.type),
            size=len(given.data),
            path=str(given.path) if given.path else None,
            chars=characters(given.data),
            created_at=parts.now(),
        )
        try:
            await asyncio.to_thread(self._write, file, given.data)
            if given.path is None and conversation.agent_id == parts.roster.master.id:
                path = await asyncio.to_thread(save, parts.roster.master.workspace, name, given.data, parts.clock.now())
                file = replace(file, path=str(path))
        except OSError as error:
            self.discard(file)
            raise Unavailable(texts("turn.attachment_unwritten", name=name, why=error.strerror or type(error).__name__)) from error
        return file

    def enter(self, file: StoredAttachment) -> StoredAttachment:
        """The row of a prepared file, in the caller's transaction if there is one. Raises ``NotFound``, ``Conflict``."""
        with self._parts.store.transaction():
            if self._parts.store.conversations.get(file.conversation_id) is None:  # deleted while the file came
                raise NotFound(self._parts.texts("turn.conversation_gone", id=file.conversation_id))
            self._room(file.conversation_id)
            self._parts.store.attachments.insert(file)
        return file

    def discard(self, file: StoredAttachment) -> None:
        """Take away what ``prepare`` laid down; what is in the inbox stays."""
        with contextlib.suppress(OSError):
            os.unlink(self._place(file))
        with contextlib.suppress(OSError):
            if self._parts.store.conversations.get(file.conversation_id) is None:
                os.rmdir(self._place(file).parent)

    def has_room(self, conversation_id: str, more: int = 0) -> bool:
        """Whether one can be attached, after ``more`` others."""
        return self._parts.store.attachments.count(conversation_id) + more < MAX_FILES

    def list(self, conversation_id: str) -> list[StoredAttachment]:
        """Those of a conversation. Raises ``NotFound``."""
        if self._parts.store.conversations.get(conversation_id) is None:
            raise NotFound(self._parts.texts("turn.conversation_gone", id=conversation_id))
        return self._parts.store.attachments.list(conversation_id)

    async def read(self, conversation_id: str, attachment_id: str) -> tuple[StoredAttachment, bytes]:
        """One file with its bytes. Raises ``NotFound``."""
        file = self._get(conversation_id, attachment_id)
        try:
            return file, await asyncio.to_thread(self._place(file).read_bytes)
        except OSError as error:
            raise NotFound(self._parts.texts("turn.attachment_gone", id=attachment_id)) from error

    def delete(self, conversation_id: str, attachment_id: str) -> None:
        """Take the file out of the conversation; what lies in the inbox stays (PTL-89). Raises ``NotFound``."""
        file = self._get(conversation_id, attachment_id)
        self._parts.store.attachments.delete(file.id)
        self.discard(file)

    def named(self, conversation_id: str, ids: Sequence[str]) -> tuple[StoredAttachment, ...]:
        """The files of these ids, each once. Raises ``Invalid`` (PTL-91)."""
        found = {each: self._parts.store.attachments.get(conversation_id, each) for each in dict.fromkeys(ids)}
        for each, file in found.items():
            if file is None:
                raise Invalid(self._parts.texts("turn.attachment_unknown", id=clean_name(each)), field="attachments")
        return tuple(file for file in found.values() if file is not None)

    def copy(self, original: str, fork: str, before: str) -> None:
        """Give ``fork`` what was attached to ``original`` before that moment (PTL-90). Raises ``OSError``."""
        for file in self._parts.store.attachments.list(original):
            if file.created_at < before:
                mine = replace(file, id=new_id("att"), conversation_id=fork)
                target = self._place(mine)
                target.parent.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
                with contextlib.suppress(FileNotFoundError):  # a file taken away by hand: nothing to give
                    try:
                        os.link(self._place(file), target)  # nothing ever writes into it
                    except FileNotFoundError:
                        raise
                    except OSError:  # a file system without hard links
                        shutil.copyfile(self._place(file), target)
                        target.chmod(MODE)
                    self._parts.store.attachments.insert(mine)

    def _get(self, conversation_id: str, attachment_id: str) -> StoredAttachment:
        file = self._parts.store.attachments.get(conversation_id, attachment_id)
        if file is None:
            raise NotFound(self._parts.texts("turn.attachment_gone", id=clean_name(attachment_id)))
        return file

    def _place(self, file: StoredAttachment) -> Path:
        return place_of(self._parts.home, file)

    def _room(self, conversation_id: str) -> None:
        if not self.has_room(conversation_id):
            raise Conflict(self._parts.texts("turn.attachment_many", limit=MAX_FILES), code="too_many_attachments")

    def _write(self, file: StoredAttachment, data: bytes) -> None:
        place = self._place(file)
        place.parent.mkdir(mode=PRIVATE_DIRECTORY, parents=True, exist_ok=True)
        write_new(place, data)


def place_of(home: Home, file: StoredAttachment) -> Path:
    """Where the bytes lie."""
    return home.attachments(file.conversation_id) / f"{file.id}-{file.name}"


def kind_of(name: str, said: str | None = None) -> str:
    """The media type: what was said when it is one, else what the ending tells."""
    stem, _, ending = name.rpartition(".")
    known = TYPES.get(ending.lower()) if stem else None
    plain = "".join(letter for letter in said or "" if letter.isascii() and (letter.isalnum() or letter in "/.+-"))[:100]
    return known or (plain if plain.count("/") == 1 else BYTES)


def characters(data: bytes) -> int | None:
    """How many characters of text a file has; ``None`` when it is none."""
    if b"\0" in data:
        return None
    try:
        return len(data.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def line_of(home: Home, texts: Texts, file: StoredAttachment) -> str:
    """The line the model reads; crewlab's own words (PTL-91, CHN-28). Where there is no inbox, the path is that of the stored file."""
    return f"[attachment {file.id}] {file.name} ({file.type}, {size(file.size, texts)}) {file.path or place_of(home, file)}"


def with_files(parts: Parts, context: Json | None, files: Iterable[StoredAttachment]) -> Json | None:
    """The context of a message that brings files: their lines before its text, and what the chat shows as chips."""
    brought = list(files)
    if not brought:
        return context
    told = [*((context or {}).get("parts") or []), "\n".join(line_of(parts.home, parts.texts, file) for file in brought)]
    chips = [{"id": file.id, "name": file.name, "type": file.type, "size": file.size} for file in brought]
    return {**(context or {}), "parts": told, "attachments": chips}


def still_there(parts: Parts, conversation_id: str, waiting: Iterable[Waiting]) -> tuple[StoredAttachment, ...]:
    """The files that waiting messages bring, each once; one that was removed meanwhile is left out."""
    ids = dict.fromkeys(each for item in waiting for each in item.attachments)
    return tuple(file for each in ids if (file := parts.store.attachments.get(conversation_id, each)) is not None)


def told_to_fork(home: Home, store: Store, texts: Texts) -> OpeningPart:
    """The files a fork was given, before the first message that is written in it (PTL-90)."""

    def part(conversation: StoredConversation, _agent: Agent) -> str | None:
        files = [file for file in store.attachments.list(conversation.id) if file.created_at < conversation.created_at]
        if not files or any(m.role == "user" and m.created_at >= conversation.created_at for m in store.messages.list(conversation.id)):
            return None
        return "\n".join(line_of(home, texts, file) for file in files)

    return part

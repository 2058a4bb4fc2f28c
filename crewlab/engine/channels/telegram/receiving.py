"""What an update means: a command, an answer, a decision, a message, a file (CHN-5, CHN-6, CHN-9, CHN-12, CHN-24 to CHN-30)."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from crewlab.engine.channels.reach import Reach
from crewlab.engine.channels.telegram.chat import SOURCE, Chat
from crewlab.engine.channels.telegram.commands import Commands
from crewlab.engine.channels.telegram.incoming import VOICE, Sent, files_of, line
from crewlab.engine.channels.telegram.notices import APPROVE, DENY, Notices
from crewlab.engine.channels.telegram.wire import MAX_DOWNLOAD, Refused, Unreachable, Wire
from crewlab.engine.errors import CrewError, NotFound
from crewlab.engine.home.inbox import save
from crewlab.engine.models.base import Sound
from crewlab.engine.store.attachments import StoredAttachment
from crewlab.engine.store.channels import Channel
from crewlab.engine.turn.attachments import Given
from crewlab.engine.turn.hearing import Unheard, write_down

if TYPE_CHECKING:
    from telegram import CallbackQuery, Message, Update

log = logging.getLogger(__name__)


class Receiver:
    """Handles updates of one chat; whatever it does to the store is one commit with the offset."""

    def __init__(self, reach: Reach, channel: Channel, wire: Wire, chat_id: int, chat: Chat, notices: Notices) -> None:
        self._reach = reach
        self._channel = channel
        self._wire = wire
        self._chat_id = chat_id
        self._texts = reach.parts.texts
        self.chat = chat
        self.notices = notices
        self.commands = Commands(reach, chat, notices)
        self._dropped = 0

    def keep(self, album: list[Update]) -> bool:
        """Move the offset behind these updates; false when they were handled before (FG-1, FG-2)."""
        with self._reach.parts.store.transaction():
            new = [self._channel.take(update.update_id) for update in album]
            self._channel.set("offset", str(album[-1].update_id))
        return any(new)

    async def handle(self, album: list[Update], last: int) -> None:
        query = album[0].callback_query
        messages = [update.message for update in album if update.message is not None]
        chat = query.message.chat if query and query.message else messages[0].chat if messages else None
        if chat is None or chat.id != self._chat_id:  # CHN-5
            self._dropped += 1
            log.info("telegram: %d update(s) of other chats were dropped", self._dropped)
            self.keep(album)
        elif query is not None:
            if self.keep(album):
                await self._pressed(query)
        elif messages:
            await self._message(album, messages, last)
        else:
            self.keep(album)

    async def _pressed(self, query: CallbackQuery) -> None:
        await self._wire.pressed(query.id)
        data = query.data or ""
        prefix = next((one for one in (APPROVE, DENY) if data.startswith(one)), None)
        if prefix is None:
            return
        try:
            approval = self._reach.approvals.get(data.removeprefix(prefix))
        except NotFound as error:
            await self.notices.say(error.message)
            return
        await self.notices.say(await self.commands.decide(approval, approve=prefix == APPROVE))

    # messages

    async def _message(self, album: list[Update], messages: list[Message], last: int) -> None:
        text = next((words for message in messages if (words := message.text or message.caption)), "")
        if messages[0].text:
            answer = await self._command(album, text)
            if answer is not None:
                return
        files, lines = await self._files(messages)
        body = "\n".join([text, *lines]).strip() if lines else text
        if not body.strip() and not files:
            if self.keep(album) and not any(files_of(message) for message in messages):
                await self.notices.say(self._texts("telegram.kinds"))
            return
        await self._send(album, body, files, last)

    async def _command(self, album: list[Update], text: str) -> str | None:
        """Answer a command, or plain text that answers a question; ``None`` for an ordinary message."""
        is_command = text.startswith("/") and not text.startswith("/steer")
        question = None if is_command else self.commands.question()
        if not is_command and question is None:
            return None
        known = self._channel.get("offset")
        if known is None or album[-1].update_id > int(known):
            answer = await self.commands.answer(text) if is_command else await self._reply(text)
            if answer is None:
                return None
            if self.keep(album):
                await self.notices.say(answer)
            return answer
        return ""

    async def _reply(self, text: str) -> str:
        question = self.commands.question()
        if question is None:
            return self._texts("telegram.no_question")
        try:
            return await self.commands.reply(question, text)
        except CrewError as error:
            return self._texts("telegram.refused", why=error.message)

    async def _send(self, album: list[Update], body: str, files: list[StoredAttachment], last: int) -> None:
        """Hand the message on. The offset moves in the commit that stores or queues it (CHN-6, FG-5)."""
        pending = self._reach.parts.store.approvals.pending_of(self.chat.conversation())
        if pending is not None:
            self._discard(files)
            if self.keep(album):
                await self.notices.say(self._texts("telegram.decide_first"))
            return
        with self._reach.parts.store.transaction():
            if not self.keep(album):
                self._discard(files)
                return
            ids = [self._reach.attached.enter(file).id for file in files]
            sent = await self._reach.inbound.send(
                self.chat.conversation(), body, source=SOURCE, request_id=f"telegram-{last}", attachments=ids
            )
        if sent.queued is not None:
            key = "queued_steer" if sent.queued.kind == "steer" else "queued"
            await self.notices.say(self._texts(f"telegram.{key}", position=sent.queued.position))

    def _discard(self, files: list[StoredAttachment]) -> None:
        for file in files:
            self._reach.attached.discard(file)

    async def _files(self, messages: list[Message]) -> tuple[list[StoredAttachment], list[str]]:
        """What the message attaches, and a line for each file beyond the 20 of the conversation (CHN-24)."""
        files: list[StoredAttachment] = []
        lines: list[str] = []
        for message in messages:
            for sent in files_of(message):
                taken = await self._file(sent, len(files))
                if isinstance(taken, str):
                    lines.append(taken)
                elif taken is not None:
                    files.append(taken)
        return files, lines

    async def _file(self, sent: Sent, before: int) -> StoredAttachment | str | None:
        """Fetch and store one file; ``None`` when the sender was told why not. ``before``: how many this message attaches already."""
        voice = sent.name == VOICE
        if voice and not self._reach.parts.hears():
            await self.notices.say(self._texts("telegram.need_text"))
            return None
        if sent.size > MAX_DOWNLOAD:
            await self.notices.say(self._texts("telegram.too_large"))
            return None
        try:
            data = await self._wire.download(sent.file_id)
        except (Refused, Unreachable):
            await self.notices.say(self._texts("telegram.not_fetched"))
            return None
        parts = self._reach.parts
        try:
            path = await asyncio.to_thread(save, parts.roster.master.workspace, sent.name, data, parts.clock.now())
        except OSError as error:
            await self.notices.say(self._texts("telegram.not_saved", why=error.strerror or type(error).__name__))
            return None
        return await self._heard(data) if voice else await self._attach(sent, data, path, before)

    async def _heard(self, data: bytes) -> str | None:
        """The words of a voice message, which are the person's own (CHN-27)."""
        parts = self._reach.parts
        try:
            return await write_down(parts, parts.roster.master, self.chat.conversation(), Sound("ogg", data))
        except Unheard as why:
            await self.notices.say(self._texts("telegram.voice_failed", why=why))
            return None

    async def _attach(self, sent: Sent, data: bytes, path: Path, before: int) -> StoredAttachment | str:
        """The file as an attachment of the chat's conversation, or the line that stands for it."""
        attached, conversation_id = self._reach.attached, self.chat.conversation()
        if data and attached.has_room(conversation_id, before):
            with contextlib.suppress(CrewError):  # it lies in the inbox; the line says where
                return await attached.prepare(conversation_id, Given(sent.name, data, sent.kind, path))
        return line(path, sent, len(data), self._texts)

"""The bot: polls, hands messages to the inbound gate, and writes answers down to be sent (CHN-2 to CHN-9, CHN-12, CHN-15)."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from crewlab.engine.channels.reach import Reach
from crewlab.engine.channels.telegram.chat import SOURCE, Chat
from crewlab.engine.channels.telegram.commands import Commands
from crewlab.engine.channels.telegram.incoming import Sent, files_of, line, save
from crewlab.engine.channels.telegram.notices import APPROVE, DENY, Notices
from crewlab.engine.channels.telegram.outbox import Outbox
from crewlab.engine.channels.telegram.wire import MAX_DOWNLOAD, OtherPoller, Refused, Sleep, Unreachable, Wire
from crewlab.engine.errors import CrewError, NotFound, StoreWriteFailed
from crewlab.engine.jobs.scheduler import Told
from crewlab.engine.records import INTERRUPTED, Run
from crewlab.engine.store.channels import Channel

if TYPE_CHECKING:
    from telegram import CallbackQuery, Message, Update

CONFLICT_SECONDS = 60.0  # CHN-7
LONGEST_BACKOFF = 60.0  # CHN-4
TYPING_SECONDS = 4.0  # Telegram shows it for five

log = logging.getLogger(__name__)


class TelegramBot:
    """One bot for one chat. ``problem`` is what Connections says of it, empty while all is well."""

    def __init__(
        self,
        reach: Reach,
        channel: Channel,
        wire: Wire,
        chat_id: int,
        *,
        ttl: int | None = None,
        variable: str = "",
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._reach = reach
        self._channel = channel
        self._wire = wire
        self._chat_id = chat_id
        self._variable = variable
        self._sleep = sleep
        self._texts = reach.parts.texts
        self.problem = ""
        self.chat = Chat(reach, channel, chat_id, ttl)
        self.outbox = Outbox(reach, channel, wire)
        self.notices = Notices(reach, self.chat, wire)
        self.commands = Commands(reach, self.chat, self.notices)
        self._tasks: list[asyncio.Task[None]] = []
        self._dropped = 0

    # life

    async def start(self) -> None:
        """Open the client and begin to poll, to send and to watch."""
        await self._wire.open()
        if self._channel.get("since") is None:
            self._channel.set("since", self._reach.parts.now())
        for run_id in self._channel.undelivered(SOURCE, self._channel.get("since") or ""):  # RES-9
            run = self._reach.parts.store.runs.get(run_id)
            if run is not None:
                self.outbox.put("answer", run, self._answer(run))
        for work in (self._poll_for_ever, self.outbox.send_for_ever, self.notices.watch_for_ever, self._type_for_ever):
            self._tasks.append(asyncio.create_task(work(), name=f"crewlab telegram {work.__name__}"))

    async def stop(self) -> None:
        """End everything; says in the chat that a running turn goes on later (CHN-15, RES-12)."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        if any(run.source == SOURCE and run.status == "running" for run in self._reach.parts.hub.live.values()):
            await self.notices.say(self._texts("telegram.shutdown"))
        await self._wire.close()

    # polling

    async def _poll_for_ever(self) -> None:
        pause = 0.0
        while True:
            try:
                updates = await self._wire.updates(self._offset())
            except OtherPoller:
                self._trouble("conflict")
                await self._sleep(CONFLICT_SECONDS)
                continue
            except Refused:
                self._trouble("token_wrong", variable=self._variable)
                await self._sleep(CONFLICT_SECONDS)
                continue
            except Unreachable:
                self._trouble("unreachable")
                pause = min(LONGEST_BACKOFF, pause * 2 or 1.0)
                await self._sleep(pause)
                continue
            pause, self.problem = 0.0, ""
            for album in _albums(updates):
                if not await self._take(album):
                    await self._sleep(CONFLICT_SECONDS)
                    break

    def _offset(self) -> int | None:
        known = self._channel.get("offset")
        return int(known) + 1 if known is not None else None

    def _trouble(self, key: str, **values: object) -> None:
        """One line in the log and in Connections, then silence until it works again (CHN-4, CHN-7)."""
        words = self._texts(f"telegram.{key}", **values)
        if words != self.problem:
            log.warning("telegram: %s", words)
        self.problem = words

    async def _take(self, album: list[Update]) -> bool:
        """Handle what belongs together; whatever it does to the store is one commit with the offset (CHN-6).

        False when the store could not be written: then the updates are asked for again.
        """
        last = album[-1].update_id
        known = self._channel.get("offset")
        if known is not None and last <= int(known):
            return True
        try:
            await self._handle(album, last)
        except StoreWriteFailed as error:
            self._trouble("unwritten", why=error.message)
            return False
        except CrewError as error:
            self._keep(album)
            await self.notices.say(self._texts("telegram.refused", why=error.message))
        except Exception:
            log.exception("telegram: update %d could not be handled", last)
            self._keep(album)
        return True

    def _keep(self, album: list[Update]) -> bool:
        """Move the offset behind these updates; false when they were handled before (FG-1, FG-2)."""
        with self._reach.parts.store.transaction():
            new = [self._channel.take(update.update_id) for update in album]
            self._channel.set("offset", str(album[-1].update_id))
        return any(new)

    async def _handle(self, album: list[Update], last: int) -> None:
        query = album[0].callback_query
        messages = [update.message for update in album if update.message is not None]
        chat = query.message.chat if query and query.message else messages[0].chat if messages else None
        if chat is None or chat.id != self._chat_id:  # CHN-5
            self._dropped += 1
            log.info("telegram: %d update(s) of other chats were dropped", self._dropped)
            self._keep(album)
        elif query is not None:
            if self._keep(album):
                await self._pressed(query)
        elif messages:
            await self._message(album, messages, last)
        else:
            self._keep(album)

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
        lines = await self._files(messages)
        body = "\n".join([text, *lines]).strip() if lines else text
        if not body.strip():
            if self._keep(album) and not any(files_of(message) for message in messages):
                await self.notices.say(self._texts("telegram.kinds"))
            return
        await self._send(album, body, last)

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
            if self._keep(album):
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

    async def _send(self, album: list[Update], body: str, last: int) -> None:
        """Hand the message on. The offset moves in the commit that stores or queues it (CHN-6, FG-5)."""
        pending = self._reach.parts.store.approvals.pending_of(self.chat.conversation())
        if pending is not None:
            if self._keep(album):
                await self.notices.say(self._texts("telegram.decide_first"))
            return
        with self._reach.parts.store.transaction():
            if not self._keep(album):
                return
            sent = await self._reach.inbound.send(self.chat.conversation(), body, source=SOURCE, request_id=f"telegram-{last}")
        if sent.queued is not None:
            key = "queued_steer" if sent.queued.kind == "steer" else "queued"
            await self.notices.say(self._texts(f"telegram.{key}", position=sent.queued.position))

    async def _files(self, messages: list[Message]) -> list[str]:
        lines: list[str] = []
        for message in messages:
            for sent in files_of(message):
                words = await self._file(sent)
                if words is not None:
                    lines.append(words)
        return lines

    async def _file(self, sent: Sent) -> str | None:
        """Fetch and store one file; the line for the model, or ``None`` when the sender was told why not."""
        if sent.kind.startswith("audio/") and sent.name == "voice.ogg":
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
            path = await asyncio.to_thread(save, parts.roster.master.workspace, sent, data, parts.clock.now())
        except OSError as error:
            await self.notices.say(self._texts("telegram.not_saved", why=error.strerror or type(error).__name__))
            return None
        return line(path, sent, len(data), self._texts)

    # answers

    def turn_ended(self, conversation_id: str) -> None:
        """A turn has ended or paused: an answer of a turn of the chat is written down to be sent (CHN-8, RES-8)."""
        newest = self._reach.parts.store.runs.newest_of(conversation_id)
        run = self._reach.parts.store.runs.get(newest) if newest else None
        if run is not None and run.source == SOURCE and run.status in ("done", "halted", "error"):
            self.outbox.put("answer", run, self._answer(run))

    def job_told(self, told: Told) -> None:
        """What a job has to say (JOB-40, JOB-43)."""
        run = told.run
        name = self.chat.agent_name(run.relayed_from or run.agent_id)
        if told.word in ("answer", "works_again") and told.job.kind == "prompt":
            self.outbox.put("answer", run, f"[{name}]\n{self._answer(run)}")
        if told.word != "answer":
            words = self._texts(f"telegram.job_{told.word}", name=name, job=told.job.name, summary=run.summary)
            self.outbox.put(told.word, run, words)

    def _answer(self, run: Run) -> str:
        messages = self._reach.parts.store.messages.list(run.conversation_id or "")
        own = [one for one in messages if one.seq > (run.after_seq or 0) and one.role == "assistant" and one.content.strip()]
        until = next((one.seq for one in messages if one.seq > (run.after_seq or 0) + 1 and one.role == "user" and not one.context), None)
        said = "\n\n".join(one.content for one in own if until is None or one.seq < until)
        if run.status == "done":
            return said
        key = "interrupted" if run.summary == INTERRUPTED else "halted" if run.status == "halted" else "failed"
        return f"{said}\n\n{self._texts(f'telegram.{key}', summary=run.summary)}".strip()

    async def _type_for_ever(self) -> None:
        """Show "typing" while a turn of the chat runs (CHN-8)."""
        while True:
            await self._sleep(TYPING_SECONDS)
            if any(run.source == SOURCE and run.status == "running" for run in self._reach.parts.hub.live.values()):
                await self._wire.typing()


def _albums(updates: object) -> list[list[Update]]:
    """Updates in order, those of one album together (CHN-26)."""
    found: list[list[Update]] = []
    for update in updates:  # type: ignore[attr-defined]
        group = update.message.media_group_id if update.message else None
        previous = found[-1][-1].message if found else None
        if group is not None and previous is not None and previous.media_group_id == group:
            found[-1].append(update)
        else:
            found.append([update])
    return found



"""The bot: polls, hands messages to the inbound gate, and writes answers down to be sent (CHN-2 to CHN-9, CHN-12, CHN-15)."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from crewlab.engine.channels.reach import Reach
from crewlab.engine.channels.telegram.chat import SOURCE, Chat
from crewlab.engine.channels.telegram.notices import Notices
from crewlab.engine.channels.telegram.outbox import Outbox
from crewlab.engine.channels.telegram.receiving import Receiver
from crewlab.engine.channels.telegram.wire import OtherPoller, Refused, Sleep, Unreachable, Wire
from crewlab.engine.errors import CrewError, StoreWriteFailed
from crewlab.engine.jobs.scheduler import Told
from crewlab.engine.records import INTERRUPTED, Message, Run
from crewlab.engine.store.channels import Channel

if TYPE_CHECKING:
    from telegram import Update

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
        self._variable = variable
        self._sleep = sleep
        self._texts = reach.parts.texts
        self.problem = ""
        self.chat = Chat(reach, channel, chat_id, ttl)
        self.outbox = Outbox(reach, channel, wire)
        self.notices = Notices(reach, self.chat, wire)
        self._receiver = Receiver(reach, channel, wire, chat_id, self.chat, self.notices)
        self._tasks: list[asyncio.Task[None]] = []

    # life

    async def start(self) -> None:
        """Open the client and begin to poll, to send and to watch."""
        await self._wire.open()
        if self._channel.get("since") is None:
            self._channel.set("since", self._reach.parts.now())
        for run_id in self._channel.undelivered(SOURCE, self._channel.get("since") or ""):  # RES-9
            run = self._reach.parts.store.runs.get(run_id)
            if run is not None:
                self._deliver(run)
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
            await self._receiver.handle(album, last)
        except StoreWriteFailed as error:
            self._trouble("unwritten", why=error.message)
            return False
        except CrewError as error:
            self._receiver.keep(album)
            await self.notices.say(self._texts("telegram.refused", why=error.message))
        except Exception as error:
            log.exception("telegram: update %d could not be handled", last)
            self._receiver.keep(album)
            await self.notices.say(self._texts("telegram.stumbled", kind=type(error).__name__))
        return True

    # answers

    def turn_ended(self, conversation_id: str) -> None:
        """A turn has ended or paused: an answer of a turn of the chat is written down to be sent (CHN-8, RES-8)."""
        newest = self._reach.parts.store.runs.newest_of(conversation_id)
        run = self._reach.parts.store.runs.get(newest) if newest else None
        if run is not None and run.source == SOURCE and run.status in ("done", "halted", "error"):
            self._deliver(run)

    def _deliver(self, run: Run) -> None:
        """The answer, then one message that lists the canvases it wrote (CNV-83)."""
        self.outbox.put("answer", run, self._answer(run))
        written = self._reach.written(self._messages(run))
        if written:
            self.outbox.put("canvases", run, self._texts("telegram.canvases", lines="\n".join(written)))

    def job_told(self, told: Told) -> None:
        """What a job has to say (JOB-40, JOB-43)."""
        run = told.run
        name = self.chat.agent_name(run.relayed_from or run.agent_id)
        if told.word in ("answer", "works_again") and told.job.kind == "prompt":
            self.outbox.put("answer", run, f"[{name}]\n{self._answer(run)}")
        if told.word != "answer":
            words = self._texts(f"telegram.job_{told.word}", name=name, job=told.job.name, summary=run.summary)
            self.outbox.put(told.word, run, words)

    def _messages(self, run: Run) -> list[Message]:
        """The messages of the run: what came after it began, up to the next one that opened a turn."""
        opened = (run.after_seq or 0) + 1
        later = [one for one in self._reach.parts.store.messages.list(run.conversation_id or "") if one.seq > opened]
        until = next((one.seq for one in later if one.role == "user" and not (one.context or {}).get("steer")), None)
        return [one for one in later if until is None or one.seq < until]

    def _answer(self, run: Run) -> str:
        said = "\n\n".join(one.content for one in self._messages(run) if one.role == "assistant" and one.content.strip())
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

"""TurnHost: reads every turn to its end in a task of the server (TURN-33), drains the queue, stops turns."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from crewlab.engine.clock import new_id
from crewlab.engine.errors import NotFound, StoreWriteFailed
from crewlab.engine.event import Event
from crewlab.engine.events import Opened
from crewlab.engine.records import AttachedFile, ConversationSummary, Json, Message, Run, WrittenBy
from crewlab.engine.store.attachments import StoredAttachment
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.turn.assemble import assemble
from crewlab.engine.turn.attachments import still_there, with_files
from crewlab.engine.turn.commands import spoken
from crewlab.engine.turn.holding import held
from crewlab.engine.turn.loop import TurnLoop
from crewlab.engine.turn.turn import Parts, StopCause, Turn

TITLE_CHARS = 60  # TURN-56
SHUTDOWN_SECONDS = 10.0  # RES-16
REMEMBERED_ENDS = 512

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Opening:
    """The message that opens a turn. ``request_ids`` are the names it was sent under (TURN-44)."""

    text: str
    source: str
    timezone: str | None = None
    request_ids: tuple[str, ...] = ()
    written_by: WrittenBy = "person"
    from_queue: tuple[int, ...] = ()
    command: Json | None = None
    """The command of a kit that wrote the text, ``{"name", "typed"}`` (KIT-10)."""
    attachments: tuple[StoredAttachment, ...] = ()
    """The files it brings (PTL-91)."""


@dataclass(frozen=True, slots=True)
class StopResult:
    """What Stop did: the texts taken out of the queue, and whether a turn was cancelled (QUE-19)."""

    cleared: list[str]
    cancelled: bool
    attachments: list[AttachedFile] = field(default_factory=list)
    """The files that what was cleared would have brought."""


def first_words(text: str) -> str:
    """At most 60 characters of the first line, cut at a word (TURN-56)."""
    line = " ".join(text.split())
    if len(line) <= TITLE_CHARS:
        return line
    cut = line[: TITLE_CHARS - 1]
    head, space, _ = cut.rpartition(" ")
    return (head if space else cut) + "…"


class TurnHost:
    """Owns the running turns. At most one runs per conversation (TURN-22)."""

    def __init__(self, parts: Parts, summarise: Callable[[str], ConversationSummary]) -> None:
        self._parts = parts
        self._loop = TurnLoop(parts)
        self._draining = True
        self.live: dict[str, Turn] = {}
        self.last_end: OrderedDict[str, Event] = OrderedDict()
        self.on_ended: Callable[[str], None] = lambda _conversation_id: None
        self.summarise = summarise

    def busy(self, conversation_id: str) -> bool:
        """Whether a turn is running."""
        return conversation_id in self.live

    def open(self, conversation: StoredConversation, opening: Opening) -> tuple[Turn, Message]:
        """Store the opening message and its run in one commit, then start the turn (TURN-23)."""
        parts = self._parts
        now = parts.now()
        agent = parts.roster.get(conversation.agent_id)
        run = Run(
            id=new_id("run"),
            agent_id=agent.id,
            source=opening.source,
            conversation_id=conversation.id,
            status="running",
            after_seq=parts.store.messages.last_seq(conversation.id),
            timezone=opening.timezone,
            started_at=now,
        )
        with parts.store.transaction():
            # in the same commit: who is told is remembered with what is told (CNV-98)
            context = parts.opening(conversation, agent, opening.timezone)
            if opening.command is not None:
                context = {**(context or {}), "command": opening.command}
            context = with_files(parts, context, opening.attachments)
            message = parts.store.messages.append(
                conversation.id, "user", opening.text, now, written_by=opening.written_by, context=context
            )
            for request_id in opening.request_ids:
                parts.store.messages.note_request(conversation.id, request_id, message.id)
            parts.store.queue.remove(list(opening.from_queue))
            if not conversation.title:
                typed = opening.command["typed"] if opening.command else opening.text or opening.attachments[0].name
                parts.store.conversations.name_first(conversation.id, first_words(typed))
            parts.store.conversations.touch(conversation.id, now)
            parts.store.runs.insert(run, held(parts.toolbox.of(agent), agent, conversation).names)
        turn = assemble(parts, run, agent)
        turn.cut = "stop"  # calls still open in the history were cut by a stop or a failure
        self._start(turn, fresh=False, message=message, item_ids=opening.from_queue)
        return turn, message

    def resume(self, run: Run, *, fresh: bool) -> Turn:
        """Go on with a paused or cut run that is stored as running: same id, same timeline, same money (GATE-56, RES-3).

        Raises ``NotFound`` when the agent was removed.
        """
        turn = assemble(self._parts, run, self._parts.roster.get(run.agent_id))
        turn.cut = "restart"
        self._start(turn, fresh=fresh)
        return turn

    def _start(self, turn: Turn, *, fresh: bool, message: Message | None = None, item_ids: tuple[int, ...] = ()) -> None:
        self.live[turn.conversation_id] = turn
        self.last_end.pop(turn.conversation_id, None)
        self._parts.hub.run(turn.run)
        if self._parts.watch.watched(turn.conversation_id):
            summary = self.summarise(turn.conversation_id)
            opened = Opened(run_id=turn.run.id, conversation=summary, message=message, item_ids=list(item_ids))
            self._parts.watch.publish(turn.conversation_id, opened)
        turn.task = asyncio.get_running_loop().create_task(self._read(turn, fresh=fresh), name=f"turn {turn.run.id}")
        turn.task.add_done_callback(lambda _task: self._ended(turn))

    async def _read(self, turn: Turn, *, fresh: bool) -> None:
        await self._loop.run(turn, fresh=fresh)

    def _ended(self, turn: Turn) -> None:
        """The task of the turn is over, however it ended: make room, tell, drain the queue."""
        self.live.pop(turn.conversation_id, None)
        if turn.stop == "shutdown":
            return
        if turn.run.status == "running":  # cancelled before its first step
            self._loop.stopped(turn)
        self._remember_end(turn)
        self.on_ended(turn.conversation_id)
        if turn.run.status != "waiting":
            self.drain(turn.conversation_id)

    def _remember_end(self, turn: Turn) -> None:
        """Keep how a turn failed or was stopped, for viewers that come later: the store has no place for it."""
        if turn.end is not None and turn.end.type != "done":
            self.last_end[turn.conversation_id] = turn.end
            while len(self.last_end) > REMEMBERED_ENDS:
                self.last_end.popitem(last=False)

    def drain(self, conversation_id: str) -> None:
        """Run one turn for everything that waits, joined by empty lines (QUE-5)."""
        parts = self._parts
        waiting = parts.store.queue.waiting(conversation_id) if self._draining else []
        if not waiting or self.busy(conversation_id) or parts.store.approvals.pending_of(conversation_id):
            return
        conversation = parts.store.conversations.get(conversation_id)
        if conversation is None:
            return
        try:
            said = spoken(parts.kits, parts.roster.get(conversation.agent_id), [item.text for item in waiting])
        except NotFound as error:
            log.warning("the queue of %s cannot run now: %s", conversation_id, error)
            return
        opening = Opening(
            text=said.text,
            written_by=said.written_by,
            command=said.command,
            source=waiting[0].source,
            timezone=waiting[0].timezone,
            request_ids=tuple(item.request_id for item in waiting if item.request_id),
            from_queue=tuple(item.item_id for item in waiting),
            attachments=still_there(parts, conversation_id, waiting),
        )
        try:
            self.open(conversation, opening)
        except (NotFound, StoreWriteFailed) as error:
            log.warning("the queue of %s cannot run now: %s", conversation_id, error)

    def stop(self, conversation_id: str) -> StopResult:
        """Take the whole queue and cancel the turn (QUE-19); safe to repeat (QUE-22)."""
        cleared = self._parts.store.queue.clear(conversation_id)
        cancelled = self._cancel(conversation_id, "person")
        if cleared and not cancelled:
            self._parts.watch.refresh(conversation_id)  # no `stopped` will tell other windows that the chips are gone
        return StopResult([item.text for item in cleared if item.text], cancelled, [file for item in cleared for file in item.attachments])

    def cancel(self, conversation_id: str) -> bool:
        """Cancel the turn as a person's Stop does, and leave the queue; whether there was one to cancel."""
        return self._cancel(conversation_id, "person")

    def _cancel(self, conversation_id: str, cause: StopCause) -> bool:
        turn = self.live.get(conversation_id)
        if turn is None or turn.task is None or turn.stop is not None:
            return False
        turn.stop = cause
        turn.cancel.set()
        turn.task.cancel()
        return True

    async def wait(self, conversation_id: str) -> None:
        """Wait until the running turn has ended or paused; returns at once when none runs."""
        turn = self.live.get(conversation_id)
        if turn is not None and turn.task is not None:
            await asyncio.wait({turn.task})
            await asyncio.sleep(0)  # let the end be noted

    async def close(self) -> None:
        """The server goes down: no new turn, readers cancelled, runs left for the next start (RES-15)."""
        self._draining = False
        tasks = {turn.task for turn in self.live.values() if turn.task is not None}
        for conversation_id in tuple(self.live):
            self._cancel(conversation_id, "shutdown")
        if tasks:
            await asyncio.wait(tasks, timeout=SHUTDOWN_SECONDS)

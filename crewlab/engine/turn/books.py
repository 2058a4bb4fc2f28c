"""Titles and session summaries: side calls in the background, after the end of a turn (TURN-56 to TURN-58).

They never delay a turn and never move a conversation (TURN-21). A failed one leaves nothing but its row in the ledger.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from crewlab.engine.agents.agent import Agent
from crewlab.engine.errors import CrewError
from crewlab.engine.models.base import ChatMessage, ChatRequest, NoRoute, RoutesFailed, StreamBroken
from crewlab.engine.records import Message, Purpose
from crewlab.engine.store.conversations import Charge, StoredConversation
from crewlab.engine.turn.digest import transcript
from crewlab.engine.turn.host import TITLE_CHARS, first_words
from crewlab.engine.turn.side import charge_of, side_chain
from crewlab.engine.turn.turn import Parts

IDLE = timedelta(minutes=30)  # TURN-57
NEW_MESSAGES = 4  # TURN-57
READ_CHARS = 24_000  # what of a conversation a summary is written from
TITLE_READ_CHARS = 2_000  # what of the first question and answer a title is written from
SUMMARY_CHARS = 2_000
CALL_SECONDS = 60.0
AT_ONCE = 2
MOST_WAITING = 64
TICK_SECONDS = 60.0
CLOSE_SECONDS = 2.0
MARKS = " \t#*_\"'`“”«»."  # what models put around a title

Work = Callable[[], Awaitable[None]]

log = logging.getLogger(__name__)


class Books:
    """Owns the background calls of a crew; ``close`` ends and awaits them.

    ``busy`` says whether a turn of the conversation runs, ``changed`` tells the faces that its record has changed.
    """

    def __init__(self, parts: Parts, busy: Callable[[str], bool], changed: Callable[[str], None]) -> None:
        self._parts = parts
        self._busy = busy
        self._changed = changed
        self._places = asyncio.Semaphore(AT_ONCE)
        self._tasks: dict[tuple[Purpose, str], asyncio.Task[None]] = {}
        self._idle: dict[str, datetime] = {}
        self._closed = False
        self.also: list[Callable[[], None]] = []
        """What else is swept on the same tick."""

    def turn_ended(self, conversation_id: str) -> None:
        """A turn has ended or paused: perhaps the conversation wants a title, and in half an hour a summary."""
        self._idle.pop(conversation_id, None)
        self._idle[conversation_id] = self._parts.clock.now() + IDLE
        if len(self._idle) > MOST_WAITING:
            self._idle.pop(next(iter(self._idle)))
        if self._wants_title(conversation_id) is not None:
            self._begin("title", conversation_id, lambda: self._title(conversation_id))

    def opened(self, agent_id: str, conversation_id: str) -> None:
        """A new conversation of the agent was opened: the one before it is summarised (TURN-57)."""
        before = self._parts.store.conversations.before(agent_id, conversation_id)
        if before is not None:
            self._summarise(before)

    def sweep(self) -> None:
        """Summarise the conversations that had no turn for 30 minutes."""
        now = self._parts.clock.now()
        for conversation_id in [name for name, due in self._idle.items() if due <= now]:
            del self._idle[conversation_id]
            self._summarise(conversation_id)

    async def sweep_for_ever(self) -> None:
        """The tick of ``sweep``."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self.sweep()
            for sweep in self.also:
                sweep()

    async def settle(self) -> None:
        """Wait until every call that was begun has ended."""
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))

    async def close(self) -> None:
        """End what runs and wait for it."""
        self._closed = True
        tasks = set(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=CLOSE_SECONDS)

    def _begin(self, purpose: Purpose, conversation_id: str, work: Work) -> None:
        key = (purpose, conversation_id)
        if self._closed or key in self._tasks or len(self._tasks) >= MOST_WAITING:
            return
        task = asyncio.get_running_loop().create_task(self._bounded(work), name=f"crewlab {purpose} {conversation_id}")
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._ended(key, done))

    async def _bounded(self, work: Work) -> None:
        async with self._places:
            await work()

    def _ended(self, key: tuple[Purpose, str], task: asyncio.Task[None]) -> None:
        self._tasks.pop(key, None)
        if not task.cancelled() and task.exception() is not None:
            log.error("the %s of %s failed", *key, exc_info=task.exception())

    def _open_to_calls(self, conversation_id: str) -> StoredConversation | None:
        """The conversation, unless it is a child's or its cap is reached (COST-5)."""
        found = self._parts.store.conversations.get(conversation_id)
        if found is None or found.parent_id or found.parent_call_id or 0 < found.cost_cap_usd <= found.spent_usd:
            return None
        return found

    def _wants_title(self, conversation_id: str) -> StoredConversation | None:
        """The conversation when its first turn has just ended well and nobody gave it a title (TURN-56)."""
        found = self._open_to_calls(conversation_id)
        if found is None or found.title_source != "first_words":
            return None
        return found if self._parts.store.runs.only_first_done(conversation_id) else None

    async def _title(self, conversation_id: str) -> None:
        texts = self._parts.texts
        found = self._wants_title(conversation_id)
        if found is None:
            return
        said = [m for m in self._parts.store.messages.list(conversation_id) if m.content and m.role != "tool"]
        words = "\n\n".join(f"<{m.role}>\n{m.content[:TITLE_READ_CHARS]}\n</{m.role}>" for m in [*said[:1], *said[1:][-1:]])
        answer, charge = await self._ask("title", found, texts("books.title", limit=TITLE_CHARS), words)
        title = clean_title(answer)
        if not title:
            return
        store = self._parts.store
        with store.transaction():
            taken = store.conversations.retitle(conversation_id, title)
            store.conversations.charge(conversation_id, charge, None)
        if taken:
            self._changed(conversation_id)

    def _summarise(self, conversation_id: str) -> None:
        if self._unread(conversation_id):
            self._begin("session_summary", conversation_id, lambda: self._summary(conversation_id))

    def _unread(self, conversation_id: str) -> list[Message]:
        """The messages beyond the last summarised one; empty when there are too few for a summary, or a turn runs."""
        if self._open_to_calls(conversation_id) is None or self._busy(conversation_id):
            return []
        _, through = self._parts.store.conversations.summary_of(conversation_id)
        if self._parts.store.messages.last_seq(conversation_id) - through < NEW_MESSAGES:
            return []
        return [message for message in self._parts.store.messages.list(conversation_id) if message.seq > through]

    async def _summary(self, conversation_id: str) -> None:
        store, texts = self._parts.store, self._parts.texts
        found, unread = store.conversations.get(conversation_id), self._unread(conversation_id)
        if found is None or not unread:
            return
        earlier, _ = store.conversations.summary_of(conversation_id)
        words = transcript(unread, earlier or "", texts, READ_CHARS)
        answer, charge = await self._ask("session_summary", found, texts("books.summary"), words)
        if not answer.strip():
            return
        with store.transaction():
            store.conversations.summarise(conversation_id, answer.strip()[:SUMMARY_CHARS], unread[-1].seq)
            store.conversations.charge(conversation_id, charge, None)

    async def _ask(self, purpose: Purpose, found: StoredConversation, system: str, words: str) -> tuple[str, Charge]:
        """The answer, "" when there is none: no fit model, a failure, no time."""
        try:
            agent: Agent = self._parts.roster.get(found.agent_id)
            chain = await side_chain(self._parts, agent, found.id)
            if not chain.chain.writes_aside:
                return "", Charge()
            async with asyncio.timeout(CALL_SECONDS):
                completion = await chain.ask(purpose, ChatRequest(system, (ChatMessage("user", words),)))
        except (CrewError, NoRoute, RoutesFailed, StreamBroken, TimeoutError) as error:
            log.info("no %s of %s: %s", purpose, found.id, error)
            return "", Charge()
        return completion.text, charge_of(chain.calls)


def clean_title(answer: str) -> str:
    """The first line with words, without quotes and marks of Markdown, at most 60 characters."""
    lines = [line.strip(MARKS) for line in answer.splitlines()]
    return first_words(next((line for line in lines if line), ""))

"""The channel as the crew holds it: built from the master's profile and a key, rebuilt when either changes (CHN-2, CHN-42)."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
from collections.abc import Mapping
from dataclasses import dataclass

from crewlab.engine.channels.reach import Reach
from crewlab.engine.channels.telegram.bot import TelegramBot
from crewlab.engine.channels.telegram.chat import SOURCE
from crewlab.engine.channels.telegram.wire import Wire
from crewlab.engine.jobs.scheduler import Told

BASE_URL = "TELEGRAM_API_URL"  # a Bot API server of the person's own
KEY_SECONDS = 5.0

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ChannelState:
    """What Connections says of one ``telegram`` block; never the token, never the chat (CHN-41)."""

    agent_id: str
    token_env: str
    configured: bool
    ignored: bool
    problem: str


class TelegramChannel:
    """At most one bot: that of the master."""

    def __init__(self, reach: Reach, environ: Mapping[str, str]) -> None:
        self._reach = reach
        self._environ = environ
        self._built: tuple[object, str] | None = None
        self._bot: TelegramBot | None = None
        self._watch: asyncio.Task[None] | None = None
        self._missing = False
        self._turn = asyncio.Lock()

    @property
    def bot(self) -> TelegramBot | None:
        """The running bot, if any."""
        return self._bot

    def describe(self) -> list[ChannelState]:
        """Every block of the crew, the master's first (CHN-42)."""
        return [
            ChannelState(
                agent.id,
                block.token_env,
                self._reach.keys.present(block.token_env),
                not agent.master,
                self._problem() if agent.master else "",
            )
            for agent in self._reach.parts.roster.all()
            if (block := agent.profile.telegram) is not None
        ]

    def _problem(self) -> str:
        if self._missing:
            return self._reach.parts.texts("telegram.missing_library")
        return self._bot.problem if self._bot else ""

    async def start(self) -> None:
        """Build the bot when there is one to build, and follow changes of block and key."""
        await self.rebuild()
        self._watch = asyncio.create_task(self._follow(), name="crewlab telegram follow")

    async def _follow(self) -> None:
        while True:
            await asyncio.sleep(KEY_SECONDS)
            await self.rebuild()

    async def rebuild(self) -> None:
        """Put the bot in line with the master's block and its key; does nothing while both stay (CHN-2)."""
        async with self._turn:  # a save and the watch of the key may ask at the same moment
            await self._rebuild()

    async def _rebuild(self) -> None:
        block = self._reach.parts.roster.master.profile.telegram
        token = self._reach.keys.get(block.token_env) if block else None
        wanted = (block, token) if block and token else None
        if wanted == self._built:
            return
        await self._end()
        self._built = wanted
        if block is None or token is None:
            return
        self._missing = any(importlib.util.find_spec(name) is None for name in ("telegram", "telegramify_markdown"))
        if self._missing:
            log.warning("%s", self._reach.parts.texts("telegram.missing_library"))
            return
        wire = Wire(token, block.chat_id, base_url=self._environ.get(BASE_URL))
        channel = self._reach.parts.store.channel(SOURCE)
        bot = TelegramBot(self._reach, channel, wire, block.chat_id, ttl=block.approval_ttl_seconds, variable=block.token_env)
        await bot.start()
        self._bot = bot

    async def _end(self) -> None:
        bot, self._bot = self._bot, None
        if bot is not None:
            await bot.stop()

    async def stop(self) -> None:
        """End the bot."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        await self._end()
        self._built = None

    def turn_ended(self, conversation_id: str) -> None:
        """A turn has ended or paused."""
        if self._bot is not None:
            self._bot.turn_ended(conversation_id)

    def job_told(self, told: Told) -> None:
        """A job has something to say."""
        if self._bot is not None:
            self._bot.job_told(told)

"""Compiling the wiki's links in the background, after a page was written (MEM-28)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from crewlab.engine.agents.roster import MASTER
from crewlab.engine.errors import CrewError
from crewlab.engine.models.base import ChatMessage, ChatRequest, NoRoute, RoutesFailed, StreamBroken
from crewlab.engine.tools.fence import fence
from crewlab.engine.tools.wiki.links import joined, nearest, read_answer
from crewlab.engine.tools.wiki.page import Page
from crewlab.engine.tools.wiki.vault import Vault
from crewlab.engine.turn.side import side_chain
from crewlab.engine.turn.turn import Parts

EVERY = timedelta(minutes=10)  # MEM-28
SHOWN_NEAR = 16  # pages shown to the model for each that has changed
MAX_CHANGED = 20  # pages asked about at once; the others follow the next time
CALL_SECONDS = 60.0
CLOSE_SECONDS = 2.0

log = logging.getLogger(__name__)


class WikiLinks:
    """Joins pages that belong together, at most once in ten minutes. ``close`` ends and awaits what runs."""

    def __init__(self, parts: Parts, vault: Vault) -> None:
        self._parts = parts
        self._vault = vault
        self._changed: dict[str, str] = {}
        self._not_before: datetime | None = None
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def changed(self, agent_id: str, slug: str) -> None:
        """A page was written by an agent."""
        self._changed[slug] = agent_id
        self.sweep()

    def sweep(self) -> None:
        """Compile when something waits and ten minutes have passed since the last time."""
        now = self._parts.clock.now()
        if self._closed or not self._changed or self._task is not None or (self._not_before and now < self._not_before):
            return
        self._not_before = now + EVERY
        self._task = asyncio.get_running_loop().create_task(self._compile(), name="crewlab wiki links")
        self._task.add_done_callback(self._ended)

    async def settle(self) -> None:
        """Wait until nothing is being compiled."""
        while self._task is not None:
            await asyncio.wait({self._task})
            await asyncio.sleep(0)

    async def close(self) -> None:
        """End what runs and wait for it."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task}, timeout=CLOSE_SECONDS)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._task = None
        if not task.cancelled() and task.exception() is not None:
            log.error("compiling the links of the wiki failed", exc_info=task.exception())

    async def _compile(self) -> None:
        taken = dict(list(self._changed.items())[:MAX_CHANGED])
        for slug in taken:
            del self._changed[slug]
        pages = await asyncio.to_thread(self._vault.pages)
        near = await asyncio.to_thread(lambda: {slug: nearest(pages, slug, SHOWN_NEAR) for slug in taken if slug in pages})
        if not near:
            return
        agent_id = next(reversed(taken.values()))
        wanted = await self._ask(agent_id, pages, near) if any(near.values()) else None
        links = wanted if wanted is not None else near
        await asyncio.to_thread(self._vault.relink, lambda now: joined(now, links))

    async def _ask(self, agent_id: str, pages: Mapping[str, Page], near: Mapping[str, list[str]]) -> dict[str, list[str]] | None:
        """The pages that a model joins, ``None`` when there is no fit model or no answer: then the nearest are taken."""
        parts = self._parts
        shown = dict.fromkeys([*near, *(other for others in near.values() for other in others)])
        listed = "\n".join(f"- {pages[slug].title}: {pages[slug].first_line}" for slug in shown)
        changed = "\n".join(f"- {pages[slug].title}" for slug in near)
        text = parts.texts("wiki.ask_changed") + "\n" + fence("NOTES", changed, parts.texts)
        text += "\n\n" + parts.texts("wiki.ask_pages") + "\n" + fence("NOTES", listed, parts.texts)
        known = {agent.id for agent in parts.roster.all()}
        try:
            chain = await side_chain(parts, parts.roster.get(agent_id if agent_id in known else MASTER), None)
            if not chain.chain.writes_aside:
                return None
            async with asyncio.timeout(CALL_SECONDS):
                answer = await chain.ask("wiki", ChatRequest(parts.texts("wiki.ask"), (ChatMessage("user", text),)))
        except (CrewError, NoRoute, RoutesFailed, StreamBroken, TimeoutError) as error:
            log.info("the links of the wiki are compiled without a model: %s", error)
            return None
        return read_answer(answer.text, {slug: pages[slug] for slug in shown}, near)

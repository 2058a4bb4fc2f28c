"""Everything a crew remembers, put together: what the tools, the prompt and the faces need of it."""

from __future__ import annotations

import asyncio
from datetime import tzinfo

from crewlab.engine.agents.desk import MemoryDesk
from crewlab.engine.agents.kits.service import Kits
from crewlab.engine.agents.memory import Memory
from crewlab.engine.agents.opening import OpeningBlock
from crewlab.engine.agents.proposals import Proposals
from crewlab.engine.agents.roster import Roster
from crewlab.engine.agents.sections import Sections
from crewlab.engine.agents.skills import Skills
from crewlab.engine.clock import Clock
from crewlab.engine.home.layout import Home
from crewlab.engine.home.textfiles import TextFiles
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from crewlab.engine.tools.remembered import Remembered
from crewlab.engine.tools.wiki.vault import Vault
from crewlab.engine.turn.search import Search
from crewlab.engine.turn.turn import Parts
from crewlab.engine.turn.wiki_links import WikiLinks


class Remembering:
    """Built once by ``crew.py``; ``begin`` is given the parts of the turns when they are there."""

    def __init__(self, home: Home, store: Store, roster: Roster, texts: Texts, clock: Clock, zone: tzinfo) -> None:
        files = TextFiles()
        self.memory = Memory(home, texts, clock, zone, files)
        self.proposals = Proposals(self.memory, store, roster, clock)
        self.kits = Kits(home, roster, files, texts)
        self.skills = Skills(home, files, texts)
        self.vault = Vault(home.root / "wiki", files)
        self.search = Search(store, roster)
        self.desk = MemoryDesk(self.memory, roster)
        self.sections = Sections(self.memory, self.skills)
        self.opening = OpeningBlock(self.memory, store)
        self.tools = Remembered(self.memory, self.proposals, self.skills, self.vault, self.search, self._page_written)
        self._links: WikiLinks | None = None
        self._warming: asyncio.Task[None] | None = None

    @property
    def links(self) -> WikiLinks:
        """What compiles the wiki; there after ``begin``."""
        assert self._links is not None
        return self._links

    def begin(self, parts: Parts) -> None:
        """The turns are built: pages can be compiled."""
        self._links = WikiLinks(parts, self.vault)

    def start(self) -> None:
        """Read the facts once and mend their index, aside, so that the first turn finds them read (MEM-15)."""
        self._warming = asyncio.get_running_loop().create_task(asyncio.to_thread(self.memory.facts.mend), name="crewlab memory")

    async def close(self) -> None:
        """End what runs in the background."""
        if self._warming is not None:
            await asyncio.wait({self._warming})
        if self._links is not None:
            await self._links.close()

    def _page_written(self, agent_id: str, slug: str) -> None:
        self.links.changed(agent_id, slug)

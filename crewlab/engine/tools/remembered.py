"""What the tools of memory stand on: notes, facts, proposals, skills, the wiki, and the search in what was said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from crewlab.engine.agents.memory import Memory
from crewlab.engine.agents.proposals import Proposals
from crewlab.engine.agents.skills import Skills
from crewlab.engine.store.search import Scope
from crewlab.engine.tools.wiki.vault import Vault


class SaidHit(Protocol):
    """A message that matches a search; in ``snippet`` the matched words stand between U+0002 and U+0003."""

    @property
    def agent_id(self) -> str: ...
    @property
    def agent_name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def snippet(self) -> str: ...
    @property
    def created_at(self) -> str: ...


class SaidSearch(Protocol):
    """The one search over what was said (MEM-26, FTS-6)."""

    async def messages(self, text: str, limit: int, scope: Scope = ...) -> Sequence[SaidHit]: ...


@dataclass(frozen=True, slots=True)
class Remembered:
    """Built once by ``crew.py``. ``page_written`` is told the agent and the slug of a wiki page that has changed (MEM-28)."""

    memory: Memory
    proposals: Proposals
    skills: Skills
    vault: Vault
    said: SaidSearch
    page_written: Callable[[str, str], None]

"""What tool families are built from, and what a family is (design: a family is a function that gives tools).

``crew.py`` builds the parts once and hands them to each family; a family never reaches above itself, so what it needs
from the turns, the models or the faces stands here as a protocol or a callable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import tzinfo
from typing import TYPE_CHECKING

from crewlab.engine.activity_events import ActivityFrame
from crewlab.engine.agents.kits.running import Hooks
from crewlab.engine.agents.roster import Agent, Roster
from crewlab.engine.clock import Clock
from crewlab.engine.event import Event
from crewlab.engine.home.keys import KeyRing
from crewlab.engine.home.layout import Home
from crewlab.engine.home.settings import Settings
from crewlab.engine.net.guard import Guard
from crewlab.engine.sandbox import Sandbox
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from crewlab.engine.tools.children import CanvasesWritten, ChildTurns, no_canvases
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.registry import Registry

if TYPE_CHECKING:
    from crewlab.engine.tools.remembered import Remembered  # stands on the wiki, a family itself

Person = Callable[[], bool]
"""Whether somebody can answer a question now (ASKU-5)."""


@dataclass(frozen=True, slots=True)
class FamilyParts:
    """What every family may use; built once by ``crew.py``.

    ``person`` says whether somebody can answer a question now; ``None`` in an engine without any face (ASKU-4).
    ``publish`` tells the viewers of a conversation, ``announce`` the watchers of the whole crew; both only after the store has it.
    ``children`` opens and waits for the turns of delegated jobs; ``canvases_written`` is given by the canvas family.
    """

    home: Home
    settings: Settings
    keys: KeyRing
    store: Store
    roster: Roster
    texts: Texts
    clock: Clock
    zone: tzinfo
    sandbox: Sandbox
    environ: Mapping[str, str]
    publish: Callable[[str, Event], None]
    announce: Callable[[ActivityFrame], None]
    skill_names: Callable[[Agent], tuple[str, ...]]
    """The names of the skills an agent has."""
    sees: Callable[[], bool]
    """Whether a vision route can be asked now (VIS-3)."""
    net: Guard
    """The one way to open connections for an agent."""
    remembered: Remembered
    """Notes, facts, skills, the wiki and what was said."""
    children: ChildTurns | None = None
    canvases_written: CanvasesWritten = no_canvases
    person: Person | None = None
    hooks: Hooks | None = None
    """Asked about every call that is made for an agent, through ``hooked.run_hooked`` (KIT-18)."""


Family = Callable[[FamilyParts, Agent], list[Tool]]
"""The tools of one family that this agent can get by its mode, keys and routes; its allow-list is applied afterwards (TOOL-21)."""

LateFamily = Callable[[FamilyParts, Agent, Registry], list[Tool]]
"""A family whose tools depend on those that the agent holds already: ``tool_script`` (SCR-74, SCR-75)."""

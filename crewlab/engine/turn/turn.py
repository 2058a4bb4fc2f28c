"""What one turn holds while it runs, and the parts every turn shares."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from pathlib import Path
from typing import Literal, Protocol

from crewlab.engine.agents.kits.running import Hooks
from crewlab.engine.agents.kits.service import Kits
from crewlab.engine.agents.opening import Told
from crewlab.engine.agents.roster import Agent, Roster
from crewlab.engine.clock import Clock, iso
from crewlab.engine.event import Event
from crewlab.engine.gate.patterns import Patterns
from crewlab.engine.home.layout import Home
from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import ToolSpec
from crewlab.engine.models.chain import ProviderChain
from crewlab.engine.records import Json, Run
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import ToolContext
from crewlab.engine.tools.registry import Registry
from crewlab.engine.turn.guard import LoopGuard
from crewlab.engine.turn.history import History
from crewlab.engine.turn.side import Side
from crewlab.engine.turn.sight import Seeing
from crewlab.engine.turn.trim import OldCall
from crewlab.engine.turn.watch import ActivityHub, TurnWatch

StopCause = Literal["person", "shutdown"]


class ChainSource(Protocol):
    """Gives the provider chain of an agent; raises ``NoRoute``."""

    async def chain(self, agent_routes: tuple[Route, ...] | None) -> ProviderChain: ...


class Toolbox(Protocol):
    """Gives the tools an agent holds now, and the names its list can decide."""

    def of(self, agent: Agent) -> Registry: ...
    def listable(self, agent: Agent) -> tuple[str, ...]: ...


Section = Callable[[Agent, Registry, StoredConversation | None], str | None]
"""A part of the system prompt before the date line; the same text as long as the files behind it stay (TURN-70).

It is given the conversation of the turn, or ``None`` where the prompt is shown without one (TURN-79).
"""
OpeningPart = Callable[[StoredConversation, Agent], str | Told | None]
"""A text that is stored with the message that opens a turn and read just before it; never changed afterwards (TURN-76, CNV-98).

A part that must know later what it has said gives ``Told``, whose ``context`` is stored beside the text.
"""
Ending = Callable[[Run, Registry], str | None]
"""A part of the system prompt after the date line, for turns of some channels (TURN-73)."""
Doomed = Callable[[str], Callable[[], None]]
"""Asked before a conversation is deleted; what it gives is called when it is gone."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What every turn shares; built once by ``crew.py``. ``sections``, ``openings`` and ``endings`` are asked in their order.

    ``old_call`` gives a call of an earlier turn as the prompt carries it (TURN-32); ``streamed`` names the tools whose arguments
    are shown while the model writes them (CNV-108).
    """

    home: Home
    store: Store
    roster: Roster
    models: ChainSource
    toolbox: Toolbox
    texts: Texts
    clock: Clock
    watch: TurnWatch
    hub: ActivityHub
    zone: tzinfo
    closed: tuple[Path, ...]
    sections: tuple[Section, ...] = ()
    who_and_when: Callable[[str | None], str] = lambda _zone: ""
    openings: tuple[OpeningPart, ...] = ()
    endings: tuple[Ending, ...] = ()
    doomed: tuple[Doomed, ...] = ()
    old_call: OldCall | None = None
    streamed: frozenset[str] = frozenset()
    sees: Callable[[], bool] = lambda: False
    vision: Callable[[], Awaitable[ProviderChain]] | None = None
    hears: Callable[[], bool] = lambda: False
    hearing: Callable[[], Awaitable[ProviderChain]] | None = None
    kits: Kits | None = None
    hooks: Hooks | None = None

    def opening(self, conversation: StoredConversation, agent: Agent, timezone: str | None = None) -> Json | None:
        """The ``context`` of a message that opens a turn; ``None`` when there is nothing to tell before it (TURN-80).

        Who and when is the first part, in the zone that the turn was opened in (PTL-151).
        """
        said = [told for part in self.openings if (told := part(conversation, agent))]
        context: Json = {}
        for told in said:
            context |= told.context if isinstance(told, Told) else {}
        texts = [self.who_and_when(timezone), *(told.text if isinstance(told, Told) else told for told in said)]
        if parts := [text for text in texts if text]:
            context["parts"] = parts
        return context or None

    def now(self) -> str:
        """The time now as it is stored."""
        return iso(self.clock.now())


@dataclass(slots=True)
class Turn:
    """One running turn. The agent, its tools and its prompt stay as they were at the start (AGT-25)."""

    run: Run
    conversation_id: str
    agent: Agent
    registry: Registry
    specs: tuple[ToolSpec, ...]
    system: str
    short_system: str
    messages: History
    own_paths: tuple[Path, ...]
    guard: LoopGuard = field(default_factory=LoopGuard)
    text: list[str] = field(default_factory=list)
    cut: Literal["restart", "stop"] | None = None
    stop: StopCause | None = None
    nested: int = 0
    """How many calls scripts and kernel cells have made in this turn (SCR-210)."""
    nested_spent: bool = False
    """One of them found no room any more: the turn ends after the call it is in (SCR-213)."""
    end: Event | None = None
    tool_tokens: int | None = None
    """What the declared tools take of the window, once somebody has counted (CMP-2)."""
    cancel: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    def context(self, parts: Parts, call_id: str) -> ToolContext:
        """What a tool is given for one call (TOOL-9)."""
        context = context_of(parts, self.agent, self.registry, self.run, self.conversation_id)
        return replace(context, call_id=call_id, open_paths=self.own_paths, cancel=self.cancel)

    def patterns(self) -> Patterns:
        """The agent's three lists (GATE-22)."""
        return patterns_of(self.agent)

    def emit(self, parts: Parts, event: Event) -> None:
        """Tell the viewers of the conversation and the watchers of the crew."""
        parts.watch.publish(self.conversation_id, event)
        parts.hub.event(self.run, self.conversation_id, self.agent.id, event)

    def save(self, parts: Parts) -> None:
        """Write and publish the run at a step boundary (TURN-87)."""
        parts.store.runs.save(self.run)
        parts.hub.run(self.run)


def context_of(parts: Parts, agent: Agent, registry: Registry, run: Run, conversation_id: str | None) -> ToolContext:
    """What a tool is given in a run of the agent, in a conversation or in none (TOOL-9)."""
    return ToolContext(
        agent_id=agent.id,
        workspace=agent.workspace,
        texts=parts.texts,
        conversation_id=conversation_id,
        run_id=run.id,
        source=run.source,
        write_paths=agent.write_paths,
        closed_paths=parts.closed,
        output_chars=agent.tool_output_chars,
        rewrite_max_chars=agent.rewrite_max_chars if registry.get("workspace_edit") else 0,  # PTL-32
        side=Side(parts, agent, conversation_id),
        sight=Seeing(parts, agent, conversation_id) if parts.sees() else None,
    )


def patterns_of(agent: Agent) -> Patterns:
    """The agent's three lists (GATE-22)."""
    return Patterns(ask=agent.shell_ask_patterns, allow=agent.shell_allow_patterns, deny=agent.shell_deny_patterns)

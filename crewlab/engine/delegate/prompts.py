"""The part of the system prompt about delegation: the crew list, or "Assigned work" (TURN-71, DLG-7, DLG-15)."""

from __future__ import annotations

from collections.abc import Callable

from crewlab.engine.agents.delegation import giving, taking
from crewlab.engine.agents.roster import Agent, Roster
from crewlab.engine.store.children import is_child
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.texts import Texts
from crewlab.engine.tools.registry import Registry

DESCRIPTION_CHARS = 300

Section = Callable[[Agent, Registry, StoredConversation | None], str | None]


def section(roster: Roster, texts: Texts) -> Section:
    """The crew list of an agent that can delegate, or the section of a delegated turn; the same place of TURN-71."""

    def place(agent: Agent, registry: Registry, conversation: StoredConversation | None) -> str | None:
        if _assigned(conversation):
            return "\n".join([texts("delegate.assigned"), *taking(texts)])
        return crew_list(agent, roster, texts) if registry.get("delegate") else None

    return place


def _assigned(conversation: StoredConversation | None) -> bool:
    return conversation is not None and is_child(conversation.source)


def crew_list(agent: Agent, roster: Roster, texts: Texts) -> str:
    """Ids, names and descriptions of the agents it can reach, never their workspaces (DLG-7, DLG-16)."""
    there = {member.id: member for member in roster.all()}
    reached = [there[id] for id in agent.delegates if id in there]
    lines = [f"- {member.id}: {_described(member)}" for member in reached]
    lines.append(texts("delegate.itself", id=agent.id))
    return "\n".join([texts("delegate.crew"), *lines, *giving(texts)])


def _described(agent: Agent) -> str:
    words = " ".join(agent.description.split())[:DESCRIPTION_CHARS]
    return f"{agent.name}. {words}" if words else agent.name

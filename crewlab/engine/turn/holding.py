"""Which of an agent's tools a turn holds: the tier cap, and no delegation below delegation (TIER-16, DLG-4). Pure."""

from __future__ import annotations

from crewlab.engine.agents.agent import Agent
from crewlab.engine.records import Tier
from crewlab.engine.store.children import is_child
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.registry import Registry

TIERS: tuple[Tier, ...] = ("read", "write", "exec")
NOT_BELOW = frozenset({"delegate"})  # DLG-4: depth stops at one


def cap_of(agent: Agent, conversation: StoredConversation | None) -> Tier:
    """The lowest of the agent's cap, ``read`` in plan mode, and the cap of the conversation."""
    caps: list[Tier] = [agent.switches.tier_cap]
    if conversation is not None:
        caps += [conversation.tier_cap, "read" if conversation.plan else "exec"]
    return min(caps, key=TIERS.index)


def held(registry: Registry, agent: Agent, conversation: StoredConversation | None) -> Registry:
    """The tools of a turn in this conversation, out of those the agent holds."""
    cap = TIERS.index(cap_of(agent, conversation))
    below = conversation is not None and is_child(conversation.source)
    tools = [_within(tool, cap) for tool in registry.all if not (below and tool.name in NOT_BELOW)]
    kept = [tool for tool in tools if tool is not None]
    return registry if kept == list(registry.all) else Registry(kept)


def _within(tool: Tool, cap: int) -> Tool | None:
    """The tool, or what a turn with this cap holds in its place."""
    if TIERS.index(tool.tier) <= cap:
        return tool
    return tool.capped

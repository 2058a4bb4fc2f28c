"""Which peers there are, by name; a peer's module is imported only where it is measured."""

from __future__ import annotations

import importlib

from peers.scripted import Peer

PEERS = {
    "floor": "floor:Floor",
    "crewlab": "crew:Crewlab",
    "langgraph-exit": "langgraph_peer:LangGraphExit",
    "langgraph-sync": "langgraph_peer:LangGraphSync",
    "openai-agents": "openai_agents_peer:OpenAIAgents",
    "pydantic-ai": "pydantic_ai_peer:PydanticAI",
}


def peer_class(name: str) -> type[Peer]:
    module, _, attribute = PEERS[name].partition(":")
    found: type[Peer] = getattr(importlib.import_module(f"peers.{module}"), attribute)
    return found

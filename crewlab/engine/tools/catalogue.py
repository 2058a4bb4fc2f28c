"""Which built-in tools there are and which of them an agent holds.

The order is part of the contract: the provider's prompt cache holds as long as it does not change (TOOL-25).
"""

from __future__ import annotations

from typing import Protocol

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.registry import Registry
from crewlab.engine.tools.workspace import tools as workspace_tools


class Holder(Protocol):
    """What the catalogue asks of an agent: its allow-list, ``None`` without one."""

    @property
    def tools(self) -> tuple[str, ...] | None: ...


def standard_tools(texts: Texts) -> list[Tool]:
    """The built-in tools of every agent, in the order of the catalogue (B.1)."""
    return [*workspace_tools(texts)]


def tools_for(agent: Holder, texts: Texts) -> Registry:
    """The tools of ``agent``: its list limits and brings nothing (TOOL-21); without a list, the standard set (TOOL-24)."""
    allowed = agent.tools
    return Registry([tool for tool in standard_tools(texts) if allowed is None or tool.name in allowed])

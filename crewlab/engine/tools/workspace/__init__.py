"""The file tools: ``workspace_list``, ``workspace_read``, ``workspace_write`` (WS).

``paths`` decides where a path really is and whether it may be used; ``opening`` opens exactly that place
without following a link; ``listing``, ``reading`` and ``writing`` hold one tool each. Stands on the contract.
"""

from crewlab.engine.agents.roster import Agent
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.family import FamilyParts
from crewlab.engine.tools.workspace.listing import list_tool
from crewlab.engine.tools.workspace.reading import read_tool
from crewlab.engine.tools.workspace.write_tool import write_tool

__all__ = ["family", "tools"]


def tools(texts: Texts) -> list[Tool]:
    """The family in the order of the catalogue (TOOL-25)."""
    return [list_tool(texts), read_tool(texts), write_tool(texts)]


def family(parts: FamilyParts, _agent: Agent) -> list[Tool]:
    """The file tools of one agent."""
    return tools(parts.texts)

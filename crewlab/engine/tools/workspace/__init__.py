"""The file tools (WS): ``workspace_list``, ``_read``, ``_write``, in work mode ``_edit``, ``_grep`` and ``_glob``, and ``_delete``.

``paths`` decides where a path really is and whether it may be used; ``opening`` opens exactly that place
without following a link; ``walking`` goes through the files below one. Each tool has a module. Stands on the contract.
"""

from crewlab.engine.agents.roster import Agent
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.family import FamilyParts
from crewlab.engine.tools.workspace.delete_tool import delete_tool
from crewlab.engine.tools.workspace.edit_tool import edit_tool
from crewlab.engine.tools.workspace.glob_tool import glob_tool
from crewlab.engine.tools.workspace.grep_tool import grep_tool
from crewlab.engine.tools.workspace.listing import list_tool
from crewlab.engine.tools.workspace.reading import read_tool
from crewlab.engine.tools.workspace.write_tool import write_tool

__all__ = ["all_tools", "family", "tools"]

GROUP = "workspace"  # PTL-14, PTL-16


def tools(texts: Texts) -> list[Tool]:
    """Those every agent can get, in the order of the catalogue (TOOL-25)."""
    return [list_tool(texts), read_tool(texts), write_tool(texts)]


def all_tools(texts: Texts) -> list[Tool]:
    """The whole family in the order of the catalogue."""
    return [*tools(texts), edit_tool(texts), grep_tool(texts), glob_tool(texts), delete_tool(texts)]


def family(parts: FamilyParts, agent: Agent) -> list[Tool]:
    """The file tools one agent can get: more in work mode, under ``portal``, and by name or group (TOOL-20, PTL-16)."""
    extra = frozenset(agent.extra_tools)
    work, portal, group = agent.mode == "work", agent.toolset == "portal", GROUP in extra
    brought = {
        "workspace_edit": work or portal or group,
        "workspace_grep": work or portal or group,
        "workspace_glob": work,
        "workspace_delete": portal or group or "workspace_delete" in (agent.tools or ()),
    }
    named = extra - {"workspace_glob"}  # PTL-14: `files` is no group that `extra_tools` takes
    return [tool for tool in all_tools(parts.texts) if brought.get(tool.name, True) or tool.name in named]

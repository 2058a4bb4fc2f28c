"""Every tool of the crew and who holds it (TOOL-39 to TOOL-46)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crewlab.engine.agents.tool_names import ALWAYS_ON, bringing_key, group_of
from crewlab.engine.records import Json, Record, Tier
from crewlab.engine.tools.catalogue import place_of

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew
    from crewlab.engine.tools.contract import Tool

OPTIONAL = frozenset({"image_read"})  # TOOL-43
MARKS = {  # TOOL-45: by group
    "browser": "with_browser",
    "desktop": "with_desktop",
    "code_tools": "with_code",
    "vibe": "with_vibe",
}
OWN_MARKS = {"tool_search": "with_mcp", "tool_script": "with_reads"}  # TOOL-45


class ToolRow(Record):
    """A tool and the agents that hold it (TOOL-40).

    ``comes_with`` is the key that brings it, ``optional`` one that is there only with its key or route; the marks ``with_…`` say what a
    tool that follows no allow-list comes with (TOOL-45); ``server`` and ``exposure`` are of MCP tools (TOOL-44).
    """

    name: str
    description: str
    parameters: Json
    requires_approval: bool
    replay_safe: bool
    parallel: bool
    tier: Tier
    group: str
    always_on: bool
    comes_with: str | None
    agents: list[str]
    optional: bool
    with_mcp: bool = False
    with_reads: bool = False
    with_browser: bool = False
    with_desktop: bool = False
    with_code: bool = False
    with_vibe: bool = False
    server: str | None = None
    exposure: str | None = None


class ToolList(Record):
    """Every tool that some agent holds, in the order of the catalogue (TOOL-41)."""

    tools: list[ToolRow]


async def list_tools(crew: Crew) -> ToolList:
    """The union over all agents, in the order of the catalogue; a row speaks with the words of the first agent that holds it (TOOL-46)."""
    tools: dict[str, Tool] = {}
    holders: dict[str, list[str]] = {}
    for agent in crew.roster.all():
        for tool in crew.toolbox.of(agent).all:
            tools.setdefault(tool.name, tool)
            holders.setdefault(tool.name, []).append(agent.id)
    return ToolList(tools=[_row(tools[name], holders[name]) for name in sorted(tools, key=place_of)])


def _row(tool: Tool, agents: list[str]) -> ToolRow:
    group = group_of(tool.name)
    mark = OWN_MARKS.get(tool.name) or MARKS.get(group)
    server = group.partition(":")[2] if group.startswith("mcp:") else None
    return ToolRow(
        name=tool.name,
        description=tool.description,
        parameters=tool.parameters,
        requires_approval=tool.requires_approval,
        replay_safe=tool.replay_safe,
        parallel=tool.parallel,
        tier=tool.tier,
        group=group,
        always_on=tool.name in ALWAYS_ON,
        comes_with=bringing_key(tool.name),
        agents=agents,
        optional=tool.name in OPTIONAL,
        server=server,
        **({mark: True} if mark else {}),
    )

"""Tools for the tests of scripts: tools of the crew and of MCP servers, of any form."""

from __future__ import annotations

from typing import Any

from crewlab.engine.script.callables import Callables
from crewlab.engine.tools.contract import Arguments, Exposure, Foreign, ScriptUse, Tool, ToolContext
from crewlab.engine.tools.registry import Registry


async def _run(_arguments: Arguments, _context: ToolContext) -> str:
    return "ran"


def own(name: str, *needed: str, description: str = "", **more: Any) -> Tool:
    """A built-in tool of which every parameter is a text; those that end with ``?`` are optional."""
    names = [each.rstrip("?") for each in needed]
    schema = {
        "type": "object",
        "properties": {each: {"type": "string"} for each in names},
        "required": [each for each in needed if not each.endswith("?")],
    }
    return Tool(name=name, description=description, parameters=schema, run=_run, **{"script": "any", **more})


def served(
    tool: str, schema: Any = None, *, server: str = "notion", words: str = "", exposure: Exposure = "deferred", script: ScriptUse = "any"
) -> Tool:
    """A tool of an MCP server; what is declared of it is folded away, what the server wrote is ``schema``."""
    name = f"mcp__{server}__{tool.replace('-', '_')}"
    foreign = Foreign(server, tool, words, {"type": "object"} if schema is None else schema)
    declared = {"type": "object", "properties": {"folded": {"$ref": "#/$defs/shared1"}}}
    return Tool(
        name=name, description=f"[MCP {server}] {words}", parameters=declared, run=_run, exposure=exposure, foreign=foreign, script=script
    )


def callables(*tools: Tool, gated: bool = False, delegates: bool = False) -> Callables:
    """What a script may call of these."""
    return Callables(Registry(tools), gated, delegates)

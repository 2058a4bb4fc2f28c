"""The tool ``tool_script`` (SCR-65 to SCR-91): who holds it, what its flags are, and what it answers."""

from __future__ import annotations

import sys
from dataclasses import replace

from crewlab.engine.agents.roster import Agent
from crewlab.engine.script.book import book_of
from crewlab.engine.script.callables import DELEGATE, Callables
from crewlab.engine.script.checking import problem_of
from crewlab.engine.script.describe import description
from crewlab.engine.script.keeping import namespace_of
from crewlab.engine.script.outcome import FIRST_LINE
from crewlab.engine.script.process import MAX_SOURCE
from crewlab.engine.script.running import Answered, run_source
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.family import FamilyParts
from crewlab.engine.tools.nested import Nest
from crewlab.engine.tools.registry import Registry

NAME = "tool_script"
SYSTEMS = ("linux", "darwin")  # SCR-14


def family(parts: FamilyParts, agent: Agent, held: Registry) -> list[Tool]:
    """``tool_script`` for an agent that holds at least one tool its scripts may call (SCR-14, SCR-74 to SCR-76)."""
    mode = agent.switches.script_calls
    if mode == "none" or sys.platform not in SYSTEMS:
        return []
    gated = mode == "gated"
    tool = _tool(parts, agent, held, gated=gated)
    if tool is None or not gated:
        return [] if tool is None else [tool]
    return [_with_cap(tool, _tool(parts, agent, held, gated=False))]


def _tool(parts: FamilyParts, agent: Agent, held: Registry, *, gated: bool) -> Tool | None:
    callables = Callables(held, gated, delegates=gated and held.get(DELEGATE) is not None)
    if not any(name != DELEGATE for name in callables.names):
        return None
    return script_tool(parts, agent, callables)


def _with_cap(tool: Tool, capped: Tool | None) -> Tool:
    """The tool of a gated agent, and the one that its capped turns hold in its place (TIER-11)."""
    return replace(tool, capped=capped)


class Scripts:
    """Runs scripts: one way for turns and for jobs (SCR-223)."""

    def __init__(self, parts: FamilyParts) -> None:
        self._parts = parts

    async def run(self, agent: Agent, script: str, nest: Nest, context: ToolContext) -> Answered:
        """Run it with the book of its conversation or job."""
        parts = self._parts
        namespace = namespace_of(context.source, agent.id, context.conversation_id)
        book = book_of(parts.store, agent, namespace, parts.roster.generations, parts.texts, parts.clock)
        required = parts.settings.script_sandbox == "required"
        return await run_source(script, nest, book, parts.texts, parts.clock.monotonic, required=required)

    async def problem(self, script: str) -> str | None:
        """Why a script would not begin (SCR-224)."""
        return await problem_of(script, self._parts.texts)


def script_tool(parts: FamilyParts, agent: Agent, callables: Callables) -> Tool:
    """The tool of one agent. It never asks by itself; what the gate judges are the calls inside."""
    texts, scripts = parts.texts, Scripts(parts)

    async def run(arguments: Arguments, context: ToolContext) -> str:
        if context.nest is None:
            raise RuntimeError("tool_script runs in a turn")
        answered = await scripts.run(agent, arguments["script"], context.nest, context)
        if not answered.ok:
            raise ToolError(answered.text)
        return answered.text

    script = {"type": "string", "minLength": 1, "maxLength": MAX_SOURCE, "description": texts("script_tool.script")}
    return Tool(
        name=NAME,
        description=description(callables, texts, asks=agent.switches.script_llm),
        parameters={"type": "object", "properties": {"script": script}, "required": ["script"], "additionalProperties": False},
        run=run,
        tier="exec" if callables.gated else "read",
        replay_safe=not callables.gated,  # SCR-136, SCR-217
        nests=True,
        marking="bare",
        misfit=lambda message: f"{FIRST_LINE}\n{message}",  # SCR-245
    )

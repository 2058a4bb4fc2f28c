"""A call with the hooks of its agent around it: after the gate, before the ceiling (TOOL-14, KIT-17, KIT-18)."""

from __future__ import annotations

from dataclasses import replace

from crewlab.engine.agents.agent import Agent
from crewlab.engine.agents.kits.hooks import Said
from crewlab.engine.agents.kits.running import Call, Hooks
from crewlab.engine.texts import Texts
from crewlab.engine.tools.call import Ran, run_tool
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext

NOTHING = Said()


async def run_hooked(hooks: Hooks | None, agent: Agent, tool: Tool, arguments: Arguments, context: ToolContext) -> Ran:
    """Run a judged call between its hooks; one that a hook blocks is an error result with the hook's words."""
    ran, said = await run_after_hooks(hooks, agent, tool, arguments, context)
    return ran if said.blocked is not None else await told(hooks, agent, tool, arguments, context, ran, said)


async def run_after_hooks(hooks: Hooks | None, agent: Agent, tool: Tool, arguments: Arguments, context: ToolContext) -> tuple[Ran, Said]:
    """Ask the hooks before the call, and run it unless one blocks; with what they said."""
    said = await hooks.before(_call(agent, tool, arguments, context)) if hooks is not None else NOTHING
    if said.blocked is not None:
        return Ran(context.texts("kits.blocked", reason=said.blocked), False), said
    return await run_tool(tool, arguments, context), said


async def told(
    hooks: Hooks | None, agent: Agent, tool: Tool, arguments: Arguments, context: ToolContext, ran: Ran, before: Said = NOTHING
) -> Ran:
    """The result of a call that has run, with what the hooks before and after it add."""
    if hooks is None or before.blocked is not None:
        return ran
    after = await hooks.after(_call(agent, tool, arguments, context), ran.text)
    lines = _lines(before, after, context.texts)
    return replace(ran, text="\n\n".join([ran.text, *lines]), hooked=True) if lines else ran


def _call(agent: Agent, tool: Tool, arguments: Arguments, context: ToolContext) -> Call:
    return Call(agent, tool.name, arguments, context.conversation_id)


def _lines(before: Said, after: Said, texts: Texts) -> list[str]:
    lines = [texts("kits.added", text=text) for text in (*before.added, *after.added)]
    return lines if after.blocked is None else [*lines, texts("kits.objected", reason=after.blocked)]

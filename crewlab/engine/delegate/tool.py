"""The tool ``delegate`` (DLG-8, DLG-9) and who gets it (DLG-1)."""

from __future__ import annotations

from crewlab.engine.agents.delegation import giving
from crewlab.engine.agents.roster import Agent
from crewlab.engine.delegate.result import card
from crewlab.engine.delegate.service import Answer, Delegation, Refused
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Handover, Tool, ToolContext, ToolError
from crewlab.engine.tools.family import FamilyParts

TASK_CHARS = 20_000  # DLG-8


def family(parts: FamilyParts, agent: Agent) -> list[Tool]:
    """``delegate`` for the master, agents in ``mode: work`` and those whose profile names ``delegates`` (DLG-1)."""
    if not agent.may_delegate or parts.children is None:
        return []
    return [delegate_tool(parts.texts, Delegation(parts, parts.children, agent.id), agent.id)]


def delegate_tool(texts: Texts, delegation: Delegation, agent_id: str) -> Tool:
    """The tool of one agent. It asks nobody: what the child does is judged in the child's conversation."""

    async def run(arguments: Arguments, context: ToolContext) -> str:
        to = arguments.get("agent", agent_id)
        try:
            answer = await delegation.run(context, arguments["task"], to, read_only=arguments.get("read_only", False))
        except Refused as refusal:
            raise ToolError(str(refusal)) from refusal
        context.charges.append(answer.charge)  # DLG-66: counted with the result, and only then
        if answer.failed:
            raise ToolError(answer.text)
        if arguments.get("relay", True) and _may_be_handed_on(answer):
            context.handovers.append(Handover(answer.words, to))
        return answer.text

    words = {name: texts(f"delegate.{name}") for name in ("task", "agent", "relay", "read_only")}
    return Tool(
        name="delegate",
        description="\n".join([texts("delegate.description"), *giving(texts)]),
        parameters={
            "type": "object",
            "properties": {
                "task": {"type": "string", "minLength": 1, "maxLength": TASK_CHARS, "description": words["task"]},
                "agent": {"type": "string", "description": words["agent"]},
                "relay": {"type": "boolean", "description": words["relay"]},
                "read_only": {"type": "boolean", "description": words["read_only"]},
            },
            "required": ["task"],
            "additionalProperties": False,
        },
        run=run,
        tier="read",
        parallel=True,
        replay_safe=True,
        script="gated",
        marking="fenced",
        keeps_ceiling=True,
        card=card,
    )


def _may_be_handed_on(answer: Answer) -> bool:
    """The job's side of the conditions of DLG-75: done, something was said, and it was said to its end."""
    return answer.ended.outcome == "done" and answer.whole and bool(answer.words.strip())

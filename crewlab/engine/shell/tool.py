"""``shell_run`` for one agent (SHL-1 to SHL-5, SHL-28)."""

from __future__ import annotations

from collections.abc import Iterable

from crewlab.engine.agents.roster import Agent
from crewlab.engine.home.patterns import DEFAULT_ASK_PATTERNS, first_match
from crewlab.engine.shell.command import DEFAULT_SECONDS, MAX_SECONDS, Shell, policy_of
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext
from crewlab.engine.tools.family import FamilyParts

NAME = "shell_run"


def ask_reason(arguments: Arguments, patterns: Iterable[str] = DEFAULT_ASK_PATTERNS) -> str | None:
    """The ask pattern that a call meets, or ``None``: for counting which real commands would ask (SHL-30, SHL-38)."""
    return first_match(arguments["command"], patterns)


def family(parts: FamilyParts, agent: Agent) -> list[Tool]:
    """The tool, in every mode; under ``toolset: portal`` only for an agent that names it (SHL-1, PTL-12)."""
    named = NAME in (agent.tools or ()) or NAME in agent.extra_tools
    return [] if agent.toolset == "portal" and not named else [shell_run(parts, agent)]


def shell_run(parts: FamilyParts, agent: Agent) -> Tool:
    """The tool as the agent's settings are now (SHL-37)."""
    texts = parts.texts
    shell = Shell(parts.sandbox, parts.environ, texts)
    policy = policy_of(agent)

    def refuse(arguments: Arguments, context: ToolContext) -> str | None:
        return shell.refusal(arguments["command"], context.workspace, policy)

    async def run(arguments: Arguments, context: ToolContext) -> str:
        seconds = arguments.get("timeout_s", DEFAULT_SECONDS)
        return await shell.run(arguments["command"], context.workspace, seconds, policy, context.conversation_id)

    def summary(arguments: Arguments, context: ToolContext) -> str:
        """What a person should know to decide: where, in which sandbox, how long (GATE-30)."""
        seconds = min(arguments.get("timeout_s", DEFAULT_SECONDS), MAX_SECONDS)
        places = ", ".join([*(policy.write_paths if policy is not None else ()), "/tmp"])
        form = "open" if policy is None else policy.form
        return texts(f"shell.summary_{form}", workspace=context.workspace, places=places, seconds=seconds)

    return Tool(
        name=NAME,
        description=texts("shell.shell_run.description") + (texts(f"shell.shell_run.{policy.form}") if policy is not None else ""),
        parameters={
            "type": "object",
            "properties": {
                "command": {"type": "string", "minLength": 1, "description": texts("shell.shell_run.command")},
                "timeout_s": {
                    "type": "integer",
                    "minimum": 1,
                    "description": texts("shell.shell_run.timeout_s", default=DEFAULT_SECONDS, most=MAX_SECONDS),
                },
            },
            "required": ["command"],
            "additionalProperties": False,
        },
        run=run,
        tier="exec",
        requires_approval=True,
        script="gated",
        allow_listed=True,
        ask_text=lambda arguments: str(arguments["command"]),
        ask_reason=lambda arguments, _context: ask_reason(arguments, agent.shell_ask_patterns),
        refuse_reason=refuse,
        summary=summary,
        binding=lambda _arguments, context: f"{context.workspace} {policy}",
        marking="bare",
    )

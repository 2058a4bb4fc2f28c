"""Running one command line for an agent: in its sandbox, or without one (SHL-4, SHL-13, SHL-44, SHL-82 to SHL-86)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from crewlab.engine.agents.roster import Agent
from crewlab.engine.sandbox import Policy, Sandbox, SandboxRefused, command_environment, form_of
from crewlab.engine.sandbox.process import run_tree
from crewlab.engine.shell.answer import answer
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import ToolError

DEFAULT_SECONDS = 120  # SHL-2, SHL-85
MAX_SECONDS = 900  # SHL-5, SHL-85
SHELLS = ("/bin/bash", "/bin/sh")  # SHL-13


def policy_of(agent: Agent) -> Policy | None:
    """The sandbox of the agent's commands; ``None`` without one (SHL-43, SHL-54)."""
    switches = agent.switches
    form = form_of(switches.shell_network, switches.shell_write_paths)
    return None if form is None else Policy(form, agent.workspace, agent.id, switches.shell_write_paths or ())


class Shell:
    """Runs command lines; one per crew."""

    def __init__(self, sandbox: Sandbox, environ: Mapping[str, str], texts: Texts) -> None:
        self.sandbox = sandbox
        self._environ = environ
        self._texts = texts

    def refusal(self, command: str, workspace: Path, policy: Policy | None) -> str | None:
        """Why this line is certain not to run (SHL-28, step 1)."""
        if not command.strip():
            return self._texts("shell.empty")
        if not _usable(command):
            return self._texts("shell.unusable")
        if not workspace.is_dir():
            return self._texts("shell.no_workspace", workspace=workspace)
        return None if policy is None else self.sandbox.check(policy)

    async def run(
        self,
        command: str,
        workspace: Path,
        seconds: int = DEFAULT_SECONDS,
        policy: Policy | None = None,
        conversation_id: str | None = None,
    ) -> str:
        """What the line printed. Raises ``ToolError`` when it failed or did not run. Cancelling ends its whole process group."""
        refusal = self.refusal(command, workspace, policy)
        if refusal is not None:
            raise ToolError(refusal)
        seconds = min(seconds, MAX_SECONDS)
        line = (_shell(), "-c", command)
        try:
            if policy is None:
                environment = command_environment(self._environ)
                finished = await run_tree(line, cwd=workspace, environment=environment, seconds=seconds, guarded=True)
            else:
                finished = await self.sandbox.run(policy, line, seconds, conversation_id=conversation_id)
        except SandboxRefused as refused:
            raise ToolError(refused.message) from refused
        except OSError as error:
            raise ToolError(self._texts("shell.not_started", error=error.strerror)) from error
        return answer(finished, seconds, self._texts, sandboxed=policy is not None)

    async def job(self, agent: Agent, command: str, seconds: int | None = None) -> str:
        """A line that the owner wrote into a schedule: no gate, no pattern list, never sandboxed (SHL-82 to SHL-86, GATE-66)."""
        return await self.run(command, agent.workspace, seconds or DEFAULT_SECONDS)


def _shell() -> str:
    return next((path for path in SHELLS if os.access(path, os.X_OK)), SHELLS[-1])


def _usable(command: str) -> bool:
    """Whether the system can be given it: no NUL, no half of a character."""
    try:
        command.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in command

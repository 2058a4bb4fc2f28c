"""Asking the hooks of an agent before and after a call (KIT-14 to KIT-19), in the sandbox of its commands where it has one."""

from __future__ import annotations

import base64
import json
import logging
import os
import sys
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from crewlab.engine.agents.agent import Agent
from crewlab.engine.agents.kits.aliases import inputs
from crewlab.engine.agents.kits.hooks import Event, Hook, Said, read_answer
from crewlab.engine.sandbox import Policy, Sandbox, SandboxRefused, command_environment
from crewlab.engine.sandbox.process import Finished, run_tree
from crewlab.engine.texts import Texts

KEPT_BYTES = 256 * 1024  # of each output of a hook
RESPONSE_CHARS = 200_000  # of a result that a hook is told
PIECE_BYTES = 100_000  # below what the system takes as one argument
MOST_BYTES = 1_000_000  # below what it takes as all of them
CHILD = Path(__file__).with_name("hook_child.py")

log = logging.getLogger(__name__)


class HookSource(Protocol):
    """The hooks of an agent as their files are now."""

    def hooks(self, agent: Agent) -> tuple[Hook, ...]: ...


@dataclass(frozen=True, slots=True)
class Call:
    """A call that hooks are asked about. ``conversation_id`` is ``None`` in a job's script."""

    agent: Agent
    tool: str
    arguments: Mapping[str, Any]
    conversation_id: str | None


class Hooks:
    """Asks hooks one after another; one per crew. A hook that fails lets the call go and stands in the log (KIT-16, KIT-19).

    ``policy_of`` gives the sandbox of an agent's commands, ``None`` where it has none.
    """

    def __init__(
        self, source: HookSource, sandbox: Sandbox, policy_of: Callable[[Agent], Policy | None], environ: Mapping[str, str], texts: Texts
    ) -> None:
        self._policy_of = policy_of
        self._source = source
        self._sandbox = sandbox
        self._environ = environ
        self._texts = texts

    async def before(self, call: Call) -> Said:
        """What they say of a call that is about to run; the first that blocks has the last word."""
        return await self._ask("PreToolUse", call, None)

    async def after(self, call: Call, response: str) -> Said:
        """What they say of its result."""
        return await self._ask("PostToolUse", call, response[:RESPONSE_CHARS])

    async def _ask(self, event: Event, call: Call, response: str | None) -> Said:
        added: list[str] = []
        for hook in self._source.hooks(call.agent):
            name = hook.called(call.tool) if hook.event == event else None
            if name is None:
                continue
            for given in inputs(call.tool, dict(call.arguments)):
                said = await self._one(hook, call, _input(event, name, given, call, response))
                added += said.added
                if said.blocked is not None:
                    return Said(said.blocked, tuple(added))
        return Said(None, tuple(added))

    async def _one(self, hook: Hook, call: Call, given: str) -> Said:
        workspace = str(call.agent.workspace)
        job = {
            "command": hook.command,
            "input": given,
            "variables": {"CREWLAB_PROJECT_DIR": workspace, "CLAUDE_PROJECT_DIR": workspace},  # KIT-19
            "most": KEPT_BYTES,
        }
        packed = base64.b64encode(zlib.compress(json.dumps(job).encode())).decode()
        if len(packed) > MOST_BYTES:
            return Said(self._texts("kits.too_long_for_hook")) if hook.event == "PreToolUse" else Said()
        pieces = [packed[place : place + PIECE_BYTES] for place in range(0, len(packed), PIECE_BYTES)]
        try:
            finished = await self._run(call, (*_child(), *pieces), hook.seconds)
        except (SandboxRefused, OSError) as error:
            log.warning("the hook %r of %s could not be asked: %s", hook.command, hook.file, error)
            return Said()
        if finished.timed_out:
            log.warning("the hook %r of %s took more than %g s and the call went on", hook.command, hook.file, hook.seconds)
            return Said()
        return self._answer(hook, finished)

    def _answer(self, hook: Hook, finished: Finished) -> Said:
        try:
            ended = json.loads("".join(finished.output.parts()))
            code, out, err = int(ended["code"]), str(ended["out"]), str(ended["err"])
        except (ValueError, KeyError, TypeError):
            log.warning("the hook %r of %s was ended and the call went on", hook.command, hook.file)
            return Said()
        said = read_answer(code, out, err, self._texts)
        if code != 0 and said.blocked is None:
            log.warning("the hook %r of %s ended with exit code %d and the call went on: %s", hook.command, hook.file, code, err[:500])
        return said

    async def _run(self, call: Call, command: tuple[str, ...], seconds: float) -> Finished:
        policy = self._policy_of(call.agent)
        if policy is not None:
            return await self._sandbox.run(policy, command, seconds, conversation_id=call.conversation_id)
        environment = command_environment(self._environ)
        return await run_tree(command, cwd=call.agent.workspace, environment=environment, seconds=seconds, guarded=True)


def _input(event: Event, name: str, arguments: dict[str, Any], call: Call, response: str | None) -> str:
    """What the hook reads on standard input (KIT-16)."""
    given: dict[str, Any] = {
        "session_id": call.conversation_id or "",
        "cwd": str(call.agent.workspace),
        "hook_event_name": event,
        "tool_name": name,
        "tool_input": arguments,
    }
    if response is not None:
        given["tool_response"] = response
    return json.dumps(given)


@lru_cache(maxsize=1)
def _child() -> tuple[str, ...]:
    """The command line that runs a hook; its text goes along, because a sandbox may cover the place where it lies."""
    return (os.path.realpath(sys.executable), "-I", "-S", "-B", "-c", CHILD.read_text(encoding="utf-8"))

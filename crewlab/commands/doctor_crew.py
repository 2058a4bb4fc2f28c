"""What a crew that starts still has wrong: each a sentence with what mends it, found without a start and without a model call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from crewlab.engine.texts import Texts

if TYPE_CHECKING:
    from crewlab.engine.agents.roster import Roster
    from crewlab.engine.home.keys import KeyRing
    from crewlab.engine.home.layout import Home
    from crewlab.engine.home.settings import Settings

_NAMED = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")  # MCP-7


@dataclass(frozen=True, slots=True)
class Trouble:
    """A note of the report: the keys of its sentence and of what mends it, and their values."""

    key: str
    mend: str = ""
    values: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Read:
    """A home that can be started. ``no_sandbox`` and ``no_fence`` say why commands and scripts have none; empty when they have."""

    home: Home
    settings: Settings
    roster: Roster
    keys: KeyRing
    texts: Texts
    no_sandbox: str
    no_fence: str


def troubles(read: Read) -> tuple[Trouble, ...]:
    """Everything that was written and will not do what it was written for."""
    parts: tuple[Callable[[Read], Iterable[Trouble]], ...] = (_telegram, _kits, _scripts, _fences, _servers, _search)
    found = [trouble for part in parts for trouble in part(read)]
    return tuple(trouble for place, trouble in enumerate(found) if trouble not in found[:place])


def _telegram(read: Read) -> Iterator[Trouble]:
    """Only the master has a chat (CHN-2)."""
    for agent in read.roster.all():
        if agent.profile.telegram is not None and not agent.master:
            yield Trouble("telegram_ignored", "telegram_ignored", {"agent": agent.id, "name": agent.profile.telegram.token_env})


def _kits(read: Read) -> Iterator[Trouble]:
    """Files of kits and skills that were left out, in the words the agent editor has for them (KIT-5)."""
    import logging

    from crewlab.engine.agents.kits.service import Kits
    from crewlab.engine.agents.skills import Skills
    from crewlab.engine.home.textfiles import TextFiles

    files = TextFiles()
    kits, skills = Kits(read.home, read.roster, files, read.texts), Skills(read.home, files, read.texts)
    skills.workspaces = lambda: [agent.workspace for agent in read.roster.all()]
    logger = logging.getLogger("crewlab.engine.agents")
    before = logger.level
    logger.setLevel(logging.ERROR)  # the report says it once
    try:
        for agent in read.roster.all():
            for warning in (*kits.warnings(agent), *skills.of(agent).warnings):
                yield Trouble("warning", "", {"warning": warning})
    finally:
        logger.setLevel(before)


def _scripts(read: Read) -> Iterator[Trouble]:
    """Scripts of schedules that would not begin (SCR-224). Checked, never run."""
    import asyncio

    from crewlab.engine.jobs.table import table_of
    from crewlab.engine.script.checking import problem_of

    for job in table_of(read.roster.all()).values():
        problem = asyncio.run(problem_of(job.text, read.texts)) if job.kind == "script" else None
        if problem is not None:
            yield Trouble("job_script", "job_script", {"job": job.id, "why": " ".join(problem.split())})


def _fences(read: Read) -> Iterator[Trouble]:
    """Scripts without a fence (SCR-13), and the agents whose commands are refused for want of a sandbox (SHL-60)."""
    from crewlab.engine.shell import policy_of

    if read.no_fence:
        required = read.settings.script_sandbox == "required"
        yield Trouble("scripts_refused" if required else "scripts_open", "scripts_fence", {"why": read.no_fence})
    if read.no_sandbox:
        refused = [agent.id for agent in read.roster.all() if policy_of(agent) is not None]
        if refused:
            yield Trouble("commands_refused", "sandbox", {"agents": ", ".join(refused), "why": read.no_sandbox})


def _servers(read: Read) -> Iterator[Trouble]:
    """Variables that headers of MCP servers read and nobody has set (MCP-7)."""
    for server, declared in read.settings.mcp_servers.items():
        for name in dict.fromkeys(name for value in declared.headers.values() for name in _NAMED.findall(value)):
            if not read.keys.present(name):
                yield Trouble("mcp_key", "mcp_key", {"server": server, "name": name})


def _search(read: Read) -> Iterator[Trouble]:
    """No service is left that could search the web (WEB-16, WEB-19)."""
    variables = {"firecrawl": "FIRECRAWL_BASE_URL", "brave": "BRAVE_API_KEY", "tavily": "TAVILY_API_KEY"}
    lacking = [variables.get(name) for name in read.settings.web_providers]
    if lacking and all(name is not None and not read.keys.present(name) for name in lacking):
        names = ", ".join(name for name in lacking if name is not None)
        yield Trouble("no_search", "no_search", {"providers": ", ".join(read.settings.web_providers), "names": names})

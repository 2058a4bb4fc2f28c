"""What was written into a profile and gives nothing: one sentence each, startup goes on (AGT-14 to AGT-17)."""

from __future__ import annotations

from collections.abc import Iterator

from crewlab.engine.agents.agent import Agent
from crewlab.engine.agents.tool_names import ALWAYS_ON, GROUPS, LISTABLE, WORK_TOOLS, bringing_key, is_group
from crewlab.engine.agents.values import may_delegate
from crewlab.engine.home.layout import Home
from crewlab.engine.home.patterns import split_allow_patterns, split_fence_patterns
from crewlab.engine.home.settings import Settings
from crewlab.engine.texts import Texts

WIKI = "wiki"  # PTL-80: the knowledge base that is always there


def warnings_of(agent: Agent, crew_ids: tuple[str, ...], home: Home, settings: Settings, texts: Texts) -> list[str]:
    """All warnings of one agent, in the language of ``texts``."""
    return [texts(f"home.{key}", agent=agent.id, **values) for key, values in _found(agent, crew_ids, home, settings)]


def _found(agent: Agent, crew_ids: tuple[str, ...], home: Home, settings: Settings) -> Iterator[tuple[str, dict[str, object]]]:
    yield from _workspace(agent, home)
    for name in agent.tools or ():
        yield from _tool(agent, name)
    for name in agent.extra_tools:
        if name not in GROUPS and name not in LISTABLE and name not in ALWAYS_ON:
            yield "warn_extra_tool", {"name": name}
    yield from _named(agent, crew_ids, settings)
    yield from _deferred(agent)
    yield from _patterns(agent)


def _patterns(agent: Agent) -> Iterator[tuple[str, dict[str, object]]]:
    """Items of the three lists that are left out or mean less than they seem to (SHL-35, SHL-36)."""
    where = str(agent.directory / "agent.yaml")
    for item in split_allow_patterns(agent.profile.shell_allow_patterns or ())[1]:
        yield "dropped_allow", {"where": where, "pattern": repr(item)}
    for key in ("shell_ask_patterns", "shell_deny_patterns"):
        _, empty, odd = split_fence_patterns(getattr(agent.profile, key) or ())
        for word, items in (("dropped_fence", empty), ("literal_fence", odd)):
            for item in items:
                yield word, {"where": where, "key": key, "pattern": repr(item)}


def _workspace(agent: Agent, home: Home) -> Iterator[tuple[str, dict[str, object]]]:
    """A workspace that is or contains the home is allowed, and said (AGT-14)."""
    if home.root.resolve().is_relative_to(agent.workspace.resolve()):
        yield "warn_workspace", {"workspace": str(agent.workspace)}


def _tool(agent: Agent, name: str) -> Iterator[tuple[str, dict[str, object]]]:
    """A name in ``tools`` that gives this agent nothing (AGT-15, TOOL-23)."""
    key = bringing_key(name)
    if key is not None:
        yield "warn_tool_by_key", {"name": name, "key": key}
    elif name not in LISTABLE and name not in ALWAYS_ON:
        yield "warn_tool_unknown", {"name": name}
    elif name == "delegate" and not may_delegate(agent.id, agent.profile):
        yield "warn_tool_delegate", {"name": name}
    elif name in WORK_TOOLS and not _edits(agent, name):
        yield "warn_tool_work", {"name": name}


def _edits(agent: Agent, name: str) -> bool:
    by_group = "workspace" in agent.extra_tools or name in agent.extra_tools
    return agent.mode == "work" or agent.toolset == "portal" or (by_group and name != "workspace_glob")


def _named(agent: Agent, crew_ids: tuple[str, ...], settings: Settings) -> Iterator[tuple[str, dict[str, object]]]:
    """Names of agents, servers and knowledge bases that are not there (AGT-16, AGT-17, PTL-80)."""
    for name in agent.profile.delegates or ():
        if name not in crew_ids:
            yield "warn_delegate", {"name": name}
    for name in agent.profile.mcp or ():
        if name not in settings.mcp_servers:
            yield "warn_mcp", {"name": name}
    for name in agent.profile.knowledge or ():
        if name not in settings.knowledge_bases and name != WIKI:
            yield "warn_knowledge", {"name": name}


def _deferred(agent: Agent) -> Iterator[tuple[str, dict[str, object]]]:
    groups = agent.profile.deferred_groups or ()
    for name in groups:
        if not is_group(name):
            yield "warn_group", {"name": name}
    if groups and not agent.switches.discovery:  # PTL-128
        yield "warn_deferred", {}

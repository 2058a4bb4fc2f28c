"""The value in force of a key: the agent's own, else what ``config.yaml`` says, else the default (AGT-13, AGT-22).

A default of work mode is "another default, not another rule": it stands in the place of the crew's
default, never in the place of something a person wrote into ``config.yaml``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from crewlab.engine.agents.agent import MASTER, Agent, Origin
from crewlab.engine.agents.switches import switches_of
from crewlab.engine.agents.tool_names import crewlab_name
from crewlab.engine.home.layout import Home
from crewlab.engine.home.patterns import split_allow_patterns, split_fence_patterns
from crewlab.engine.home.profile import AgentProfile
from crewlab.engine.home.settings import Settings

MASTER_NAME = "Crew"  # the id of the master, capitalised, would read "Default" (docs/decisions.md)
WORK_MAX_STEPS = 40  # AGT-13
WORK_COST_CAP_USD = 5.0  # AGT-13
WORK_AUTONOMOUS = True  # AGT-22
PORTAL_REWRITE_CHARS = 4000  # PTL-18, PTL-32
CREW_REWRITE_CHARS = 0  # PTL-18: off

Value = TypeVar("Value", int, float, bool)


def build_agent(
    agent_id: str, profile: AgentProfile, home: Home, settings: Settings, crew_ids: tuple[str, ...] = (), origin: Origin = "profile"
) -> Agent:
    """The agent ``agent_id`` with the values in force. ``crew_ids``: all ids of the home, for ``delegates``."""
    master = agent_id == MASTER
    mode = profile.mode or "chat"
    directory = home.agent_dir(agent_id)
    toolset = profile.toolset or settings.toolset
    tools = None if profile.tools is None else _names(profile.tools)
    ask = settings.shell_ask_patterns if profile.shell_ask_patterns is None else profile.shell_ask_patterns
    allow = settings.shell_allow_patterns if profile.shell_allow_patterns is None else profile.shell_allow_patterns

    def valued(own: Value | None, key: str, crew: Value, work: Value) -> Value:
        if own is not None:
            return own
        return work if mode == "work" and key not in settings.declared else crew

    return Agent(
        id=agent_id,
        name=profile.name or (MASTER_NAME if master else agent_id[:1].upper() + agent_id[1:]),
        description=profile.description or "",
        master=master,
        mode=mode,
        origin="default" if master else origin,
        directory=directory,
        workspace=workspace_of(agent_id, profile, home),
        routes=profile.routes or None,
        autonomous=valued(profile.autonomous, "autonomous", settings.autonomous, WORK_AUTONOMOUS),
        max_steps=valued(profile.max_steps, "max_steps", settings.max_steps, WORK_MAX_STEPS),
        cost_cap_usd=valued(profile.cost_cap_usd, "cost_cap_usd", settings.cost_cap_usd, WORK_COST_CAP_USD),
        approval_ttl_seconds=profile.approval_ttl_seconds or settings.approval_ttl_seconds,
        tool_output_chars=profile.tool_output_chars or settings.tool_output_chars,
        tools=tools,
        write_paths=profile.write_paths,
        shell_ask_patterns=split_fence_patterns(ask)[0],
        shell_allow_patterns=split_allow_patterns(allow)[0],
        shell_deny_patterns=split_fence_patterns(profile.shell_deny_patterns or ())[0],
        rewrite_max_chars=_rewrite_chars(profile, toolset),
        toolset=toolset,
        extra_tools=_names(profile.extra_tools or ()),
        skills_dirs=tuple(resolve_in(directory, path) for path in profile.skills_dirs or ()),
        delegates=_delegates(agent_id, profile, crew_ids),
        may_delegate=may_delegate(agent_id, profile),
        switches=switches_of(profile, toolset, master=master),
        profile=profile,
    )


def workspace_of(agent_id: str, profile: AgentProfile, home: Home) -> Path:
    """Where the agent works: ``~`` is expanded, a relative path stands against its directory (WS-1, AGT-14)."""
    if profile.workspace is None:
        return home.workspace if agent_id == MASTER else home.agent_dir(agent_id) / "workspace"
    return resolve_in(home.agent_dir(agent_id), profile.workspace)


def resolve_in(directory: Path, written: str) -> Path:
    """``written`` as an absolute path; links are kept."""
    import os.path

    return Path(os.path.normpath(directory / Path(written).expanduser()))


def may_delegate(agent_id: str, profile: AgentProfile) -> bool:
    """Whether the agent holds ``delegate`` in a turn that is not itself delegated (AGT-20, DLG-1, DLG-2)."""
    held = agent_id == MASTER or profile.mode == "work" or profile.delegates is not None
    return held and lists_delegate(profile)


def lists_delegate(profile: AgentProfile) -> bool:
    """Whether its list leaves it ``delegate``."""
    return profile.tools is None or "delegate" in profile.tools


def _delegates(agent_id: str, profile: AgentProfile, crew_ids: tuple[str, ...]) -> tuple[str, ...]:
    others = tuple(other for other in crew_ids if other != agent_id)
    if profile.delegates is None:
        return others if agent_id == MASTER else ()
    return tuple(dict.fromkeys(name for name in profile.delegates if name in others))


def _names(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(crewlab_name(name) for name in names))


def _rewrite_chars(profile: AgentProfile, toolset: str) -> int:
    if profile.workspace_rewrite_max_chars is not None:
        return profile.workspace_rewrite_max_chars
    return PORTAL_REWRITE_CHARS if toolset == "portal" else CREW_REWRITE_CHARS

"""The switches, levels and bindings of an agent in force: what the families of tools ask (PTL-18, NBK-8, TIER-7 and others)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeVar

from crewlab.engine.home.profile import AgentProfile, Tier, Toolset

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Switches:
    """None of these is inherited from ``config.yaml``; some defaults follow the toolset (PTL-18).

    ``embedding`` ``None``: not written, PTL-71 decides by the routes there are. ``browser_hosts``,
    ``notebook_paths`` and ``shell_write_paths`` ``None``: no list.
    """

    memory_tools: bool
    budget_tool: bool
    history_tool: Literal["off", "user", "all"]
    knowledge: tuple[str, ...]
    artifact_check: Literal["off", "warn", "require"]
    discovery: bool
    deferred_groups: tuple[str, ...]
    embedding: bool | None
    mcp: tuple[str, ...]
    shell_network: bool
    shell_write_paths: tuple[str, ...] | None
    browser: Literal["off", "read", "act"]
    browser_hosts: tuple[str, ...] | None
    computer: Literal["off", "on"]
    computer_apps: tuple[str, ...]
    script_calls: Literal["read_only", "gated", "none"]
    script_llm: bool
    code: Literal["off", "read", "write", "exec"]
    vibe: bool
    tier_cap: Tier
    notebooks: Literal["off", "read", "edit", "run"]
    notebook_paths: tuple[str, ...] | None


def switches_of(profile: AgentProfile, toolset: Toolset, *, master: bool) -> Switches:
    """The values in force: what the profile says, else the default of register B."""
    portal = toolset == "portal"
    return Switches(
        memory_tools=_or(profile.memory_tools, not portal),
        budget_tool=_or(profile.budget_tool, False),
        history_tool=profile.history_tool or ("off" if portal else "all"),
        knowledge=profile.knowledge or (),
        artifact_check=profile.artifact_check or ("require" if portal else "warn"),
        discovery=_or(profile.discovery, portal),
        deferred_groups=profile.deferred_groups or (),
        embedding=profile.embedding,
        mcp=profile.mcp or (),
        shell_network=_or(profile.shell_network, True),
        shell_write_paths=profile.shell_write_paths,
        browser=profile.browser or "off",
        browser_hosts=profile.browser_hosts,
        computer=profile.computer or "off",
        computer_apps=profile.computer_apps or (),
        script_calls=profile.script_calls or "read_only",
        script_llm=_or(profile.script_llm, True),
        code=profile.code or "off",
        vibe=_or(profile.vibe, False),
        tier_cap=profile.tier_cap or "exec",
        notebooks=profile.notebooks or ("run" if master else "off"),
        notebook_paths=profile.notebook_paths,
    )


def _or(own: Value | None, default: Value) -> Value:
    return default if own is None else own

"""Bodies and answers of the routes of agents (AGT-32, AGT-33)."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict

from crewlab.engine.records import Json, Record, Tier


class TelegramBlock(Record):
    """The channel as the profile says it; here the chat may be read and mended (AGT-33)."""

    token_env: str
    chat_id: int
    approval_ttl_seconds: int | None


class CommandView(Record):
    """A slash command that a kit defines for the agent (KIT-12)."""

    name: str
    description: str
    argument_hint: str


class AgentView(Record):
    """An agent with its effective values (AGT-33).

    ``routes`` null means the crew's, ``declared`` is what its file says (``declared.tools`` null without a list), ``tools`` are held
    now, ``listable_tools`` those a list can decide, ``warnings`` are its own, on the master also those of the whole crew.
    """

    id: str
    name: str
    description: str
    master: bool
    mode: Literal["chat", "work"]
    origin: Literal["default", "profile", "kit"]
    live: bool
    workspace: str
    routes: list[str] | None
    escalation_route: str | None
    autonomous: bool
    max_steps: int
    cost_cap_usd: float
    approval_ttl_seconds: int | None
    tool_output_chars: int
    tools: list[str]
    listable_tools: list[str]
    declared: Json
    delegates: list[str]
    mcp: list[str]
    browser: Literal["off", "read", "act"]
    browser_hosts: list[str] | None
    computer: Literal["off", "on"]
    computer_apps: list[str]
    script_calls: Literal["read_only", "gated", "none"]
    script_llm: bool
    code: Literal["off", "read", "write", "exec"]
    vibe: bool
    tier_cap: Tier
    vibe_fast_routes: list[str]
    vibe_good_routes: list[str]
    notebooks: Literal["off", "read", "edit", "run"]
    notebook_paths: list[str] | None
    toolset: Literal["crew", "portal"]
    extra_tools: list[str]
    memory_tools: bool
    budget_tool: bool
    history_tool: Literal["off", "user", "all"]
    knowledge: list[str]
    artifact_check: Literal["off", "warn", "require"]
    discovery: bool
    deferred_groups: list[str]
    workspace_rewrite_max_chars: int
    embedding: bool | None
    write_paths: list[str] | None
    shell_network: bool
    shell_write_paths: list[str] | None
    shell_ask_patterns: list[str]
    shell_allow_patterns: list[str]
    shell_deny_patterns: list[str]
    skills_dirs: list[str]
    memory_consolidate: str | None
    schedules: list[Json]
    telegram: TelegramBlock | None
    commands: list[CommandView]
    warnings: list[str]


class AgentList(Record):
    """All agents, the master first."""

    agents: list[AgentView]


class SavedAgent(AgentView):
    """An agent after a save; nothing ever needs a restart (AGT-11)."""

    restart_required: list[str]


class AgentChanges(Record):
    """Any keys of ``agent.yaml``; null removes one. Each is judged by the profile's own rules (AGT-13, AGT-18)."""

    model_config = ConfigDict(extra="allow")


class NewAgent(AgentChanges):
    """The id of a new agent, and keys of its profile."""

    id: str


class RemovedAgent(Record):
    """The agent that was removed, and where its directory lies now (AGT-37)."""

    removed: str
    moved_to: str


class TemplateView(Record):
    """A profile that ships with crewlab. ``brings`` are the peers it gives work to (AGT-27)."""

    id: str
    name: str
    description: str
    brings: list[str]
    installed: bool


class TemplateList(Record):
    """Everything that can be installed."""

    templates: list[TemplateView]


class InstallRequest(Record):
    """The template to install; ``workspace`` pins the role to a folder (AGT-28)."""

    template: str
    workspace: str | None = None


class InstallAnswer(Record):
    """The ids that joined, and those that were there before (AGT-29)."""

    installed: list[str]
    kept: list[str]


class PersonaFiles(Record):
    """Persona files by name (MEMF-2)."""

    files: dict[str, str]


class AgentPrompt(Record):
    """The system prompt of an agent as it is now, and the block before the first message of a new conversation (TURN-79)."""

    prompt: str
    prompt_chars: int
    opening: str
    opening_chars: int

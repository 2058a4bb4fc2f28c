"""``agent.yaml``: the whole fixed key set of register B (AGT-13, TURN-4). A key that is not set is ``None``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from crewlab.engine.home.kinds import (
    AgentIdList,
    Keys,
    Money,
    NameList,
    PathList,
    PathText,
    RelativeList,
    RouteKey,
    RouteList,
    Steps,
    TextList,
    Tupled,
    Whole,
    after,
    one_line,
)
from crewlab.engine.home.problems import Source, validate
from crewlab.engine.home.profile_models import (
    ArtifactCheck,
    BrowserHosts,
    BrowserLevel,
    CodeLevel,
    ComputerLevel,
    HistoryLevel,
    NotebookLevel,
    Telegram,
    app_line,
    distinct,
)
from crewlab.engine.home.schedules import CronLine, Schedule, distinct_schedules
from crewlab.engine.home.settings import Settings
from crewlab.engine.home.wrong import Wrong
from crewlab.engine.home.yamlfile import YamlFile, read_yaml
from crewlab.engine.texts import Texts

NAME_CHARS = 60  # AGT-13
DESCRIPTION_CHARS = 500  # AGT-13

Mode = Literal["chat", "work"]
Toolset = Literal["crew", "portal"]
Tier = Literal["read", "write", "exec"]


def shown_name(value: str) -> str:
    """A name on one line that is not only spaces (AGT-13)."""
    name = one_line(value)
    if not name:
        raise Wrong("must_at_least_chars", min=1)
    return name


class AgentProfile(Keys):
    """What one ``agent.yaml`` says. Nothing is inherited here: that is the roster's work."""

    name: Annotated[str, Field(max_length=NAME_CHARS), after(shown_name)] | None = None
    description: Annotated[str, Field(max_length=DESCRIPTION_CHARS)] | None = None
    mode: Mode | None = None
    workspace: PathText | None = None
    routes: RouteList | None = None
    escalation_route: RouteKey | None = None
    vibe_fast_routes: RouteList | None = None
    vibe_good_routes: RouteList | None = None
    toolset: Toolset | None = None
    tools: NameList | None = None
    extra_tools: NameList | None = None
    delegates: AgentIdList | None = None
    mcp: NameList | None = None
    memory_tools: bool | None = None
    budget_tool: bool | None = None
    history_tool: HistoryLevel = None
    knowledge: NameList | None = None
    artifact_check: ArtifactCheck = None
    discovery: bool | None = None
    deferred_groups: NameList | None = None
    workspace_rewrite_max_chars: Annotated[int, Field(ge=0)] | None = None
    embedding: bool | None = None
    skills_dirs: PathList | None = None
    schedules: Annotated[tuple[Schedule, ...], Tupled, AfterValidator(distinct_schedules)] | None = None
    memory_consolidate: CronLine | None = None
    telegram: Telegram | None = None
    autonomous: bool | None = None
    max_steps: Steps | None = None
    cost_cap_usd: Money | None = None
    approval_ttl_seconds: Whole | None = None
    tool_output_chars: Whole | None = None
    write_paths: RelativeList | None = None
    shell_network: bool | None = None
    shell_write_paths: RelativeList | None = None
    shell_ask_patterns: TextList | None = None
    shell_allow_patterns: TextList | None = None
    shell_deny_patterns: TextList | None = None
    browser: BrowserLevel = None
    browser_hosts: BrowserHosts = None
    computer: ComputerLevel = None
    computer_apps: Annotated[tuple[Annotated[str, after(app_line)], ...], Tupled, AfterValidator(distinct)] | None = None
    script_calls: Literal["read_only", "gated", "none"] | None = None
    script_llm: bool | None = None
    code: CodeLevel = None
    vibe: bool | None = None
    tier_cap: Tier | None = None
    notebooks: NotebookLevel = None
    notebook_paths: RelativeList | None = None

    @property
    def declared(self) -> frozenset[str]:
        """The keys that the file sets."""
        return frozenset(self.model_fields_set)


def load_profile(path: Path, texts: Texts) -> AgentProfile:
    """The profile in ``path``; a file that is not there is an empty profile (AGT-19).

    Raises ``StartupStop`` (AGT-4 to AGT-7, AGT-18).
    """
    return profile_of(read_yaml(path, texts), texts)


def profile_of(file: YamlFile, texts: Texts) -> AgentProfile:
    """The profile that ``file`` says. Raises ``StartupStop``."""
    source = Source(file, elsewhere=lambda key: "config.yaml" if key in Settings.model_fields else None)
    values: dict[str, Any] = source.without_empty(file.values, AgentProfile, texts)
    return validate(AgentProfile, values, source, texts)

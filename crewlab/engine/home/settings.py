"""``config.yaml`` and its variables: the whole fixed key set of register A (AGT-8, TURN-4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, PrivateAttr

from crewlab.engine.home.environment import from_environment
from crewlab.engine.home.kinds import HostList, Keys, Money, RouteList, Steps, TextList, Tupled, Whole, after, slug
from crewlab.engine.home.language import language_of
from crewlab.engine.home.layout import Home
from crewlab.engine.home.patterns import (
    DEFAULT_ASK_PATTERNS,
    DEFAULT_STOP_WORDS,
    split_allow_patterns,
    split_fence_patterns,
    split_stop_words,
)
from crewlab.engine.home.problems import Source, validate
from crewlab.engine.home.routes import Route
from crewlab.engine.home.servers import McpServers
from crewlab.engine.home.settings_models import (
    Billing,
    BrowserChannel,
    BrowserProgram,
    KnowledgeBase,
    LspServer,
    Minutes,
    Person,
    ScriptSandbox,
    SocketPath,
    TimeZone,
    Toolset,
    WebProvider,
)
from crewlab.engine.home.yamlfile import YamlFile, read_yaml
from crewlab.engine.texts import Language, Texts

DEFAULT_VISION_ROUTES = (  # VIS-2
    Route("openrouter", "google/gemini-2.5-flash-lite"),
    Route("openrouter", "qwen/qwen3-vl-8b-instruct"),
)
WEB_PROVIDERS: tuple[WebProvider, ...] = ("firecrawl", "brave", "tavily", "duckduckgo")  # WEB-16


class Settings(Keys):
    """The settings of the machine and the crew. ``declared`` are the keys that file or variable set."""

    language: Language = "en"
    timezone: TimeZone | None = None
    routes: RouteList = ()
    """Empty: those whose keys are present, then a running Ollama, then ``local`` (AGT-8)."""
    vision_routes: RouteList = DEFAULT_VISION_ROUTES
    audio_routes: RouteList = ()
    embedding_routes: RouteList = ()
    vibe_fast_routes: RouteList = ()
    vibe_good_routes: RouteList = ()
    autonomous: bool = False
    max_steps: Steps = 12
    cost_cap_usd: Money = 1.0
    approval_ttl_seconds: Whole = 600  # GATE-49
    tool_output_chars: Whole = 8000  # OUT-2
    shell_ask_patterns: TextList = DEFAULT_ASK_PATTERNS
    shell_allow_patterns: TextList = ()
    toolset: Toolset = "crew"
    web_providers: Annotated[tuple[WebProvider, ...], Tupled] = WEB_PROVIDERS
    knowledge_bases: dict[Annotated[str, after(slug)], KnowledgeBase] = Field(default_factory=dict)
    monthly_budget_usd: Money = 0.0
    person: Person = Field(default_factory=Person)
    billing: Billing = Field(default_factory=Billing)
    mcp_servers: McpServers = Field(default_factory=dict)
    browser_enabled: bool = False
    browser_channel: BrowserChannel = "chromium"
    browser_executable: BrowserProgram = None
    browser_sandbox: bool = True
    browser_idle_minutes: Annotated[int, Field(ge=1, le=1440)] = 10  # BRW-10
    browser_max_tabs: Annotated[int, Field(ge=1, le=50)] = 5  # BRW-10
    browser_ask_patterns: TextList = DEFAULT_STOP_WORDS
    desktop_socket: SocketPath = None
    """``None``: ``Home.desktop_socket``."""
    script_sandbox: ScriptSandbox = "auto"
    lsp_enabled: bool = True
    lsp_servers: dict[str, LspServer] = Field(default_factory=dict)
    lsp_idle_minutes: Minutes = 10
    lsp_max_servers: Whole = 6
    diagnostics_wait_seconds: Money = 5.0
    debug_enabled: bool = True
    debug_wait_seconds: Annotated[int, Field(ge=1, le=300)] = 30
    eval_enabled: bool = True
    eval_idle_seconds: Annotated[int, Field(ge=10, le=3600)] = 300
    eval_kernel_idle_minutes: Minutes = 30
    eval_max_kernels: Whole = 6
    vibe_max_workers: Whole = 8
    notebooks_enabled: bool = True
    notebook_idle_seconds: Annotated[int, Field(ge=10, le=3600)] = 300  # NBK-10
    notebook_total_seconds: Annotated[int, Field(ge=60, le=86_400)] = 3600  # NBK-10
    notebook_kernel_idle_minutes: Minutes = 60
    notebook_provenance: bool = True
    allowed_hosts: HostList = ()

    _warnings: tuple[str, ...] = PrivateAttr(default=())
    _text: str | None = PrivateAttr(default=None)

    @property
    def text(self) -> str | None:
        """What ``config.yaml`` said when it was read; ``None`` when there was none (AGT-35)."""
        return self._text

    @property
    def declared(self) -> frozenset[str]:
        """The keys that were set, in the file or by a variable."""
        return frozenset(self.model_fields_set)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was left out while reading: one sentence each."""
        return self._warnings


def load_settings(home: Home, environ: Mapping[str, str], texts: Texts | None = None) -> Settings:
    """The settings of ``home``; a variable wins over the file (AGT-8). No file: the defaults (AGT-1).

    Messages come in the language that file or variable name, else in that of ``texts``, else English.
    Raises ``StartupStop`` (AGT-4) that names file or variable, key, what is wrong and what to do.
    """
    told = language_of(home, environ)
    speak = Texts(told) if told is not None else texts or Texts("en")
    return settings_of(read_yaml(home.config_file, speak), home, environ, speak)


def settings_of(file: YamlFile, home: Home, environ: Mapping[str, str], speak: Texts) -> Settings:
    """The settings that ``file`` and the variables say. Raises ``StartupStop``."""
    variables, names = from_environment(environ)
    source = Source(file, variables=names, elsewhere=_other_file)
    values = source.without_empty(file.values, Settings, speak)
    settings = validate(Settings, {**values, **variables}, source, speak, context={"home": home})
    settings._text = file.text
    return _tidied(settings, speak)


def _tidied(settings: Settings, texts: Texts) -> Settings:
    """Without the patterns that are dropped (GATE-23, BRW-83), with one warning for each."""
    allow, bad_allow = split_allow_patterns(settings.shell_allow_patterns)
    ask, empty_ask, odd_ask = split_fence_patterns(settings.shell_ask_patterns)
    words, bad_words = split_stop_words(settings.browser_ask_patterns)
    changes: dict[str, tuple[str, ...]] = {}
    if bad_allow:
        changes["shell_allow_patterns"] = allow
    if empty_ask:
        changes["shell_ask_patterns"] = ask
    if words != settings.browser_ask_patterns:
        changes["browser_ask_patterns"] = words
    tidied = settings.model_copy(update=changes)
    tidied._warnings = tuple(
        [texts("home.dropped_allow", where="config.yaml", pattern=repr(item)) for item in bad_allow]
        + [texts("home.dropped_fence", where="config.yaml", key="shell_ask_patterns", pattern=repr(item)) for item in empty_ask]
        + [texts("home.literal_fence", where="config.yaml", key="shell_ask_patterns", pattern=repr(item)) for item in odd_ask]
        + [texts("home.dropped_word", pattern=repr(item)) for item in bad_words]
    )
    return tidied


def _other_file(key: str) -> str | None:
    """``agent.yaml`` for a key that stands there (AGT-9)."""
    from crewlab.engine.home.profile import AgentProfile

    return "agent.yaml" if key in AgentProfile.model_fields else None

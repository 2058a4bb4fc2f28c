"""The variables that Connections knows: group, kind, and how each is checked (CHN-46)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from crewlab.engine.agents.roster import Roster
from crewlab.engine.home.keyfile import is_sign_in
from crewlab.engine.home.keys import NAME, KeyRing
from crewlab.engine.home.settings import Settings

Group = Literal["models", "web", "channels", "mcp", "other"]
Kind = Literal["secret", "url"]
_NAMED = re.compile(r"\$\{([A-Z][A-Z0-9_]*)\}")  # MCP-7


class KnownKey(NamedTuple):
    """A row of the catalogue. ``check``: whether its value can be tried out."""

    name: str
    group: Group
    kind: Kind
    check: bool = False


FIXED = (
    KnownKey("OPENROUTER_API_KEY", "models", "secret", check=True),
    KnownKey("ANTHROPIC_API_KEY", "models", "secret", check=True),
    KnownKey("OPENAI_API_KEY", "models", "secret", check=True),
    KnownKey("OPENAI_BASE_URL", "models", "url", check=True),
    KnownKey("OLLAMA_BASE_URL", "models", "url", check=True),
    KnownKey("FIRECRAWL_BASE_URL", "web", "url", check=True),
    KnownKey("FIRECRAWL_API_KEY", "web", "secret"),
    KnownKey("BRAVE_API_KEY", "web", "secret", check=True),
    KnownKey("TAVILY_API_KEY", "web", "secret", check=True),
)


def known_keys(settings: Settings, roster: Roster, keys: KeyRing) -> list[KnownKey]:
    """Every row: the fixed ones, the bot's token, those of MCP servers, and whatever else was saved; each name once."""
    rows: dict[str, KnownKey] = {}
    for row in (*FIXED, *_of_the_crew(settings, roster), *(KnownKey(name, "other", "secret") for name in keys.saved_names())):
        if not is_sign_in(row.name):  # MCP-85
            rows.setdefault(row.name, row)
    return list(rows.values())


def _of_the_crew(settings: Settings, roster: Roster) -> Iterator[KnownKey]:
    block = roster.master.profile.telegram
    if block is not None:
        yield KnownKey(block.token_env, "channels", "secret", check=True)
    for name, server in settings.mcp_servers.items():
        variable = f"MCP_{name.upper().replace('-', '_')}_CLIENT_ID"
        if NAME.fullmatch(variable):
            yield KnownKey(variable, "mcp", "secret")
        for value in server.headers.values():
            yield from (KnownKey(found, "mcp", "secret") for found in _NAMED.findall(value) if NAME.fullmatch(found))

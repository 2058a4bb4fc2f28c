"""Entries of ``mcp_servers`` (MCP-2 to MCP-14)."""

from __future__ import annotations

import re
from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from crewlab.engine.home.kinds import Keys, Line, NameList, after
from crewlab.engine.home.wrong import Wrong

SERVER_NAME_CHARS = 32  # MCP-3
TIMEOUT_SECONDS = 60.0  # MCP-2
TIMEOUT_MAX_SECONDS = 600  # MCP-2
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})  # MCP-5
OWN_HEADERS = frozenset(  # MCP-9
    {"host", "content-length", "content-type", "accept", "mcp-session-id", "mcp-protocol-version", "last-event-id"}
)

Exposure = Literal["direct", "deferred", "codemode", "hidden"]
_NAME = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*")  # MCP-3
_HEADER = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_FROM_ENVIRONMENT = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}")  # MCP-7


def server_name(name: str) -> str:
    """The name of a server (MCP-3)."""
    if len(name) > SERVER_NAME_CHARS or not _NAME.fullmatch(name):
        raise Wrong("must_server_name")
    return name


def server_url(url: str) -> str:
    """The address, exactly as written (MCP-5, MCP-6)."""
    if "${" in url:
        raise Wrong("must_url_plain", form="${NAME}")
    try:
        parts = urlsplit(url)
        host, port_ok = parts.hostname, parts.port is None or parts.port > 0
    except ValueError as error:
        raise Wrong("must_url") from error
    if not host or not port_ok or any(sign.isspace() for sign in url) or "#" in url or "@" in parts.netloc:
        raise Wrong("must_url")
    if parts.scheme != "https" and not (parts.scheme == "http" and host in LOCAL_HOSTS):
        raise Wrong("must_url_https")
    return url


def header_name(name: str) -> str:
    """A header the owner may set (MCP-9)."""
    if not _HEADER.fullmatch(name):
        raise Wrong("must_header_name")
    if name.lower() in OWN_HEADERS:
        raise Wrong("must_header_free")
    return name


def header_value(value: str) -> str:
    """A value that comes from the environment, at least in part (MCP-7)."""
    if not _FROM_ENVIRONMENT.search(value) or any(ord(sign) < 32 for sign in value):
        raise Wrong("must_header_value", form="${WIKI_TOKEN}")
    return value


class McpServer(Keys):
    """One remote server. Patterns and levels are judged by the MCP part (MCP-11, MCP-12)."""

    url: Annotated[str, after(server_url)]
    description: Line = ""
    headers: dict[Annotated[str, after(header_name)], Annotated[str, after(header_value)]] = Field(default_factory=dict)
    exposure: Exposure = "deferred"
    tool_exposure: dict[str, Exposure] = Field(default_factory=dict)
    read_only: NameList = ()
    timeout: Annotated[float, Field(gt=0, le=TIMEOUT_MAX_SECONDS, allow_inf_nan=False)] = TIMEOUT_SECONDS


def distinct_servers(servers: dict[str, McpServer]) -> dict[str, McpServer]:
    """Refuses two names that would share their variables (MCP-4)."""
    seen: dict[str, str] = {}
    for name in servers:
        folded = name.lower().replace("-", "_")
        if folded in seen:
            raise Wrong("must_servers_distinct", first=seen[folded], second=name)
        seen[folded] = name
    return servers


McpServers = Annotated[dict[Annotated[str, after(server_name)], McpServer], AfterValidator(distinct_servers)]

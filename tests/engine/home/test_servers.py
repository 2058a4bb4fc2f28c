"""Entries of ``mcp_servers`` (MCP-2 to MCP-14)."""

from __future__ import annotations

from pathlib import Path

import pytest

from crewlab.engine.errors import StartupStop
from crewlab.engine.home.layout import Home
from crewlab.engine.home.servers import McpServer
from crewlab.engine.home.settings import load_settings


def load(tmp_path: Path, servers: str) -> dict[str, McpServer]:
    home = Home(tmp_path)
    home.config_file.write_text(f"mcp_servers: {servers}\n", encoding="utf-8")
    return load_settings(home, {}).mcp_servers


@pytest.mark.spec("MCP-2")
def test_a_server_is_read_with_its_defaults(tmp_path: Path) -> None:
    server = load(tmp_path, "{my-notes: {url: 'https://notes.example/mcp?x=1'}}")["my-notes"]
    assert server.url == "https://notes.example/mcp?x=1"
    assert (server.description, server.headers, server.exposure, server.tool_exposure) == ("", {}, "deferred", {})
    assert (server.read_only, server.timeout) == ((), 60.0)


@pytest.mark.spec("MCP-2", "MCP-5", "MCP-7")
@pytest.mark.parametrize(
    "entry",
    [
        "{url: 'http://localhost:9000'}",
        "{url: 'http://127.0.0.1/mcp'}",
        "{url: 'http://[::1]:80/'}",
        "{url: 'https://x', headers: {Authorization: 'Bearer ${WIKI_TOKEN}'}}",
        "{url: 'https://x', timeout: 0.5, exposure: hidden, tool_exposure: {'get_*': direct}, read_only: ['get_*']}",
    ],
)
def test_what_the_rules_allow_is_taken(tmp_path: Path, entry: str) -> None:
    assert "a" in load(tmp_path, f"{{a: {entry}}}")


@pytest.mark.spec("MCP-2", "MCP-3", "MCP-4", "MCP-5", "MCP-6", "MCP-7", "MCP-9", "MCP-14")
@pytest.mark.parametrize(
    ("servers", "key"),
    [
        ("{work__crm: {url: 'https://x'}}", "work__crm"),
        ("{work_: {url: 'https://x'}}", "work_"),
        ("{é: {url: 'https://x'}}", "é"),
        ("{" + "a" * 33 + ": {url: 'https://x'}}", "a" * 33),
        ("{a-b: {url: 'https://x'}, A_B: {url: 'https://y'}}", "A_B"),
        ("{a: {}}", "url"),
        ("{a: {url: 'http://x.example'}}", "url"),
        ("{a: {url: 'ftp://x.example'}}", "url"),
        ("{a: {url: 'https://u:p@x.example'}}", "url"),
        ("{a: {url: 'https://x.example/#f'}}", "url"),
        ("{a: {url: 'https://x.example/${KEY}'}}", "url"),
        ("{a: {url: 'https://x.example:99999'}}", "url"),
        ("{a: {url: 'https://[x'}}", "url"),
        ("{a: {url: 'not a url'}}", "url"),
        ("{a: {url: 'https://x', headers: {X-Key: fixed}}}", "headers.X-Key"),
        ("{a: {url: 'https://x', headers: {X-Key: '${1A}'}}}", "headers.X-Key"),
        ("{a: {url: 'https://x', headers: {'X Key': '${A}'}}}", "headers.X Key"),
        ("{a: {url: 'https://x', headers: {host: '${A}'}}}", "headers.host"),
        ("{a: {url: 'https://x', headers: {Mcp-Session-Id: '${A}'}}}", "headers.Mcp-Session-Id"),
        ("{a: {url: 'https://x', exposure: all}}", "exposure"),
        ("{a: {url: 'https://x', tool_exposure: {t: all}}}", "tool_exposure.t"),
        ("{a: {url: 'https://x', read_only: get}}", "read_only"),
        ("{a: {url: 'https://x', timeout: 0}}", "timeout"),
        ("{a: {url: 'https://x', timeout: 601}}", "timeout"),
        ("{a: {url: 'https://x', token: '${A}'}}", "token"),
    ],
)
def test_what_the_rules_forbid_stops_startup_and_the_key_is_named(tmp_path: Path, servers: str, key: str) -> None:
    with pytest.raises(StartupStop) as caught:
        load(tmp_path, servers)
    assert "mcp_servers" in caught.value.message
    assert key in caught.value.message

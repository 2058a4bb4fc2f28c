"""Which tools scripts may call, compared with the lists of the specification for every tool that exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from crewlab.engine.crew import open_crew
from crewlab.engine.home.layout import Home
from crewlab.engine.script.callables import Callables
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.registry import Registry
from tests.fixtures.source import ROOT

SPEC = ROOT / "docs" / "spec" / "scripts.md"
NAME = re.compile(r"`([a-z][a-z0-9_]+)`")
NOT_TOOLS = {"code", "read_only", "hidden", "direct", "deferred", "codemode", "computer", "browser", "tools"}
OWN = {"tool_script", "delegate"}  # rules of their own: SCR-79, SCR-81
PROFILES = {
    "worker": "mode: work\nscript_calls: gated\nextra_tools: [workspace, web]\n",
    "porter": "mode: work\nscript_calls: gated\ntoolset: portal\nextra_tools: [workspace, web]\n",
}


def listed(start: str, end: str) -> set[str]:
    text = SPEC.read_text(encoding="utf-8")
    part = text[text.index(f"**{start}**") : text.index(f"**{end}**")]
    return {
        name for name in NAME.findall(part) if "_" in name or name in {"lsp", "debug", "eval", "resolve", "delegate", "calculator"}
    } - NOT_TOOLS


READS = listed("SCR-78", "SCR-79")
WRITES = listed("SCR-122", "SCR-123")
OUTSIDE = (listed("SCR-79", "SCR-80") | listed("SCR-123", "SCR-124")) - {"artifact_rewrite"}  # that one is named as a reason


async def held(tmp_path: Path) -> dict[str, Registry]:
    """Everything that agents of the two tool sets can hold."""
    for name, text in PROFILES.items():
        path = tmp_path / "agents" / name / "agent.yaml"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    (tmp_path / "config.yaml").write_text("routes: [fake:echo]\nvision_routes: [fake:echo]\n")
    crew = await open_crew(Home(tmp_path), environ={}, person=lambda: True)
    try:
        return {name: crew.toolbox.of(crew.roster.get(name)) for name in PROFILES}
    finally:
        await crew.stop()


@pytest.mark.spec("SCR-78", "SCR-79", "SCR-122", "SCR-123")
async def test_each_tool_declares_what_the_lists_say_of_it(tmp_path: Path) -> None:
    tools: dict[str, Tool] = {tool.name: tool for registry in (await held(tmp_path)).values() for tool in registry.all}
    assert len(tools) > 30
    found = {name: tool.script for name, tool in tools.items() if name not in OWN}
    wanted = dict.fromkeys(READS, "any") | dict.fromkeys(WRITES, "gated") | dict.fromkeys(OUTSIDE, "no")
    assert {name: (use, wanted.get(name)) for name, use in found.items() if wanted.get(name) != use} == {}
    for name, use in found.items():
        assert (use == "any") <= (tools[name].tier == "read" and not tools[name].requires_approval), name


@pytest.mark.spec("SCR-78", "SCR-122", "SCR-124")
async def test_what_can_be_called_is_what_the_lists_say(tmp_path: Path) -> None:
    for registry in (await held(tmp_path)).values():
        names = set(registry.names)
        assert set(Callables(registry, gated=False).names) == names & READS
        assert set(Callables(registry, gated=True).names) == names & (READS | WRITES)
        assert set(Callables(registry, gated=True, delegates=True).names) == names & (READS | WRITES | {"delegate"})

"""Tools, providers and channels of other installed packages: a real distribution in a temporary folder, its broken neighbours left out."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from crewlab.commands.doctor import can_answer
from crewlab.commands.doctor_facts import Probes, gather
from crewlab.engine.crew import open_crew
from crewlab.engine.home.layout import Home
from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import ChatMessage, ChatRequest, Completion
from crewlab.engine.texts import Texts

MODULE = """\
from crewlab.engine.models.base import Completion, TextDelta
from crewlab.engine.tools.contract import Tool

SEEN = []


async def answer(arguments, context):
    return "answered"


def tool(name, **flags):
    return Tool(name=name, description="of another package", parameters={"type": "object"}, run=answer, **flags)


def tools(parts, agent):
    return [
        tool("plain"),
        tool("sure", requires_approval=False, replay_safe=True, parallel=True, allow_listed=True, keeps_ceiling=True, marking="own"),
        tool("looks", tier="read", replay_safe=True, marking="fenced"),
        tool("workspace_read", tier="read"),
        tool("no name"),
        "no tool",
    ]


def raises(*given):
    raise RuntimeError("broken on purpose")


class Parrot:
    name = "parrot"
    small = False

    async def stream(self, request, route):
        yield TextDelta(request.messages[-1].content)
        yield Completion(request.messages[-1].content)

    async def close(self):
        raise RuntimeError("does not close")


def parrot(parts):
    return Parrot()


class Mail:
    async def start(self):
        SEEN.append("started")

    async def stop(self):
        SEEN.append("stopped")
        raise RuntimeError("does not stop")


def mail(reach):
    SEEN.append(reach.parts.home.root.name)
    return Mail()


def unused(reach):
    return None


NUMBER = 7
"""
ENTRIES = """\
[crewlab.tools]
good = otherpack:tools
failing = otherpack:raises
gone = nowhere_at_all:tools
number = otherpack:NUMBER
leaves = otherpack_exits:tools

[crewlab.providers]
parrot = otherpack:parrot
openai = otherpack:parrot
other = otherpack:parrot
failing = otherpack:raises

[crewlab.channels]
mail = otherpack:mail
unused = otherpack:unused
failing = otherpack:raises
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    site = tmp_path / "site"
    about = site / "otherpack-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: otherpack\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRIES)
    (site / "otherpack.py").write_text(MODULE)
    (site / "otherpack_exits.py").write_text("raise SystemExit(3)\n")
    monkeypatch.syspath_prepend(str(site))
    yield site
    sys.modules.pop("otherpack", None)


@pytest.mark.spec("AGT-39")
async def test_what_another_package_brings_joins_and_what_is_broken_is_left_out(
    installed: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    crew = await open_crew(Home(tmp_path / "home"), environ={"CREWLAB_ROUTES": "parrot:grey"})
    await crew.start()
    try:
        registry = crew.toolbox.of(crew.roster.master)
        held = {tool.name: tool for tool in registry.all}
        assert {"plain", "sure", "looks"} <= set(held)
        assert registry.names[-4:-1] == ("plain", "sure", "looks") or registry.names[-3:] == ("plain", "sure", "looks")
        assert held["workspace_read"].description != "of another package"
        for name in ("plain", "sure"):  # what is not declared counts against it (TOOL-4, TIER-12)
            assert held[name].requires_approval
            assert held[name].tier == "exec"
            assert not held[name].replay_safe
            assert not held[name].parallel
            assert not held[name].allow_listed
            assert not held[name].keeps_ceiling
            assert held[name].marking is None
        assert (held["looks"].requires_approval, held["looks"].replay_safe, held["looks"].tier) == (False, True, "read")
        chain = await crew.models.chain()
        said = [item async for item in chain.stream(ChatRequest("", (ChatMessage("user", "hello"),)))]
        assert [item.text for item in said if isinstance(item, Completion)] == ["hello"]
        assert not crew.models.ready(Route("other", "x"))
        assert "parrot" in crew.models.status(Route("nobody", "x")).why
        await asyncio.sleep(0)
    finally:
        await crew.stop()
    assert sys.modules["otherpack"].SEEN == ["home", "started", "stopped"]
    lines = [record.getMessage() for record in caplog.records]
    for group, name, why in (
        ("crewlab.tools", "failing", "broken on purpose"),
        ("crewlab.tools", "gone", "nowhere_at_all"),
        ("crewlab.tools", "number", "is no function"),
        ("crewlab.tools", "leaves", "SystemExit: 3"),
        ("crewlab.tools", "good", "'workspace_read': name taken"),
        ("crewlab.tools", "good", "TOOL-1"),
        ("crewlab.tools", "good", "str is no tool"),
        ("crewlab.providers", "openai", "name taken"),
        ("crewlab.providers", "other", "no such provider"),
        ("crewlab.providers", "failing", "broken on purpose"),
        ("crewlab.channels", "failing", "broken on purpose"),
    ):
        told = [line for line in lines if line.startswith(f"{name} of the entry point group {group} is left out") and why in line]
        assert len(told) == 1, (name, why, lines)
    assert any("mail could not stop" in line for line in lines)
    assert any("parrot could not be closed" in line for line in lines)


@pytest.mark.spec("AGT-39")
@pytest.mark.usefixtures("installed")
def test_doctor_knows_a_provider_of_another_package(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.ensure()
    probes = Probes(ollama=lambda url: False, local=lambda home: (None, "engine"), extension=lambda: True, front_end=lambda: True)
    facts = gather(home, {"CREWLAB_ROUTES": "parrot:grey"}, Texts("en"), probes)
    assert can_answer(facts)
    assert facts.lacking == ()
    assert not can_answer(gather(home, {"CREWLAB_ROUTES": "nobody:grey"}, Texts("en"), probes))

"""``GET /crewlab/api/tools``: every tool, who holds it, and what it comes with."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.server import jupyter

SECRETS = {"OPENROUTER_API_KEY": "sk-or-v1-0123456789abcdef", "FIRECRAWL_API_KEY": "fc-0123456789abcdef", "BRAVE_API_KEY": "BSA-secret-77"}
AGENTS = {
    "adviser": "tools: [workspace_read, workspace_edit, tool_output_read]\n",
    "worker": "mode: work\n",
    "narrow": "tools: [workspace_list]\nextra_tools: [workspace]\n",
    "porter": "toolset: portal\n",
}


async def rows(base: Path, **more: Any) -> tuple[dict[str, dict[str, Any]], str, dict[str, dict[str, Any]]]:
    home = base / "home"
    for name, text in AGENTS.items():
        (home / "agents" / name).mkdir(parents=True)
        (home / "agents" / name / "agent.yaml").write_text(text)
    async with jupyter(base, **more) as lab, lab.client() as client:
        answer = await client.get("tools")
        assert answer.status_code == 200
        agents = {each["id"]: each for each in (await client.get("agents")).json()["agents"]}
        connections = (await client.get("connections")).text
        return {row["name"]: row for row in answer.json()["tools"]}, answer.text + connections, agents


@pytest.mark.spec("TOOL-39", "TOOL-40", "TOOL-41", "TOOL-42", "PTL-24")
async def test_the_list_is_the_union_over_all_agents_with_who_holds_each_tool(tmp_path: Path) -> None:
    found, _, agents = await rows(tmp_path)
    for name, row in found.items():
        assert row["agents"] == [id for id, agent in agents.items() if name in agent["tools"]], name
        assert row["agents"]
    assert set(found) == {name for agent in agents.values() for name in agent["tools"]}
    assert found["workspace_glob"]["agents"] == ["worker"]  # not the master's
    row = found["workspace_edit"]
    assert {key: row[key] for key in ("requires_approval", "replay_safe", "parallel", "tier", "group", "always_on", "comes_with")} == {
        "requires_approval": True,
        "replay_safe": False,
        "parallel": False,
        "tier": "write",
        "group": "workspace",
        "always_on": False,
        "comes_with": None,
    }
    assert row["parameters"]["required"] == ["path", "old", "new"]
    assert row["description"]
    assert found["progress_note"]["group"] == "notes"


@pytest.mark.spec("TOOL-20", "TOOL-21", "PTL-12", "PTL-13", "PTL-16")
async def test_who_holds_the_tools_for_files(tmp_path: Path) -> None:
    found, _, agents = await rows(tmp_path)
    assert found["workspace_edit"]["agents"] == ["narrow", "porter", "worker"]  # the adviser's mode does not give it
    assert found["workspace_delete"]["agents"] == ["narrow", "porter"]
    assert set(agents["adviser"]["tools"]) >= {"workspace_read", "tool_output_read"}
    assert "workspace_list" not in agents["adviser"]["tools"]
    assert {"workspace_list", "workspace_delete", "workspace_grep"} <= set(agents["narrow"]["tools"])
    assert "tool_output_read" not in agents["narrow"]["tools"]
    assert {"workspace_edit", "tool_output_read"} <= set(agents["porter"]["tools"])
    assert "progress_note" not in agents["porter"]["tools"]


@pytest.mark.spec("SCR-208", "TOOL-45", "TOOL-46")
async def test_the_row_of_scripts_is_marked_and_speaks_with_the_words_of_the_first_holder(tmp_path: Path) -> None:
    found, _, agents = await rows(tmp_path)
    row = found["tool_script"]
    assert row["with_reads"]
    assert [name for name, one in found.items() if one["with_reads"]] == ["tool_script"]
    assert row["agents"] == [id for id, agent in agents.items() if "tool_script" in agent["tools"]]
    assert len(row["agents"]) > 1
    assert "workspace_read(path: string" in row["description"]


@pytest.mark.spec("TOOL-43", "TOOL-45")
async def test_marks_say_what_a_tool_comes_with(tmp_path: Path) -> None:
    found, _, _ = await rows(tmp_path, config="routes: [fake:echo]\nvision_routes: [fake:echo]\n")
    assert found["image_read"]["optional"]
    assert not found["workspace_read"]["optional"]
    marks = ("with_mcp", "with_reads", "with_browser", "with_desktop", "with_code", "with_vibe")
    assert not any(found["workspace_read"][mark] for mark in marks)


@pytest.mark.spec("TOOL-48", "AGT-33")
async def test_the_names_a_list_can_decide(tmp_path: Path) -> None:
    _, _, agents = await rows(tmp_path)
    listable = {id: set(agent["listable_tools"]) for id, agent in agents.items()}
    assert "workspace_list" in listable["adviser"]  # not held, but its list could name it
    assert "workspace_glob" in listable["worker"]
    assert "workspace_glob" not in listable["adviser"]
    assert "workspace_list" not in listable["porter"]  # in every turn of portal
    everything = set().union(*listable.values())
    assert not [name for name in everything if name.startswith(("browser_", "computer_", "mcp__"))]
    assert not everything & {"tool_search", "tool_script", "calculator", "read_transcript"}


@pytest.mark.spec("TOOL-51", "TOOL-52")
async def test_no_configured_secret_stands_in_what_is_shown(tmp_path: Path) -> None:
    secrets = tmp_path / "home" / "secrets"
    secrets.mkdir(parents=True)
    (secrets / "secrets.env").write_text("".join(f"{name}={value}\n" for name, value in SECRETS.items()))
    _, text, _ = await rows(tmp_path)
    assert json.loads(text[text.index('{"providers"') :])["keys"]
    assert not [name for name, value in SECRETS.items() if value in text]

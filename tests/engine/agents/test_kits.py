"""Kits of other programs read as they are: agents, commands, skills."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.agents.kit_agents import slug, tools_of
from crewlab.engine.agents.kits.service import Kits
from crewlab.engine.agents.persona import persona_of
from crewlab.engine.agents.roster import Roster, load_roster
from crewlab.engine.agents.skills import Skills
from crewlab.engine.home.kinds import is_agent_id
from crewlab.engine.home.layout import Home
from crewlab.engine.home.settings import load_settings
from crewlab.engine.home.textfiles import TextFiles
from crewlab.engine.texts import Texts

EN = Texts("en")
CLAUDE_AGENT = """---
name: code-reviewer
description: Expert code reviewer. Use proactively after code changes.
tools: Read, Grep, Glob, Bash(git diff:*), TodoWrite
model: sonnet
color: purple
---

You are a senior code reviewer.
"""
OPENCODE_AGENT = """---
description: Writes and maintains documentation
mode: subagent
model: anthropic/claude-sonnet-4
temperature: 0.1
tools:
  bash: false
  write: false
permission:
  edit: deny
---
You are a technical writer.
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def put(home: Home, path: str, text: str | bytes) -> Path:
    file = home.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def load(home: Home) -> Roster:
    return load_roster(home, load_settings(home, {}), EN)


def kits(home: Home) -> Kits:
    return Kits(home, load(home), TextFiles(), EN)


# --- agents


@pytest.mark.spec("KIT-1", "KIT-3", "KIT-6", "KIT-7", "KIT-8", "KIT-20")
def test_agents_of_both_programs_become_members_of_the_crew(home: Home) -> None:
    put(home, ".claude/agents/whatever.md", CLAUDE_AGENT)
    put(home, ".opencode/agent/docs-writer.md", OPENCODE_AGENT)
    roster = load(home)
    assert [agent.id for agent in roster.all()] == ["default", "code-reviewer", "docs-writer"]
    reviewer, writer = roster.get("code-reviewer"), roster.get("docs-writer")
    assert reviewer.tools == ("workspace_read", "workspace_grep", "workspace_glob", "shell_run")
    assert (reviewer.origin, reviewer.routes, reviewer.mode, reviewer.workspace) == ("kit", None, "chat", home.workspace)
    assert reviewer.description == "Expert code reviewer. Use proactively after code changes."
    assert persona_of(reviewer, EN) == "You are a senior code reviewer."
    assert writer.tools is not None
    assert "workspace_read" in writer.tools
    assert not {"shell_run", "workspace_write"} & set(writer.tools)
    assert {"code-reviewer", "docs-writer"} <= set(roster.master.delegates)
    assert roster.warnings == []


@pytest.mark.spec("KIT-7")
def test_a_head_that_is_no_yaml_is_read_line_by_line_as_its_makers_do(home: Home) -> None:
    head = 'description: Use when code changes. Examples: <example>user: "Check" assistant: ok</example>\ntools: Read, Grep'
    put(home, ".claude/agents/loose.md", f"---\nname: loose\n{head}\n---\nYou check.\n")
    agent = load(home).get("loose")
    assert agent.description.startswith("Use when code changes. Examples: <example>")
    assert agent.tools == ("workspace_read", "workspace_grep")


@pytest.mark.spec("KIT-6")
def test_a_yaml_profile_has_the_last_word_and_the_kit_fills_what_it_leaves_open(home: Home) -> None:
    put(home, ".claude/agents/a.md", CLAUDE_AGENT)
    put(home, "agents/code-reviewer/agent.yaml", "description: Mine\nmax_steps: 3\n")
    agent = load(home).get("code-reviewer")
    assert (agent.origin, agent.description, agent.max_steps, agent.profile.tools) == ("profile", "Mine", 3, None)
    assert agent.tools is not None
    assert "shell_run" in agent.tools
    assert persona_of(agent, EN) == "You are a senior code reviewer."
    put(home, "agents/code-reviewer/PERSONA.md", "I am another.")
    assert persona_of(agent, EN) == "I am another."


@pytest.mark.spec("KIT-4")
def test_an_agents_own_kit_comes_before_the_homes_and_the_kinds_have_an_order(home: Home, caplog: pytest.LogCaptureFixture) -> None:
    put(home, "agents/ada/agent.yaml", "name: Ada\n")
    for place in (".agents/agents", ".claude/agents", ".opencode/agents", "agents/ada/.opencode/agent"):
        put(home, f"{place}/helper.md", f"---\ndescription: from {place}\n---\nx")
    with caplog.at_level(logging.INFO):
        agent = load(home).get("helper")
    assert agent.description == "from agents/ada/.opencode/agent"
    assert len([record for record in caplog.records if "in the shadow of" in record.message]) == 3
    (home.root / "agents/ada/.opencode/agent/helper.md").unlink()
    assert load(home).get("helper").description == "from .agents/agents"


@pytest.mark.spec("KIT-8")
def test_an_agent_may_give_work_to_those_of_its_own_kit(home: Home) -> None:
    put(home, "agents/ada/agent.yaml", "name: Ada\n")
    put(home, "agents/bob/agent.yaml", "tools: [workspace_read]\n")
    put(home, "agents/ada/.claude/agents/helper.md", "---\nname: helper\n---\nx")
    put(home, "agents/bob/.claude/agents/other.md", "---\nname: other\n---\nx")
    roster = load(home)
    assert (roster.get("ada").delegates, roster.get("ada").may_delegate) == (("helper",), True)
    assert not roster.get("bob").may_delegate  # its list leaves the tool out


@pytest.mark.spec("KIT-2")
@pytest.mark.parametrize("workspace", [".", "..", "../.."])
def test_a_kit_inside_a_workspace_is_data_and_not_read(home: Home, workspace: str) -> None:
    put(home, "agents/ada/agent.yaml", f"workspace: {workspace}\n")
    put(home, "agents/ada/.claude/agents/helper.md", CLAUDE_AGENT)
    put(home, "agents/ada/.claude/commands/go.md", "Go")
    put(home, "agents/ada/.claude/skills/s/SKILL.md", "---\nname: s\n---\nx")
    put(home, "workspace/.claude/agents/b.md", "---\nname: b\n---\nx")
    roster = load(home)
    assert [agent.id for agent in roster.all()] == ["default", "ada"]
    assert kits(home).commands(roster.get("ada")) == {}
    skills = Skills(home, TextFiles(), EN)
    skills.workspaces = lambda: [agent.workspace for agent in roster.all()]
    assert skills.names(roster.get("ada")) == ()


@pytest.mark.spec("KIT-5")
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x" * (256 * 1024 + 1), "larger than 256 KB"),
        (b"\xff\xfe", "no UTF-8"),
        ("---\nname: [\n---\nx", "not a YAML mapping"),
        ("---\n---\n", "says nothing"),
        ("---\nname: owner\n---\nx", "no id"),
        ("---\nname: '!!!'\n---\nx", "no id"),
    ],
)
def test_a_broken_file_is_left_out_with_one_warning(home: Home, text: str | bytes, why: str) -> None:
    put(home, ".claude/agents/bad.md", text)
    put(home, ".claude/agents/good.md", "Just words")
    roster = load(home)
    assert [agent.id for agent in roster.all()] == ["default", "good"]
    [warning] = roster.warnings
    assert why in warning
    assert "bad.md" in warning


@pytest.mark.spec("KIT-5")
def test_nothing_that_leads_out_of_a_kit_is_followed(home: Home, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    for name in ("a.md", "SKILL.md"):
        (outside / name).write_text(CLAUDE_AGENT)
    put(home, ".claude/agents/x.txt", "")
    (home.root / ".claude/agents/a.md").symlink_to(outside / "a.md")
    (home.root / ".claude/commands").symlink_to(outside)
    (home.root / ".claude/skills/s").mkdir(parents=True)
    (home.root / ".claude/skills/s/SKILL.md").symlink_to(outside / "SKILL.md")
    roster = load(home)
    assert len(roster.all()) == 1
    assert len(roster.warnings) == 1
    assert kits(home).commands(roster.master) == {}
    held = Skills(home, TextFiles(), EN).of(roster.master)
    assert held.skills == {}
    assert "leads out" in held.warnings[0]


@pytest.mark.spec("KIT-7")
@pytest.mark.parametrize(
    ("written", "names"),
    [
        (None, None),
        ("*", None),
        ("Read, Write", ("workspace_read", "workspace_write")),
        (["Edit", "MultiEdit"], ("workspace_edit",)),
        ("Nonsense", ()),
        ("", ()),
        (7, ()),
    ],
)
def test_what_tools_means_in_claude_code(written: object, names: tuple[str, ...] | None) -> None:
    assert tools_of(written, ".claude", work=False) == names


@pytest.mark.spec("KIT-7")
def test_switches_of_opencode_take_away_and_a_star_takes_all() -> None:
    assert tools_of({"*": False, "read": True, "grep": True}, ".opencode", work=False) == ("workspace_grep", "workspace_read")
    assert tools_of({"read": True}, ".opencode", work=False) is None
    left = tools_of({"bash": False}, ".opencode", work=True)
    assert left is not None
    assert "shell_run" not in left
    assert "workspace_edit" in left


@pytest.mark.spec("KIT-7", "AGT-12")
@given(st.text(max_size=80))
def test_a_name_becomes_an_id_or_nothing(name: str) -> None:
    assert slug(name) == "" or is_agent_id(slug(name))
    assert slug("Người Đọc") == "nguoi-doc"


# --- skills


@pytest.mark.spec("KIT-22", "KIT-4", "KIT-3")
def test_skills_of_kits_stand_between_the_agents_own_and_the_homes(home: Home) -> None:
    put(home, "agents/ada/agent.yaml", "name: Ada\n")
    places = ["agents/ada/skills", "agents/ada/.claude/skills", ".agents/skills", ".opencode/skill", "skills"]
    for count, _ in enumerate(places, start=1):
        for place in places[:count]:
            put(home, f"{place}/s{count}/SKILL.md", f"---\nname: s{count}\ndescription: {place}\n---\nx")
    for number, place in enumerate(places):
        put(home, f"{place}/t{number}/SKILL.md", f"---\nname: t{number}\ndescription: {place}\n---\nx")
    held = Skills(home, TextFiles(), EN).of(load(home).get("ada")).skills
    assert {held[f"s{count}"].description for count in range(1, 6)} == {"agents/ada/skills"}
    assert [held[f"t{number}"].description for number in range(5)] == places
    (home.root / "agents/ada/skills/s5/SKILL.md").unlink()
    held = Skills(home, TextFiles(), EN).of(load(home).get("ada")).skills
    assert held["s5"].description == "agents/ada/.claude/skills"

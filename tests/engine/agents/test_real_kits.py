"""Kits in the shapes that people publish: what their owners meant is what the crew reads, or it is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crewlab.engine.agents.kits.commands import Command
from crewlab.engine.agents.kits.service import Kits
from crewlab.engine.agents.roster import Roster, load_roster
from crewlab.engine.agents.skills import Skills
from crewlab.engine.home.layout import Home
from crewlab.engine.home.settings import load_settings
from crewlab.engine.home.textfiles import TextFiles
from crewlab.engine.texts import Texts

EN = Texts("en")
HANDS = {"workspace_write", "workspace_edit", "workspace_patch", "shell_run"}

PROACTIVE = """---
name: Data Steward
description: Use this when a table must be checked. Examples: <example>user: "is it clean?" assistant: "I ask"</example>
tools: Read Grep Glob Bash(git log:*)
disallowedTools: Bash
model: inherit
color: cyan
permissionMode: plan
skills: tables, units
---
You keep tables clean.
"""
NO_LIST = "---\nname: reader\ndescription: Reads.\ndisallowedTools:\n  - Write\n  - Edit\n  - MultiEdit\n  - Bash\n---\nRead only.\n"
SOME_RULES = "---\nname: careful\ndisallowedTools: Bash(rm:*), Bash(git push:*)\n---\nBe careful.\n"
OPENCODE = """---
description: >-
  Audits code.
  Changes nothing.
mode: subagent
model: anthropic/claude-sonnet-4-20250514
temperature: 0.1
permission:
  edit: deny
  bash:
    "*": deny
  webfetch: allow
---
Audit.
"""
SOME_BASH = '---\ndescription: Releases.\nmode: subagent\npermission:\n  bash:\n    "*": ask\n    "git push": deny\n---\nRelease.\n'
COMMAND = """---
allowed-tools: Bash(git add:*), Bash(git status:*)
argument-hint: [issue-number] [priority]
description: Fix an issue: find it, mend it
model: claude-3-5-haiku-20241022
---

## Context

- Current state: !`git status`
- Rules: @docs/rules.md

Fix issue #$1 with priority $2. All that was said: $ARGUMENTS
"""
OPENCODE_COMMAND = "---\ndescription: Review\nagent: build\nsubtask: true\n---\nReview $ARGUMENTS.\n"
SKILL = """---
name: pdf-forms
description: Fill PDF forms. Use when the user names a form.
license: MIT
allowed-tools: Read, Bash(python:*)
metadata:
  version: "1.2"
---
# PDF forms
See [reference](reference.md).
"""
SETTINGS = {
    "$schema": "https://json.schemastore.org/claude-code-settings.json",
    "permissions": {"allow": ["Bash(npm run test:*)"], "deny": ["Read(./.env)"]},
    "env": {"FOO": "1"},
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "$CLAUDE_PROJECT_DIR/.claude/hooks/check.sh", "timeout": 5}]},
            {"matcher": "Bash(git *)", "hooks": [{"type": "command", "command": "exit 2"}]},
            {"matcher": 'tool == "Edit"', "hooks": [{"type": "command", "command": "exit 2"}]},
            {"matcher": ["Write", "Edit"], "hooks": [{"type": "command", "command": "exit 2"}]},
            {"matcher": "Notebook(Edit|Read)", "hooks": [{"type": "command", "command": "true"}]},
            {"matcher": "mcp__(memory|files)__.*", "hooks": [{"type": "command", "command": "true"}]},
        ],
        "PostToolUse": [
            {
                "matcher": "Edit|MultiEdit|Write",
                "hooks": [
                    {"type": "command", "command": "jq -r '.tool_input.file_path' | xargs prettier --write", "timeout": 60000},
                    {"type": "prompt", "prompt": "Was it right? $ARGUMENTS"},
                ],
            }
        ],
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
        "UserPromptSubmit": [{"hooks": [{"type": "command", "command": "true"}]}],
    },
}


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def put(home: Home, path: str, text: str) -> None:
    file = home.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def load(home: Home) -> Roster:
    return load_roster(home, load_settings(home, {}), EN)


def kits(home: Home) -> Kits:
    return Kits(home, load(home), TextFiles(), EN)


def commands(home: Home) -> dict[str, Command]:
    found = kits(home)
    return found.commands(load(home).master)


@pytest.mark.spec("KIT-1", "KIT-7", "KIT-20", "KITS-1", "KITS-2")
def test_what_an_agent_may_not_use_it_does_not_get(home: Home) -> None:
    put(home, ".claude/agents/steward.md", PROACTIVE)
    put(home, ".claude/agents/reader.md", NO_LIST)
    put(home, ".claude/agents/careful.md", SOME_RULES)
    put(home, ".opencode/agent/audit.md", OPENCODE)
    put(home, ".opencode/agent/release.md", SOME_BASH)
    roster = load(home)
    steward = roster.get("data-steward")
    assert steward.tools == ("workspace_read", "workspace_grep", "workspace_glob")
    assert steward.name == "Data Steward"
    for name in ("reader", "audit"):
        held = roster.get(name).tools
        assert held is not None
        assert HANDS.isdisjoint(held)
        assert {"workspace_read", "fetch_url"} <= set(held)
    for name in ("careful", "release"):  # a rule for some commands is not the loss of the tool: the gate asks
        assert roster.get(name).tools is None
    assert roster.warnings == []


@pytest.mark.spec("KIT-7", "KITS-2")
def test_notes_beside_agents_and_agents_that_are_switched_off_join_nobody(home: Home) -> None:
    put(home, ".claude/agents/README.md", "# Our agents\n\nOne file each.\n")
    put(home, ".opencode/agent/old.md", "---\ndescription: Old.\ndisable: true\n---\nOld.\n")
    put(home, ".agents/agents/plain.md", "You count.\n")
    assert [agent.id for agent in load(home).all()] == ["default", "plain"]
    assert load(home).warnings == []


@pytest.mark.spec("KIT-9", "KIT-10", "KIT-11", "KIT-12", "KITS-3")
def test_commands_with_arguments(home: Home) -> None:
    put(home, ".claude/commands/gh/fix-issue.md", COMMAND)
    put(home, ".opencode/command/review.md", OPENCODE_COMMAND)
    put(home, ".agents/commands/plain.md", "# Say hello\n\nSay hello to $1.\n")
    found = commands(home)
    assert {name: (one.description, one.hint) for name, one in found.items()} == {
        "gh:fix-issue": ("Fix an issue: find it, mend it", "[issue-number] [priority]"),
        "review": ("Review", ""),
        "plain": ("Say hello", ""),
    }
    called = kits(home).call(load(home).master, '/gh:fix-issue 12 "very high"', 10_000)
    assert called is not None
    assert called[1] is not None
    assert "Fix issue #12 with priority very high." in called[1]
    assert 'All that was said: 12 "very high"' in called[1]
    assert "!`git status`" in called[1]
    assert "@docs/rules.md" in called[1]


@pytest.mark.spec("KIT-3", "KIT-21")
@pytest.mark.parametrize("place", [".claude/skills", ".agents/skills", ".opencode/skill", ".opencode/skills"])
def test_a_skill_with_more_in_its_head_than_we_read(home: Home, place: str) -> None:
    put(home, f"{place}/pdf-forms/SKILL.md", SKILL)
    held = Skills(home, TextFiles(), EN).of(load(home).master)
    assert list(held.skills) == ["pdf-forms"]
    assert held.warnings == ()
    assert held.skills["pdf-forms"].description == "Fill PDF forms. Use when the user names a form."


@pytest.mark.spec("KIT-14", "KIT-15", "KIT-19", "KITS-3")
def test_hooks_are_asked_as_meant_or_told(home: Home) -> None:
    put(home, ".claude/settings.json", json.dumps(SETTINGS))
    found = kits(home)
    master = load(home).master
    asked = [(hook.event, hook.matcher.pattern if hook.matcher else "", hook.seconds) for hook in found.hooks(master)]
    assert asked == [
        ("PreToolUse", "Bash", 5.0),
        ("PreToolUse", "Notebook(Edit|Read)", 60.0),
        ("PreToolUse", "mcp__(memory|files)__.*", 60.0),
        ("PostToolUse", "Edit|MultiEdit|Write", 60.0),
    ]
    warnings = found.warnings(master)
    assert len(warnings) == 4
    for matcher in ("Bash(git *)", 'tool == "Edit"'):
        assert any(matcher in line and "meets no tool" in line for line in warnings)
    assert any("['Write', 'Edit'] is not a regular expression" in line for line in warnings)
    assert any('only hooks of the type "command" are run' in line for line in warnings)

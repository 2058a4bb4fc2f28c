"""Hooks of kits: which are asked, what they read, what they may say (KIT-14 to KIT-20, TOOL-14)."""

import json
import shlex
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.agents.kits import running
from crewlab.engine.agents.kits.hooks import HOOK_SECONDS, read_answer
from crewlab.engine.crew import Crew
from crewlab.engine.models.fake import FakeCall
from crewlab.engine.sandbox.environment import PASSED
from crewlab.engine.texts import Texts
from crewlab.engine.tools.call import Ran
from crewlab.engine.tools.contract import ToolContext
from crewlab.engine.tools.hooked import run_hooked
from tests.fixtures.crews import a_crew, say
from tests.fixtures.kits import settings
from tests.fixtures.remembered import put

EN = Texts("en")


def calling(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """A model that makes one call, then says what it was answered."""

    async def script(scene: Any) -> AsyncIterator[Any]:
        answers = [message.content for message in scene.request.messages if message.role == "tool"]
        if answers:
            yield f"answer: {answers[-1]}"
        else:
            yield FakeCall(name, json.dumps(arguments))

    return {"main": script}


async def hooked(crew: Crew, name: str, arguments: dict[str, Any], agent: str = "default", *, in_script: bool = False) -> Ran:
    """One call as a turn or a script makes it after the gate."""
    member = crew.roster.get(agent)
    tool = crew.toolbox.of(member).get(name)
    assert tool is not None
    context = ToolContext(member.id, member.workspace, crew.texts, conversation_id="c-1", in_script=in_script)
    hooks = crew.conversations._parts.hooks
    assert hooks is not None
    return await run_hooked(hooks, member, tool, arguments, context)


def saving(path: Path) -> str:
    """A hook that keeps what it reads."""
    return f"cat >> {shlex.quote(str(path))}; echo >> {shlex.quote(str(path))}"


def kept(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.mark.spec("KIT-16", "KIT-14", "KIT-20")
async def test_what_a_hook_reads_before_and_after_a_call(tmp_path: Path) -> None:
    home, seen = tmp_path / "home", tmp_path / "seen"
    put(home / "agent.yaml", "mode: work\n")
    settings(home, ("PreToolUse", "Write", saving(seen)), ("PostToolUse", "Write|Edit", saving(seen)))
    async with a_crew(home) as crew:
        workspace = str(crew.roster.master.workspace)
        ran = await hooked(crew, "workspace_write", {"path": "a.txt", "content": "nội dung"})
        assert ran.ok
        before, after = kept(seen)
        assert before == {
            "session_id": "c-1",
            "cwd": workspace,
            "hook_event_name": "PreToolUse",
            "tool_name": "Write",
            "tool_input": {"file_path": "a.txt", "content": "nội dung"},
        }
        assert after == {**before, "hook_event_name": "PostToolUse", "tool_response": ran.text}
        await hooked(crew, "workspace_edit", {"path": "a.txt", "old": "nội", "new": "x"})
        assert kept(seen)[-1]["tool_input"] == {"file_path": "a.txt", "old_string": "nội", "new_string": "x"}
        assert kept(seen)[-1]["tool_name"] == "Edit"


@pytest.mark.spec("KIT-14")
async def test_a_call_that_writes_several_files_is_asked_about_for_each(tmp_path: Path) -> None:
    settings(tmp_path, ("PreToolUse", "Write", 'grep -q \'"file_path": ".env"\' && { echo no secrets >&2; exit 2; }; exit 0'))
    async with a_crew(tmp_path) as crew:
        files = [{"path": "ok.txt", "content": "x"}, {"path": ".env", "content": "y"}]
        ran = await hooked(crew, "workspace_write", {"files": files})
        assert not ran.ok
        assert "no secrets" in ran.text
        assert not (crew.roster.master.workspace / "ok.txt").exists()
        assert (await hooked(crew, "workspace_write", {"files": files[:1]})).ok


@pytest.mark.spec("KIT-15", "KIT-20")
@pytest.mark.parametrize(
    ("matcher", "name"),
    [
        (None, "Edit"),
        ("", "Edit"),
        ("*", "Edit"),
        ("Edit", "Edit"),
        ("MultiEdit", "MultiEdit"),
        ("Write|Edit", "Edit"),
        (".*", "Edit"),
        ("workspace_edit", "Edit"),
        ("workspace_.*", "Edit"),
        ("Edi", None),
        ("edit", None),
        ("Bash", None),
    ],
)
async def test_which_matcher_meets_a_tool(tmp_path: Path, matcher: str | None, name: str | None) -> None:
    settings(tmp_path, ("PreToolUse", matcher, "true"))
    async with a_crew(tmp_path) as crew:
        (hook,) = crew.kits.hooks(crew.roster.master)
        assert hook.called("workspace_edit") == name
        assert hook.called("mcp__github__list_issues") == ("mcp__github__list_issues" if matcher in (None, "", "*", ".*") else None)


@pytest.mark.spec("KIT-15", "KIT-3", "KIT-9")
async def test_where_hooks_stand_and_whose_they_are(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    put(tmp_path / "agents" / "ada" / "agent.yaml", "name: Ada\n")
    settings(tmp_path / "agents" / "ada", ("PreToolUse", "Bash", "ada"))
    settings(tmp_path, ("PreToolUse", "Bash", "one"), ("Stop", None, "never"), ("SessionStart", None, "never"))
    settings(tmp_path, ("PostToolUse", "Bash", "two"), ("PreToolUse", "Bash", "one"), name=".claude/settings.local.json")
    put(tmp_path / ".agents" / "hooks.json", json.dumps({"PreToolUse": [{"hooks": [{"command": "three"}]}]}))
    put(tmp_path / ".opencode" / "settings.json", json.dumps({"hooks": {"PreToolUse": [{"hooks": [{"command": "four"}]}]}}))
    put(tmp_path / ".opencode" / "plugin" / "x.js", "process.exit(2)")
    async with a_crew(tmp_path) as crew:
        assert [hook.command for hook in crew.kits.hooks(crew.roster.master)] == ["three", "one", "two"]
        assert [hook.command for hook in crew.kits.hooks(crew.roster.get("ada"))] == ["ada", "three", "one", "two"]
        crew.kits.hooks(crew.roster.master)
        assert sum("Stop, SessionStart" in line for line in caplog.messages) == 1
        settings(tmp_path, ("PreToolUse", "Bash", "changed"))
        assert "changed" in [hook.command for hook in crew.kits.hooks(crew.roster.master)]


@pytest.mark.spec("KIT-17", "KIT-16", "TOOL-14")
async def test_a_blocked_call_is_an_error_result_with_the_hooks_words(tmp_path: Path) -> None:
    settings(tmp_path, ("PreToolUse", "Read", "echo 'use the index instead' >&2; exit 2"), ("PostToolUse", "Read", "echo no >&2; exit 2"))
    async with a_crew(tmp_path, routes="fake:main", scripts=calling("workspace_read", {"path": "a.txt"})) as crew:
        put(crew.roster.master.workspace / "a.txt", "the words of the file")
        conversation, events = await say(crew, "read it")
        (result,) = [event for event in events if event.type == "tool_result"]
        assert (result.ok, result.outcome) == (False, "error")
        assert result.output == EN("kits.blocked", reason="use the index instead")
        (step,) = [step for step in crew.runs.list(conversation_id=conversation)[0][0].steps if step.kind == "tool"]
        assert step.status == "error"


@pytest.mark.spec("KIT-17", "TOOL-14")
async def test_hooks_are_not_asked_about_a_call_that_the_gate_stops_and_cannot_grant_one(tmp_path: Path) -> None:
    home, seen = tmp_path / "home", tmp_path / "seen"
    grant = json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}})
    settings(home, ("PreToolUse", None, f"{saving(seen)}; echo {shlex.quote(grant)}"))
    async with a_crew(home, routes="fake:main", scripts=calling("shell_run", {"command": "echo hi"})) as crew:
        conversation, events = await say(crew, "go")
        assert events[-1].type == "approval_required"
        assert kept(seen) == []
        pending = crew.approvals.list(conversation_id=conversation)[0]
        await crew.approvals.decide(pending.id, "approve")
        await crew.host.wait(conversation)
        assert [one["tool_input"] for one in kept(seen)] == [{"command": "echo hi"}]
        assert crew.conversations.detail(conversation).messages[-1].content == "answer: hi\n"


@pytest.mark.spec("KIT-16", "OUT-1", "TOOL-14")
async def test_what_a_hook_adds_stands_below_the_result_and_under_the_ceiling(tmp_path: Path) -> None:
    def adding(event: str, text: str) -> tuple[str, str, str]:
        answer = json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}})
        return (event, "Read", f"echo {shlex.quote(answer)}")

    settings(tmp_path, adding("PreToolUse", "before"), adding("PostToolUse", "after " + "y" * 3000))
    put(tmp_path / "agent.yaml", "tool_output_chars: 1000\n")
    async with a_crew(tmp_path, routes="fake:main", scripts=calling("workspace_read", {"path": "a.txt"})) as crew:
        put(crew.roster.master.workspace / "a.txt", "the words")
        ran = await hooked(crew, "workspace_read", {"path": "a.txt"})
        assert ran.ok
        assert ran.text.startswith("the words")
        assert ran.text.index(EN("kits.added", text="before")) < ran.text.index(EN("kits.added", text="after yyy"))
        _, events = await say(crew, "read it")
        (result,) = [event for event in events if event.type == "tool_result"]
        assert result.ok
        assert len(result.output) <= 1000
        assert result.shortened


@pytest.mark.spec("KIT-16")
async def test_a_hook_that_objects_afterwards_is_heard_and_the_call_stands(tmp_path: Path) -> None:
    settings(tmp_path, ("PostToolUse", "Write", "echo 'lint: 1 error' >&2; exit 2"))
    async with a_crew(tmp_path) as crew:
        ran = await hooked(crew, "workspace_write", {"path": "a.py", "content": "x"})
        assert ran.ok
        assert ran.text.endswith(EN("kits.objected", reason="lint: 1 error"))
        assert (crew.roster.master.workspace / "a.py").read_text() == "x"


@pytest.mark.spec("KIT-16", "KIT-19")
@pytest.mark.parametrize("command", ["exit 1", "exit 127", "kill -9 $$", "no-such-program", "echo '{broken'", "sleep 0 & exit 3", "true"])
async def test_any_other_end_lets_the_call_go_and_is_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture, command: str) -> None:
    settings(tmp_path, ("PreToolUse", None, command))
    async with a_crew(tmp_path) as crew:
        put(crew.roster.master.workspace / "a.txt", "words")
        assert (await hooked(crew, "workspace_read", {"path": "a.txt"})) == Ran("words", True)
    assert ("went on" in caplog.text) is (command not in ("true", "echo '{broken'"))


@pytest.mark.spec("KIT-19")
async def test_a_hook_that_takes_too_long_is_ended_and_the_call_goes_on(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    home, late = tmp_path / "home", tmp_path / "late"
    settings(home, ("PreToolUse", None, f"trap '' TERM; sleep 600; touch {late}; exit 2"), timeout=0.2)
    async with a_crew(home) as crew:
        put(crew.roster.master.workspace / "a.txt", "words")
        assert crew.kits.hooks(crew.roster.master)[0].seconds == 0.2
        assert (await hooked(crew, "workspace_read", {"path": "a.txt"})).ok
    assert "more than 0.2 s" in caplog.text
    assert not late.exists()
    assert HOOK_SECONDS == 60


@pytest.mark.spec("KIT-19", "CHN-50")
async def test_no_key_reaches_a_hook_and_it_knows_the_workspace(tmp_path: Path) -> None:
    home, seen = tmp_path / "home", tmp_path / "seen"
    settings(home, ("PreToolUse", None, f"env > {seen}; pwd >> {seen}"))
    put(home / "secrets" / "secrets.env", "ANTHROPIC_API_KEY=sk-saved-secret\n")
    environ = {"OPENAI_API_KEY": "sk-secret", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "MY_TOKEN": "t-secret"}
    async with a_crew(home, environ=environ) as crew:
        workspace = crew.roster.master.workspace
        await hooked(crew, "workspace_list", {})
        *lines, place = seen.read_text().splitlines()
        variables = dict(line.split("=", 1) for line in lines)
        assert place == str(workspace)
        assert variables["CREWLAB_PROJECT_DIR"] == variables["CLAUDE_PROJECT_DIR"] == str(workspace)
        assert set(variables) <= {*PASSED, "CREWLAB_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "PWD", "OLDPWD", "SHLVL", "_"}
        assert "secret" not in seen.read_text()


@pytest.fixture
def ground() -> Iterator[Path]:
    """A folder that a sandbox does not hide by its own ``/tmp``."""
    folder = Path(tempfile.mkdtemp(prefix="crewlab-test-", dir=Path.home()))
    yield folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.spec("KIT-19", "SHL-75", "SHL-53", "CHN-50")
async def test_where_the_agents_commands_are_fenced_its_hooks_are_too(ground: Path) -> None:
    put(ground / "agents" / "ada" / "agent.yaml", "shell_network: false\nshell_write_paths: [out]\n")
    put(ground / "secrets" / "secrets.env", "ANTHROPIC_API_KEY=sk-saved-secret\n")
    words = f"cat {ground}/secrets/secrets.env; touch {ground}/agents/ada/workspace/no; cat > out/seen; env >> out/seen; pwd >> out/seen"
    settings(ground, ("PreToolUse", "LS", f"{words}; echo it says no >&2; exit 2"))
    async with a_crew(ground, environ={"OPENAI_API_KEY": "sk-secret", "PATH": "/usr/bin:/bin"}) as crew:
        workspace = crew.roster.get("ada").workspace
        workspace.mkdir(parents=True)
        ran = await hooked(crew, "workspace_list", {}, agent="ada")
        assert not ran.ok
        assert "it says no" in ran.text
        assert "sk-saved-secret" not in ran.text
        assert not (workspace / "no").exists()
        seen = (workspace / "out" / "seen").read_text()
        assert '"tool_name": "LS"' in seen
        assert f"CLAUDE_PROJECT_DIR={workspace}" in seen
        assert "secret" not in seen
        assert seen.splitlines()[-1] == str(workspace)


@pytest.mark.spec("KIT-19")
async def test_a_hook_whose_sandbox_cannot_be_built_does_not_run_without_one(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    seen = tmp_path / "seen"
    put(tmp_path / "home" / "agent.yaml", "shell_network: false\n")
    settings(tmp_path / "home", ("PreToolUse", None, f"touch {seen}; exit 2"))
    async with a_crew(tmp_path / "home", environ={"PATH": "/nowhere"}) as crew:
        assert (await hooked(crew, "workspace_list", {})).ok
    assert not seen.exists()
    assert "could not be asked" in caplog.text


@pytest.mark.spec("KIT-18", "KIT-17")
async def test_a_call_of_a_script_is_asked_about_like_any_other(tmp_path: Path) -> None:
    settings(tmp_path, ("PreToolUse", "Read", "echo not now >&2; exit 2"))
    async with a_crew(tmp_path) as crew:
        ran = await hooked(crew, "workspace_read", {"path": "a.txt"}, in_script=True)
        assert (ran.ok, ran.text) == (False, EN("kits.blocked", reason="not now"))


async def test_arguments_longer_than_an_argument_list_reach_the_hook_and_endless_ones_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, seen = tmp_path / "home", tmp_path / "seen"
    settings(home, ("PreToolUse", "Write", f"wc -c > {seen}"))
    async with a_crew(home) as crew:
        content = "".join(chr(97 + number * number % 26) for number in range(900_000))
        assert (await hooked(crew, "workspace_write", {"path": "a.txt", "content": content})).ok
        assert int(seen.read_text()) > 900_000
        monkeypatch.setattr(running, "MOST_BYTES", 100)
        ran = await hooked(crew, "workspace_write", {"path": "b.txt", "content": "x"})
        assert (ran.ok, ran.text) == (False, EN("kits.blocked", reason=EN("kits.too_long_for_hook")))


@pytest.mark.spec("KIT-5", "KIT-15")
@pytest.mark.parametrize(
    "written",
    [
        "", "{", "[]", "null", '{"hooks": []}', '{"hooks": {"PreToolUse": {}}}', '{"hooks": {"PreToolUse": [1]}}',
        '{"hooks": {"PreToolUse": [{"matcher": "x"}]}}', '{"hooks": {"PreToolUse": [{"matcher": "(", "hooks": []}]}}',
        '{"hooks": {"PreToolUse": [{"matcher": 5, "hooks": []}]}}', '{"hooks": {"PreToolUse": [{"hooks": [5]}]}}',
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "prompt", "prompt": "x"}]}]}}',
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command"}]}]}}',
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "a\\u0000b"}]}]}}',
        '{"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "\\ud800"}]}]}}',
        "[" * 50_000,
    ],
)  # fmt: skip
async def test_a_broken_hook_is_a_warning_on_the_agent_and_stops_nothing(tmp_path: Path, written: str) -> None:
    put(tmp_path / ".claude" / "settings.json", written)
    settings(tmp_path, ("PreToolUse", "LS", "exit 0"), name=".claude/settings.local.json")
    async with a_crew(tmp_path) as crew:
        assert len(crew.kits.hooks(crew.roster.master)) == 1
        assert len(crew.kits.warnings(crew.roster.master)) == 1
        assert (await hooked(crew, "workspace_list", {})).ok


@pytest.mark.spec("KIT-2")
async def test_hooks_and_commands_in_a_workspace_are_not_read_for_anybody(tmp_path: Path) -> None:
    put(tmp_path / "agents" / "ada" / "agent.yaml", f"workspace: {tmp_path}\n")
    settings(tmp_path, ("PreToolUse", None, "exit 2"))
    put(tmp_path / ".claude" / "commands" / "x.md", "x")
    put(tmp_path / ".claude" / "skills" / "s" / "SKILL.md", "---\nname: s\n---\nx")
    settings(tmp_path / "workspace", ("PreToolUse", None, "exit 2"))
    async with a_crew(tmp_path) as crew:
        for agent in crew.roster.all():
            assert crew.kits.hooks(agent) == ()
            assert crew.kits.commands(agent) == {}
            assert crew.remembering.skills.of(agent).skills == {}
            assert len(crew.kits.warnings(agent)) == 1


@pytest.mark.spec("KIT-16", "KIT-17")
@pytest.mark.parametrize(
    ("code", "out", "err", "blocked", "added"),
    [
        (0, "", "", None, ()),
        (0, "plain words", "", None, ()),
        (0, '{"decision": "block", "reason": "no"}', "", "no", ()),
        (0, '{"decision": "block"}', "", EN("kits.no_reason"), ()),
        (0, '{"decision": "approve"}', "", None, ()),
        (0, '{"hookSpecificOutput": {"permissionDecision": "deny", "permissionDecisionReason": "why"}}', "", "why", ()),
        (0, '{"hookSpecificOutput": {"permissionDecision": "allow"}}', "", None, ()),
        (0, '{"hookSpecificOutput": {"permissionDecision": "ask"}}', "", None, ()),
        (0, '{"hookSpecificOutput": {"additionalContext": " more "}}', "", None, ("more",)),
        (0, '{"additionalContext": "more"}', "", None, ("more",)),
        (0, '{"additionalContext": 5, "hookSpecificOutput": []}', "", None, ()),
        (0, '{"decision": "block", "reason": "no", "additionalContext": "more"}', "", "no", ("more",)),
        (2, "", " why \n", "why", ()),
        (2, '{"decision": "approve"}', "", EN("kits.no_reason"), ()),
        (1, '{"decision": "block", "reason": "no"}', "x", None, ()),
    ],
)
def test_what_an_answer_means(code: int, out: str, err: str, blocked: str | None, added: tuple[str, ...]) -> None:
    said = read_answer(code, out, err, EN)
    assert (said.blocked, said.added) == (blocked, added)


@pytest.mark.spec("KIT-16")
@given(st.recursive(st.none() | st.booleans() | st.text(max_size=9), lambda inner: st.lists(inner) | st.dictionaries(
    st.sampled_from(["decision", "reason", "hookSpecificOutput", "additionalContext", "permissionDecision"]), inner)))  # fmt: skip
def test_no_answer_breaks_the_reading(answer: Any) -> None:
    assert read_answer(0, json.dumps(answer), "", EN).blocked is None or isinstance(answer, dict)

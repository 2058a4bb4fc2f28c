"""``shell_run`` as a turn uses it: arguments, the gate's table, answers."""

import asyncio
import dataclasses
import itertools
import json
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.crew import Crew
from crewlab.engine.gate.verdict import Patterns, Stance, judge
from crewlab.engine.home.patterns import DEFAULT_ASK_PATTERNS
from crewlab.engine.models.fake import FakeCall
from crewlab.engine.sandbox.environment import PASSED
from crewlab.engine.shell import Shell, ask_reason
from crewlab.engine.shell.command import DEFAULT_SECONDS, MAX_SECONDS, policy_of
from crewlab.engine.texts import Texts
from crewlab.engine.tools.call import run_tool
from crewlab.engine.tools.contract import Tool, ToolContext, ToolError
from crewlab.engine.tools.validate import check_arguments
from tests.fixtures.crews import a_crew, say
from tests.fixtures.source import ROOT

EN = Texts("en")
SECONDS = 60


@pytest.fixture
def ground() -> Iterator[Path]:
    """A folder that a sandbox does not hide by its own ``/tmp``."""
    folder = Path(tempfile.mkdtemp(prefix="crewlab-test-", dir=Path.home()))
    yield folder.resolve()
    shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def crew_with(root: Path, profile: str = "", *, scripts: Any = None, config: str = "") -> AsyncIterator[Crew]:
    """A crew whose agent ``worker`` has this profile."""
    folder = root / "agents" / "worker"
    (folder / "workspace").mkdir(parents=True)
    (folder / "agent.yaml").write_text(profile)
    async with a_crew(root, scripts=scripts, config=config, routes="fake:main" if scripts else "fake:echo") as crew:
        yield crew


def calling(*commands: str) -> dict[str, Any]:
    """A model that calls the tool with each command in one message, then ends."""

    async def script(scene: Any) -> AsyncIterator[Any]:
        if any(message.role == "tool" for message in scene.request.messages):
            yield "done"
            return
        for command in commands:
            yield FakeCall("shell_run", json.dumps({"command": command}))

    return {"main": script}


def tool_of(crew: Crew, agent: str = "worker") -> Tool:
    found = crew.toolbox.of(crew.roster.get(agent)).get("shell_run")
    assert found is not None
    return found


def context(crew: Crew, agent: str = "worker", texts: Texts = EN, **more: Any) -> ToolContext:
    return ToolContext(agent_id=agent, workspace=more.pop("workspace", crew.roster.get(agent).workspace), texts=texts, **more)


async def answer(crew: Crew, agent: str = "worker", **arguments: Any) -> tuple[bool, str]:
    """What the tool answers to a call, as a turn would run it."""
    tool, given = tool_of(crew, agent), context(crew, agent)
    ran = await run_tool(tool, check_arguments(tool, arguments, EN), given)
    return ran.ok, ran.text


@pytest.mark.spec("SHL-1", "PTL-12")
@pytest.mark.parametrize(
    ("profile", "held"),
    [
        ("", True),
        ("mode: work", True),
        ("tools: [workspace_read]", False),
        ("tools: [shell_run]", True),
        ("toolset: portal", False),
        ("toolset: portal\ntools: [shell_run]", True),
    ],
)
async def test_who_holds_the_tool(profile: str, held: bool, tmp_path: Path) -> None:
    async with crew_with(tmp_path, profile) as crew:
        assert (crew.toolbox.of(crew.roster.get("worker")).get("shell_run") is not None) is held
        assert tool_of(crew, "default").name == "shell_run"


@pytest.mark.spec("SHL-2", "SHL-3", "SHL-5")
async def test_the_parameters_and_flags(tmp_path: Path) -> None:
    async with crew_with(tmp_path) as crew:
        tool = tool_of(crew)
    assert {name: schema["type"] for name, schema in tool.parameters["properties"].items()} == {"command": "string", "timeout_s": "integer"}
    assert tool.parameters["required"] == ["command"]
    assert (tool.requires_approval, tool.parallel, tool.replay_safe, tool.allow_listed, tool.tier) == (True, False, False, True, "exec")
    assert (DEFAULT_SECONDS, MAX_SECONDS) == (120, 900)


@pytest.mark.spec("SHL-2", "SHL-5", "SHL-28")
@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({}, "command"),
        ({"command": ""}, "command"),
        ({"command": 5}, "command"),
        ({"command": ["ls"]}, "command"),
        ({"command": "ls", "timeout_s": 0}, "timeout_s"),
        ({"command": "ls", "timeout_s": -4}, "timeout_s"),
        ({"command": "ls", "timeout_s": "ten"}, "timeout_s"),
        ({"command": "ls", "timeout_s": 1.5}, "timeout_s"),
        ({"command": "ls", "cwd": "/"}, "cwd"),
    ],
)
async def test_bad_arguments_are_named_before_anything_runs(arguments: dict[str, Any], word: str, tmp_path: Path) -> None:
    async with crew_with(tmp_path) as crew:
        with pytest.raises(ToolError, match=word):
            check_arguments(tool_of(crew), arguments, EN)


@pytest.mark.spec("SHL-2", "SHL-28", "GATE-9")
@pytest.mark.parametrize("command", ["  ", "\n\t", "echo \x00", "echo \ud800"])
async def test_a_command_that_cannot_run_goes_straight_to_its_refusal(command: str, tmp_path: Path) -> None:
    async with crew_with(tmp_path) as crew:
        for stance in (Stance(), Stance(autonomous=True)):
            verdict = judge(tool_of(crew), {"command": command}, context(crew), stance)
            assert verdict.kind == "refuse"
            assert "Nothing ran" in (verdict.text or "")
        assert (await answer(crew, command=command))[0] is False


@pytest.mark.spec("SHL-4")
@pytest.mark.parametrize("kind", ["missing", "file"])
async def test_a_workspace_that_is_not_there_is_named(kind: str, tmp_path: Path) -> None:
    async with crew_with(tmp_path) as crew:
        workspace = crew.roster.get("worker").workspace
        workspace.rmdir()
        if kind == "file":
            workspace.write_text("x")
        verdict = judge(tool_of(crew), {"command": "ls"}, context(crew), Stance())
        assert verdict.kind == "refuse"
        assert str(workspace) in (verdict.text or "")


@pytest.mark.spec("SHL-6", "SHL-7", "SHL-8", "SHL-9", "SHL-12", "SHL-14")
@pytest.mark.parametrize(
    ("command", "ok", "text"),
    [
        ("echo one; echo two >&2; printf three", True, "one\ntwo\nthree"),
        ("true", True, "The command ended with exit code 0 and printed nothing."),
        ("printf ' '", True, " "),
        ("exit 3", False, "exit code: 3"),
        ("echo why; exit 3", False, "exit code: 3\nwhy\n"),
        ("kill -9 $$", False, "exit code: 137"),
        ("cat", True, "The command ended with exit code 0 and printed nothing."),
        ("read x; echo $?", True, "1\n"),
        (r"printf '\xff\xc3'", True, "\ufffd\ufffd"),
        ("printf '%04500d' 0; exit 1", False, "exit code: 1\n[500 characters left out]\n" + "0" * 4000),
    ],
)
async def test_answers(command: str, ok: bool, text: str, tmp_path: Path) -> None:
    async with crew_with(tmp_path) as crew:
        assert await answer(crew, command=command) == (ok, text)


@pytest.mark.spec("SHL-8", "SHL-14")
async def test_ten_megabytes_and_a_failure_give_the_code_and_the_end(tmp_path: Path) -> None:
    async with crew_with(tmp_path) as crew:
        ok, text = await answer(crew, command="head -c 10000000 /dev/zero | tr '\\0' 'a'; printf 'the end'; exit 2")
    first, second, rest = text.split("\n")
    assert not ok
    assert (first, second) == ("exit code: 2", "[9,996,007 characters left out]")
    assert rest == "a" * 3993 + "the end"


@pytest.mark.spec("SHL-14")
async def test_ten_megabytes_and_success_keep_the_beginning_and_the_end(tmp_path: Path) -> None:
    async with crew_with(tmp_path) as crew:
        ok, text = await answer(crew, command="printf start; head -c 10000000 /dev/zero | tr '\\0' 'a'; printf end")
    assert ok
    assert text.startswith("starta")
    assert text.endswith("aend")
    assert "\n[5,000,008 characters left out]\n" in text
    assert len(text) < 5_000_100


@pytest.mark.spec("SHL-10")
async def test_a_timeout_is_named_with_what_was_printed(tmp_path: Path) -> None:
    async with crew_with(tmp_path) as crew:
        for seconds in (1, 5, 25):  # longer, until the line came so far
            ok, text = await answer(crew, command="echo begun; sleep 600", timeout_s=seconds)
            assert not ok
            assert text.startswith(f"The command was stopped after {seconds} s, its timeout. What it printed until then:")
            if text.endswith("begun\n"):
                break
    assert text.endswith(":\nbegun\n")


@pytest.mark.spec("SHL-5", "SHL-85")
@pytest.mark.parametrize(("given", "used"), [(5000, 900), (900, 900), (7, 7), (None, 120)])
async def test_more_than_the_most_is_lowered(given: int | None, used: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[float] = []

    async def noted(*_: Any, seconds: float, **more: Any) -> Any:
        seen.append(seconds)
        raise OSError(2, "not now")

    monkeypatch.setattr("crewlab.engine.shell.command.run_tree", noted)
    async with crew_with(tmp_path) as crew:
        ok, text = await answer(crew, command="true", **({"timeout_s": given} if given else {}))
        assert (ok, text) == (False, "The command could not be started: not now. Nothing ran.")
        with pytest.raises(ToolError):
            await Shell(crew.sandbox, {}, EN).job(crew.roster.get("worker"), "true", given)
    assert seen == [used, used]


@pytest.mark.spec("SHL-4", "SHL-13", "SHL-18")
async def test_it_runs_in_the_workspace_with_bash_and_no_key(ground: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary")
    async with crew_with(ground) as crew:
        ok, text = await answer(crew, command="pwd; echo $0; env | grep -c canary; [[ -n x ]] && echo bash")
        workspace = crew.roster.get("worker").workspace
    assert (ok, text) == (True, f"{workspace}\n/bin/bash\n0\nbash\n")


@pytest.mark.spec("SHL-22", "SHL-23", "SHL-26", "SHL-28", "SHL-29", "SHL-30", "SHL-33", "GATE-7", "GATE-8", "GATE-12", "GATE-13", "GATE-20")
async def test_the_table_of_decisions(tmp_path: Path) -> None:
    """Every combination of the three lists with the two ways of not asking; the first row of SHL-28 that applies decides."""
    commands = {
        (deny, ask, allow): f"x{' DENY-ME' * deny}{' rm -rf y' * ask}{' git status' * allow}"
        for deny, ask, allow in itertools.product((False, True), repeat=3)
    }
    async with crew_with(tmp_path, "shell_deny_patterns: [deny-me]\nshell_allow_patterns: [Git Status]\n") as crew:
        agent, tool, given = crew.roster.get("worker"), tool_of(crew), context(crew)
        patterns = Patterns(ask=agent.shell_ask_patterns, allow=agent.shell_allow_patterns, deny=agent.shell_deny_patterns)
        for (deny, ask, allow), autonomous, always in itertools.product(commands, (False, True), (False, True)):
            stance = Stance(autonomous, frozenset({"shell_run"} if always else ()))
            verdict = judge(tool, {"command": commands[deny, ask, allow]}, given, stance, patterns)
            if deny:
                assert (verdict.kind, verdict.text) == ("refuse", EN("gate.deny_pattern", pattern="deny-me"))
            elif ask:
                assert (verdict.kind, verdict.text) == ("ask", "rm -rf")
            elif allow or autonomous or always:
                assert (verdict.kind, verdict.text) == ("run", None)
            else:
                assert (verdict.kind, verdict.text) == ("ask", None)


@pytest.mark.spec("SHL-32")
@pytest.mark.parametrize("language", ["en", "vi"])
def test_the_answer_to_a_deny_pattern_names_it_and_says_to_leave_it_to_the_person(language: Any) -> None:
    text = Texts(language)("gate.deny_pattern", pattern="deny-me")
    assert '"deny-me"' in text or "deny-me" in text
    assert ("do not look for another way" in text) or ("cách khác" in text)


@pytest.mark.spec("SHL-24", "SHL-25", "GATE-22")
@pytest.mark.parametrize(
    ("profile", "variable", "config", "asks"),
    [
        (None, None, None, DEFAULT_ASK_PATTERNS),
        (None, None, ["c"], ("c",)),
        (None, "e;two words ", ["c"], ("e", "two words ")),
        (["p"], "e", ["c"], ("p",)),
        ([], "e", ["c"], ()),
        (None, "", ["c"], ()),
        (None, None, [], ()),
    ],
)
async def test_the_list_that_wins_replaces_the_others_whole(profile: Any, variable: Any, config: Any, asks: Any, tmp_path: Path) -> None:
    from crewlab.engine.agents.roster import load_roster
    from crewlab.engine.home.layout import Home
    from crewlab.engine.home.settings import load_settings

    for key in ("shell_ask_patterns", "shell_allow_patterns"):
        home = Home(tmp_path / key)
        home.ensure()
        if profile is not None:
            home.master_profile.write_text(f"{key}: {profile}\n")
        if config is not None:
            home.config_file.write_text(f"{key}: {config}\n")
        environ = {} if variable is None else {f"CREWLAB_{key.upper()}": variable}
        master = load_roster(home, load_settings(home, environ, EN), EN).master
        expected = asks if key == "shell_ask_patterns" else tuple(item for item in asks if len(item) > 1)
        if asks is DEFAULT_ASK_PATTERNS:
            expected = DEFAULT_ASK_PATTERNS if key == "shell_ask_patterns" else ()
        assert getattr(master, key) == expected


@pytest.mark.spec("SHL-34", "SHL-35", "SHL-36", "GATE-23")
async def test_bad_items_of_the_lists_are_left_out_or_kept_as_the_stricter_reading_says(tmp_path: Path) -> None:
    odd = ["'*'", "'.*'", "'.'", "'-'", "'--'", "'/'", "'&&'", "'||'", "';'", "'|'", "' a '", "''", "'  '", "'git status'"]
    items = "[" + ", ".join(odd) + "]"
    profile = f"shell_ask_patterns: {items}\nshell_allow_patterns: {items}\nshell_deny_patterns: {items}\n"
    async with crew_with(tmp_path, profile) as crew:
        agent = crew.roster.get("worker")
        literal = ("*", ".*", ".", "-", "--", "/", "&&", "||", ";", "|", " a ", "git status")
        assert agent.shell_allow_patterns == ("git status",)
        assert agent.shell_ask_patterns == literal == agent.shell_deny_patterns
        warnings = crew.roster.warnings
    for key, dropped, kept in (("shell_allow_patterns", 13, 0), ("shell_ask_patterns", 2, 11), ("shell_deny_patterns", 2, 11)):
        mine = [line for line in warnings if key in line]
        assert len(mine) == dropped + kept
        assert sum("as it is written" in line for line in mine) == kept


@pytest.mark.spec("SHL-35", "SHL-36")
async def test_the_crews_own_lists_are_tidied_the_same_way(tmp_path: Path) -> None:
    config = "routes: [fake:echo]\nshell_ask_patterns: ['  ', 'x', 'rm -rf']\nshell_allow_patterns: ['*', ls]\n"
    async with crew_with(tmp_path, config=config) as crew:
        agent = crew.roster.get("worker")
        assert (agent.shell_ask_patterns, agent.shell_allow_patterns) == (("x", "rm -rf"), ("ls",))
        assert sum("config.yaml" in line for line in crew.roster.warnings) == 3


@pytest.mark.spec("SHL-30", "SHL-38")
def test_a_person_can_count_which_real_commands_would_ask() -> None:
    commands = ["mail list", "mail send x", "sheet read A1", "sheet write A1 5"]
    patterns = ("mail send", "sheet write")
    assert [ask_reason({"command": command}, patterns) for command in commands] == [None, "mail send", None, "sheet write"]
    assert ask_reason({"command": "sudo ls"}) == "sudo "


@pytest.mark.spec("SHL-26", "SHL-39")
@pytest.mark.parametrize("command", ["rm  -rf x", "$(printf 'r%s' m) -rf x", "rm -r", "sudo"])
def test_the_lists_are_no_sandbox(command: str) -> None:
    assert ask_reason({"command": command}) is None


@pytest.mark.spec("SHL-28", "SHL-30", "SHL-31", "SHL-90", "GATE-25", "GATE-31")
async def test_a_turn_stops_at_an_ask_pattern_with_the_whole_command_and_the_pattern(tmp_path: Path) -> None:
    command = "rm -rf build && " + "echo x; " * 200
    async with crew_with(tmp_path, scripts=calling(command)) as crew:
        conversation = crew.conversations.create(agent="worker")
        crew.conversations.patch(conversation.id, {"autonomous": True})
        _, seen = await say(crew, "go", conversation.id)
        approval = crew.store.approvals.pending_of(conversation.id)
        assert approval is not None
        assert (approval.tool, approval.reason, approval.arguments) == ("shell_run", "rm -rf", {"command": command})
        decided = await crew.approvals.decide(approval.id, "approve", always=True)
        assert decided.always is False
        await crew.host.wait(conversation.id)
        assert "shell_run" not in crew.conversations.detail(conversation.id).auto_approve
    assert seen[-1].type == "approval_required"


@pytest.mark.spec("SHL-3")
async def test_calls_of_one_message_run_one_after_the_other(tmp_path: Path) -> None:
    calls = [f"echo {n} >> log; sleep 0.05; cat log" for n in range(3)]
    async with crew_with(tmp_path, scripts=calling(*calls)) as crew:
        conversation = crew.conversations.create(agent="worker")
        crew.conversations.patch(conversation.id, {"autonomous": True})
        _, seen = await say(crew, "go", conversation.id)
    outputs = [event.output for event in seen if event.type == "tool_result"]
    assert outputs == ["0\n", "0\n1\n", "0\n1\n2\n"]


@pytest.mark.spec("SHL-11")
async def test_stop_by_the_person_ends_the_command(tmp_path: Path) -> None:
    async with crew_with(tmp_path, scripts=calling("echo $$ > pid; sleep 600; true")) as crew:
        conversation = crew.conversations.create(agent="worker")
        crew.conversations.patch(conversation.id, {"autonomous": True})
        await crew.inbound.send(conversation.id, "go")
        file = crew.roster.get("worker").workspace / "pid"
        async with asyncio.timeout(SECONDS):
            while not (file.exists() and file.read_text().strip()):
                await asyncio.sleep(0.02)
        pid = int(file.read_text())
        crew.host.stop(conversation.id)
        await crew.host.wait(conversation.id)
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.spec("SHL-44", "SHL-53", "SHL-54", "SHL-61")
@pytest.mark.parametrize("profile", ["shell_network: false", "shell_write_paths: []", "shell_network: false\nshell_write_paths: [out]"])
async def test_a_blocked_write_comes_back_with_the_instruction_to_stop(profile: str, ground: Path) -> None:
    async with crew_with(ground, profile) as crew:
        ok, text = await answer(crew, command="echo x > f")
        assert not ok
        assert text.startswith("exit code: 1\n")
        assert "Read-only file system" in text
        assert text.endswith(EN("shell.blocked_write"))
        ok, text = await answer(crew, command="exit 4")
        assert text == "exit code: 4"
        assert list(crew.roster.get("worker").workspace.glob("f")) == []
        free = await answer(crew, "default", command="echo 'Permission denied'; exit 1")
        assert EN("shell.blocked_write") not in free[1]


@pytest.mark.spec("SHL-28", "SHL-44", "SHL-60", "GATE-8")
async def test_without_a_sandbox_a_sandboxed_agent_is_refused_and_nobody_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crewlab.engine.sandbox.system.shutil.which", lambda *_, **__: None)
    async with crew_with(tmp_path, "shell_network: false") as crew:
        for command in ("ls", "rm -rf x"):
            verdict = judge(tool_of(crew), {"command": command}, context(crew), Stance(), Patterns(ask=DEFAULT_ASK_PATTERNS))
            assert verdict.kind == "refuse"
            assert "bubblewrap" in (verdict.text or "")
        ok, text = await answer(crew, command="echo ran > f")
        assert (ok, "bubblewrap" in text, list(crew.roster.get("worker").workspace.iterdir())) == (False, True, [])
        assert (await answer(crew, "default", command="echo ran"))[1] == "ran\n"


@pytest.mark.spec("SHL-43", "SHL-46", "SBX-8")
@pytest.mark.parametrize(
    ("profile", "form", "paths"),
    [
        ("", None, ()),
        ("shell_network: true", None, ()),
        ("shell_network: false", "closed", ()),
        ("shell_write_paths: []", "write_limited", ()),
        ("shell_write_paths: [a, b/c]", "write_limited", ("a", "b/c")),
        ("shell_network: false\nshell_write_paths: [a]", "closed", ("a",)),
    ],
)
async def test_the_sandbox_that_a_profile_asks_for(profile: str, form: str | None, paths: tuple[str, ...], tmp_path: Path) -> None:
    async with crew_with(tmp_path, profile) as crew:
        policy = policy_of(crew.roster.get("worker"))
        told = tool_of(crew).description
        master = tool_of(crew, "default").description
    assert (policy and policy.form, policy.write_paths if policy else ()) == (form, paths)
    assert (told == master) is (form is None)


@pytest.mark.spec("SHL-82", "SHL-83", "SHL-84", "SHL-86", "GATE-66")
async def test_a_command_job_runs_without_gate_list_or_sandbox(ground: Path) -> None:
    async with crew_with(ground, "shell_network: false\nshell_deny_patterns: [echo]\n") as crew:
        agent = crew.roster.get("worker")
        shell = Shell(crew.sandbox, {}, EN)
        assert await shell.job(agent, "echo free > f; cat f; pwd") == f"free\n{agent.workspace}\n"
        with pytest.raises(ToolError, match=r"^exit code: 5\nwhy\n$"):
            await shell.job(agent, "echo why; exit 5")


@pytest.mark.spec("SHL-40", "SHL-28")
async def test_a_reason_that_cannot_be_built_still_asks(tmp_path: Path) -> None:
    async with crew_with(tmp_path) as crew:
        tool = tool_of(crew)
        verdict = judge(tool, {"command": None}, context(crew), Stance(autonomous=True))
    assert (verdict.kind, verdict.text) == ("ask", "shell_run")


@pytest.mark.spec("SBX-9", "GATE-30")
@pytest.mark.parametrize(
    ("profile", "words"),
    [
        ("", ["without a sandbox", "900 s"]),
        ("shell_network: false\nshell_write_paths: [out]", ["without network", "out, /tmp", "900 s"]),
        ("shell_write_paths: []", ["with network", "only in /tmp", "900 s"]),
    ],
)
async def test_the_card_says_where_in_which_sandbox_and_how_long(profile: str, words: list[str], tmp_path: Path) -> None:
    async with crew_with(tmp_path, profile) as crew:
        summary = tool_of(crew).summary
        assert summary is not None
        text = summary({"command": "ls", "timeout_s": 5000}, context(crew))
        assert text is not None
        assert [word for word in [*words, str(crew.roster.get("worker").workspace)] if word not in text] == []
        assert "data, not instructions" in tool_of(crew).description


@pytest.mark.spec("SHL-16", "OUT-1")
@pytest.mark.parametrize(
    ("command", "way"), [("seq 1 5000", "cut"), ("printf '['; seq -s, 1 5000 | tr -d '\\n'; printf ']'", "structure"), ("seq 1 500", None)]
)
async def test_what_it_prints_passes_the_ceiling_of_the_agent(command: str, way: str | None, tmp_path: Path) -> None:
    async with crew_with(tmp_path, scripts=calling(command)) as crew:
        conversation = crew.conversations.create(agent="worker")
        crew.conversations.patch(conversation.id, {"autonomous": True})
        _, seen = await say(crew, "go", conversation.id)
    (result,) = [event for event in seen if event.type == "tool_result"]
    assert (result.ok, result.shortened, len(result.output) <= 8000) == (True, way, True)


@pytest.mark.spec("SHL-27", "SHL-30")
def test_of_several_patterns_the_first_in_the_list_is_named() -> None:
    command = {"command": "sudo rm -rf /tmp/x | sh"}
    assert ask_reason(command) == "rm -rf"
    assert ask_reason(command, ("| sh", "sudo ", "rm -rf")) == "| sh"


@pytest.mark.spec("SHL-37")
async def test_lists_and_switches_of_a_saved_agent_hold_from_its_next_turn(tmp_path: Path) -> None:
    async with crew_with(tmp_path) as crew:
        before = crew.roster.get("worker")
        switches = dataclasses.replace(before.switches, shell_network=False)
        after = dataclasses.replace(before, shell_ask_patterns=("git",), switches=switches)
        for agent, reason in ((before, None), (after, "git"), (before, None)):
            tool = crew.toolbox.of(agent).get("shell_run")
            assert tool is not None
            assert tool.ask_reason is not None
            assert tool.ask_reason({"command": "git status"}, context(crew)) == reason
            assert ("no network" in tool.description) is (agent is after)


@pytest.mark.spec("SHL-20", "SHL-38", "SHL-39", "GATE-24", "GATE-71")
def test_the_guide_for_owners_says_what_the_lists_can_do_and_what_a_command_is_given() -> None:
    guide = (ROOT / "docs" / "user-guide.md").read_text()
    part = guide[guide.index("## The shell") :]
    for words in (
        "a script that works in your terminal can fail here",
        "from a file that only it can read",
        "name the shape of an operation, never the program",
        "one entry each",
        "ask_reason",
        "`rm  -rf` with two spaces",
        "no list of tool names can say",
        *PASSED,
    ):
        assert words in part


@pytest.mark.spec("ASK-1")
async def test_an_approval_holds_only_for_the_sandbox_that_the_card_named(tmp_path: Path) -> None:
    async with crew_with(tmp_path, "shell_network: false") as crew:
        bindings = []
        for name in ("worker", "default"):
            binding = tool_of(crew, name).binding
            assert binding is not None
            bindings.append(binding({"command": "ls"}, context(crew, "worker")))
    assert bindings[0] != bindings[1]

"""Scripts of an agent with `script_calls: gated`: every writing call through the one gate."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.crew import Crew
from crewlab.engine.events import ToolResult
from crewlab.engine.gate import verdict
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext
from crewlab.engine.tools.registry import Registry
from tests.fixtures.crews import a_crew, say
from tests.fixtures.scripts import context_of, line, profile, put, run

GATED = "script_calls: gated\n"
WRITE = 'tools.workspace_write(path="out.txt", content="written")'


@asynccontextmanager
async def gated(root: Path, more: str = "", **kinds: Any) -> AsyncIterator[Crew]:
    profile(root, GATED + more)
    async with a_crew(root, **kinds) as crew:
        yield crew


def autonomous(crew: Crew, **more: Any) -> str:
    conversation = crew.conversations.create()
    crew.conversations.patch(conversation.id, {"autonomous": True, **more})
    return conversation.id


def always(crew: Crew, *names: str) -> str:
    """A conversation in which the person has chosen "always allow" for these tools."""
    conversation = crew.conversations.create()
    crew.store.conversations.patch(conversation.id, {"auto_approve": list(names)}, conversation.created_at)
    return conversation.id


def out(crew: Crew, name: str = "out.txt") -> Path:
    return crew.roster.get("default").workspace / name


def writing(name: str, run_: Any, **more: Any) -> Tool:
    schema = {"type": "object", "properties": {}, "additionalProperties": True}
    return Tool(name, "writes", schema, run_, tier="write", script="gated", marking="own", **more)


@asynccontextmanager
async def holding(crew: Crew, *tools: Tool) -> AsyncIterator[None]:
    before = crew.toolbox.of
    crew.toolbox.of = lambda agent: Registry([*before(agent).all, *tools])  # type: ignore[method-assign]
    try:
        yield
    finally:
        crew.toolbox.of = before  # type: ignore[method-assign]


@pytest.mark.spec("SCR-122", "SCR-124")
async def test_the_wider_set_of_a_gated_agent(tmp_path: Path) -> None:
    async with gated(tmp_path, "mode: work\n") as crew:
        ended = await run(crew, "print(tools.names())")
        names = ended.text
        for name in [
            "workspace_write",
            "workspace_edit",
            "shell_run",
            "memory_save",
            "user_memory_save",
            "user_memory_forget",
            "wiki_apply",
            "artifact_create",
            "artifact_edit",
            "artifact_rewrite",
            "artifact_import",
            "artifact_export",
            "workspace_read",
        ]:
            assert f"'{name}'" in names, name
        for name in ["ask_user", "schedule_create", "progress_note", "artifact_read", "tool_script"]:
            assert f"'{name}'" not in names, name


@pytest.mark.spec("SCR-126", "SCR-135", "GATE-68")
async def test_what_would_run_unasked_runs_and_says_that_it_was_judged(tmp_path: Path) -> None:
    async with gated(tmp_path) as crew:
        put(crew, "a.txt", "x")
        ended = await run(crew, f'{WRITE}\ntools.memory_save(text="note")\nprint(tools.workspace_read(path="a.txt"))', autonomous(crew))
        assert ended.text == "x"
        assert out(crew).read_text() == "written"
        assert [(call.name, call.gated) for call in ended.result.calls] == [
            ("workspace_write", True),
            ("memory_save", True),
            ("workspace_read", None),
        ]
        assert ["gated" in one for one in context_of(crew, ended.conversation_id)["calls"]] == [True, True, False]


@pytest.mark.spec("SCR-126", "SCR-125")
async def test_always_allow_and_the_allow_list_let_it_run(tmp_path: Path) -> None:
    async with gated(tmp_path, 'shell_allow_patterns: ["echo yes"]\n') as crew:
        allowed = always(crew, "workspace_write")
        assert (await run(crew, WRITE + "\nprint(1)", allowed)).text == "1"
        listed = await run(crew, 'print(tools.shell_run(command="echo yes"))')
        assert "yes" in listed.text
        assert listed.result.ok


@pytest.mark.spec("SCR-127", "SCR-128", "SCR-129", "SCR-130", "GATE-68")
@pytest.mark.parametrize(
    ("call", "words", "hidden"),
    [
        (WRITE, "this call of workspace_write has to be approved first", "out.txt"),
        ('tools.shell_run(command="rm important")', "the command matches 'rm ', which must be approved first", "important"),
        ('tools.shell_run(command="dd of=/dev/x")', "the command matches 'dd of', which the owner has forbidden", "/dev/x"),
        ("tools.odd(secret='token')", "this call of odd has to be approved first", "token"),
        ("tools.broken(secret='token')", "this call of broken has to be approved first", "token"),
        ("tools.never(secret='token')", "never refuses this call", "token"),
    ],
)
async def test_a_verdict_that_is_not_run_stops_the_script(tmp_path: Path, call: str, words: str, hidden: str) -> None:
    started: list[str] = []

    async def work(_arguments: Arguments, context: ToolContext) -> str:
        started.append(context.call_id)
        return "x"

    def reason(arguments: Arguments, _context: ToolContext) -> str:
        return f"it holds {arguments['secret']}"

    def fails(_arguments: Arguments, _context: ToolContext) -> str:
        raise RuntimeError("the gate of this tool")

    odd = writing("odd", work, requires_approval=True, ask_reason=reason)
    broken = writing("broken", work, requires_approval=True, ask_reason=fails)
    never = writing("never", work, requires_approval=True, refuse_reason=reason)
    async with gated(tmp_path, 'shell_ask_patterns: ["rm "]\nshell_deny_patterns: ["dd of"]\n') as crew:
        conversation_id = autonomous(crew) if "odd" in call or "broken" in call or "shell" in call else crew.conversations.create().id
        async with holding(crew, odd, broken, never):
            ended = await run(crew, f"print('before')\ntry:\n    {call}\nexcept:\n    print('caught')", conversation_id)
        assert ended.text.startswith("Script did not finish.\nbefore\nStopped at line 3: ")
        assert words in ended.text
        assert "It has not run" in ended.text
        assert hidden not in ended.last_line.replace("'rm '", "").replace("'dd of'", "")
        assert "caught" not in ended.text
        assert ended.names == []
        assert started == []
        assert not out(crew).exists()


@pytest.mark.spec("SCR-125")
async def test_it_is_the_very_function_that_judges_direct_calls_and_reads_are_not_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    whole = verdict._judge

    def noting(call: Any, stance: Any, patterns: Any) -> Any:
        asked.append(call.tool.name)
        return whole(call, stance, patterns)

    monkeypatch.setattr(verdict, "_judge", noting)
    async with gated(tmp_path) as crew:
        put(crew, "a.txt", "x")
        await run(crew, f'tools.workspace_read(path="a.txt")\n{WRITE}', autonomous(crew))
    assert asked == ["tool_script", "workspace_write"]


@pytest.mark.spec("SCR-125", "SCR-132", "SCR-133", "SCR-212")
async def test_autonomy_withdrawn_in_the_middle_stops_the_next_write(tmp_path: Path) -> None:
    async with gated(tmp_path, "max_steps: 1\n") as crew:
        conversation_id = autonomous(crew)

        async def withdraw(_arguments: Arguments, _context: ToolContext) -> str:
            crew.conversations.patch(conversation_id, {"autonomous": False})
            return "withdrawn"

        calls = ", ".join(
            [
                '{"tool": "workspace_write", "args": {"path": "one", "content": ""}}',
                '{"tool": "withdraw"}',
                '{"tool": "workspace_write", "args": {"path": "two", "content": ""}}',
                '{"tool": "workspace_list"}',
            ]
        )
        async with holding(crew, writing("withdraw", withdraw)):
            ended = await run(crew, f"print(1)\ntools.batch([{calls}])", conversation_id)
        assert "Stopped at line 2: this call of workspace_write has to be approved first" in ended.text
        assert ended.names == ["workspace_write", "withdraw"]  # those before have run and stay, those after have not
        assert out(crew, "one").exists()
        assert not out(crew, "two").exists()


@pytest.mark.spec("SCR-133")
async def test_the_places_of_what_did_not_start_are_given_back(tmp_path: Path) -> None:
    """A turn of one round has ten places: six for a batch that stops at its second call leave room for nine more."""
    async with gated(tmp_path, "max_steps: 1\n") as crew:
        conversation_id = autonomous(crew)

        async def withdraw(_arguments: Arguments, _context: ToolContext) -> str:
            crew.conversations.patch(conversation_id, {"autonomous": False})
            return "withdrawn"

        first = 'tools.batch([{"tool": "withdraw"}] + [{"tool": "workspace_write", "args": {"path": "x", "content": ""}}] * 8)'
        second = 'for n in range(9):\n    tools.workspace_list()\nprint("nine")\ntools.workspace_list()'
        async with holding(crew, writing("withdraw", withdraw)):
            _, events = await say(crew, line(first, second), conversation_id)
        results = [event for event in events if isinstance(event, ToolResult)]
        assert [len(result.calls) for result in results] == [1, 9]
        assert results[1].output.endswith("Stopped at line 4: the turn has used up its 10 nested calls.")


@pytest.mark.spec("SCR-131", "SCR-119")
async def test_one_refusal_and_nothing_of_the_batch_runs(tmp_path: Path) -> None:
    async with gated(tmp_path) as crew:
        conversation_id = always(crew, "workspace_write")
        ended = await run(
            crew,
            'tools.batch([{"tool": "workspace_write", "args": {"path": "out.txt", "content": ""}},\n'
            '{"tool": "shell_run", "args": {"command": "ls"}}])',
            conversation_id,
        )
        assert "this call of shell_run has to be approved first" in ended.text
        assert ended.names == []
        assert not out(crew).exists()


@pytest.mark.spec("SCR-114", "SCR-132", "SCR-112")
async def test_a_batch_that_writes_goes_on_after_a_failed_call(tmp_path: Path) -> None:
    running = 0
    most = 0

    async def note(_arguments: Arguments, _context: ToolContext) -> str:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return "read"

    async with gated(tmp_path) as crew:
        read = Tool("note", "", {"type": "object", "properties": {}}, note, tier="read", script="any", marking="own")
        async with holding(crew, read):
            ended = await run(
                crew,
                'a = tools.batch([{"tool": "note"}, {"tool": "workspace_read", "args": {"path": "none"}}, {"tool": "workspace_write", '
                '"args": {"path": "out.txt", "content": "x"}}, {"tool": "note"}])\nprint([one["ok"] for one in a])',
                autonomous(crew),
            )
        assert ended.text == "[True, False, True, True]"
        assert ended.names == ["note", "workspace_read", "workspace_write", "note"]
        assert most == 1


@pytest.mark.spec("SCR-132")
async def test_each_later_call_is_judged_by_what_the_earlier_left_behind(tmp_path: Path) -> None:
    """A file that has become reserved meanwhile: the tool's own reason to ask is read again."""
    state = {"linked": False}

    async def link(_arguments: Arguments, _context: ToolContext) -> str:
        state["linked"] = True
        return "linked"

    def reason(_arguments: Arguments, _context: ToolContext) -> str | None:
        return "it leads elsewhere now" if state["linked"] else None

    async with gated(tmp_path) as crew:
        first, second = writing("link", link), writing("through", link, requires_approval=True, ask_reason=reason)
        async with holding(crew, first, second):
            ended = await run(crew, 'tools.batch([{"tool": "through"}, {"tool": "link"}, {"tool": "through"}])', autonomous(crew))
        assert ended.names == ["through", "link"]
        assert "this call of through has to be approved first" in ended.text
        assert "elsewhere" not in ended.text


@pytest.mark.spec("SCR-134")
async def test_reads_of_a_gated_agent_run_at_the_same_time(tmp_path: Path) -> None:
    together = asyncio.Barrier(4)

    async def meet(_arguments: Arguments, _context: ToolContext) -> str:
        async with asyncio.timeout(10):
            await together.wait()
        return "met"

    async with gated(tmp_path) as crew:
        read = Tool("meet", "", {"type": "object", "properties": {}}, meet, tier="read", script="any", marking="own")
        async with holding(crew, read):
            ended = await run(crew, 'print([o["output"] for o in tools.batch([{"tool": "meet"}] * 4)])')
        assert ended.text == "['met', 'met', 'met', 'met']"


# canvases


@pytest.mark.spec("SCR-138", "SCR-139", "SCR-140", "SCR-141", "CNV-97")
async def test_canvases_are_written_in_every_conversation_and_the_card_begins_with_the_tag(tmp_path: Path) -> None:
    async with gated(tmp_path) as crew:
        title = "T" * 150
        ended = await run(
            crew,
            f'text = tools.artifact_create(title={title!r}, kind="markdown", content="one")\nprint(text)\n'
            'try:\n    tools.artifact_create(title="", kind="nothing", content="")\nexcept RuntimeError:\n    print("failed")',
        )
        good, bad = ended.result.calls
        row = crew.store.db.rows("SELECT * FROM canvases")[0]
        tag = f"[artifact {row['id']} v1]"
        assert row["conversation_id"] == ended.conversation_id
        author = crew.store.db.rows("SELECT author FROM canvas_versions")[0]["author"]
        assert author == "agent:default"
        assert good.output.startswith(tag)
        assert len(good.output) <= 161
        assert not bad.output.startswith("[artifact")
        assert f"FILE: artifact:{row['id']}" in ended.text
        assert ended.text.endswith("failed")


@pytest.mark.spec("SCR-138")
async def test_exporting_a_canvas_follows_the_gate(tmp_path: Path) -> None:
    async with gated(tmp_path) as crew:
        source = (
            'text = tools.artifact_create(title="t", kind="markdown", content="one")\n'
            'tools.artifact_export(id=text[10:].split(" ")[0], path="out.md")'
        )
        assert "this call of artifact_export has to be approved first" in (await run(crew, source)).text
        ended = await run(crew, source, autonomous(crew))
        assert ended.result.ok, ended.text


@pytest.mark.spec("SCR-143")
async def test_a_script_has_never_seen_what_the_person_saved(tmp_path: Path) -> None:
    async with gated(tmp_path) as crew:
        first = await run(crew, 'print(tools.artifact_create(title="t", kind="markdown", content="one"))')
        canvas_id = first.text[10:].split(" ")[0]
        await crew.canvases.save(canvas_id, "the person's", 1)
        ended = await run(
            crew,
            f'try:\n    tools.artifact_rewrite(id={canvas_id!r}, content="mine")\nexcept RuntimeError as error:\n    print("refused")',
            first.conversation_id,
        )
        assert ended.text == "refused"
        assert crew.store.db.rows("SELECT max(version) AS newest FROM canvas_versions")[0]["newest"] == 2


@pytest.mark.spec("SCR-144")
async def test_a_read_only_agent_writes_no_canvas_from_a_script(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        ended = await run(crew, 'tools.artifact_create(title="t", kind="markdown", content="one")')
        assert "artifact_create cannot be called from a script: call it directly" in ended.text
        assert crew.store.db.rows("SELECT 1 FROM canvases") == []


@pytest.mark.spec("SCR-83", "TIER-11")
async def test_in_a_capped_turn_the_script_is_one_of_a_read_only_agent(tmp_path: Path) -> None:
    async with gated(tmp_path) as crew:
        conversation_id = autonomous(crew, plan=True)
        ended = await run(
            crew, f"print(tools.names())\ntry:\n    {WRITE}\nexcept RuntimeError as error:\n    print(error)", conversation_id
        )
        assert "'workspace_read'" in ended.text
        assert "workspace_write'" not in ended.text.split("\n")[0]
        assert "There is no tool workspace_write" in ended.text
        assert not out(crew).exists()


@pytest.mark.spec("SCR-3", "SCR-4")
async def test_a_saved_change_acts_from_the_next_turn_and_the_running_one_ends_as_it_began(tmp_path: Path) -> None:
    async with gated(tmp_path) as crew:
        conversation_id = autonomous(crew)

        async def save(_arguments: Arguments, _context: ToolContext) -> str:
            await crew.agents.save("default", {"script_calls": "read_only"})
            return "saved"

        async with holding(crew, writing("save", save)):
            ended = await run(crew, f"tools.save()\n{WRITE}\nprint(1)", conversation_id)
            assert ended.text == "1"  # it started gated and stays so
            again = await run(crew, WRITE, conversation_id)
        assert "workspace_write cannot be called from a script: call it directly" in again.text
        tool = crew.toolbox.of(crew.roster.get("default")).get("tool_script")
        assert tool is not None
        assert (tool.replay_safe, "gate" in tool.description) == (True, False)
        await crew.agents.save("default", {"script_calls": "none"})
        assert crew.toolbox.of(crew.roster.get("default")).get("tool_script") is None


@pytest.mark.spec("SCR-136", "SCR-217", "GATE-68")
async def test_what_the_tool_declares(tmp_path: Path) -> None:
    profile(tmp_path, "", "default")
    profile(tmp_path, "name: Ada\nscript_calls: gated\n", "ada")
    async with a_crew(tmp_path) as crew:
        plain = crew.toolbox.of(crew.roster.get("default")).get("tool_script")
        other = crew.toolbox.of(crew.roster.get("ada")).get("tool_script")
        assert plain is not None
        assert other is not None
        assert (plain.tier, plain.parallel, plain.replay_safe, plain.requires_approval) == ("read", False, True, False)
        assert (other.tier, other.parallel, other.replay_safe, other.requires_approval) == ("exec", False, False, False)
        assert json.dumps(plain.parameters["properties"]["script"]["maxLength"]) == "20000"

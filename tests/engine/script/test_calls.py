"""Calls of scripts through the real loop: what they get, what they count, what is recorded."""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.crew import Crew
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.registry import Registry
from tests.fixtures.crews import a_crew, say
from tests.fixtures.kits import settings
from tests.fixtures.scripts import context_of, profile, put, run


@pytest.fixture
async def crew(tmp_path: Path) -> AsyncIterator[Crew]:
    async with a_crew(tmp_path / "home") as one:
        yield one


def make(name: str, run: Any, **more: Any) -> Tool:
    """A tool for scripts that takes any arguments."""
    schema = more.pop("parameters", {"type": "object", "properties": {}, "additionalProperties": True})
    return Tool(name, "a tool of the test", schema, run, tier="read", script=more.pop("script", "any"), marking="own", **more)


@asynccontextmanager
async def holding(crew: Crew, *tools: Tool) -> AsyncIterator[None]:
    """The agents hold these tools as well."""
    before = crew.toolbox.of
    crew.toolbox.of = lambda agent: Registry([*before(agent).all, *tools])  # type: ignore[method-assign]
    try:
        yield
    finally:
        crew.toolbox.of = before  # type: ignore[method-assign]


# what a script is given


@pytest.mark.spec("SCR-65", "SCR-93")
async def test_only_what_is_printed_reaches_the_model(crew: Crew) -> None:
    put(crew, "a.txt", "the first line\nSECRET")
    ended = await run(
        crew, 'text = tools.workspace_read(path="a.txt")\nagain = tools.workspace_read({"path": "a.txt"})\nprint(text == again, len(text))'
    )
    assert (ended.result.ok, ended.text) == (True, "True 21")


@pytest.mark.spec("SCR-93")
@pytest.mark.parametrize("call", ['tools.workspace_list({}, path="x")', 'tools.workspace_list("x")', "tools.workspace_list({}, {})"])
async def test_another_form_of_call_is_an_error_and_no_call(crew: Crew, call: str) -> None:
    ended = await run(crew, f"try:\n    {call}\nexcept TypeError as error:\n    print(error)")
    assert ended.result.ok
    assert "takes its parameters by name, or exactly one dict" in ended.text
    assert ended.names == []


@pytest.mark.spec("SCR-97", "SCR-98", "SCR-59")
async def test_a_failed_call_is_an_error_with_the_words_of_the_tool(crew: Crew) -> None:
    ended = await run(
        crew,
        'for arguments in [{"path": "none.txt"}, {}, {"path": "x", "colour": 3}]:\n'
        "    try:\n        tools.workspace_read(arguments)\n    except RuntimeError as error:\n        print(error)\n        print('--')",
    )
    missing, no_path, unknown = ended.text.split("\n--")[:3]
    assert missing.startswith("Tool error: ")
    assert "none.txt" in missing
    assert "Usage" not in missing
    usage = "\nUsage: workspace_read(path: string, offset?: integer, limit?: integer)"
    assert no_path.strip().startswith("Tool error: The parameter path is missing.")
    assert no_path.endswith(usage)
    assert "There is no parameter colour." in unknown
    assert unknown.endswith(usage)
    assert [call.ok for call in ended.result.calls] == [False, False, False]


@pytest.mark.spec("SCR-99")
async def test_a_fault_of_the_server_is_an_error_of_that_call_alone(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    put(crew, "a.txt", "good")
    from crewlab.engine.turn.nested import AgentNest

    whole = AgentNest.run

    async def broken(self: AgentNest, tool: Tool, arguments: Arguments, context: ToolContext) -> Any:
        if arguments.get("path") == "b.txt":
            raise OSError("the disk of the server")
        return await whole(self, tool, arguments, context)

    monkeypatch.setattr(AgentNest, "run", broken)
    ended = await run(
        crew,
        'a = tools.batch([{"tool": "workspace_read", "args": {"path": p}} for p in ["a.txt", "b.txt", "a.txt"]])\n'
        "print([one['ok'] for one in a], a[1]['error'])",
    )
    assert ended.text.startswith("[True, False, True] Tool error: ")
    assert "the disk of the server" not in ended.text


@pytest.mark.spec("SCR-100", "SCR-117")
async def test_a_mistyped_name_is_an_error_with_the_nearest_and_counts(crew: Crew) -> None:
    ended = await run(
        crew,
        "try:\n    tools.workspace_raed(path='x')\nexcept RuntimeError as error:\n    print(error)\n"
        "print(tools.batch([{'tool': 'workspace_raed'}])[0])\nprint(tools.batch([{'tool': 'zzzzzz'}])[0]['error'])\n"
        "for n in range(22):\n    try:\n        tools.zzzzzz()\n    except RuntimeError:\n        pass\nprint('25')\ntools.zzzzzz()",
    )
    lines = ended.text.split("\n")
    assert lines[0] == "Script did not finish."
    assert "did you mean workspace_read?" in lines[1]
    assert "tools.names()" in lines[1]
    assert "tools.search" in lines[1]
    assert lines[2].startswith("{'ok': False, 'error': ")
    assert "did you mean" not in lines[3]
    assert lines[4] == "25"
    assert "at most 25 calls" in lines[5]
    assert ended.names == []
    assert ended.run.halt_reason is None


@pytest.mark.spec("SCR-101", "SCR-102", "SCR-123", "SCR-62", "FV-5")
@pytest.mark.parametrize(
    ("call", "words"),
    [
        ('tools.workspace_write(path="y", content="z")', "workspace_write cannot be called from a script: call it directly"),
        ('tools.shell_run(command="true")', "shell_run cannot be called from a script: call it directly"),
        ('tools.ask_user(question="?")', "ask_user always has to ask the user, so it cannot be called from a script"),
        ('tools.schedule_create(prompt="x", every="1h")', "schedule_create always has to ask the user"),
        ('tools.delegate(task="x")', "delegate cannot be called from a script: call it directly"),
        ('tools.tool_script(script="1")', "tool_script cannot be called from a script"),
        ('tools.progress_note(text="x")', "progress_note cannot be called from a script"),
        ('tools.artifact_read(id="a")', "artifact_read cannot be called from a script: call it directly"),
    ],
)
async def test_what_a_script_may_not_call_stops_it_uncaught(crew: Crew, call: str, words: str) -> None:
    ended = await run(crew, f"print('before')\ntry:\n    {call}\nexcept:\n    print('caught')\nfinally:\n    print('finally')")
    assert ended.text.startswith("Script did not finish.\nbefore\nStopped at line 3: ")
    assert words in ended.text
    assert "caught" not in ended.text
    assert "finally" not in ended.text
    assert ended.names == []
    assert not list(ended.run.steps[-1].calls or [])


@pytest.mark.spec("SCR-79", "SCR-80")
async def test_reading_a_canvas_leaves_no_mark(crew: Crew) -> None:
    conversation_id, _ = await say(crew, '/tool artifact_create {"title": "Plan", "kind": "markdown", "content": "one"}')
    canvas_id = crew.store.db.rows("SELECT id FROM canvases")[0]["id"]
    before = _marks(crew)
    ended = await run(crew, f"tools.artifact_read(id={canvas_id!r})", conversation_id)
    assert "artifact_read cannot be called from a script: call it directly" in ended.text
    assert _marks(crew) == before
    await say(crew, f'/tool artifact_read {{"id": "{canvas_id}"}}', conversation_id)
    assert len(before) <= len(_marks(crew))


def _marks(crew: Crew) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in crew.store.db.rows("SELECT * FROM canvas_marks")]


@pytest.mark.spec("SCR-118", "SCR-119")
async def test_one_forbidden_call_and_none_of_the_batch_runs(crew: Crew) -> None:
    put(crew, "a.txt", "x")
    ended = await run(
        crew,
        'tools.batch([{"tool": "workspace_read", "args": {"path": "a.txt"}}] * 9\n'
        '+ [{"tool": "workspace_write", "args": {"path": "y", "content": ""}}])',
    )
    assert "Stopped at line 1: workspace_write cannot be called" in ended.text
    assert ended.names == []


@pytest.mark.spec("SCR-120")
async def test_a_model_is_not_asked_in_a_batch(crew: Crew) -> None:
    ended = await run(crew, 'print(tools.batch([{"tool": "llm.classify", "args": {"text": "x"}}]))')
    assert "{'ok': False, 'error': 'There is no tool llm.classify" in ended.text


# hooks, context, ceilings


@pytest.mark.spec("SCR-95", "SCR-219", "KIT-18")
async def test_hooks_of_the_agent_are_asked_before_and_after_each_call(tmp_path: Path) -> None:
    root = tmp_path / "home"
    answer = json.dumps({"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "read it well"}})
    settings(
        root,
        ("PreToolUse", "Read", "if grep -q b.txt; then echo 'use the index instead' >&2; exit 2; fi"),
        ("PostToolUse", "Read", f"echo {shlex.quote(answer)}"),
    )
    profile(root, "mode: work\n")
    async with a_crew(root) as crew:
        put(crew, "a.txt", "good")
        put(crew, "b.txt", "bad")
        ended = await run(
            crew,
            "for p in ['a.txt', 'b.txt']:\n    try:\n        print(tools.workspace_read(path=p))\n"
            "    except RuntimeError as e:\n        print(e)",
        )
    assert "good" in ended.text
    assert "read it well" in ended.text
    assert "bad" not in ended.text
    assert "use the index instead" in ended.text
    assert [call.ok for call in ended.result.calls] == [True, False]  # a blocked call stands on the card


@pytest.mark.spec("SCR-96", "SCR-152", "TOOL-9")
async def test_what_the_tool_is_told(crew: Crew) -> None:
    seen: list[ToolContext] = []

    async def note(_arguments: Arguments, context: ToolContext) -> str:
        seen.append(context)
        return "x" * 150_000

    async with holding(crew, make("note", note)):
        ended = await run(crew, "print(len(tools.note()))")
    assert ended.text == "150000"  # far more than the 8,000 of a turn
    (context,) = seen
    assert context.in_script
    assert context.call_id == ended.result.tool_call_id
    assert context.nest is None
    assert context.conversation_id == ended.conversation_id
    assert context.run_id == ended.run.id


# long answers


@pytest.mark.spec("SCR-187", "SCR-188", "SCR-189", "SCR-104", "OUT-56", "SCR-183", "SCR-191")
async def test_a_million_characters_are_read_on_inside_the_script(crew: Crew) -> None:
    million = "".join(f"{number:09d}\n" for number in range(100_000))

    async def long(_arguments: Arguments, _context: ToolContext) -> str:
        return million

    source = """
first = tools.long()
whole, pointer = first[:200000], first[200000:]
print(pointer.strip())
calls = 0
while len(whole) < 1000000:
    piece = tools.tool_output_read(id=ID, offset=len(whole))
    calls = calls + 1
    lines = piece.split("\\n")
    whole = whole + "\\n".join(lines[1:-1])
print(calls, len(whole), whole == "".join([f"{n:09d}\\n" for n in range(100000)]))
"""
    async with holding(crew, make("long", long)):
        first = await run(crew, "x = tools.names()\ntools.zzz_no() if False else None\nprint(tools.long()[-120:])")
        call_id = first.result.tool_call_id
        ended = await run(crew, source.replace("ID", repr(f"{call_id}.1")), first.conversation_id)
    pointer = f'[800000 more characters, read on with tools.tool_output_read(id="{ended.result.tool_call_id}.1", offset=200000)]'
    assert ended.text.split("\n")[0] == pointer
    assert ended.text.split("\n")[1] == "5 1000000 True"


@pytest.mark.spec("SCR-187")
async def test_long_answers_of_one_batch_and_of_two_scripts_never_overwrite_each_other(crew: Crew) -> None:
    async def long(arguments: Arguments, _context: ToolContext) -> str:
        return str(arguments["letter"]) * 300_000

    source = (
        "for one in tools.batch([{'tool': 'long', 'args': {'letter': a}} for a in LETTERS]):\n    print(one['output'][200000:].strip())"
    )
    async with holding(crew, make("long", long)):
        one = await run(crew, source.replace("LETTERS", "'ab'"))
        two = await run(crew, source.replace("LETTERS", "'cd'"), one.conversation_id)
        ids = [part.split('"')[1] for part in (one.text + "\n" + two.text).split("\n")]
        read = "\n".join(f"print(tools.tool_output_read(id={each!r}, offset=250000, limit=3).split('\\n')[1])" for each in ids)
        three = await run(crew, read, one.conversation_id)
    assert len(set(ids)) == 4
    assert three.text.split("\n") == ["aaa", "bbb", "ccc", "ddd"]


@pytest.mark.spec("SCR-188", "SCR-186")
async def test_without_the_reader_or_a_place_to_write_it_is_cut_and_points_nowhere(crew: Crew, tmp_path: Path) -> None:
    async def long(_arguments: Arguments, _context: ToolContext) -> str:
        return "y" * 250_000

    async with holding(crew, make("long", long)):
        spill = crew.home.spill("x").parent
        spill.parent.mkdir(parents=True, exist_ok=True)
        spill.write_text("a file where the directory should be")
        ended = await run(crew, "x = tools.long()\nprint(len(x), set(x))")
    assert ended.text == "200000 {'y'}"
    assert ended.result.ok


@pytest.mark.spec("SCR-188")
async def test_the_end_of_a_failed_long_answer_is_not_kept(crew: Crew) -> None:
    async def long(_arguments: Arguments, _context: ToolContext) -> str:
        raise ToolError("e" * 300_000)

    async with holding(crew, make("long", long)):
        ended = await run(crew, "try:\n    tools.long()\nexcept RuntimeError as error:\n    print(len(str(error)))")
    assert ended.text == "200000"


# the record


@pytest.mark.spec("SCR-193", "SCR-194", "SCR-195", "SCR-200", "SCR-201", "SCR-202", "SCR-203", "SCR-206", "SCR-207", "TURN-42")
async def test_what_is_recorded_of_each_call(crew: Crew) -> None:
    async def many(arguments: Arguments, _context: ToolContext) -> str:
        if arguments.get("fail"):
            raise ToolError("  why\n\n" + "w" * 700 + " do this")
        return "word  and\n\nmore " + "z" * 400

    async with holding(crew, make("many", many)):
        ended = await run(
            crew,
            "a = tools.many({**{f'p{n}': 'v' * 200 for n in range(14)}})\n"
            "try:\n    tools.many(fail=True)\nexcept RuntimeError as error:\n    b = str(error)\nprint(a == '', 1)",
        )
    good, bad = ended.result.calls
    dumped = json.loads(ended.result.model_dump_json())["calls"]
    assert [set(one) for one in dumped] == [{"name", "arguments", "ok", "output", "ms", "cost_usd", "metered"}] * 2
    assert good.output == ("word and more " + "z" * 400)[:160] + "…"
    assert len(good.output) == 161
    assert len(bad.output) == 601
    assert bad.output[200] == "…"
    assert bad.output.endswith(" do this")
    assert bad.output.startswith("Tool error: why")
    assert len(good.arguments) == 13
    assert good.arguments["p0"] == "v" * 160 + "…"
    assert good.arguments["…"] == 2
    received = len("word  and\n\nmore " + "z" * 400) + len("Tool error: " + "  why\n\n" + "w" * 700 + " do this")
    assert (ended.result.received_chars, ended.result.printed_chars) == (received, len("False 1"))
    assert ended.step.calls == ended.result.calls
    assert (ended.step.received_chars, ended.step.printed_chars) == (received, 7)
    assert [(one.index, one.call) for one in ended.nested] == [(0, good), (1, bad)]
    assert {one.tool_call_id for one in ended.nested} == {ended.result.tool_call_id}
    kept = context_of(crew, ended.conversation_id)
    assert kept == {"calls": dumped, "received_chars": received, "printed_chars": 7}


@pytest.mark.spec("SCR-202", "SCR-112")
async def test_calls_stand_in_the_order_in_which_they_ended_and_answers_in_the_written_one(crew: Crew) -> None:
    gates = [asyncio.Event() for _ in range(3)]

    async def wait(arguments: Arguments, _context: ToolContext) -> str:
        number = int(arguments["n"])
        if number < 2:
            await gates[number + 1].wait()
        gates[number].set()
        return str(number)

    async with holding(crew, make("wait", wait)):
        ended = await run(crew, "print([o['output'] for o in tools.batch([{'tool': 'wait', 'args': {'n': n}} for n in range(3)])])")
    assert ended.text == "['0', '1', '2']"
    assert [call.arguments["n"] for call in ended.result.calls] == [2, 1, 0]


@pytest.mark.spec("SCR-205", "SCR-207")
async def test_other_tools_carry_none_of_it(crew: Crew) -> None:
    put(crew, "a.txt", "x")
    conversation_id, events = await say(crew, '/tool workspace_read {"path": "a.txt"}')
    result = next(event for event in events if event.type == "tool_result")
    dumped = json.loads(result.model_dump_json())
    assert (dumped["calls"], dumped["received_chars"], dumped["printed_chars"]) == ([], None, None)
    run_ = crew.store.runs.get(crew.store.runs.newest_of(conversation_id) or "")
    assert run_ is not None
    step = next(step for step in run_.steps if step.name == "workspace_read")
    assert not {"calls", "received_chars", "printed_chars"} & step.model_dump(exclude_none=True).keys()
    assert context_of(crew, conversation_id) is None


@pytest.mark.spec("SCR-18", "SCR-200", "SCR-222")
async def test_a_child_that_died_leaves_its_calls_and_no_figure_of_what_it_printed(crew: Crew) -> None:
    put(crew, "a.txt", "x")
    died: list[int] = []

    async def kill(_arguments: Arguments, _context: ToolContext) -> str:
        family = _descendants(os.getpid())
        died.extend(pid for pid in family if b"main.py" in Path(f"/proc/{pid}/cmdline").read_bytes())
        for pid in died:
            os.kill(pid, signal.SIGKILL)
        async with asyncio.timeout(20):
            while any(_runs(pid) for pid in family):
                await asyncio.sleep(0.01)
        return "x"

    async with holding(crew, make("kill", kill)):
        ended = await run(crew, "print('lost')\ntools.workspace_read(path='a.txt')\ntools.kill()\nprint('never')")
    assert died
    assert ended.text.startswith("Script did not finish.\nThe script process died")
    assert "lost" not in ended.text
    assert ended.result.printed_chars is None
    assert ended.names == ["workspace_read", "kill"]


def _descendants(root: int) -> list[int]:
    """The processes below this one that run."""
    parents = {int(each.name): _parent(each) for each in Path("/proc").iterdir() if each.name.isdigit()}
    found: list[int] = []
    wave = [root]
    while wave:
        wave = [pid for pid, parent in parents.items() if parent in wave]
        found += wave
    return [pid for pid in found if _runs(pid)]


def _parent(entry: Path) -> int:
    try:
        return int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.spec("SCR-245", "SCR-11")
@pytest.mark.parametrize(
    "arguments",
    ["{}", '{"script": 3}', '{"script": ""}', '{"script": "  "}', json.dumps({"script": "#" * 20_001}), '{"script": "a\\u0000"}'],
)
async def test_arguments_that_do_not_fit_are_answered_as_a_failed_script(crew: Crew, arguments: str) -> None:
    _, events = await say(crew, f"/tool tool_script {arguments}")
    result = next(event for event in events if event.type == "tool_result")
    assert not result.ok
    assert result.output.split("\n")[0] == "Script did not finish."
    assert len(result.output.split("\n")) > 1


@pytest.mark.spec("SCR-68")
async def test_what_is_printed_is_shortened_like_every_result_and_can_be_read_back(crew: Crew) -> None:
    ended = await run(crew, "for n in range(3000):\n    print(n, 'word')")
    assert len(ended.text) <= 8_000
    assert ended.result.shortened == "cut"
    _, events = await say(
        crew, "/tool tool_output_read " + json.dumps({"id": ended.result.tool_call_id, "offset": 20000, "limit": 40}), ended.conversation_id
    )
    piece = next(event for event in events if event.type == "tool_result")
    whole = "".join(f"{n} word\n" for n in range(3000))
    assert whole[20000:20040] in piece.output  # type: ignore[attr-defined]


@pytest.mark.spec("SCR-69")
async def test_a_silent_script_says_so(crew: Crew) -> None:
    assert (await run(crew, "x = 1")).text == crew.texts("script.nothing")


@pytest.mark.spec("SCR-73")
async def test_the_four_programs_of_the_specification_run_as_written(tmp_path: Path) -> None:
    from tests.fixtures.teams import says

    async def fetch(arguments: Arguments, _context: ToolContext) -> str:
        return f"{arguments['id']} is overdue\nrest" if arguments["id"] != "page-b" else "all is well"

    pages = 'pages = ["page-a", "page-b", "page-c"]          # ids from an earlier direct call\n'
    first = pages + (
        'late = []\nfor page in pages:\n    body = tools.mcp__notion__notion_fetch(id=page)\n    if "overdue" in body:\n'
        '        late.append(body.split("\\n")[0])\nprint(len(pages), "pages,", len(late), "overdue:", ", ".join(late))'
    )
    second = pages + (
        'answers = tools.batch([{"tool": "mcp__notion__notion_fetch", "args": {"id": p}} for p in pages])\n'
        'for answer in answers:\n    print(answer["output"] if answer["ok"] else answer["error"])'
    )
    third = pages + (
        'kinds = ["to do", "invoice", "advertising"]\nfor page in pages:\n    body = tools.mcp__notion__notion_fetch(id=page)[:20000]\n'
        '    if llm.classify(body, kinds) == "to do":\n        print(page, llm.summarise(body, max_chars=200))'
    )
    fourth = pages + (
        'seen = load("seen") or []                       # nothing kept the first time: None\n'
        "fresh = [page for page in pages if page not in seen]\n"
        'print(len(fresh), "new pages:", ", ".join(fresh))\nstore("seen", seen + fresh)'
    )
    async with a_crew(tmp_path / "home") as crew, holding(crew, make("mcp__notion__notion_fetch", fetch)):
        one = await run(crew, first)
        two = await run(crew, second, one.conversation_id)
        four = await run(crew, fourth, one.conversation_id)
        five = await run(crew, fourth, one.conversation_id)
        crew.models.plug(_labelling(crew, says("to do")))
        three = await run(crew, third, one.conversation_id)
    assert one.text == "3 pages, 2 overdue: page-a is overdue, page-c is overdue"
    assert two.text == "page-a is overdue\nrest\nall is well\npage-c is overdue\nrest"
    assert three.text == "page-a to do\npage-b to do\npage-c to do"
    assert (four.text, five.text) == ("3 new pages: page-a, page-b, page-c", "0 new pages: ")


def _labelling(crew: Crew, aside: Any) -> Any:
    """The echoing provider, whose side questions are answered by ``aside``."""
    from crewlab.engine.models.fake import FakeProvider, echo

    async def both(scene: Any) -> AsyncIterator[Any]:
        asked = scene.request.messages[0].content if scene.request.messages else ""
        script = aside if not scene.request.tools and "<<<" in asked else echo
        async for piece in script(scene):
            yield piece

    provider = FakeProvider(crew.texts)
    provider.register("echo", both)
    return provider


@pytest.mark.spec("SCR-103", "SCR-9", "SCR-105")
async def test_the_26th_call_is_a_stop_and_the_server_counts_itself(crew: Crew) -> None:
    put(crew, "a.txt", "x")
    ended = await run(crew, "for n in range(30):\n    tools.workspace_read(path='a.txt')\n    print(n)")
    assert ended.last_line == "Stopped at line 2: a script makes at most 25 calls. Merge the work or split it into several scripts."
    assert len(ended.names) == 25
    assert ended.text.split("\n")[-2] == "24"


@pytest.mark.spec("SCR-192", "SCR-201", "COST-4")
async def test_a_call_that_pays_a_model_is_counted_in_run_and_conversation(crew: Crew) -> None:
    from crewlab.engine.store.conversations import Charge

    async def paid(arguments: Arguments, context: ToolContext) -> str:
        context.charges.append(Charge(0.25) if arguments.get("known") else Charge(unknown=1))
        return "read"

    async with holding(crew, make("paid", paid)):
        ended = await run(crew, "tools.paid(known=True)\ntools.paid()\nprint(1)")
    assert [(call.cost_usd, call.metered) for call in ended.result.calls] == [(0.25, True), (None, True)]
    conversation = crew.store.conversations.get(ended.conversation_id)
    assert conversation is not None
    assert (conversation.spent_usd, conversation.unknown_cost_calls) == (0.25, 1)
    assert (ended.run.cost_usd, ended.run.unknown_cost_calls) == (0.25, 1)


@pytest.mark.spec("SCR-83", "TIER-11")
async def test_a_tool_above_the_cap_of_the_turn_does_not_exist(crew: Crew) -> None:
    async def nothing(_arguments: Arguments, _context: ToolContext) -> str:
        return "x"

    above = replace(make("above", nothing, script="gated"), tier="exec")
    async with holding(crew, above):
        conversation = crew.conversations.create()
        crew.conversations.patch(conversation.id, {"plan": True})
        ended = await run(crew, "try:\n    tools.above()\nexcept RuntimeError as error:\n    print(error)", conversation.id)
    assert "There is no tool above" in ended.text

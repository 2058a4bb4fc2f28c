"""Delegation from scripts: `tools.delegate` (SCR-146 to SCR-164)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.events import ToolResult
from crewlab.engine.models.fake import FakeCost, Scene
from crewlab.engine.tools.contract import Arguments, ToolContext
from tests.engine.script.test_calls import holding, make
from tests.engine.script.test_gated import autonomous, writing
from tests.engine.script.test_turn import job_run
from tests.fixtures.crews import say
from tests.fixtures.scripts import line, run
from tests.fixtures.teams import a_team, children, says

GATED = "script_calls: gated\ndelegates: [ada, bob]\n"
DIRECT = "delegate cannot be called from a script: call it directly"


def team(root: Path, own: str = GATED, **members: Any) -> Any:
    return a_team(root, {"ada": says("ada did it\nStatus: done"), "bob": says("bob did it\nStatus: done"), **members}, {"default": own})


@pytest.mark.spec(
    "SCR-146", "SCR-149", "SCR-151", "SCR-161", "SCR-162", "SCR-201", "SCR-204", "DLG-80", "DLG-83", "DLG-85", "DLG-91", "DLG-92"
)
async def test_a_gated_script_gives_out_work_and_reads_the_answer(tmp_path: Path) -> None:
    async with team(tmp_path) as crew:
        ended = await run(crew, 'print(tools.workspace_list())\ntext = tools.delegate(task="look", agent="ada")\nprint(text)')
        (child,) = children(crew, ended.conversation_id)
        assert (child.parent_call_id, child.agent_id) == (f"{ended.result.tool_call_id}:2", "ada")
        call = ended.result.calls[1]
        assert (call.name, call.arguments, call.ok) == ("delegate", {"task": "look", "agent": "ada"}, True)
        assert call.output.startswith(f"conversation={child.id} status=done spent=$")
        assert len(call.output) <= 161
        assert (call.cost_usd, call.metered, call.gated) == (None, False, None)
        assert ended.text.split("\n")[1].startswith(f"conversation={child.id} status=done")
        assert "ada did it" in ended.text
        runs = crew.store.runs.of(child.id)
        assert [one.source for one in runs] == [f"delegate:{ended.conversation_id}"]


@pytest.mark.spec("SCR-146", "SCR-147", "DLG-82", "SCR-81")
@pytest.mark.parametrize("own", ["delegates: [ada]\n", "script_calls: read_only\ndelegates: [ada]\n"])
async def test_for_others_it_is_outside_and_not_listed(tmp_path: Path, own: str) -> None:
    async with team(tmp_path, own) as crew:
        ended = await run(
            crew,
            'print("delegate" in tools.names(), tools.search("delegate"))\ntry:\n    tools.describe("delegate")\nexcept RuntimeError:\n'
            '    print("no")\ntry:\n    tools.delegate(task="x")\nexcept:\n    print("caught")',
        )
        assert ended.text.split("\n")[1].startswith("False")
        assert "'name': 'delegate'" not in ended.text
        assert DIRECT in ended.last_line
        assert "caught" not in ended.text
        assert children(crew, ended.conversation_id) == []


@pytest.mark.spec("SCR-148", "DLG-82")
async def test_a_delegated_turn_gives_nothing_out_from_a_script(tmp_path: Path) -> None:
    async def scripting(scene: Scene) -> AsyncIterator[Any]:
        from crewlab.engine.models.fake import FakeCall

        if scene.tool_result is None:
            yield FakeCall("tool_script", json.dumps({"script": "tools.delegate(task='deeper')"}))
        else:
            yield scene.tool_result + "\nStatus: done"

    own = {"default": GATED, "ada": "script_calls: gated\nmode: work\n"}
    async with a_team(tmp_path, {"ada": scripting}, own) as crew:
        conversation_id, events = await say(crew, '/tool delegate {"task": "look", "agent": "ada"}')
        result = next(event for event in events if isinstance(event, ToolResult))
        assert "delegate" in result.output
        assert "Script did not finish." in result.output
        assert len(children(crew, conversation_id)) == 1
        assert children(crew, children(crew, conversation_id)[0].id) == []


@pytest.mark.spec("SCR-148", "SCR-226", "SCR-145", "SCR-137", "GATE-67", "STO-23")
async def test_a_job_gives_nothing_out_binds_no_canvas_and_asks_nobody(tmp_path: Path) -> None:
    source = (
        "store('told', 1)\nprint('delegate' in tools.names())\ntools.workspace_write(path='y', content='by the job')\n"
        "try:\n    tools.artifact_create(title='t', kind='markdown', content='x')\nexcept RuntimeError as error:\n    print(error)\n"
    )
    schedules = [{"id": "a", "every": "1h", "script": source}, {"id": "b", "every": "1h", "script": "tools.delegate(task='x')"}]
    schedules.append({"id": "c", "every": "1h", "script": "tools.odd()"})
    async with team(tmp_path, GATED + f"schedules: {json.dumps(schedules)}\n") as crew:

        async def never(_arguments: Arguments, _context: ToolContext) -> str:
            raise AssertionError

        odd = writing("odd", never, requires_approval=True, ask_reason=lambda _a, _c: "always")
        async with holding(crew, odd):
            first, second, third = [await job_run(crew, f"default/{name}") for name in "abc"]
        assert first.status == "done"
        assert (crew.roster.get("default").workspace / "y").read_text() == "by the job"
        assert [(call.name, call.ok, call.gated) for call in first.steps[0].calls or []] == [
            ("workspace_write", True, True),
            ("artifact_create", False, True),
        ]
        assert "can only be used in a conversation; nothing was done" in (first.steps[0].calls or [])[1].output
        assert (second.status, DIRECT in second.summary) == ("error", True)
        assert (third.status, "has to be approved first" in third.summary) == ("error", True)
        assert [tuple(row) for row in crew.store.db.rows("SELECT namespace, key FROM script_store")] == [("job:a", "told")]
        assert crew.store.db.rows("SELECT 1 FROM canvases") == []


@pytest.mark.spec("SCR-150", "SCR-119", "DLG-84")
@pytest.mark.parametrize("agent", ['"carol-the-secret"', "3", '"default2"'])
async def test_another_agent_stops_the_script_before_any_call_of_the_batch(tmp_path: Path, agent: str) -> None:
    async with team(tmp_path) as crew:
        ended = await run(
            crew, f'tools.batch([{{"tool": "workspace_list"}}, {{"tool": "delegate", "args": {{"task": "x", "agent": {agent}}}}}])'
        )
        assert "delegate has not run: agent must be one of default, ada, bob." in ended.last_line
        assert agent.strip('"') not in ended.last_line
        assert ended.names == []


@pytest.mark.spec("SCR-150")
async def test_left_out_it_is_the_agent_itself(tmp_path: Path) -> None:
    async with team(tmp_path) as crew:
        ended = await run(crew, 'print("conversation=" in tools.delegate(task="look"))')
        assert ended.text == "True"
        assert children(crew, ended.conversation_id)[0].agent_id == "default"


@pytest.mark.spec("SCR-153", "DLG-86")
async def test_three_at_a_time_beside_four_reads_and_answers_in_the_written_order(tmp_path: Path) -> None:
    running = {"jobs": 0, "reads": 0}
    most = {"jobs": 0, "reads": 0}
    all_reads = asyncio.Event()

    async def slow(scene: Scene) -> AsyncIterator[Any]:
        running["jobs"] += 1
        most["jobs"] = max(most["jobs"], running["jobs"])
        async with asyncio.timeout(20):
            await all_reads.wait()
        running["jobs"] -= 1
        yield f"did {scene.last_user}\nStatus: done"

    async def read(arguments: Arguments, _context: ToolContext) -> str:
        running["reads"] += 1
        most["reads"] = max(most["reads"], running["reads"])
        await asyncio.sleep(0)
        running["reads"] -= 1
        if arguments["n"] == 4:
            all_reads.set()
        return str(arguments["n"])

    async with team(tmp_path, ada=slow) as crew, holding(crew, make("note", read)):
        ended = await run(
            crew,
            "calls = [{'tool': 'delegate', 'args': {'task': f'task {n}', 'agent': 'ada'}} for n in range(5)]\n"
            "calls = calls + [{'tool': 'note', 'args': {'n': n}} for n in range(5)]\n"
            "for n, one in enumerate(tools.batch(calls)):\n"
            "    print(one['ok'], f'did task {n}' in one['output'] or one['output'] == str(n - 5))",
        )
        assert ended.text == "\n".join(["True True"] * 10)
        assert most == {"jobs": 3, "reads": 4}
        assert len({child.parent_call_id for child in children(crew, ended.conversation_id)}) == 5


@pytest.mark.spec("SCR-153", "DLG-86")
async def test_with_a_writing_call_all_run_one_after_another(tmp_path: Path) -> None:
    running = most = 0

    async def slow(_scene: Scene) -> AsyncIterator[Any]:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.01)
        running -= 1
        yield "did it\nStatus: done"

    async with team(tmp_path, ada=slow) as crew:
        source = (
            "calls = [{'tool': 'delegate', 'args': {'task': f'task {n}', 'agent': 'ada'}} for n in range(3)]\n"
            "print([o['ok'] for o in tools.batch(calls + [{'tool': 'memory_save', 'args': {'text': 'x'}}])])"
        )
        ended = await run(crew, source, autonomous(crew))
        assert ended.text == "[True, True, True, True]"
        assert most == 1


@pytest.mark.spec("SCR-156", "SCR-157", "SCR-173", "DLG-88", "DLG-89")
async def test_what_children_spent_is_charged_once_with_the_result_and_counts_for_later_questions(tmp_path: Path) -> None:
    paid = says("done it\nStatus: done", FakeCost(0.4))
    seen: list[float] = []

    async with team(tmp_path, GATED + "cost_cap_usd: 1.0\n", ada=paid) as crew:

        async def look(_arguments: Arguments, context: ToolContext) -> str:
            seen.append(crew.store.conversations.get(context.conversation_id or "").spent_usd)  # type: ignore[union-attr]
            return "x"

        source = (
            "tools.delegate(task='one', agent='ada')\ntools.look()\ntools.delegate(task='two', agent='ada')\n"
            "tools.delegate(task='three', agent='ada')\nprint('before')\nllm.summarise('a text')"
        )
        async with holding(crew, make("look", look)):
            ended = await run(crew, source)
        assert seen == [0.0]  # until the result is written the parent does not show it
        assert [call.child_spent_usd for call in ended.result.calls if call.name == "delegate"] == [0.4] * 3
        assert "has reached its cost cap" in ended.last_line
        assert "before" in ended.text
        conversation = crew.store.conversations.get(ended.conversation_id)
        assert conversation is not None
        assert conversation.spent_usd == pytest.approx(1.2)
        assert conversation.delegated_usd == pytest.approx(1.2)
        assert ended.run.cost_usd == 0.0  # the children's runs have it
        caps = [child.cost_cap_usd for child in children(crew, ended.conversation_id)]
        assert caps == [1.0] * 3  # each inherits what the parent shows


@pytest.mark.spec("SCR-159", "DLG-90")
async def test_relay_means_nothing_in_a_script(tmp_path: Path) -> None:
    async with team(tmp_path) as crew:
        ended = await run(crew, 'tools.delegate(task="look", agent="ada", relay=True)\nprint("my own words")')
        assert ended.text == "my own words"
        answer = crew.store.messages.list(ended.conversation_id)[-1]
        assert (answer.role, answer.content) == ("assistant", "my own words")
        assert ended.run.relayed_from is None


@pytest.mark.spec("SCR-160", "DLG-93", "SCR-163")
async def test_the_ninth_task_of_a_conversation_is_a_failed_call(tmp_path: Path) -> None:
    async with team(tmp_path) as crew:
        first = await run(crew, "for n in range(7):\n    tools.delegate(task=f'task {n}', agent=['ada', 'bob'][n % 2])\nprint('seven')")
        await say(crew, '/tool delegate {"task": "eight", "agent": "ada"}', first.conversation_id)
        ended = await run(crew, "print(tools.batch([{'tool': 'delegate', 'args': {'task': 'nine'}}])[0]['ok'])", first.conversation_id)
        assert ended.text == "False"
        assert len(children(crew, first.conversation_id)) == 8
        runs = crew.runs.list(conversation_id=first.conversation_id)[0]
        assert len([one for one in runs if one.source.startswith("delegate:")]) == 8  # the activity of the conversation


@pytest.mark.spec("SCR-151", "DLG-85")
async def test_the_same_script_under_the_same_id_finds_its_children_again(tmp_path: Path) -> None:
    from crewlab.engine.tools.children import Job

    async with team(tmp_path) as crew:
        ended = await run(crew, 'tools.delegate(task="one", agent="ada")\ntools.delegate(task="two", agent="ada")\nprint(1)')
        call_id = ended.result.tool_call_id
        before = children(crew, ended.conversation_id)
        again = [crew.children.begin(Job(ended.conversation_id, f"{call_id}:{n}", "ada", "again")) for n in (1, 2)]
        assert [one.conversation_id for one in again] == [child.id for child in before]
        assert len(children(crew, ended.conversation_id)) == 2


@pytest.mark.spec("SCR-164", "SCR-163", "DLG-94")
async def test_the_export_of_a_run_brings_the_children_of_its_scripts(tmp_path: Path) -> None:
    async with team(tmp_path) as crew:
        ended = await run(
            crew, 'print(1)\ntools.delegate(task="one", agent="ada")\ntools.batch([{"tool": "delegate", "args": {"task": "two"}}])'
        )
        other = await run(crew, 'tools.delegate(task="of another conversation", agent="bob")')
        text = (await crew.exports.run(ended.run.id, "json", full=False)).text
        call_id = ended.result.tool_call_id
        assert f'"{call_id}:1"' in text
        assert f'"{call_id}:2"' in text
        assert children(crew, other.conversation_id)[0].id not in text


@pytest.mark.spec("SCR-158")
async def test_what_the_children_of_a_cut_script_spent_is_charged_once_when_its_call_is_closed(tmp_path: Path) -> None:
    paid = says("done it\nStatus: done", FakeCost(0.4))
    begun = asyncio.Event()

    async def hang(_arguments: Arguments, _context: ToolContext) -> str:
        begun.set()
        await asyncio.Event().wait()
        return "never"

    tool = writing("hang", hang)
    async with team(tmp_path, ada=paid) as crew, holding(crew, tool):
        conversation_id = autonomous(crew)
        await crew.inbound.send(conversation_id, line("tools.delegate(task='one', agent='ada')\ntools.hang()"))
        async with asyncio.timeout(20):
            await begun.wait()
        crew.host.stop(conversation_id)
        await crew.host.wait(conversation_id)
        before = crew.store.conversations.get(conversation_id)
        assert before is not None
        assert before.spent_usd == 0.0
        await say(crew, "go on", conversation_id)
        after = crew.store.conversations.get(conversation_id)
        assert after is not None
        assert (after.spent_usd, after.delegated_usd) == (0.4, 0.4)
        await say(crew, "and on", conversation_id)
        assert crew.store.conversations.get(conversation_id).spent_usd == 0.4  # type: ignore[union-attr]


@pytest.mark.spec("SCR-154", "SCR-155", "DLG-87")
async def test_a_script_out_of_time_ends_the_wait_and_the_child_can_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from crewlab.engine.script import process

    def short(self: Any) -> None:
        object.__setattr__(self, "alone", 60.0)
        object.__setattr__(self, "total", 2.0)

    monkeypatch.setattr(process.Times, "__init__", short)

    async def for_ever(_scene: Scene) -> AsyncIterator[Any]:
        yield "I begin"
        await asyncio.Event().wait()

    async with team(tmp_path, ada=for_ever) as crew:
        ended = await run(crew, "tools.delegate(task='long', agent='ada')")
        assert "took more than 300 seconds" in ended.text
        (call,) = ended.result.calls
        assert (call.name, call.ok, call.output, call.child_spent_usd) == ("delegate", False, crew.texts("script_calls.cut"), None)
        (child,) = children(crew, ended.conversation_id)
        await crew.host.wait(child.id)
        assert crew.conversations.detail(child.id).messages[-1].content == "I begin"

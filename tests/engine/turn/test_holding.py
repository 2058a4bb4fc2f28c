"""What a turn holds: its tools, what each call is given, and what of a result comes into the context."""

import asyncio
import dataclasses
import json

import pytest

from crewlab.engine.models.base import ProviderError
from crewlab.engine.models.fake import FakeCall
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.registry import Registry
from tests.fixtures.crews import a_crew, say
from tests.fixtures.holding import every_tool

SPEAKS_FOR_THE_AGENT = {  # TOOL-6: reading only, and yet no script may call them
    "progress_note",
    "delegate",
    "tool_search",
    "tool_script",
    "artifact_read",
    "vibe_spawn",
    "vibe_wait",
    "vibe_list",
    "read_transcript",
    "list_tools",
    "get_tool_schema",
}


@pytest.mark.spec("TOOL-6", "GATE-96")
async def test_reading_alone_does_not_open_a_tool_to_scripts(tmp_path):
    closed = {tool.name for tool in await every_tool(tmp_path) if tool.replay_safe and tool.script == "no"}
    assert "progress_note" in closed
    assert closed <= SPEAKS_FOR_THE_AGENT


@pytest.mark.spec("TOOL-9")
async def test_a_call_is_given_the_agent_its_place_its_id_and_a_way_to_pay(tmp_path, monkeypatch):
    given = []

    async def run(_arguments, context):
        given.append(context)
        return "seen"

    probe = Tool("probe", "", {"type": "object", "properties": {}}, run, replay_safe=True)
    async with a_crew(tmp_path) as crew:
        monkeypatch.setattr(crew.toolbox, "of", lambda _agent: Registry([probe]))
        conversation, seen = await say(crew, "/tool probe")
        context = given[0]
        assert context.agent_id == "default"
        assert context.workspace == crew.roster.master.workspace
        assert context.conversation_id == conversation
        assert context.call_id == next(event.tool_call_id for event in seen if event.type == "tool_call")
        assert (context.source, context.in_script, context.output_chars) == ("chat", False, 8000)
        assert isinstance(context.cancel, asyncio.Event)
        assert context.side is not None


@pytest.mark.spec("TOOL-27", "TOOL-19")
async def test_a_running_turn_keeps_its_tools_and_the_next_one_has_those_of_the_agent_as_it_is_then(tmp_path):
    at_work, go_on = asyncio.Event(), asyncio.Event()
    offered = []

    async def script(scene):
        offered.append([tool.name for tool in scene.request.tools])
        if scene.tool_result is None:
            at_work.set()
            await go_on.wait()
            yield FakeCall("workspace_list")
        else:
            yield scene.tool_result.splitlines()[0]

    async with a_crew(tmp_path, routes="fake:waits", scripts={"waits": script}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "go")
        await asyncio.wait_for(at_work.wait(), 20)
        master = crew.roster.master
        crew.roster._agents[master.id] = dataclasses.replace(master, tools=("progress_note",))  # saved while the turn runs
        go_on.set()
        await crew.host.wait(conversation)
        results = [message.content for message in crew.conversations.detail(conversation).messages if message.role == "tool"]
        assert "not available" not in results[0]
        assert "workspace_list" in offered[1]
        await say(crew, "again", conversation)
        assert "workspace_list" not in offered[-1]
        assert "progress_note" in offered[-1]


@pytest.mark.spec("OUT-6")
async def test_the_limit_of_a_tool_is_applied_before_the_ceiling(tmp_path):
    (tmp_path / "agent.yaml").write_text("mode: work\n")
    async with a_crew(tmp_path) as crew:
        (crew.roster.master.workspace / "a.txt").write_text(f"needle {'x' * 200}\n" * 300)
        _, seen = await say(crew, f"/tool workspace_grep {json.dumps({'pattern': 'needle'})}")
        result = next(event for event in seen if event.type == "tool_result")
        assert result.shortened == "cut"
        assert len(result.output) <= 8000
        line = len(f"a.txt:100: needle {'x' * 200}\n")
        assert 195 * line < result.original_chars < 202 * line  # 200 of the 300 hits


@pytest.mark.spec("FC-4", "OUT-1")
async def test_a_huge_output_is_cut_before_it_enters_the_history_and_a_call_that_broke_off_is_counted(tmp_path):
    asked = []

    async def script(scene):
        asked.append(scene.request)
        if scene.tool_result is None:
            yield FakeCall("workspace_read", '{"path": "huge.txt"}')
        else:
            yield "I see"
            raise ProviderError("gone", started=True)

    async with a_crew(tmp_path, routes="fake:breaks", scripts={"breaks": script}) as crew:
        (crew.roster.master.workspace / "huge.txt").write_text("80 k of output\n" * 5500)
        conversation, seen = await say(crew, "go")
        assert seen[-1].type == "error"
        assert max(len(message.content) for message in asked[-1].messages) <= 8000
        detail = crew.conversations.detail(conversation)
        assert max(len(message.content) for message in detail.messages) <= 8000
        assert detail.unknown_cost_calls == 1

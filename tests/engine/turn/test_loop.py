"""The loop through a real crew: rounds, ends, money, what is stored when."""

import asyncio
import sqlite3

import pytest

from crewlab.engine.errors import StoreWriteFailed
from crewlab.engine.events import conversation_events
from crewlab.engine.models.base import Completion, ProviderError, TextDelta, Usage
from crewlab.engine.models.fake import FakeCall
from tests.fixtures.crews import a_crew, say, types


def contents(crew, conversation_id):
    return [(m.role, m.content) for m in crew.conversations.detail(conversation_id).messages]


@pytest.mark.spec("PRV-20", "TURN-23", "TURN-28", "TURN-40", "WIRE-14")
async def test_a_message_is_answered_and_everything_is_stored(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, "hello crew")
        assert types(seen) == ["opened", "text_delta", "done"]
        assert (seen[0].message.content, seen[0].conversation.title, seen[0].conversation.running) == ("hello crew", "hello crew", True)
        assert contents(crew, conversation) == [("user", "hello crew"), ("assistant", "hello crew")]
        runs, more = crew.runs.list(conversation_id=conversation)
        assert not more
        assert [(s.kind, s.status, s.route) for s in runs[0].steps] == [("model", "done", "fake:echo")]
        assert (runs[0].status, runs[0].summary, runs[0].after_seq, runs[0].source) == ("done", "hello crew", 0, "chat")
        assert runs[0].ended_at


@pytest.mark.spec("TURN-6")
async def test_every_event_of_a_turn_is_one_of_the_contract(tmp_path):
    adapter = conversation_events()
    async with a_crew(tmp_path) as crew:
        for text in ("hi", '/tool workspace_list {"path": "."}', "/tool nothing {}", '/tool workspace_write {"path": "a", "content": "b"}'):
            _, seen = await say(crew, text)
            for event in seen:
                assert adapter.validate_json(event.model_dump_json()).type == event.type


@pytest.mark.spec("TURN-25", "TURN-26", "TOOL-14")
async def test_a_tool_call_runs_between_two_model_calls_and_its_result_is_stored(tmp_path):
    async with a_crew(tmp_path) as crew:
        (crew.roster.master.workspace / "notes.txt").write_text("one line", encoding="utf-8")
        conversation, seen = await say(crew, '/tool workspace_read {"path": "notes.txt"}')
        assert types(seen)[1:] == ["tool_call", "tool_result", "text_delta", "done"]
        result = next(e for e in seen if e.type == "tool_result")
        assert result.ok
        assert "one line" in result.output
        assert [role for role, _ in contents(crew, conversation)] == ["user", "assistant", "tool", "assistant"]
        steps = crew.runs.list(conversation_id=conversation)[0][0].steps
        assert [s.kind for s in steps] == ["model", "tool", "model"]
        assert steps[1].arguments == {"path": "notes.txt"}


@pytest.mark.spec("TURN-26", "CTX-1", "CTX-3")
async def test_calls_of_one_message_run_in_the_written_order(tmp_path):
    async with a_crew(tmp_path) as crew:
        (crew.roster.master.workspace / "a.txt").write_text("A", encoding="utf-8")
        text = '/tool workspace_read {"path": "a.txt"}\n/tool workspace_read {"path": "missing.txt"}\n/tool workspace_list {}'
        conversation, seen = await say(crew, text)
        results = [e for e in seen if e.type == "tool_result"]
        assert [r.name for r in results] == ["workspace_read", "workspace_read", "workspace_list"]
        assert [r.ok for r in results] == [True, False, True]
        assert [r.outcome for r in results] == ["ok", "error", "ok"]  # CTX-3
        stored = [m for m in crew.conversations.detail(conversation).messages if m.role == "tool"]
        assert [m.tool_call_id for m in stored] == [r.tool_call_id for r in results]
        assert [m.context for m in stored] == [None, {"outcome": "error"}, None]  # CTX-1


@pytest.mark.spec("PTL-9", "PRV-18", "TOOL-12")
async def test_a_call_that_cannot_run_is_answered_and_the_turn_goes_on(tmp_path):
    async with a_crew(tmp_path, routes="fake:badjson") as crew:
        conversation, seen = await say(crew, "go")
        assert seen[-1].type == "done"
        assert not next(e for e in seen if e.type == "tool_result").ok
        stored = crew.conversations.detail(conversation).messages[1]
        assert isinstance(stored.tool_calls[0].arguments, str)
    async with a_crew(tmp_path) as crew:
        _, seen = await say(crew, "/tool rm_everything {}")
        assert next(e for e in seen if e.type == "tool_result").output == 'Tool "rm_everything" is not available in this turn.'
        assert seen[-1].type == "done"


@pytest.mark.spec("TURN-27", "TURN-28", "ESC-4")
async def test_a_turn_halts_after_max_steps_model_calls_with_its_last_tools_run(tmp_path):
    count = 0

    async def ever_new(_scene):
        nonlocal count
        count += 1
        yield FakeCall("workspace_read", f'{{"path": "missing{count}.txt"}}')

    async with a_crew(tmp_path, routes="fake:new", scripts={"new": ever_new}, config="max_steps: 4\n") as crew:
        conversation, seen = await say(crew, "go")
        assert (seen[-1].type, seen[-1].reason) == ("halted", "max_steps")
        assert count == 4
        assert [e.type for e in seen].count("tool_result") == 4
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.status, run.halt_reason) == ("halted", "max_steps")


@pytest.mark.spec("ESC-7")
async def test_an_agent_that_repeats_itself_is_halted_as_a_loop(tmp_path):
    async with a_crew(tmp_path, routes="fake:loop") as crew:
        _, seen = await say(crew, "go")
        assert (seen[-1].type, seen[-1].reason) == ("halted", "loop")
        assert [e.type for e in seen].count("tool_result") == 4


class Priced:
    """A provider with a price, or without one."""

    name = "fake"
    small = False

    def __init__(self, cost):
        self.cost = cost

    async def stream(self, request, route):
        yield TextDelta("hi")
        yield Completion("hi", usage=Usage(10, 5, 2, 1), cost_usd=self.cost)

    async def close(self):
        pass


@pytest.mark.spec("COST-1", "COST-5", "TURN-5")
async def test_the_cap_stops_before_the_next_model_call_and_the_message_is_stored(tmp_path):
    async with a_crew(tmp_path, config="cost_cap_usd: 0.5\n") as crew:
        crew.models.plug(Priced(0.3))
        conversation, seen = await say(crew, "one")
        assert (seen[-1].type, seen[-1].spent_usd, seen[-1].cost_usd) == ("done", 0.3, 0.3)
        await say(crew, "two", conversation)
        _, seen = await say(crew, "three", conversation)
        assert (seen[-1].type, seen[-1].reason, seen[-1].spent_usd) == ("halted", "budget", 0.6)
        assert contents(crew, conversation)[-1] == ("user", "three")
        message = crew.conversations.detail(conversation).messages[1]
        assert (message.cost_usd, message.prompt_tokens, message.completion_tokens, message.cached_tokens) == (0.3, 10, 5, 2)
        crew.conversations.patch(conversation, {"cost_cap_usd": 0})
        _, seen = await say(crew, "four", conversation)
        assert seen[-1].type == "done"


@pytest.mark.spec("TURN-5", "COST-6")
async def test_an_unknown_price_is_counted_and_never_zero(tmp_path):
    async with a_crew(tmp_path) as crew:
        crew.models.plug(Priced(None))
        conversation, seen = await say(crew, "one")
        assert (seen[-1].unknown_cost_calls, seen[-1].spent_usd) == (1, 0.0)
        detail = crew.conversations.detail(conversation)
        assert (detail.unknown_cost_calls, detail.messages[1].cost_usd) == (1, None)
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.unknown_cost_calls, run.steps[0].cost_usd) == (1, None)


@pytest.mark.spec("TURN-29", "PRV-6", "COST-2")
async def test_a_stream_that_breaks_after_text_keeps_the_text(tmp_path):
    async with a_crew(tmp_path, routes="fake:broken") as crew:
        conversation, seen = await say(crew, "go")
        assert (seen[-1].type, seen[-1].code) == ("error", "routes_failed")
        last = crew.conversations.detail(conversation).messages[-1]
        assert last.context == {"partial": "error"}
        assert last.content == "".join(e.text for e in seen if e.type == "text_delta")
        assert crew.conversations.detail(conversation).unknown_cost_calls == 1
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.status, [s.status for s in run.steps]) == ("error", ["error"])
        _, seen = await say(crew, "again", conversation)  # the conversation goes on
        assert seen[-1].type == "error"


@pytest.mark.spec("PRV-4", "PRV-5", "PRV-17")
async def test_a_route_that_fails_unseen_falls_back_and_shows_on_the_run(tmp_path):
    async def refuses(_scene):
        for piece in []:
            yield piece
        raise ProviderError("no such key")

    async with a_crew(tmp_path, routes="fake:refuses,fake:echo", scripts={"refuses": refuses}) as crew:
        conversation, seen = await say(crew, "hello")
        fallback = next(e for e in seen if e.type == "route_fallback")
        assert (fallback.from_route, fallback.to_route) == ("fake:refuses", "fake:echo")
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert [(s.kind, s.status, s.route) for s in run.steps] == [("fallback", "error", "fake:refuses"), ("model", "done", "fake:echo")]
        assert "no such key" in run.steps[0].error
    async with a_crew(tmp_path, routes="fake:refuses", scripts={"refuses": refuses}) as crew:
        conversation, seen = await say(crew, "hello")
        assert (seen[-1].type, seen[-1].code) == ("error", "routes_failed")
        assert "fake:refuses" in seen[-1].message
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert [s.kind for s in run.steps] == ["fallback"]


@pytest.mark.spec("PRV-17", "PRV-3")
async def test_without_a_usable_route_the_error_points_at_connections(tmp_path):
    async with a_crew(tmp_path, routes="openrouter:some/model") as crew:
        conversation, seen = await say(crew, "hello")
        assert (seen[-1].type, seen[-1].code) == ("error", "no_route")
        assert "Connections" in seen[-1].message
        assert contents(crew, conversation) == [("user", "hello")]


@pytest.mark.spec("PRV-12")
async def test_thinking_is_told_once_and_never_shown(tmp_path):
    from crewlab.engine.models.base import ReasoningDelta

    class Thinks(Priced):
        async def stream(self, request, route):
            yield ReasoningDelta()
            yield ReasoningDelta()
            yield TextDelta("so")
            yield Completion("so", usage=Usage(reasoning_tokens=9), cost_usd=0.0)

    async with a_crew(tmp_path) as crew:
        crew.models.plug(Thinks(0))
        conversation, seen = await say(crew, "hello")
        assert [e.type for e in seen].count("thinking") == 1
        assert crew.conversations.detail(conversation).messages[1].reasoning_tokens == 9


@pytest.mark.spec("TURN-28")
async def test_a_store_that_cannot_be_written_ends_the_turn_and_says_so(tmp_path, monkeypatch):
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        real = crew.store.messages.append

        def full(conversation_id, role, *args, **kwargs):
            if role == "assistant":
                raise StoreWriteFailed("database or disk is full")
            return real(conversation_id, role, *args, **kwargs)

        monkeypatch.setattr(crew.store.messages, "append", full)
        _, seen = await say(crew, "hello", conversation)
        assert (seen[-1].type, seen[-1].code) == ("error", "store_write")
        assert "full" in seen[-1].message
        monkeypatch.undo()
        assert contents(crew, conversation) == [("user", "hello")]
        _, seen = await say(crew, "hello again", conversation)
        assert seen[-1].type == "done"


@pytest.mark.spec("TOOL-15")
async def test_a_tool_that_crashes_is_an_error_result_without_a_trace(tmp_path, monkeypatch, caplog):
    async with a_crew(tmp_path) as crew:
        registry = crew.toolbox.of(crew.roster.master)
        tool = registry.get("workspace_list")

        async def crash(arguments, context):
            raise sqlite3.DatabaseError("secret detail")

        import dataclasses

        broken = dataclasses.replace(tool, run=crash)
        monkeypatch.setattr(type(registry), "get", lambda self, name: broken if name == "workspace_list" else None)
        _, seen = await say(crew, "/tool workspace_list {}")
        result = next(e for e in seen if e.type == "tool_result")
        assert not result.ok
        assert "DatabaseError" in result.output
        assert "secret detail" not in result.output
        assert "secret detail" in caplog.text
        assert seen[-1].type == "done"


@pytest.mark.spec("OUT-1", "OUT-36", "TURN-30")
async def test_a_long_result_is_bounded_before_it_enters_the_context(tmp_path):
    async with a_crew(tmp_path, config="tool_output_chars: 500\n") as crew:
        (crew.roster.master.workspace / "big.txt").write_text("line of text\n" * 5000, encoding="utf-8")
        conversation, seen = await say(crew, '/tool workspace_read {"path": "big.txt"}')
        result = next(e for e in seen if e.type == "tool_result")
        assert len(result.output) <= 500
        assert (result.shortened, result.original_chars > 60_000) == ("cut", True)
        stored = next(m for m in crew.conversations.detail(conversation).messages if m.role == "tool")
        assert stored.content == result.output
        step = next(s for s in crew.runs.list(conversation_id=conversation)[0][0].steps if s.kind == "tool")
        assert step.shortened == "cut"


async def test_a_call_id_that_a_model_uses_again_is_given_a_new_one(tmp_path):
    async def same_id(scene):
        if scene.tool_result is None or len([m for m in scene.request.messages if m.role == "tool"]) < 2:
            yield FakeCall("workspace_list", '{"path": "."}')
        else:
            yield "done"

    class Repeats:
        name, small = "fake", False
        calls = 0

        async def stream(self, request, route):
            from crewlab.engine.records import ToolCall

            self.calls += 1
            if self.calls <= 2:
                call = ToolCall(id="call_0", name="workspace_list", arguments={"path": "."})
                yield Completion("", (call,), cost_usd=0.0)
            else:
                yield Completion("done", cost_usd=0.0)

        async def close(self):
            pass

    async with a_crew(tmp_path) as crew:
        crew.models.plug(Repeats())
        conversation, seen = await say(crew, "go")
        ids = [c.id for m in crew.conversations.detail(conversation).messages for c in m.tool_calls]
        assert len(ids) == len(set(ids)) == 2
        assert seen[-1].type == "done"


@pytest.mark.spec("TURN-33", "TURN-34")
async def test_a_turn_runs_to_its_end_with_no_viewer_and_with_two(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "nobody looks")
        await crew.host.wait(conversation)
        assert contents(crew, conversation)[-1] == ("assistant", "nobody looks")
        viewers = [crew.watch.join(conversation) for _ in range(2)]
        await crew.inbound.send(conversation, "two look")

        async def hear(watcher):
            async for frame in watcher:
                if frame.event.type == "done":
                    return True

        async with asyncio.timeout(10):
            assert await asyncio.gather(*(hear(w) for w in viewers)) == [True, True]


@pytest.mark.spec("TURN-35", "TURN-37")
async def test_a_viewer_that_joins_in_the_middle_gets_the_text_so_far(tmp_path):
    go_on = asyncio.Event()

    async def waits(_scene):
        yield "first half, "
        await go_on.wait()
        yield "second half"

    async with a_crew(tmp_path, routes="fake:waits", scripts={"waits": waits}) as crew:
        conversation = crew.conversations.create().id
        first = crew.watch.join(conversation)
        await crew.inbound.send(conversation, "go")
        async for frame in first:
            if frame.event.type == "text_delta":
                break
        late = crew.watch.join(conversation, until_end=True)
        watching = await anext(late)
        assert (watching.event.type, watching.event.running) == ("watching", True)
        assert (await anext(late)).event.text == "first half, "
        go_on.set()
        rest = [frame.event async for frame in late]
        assert [e.type for e in rest] == ["text_delta", "done"]
        assert crew.watch.join(conversation, until_end=True) is not None


@pytest.mark.spec("TURN-81", "TURN-92", "TURN-93", "TURN-96")
async def test_the_activity_stream_shows_the_run_from_beginning_to_end(tmp_path):
    async with a_crew(tmp_path) as crew:
        watcher = crew.hub.join()
        assert (await anext(watcher)).event.type == "snapshot"
        await say(crew, "/tool workspace_list {}")
        frames = []
        async with asyncio.timeout(10):
            async for frame in watcher:
                frames.append(frame.event)
                if frame.event.type == "conversation" and frame.event.conversation.running is False and len(frames) > 3:
                    break
        runs = [f.run for f in frames if f.type == "run"]
        assert runs[-1].status == "done"
        names = [f.name for f in frames if f.type == "event"]
        assert names[-1] == "done"
        assert {"tool_call", "tool_result"} <= set(names)
        assert "text_delta" not in names  # TURN-41
        assert crew.hub.live == {}

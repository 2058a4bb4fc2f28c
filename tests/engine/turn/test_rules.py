"""Smaller rules of turns that stand alone: limits before steers, the sweep without a schedule, what survives, what is replayed."""

import asyncio
import dataclasses
from datetime import datetime
from itertools import groupby

import pytest

from crewlab.engine.clock import FakeClock
from crewlab.engine.models.base import Completion, TextDelta
from crewlab.engine.models.fake import FakeCall
from crewlab.engine.turn import decisions
from tests.fixtures.crews import a_crew, say
from tests.fixtures.holding import every_tool
from tests.fixtures.register import register

WRITE = '/tool workspace_write {"path": "out.txt", "content": "text"}'


@pytest.mark.spec("QUE-11", "TURN-25")
async def test_a_turn_that_is_about_to_halt_takes_no_steer(tmp_path):
    asked = 0
    go_on = asyncio.Event()

    async def works(scene):
        nonlocal asked
        asked += 1
        if asked == 1:
            await go_on.wait()
            yield FakeCall("workspace_list", "{}")
        else:
            yield scene.last_user

    async with a_crew(tmp_path, routes="fake:works", scripts={"works": works}, config="max_steps: 1\n") as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "go")
        await asyncio.sleep(0)
        await crew.inbound.send(conversation, "/steer too late")
        go_on.set()
        async with asyncio.timeout(10):
            while crew.host.busy(conversation):
                await crew.host.wait(conversation)
        messages = crew.conversations.detail(conversation).messages
        assert [m.content for m in messages if m.role == "user"] == ["go", "too late"]  # QUE-10: answered as an ordinary message
        first, second = reversed(crew.runs.list(conversation_id=conversation)[0])
        assert (first.status, first.halt_reason, second.status) == ("halted", "max_steps", "done")
        assert [s.kind for s in first.steps] == ["model", "tool"]


@pytest.mark.spec("QUE-17", "COST-5")
async def test_what_waits_for_a_conversation_at_its_cap_is_stored_and_halts_before_the_model(tmp_path):
    class Dear:
        name, small, calls = "fake", False, 0
        go_on = asyncio.Event()

        async def stream(self, request, route):
            self.calls += 1
            yield TextDelta("dear")
            await self.go_on.wait()
            yield Completion("dear", cost_usd=5.0)

        async def close(self):
            pass

    async with a_crew(tmp_path) as crew:
        dear = Dear()
        crew.models.plug(dear)
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "one")
        await asyncio.sleep(0)
        await crew.inbound.send(conversation, "two")
        dear.go_on.set()
        async with asyncio.timeout(10):
            while crew.host.busy(conversation):
                await crew.host.wait(conversation)
        assert dear.calls == 1
        assert [m.content for m in crew.conversations.detail(conversation).messages] == ["one", "dear", "two"]
        assert crew.runs.list(conversation_id=conversation)[0][0].halt_reason == "budget"


@pytest.mark.spec("GATE-54", "TURN-53", "GATE-51")
async def test_requests_expire_also_without_a_schedule(tmp_path, monkeypatch):
    monkeypatch.setattr(decisions, "SWEEP_SECONDS", 0.01)
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock, schedule=False) as crew:
        conversation, seen = await say(crew, WRITE)
        clock.advance(601)
        async with asyncio.timeout(10):
            while crew.approvals.get(seen[-1].approval.id).status == "pending":
                await asyncio.sleep(0.01)
            await crew.host.wait(conversation)
        assert crew.conversations.detail(conversation).messages[-1].role == "assistant"


def test_the_sweep_ticks_every_twenty_seconds():
    assert decisions.SWEEP_SECONDS == 20


@pytest.mark.spec("GATE-61", "RES-6")
async def test_a_conversation_that_waits_is_neither_resumed_nor_drained_by_a_restart(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        crew.store.queue.add(conversation, "follow_up", "later", "chat", None, None, crew._parts.now())
    async with a_crew(tmp_path) as crew:
        await asyncio.sleep(0)
        assert not crew.host.busy(conversation)
        assert crew.store.queue.count(conversation) == 1
        await crew.approvals.decide(seen[-1].approval.id, "deny")
        async with asyncio.timeout(10):
            while crew.host.busy(conversation):
                await crew.host.wait(conversation)
        assert [m.content for m in crew.conversations.detail(conversation).messages if m.role == "user"][-1] == "later"


@pytest.mark.spec("RES-6")
async def test_a_cut_run_is_not_continued_when_its_conversation_is_gone_or_spent(tmp_path):
    async def waits(_scene):
        yield "x"
        await asyncio.Event().wait()

    names = []
    async with a_crew(tmp_path, routes="fake:waits", scripts={"waits": waits}) as crew:
        for _ in range(2):
            names.append(crew.conversations.create().id)
            await crew.inbound.send(names[-1], "go")
        await asyncio.sleep(0)
        gone, spent = names
    import sqlite3

    raw = sqlite3.connect(tmp_path / "crew.db")
    raw.execute("PRAGMA foreign_keys=ON")
    raw.execute("DELETE FROM conversations WHERE id = ?", (gone,))
    raw.execute("UPDATE conversations SET spent_usd = 2, cost_cap_usd = 1 WHERE id = ?", (spent,))
    raw.commit()
    raw.close()
    async with a_crew(tmp_path) as crew:
        assert crew.host.live == {}
        rows = crew.store.db.rows("SELECT status, summary, resumed FROM runs")
        assert {tuple(row) for row in rows} == {("error", "interrupted", 0)}


@pytest.mark.spec("RPL-1", "RPL-2", "RPL-3", "RPL-4", "GATE-62")
@pytest.mark.parametrize(("tool", "again"), [("workspace_list", True), ("workspace_write", False)])
async def test_after_a_kill_a_read_is_called_again_and_a_write_is_closed_as_unknown(tmp_path, monkeypatch, tool, again):
    arguments = {"workspace_list": "{}", "workspace_write": '{"path": "a", "content": "b"}'}[tool]
    running = asyncio.Event()

    async def hangs(_arguments, _context):
        running.set()
        await asyncio.Event().wait()
        return ""

    async with a_crew(tmp_path) as crew:
        registry = crew.toolbox.of(crew.roster.master)
        stuck = dataclasses.replace(registry.get(tool), run=hangs)
        real = type(registry).get
        monkeypatch.setattr(type(registry), "get", lambda self, name: stuck if name == tool else real(self, name))
        conversation = crew.conversations.create().id
        crew.conversations.patch(conversation, {"autonomous": True})
        await crew.inbound.send(conversation, f"/tool {tool} {arguments}")
        await running.wait()
        monkeypatch.undo()
    async with a_crew(tmp_path) as crew:
        async with asyncio.timeout(10):
            while crew.host.busy(conversation):
                await crew.host.wait(conversation)
        detail = crew.conversations.detail(conversation)
        (result,) = [m for m in detail.messages if m.role == "tool"]
        assert result.context == (None if again else {"outcome": "unknown"})
        assert (crew.roster.master.workspace / "a").exists() is False
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.status, run.resumed) == ("done", True)


@pytest.mark.spec("RPL-1", "RPL-4", "TOOL-5")
async def test_only_reading_tools_say_that_they_may_be_called_again(tmp_path):
    tools = await every_tool(tmp_path)
    safe = {tool.name for tool in tools if tool.replay_safe}
    assert safe == {tool.name for tool in tools if register()[tool.name].replay_safe}
    assert "workspace_read" in safe


@pytest.mark.spec("TURN-7")
async def test_every_stored_time_is_utc_with_its_offset(tmp_path):
    async with a_crew(tmp_path, config="timezone: Asia/Ho_Chi_Minh\n") as crew:
        conversation, seen = await say(crew, WRITE)
        await crew.approvals.decide(seen[-1].approval.id, "approve")
        await crew.host.wait(conversation)
        times = []
        for table, columns in {
            "conversations": ("created_at", "updated_at"),
            "messages": ("created_at",),
            "runs": ("started_at", "ended_at"),
            "approvals": ("created_at", "expires_at", "decided_at"),
        }.items():
            for row in crew.store.db.rows(f"SELECT {', '.join(columns)} FROM {table}"):
                times.extend(row)
        assert len(times) > 8
        for moment in times:
            assert moment.endswith("+00:00")
            assert datetime.fromisoformat(moment).utcoffset().total_seconds() == 0


@pytest.mark.spec("TURN-88", "TURN-89")
async def test_a_run_notes_where_it_begins_and_leaves_memory_when_it_ends(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, _ = await say(crew, "first")
        await say(crew, "/tool workspace_list {}", conversation)
        second, first = crew.runs.list(conversation_id=conversation)[0]
        assert (first.after_seq, second.after_seq) == (0, 2)
        assert crew.hub.live == {}
        _, seen = await say(crew, WRITE, conversation)
        assert list(crew.hub.live) == [seen[-1].approval.run_id]


@pytest.mark.spec("TURN-87")
async def test_a_tool_step_is_on_disk_before_the_tool_runs(tmp_path, monkeypatch):
    import json

    seen = []
    async with a_crew(tmp_path) as crew:
        registry = crew.toolbox.of(crew.roster.master)

        async def looks(_arguments, context):
            (row,) = crew.store.db.rows("SELECT id, steps FROM runs")
            seen.append([(s["kind"], s["status"]) for s in json.loads(row["steps"])])
            assert row["id"] in crew.hub.live
            return "seen"

        looking = dataclasses.replace(registry.get("workspace_list"), run=looks)
        monkeypatch.setattr(type(registry), "get", lambda self, name: looking)
        await say(crew, "/tool workspace_list {}")
        assert seen == [[("model", "done"), ("tool", "running")]]


@pytest.mark.spec("RES-15", "QUE-15")
async def test_going_down_starts_nothing_new_and_frees_the_home(tmp_path):
    async def waits(_scene):
        yield "x"
        await asyncio.Event().wait()

    async with a_crew(tmp_path, routes="fake:waits", scripts={"waits": waits}) as crew:
        conversation = crew.conversations.create().id
        watcher = crew.watch.join(conversation)
        await crew.inbound.send(conversation, "go")
        await crew.inbound.send(conversation, "waits")
        await asyncio.sleep(0)
        await crew.stop()
        await crew.stop()
        ended = [frame.event.type async for frame in watcher]
        assert "stopped" not in ended
        assert "error" not in ended
    async with a_crew(tmp_path, schedule=False) as crew:  # the lock is free again
        assert crew.store.queue.count(conversation) == 1
        assert len(crew.runs.list(conversation_id=conversation)[0]) == 1


@pytest.mark.spec("DB-2")
async def test_an_answer_of_the_store_needs_no_second_read(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        statements = []
        crew.store.db.connection.set_trace_callback(statements.append)
        message = crew.store.messages.append(conversation, "user", "x", crew._parts.now())
        crew.store.conversations.spend(conversation, 0.1, crew._parts.now())
        crew.store.db.connection.set_trace_callback(None)
        assert (message.id, message.seq) == (1, 1)
        # What the index does inside is SQLite's own; a statement with a trigger is told again for each step of the trigger
        own = groupby(s for s in statements if not s.startswith(("--", "PRAGMA")) and "_fts" not in s)
        assert [s.split()[0] for s, _ in own] == ["BEGIN", "INSERT", "COMMIT", "BEGIN", "UPDATE", "COMMIT"]


@pytest.mark.spec("GATE-2", "GATE-4")
async def test_a_conversation_starts_with_the_stance_of_its_agent(tmp_path):
    folder = tmp_path / "agents" / "builder"
    folder.mkdir(parents=True)
    (folder / "agent.yaml").write_text("mode: work\n", encoding="utf-8")
    async with a_crew(tmp_path) as crew:
        work = crew.conversations.create(agent="builder")
        chat = crew.conversations.create()
        assert (work.autonomous, work.auto_approve, work.approval_ttl_seconds) == (True, [], None)
        assert (chat.autonomous, chat.cost_cap_usd, work.cost_cap_usd) == (False, 1.0, 5.0)

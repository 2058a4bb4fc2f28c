"""Who may run what: one winner for each call, message and cut turn, and every start of a turn runs the same loop."""

import asyncio
import json
import subprocess
import sys

import pytest

from crewlab.engine.clock import FakeClock
from crewlab.engine.crew import open_crew
from crewlab.engine.errors import Conflict, StartupStop
from crewlab.engine.home.layout import Home
from crewlab.engine.models.base import ChatMessage, ChatRequest, Completion
from crewlab.engine.models.fake import FakeCall
from crewlab.engine.turn import decisions
from crewlab.engine.turn.decisions import Decisions
from crewlab.engine.turn.host import TurnHost
from crewlab.engine.turn.loop import TurnLoop
from crewlab.engine.turn.resume import resume_cut_turns
from crewlab.engine.turn.side import charge_of, side_chain
from tests.engine.turn.test_compact import Narrow
from tests.engine.turn.test_durable import killed, settle, until
from tests.fixtures import invariants
from tests.fixtures.crews import a_crew, say

WRITE = '/tool workspace_write {"path": "out.txt", "content": "text"}'

CLAIM = """
import sys
from pathlib import Path
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
store = Store(Path(sys.argv[1]), Texts())
print("ready", flush=True)
sys.stdin.readline()
won = store.approvals.decide(sys.argv[2], "approved", "2026-01-01T00:00:00.000000+00:00", always=False)
print("won" if won else "lost", flush=True)
"""


async def hangs(scene):
    yield "half "
    await asyncio.Event().wait()


@pytest.mark.spec("FD-3", "TURN-52")
async def test_of_two_processes_that_claim_the_same_call_one_wins(tmp_path):
    async with a_crew(tmp_path) as crew:
        _, seen = await say(crew, WRITE)
        approval = seen[-1].approval
        command = [sys.executable, "-c", CLAIM, str(crew.home.db_file), approval.id]
        workers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
        try:
            for worker in workers:
                assert worker.stdout.readline() == "ready\n"
            for worker in workers:  # both are at the same place
                worker.stdin.write("go\n")
                worker.stdin.flush()
            assert sorted(worker.stdout.readline() for worker in workers) == ["lost\n", "won\n"]
        finally:
            for worker in workers:
                worker.communicate()
        with pytest.raises(Conflict):
            await crew.approvals.decide(approval.id, "approve")


@pytest.mark.spec("FD-3")
async def test_of_two_hosts_over_one_store_one_runs_the_call_and_it_runs_once(tmp_path):
    async with a_crew(tmp_path) as crew:
        parts = crew.approvals._parts
        other = Decisions(parts, TurnHost(parts, crew.conversations.summary))
        conversation, seen = await say(crew, WRITE)
        approval = seen[-1].approval
        answers = await asyncio.gather(
            crew.approvals.decide(approval.id, "approve"), other.decide(approval.id, "approve"), return_exceptions=True
        )
        assert [type(answer) is Conflict for answer in answers] == [False, True]
        await settle(crew, conversation)
        results = [m for m in crew.conversations.detail(conversation).messages if m.role == "tool"]
        assert len(results) == 1
        steps = crew.runs.get(approval.run_id).steps
        assert [step.kind for step in steps].count("tool") == 1


@pytest.mark.spec("FD-3", "DB-10")
async def test_a_second_server_on_the_home_of_a_running_call_never_comes_to_run_it(tmp_path):
    async with a_crew(tmp_path, routes="fake:hangs", scripts={"hangs": hangs}) as crew:
        await crew.inbound.send(crew.conversations.create().id, "go")
        with pytest.raises(StartupStop) as stop:
            await open_crew(Home(tmp_path), environ={"CREWLAB_ROUTES": "fake:echo"})
        assert stop.value.code == "home_locked"


@pytest.mark.spec("FD-3", "QUE-12")
async def test_a_queue_that_is_drained_twice_at_once_gives_one_turn(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        crew.store.queue.add(conversation, "follow_up", "waits", "chat", None, None, "2026-01-01T00:00:00.000000+00:00")
        for _ in range(3):
            crew.host.drain(conversation)
        await settle(crew, conversation)
        assert [m.content for m in crew.conversations.detail(conversation).messages] == ["waits", "waits"]


@pytest.mark.spec("FL-6", "RES-1", "RES-3")
async def test_what_a_start_says_it_has_taken_over_is_what_the_rows_say_and_every_message_is_answered(tmp_path, caplog):
    async with a_crew(tmp_path / "first", routes="fake:hangs", scripts={"hangs": hangs}) as crew:
        told = []
        for number in range(4):
            conversation = crew.conversations.create().id
            await crew.inbound.send(conversation, f"message {number}")
            told.append(conversation)
        await until(lambda: all(turn.text for turn in crew.host.live.values()))
        await crew.inbound.send(told[3], "waits")
        crew.conversations.patch(told[0], {"cost_cap_usd": 0.001})
        crew.store.conversations.spend(told[0], 0.01, "2026-01-01T00:00:00.000000+00:00")  # RES-5: not continued
        home = killed(crew, tmp_path / "second")
    crew = await open_crew(Home(home), environ={"CREWLAB_ROUTES": "fake:echo"})
    counted = []
    real = resume_cut_turns
    caplog.set_level("INFO")
    try:
        import crewlab.engine.running as module

        module.resume_cut_turns = lambda *values: counted.append(real(*values)) or counted[-1]
        await crew.start()
    finally:
        module.resume_cut_turns = real
    try:
        rows = crew.store.db.rows("SELECT conversation_id, status, summary, resumed FROM runs ORDER BY rowid")
        owned = [row["conversation_id"] for row in rows if row["resumed"]]
        assert counted == [3]
        assert owned == told[1:]
        assert sorted(crew.host.live) == sorted(owned)  # a claim without an owner would hang for ever
        assert (rows[0]["status"], rows[0]["summary"]) == ("error", "interrupted")
        assert "continued 3 turn(s)" in caplog.text
        for conversation in told:
            await settle(crew, conversation)
        for number, conversation in enumerate(told[1:], 1):
            answers = [m.content for m in crew.conversations.detail(conversation).messages if m.role == "assistant"]
            assert answers[0] == f"message {number}"
        assert crew.conversations.detail(told[3]).messages[-1].content == "waits"
        _, seen = await say(crew, "again", crew.conversations.create().id)
        assert seen[-1].type == "done"
    finally:
        await crew.stop()
    with invariants.Home(home / "crew.db") as file:
        assert file.rows("SELECT id FROM runs WHERE status IN ('running', 'waiting')") == []


@pytest.mark.spec("TURN-12", "TURN-1")
async def test_the_queue_a_decision_and_a_restart_start_turns_in_the_same_loop(tmp_path, monkeypatch):
    ran = []
    real = TurnLoop.run

    async def run(self, turn, *, fresh):
        ran.append((type(self).__name__, turn.run.id))
        await real(self, turn, fresh=fresh)

    monkeypatch.setattr(TurnLoop, "run", run)
    async with a_crew(tmp_path / "first") as crew:
        waits = crew.conversations.create().id
        crew.store.queue.add(waits, "follow_up", "from the queue", "chat", None, None, "2026-01-01T00:00:00.000000+00:00")
        crew.host.drain(waits)
        await settle(crew, waits)
        assert len(ran) == 1
        conversation, seen = await say(crew, WRITE)
        await crew.approvals.decide(seen[-1].approval.id, "deny")
        await settle(crew, conversation)
        assert [name for name, _ in ran] == ["TurnLoop"] * 3
        assert ran[1] == ran[2]  # the decision continues the same run
    async with a_crew(tmp_path / "cut", routes="fake:hangs", scripts={"hangs": hangs}) as crew:
        await crew.inbound.send(crew.conversations.create().id, "go")
        await until(lambda: all(turn.text for turn in crew.host.live.values()))
        home = killed(crew, tmp_path / "second")
    ran.clear()
    async with a_crew(home) as crew:
        (conversation,) = crew.host.live
        await settle(crew, conversation)
        assert len(ran) == 1


@pytest.mark.spec("TURN-51", "TURN-50")
async def test_the_sweep_closes_what_is_overdue_while_a_jobs_turn_never_ends(tmp_path, monkeypatch):
    monkeypatch.setattr(decisions, "SWEEP_SECONDS", 0.01)
    clock = FakeClock()
    async with a_crew(tmp_path, routes="fake:echo", scripts={"hangs": hangs}, clock=clock) as crew:
        _, seen = await say(crew, WRITE)
        monkeypatch.setattr(type(crew.models), "chain", chain_of_one(crew, hangs))
        job = crew.conversations.create(source="job:default/slow").id
        await crew.inbound.send(job, "a job that hangs", source="job:default/slow")
        clock.advance(601)
        await until_slept(lambda: crew.approvals.get(seen[-1].approval.id).status == "expired")
        assert crew.host.busy(job)


def chain_of_one(crew, script):
    real = type(crew.models).chain

    async def chain(self, routes):
        from crewlab.engine.home.routes import parse_route

        return await real(self, (parse_route("fake:hangs"),))

    return chain


async def until_slept(true):
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.005)


@pytest.mark.spec("QUE-9")
async def test_a_steer_waits_in_the_queue_until_the_running_tool_has_ended(tmp_path, monkeypatch):
    began, go_on = asyncio.Event(), asyncio.Event()

    async def works(scene):
        if any(m.role == "tool" for m in scene.request.messages):
            yield f"last words: {scene.last_user}"
        else:
            yield FakeCall("workspace_list", "{}")

    async with a_crew(tmp_path, routes="fake:works", scripts={"works": works}) as crew:
        import dataclasses

        registry = crew.toolbox.of(crew.roster.master)
        real = registry.get("workspace_list")

        async def slow(arguments, context):
            began.set()
            await go_on.wait()
            return await real.run(arguments, context)

        monkeypatch.setattr(type(registry), "get", lambda self, name: dataclasses.replace(real, run=slow))
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "go")
        await began.wait()
        await crew.inbound.send(conversation, "/steer be quick")
        for _ in range(50):
            await asyncio.sleep(0)
        assert [item.text for item in crew.store.queue.waiting(conversation)] == ["be quick"]
        assert [m.role for m in crew.store.messages.list(conversation)] == ["user", "assistant"]
        go_on.set()
        await settle(crew, conversation)
        assert [m.role for m in crew.store.messages.list(conversation)] == ["user", "assistant", "tool", "user", "assistant"]
        assert crew.conversations.detail(conversation).messages[-1].content == "last words: be quick"


@pytest.mark.spec("COST-11")
async def test_a_side_call_outside_any_conversation_names_none_and_gives_its_price_to_the_caller(tmp_path):
    class Aside(Narrow):
        async def stream(self, request, route):
            yield Completion("label", cost_usd=0.5)

    async with a_crew(tmp_path) as crew:
        crew.models.plug(Aside())
        conversation, _ = await say(crew, "hello")
        spent = crew.conversations.summary(conversation).spent_usd
        side = await side_chain(crew.approvals._parts, crew.roster.master, None)
        await side.ask("script", ChatRequest("", (ChatMessage("user", "classify"),)))
        row = crew.store.db.row("SELECT conversation_id, purpose, cost_usd FROM side_calls")
        assert tuple(row) == (None, "script", 0.5)
        assert charge_of(side.calls).usd == 0.5  # for the job's run
        assert crew.conversations.summary(conversation).spent_usd == spent
        assert (await crew.stats.read()).totals.cost_usd == pytest.approx(spent + 0.5)
        assert json.dumps([dict(row)])

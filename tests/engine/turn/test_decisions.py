"""Approvals through a real crew: pause, decide, expire, race, restart."""

import asyncio
from datetime import datetime

import pytest

from crewlab.engine.clock import FakeClock
from crewlab.engine.errors import Conflict, Invalid, NotFound, StoreWriteFailed
from crewlab.engine.models.fake import FakeCall
from tests.fixtures.crews import a_crew, events_until, say, types

WRITE = '/tool workspace_write {"path": "out.txt", "content": "text"}'


def pending(crew, conversation):
    return crew.conversations.detail(conversation).pending


def written(crew):
    return crew.roster.master.workspace / "out.txt"


async def finish(crew, conversation):
    await crew.host.wait(conversation)
    return crew.conversations.detail(conversation)


@pytest.mark.spec("GATE-29", "GATE-30", "GATE-75", "TURN-48", "TURN-55", "GATE-37")
async def test_a_risky_call_pauses_the_turn_and_stores_the_whole_request(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        assert types(seen)[1:] == ["tool_call", "approval_required"]
        approval = seen[-1].approval
        assert approval == crew.approvals.get(approval.id) == pending(crew, conversation)
        assert (approval.tool, approval.arguments, approval.status) == (
            "workspace_write",
            {"path": "out.txt", "content": "text"},
            "pending",
        )
        run = crew.runs.get(approval.run_id)
        assert (run.status, run.steps[-1].kind, run.steps[-1].status) == ("waiting", "wait", "running")
        assert not written(crew).exists()
        assert not crew.host.busy(conversation)


@pytest.mark.spec("GATE-42", "GATE-56", "GATE-57", "GATE-46")
async def test_approving_runs_the_stored_call_in_the_same_run(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        approval = seen[-1].approval
        hearing = asyncio.ensure_future(events_until(crew, conversation))
        await asyncio.sleep(0)
        decided = await crew.approvals.decide(approval.id, "approve")
        assert decided.status == "approved"
        events = await hearing
        assert types(events) == ["watching", "approval_decided", "opened", "tool_call", "tool_result", "text_delta", "done"]
        assert events[2].message is None
        await finish(crew, conversation)
        assert written(crew).read_text() == "text"
        runs, _ = crew.runs.list(conversation_id=conversation)
        assert [r.id for r in runs] == [approval.run_id]
        assert [s.kind for s in runs[0].steps] == ["model", "wait", "tool", "model"]
        assert (runs[0].steps[1].outcome, runs[0].source) == ("approved", "chat")
        assert crew.approvals.get(approval.id).decided_at


@pytest.mark.spec("GATE-43")
async def test_denying_runs_nothing_and_tells_the_model_not_to_try_another_way(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        await crew.approvals.decide(seen[-1].approval.id, "deny")
        detail = await finish(crew, conversation)
        tool = next(m for m in detail.messages if m.role == "tool")
        assert tool.context == {"outcome": "denied"}
        assert "refused" in tool.content.lower() or "denied" in tool.content.lower()
        assert not written(crew).exists()
        assert detail.messages[-1].role == "assistant"


@pytest.mark.spec("TURN-54", "GATE-40", "GATE-73", "GATE-6")
async def test_always_lets_later_calls_run_until_it_is_revoked(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        decided = await crew.approvals.decide(seen[-1].approval.id, "approve", always=True)
        assert decided.always
        await finish(crew, conversation)
        assert crew.conversations.detail(conversation).auto_approve == ["workspace_write"]
        _, seen = await say(crew, WRITE, conversation)
        assert seen[-1].type == "done"
        crew.conversations.patch(conversation, {"auto_approve": []})
        _, seen = await say(crew, WRITE, conversation)
        assert seen[-1].type == "approval_required"


@pytest.mark.spec("GATE-3", "TURN-19", "GATE-6")
async def test_switching_autonomous_off_is_seen_by_the_very_next_call(tmp_path):
    switched = asyncio.Event()

    async def twice(scene):
        done = len([m for m in scene.request.messages if m.role == "tool"])
        if done == 1:
            await switched.wait()
        if done < 2:
            yield FakeCall("workspace_write", f'{{"path": "n{done}.txt", "content": "x"}}')
        else:
            yield "both written"

    async with a_crew(tmp_path, routes="fake:twice", scripts={"twice": twice}) as crew:
        conversation = crew.conversations.create().id
        crew.conversations.patch(conversation, {"autonomous": True})
        watcher = crew.watch.join(conversation)
        await crew.inbound.send(conversation, "go")
        async for frame in watcher:
            if frame.event.type == "tool_result":
                crew.conversations.patch(conversation, {"autonomous": False})
                switched.set()
                break
        await crew.host.wait(conversation)
        assert pending(crew, conversation).arguments["path"] == "n1.txt"
        assert (crew.roster.master.workspace / "n0.txt").exists()


@pytest.mark.spec("QUE-3", "GATE-35")
async def test_a_waiting_conversation_takes_no_message_and_stores_nothing(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, _ = await say(crew, WRITE)
        with pytest.raises(Conflict) as refusal:
            await crew.inbound.send(conversation, "and now?")
        assert refusal.value.code == "approval_pending"
        assert len(crew.conversations.detail(conversation).messages) == 2
        assert crew.store.queue.count(conversation) == 0


@pytest.mark.spec("QUE-4", "GATE-41", "GATE-47")
async def test_a_decision_holds_the_conversation_and_a_second_one_is_refused(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        approval = seen[-1].approval
        await crew.approvals.decide(approval.id, "deny")
        sent = await crew.inbound.send(conversation, "next")
        assert sent.status == "queued"
        with pytest.raises(Conflict) as refusal:
            await crew.approvals.decide(approval.id, "approve")
        assert (refusal.value.code, refusal.value.fields["status"]) == ("not_pending", "denied")
        with pytest.raises(NotFound):
            await crew.approvals.decide("nothing", "approve")
        await crew.host.wait(conversation)
        await crew.host.wait(conversation)
        assert crew.conversations.detail(conversation).messages[-1].content == "next"


async def test_a_decision_that_cannot_be_written_leaves_the_request_open_and_can_be_taken_again(tmp_path, monkeypatch):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        approval = seen[-1].approval

        def full(_run):
            raise StoreWriteFailed("database or disk is full")

        monkeypatch.setattr(crew.store.runs, "save", full)
        with pytest.raises(StoreWriteFailed):
            await crew.approvals.decide(approval.id, "approve")
        monkeypatch.undo()
        run = crew.runs.get(approval.run_id)
        assert (run.status, run.steps[-1].status, run.steps[-1].outcome) == ("waiting", "running", None)
        assert pending(crew, conversation) == approval
        await crew.approvals.decide(approval.id, "approve")
        await finish(crew, conversation)
        assert written(crew).read_text() == "text"


@pytest.mark.spec("DUR-3")
async def test_a_cut_right_after_a_decision_leaves_a_turn_to_continue(tmp_path, monkeypatch):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        approval = seen[-1].approval
        monkeypatch.setattr(crew.host, "resume", lambda run, *, fresh: None)  # the process is gone before the turn goes on
        await crew.approvals.decide(approval.id, "deny")
        (stored,) = crew.store.runs.open()
        assert (stored.id, stored.status, stored.steps[-1].outcome) == (approval.run_id, "running", "denied")
    async with a_crew(tmp_path) as crew:
        detail = await finish(crew, conversation)
        assert detail.messages[-1].role == "assistant"
        run = crew.runs.get(approval.run_id)
        assert (run.status, run.resumed) == ("done", True)
        assert not written(crew).exists()


@pytest.mark.spec("TURN-52")
async def test_of_many_decisions_at_once_exactly_one_wins(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        decisions = ["approve", "deny"] * 10
        results = await asyncio.gather(*(crew.approvals.decide(seen[-1].approval.id, d) for d in decisions), return_exceptions=True)
        assert sum(1 for r in results if not isinstance(r, Exception)) == 1
        assert all(r.code == "not_pending" for r in results if isinstance(r, Exception))
        await finish(crew, conversation)


@pytest.mark.spec("GATE-49", "TURN-49", "GATE-51", "GATE-52", "TURN-50", "GATE-53")
async def test_a_request_nobody_decides_expires_and_the_turn_goes_on(tmp_path):
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock, config="approval_ttl_seconds: 30\n") as crew:
        conversation, seen = await say(crew, WRITE)
        approval = seen[-1].approval
        life = datetime.fromisoformat(approval.expires_at) - datetime.fromisoformat(approval.created_at)
        assert life.total_seconds() == 30
        clock.advance(29)
        assert crew.approvals.sweep() == 0
        clock.advance(1)
        assert crew.approvals.sweep() == 1
        detail = await finish(crew, conversation)
        assert crew.approvals.get(approval.id).status == "expired"
        tool = next(m for m in detail.messages if m.role == "tool")
        assert tool.context == {"outcome": "expired"}
        assert detail.messages[-1].role == "assistant"
        assert not written(crew).exists()
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.steps[1].outcome, run.steps[1].ms) == ("expired", 30_000)


@pytest.mark.spec("GATE-53")
async def test_a_decision_after_the_deadline_is_refused_and_closes_the_request(tmp_path):
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock) as crew:
        conversation, seen = await say(crew, WRITE)
        clock.advance(601)
        with pytest.raises(Conflict) as refusal:
            await crew.approvals.decide(seen[-1].approval.id, "approve")
        assert refusal.value.fields["status"] == "expired"
        await finish(crew, conversation)
        assert not written(crew).exists()


@pytest.mark.spec("GATE-44", "GATE-10", "WS-10")
async def test_an_approved_call_is_checked_again_when_it_runs(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        outside = tmp_path / "outside"
        outside.mkdir()
        written(crew).symlink_to(outside / "stolen.txt")
        await crew.approvals.decide(seen[-1].approval.id, "approve")
        detail = await finish(crew, conversation)
        assert not (outside / "stolen.txt").exists()
        assert next(m for m in detail.messages if m.role == "tool").context is not None


@pytest.mark.spec("GATE-8", "GATE-9")
async def test_a_call_that_is_certain_to_be_refused_asks_nobody(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, '/tool workspace_write {"path": "../escape.txt", "content": "x"}')
        assert "approval_required" not in types(seen)
        assert seen[-1].type == "done"
        assert crew.approvals.list() == []
        tool = next(m for m in crew.conversations.detail(conversation).messages if m.role == "tool")
        assert tool.context == {"outcome": "refused"}


@pytest.mark.spec("GATE-36")
async def test_calls_behind_the_one_that_waits_are_judged_after_the_decision(tmp_path):
    async with a_crew(tmp_path) as crew:
        text = "\n".join(f'/tool workspace_write {{"path": "f{n}.txt", "content": "x"}}' for n in range(2))
        conversation, seen = await say(crew, text)
        assert pending(crew, conversation).arguments["path"] == "f0.txt"
        await crew.approvals.decide(seen[-1].approval.id, "approve")
        await crew.host.wait(conversation)
        second = pending(crew, conversation)
        assert second.arguments["path"] == "f1.txt"
        assert (crew.roster.master.workspace / "f0.txt").exists()
        await crew.approvals.decide(second.id, "deny")
        await finish(crew, conversation)
        assert not (crew.roster.master.workspace / "f1.txt").exists()


@pytest.mark.spec("GATE-63", "TURN-86", "TURN-20")
async def test_deleting_a_waiting_conversation_closes_run_and_request(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        approval = seen[-1].approval
        await crew.conversations.delete(conversation)
        run = crew.runs.get(approval.run_id)
        assert (run.status, run.summary) == ("error", "interrupted")
        with pytest.raises(NotFound):
            await crew.approvals.decide(approval.id, "approve")
        with pytest.raises(NotFound):
            crew.conversations.detail(conversation)
        assert crew.hub.live == {}


@pytest.mark.spec("GATE-64", "QUE-22")
async def test_stop_on_a_waiting_conversation_cancels_nothing(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, _ = await say(crew, WRITE)
        stopped = crew.host.stop(conversation)
        assert (stopped.cleared, stopped.cancelled) == ([], False)
        assert pending(crew, conversation) is not None


@pytest.mark.spec("GATE-60", "RES-13", "GATE-53")
async def test_a_request_survives_a_restart_and_its_decision_continues_the_same_run(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        approval = seen[-1].approval
    async with a_crew(tmp_path) as crew:
        assert pending(crew, conversation) == approval
        assert crew.hub.live[approval.run_id].status == "waiting"
        await crew.approvals.decide(approval.id, "approve")
        await finish(crew, conversation)
        assert written(crew).read_text() == "text"
        runs, _ = crew.runs.list(conversation_id=conversation)
        assert [(r.id, r.status) for r in runs] == [(approval.run_id, "done")]


@pytest.mark.spec("GATE-72", "GATE-34")
async def test_auto_approve_may_only_shrink_through_the_conversation(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        with pytest.raises(Invalid) as refusal:
            crew.conversations.patch(conversation, {"auto_approve": ["shell_run"]})
        assert refusal.value.fields["field"] == "auto_approve"


@pytest.mark.spec("GATE-39", "QUE-4")
async def test_a_request_can_be_decided_the_moment_it_is_told(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        watcher = crew.watch.join(conversation)
        await crew.inbound.send(conversation, '/tool workspace_write {"path": "a.txt", "content": "b"}')
        async for frame in watcher:
            if frame.event.type == "approval_required":
                await crew.approvals.decide(frame.event.approval.id, "approve")
            if frame.event.type == "done":
                break
        assert (tmp_path / "workspace" / "a.txt").read_text() == "b"
        watcher.close()

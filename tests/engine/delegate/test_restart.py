"""A server that ends while jobs are out: the child is found again, waited for, and counted once (DLG-67 to DLG-73, RES-8 to RES-11)."""

import asyncio
import json
import shutil

import pytest

from crewlab.engine.clock import FakeClock
from crewlab.engine.models.fake import FakeCall, FakeCost
from crewlab.engine.texts import Texts
from crewlab.engine.tools import hooked
from tests.fixtures import invariants
from tests.fixtures.crews import say
from tests.fixtures.teams import a_team, calls_then, children, job, result, results, run_of, says, settle, until

EN = Texts("en")
WRITE = FakeCall("workspace_write", json.dumps({"path": "out.txt", "content": "text"}))


def killed(crew, root):
    """The home as a killed process would leave it now."""
    shutil.copytree(crew.home.root, root, ignore=shutil.ignore_patterns("*.lock"))
    return root


async def hangs(_scene):
    yield "I began "
    yield FakeCost(0.5)
    await asyncio.Event().wait()


def check(root):
    with invariants.Home(root / "crew.db") as home:
        invariants.check_settled(home)


@pytest.mark.spec("DLG-69", "DLG-67", "RES-10", "RES-11", "RPL-6", "RES-3")
async def test_a_turn_cut_while_its_child_runs_finds_it_again_and_counts_it_once(tmp_path):
    async with a_team(tmp_path / "a", {"ada": hangs}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job(relay=False))
        await until(lambda: children(crew, conversation) and crew.host.live[children(crew, conversation)[0].id].text)
        (child,) = children(crew, conversation)
        dead = killed(crew, tmp_path / "b")
    order = []
    async with a_team(dead, {"ada": says("Ready.", FakeCost(0.25))}) as crew:
        order = [turn.conversation_id for turn in crew.host.live.values()]
        assert order == [conversation, child.id]  # the delegating turn first
        assert crew.conversations.summary(conversation).running
        await settle(crew, conversation)
        assert [c.id for c in children(crew, conversation)] == [child.id]
        found = result(crew, conversation)
        assert (found.figures.conversation_id, found.outcome, found.figures.spent_usd) == (child.id, "done", 0.25)
        assert run_of(crew, child.id).resumed
        assert run_of(crew, conversation).resumed
        assert crew.conversations.summary(conversation).delegated_usd == 0.25
        assert len(crew.store.runs.of(child.id)) == 1
    check(dead)


@pytest.mark.spec("DLG-69", "DLG-67", "RES-11", "RPL-6")
async def test_a_child_that_had_ended_is_read_from_the_store_and_not_asked_again(tmp_path, monkeypatch):
    dead = []
    execute = hooked.run_tool

    async def cut(tool, arguments, context):
        ran = await execute(tool, arguments, context)
        if tool.name == "delegate":
            dead.append(killed(crew, tmp_path / "b"))  # the child has ended, its result is not recorded
        return ran

    monkeypatch.setattr(hooked, "run_tool", cut)
    async with a_team(tmp_path / "a", {"ada": says("Ready.", FakeCost(0.5))}) as crew:
        conversation, _ = await say(crew, job(relay=False))
        (child,) = children(crew, conversation)
    monkeypatch.undo()
    asked = []

    async def ada(scene):
        asked.append(scene)
        yield "Asked again."

    async with a_team(dead[0], {"ada": ada}) as crew:
        await settle(crew, conversation)
        assert asked == []
        found = result(crew, conversation)
        assert (found.figures.conversation_id, found.figures.spent_usd) == (child.id, 0.5)
        assert "Ready." in found.body
        assert crew.conversations.summary(conversation).delegated_usd == 0.5
    check(dead[0])


@pytest.mark.spec("DLG-67")
async def test_a_recorded_result_is_not_repeated(tmp_path):
    async def master(scene):
        if scene.tool_result is None:
            yield FakeCall("delegate", '{"task": "look", "agent": "ada"}')
            return
        yield "I think "
        await asyncio.Event().wait()

    members = {"ada": says("Status: DONE_WITH_CONCERNS", FakeCost(0.5)), "boss": master}
    async with a_team(tmp_path / "a", members, {"default": "routes: [fake:boss]"}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "when?")
        await until(lambda: results(crew, conversation) and crew.host.live[conversation].text)
        dead = killed(crew, tmp_path / "b")
    async with a_team(dead, {"ada": says("again"), "boss": says("It is done.")}) as crew:
        await settle(crew, conversation)
        assert len(children(crew, conversation)) == len(results(crew, conversation)) == 1
        assert crew.conversations.summary(conversation).delegated_usd == 0.5
        assert crew.store.messages.list(conversation)[-1].content == "It is done."
    check(dead)


@pytest.mark.spec("DLG-69")
async def test_a_child_that_was_opened_and_had_not_begun_is_begun_and_no_second_one_opened(tmp_path, monkeypatch):
    dead = []
    async with a_team(tmp_path / "a", {"ada": says("Ready.")}) as crew:
        real = crew.children._open

        def opened(job):
            child = real(job)
            dead.append(killed(crew, tmp_path / "b"))
            return child

        monkeypatch.setattr(crew.children, "_open", opened)
        conversation, _ = await say(crew, job())
    async with a_team(dead[0], {"ada": says("Ready.")}) as crew:
        await settle(crew, conversation)
        (child,) = children(crew, conversation)
        assert len(crew.store.runs.of(child.id)) == 1
        assert crew.store.messages.list(conversation)[-1].content == "Ready."
    check(dead[0])


@pytest.mark.spec("DLG-70", "RES-6", "RES-10")
@pytest.mark.parametrize("why", ["resumed before", "budget", "no schedule", "gone"])
async def test_a_child_whose_parent_does_not_go_on_is_not_continued(tmp_path, why):
    async with a_team(tmp_path / "a", {"ada": hangs}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job())
        await until(lambda: children(crew, conversation) and crew.host.live[children(crew, conversation)[0].id].text)
        (child,) = children(crew, conversation)
        if why == "resumed before":
            crew.store.db.write("UPDATE runs SET resumed = 1 WHERE conversation_id = ?", (conversation,))
        elif why == "budget":
            crew.store.db.write("UPDATE conversations SET cost_cap_usd = 1, spent_usd = 1 WHERE id = ?", (conversation,))
        elif why == "gone":
            crew.store.db.write("DELETE FROM conversations WHERE id = ?", (conversation,))
        dead = killed(crew, tmp_path / "b")
    asked = []

    async def ada(scene):
        asked.append(scene)
        yield "Asked again."

    async with a_team(dead, {"ada": ada}, schedule=why != "no schedule") as crew:
        assert crew.host.live == {}
        run = run_of(crew, child.id)
        assert (run.status, run.summary, run.resumed, asked) == ("error", "interrupted", False, [])
        if why == "resumed before":
            await say(crew, "and now?", conversation)
            assert result(crew, conversation).reason == "interrupted"
            assert len(children(crew, conversation)) == 1


@pytest.mark.spec("DLG-70")
async def test_a_child_nobody_waits_for_any_more_is_not_continued(tmp_path):
    """The wait was over and its result recorded; the server died before the child had stopped."""
    async with a_team(tmp_path / "a", {"ada": hangs}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job())
        await until(lambda: children(crew, conversation) and crew.host.live[children(crew, conversation)[0].id].text)
        (child,) = children(crew, conversation)
        call = crew.store.messages.list(conversation)[1].tool_calls[0]
        crew.store.messages.append(conversation, "tool", "timed out", crew._parts.now(), tool_call_id=call.id, name="delegate")
        dead = killed(crew, tmp_path / "b")
    async with a_team(dead, {"ada": says("Asked again.")}) as crew:
        assert list(crew.host.live) == [conversation]
        await settle(crew, conversation)
        assert run_of(crew, child.id).summary == "interrupted"


@pytest.mark.spec("DLG-73", "GATE-60", "RES-13", "DLG-69")
async def test_a_request_inside_a_child_survives_and_its_decision_ends_the_job(tmp_path):
    members = {"ada": calls_then([WRITE], ["Status: DONE"])}
    async with a_team(tmp_path / "a", members) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job(relay=False))
        await until(lambda: crew.approvals.list(status="pending"))
        (child,) = children(crew, conversation)
        await settle(crew, child.id)
        killed(crew, tmp_path / "b")
    shutil.rmtree(tmp_path / "a")
    dead = (tmp_path / "b").rename(tmp_path / "a")  # an approval is bound to the place of the file that was shown (ASK-1)
    async with a_team(dead, members) as crew:
        assert list(crew.host.live) == [conversation]
        (approval,) = crew.approvals.list(status="pending")
        assert approval.conversation_id == child.id
        await crew.approvals.decide(approval.id, "approve")
        await settle(crew, conversation)
        assert result(crew, conversation).outcome == "done"
        assert (crew.roster.get("ada").workspace / "out.txt").exists()
        assert len(crew.store.runs.of(child.id)) == 1
    check(dead)


@pytest.mark.spec("DLG-71")
async def test_the_wait_begins_anew_when_the_call_is_taken_up_again(tmp_path):
    clock = FakeClock()
    async with a_team(tmp_path / "a", {"ada": hangs}, clock=clock) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job())
        await until(lambda: children(crew, conversation) and crew.host.live[children(crew, conversation)[0].id].text)
        clock.advance(899)
        dead = killed(crew, tmp_path / "b")
    async with a_team(dead, {"ada": hangs}, clock=clock) as crew:
        await until(lambda: crew.children._waiting)
        clock.advance(899)
        crew.children.tick()
        for _ in range(20):
            await asyncio.sleep(0)
        assert crew.host.busy(conversation)
        clock.advance(1)
        crew.children.tick()
        await settle(crew, conversation)
        assert result(crew, conversation).reason == "timeout"


@pytest.mark.spec("DLG-28", "RES-2", "RES-15")
async def test_a_server_that_goes_down_stops_no_child_for_good(tmp_path):
    async with a_team(tmp_path, {"ada": hangs}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, f"{job()}\n{job()}")
        await until(lambda: len(children(crew, conversation)) == 2 and all(crew.host.busy(c.id) for c in children(crew, conversation)))
        kids = [c.id for c in children(crew, conversation)]
    with invariants.Home(tmp_path / "crew.db") as home:
        assert [row["status"] for row in home.rows("SELECT status FROM runs")] == ["running"] * 3
    async with a_team(tmp_path, {"ada": says("Ready.")}) as crew:
        await settle(crew, conversation)
        assert [c.id for c in children(crew, conversation)] == kids
        assert [result(crew, conversation, place).outcome for place in (0, 1)] == ["done", "done"]
    check(tmp_path)


@pytest.mark.spec("DLG-95")
async def test_while_the_server_goes_down_nothing_is_opened(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.")}) as crew:
        crew.hub.going_down = True
        conversation, _ = await say(crew, job())
        assert results(crew, conversation)[0].content == EN("delegate.going_down")
        assert children(crew, conversation) == []
        crew.hub.going_down = False


@pytest.mark.spec("DLG-95")
async def test_without_a_conversation_nothing_is_opened(tmp_path):
    from crewlab.engine.tools.contract import ToolContext, ToolError

    async with a_team(tmp_path, {"ada": says("Ready.")}) as crew:
        tool = crew.toolbox.of(crew.roster.master).get("delegate")
        with pytest.raises(ToolError) as refused:
            await tool.run({"task": "look", "agent": "ada"}, ToolContext("default", tmp_path, EN, None, "c", "job:default/x"))
        assert refused.value.message == EN("delegate.no_conversation")
        assert crew.hub.live == {}


@pytest.mark.spec("RES-8", "DLG-28")
async def test_a_continued_turn_is_read_by_the_host_so_that_tabs_watch_it_and_stop_reaches_it(tmp_path):
    async with a_team(tmp_path / "a", {"ada": hangs}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job())
        await until(lambda: children(crew, conversation) and crew.host.live[children(crew, conversation)[0].id].text)
        (child,) = children(crew, conversation)
        dead = killed(crew, tmp_path / "b")
    async with a_team(dead, {"ada": hangs}) as crew:
        await until(lambda: crew.children._waiting and crew.host.live[child.id].text)
        watcher = crew.watch.join(conversation)
        assert crew.host.stop(conversation).cancelled
        await settle(crew, conversation)
        await settle(crew, child.id)
        seen = []
        async with asyncio.timeout(20):
            async for frame in watcher:
                seen.append(frame.event.type)
                if seen[-1] == "stopped":
                    break
        watcher.close()
        assert [run_of(crew, id).summary for id in (conversation, child.id)] == ["interrupted"] * 2

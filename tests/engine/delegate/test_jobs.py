"""Jobs on a real crew: the child, what it inherits, its result, stops and deadlines (DLG-10 to DLG-29, DLG-41, DLG-54)."""

import asyncio
import json

import pytest

from crewlab.engine.clock import FakeClock
from crewlab.engine.delegate.result import read
from crewlab.engine.errors import Conflict
from crewlab.engine.models.base import ProviderError
from crewlab.engine.models.fake import FakeCall, FakeCost
from crewlab.engine.texts import Texts
from tests.fixtures.crews import say
from tests.fixtures.opened import without_context
from tests.fixtures.teams import a_team, calls_then, children, job, result, results, run_of, says, settle, until

EN = Texts("en")
WRITE = FakeCall("workspace_write", json.dumps({"path": "out.txt", "content": "text"}))


@pytest.mark.spec("DLG-10", "DLG-11", "DLG-12", "DLG-13", "DLG-36", "DLG-37", "DLG-38", "DLG-39")
async def test_a_job_runs_in_a_conversation_of_its_own_and_comes_back_as_one_result(tmp_path):
    requests = []

    async def ada(scene):
        requests.append(scene.request)
        yield "The harbour opens at nine."
        yield FakeCost(0.25)

    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation, _ = await say(crew, "something said before, which is nobody's business")
        await say(crew, job("ada", "When does the harbour open? Today is Monday.", relay=False), conversation)
        (child,) = children(crew, conversation)
        (request,) = requests
        (opening,) = request.messages
        assert (opening.role, without_context(opening.content)) == ("user", "When does the harbour open? Today is Monday.")
        call = crew.store.messages.list(conversation)[3].tool_calls[0]
        assert (child.agent_id, child.parent_id, child.parent_call_id) == ("ada", conversation, call.id)
        assert child.root_id == conversation
        first = crew.store.messages.list(child.id)[0]
        assert (first.role, first.written_by) == ("user", "agent")
        run = run_of(crew, child.id)
        assert run.source == f"delegate:{conversation}"
        (stored,) = results(crew, conversation)
        assert stored.content.split("\n")[:3] == [f"conversation={child.id} status=done spent=$0.2500 steps=1", "outcome=done", ""]
        assert "The harbour opens at nine." in read(stored.content).body


@pytest.mark.spec("DLG-14", "DLG-13", "FRK-3", "UI-11")
async def test_a_child_is_in_no_list_can_be_opened_and_cannot_be_forked(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.")}) as crew:
        conversation, _ = await say(crew, job())
        (child,) = children(crew, conversation)
        for agent in ("default", "ada"):
            assert child.id not in [c.id for c in crew.conversations.list(agent)[0]]
        detail = crew.conversations.detail(child.id)
        assert [m.content for m in detail.messages] == ["look", "Ready."]
        with pytest.raises(Conflict) as refused:
            crew.forks.fork(child.id, detail.messages[0].id)
        assert refused.value.code == "child_conversation"
        await crew.conversations.delete(conversation)
        assert child.id not in [c.id for c in crew.conversations.list("ada")[0]]
        assert crew.conversations.detail(child.id).parent_id is None


@pytest.mark.spec("DLG-20", "DLG-22", "GATE-69", "TIER-16", "PTL-154")
async def test_the_child_takes_over_stance_deadline_tier_cap_zone_and_channel(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.")}, {"default": "tier_cap: write"}) as crew:
        conversation = crew.conversations.create().id
        crew.store.db.write(
            "UPDATE conversations SET approval_ttl_seconds = 77, autonomous = 1, auto_approve = '[\"shell_run\"]' WHERE id = ?",
            (conversation,),
        )
        crew.store.db.forget()
        await crew.inbound.send(conversation, job(), source="inbound:lab", timezone="Asia/Ho_Chi_Minh")
        await settle(crew, conversation)
        (child,) = children(crew, conversation)
        assert (child.autonomous, child.approval_ttl_seconds, child.tier_cap, child.auto_approve) == (True, 77, "write", [])
        assert child.chain_source == "inbound:lab"
        assert run_of(crew, child.id).timezone == "Asia/Ho_Chi_Minh"
        crew.conversations.patch(conversation, {"autonomous": False})
        assert crew.conversations.summary(child.id).autonomous is True
        plain, _ = await say(crew, job())
        (other,) = children(crew, plain)
        assert (other.autonomous, other.approval_ttl_seconds, other.chain_source) == (False, None, "chat")


@pytest.mark.spec("TIER-14", "TIER-16", "DLG-8")
@pytest.mark.parametrize("how", ["read_only", "plan"])
async def test_a_child_under_a_cap_holds_only_what_reads_for_its_whole_life(tmp_path, how):
    requests = []

    async def ada(scene):
        requests.append([spec.name for spec in scene.request.tools])
        yield "Ready."

    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation = crew.conversations.create().id
        if how == "plan":
            crew.conversations.patch(conversation, {"plan": True})
        await say(crew, job("ada", "look", **({"read_only": True} if how == "read_only" else {})), conversation)
        (child,) = children(crew, conversation)
        assert child.tier_cap == "read"
        crew.conversations.patch(conversation, {"plan": False})
        await say(crew, "go on", child.id)
        assert len(requests) == 2
        for names in requests:
            assert "workspace_read" in names
            assert "workspace_write" not in names


@pytest.mark.spec("TIER-13", "TIER-16")
async def test_an_agent_with_a_cap_holds_nothing_above_it_in_any_turn(tmp_path):
    async with a_team(tmp_path, {}, {"default": "tier_cap: read"}) as crew:
        conversation, _ = await say(crew, '/tool workspace_write {"path": "a", "content": "b"}')
        assert results(crew, conversation)[0].content == 'Tool "workspace_write" is not available in this turn.'


@pytest.mark.spec("DLG-24", "AGT-24")
async def test_from_its_25th_model_call_a_child_is_told_to_conclude_and_runs_nothing(tmp_path):
    requests = []

    async def ada(scene):
        requests.append(scene.request)
        if len(requests) < 28:
            yield FakeCall("workspace_list", '{"path": "%s"}' % ("." + "/." * len(requests)))
        else:
            yield "Status: DONE_WITH_CONCERNS – not all was read"

    async with a_team(tmp_path, {"ada": ada}, {"ada": "max_steps: 40"}) as crew:
        conversation, _ = await say(crew, job())
        (child,) = children(crew, conversation)
        assert len(requests) == 28
        for number, request in enumerate(requests, 1):
            assert bool(request.tools) == (number < 25)
            assert (request.messages[-1].content == EN("turn.conclude")) == (number >= 25)
        answers = results(crew, child.id)
        assert [m.content == EN("turn.conclude") for m in answers] == [False] * 24 + [True] * 3
        assert [m.context for m in answers[24:]] == [{"outcome": "refused"}] * 3
        assert EN("turn.conclude") not in [m.content for m in crew.store.messages.list(child.id) if m.role == "user"]
        assert result(crew, conversation).outcome == "done_with_concerns"


@pytest.mark.spec("DLG-24")
async def test_a_turn_of_a_person_is_not_told_to_conclude(tmp_path):
    requests = []

    async def ada(scene):
        requests.append(scene.request)
        if len(requests) < 27:
            yield FakeCall("workspace_list", '{"path": "%s"}' % ("." + "/." * len(requests)))
        else:
            yield "Ready."

    async with a_team(tmp_path, {"ada": ada}, {"ada": "max_steps: 40"}) as crew:
        await say(crew, "hello", crew.conversations.create("ada").id)
        assert all(request.tools for request in requests)


@pytest.mark.spec("DLG-23", "DLG-47", "DLG-49", "GATE-70", "DLG-25", "GATE-38")
@pytest.mark.parametrize(
    ("decisions", "outcome", "reason"),
    [(["approve"], "done", ""), (["deny"], "blocked", "workspace_write denied"), (["deny", "approve"], "done", "")],
)
async def test_a_child_waits_for_its_own_approval_and_the_last_decision_counts(tmp_path, decisions, outcome, reason):
    another = FakeCall("workspace_write", json.dumps({"path": "b.txt", "content": "text"}))
    rounds = [[WRITE], [another]][: len(decisions)]
    async with a_team(tmp_path, {"ada": calls_then(*rounds, ["Status: DONE"])}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job(relay=False))
        for number, decision in enumerate(decisions, 1):
            await until(lambda number=number: len(crew.approvals.list()) == number and crew.approvals.list(status="pending"))
            (approval,) = crew.approvals.list(status="pending")
            (child,) = children(crew, conversation)
            assert approval.conversation_id == child.id
            assert crew.store.approvals.pending_of(conversation) is None
            assert crew.host.busy(conversation)
            await crew.approvals.decide(approval.id, decision)
        await settle(crew, conversation)
        found = result(crew, conversation)
        assert (found.outcome, found.reason) == (outcome, reason)


@pytest.mark.spec("DLG-25", "DLG-47", "DLG-23")
async def test_a_request_nobody_decides_expires_and_the_parent_still_waits(tmp_path):
    clock = FakeClock()
    async with a_team(tmp_path, {"ada": calls_then([WRITE], ["Not allowed."])}, clock=clock) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job(relay=False))
        await until(lambda: crew.approvals.list(status="pending"))
        await settle(crew, children(crew, conversation)[0].id)
        clock.advance(601)
        crew.children.tick()
        assert crew.approvals.sweep() == 1
        await settle(crew, conversation)
        found = result(crew, conversation)
        assert (found.outcome, found.reason) == ("blocked", "workspace_write expired")


@pytest.mark.spec("DLG-25")
async def test_a_late_request_prolongs_the_wait_until_five_minutes_after_its_deadline(tmp_path):
    clock, go = FakeClock(), asyncio.Event()
    played = calls_then([WRITE], ["Status: DONE"])

    async def ada(scene):
        await go.wait()
        async for piece in played(scene):
            yield piece

    async with a_team(tmp_path, {"ada": ada}, clock=clock) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job(relay=False))
        await until(lambda: children(crew, conversation) and crew.host.busy(children(crew, conversation)[0].id))
        clock.advance(800)
        go.set()
        await until(lambda: crew.approvals.list(status="pending"))  # it may be decided until 1,400
        clock.advance(590)
        crew.children.tick()
        for _ in range(20):
            await asyncio.sleep(0)
        assert crew.host.busy(conversation)
        (approval,) = crew.approvals.list(status="pending")
        await crew.approvals.decide(approval.id, "approve")
        await settle(crew, conversation)
        assert result(crew, conversation).outcome == "done"


@pytest.mark.spec("DLG-25", "DLG-20", "GATE-49")
@pytest.mark.parametrize(
    ("own", "profile", "seconds"), [(None, "", 900), (None, "approval_ttl_seconds: 50", 350), (77, "approval_ttl_seconds: 50", 377)]
)
async def test_the_wait_is_the_childs_approval_deadline_and_five_minutes(tmp_path, own, profile, seconds):
    async def ada(_scene):
        await asyncio.Event().wait()
        yield ""

    clock = FakeClock()
    async with a_team(tmp_path, {"ada": ada}, {"ada": profile}, clock=clock) as crew:
        conversation = crew.conversations.create().id
        crew.store.db.write("UPDATE conversations SET approval_ttl_seconds = ? WHERE id = ?", (own, conversation))
        crew.store.db.forget()
        await crew.inbound.send(conversation, job())
        await until(lambda: crew.children._waiting)
        clock.advance(seconds - 1)
        crew.children.tick()
        for _ in range(20):
            await asyncio.sleep(0)
        assert crew.host.busy(conversation)
        clock.advance(1)
        crew.children.tick()
        await settle(crew, conversation)
        assert result(crew, conversation).reason == "timeout"


@pytest.mark.spec("DLG-26", "DLG-27", "DLG-41", "DLG-43", "DLG-54", "DLG-72", "DLG-66")
async def test_when_the_wait_is_over_the_child_is_stopped_and_what_it_did_and_spent_is_told(tmp_path):
    clock = FakeClock()
    requests = []

    async def ada(scene):
        requests.append(scene.request)
        if len(requests) == 1:
            yield FakeCall("workspace_list")
            yield FakeCost(0.5)
            return
        yield "half a sentence "
        await asyncio.Event().wait()

    async with a_team(tmp_path, {"ada": ada}, clock=clock) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job())
        await until(lambda: len(requests) == 2)
        (child,) = children(crew, conversation)
        await until(lambda: crew.host.live[child.id].text)
        clock.advance(901)
        crew.children.tick()
        await settle(crew, conversation)
        (stored,) = results(crew, conversation)
        assert stored.context == {"outcome": "error"}
        found = read(stored.content)
        assert (found.figures.conversation_id, found.outcome, found.reason) == (child.id, "failed", "timeout")
        assert found.figures.spent_usd == 0.5
        assert found.figures.unknown_calls == 1
        assert EN("delegate.unfinished") in found.body
        assert "- workspace_list()" in found.body
        assert "half a sentence" in found.body
        run = run_of(crew, child.id)
        assert (run.status, run.summary) == ("error", "interrupted")
        summary = crew.conversations.summary(conversation)
        assert (summary.spent_usd, summary.delegated_usd, summary.unknown_cost_calls) == (0.5, 0.5, 1)


@pytest.mark.spec("DLG-27", "DLG-28")
async def test_a_stopped_child_that_waits_is_closed_with_its_request(tmp_path):
    async with a_team(tmp_path, {"ada": calls_then([WRITE], ["never said"])}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job())
        await until(lambda: crew.approvals.list(status="pending"))
        (child,) = children(crew, conversation)
        (approval,) = crew.approvals.list()
        stop = crew.host.stop(conversation)
        assert stop.cancelled
        await settle(crew, conversation)
        run = run_of(crew, child.id)
        assert (run.status, run.summary) == ("error", "interrupted")
        assert all(step.status != "running" for step in run.steps)
        assert crew.approvals.get(approval.id).status == "expired"
        assert run.id not in crew.hub.live
        with pytest.raises(Conflict):
            await crew.approvals.decide(approval.id, "approve")
        assert run_of(crew, conversation).summary == "interrupted"
        assert not (crew.roster.get("ada").workspace / "out.txt").exists()


@pytest.mark.spec("DLG-28", "RPL-6", "RES-11", "DLG-41")
async def test_stopping_the_parent_stops_its_children_and_the_next_turn_reads_them_as_they_stand(tmp_path):
    begun = []

    async def ada(scene):
        begun.append(scene)
        yield "I began "
        await asyncio.Event().wait()

    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, f"{job('ada', 'one')}\n{job('ada', 'two')}")
        await until(lambda: len(begun) == 2)
        kids = children(crew, conversation)
        crew.host.stop(conversation)
        for id in (conversation, *(kid.id for kid in kids)):
            await settle(crew, id)
            assert (run_of(crew, id).status, run_of(crew, id).summary) == ("error", "interrupted")
        assert results(crew, conversation) == []
        await say(crew, "and now?", conversation)
        assert len(begun) == 2
        assert [k.id for k in children(crew, conversation)] == [k.id for k in kids]
        for place, kid in enumerate(kids):
            found = result(crew, conversation, place)
            assert (found.figures.conversation_id, found.outcome, found.reason) == (kid.id, "failed", "interrupted")
            assert EN("delegate.unfinished") in found.body


@pytest.mark.spec("DLG-28", "TURN-20")
async def test_deleting_the_parent_stops_its_children_and_writes_no_credit(tmp_path):
    begun = []

    async def ada(scene):
        begun.append(scene)
        yield "I began "
        await asyncio.Event().wait()

    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job())
        await until(lambda: begun)
        (child,) = children(crew, conversation)
        await crew.conversations.delete(conversation)
        await settle(crew, child.id)
        assert run_of(crew, child.id).summary == "interrupted"
        assert crew.store.conversations.get(conversation) is None
        assert crew.conversations.detail(child.id).messages[-1].context == {"partial": "stopped"}


async def test_a_child_deleted_while_it_runs_ends_the_wait(tmp_path):
    begun = []

    async def ada(scene):
        begun.append(scene)
        yield FakeCost(0.5)
        await asyncio.Event().wait()

    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job())
        await until(lambda: begun)
        (child,) = children(crew, conversation)
        await crew.conversations.delete(child.id)
        await settle(crew, conversation)
        found = result(crew, conversation)
        assert (found.figures.conversation_id, found.reason) == (child.id, "interrupted")


@pytest.mark.spec("DLG-29", "QUE-9")
async def test_a_steer_waits_until_the_child_has_ended(tmp_path):
    go = asyncio.Event()

    async def ada(_scene):
        await go.wait()
        yield "Ready."

    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job())
        await until(lambda: children(crew, conversation))
        await crew.inbound.send(conversation, "/steer be brief")
        for _ in range(20):
            await asyncio.sleep(0)
        assert [m.role for m in crew.store.messages.list(conversation)] == ["user", "assistant"]
        go.set()
        await settle(crew, conversation)
        assert [m.role for m in crew.store.messages.list(conversation)] == ["user", "assistant", "tool", "user", "assistant"]


@pytest.mark.spec("DLG-41", "DLG-43", "DLG-47")
@pytest.mark.parametrize("how", ["routes", "budget", "max_steps", "loop"])
async def test_a_child_that_does_not_end_well_gives_a_successful_result_that_says_so(tmp_path, how):
    async def ada(_scene):
        if how == "routes":
            raise ProviderError("no such model", status=400)
        yield FakeCall("workspace_list")
        yield FakeCost(0.1)

    profile = {"budget": "cost_cap_usd: 0.1", "max_steps": "max_steps: 2"}.get(how, "max_steps: 30")
    async with a_team(tmp_path, {"ada": ada}, {"ada": profile}) as crew:
        conversation, _ = await say(crew, job())
        (stored,) = results(crew, conversation)
        assert stored.context is None
        found = read(stored.content)
        assert (found.outcome, found.reason) == ("failed", {"routes": "error"}.get(how, how))
        assert EN("delegate.unfinished") in found.body
        assert ("- workspace_list()" in found.body) == (how != "routes")
        assert crew.store.messages.list(conversation)[-1].role == "assistant"


async def test_two_calls_with_the_same_provider_id_are_told_apart(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.")}) as crew:
        one, _ = await say(crew, job())
        two, _ = await say(crew, job())
        ids = [crew.store.messages.list(c)[1].tool_calls[0].id for c in (one, two)]
        assert ids[0] == ids[1]
        assert [len(children(crew, c)) for c in (one, two)] == [1, 1]
        assert result(crew, one).figures.conversation_id != result(crew, two).figures.conversation_id


async def test_an_agent_removed_while_it_works_ends_as_it_began_and_is_refused_next_time(tmp_path):
    go = asyncio.Event()

    async def ada(_scene):
        await go.wait()
        yield "Ready."

    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job(relay=False))
        await until(lambda: children(crew, conversation))
        del crew.roster._agents["ada"]
        go.set()
        await settle(crew, conversation)
        assert result(crew, conversation).outcome == "done"
        await say(crew, job(), conversation)
        assert len(children(crew, conversation)) == 1
        assert results(crew, conversation)[-1].context == {"outcome": "error"}

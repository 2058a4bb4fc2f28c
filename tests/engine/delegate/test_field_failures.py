"""Faults that users of delegating systems reported (FJ): each as it could happen here."""

import asyncio

import pytest

from crewlab.engine.errors import StoreWriteFailed
from crewlab.engine.models.base import ProviderError
from crewlab.engine.models.fake import FakeCall
from crewlab.engine.texts import Texts
from tests.fixtures.crews import say
from tests.fixtures.teams import a_team, calls_then, children, job, result, results, run_of, says, settle, until

EN = Texts("en")


async def fails(_scene):
    raise ProviderError("the disk of the vendor burns")
    yield ""


@pytest.mark.spec("FJ-1")
async def test_a_result_is_there_however_long_telling_the_parent_fails(tmp_path, monkeypatch):
    """The child's end is stored before anybody is told; the parent reads it whenever it can be written."""
    async with a_team(tmp_path, {"ada": says("three hours of work")}) as crew:
        append, refusals = crew.store.messages.append, []

        def full(conversation_id, role, *rest, **more):
            if role == "tool" and more.get("name") == "delegate" and len(refusals) < 1:
                refusals.append(conversation_id)
                raise StoreWriteFailed("no space left")
            return append(conversation_id, role, *rest, **more)

        monkeypatch.setattr(crew.store.messages, "append", full)
        conversation, _ = await say(crew, job(relay=False))
        (child,) = children(crew, conversation)
        assert (refusals, results(crew, conversation)) == ([conversation], [])
        assert crew.store.messages.list(child.id)[-1].content == "three hours of work"
        await say(crew, "go on", conversation)  # an hour later: the open call is settled from the store
        assert "three hours of work" in result(crew, conversation).body
        assert len(crew.store.runs.of(child.id)) == 1


@pytest.mark.spec("FJ-2")
@pytest.mark.parametrize("count", [2, 3, 4, 8])
async def test_no_result_of_several_children_is_dropped_whoever_ends_last(tmp_path, count):
    gates = [asyncio.Event() for _ in range(count)]

    async def ada(scene):
        number = int(scene.last_user)
        await gates[number].wait()
        yield f"result {number}"

    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "\n".join(job("ada", str(number)) for number in range(count)))
        await until(lambda: len(children(crew, conversation)) == count)
        for gate in [*gates[1:], gates[0]]:  # the first that was given out ends last
            gate.set()
        await settle(crew, conversation)
        found = [result(crew, conversation, place).body for place in range(count)]
        assert [f"result {number}" in body for number, body in enumerate(found)] == [True] * count


@pytest.mark.spec("FJ-2", "DLG-33")
async def test_of_ten_jobs_eight_are_done_and_two_are_told_that_they_were_not_given_out(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.")}) as crew:
        conversation, _ = await say(crew, "\n".join(job("ada", str(number)) for number in range(10)))
        stored = results(crew, conversation)
        assert len(stored) == 10
        assert ["Ready." in message.content for message in stored] == [True] * 8 + [False] * 2
        assert [message.content for message in stored[8:]] == [EN("delegate.too_many", limit=8)] * 2


@pytest.mark.spec("FJ-4", "DLG-4")
async def test_a_child_has_no_children_and_reports_to_its_own_parent(tmp_path):
    tries = [FakeCall("delegate", '{"task": "deeper", "agent": "bea"}')]

    async def ada(scene):
        if scene.tool_result is None:
            yield tries[0]
        else:
            yield f"heard: {scene.tool_result}"

    async with a_team(tmp_path, {"ada": ada, "bea": says("never")}, {"ada": "mode: work\ndelegates: [bea]"}) as crew:
        conversation, _ = await say(crew, job(relay=False))
        (child,) = children(crew, conversation)
        assert children(crew, child.id) == []
        assert EN("tools.not_available", name="delegate") in result(crew, conversation).body
        assert [c.parent_id for c in children(crew, conversation)] == [conversation]


@pytest.mark.spec("FJ-5", "DLG-79")
@pytest.mark.parametrize("way", ["fails", "blocked", "stopped"])
async def test_what_went_wrong_reaches_the_person_through_the_parent_alone(tmp_path, way):
    scripts = {"fails": fails, "blocked": says("half of it\n\nStatus: BLOCKED no key"), "stopped": None}

    async def hangs(_scene):
        yield "half of it"
        await asyncio.Event().wait()

    async with a_team(tmp_path, {"ada": scripts[way] or hangs}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job())
        if way == "stopped":
            await until(lambda: children(crew, conversation) and crew.host.live[children(crew, conversation)[0].id].text)
            crew.host.stop(children(crew, conversation)[0].id)
        await settle(crew, conversation)
        answer = crew.store.messages.list(conversation)[-1]
        assert (answer.role, answer.model, (answer.context or {}).get("relayed_from")) == ("assistant", "echo", None)
        assert result(crew, conversation).outcome == ("blocked" if way == "blocked" else "failed")


@pytest.mark.spec("FJ-7", "DLG-25", "DLG-27")
async def test_a_child_that_never_makes_its_first_call_is_stopped_when_its_time_is_over(tmp_path):
    """No progress means no waiting request: the wait is the deadline and five minutes, and then the child is stopped."""
    from crewlab.engine.clock import FakeClock

    reached = asyncio.Event()

    async def wedged(_scene):
        reached.set()
        await asyncio.Event().wait()
        yield ""

    clock = FakeClock()
    async with a_team(tmp_path, {"ada": wedged}, {"ada": "approval_ttl_seconds: 60"}, clock=clock) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job(relay=False))
        await reached.wait()
        (child,) = children(crew, conversation)
        clock.advance(361)
        crew.hub.run(run_of(crew, child.id))  # anything that happens wakes who waits
        await settle(crew, conversation)
        found = result(crew, conversation)
        assert (found.outcome, found.reason) == ("failed", "timeout")
        assert not crew.host.busy(child.id)
        assert run_of(crew, child.id).summary == "interrupted"


@pytest.mark.spec("FJ-8", "DLG-28", "DLG-34", "TURN-91")
async def test_limits_hold_in_code_and_the_whole_tree_is_listed_and_stopped(tmp_path):
    async def hangs(_scene):
        yield "busy"
        await asyncio.Event().wait()

    async with a_team(tmp_path, {"ada": hangs}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "\n".join(job("ada", str(number)) for number in range(94)))
        await until(lambda: len(children(crew, conversation)) == 8 and len(crew.host.live) == 9)
        assert {run.conversation_id for run in crew.runs.list(conversation_id=conversation, limit=100)[0]} == {
            conversation,
            *(child.id for child in children(crew, conversation)),
        }
        crew.host.stop(conversation)
        await until(lambda: not crew.host.live)
        assert len(children(crew, conversation)) == 8
        assert {run_of(crew, child.id).summary for child in children(crew, conversation)} == {"interrupted"}


@pytest.mark.spec("FJ-10", "JOBS-4")
async def test_after_three_equal_failures_the_agent_is_not_given_that_work_again(tmp_path):
    asked = []

    async def ada(scene):
        asked.append(scene.last_user)
        if "well" in scene.last_user:
            yield "fine"
        else:
            raise ProviderError("the disk of the vendor burns")

    async with a_team(tmp_path, {"ada": ada, "bea": says("Ready.")}) as crew:
        conversation, _ = await say(crew, job("ada", "one"))
        await say(crew, job("ada", "two"), conversation)
        await say(crew, job("ada", "this goes well", relay=False), conversation)  # breaks the row
        for task in ("three", "four", "five", "six"):
            await say(crew, job("ada", task), conversation)
        assert asked[-1] == "five"
        refused = results(crew, conversation)[-1].content
        assert "burns" in refused
        assert refused.startswith(EN("delegate.broken", id="ada", limit=3, why="\0").split("\0")[0])
        await say(crew, job("bea", "other", relay=False), conversation)  # another agent is another matter
        assert "Ready." in results(crew, conversation)[-1].content
        assert len(children(crew, conversation)) == 7


@pytest.mark.spec("FJ-10", "JOBS-4")
async def test_what_a_person_stopped_is_no_failure(tmp_path):
    gate = asyncio.Event()

    async def ada(_scene):
        yield "busy"
        await gate.wait()

    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation = crew.conversations.create().id
        for number in range(3):
            await crew.inbound.send(conversation, job("ada", str(number)))
            await until(lambda count=number + 1: len(opened := children(crew, conversation)) == count and opened[-1].id in crew.host.live)
            crew.host.stop(conversation)
            await until(lambda: not crew.host.live)
        gate.set()
        await say(crew, job("ada", "now", relay=False), conversation)
        assert "busy" in results(crew, conversation)[-1].content


@pytest.mark.spec("GATE-93", "DLG-49")
async def test_an_answered_question_does_not_clear_a_denied_tool(tmp_path):
    write = FakeCall("workspace_write", '{"path": "a.txt", "content": "x"}')
    ask = FakeCall("ask_user", '{"question": "Which year?", "default": "2026"}')
    async with a_team(tmp_path, {"ada": calls_then([write], [ask], ["Status: DONE"])}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job(relay=False))
        await until(lambda: crew.approvals.list(status="pending"))
        await crew.approvals.decide(crew.approvals.list(status="pending")[0].id, "deny")
        await until(lambda: [one for one in crew.approvals.list(status="pending") if one.kind == "question"])
        await crew.approvals.answer(crew.approvals.list(status="pending")[0].id, "2025")
        await settle(crew, conversation)
        found = result(crew, conversation)
        assert (found.outcome, found.reason) == ("blocked", "workspace_write denied")

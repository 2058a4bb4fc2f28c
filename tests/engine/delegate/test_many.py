"""Several jobs at once, and how many a conversation gives out (DLG-30 to DLG-35, TURN-91)."""

import asyncio

import pytest

from crewlab.engine.records import ToolCall
from crewlab.engine.texts import Texts
from crewlab.engine.turn.together import AT_ONCE, in_order
from tests.fixtures.crews import say
from tests.fixtures.teams import a_team, children, job, result, results, run_of, says, settle, until

EN = Texts("en")


@pytest.mark.spec("DLG-30", "DLG-31", "DLG-32", "TURN-26", "TOOL-3")
async def test_neighbouring_jobs_run_together_other_tools_alone_and_results_stand_in_written_order(tmp_path):
    gates = {name: asyncio.Event() for name in "abcd"}
    begun, running, most = [], set(), [0]

    async def ada(scene):
        name = scene.last_user
        begun.append(name)
        running.add(name)
        most[0] = max(most[0], len(running))
        await gates[name].wait()
        running.discard(name)
        yield f"{name} is done"

    lines = [job("ada", "a"), job("ada", "b"), "/tool workspace_list {}", job("ada", "c"), job("ada", "d")]
    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "\n".join(lines))
        await until(lambda: len(begun) == 2)
        run = next(r for r in crew.hub.live.values() if r.conversation_id == conversation)
        assert [(s.name, s.status) for s in run.steps if s.kind == "tool"] == [("delegate", "running")] * 2
        gates["b"].set()  # the second is ready first: it waits for its place
        await until(lambda: running == {"a"})
        for _ in range(20):
            await asyncio.sleep(0)
        assert results(crew, conversation) == []
        assert begun == ["a", "b"]
        gates["a"].set()
        await until(lambda: len(begun) == 4)
        assert [m.name for m in results(crew, conversation)] == ["delegate", "delegate", "workspace_list"]
        for gate in gates.values():
            gate.set()
        await settle(crew, conversation)
        calls = crew.store.messages.list(conversation)[1].tool_calls
        assert [m.tool_call_id for m in results(crew, conversation)] == [call.id for call in calls]
        words = [m.content for m in results(crew, conversation) if m.name == "delegate"]
        assert [f"{name} is done" in text for name, text in zip("abcd", words, strict=True)] == [True] * 4
        assert most == [2]
        assert [s.status for s in run_of(crew, conversation).steps if s.kind == "tool"] == ["done"] * 5


@pytest.mark.spec("DLG-31")
async def test_at_most_eight_works_run_at_once_and_come_in_order():
    running, most, go = [0], [0], asyncio.Event()

    async def work(number):
        running[0] += 1
        most[0] = max(most[0], running[0])
        await go.wait()
        running[0] -= 1
        return number

    from functools import partial

    ended = in_order([partial(work, number) for number in range(20)])
    first = asyncio.ensure_future(anext(ended))
    await until(lambda: running[0] == AT_ONCE == 8)
    for _ in range(20):
        await asyncio.sleep(0)
    assert most == [8]
    go.set()
    assert [await first, *[number async for number in ended]] == list(range(20))
    assert most == [8]


async def test_a_work_that_fails_takes_the_others_with_it():
    cancelled = []

    async def never():
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.append(1)

    async def fails():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        async for _ in in_order([fails, never, never]):
            pass
    assert len(cancelled) == 2


@pytest.mark.spec("DLG-31", "DLG-32")
async def test_a_refused_job_among_others_keeps_its_place(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.")}) as crew:
        conversation, _ = await say(crew, "\n".join([job(), job("nobody"), '/tool delegate {"task": 3}', job()]))
        assert [m.context for m in results(crew, conversation)] == [None, {"outcome": "error"}, {"outcome": "error"}, None]
        assert len(children(crew, conversation)) == 2


@pytest.mark.spec("DLG-33", "DLG-95", "DLG-30")
@pytest.mark.parametrize("how", ["one message", "many messages"])
async def test_the_ninth_job_of_a_conversation_is_refused_and_opens_nothing(tmp_path, how):
    async with a_team(tmp_path, {"ada": says("Ready.")}) as crew:
        conversation = crew.conversations.create().id
        if how == "one message":
            await say(crew, "\n".join([job()] * 10), conversation)
        else:
            for _ in range(10):
                await say(crew, job(), conversation)
        assert len(children(crew, conversation)) == 8
        answers = results(crew, conversation)
        assert [m.context for m in answers] == [None] * 8 + [{"outcome": "error"}] * 2
        assert answers[8].content == EN("delegate.too_many", limit=8)
        assert crew.conversations.summary(conversation).delegated_usd == 0


def a_script_child(crew, conversation, call_id, number):
    crew.store.conversations.insert(
        {
            **{"id": f"s{number}", "agent_id": "ada", "source": f"delegate:{conversation}", "parent_id": conversation},
            **{"parent_call_id": f"{call_id}:{number}", "created_at": f"2026-01-01T00:00:0{number}", "updated_at": "2026"},
        }
    )


@pytest.mark.spec("DLG-33", "DLG-34", "DLG-93", "TURN-91")
@pytest.mark.parametrize("tool", ["tool_script", "eval"])
async def test_jobs_of_scripts_and_cells_are_found_by_the_id_of_their_call_and_count(tmp_path, tool):
    async with a_team(tmp_path, {"ada": says("Ready.")}) as crew:
        conversation, _ = await say(crew, "hello")
        now = crew._parts.now()
        crew.store.messages.append(conversation, "assistant", "", now, tool_calls=(ToolCall(id="S_1", name=tool, arguments={}),))
        crew.store.messages.append(conversation, "tool", "printed", now, tool_call_id="S_1", name=tool)
        for number in range(1, 8):
            a_script_child(crew, conversation, "S_1", number)
        a_script_child(crew, conversation, "S_10", 8)  # another call whose id begins alike
        a_script_child(crew, conversation, "SX1", 9)  # `_` is no wildcard
        assert [child.id for child in crew.store.children.of(conversation, crew.store.messages.list(conversation))] == [
            f"s{n}" for n in range(1, 8)
        ]
        await say(crew, f"{job()}\n{job()}", conversation)
        assert [m.context for m in results(crew, conversation)[1:]] == [None, {"outcome": "error"}]


@pytest.mark.spec("DLG-35", "FRK-12", "DLG-34")
async def test_a_fork_sees_the_children_of_the_copied_part_and_is_charged_for_them(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.")}) as crew:
        conversation, _ = await say(crew, "\n".join([job()] * 6))
        await say(crew, "\n".join([job()] * 2), conversation)
        second = [m for m in crew.store.messages.list(conversation) if m.role == "user"][1]
        fork = crew.forks.fork(conversation, second.id)
        await say(crew, "\n".join([job()] * 3), fork.id)
        assert len(children(crew, fork.id)) == 2
        assert results(crew, fork.id)[-1].content == EN("delegate.too_many", limit=8)
        again = crew.forks.fork(fork.id, [m for m in crew.store.messages.list(fork.id) if m.role == "user"][-1].id)
        assert len(crew.store.children.of(again.id, crew.store.messages.list(again.id))) == 6
        assert crew.conversations.summary(fork.id).delegated_usd == 0


@pytest.mark.spec("TURN-91", "DLG-34", "DLG-93")
async def test_the_runs_of_a_conversation_are_listed_with_those_of_its_children_and_workers(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.")}) as crew:
        conversation, _ = await say(crew, f"{job()}\n{job()}")
        other, _ = await say(crew, job())
        kids = [child.id for child in children(crew, conversation)]
        crew.store.conversations.insert(
            {
                **{"id": "w", "agent_id": "default", "source": f"vibe:{conversation}", "parent_id": conversation},
                **{"parent_call_id": "v1", "created_at": "", "updated_at": ""},
            }
        )
        await crew.inbound.send("w", "brief", source=f"vibe:{conversation}")
        await settle(crew, "w")
        listed = {run.conversation_id for run in crew.runs.list(conversation_id=conversation)[0]}
        assert listed == {conversation, *kids, "w"}
        assert {run.conversation_id for run in crew.runs.list(conversation_id=kids[0])[0]} == {kids[0]}
        assert {run.agent_id for run in crew.runs.list(agent_id="ada", conversation_id=conversation)[0]} == {"ada"}
        first, more = crew.runs.list(conversation_id=conversation, limit=2)
        assert (len(first), more) == (2, True)
        assert other not in listed


async def test_each_of_many_children_is_told_in_its_own_words(tmp_path):
    async def ada(scene):
        yield f"about {scene.last_user}"

    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation, _ = await say(crew, "\n".join(job("ada", f"subject {n}") for n in range(8)))
        for place in range(8):
            assert f"about subject {place}" in result(crew, conversation, place).body

"""Handing a child's answer to the person word for word (DLG-74 to DLG-79)."""

import asyncio

import pytest

from crewlab.engine.models.fake import FakeCall, FakeCost
from crewlab.engine.tools.children import WrittenCanvas
from tests.fixtures.crews import say, types
from tests.fixtures.teams import a_team, calls_then, children, job, result, results, run_of, says, settle, until

WORDS = "# Harbour\n\nIt opens at **nine**.\n\nMEDIA:chart.png\n"


@pytest.mark.spec("AGT-23", "DLG-62", "DLG-74", "DLG-76", "DLG-77", "DLG-78", "CNV-90", "JOBS-2")
async def test_one_job_that_is_done_is_the_answer_of_the_turn(tmp_path):
    async with a_team(tmp_path, {"ada": says(WORDS, FakeCost(0.5))}) as crew:
        parts = crew.toolbox._parts
        object.__setattr__(parts, "canvases_written", lambda _id: [WrittenCanvas("a1", 1, "Plan")])
        conversation, seen = await say(crew, job())
        messages = crew.store.messages.list(conversation)
        assert [m.role for m in messages] == ["user", "assistant", "tool", "assistant"]
        answer = messages[-1]
        assert answer.content == WORDS
        assert (answer.provider, answer.model, answer.cost_usd, answer.context) == (None, None, None, {"relayed_from": "ada"})
        assert "[artifact a1 v1] Plan" in messages[2].content
        assert types(seen) == ["opened", "tool_call", "tool_result", "text_delta", "done"]
        assert next(e.text for e in seen if e.type == "text_delta") == WORDS
        assert (seen[-1].relayed_from, seen[-1].delegated_usd) == ("ada", 0.5)
        run = run_of(crew, conversation)
        assert (run.status, run.relayed_from, run.cost_usd) == ("done", "ada", 0)
        assert [s.kind for s in run.steps] == ["model", "tool"]
        assert (await crew.inbound.reply(job(), conversation_id=conversation)).text == WORDS


@pytest.mark.spec("DLG-77", "DLG-44")
async def test_the_next_turn_reads_the_result_and_the_answer(tmp_path):
    requests = []

    async def master(scene):
        requests.append(scene.request)
        if len(requests) == 1:
            yield FakeCall("delegate", '{"task": "look", "agent": "ada"}')
        else:
            yield "Heard."

    async with a_team(tmp_path, {"ada": says("It opens at nine."), "boss": master}, {"default": "routes: [fake:boss]"}) as crew:
        conversation, _ = await say(crew, "when?")
        await say(crew, "thanks", conversation)
        said = [(m.role, m.content) for m in requests[1].messages]
        assert [role for role, _ in said] == ["user", "assistant", "tool", "assistant", "user"]
        assert said[2][1].startswith("conversation=")
        assert said[3][1] == "It opens at nine."


@pytest.mark.spec("DLG-75", "DLG-79")
@pytest.mark.parametrize(
    ("what", "lines", "words"),
    [
        ("relay is false", job(relay=False), "Ready."),
        ("two jobs", f"{job()}\n{job()}", "Ready."),
        ("another tool", f"/tool workspace_list {{}}\n{job()}", "Ready."),
        ("a concern", job(), "Ready.\nStatus: DONE_WITH_CONCERNS – old"),
        ("blocked", job(), "Status: BLOCKED"),
        ("nothing said", job(), "  \n"),
    ],
)
async def test_every_other_turn_is_answered_by_the_master_itself(tmp_path, what, lines, words):
    async with a_team(tmp_path, {"ada": says(words)}) as crew:
        conversation, _ = await say(crew, lines)
        assert [s.kind for s in run_of(crew, conversation).steps].count("model") == 2, what
        assert run_of(crew, conversation).relayed_from is None
        assert crew.store.messages.list(conversation)[-1].model == "echo"


@pytest.mark.spec("DLG-75")
async def test_words_of_the_master_beside_the_call_keep_it_from_being_relayed(tmp_path):
    members = {
        "ada": says("Ready."),
        "boss": calls_then(["I ask Ada.", FakeCall("delegate", '{"task": "x", "agent": "ada"}')], ["So it is."]),
    }
    async with a_team(tmp_path, members, {"default": "routes: [fake:boss]"}) as crew:
        conversation, _ = await say(crew, "when?")
        assert crew.store.messages.list(conversation)[-1].content == "So it is."


@pytest.mark.spec("DLG-75")
async def test_white_space_beside_the_call_is_no_text(tmp_path):
    members = {"ada": says("Ready."), "boss": calls_then([" \n", FakeCall("delegate", '{"task": "x", "agent": "ada"}')], ["So it is."])}
    async with a_team(tmp_path, members, {"default": "routes: [fake:boss]"}) as crew:
        conversation, _ = await say(crew, "when?")
        assert crew.store.messages.list(conversation)[-1].content == "Ready."


@pytest.mark.spec("DLG-75")
async def test_only_the_master_hands_on(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.")}, {"ada": "", "lead": "delegates: [ada]\nroutes: [fake:echo]"}) as crew:
        conversation = crew.conversations.create("lead").id
        await say(crew, job(), conversation)
        assert run_of(crew, conversation).relayed_from is None


@pytest.mark.spec("DLG-75")
async def test_a_message_steered_in_meanwhile_goes_to_the_master(tmp_path):
    go = asyncio.Event()

    async def ada(_scene):
        await go.wait()
        yield "Ready."

    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job())
        await until(lambda: children(crew, conversation))
        await crew.inbound.send(conversation, "/steer and tomorrow?")
        go.set()
        await settle(crew, conversation)
        assert run_of(crew, conversation).relayed_from is None
        assert crew.store.messages.list(conversation)[-1].content == "and tomorrow?"


@pytest.mark.spec("DLG-75", "RPL-6")
async def test_a_job_of_an_earlier_turn_that_is_settled_late_is_not_the_answer_to_the_new_message(tmp_path):
    go = asyncio.Event()

    async def ada(_scene):
        await go.wait()
        yield "Ready."

    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, job())
        await until(lambda: children(crew, conversation))
        crew.host.stop(conversation)
        await settle(crew, conversation)
        await say(crew, "something else", conversation)
        assert crew.store.messages.list(conversation)[-1].content != "Ready."
        assert result(crew, conversation).reason == "interrupted"


@pytest.mark.spec("DLG-77")
async def test_result_answer_and_end_are_one_commit(tmp_path, monkeypatch):
    async with a_team(tmp_path, {"ada": says("Ready.")}) as crew:
        inside = []
        save = crew.store.runs.save

        def noted(run):
            if run.relayed_from:
                inside.append((crew.store.db.in_transaction, run.status, [m.role for m in crew.store.messages.list(run.conversation_id)]))
            save(run)

        monkeypatch.setattr(crew.store.runs, "save", noted)
        conversation, _ = await say(crew, job())
        assert inside == [(True, "done", ["user", "assistant", "tool", "assistant"])]
        assert len(results(crew, conversation)) == 1

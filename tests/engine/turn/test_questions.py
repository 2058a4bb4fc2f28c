"""``ask_user`` through a real crew: pause, answer, skip, expire, race, restart."""

import asyncio
import json
from datetime import datetime

import pytest

from crewlab.engine.clock import FakeClock
from crewlab.engine.crew import open_crew
from crewlab.engine.errors import Conflict, Invalid, NotFound
from crewlab.engine.home.layout import Home
from crewlab.engine.models.fake import FakeCall
from tests.fixtures.crews import a_crew, say, types

PORTS = {"question": "Which port?", "options": ["Hamburg", {"label": "Bremen", "suggested": True}], "context": "It changes table 2."}


def asks(**more):
    return f"/tool ask_user {json.dumps({**PORTS, **more})}"


def result(crew, conversation):
    return next(m for m in crew.conversations.detail(conversation).messages if m.role == "tool")


def wait_step(crew, run_id):
    return next(step for step in reversed(crew.runs.get(run_id).steps) if step.kind == "wait")


@pytest.mark.spec("GATE-82", "GATE-29", "GATE-90", "GATE-84", "ASKU-7", "ASKU-14", "GATE-15", "GATE-7")
async def test_a_question_pauses_the_turn_also_in_an_autonomous_conversation_and_after_always(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        crew.store.conversations.patch(conversation, {"autonomous": True, "auto_approve": ["ask_user"]}, crew._parts.now())
        _, seen = await say(crew, asks(default="Bremen"), conversation)
        assert types(seen)[1:] == ["tool_call", "approval_required"]
        asked = seen[-1].approval
        assert asked == crew.approvals.get(asked.id) == crew.conversations.detail(conversation).pending
        assert (asked.kind, asked.tool, asked.status) == ("question", "ask_user", "pending")
        assert (asked.question, asked.context, asked.default) == ("Which port?", "It changes table 2.", "Bremen")
        assert [(o.label, o.suggested) for o in asked.options] == [("Hamburg", False), ("Bremen", True)]
        assert (asked.allow_free_text, asked.multi_select, asked.arguments["question"]) == (True, False, "Which port?")
        assert (crew.runs.get(asked.run_id).status, wait_step(crew, asked.run_id).status) == ("waiting", "running")
        assert not crew.host.busy(conversation)  # nothing is held in memory


@pytest.mark.spec("GATE-39", "GATE-42", "GATE-56", "ASKU-7", "ASKU-9", "ASKU-10", "GATE-84")
@pytest.mark.parametrize(
    ("text", "labels", "read", "labels_stored"),
    [
        ("2", None, "answer=chosen\nBremen", ["Bremen"]),
        ("by rail", None, "answer=text\nby rail", []),
        ("by rail", ["Hamburg"], "answer=both\nHamburg\nby rail", ["Hamburg"]),
    ],
)
async def test_an_answer_becomes_the_result_of_the_call_and_the_same_turn_goes_on(tmp_path, text, labels, read, labels_stored):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, asks())
        asked = seen[-1].approval
        closed = await crew.approvals.answer(asked.id, text, labels)
        assert (closed.status, closed.labels, closed.skipped, closed.always) == ("answered", labels_stored, False, False)
        await crew.host.wait(conversation)
        message = result(crew, conversation)
        assert (message.content, message.tool_call_id, message.context) == (read, asked.call_id, None)
        runs, _ = crew.runs.list(conversation_id=conversation)
        assert [(r.id, r.status) for r in runs] == [(asked.run_id, "done")]
        assert wait_step(crew, asked.run_id).outcome == "answered"
        assert crew.approvals.get(asked.id).answer == read.partition("\n")[2]


@pytest.mark.spec("GATE-88", "ASKU-11")
async def test_a_skip_is_success_and_has_its_own_word_in_store_step_and_event(tmp_path, caplog):
    caplog.set_level("INFO")
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, asks())
        asked = seen[-1].approval
        watcher = crew.watch.join(conversation)
        closed = await crew.approvals.skip(asked.id)
        assert (closed.status, closed.answer, closed.skipped) == ("answered", "", True)
        async for frame in watcher:
            if frame.event.type == "approval_decided":
                assert (frame.event.status, frame.event.skipped) == ("answered", True)
                break
        watcher.close()
        await crew.host.wait(conversation)
        message = result(crew, conversation)
        assert (message.content.splitlines()[0], message.context) == ("answer=skipped", None)
        assert wait_step(crew, asked.run_id).outcome == "skipped"
        assert "ask_user) of conversation" in caplog.text
        assert caplog.text.rstrip().splitlines()[-1].endswith("skipped")


@pytest.mark.spec("GATE-84", "GATE-85", "GATE-87", "ASKU-10", "ASKU-13", "GATE-51")
@pytest.mark.parametrize(
    ("default", "first", "context"), [("Kiel", "answer=default", None), (None, "answer=timeout", {"outcome": "expired"})]
)
async def test_at_the_deadline_the_default_holds_and_without_one_it_is_an_error(tmp_path, default, first, context):
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock, config="approval_ttl_seconds: 30\n") as crew:
        conversation, seen = await say(crew, asks(default=default) if default else asks())
        asked = seen[-1].approval
        clock.advance(29)
        assert crew.approvals.sweep() == 0
        clock.advance(1)
        assert crew.approvals.sweep() == 1
        await crew.host.wait(conversation)
        message = result(crew, conversation)
        assert (message.content.splitlines()[0], message.context) == (first, context)
        assert (crew.approvals.get(asked.id).status, wait_step(crew, asked.run_id).outcome) == ("expired", "expired")
        assert crew.conversations.detail(conversation).messages[-1].role == "assistant"


@pytest.mark.spec("GATE-85", "ASKU-13", "GATE-49")
async def test_the_conversations_own_deadline_stands_before_the_machines(tmp_path):
    async with a_crew(tmp_path, config="approval_ttl_seconds: 30\n") as crew:
        conversation = crew.conversations.create().id
        crew.store.db.write("UPDATE conversations SET approval_ttl_seconds = 7200 WHERE id = ?", (conversation,))
        crew.store.db.forget()
        _, seen = await say(crew, asks(), conversation)
        asked = seen[-1].approval
        assert (datetime.fromisoformat(asked.expires_at) - datetime.fromisoformat(asked.created_at)).total_seconds() == 7200


@pytest.mark.spec("ASKU-12", "GATE-87")
@pytest.mark.parametrize("way", ["skip", "expire"])
async def test_the_same_question_is_not_asked_twice_in_one_turn_after_silence(tmp_path, way):
    async def stubborn(scene):
        words = ["Which port?", "which PORT", "Which ship?"]
        done = len([m for m in scene.request.messages if m.role == "tool"])
        if done < 3:
            yield FakeCall("ask_user", json.dumps({"question": words[done]}))
        else:
            yield "enough"

    clock = FakeClock()
    async with a_crew(tmp_path, routes="fake:stubborn", scripts={"stubborn": stubborn}, clock=clock) as crew:
        conversation, seen = await say(crew, "go")
        asked = seen[-1].approval
        if way == "skip":
            await crew.approvals.skip(asked.id)
        else:
            clock.advance(601)
            crew.approvals.sweep()
        await crew.host.wait(conversation)
        tools = [m for m in crew.conversations.detail(conversation).messages if m.role == "tool"]
        assert (tools[1].content, tools[1].context) == (crew.texts("asking.asked_before"), {"outcome": "refused"})
        other = crew.conversations.detail(conversation).pending
        assert other.question == "Which ship?"  # another question may be asked
        await crew.approvals.answer(other.id, "the Star")
        await crew.host.wait(conversation)
        assert crew.store.approvals.asked_in_vain(conversation, asked.run_id) == ["Which port?"]
        assert crew.store.approvals.asked_in_vain(conversation, "the next turn") == []  # there it may be asked again


@pytest.mark.spec("GATE-47", "ASKU-9")
async def test_wrong_answers_and_wrong_kinds_of_decision_leave_the_question_open(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, asks(allow_free_text=False))
        asked = seen[-1].approval
        for text, labels in (("", None), ("Kiel", None), ("", ["Kiel"]), ("", ["Hamburg", "Bremen"]), ("and soon", ["Hamburg"])):
            with pytest.raises(Invalid) as refusal:
                await crew.approvals.answer(asked.id, text, labels)
            assert refusal.value.fields["field"] == "answer"
        for decision in ("approve", "deny"):
            with pytest.raises(Invalid):
                await crew.approvals.decide(asked.id, decision, always=True)
        assert crew.approvals.get(asked.id) == asked
        with pytest.raises(NotFound):
            await crew.approvals.answer("nothing", "1")
        await crew.approvals.answer(asked.id, "1")
        with pytest.raises(Conflict) as late:
            await crew.approvals.answer(asked.id, "2")
        assert (late.value.code, late.value.fields["status"]) == ("not_pending", "answered")
        with pytest.raises(Conflict):
            await crew.approvals.skip(asked.id)
        await crew.host.wait(conversation)
        _, seen = await say(crew, '/tool workspace_write {"path": "a.txt", "content": "b"}', conversation)
        tool = seen[-1].approval
        for attempt in (crew.approvals.answer(tool.id, "yes"), crew.approvals.skip(tool.id)):
            with pytest.raises(Invalid):
                await attempt
        assert crew.approvals.get(tool.id).status == "pending"


@pytest.mark.spec("GATE-34", "GATE-33")
async def test_a_question_never_joins_the_list_of_tools_that_are_always_allowed(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, asks())
        await crew.approvals.answer(seen[-1].approval.id, "1")
        await crew.host.wait(conversation)
        assert crew.conversations.detail(conversation).auto_approve == []


@pytest.mark.spec("GATE-89", "ASKU-6", "GATE-36", "GATE-94")
async def test_one_question_at_a_time_and_the_second_of_a_message_waits_for_the_first(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, "\n".join([asks(), asks(question="Which ship?")]))
        assert (crew.store.approvals.count_pending(), seen[-1].approval.question) == (1, "Which port?")
        with pytest.raises(Conflict) as refusal:
            await crew.inbound.send(conversation, "and now?")
        assert refusal.value.code == "approval_pending"
        await crew.approvals.answer(seen[-1].approval.id, "1")
        await crew.host.wait(conversation)
        second = crew.conversations.detail(conversation).pending
        assert second.question == "Which ship?"
        _, _ = await say(crew, '/tool workspace_write {"path": "a.txt", "content": "b"}')
        snapshot = crew.hub.join()
        async for frame in snapshot:
            assert frame.event.pending == crew.store.approvals.count_pending() == 2  # one count of questions and approvals
            break
        snapshot.close()


@pytest.mark.spec("ASKU-7", "GATE-60")
async def test_a_question_survives_a_restart_and_its_answer_continues_the_same_run(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, asks())
        asked = seen[-1].approval
    async with a_crew(tmp_path) as crew:
        assert crew.conversations.detail(conversation).pending == asked
        await crew.approvals.answer(asked.id, "by rail")
        await crew.host.wait(conversation)
        assert result(crew, conversation).content == "answer=text\nby rail"
        runs, _ = crew.runs.list(conversation_id=conversation)
        assert [(r.id, r.status) for r in runs] == [(asked.run_id, "done")]


async def test_an_answer_given_right_before_a_cut_is_not_lost(tmp_path, monkeypatch):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, asks())
        monkeypatch.setattr(crew.host, "resume", lambda run, *, fresh: None)  # the process is gone before the turn goes on
        await crew.approvals.answer(seen[-1].approval.id, "Hamburg")
    async with a_crew(tmp_path) as crew:
        await crew.host.wait(conversation)
        assert result(crew, conversation).content == "answer=chosen\nHamburg"


@pytest.mark.spec("GATE-91", "ASKU-3", "PTL-59")
async def test_a_question_that_cannot_be_asked_does_not_pause_the_turn(tmp_path):
    async with a_crew(tmp_path) as crew:
        twice = [{"label": "a", "suggested": True}, {"label": "b", "suggested": True}]
        conversation, seen = await say(crew, asks(options=twice))
        assert seen[-1].type == "done"
        assert crew.approvals.list() == []
        message = result(crew, conversation)
        assert (message.content, message.context) == (crew.texts("asking.suggested_twice"), {"outcome": "refused"})


@pytest.mark.spec("ASKU-4", "ASKU-5")
async def test_an_engine_without_a_face_has_no_question_tool(tmp_path):
    crew = await open_crew(Home(tmp_path), environ={"CREWLAB_ROUTES": "fake:echo"})
    try:
        assert crew.toolbox.of(crew.roster.master).get("ask_user") is None
    finally:
        await crew.stop()


@pytest.mark.spec("TURN-52", "GATE-47")
async def test_of_many_answers_at_once_one_wins_and_the_others_are_told(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, asks())
        asked = seen[-1].approval
        ways = [crew.approvals.answer(asked.id, "1"), crew.approvals.skip(asked.id), crew.approvals.answer(asked.id, "by rail")]
        results = await asyncio.gather(*ways, return_exceptions=True)
        won = [one for one in results if not isinstance(one, Exception)]
        assert len(won) == 1
        assert {(one.code, one.fields["status"]) for one in results if isinstance(one, Exception)} == {("not_pending", "answered")}
        await crew.host.wait(conversation)

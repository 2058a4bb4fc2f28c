"""Faults that users of systems like ours reported about approvals (FA), and what closes them for good."""

import shutil
from datetime import datetime, timedelta

import pytest

from crewlab.engine.clock import FakeClock, iso
from crewlab.engine.errors import Conflict, NotFound
from crewlab.engine.records import Approval
from crewlab.engine.texts import LANGUAGES, Texts
from tests.fixtures.crews import a_crew, events_until, say, types

WRITE = '/tool workspace_write {"path": "out.txt", "content": "text"}'
ASK = '/tool ask_user {"question": "Which port?", "default": "Kiel"}'


def out(crew):
    return crew.roster.master.workspace / "out.txt"


def tool_message(crew, conversation):
    return next(m for m in crew.conversations.detail(conversation).messages if m.role == "tool")


@pytest.mark.spec("FA-2", "GATE-53")
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", [WRITE, ASK])
async def test_a_late_answer_is_told_that_it_came_too_late_and_the_turn_has_gone_on(tmp_path, language, text):
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock, config=f"approval_ttl_seconds: 30\nlanguage: {language}\n") as crew:
        conversation, seen = await say(crew, text)
        asked = seen[-1].approval
        clock.advance(30)  # to the second: one clock says when it was asked, when it ends, and how late this is
        late = crew.approvals.answer(asked.id, "Bremen") if asked.kind == "question" else crew.approvals.decide(asked.id, "approve")
        with pytest.raises(Conflict) as told:
            await late
        assert (told.value.code, told.value.fields["status"]) == ("not_pending", "expired")
        assert told.value.message == crew.texts("gate.late_expired")
        assert {"en": "Too late", "vi": "Quá muộn"}[language] in told.value.message
        assert told.value.fields["decided_at"] == asked.expires_at
        await crew.host.wait(conversation)
        assert crew.conversations.detail(conversation).messages[-1].role == "assistant"
        assert not out(crew).exists()


@pytest.mark.spec("FA-3", "GATE-51", "GATE-52")
@pytest.mark.parametrize("later", ["approve", "deny"])
async def test_after_the_deadline_the_call_never_runs_whoever_says_what(tmp_path, later):
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock) as crew:
        conversation, seen = await say(crew, WRITE)
        clock.advance(601)
        assert crew.approvals.sweep() == 1
        await crew.host.wait(conversation)
        with pytest.raises(Conflict):
            await crew.approvals.decide(seen[-1].approval.id, later)
        assert not out(crew).exists()
        message = tool_message(crew, conversation)
        assert (message.context, message.content) == ({"outcome": "expired"}, crew.texts("gate.expired"))
        assert [r.status for r in crew.runs.list(conversation_id=conversation)[0]] == ["done"]


@pytest.mark.spec("FA-5", "TURN-55")
@pytest.mark.parametrize("restart", [False, True])
async def test_a_request_made_while_nobody_looked_is_there_on_the_next_look(tmp_path, restart):
    async with a_crew(tmp_path) as crew:
        reply = await crew.inbound.reply(WRITE)
        assert reply.status == "waiting"
        if not restart:
            await looks(crew, reply.conversation_id)
    if restart:
        async with a_crew(tmp_path) as crew:
            await looks(crew, reply.conversation_id)


async def looks(crew, conversation):
    (request,) = crew.approvals.list(status="pending")
    first = (await events_until(crew, conversation, lambda event: event.type == "watching"))[0]
    assert first.conversation.pending == request
    snapshot = crew.hub.join()
    async for frame in snapshot:
        assert (frame.event.type, frame.event.pending) == ("snapshot", 1)
        assert [(run.id, run.status) for run in frame.event.runs] == [(request.run_id, "waiting")]
        break
    snapshot.close()
    assert crew.conversations.list()[0][0].pending == request


def stale(number: int, conversation: str, run: str, nested: str | None = None) -> Approval:
    return Approval(
        id=f"stale{number}",
        conversation_id=conversation,
        agent_id="default",
        run_id=run,
        call_id=f"c{number}",
        tool="shell_run",
        arguments={},
        nested_in=nested,
        created_at=iso(datetime(2026, 1, 1).astimezone()),
        expires_at=iso(datetime(2026, 1, 1).astimezone() + timedelta(days=3650)),
    )


@pytest.mark.spec("FA-6", "RES-13", "GATE-60")
async def test_requests_of_dead_runs_are_closed_at_start_and_the_open_one_stays(tmp_path):
    async with a_crew(tmp_path) as crew:
        waits, seen = await say(crew, WRITE)
        kept = seen[-1].approval
        ended, _ = await say(crew, "hello")
        (run,) = crew.runs.list(conversation_id=ended)[0]
        lost, _ = await say(crew, "hello")
        cell, _ = await say(crew, "hello")
        (cut,) = crew.runs.list(conversation_id=cell)[0]
        with crew.store.transaction():
            crew.store.approvals.insert(stale(1, ended, run.id))  # its run is over
            crew.store.approvals.insert(stale(2, lost, "no such run"))
            crew.store.approvals.insert(stale(3, cell, cut.id, nested="cell"))  # a kernel's cell that died with the process (EVAL-31)
            crew.store.db.write("UPDATE runs SET status = 'running' WHERE id = ?", (cut.id,))
    async with a_crew(tmp_path) as crew:
        assert [one.id for one in crew.approvals.list(status="pending")] == [kept.id]
        assert {crew.approvals.get(f"stale{number}").status for number in (1, 2, 3)} == {"expired"}
        assert crew.runs.get(kept.run_id).status == "waiting"
        for conversation in (ended, lost, cell):  # none of them is locked any more
            await crew.host.wait(conversation)
            _, seen = await say(crew, "and now?", conversation)
            assert seen[-1].type == "done"
        await crew.approvals.decide(kept.id, "approve")
        await crew.host.wait(waits)
        assert out(crew).read_text() == "text"


@pytest.mark.spec("GATE-45")
@pytest.mark.parametrize("decision", ["approve", "deny", "answer", "skip"])
async def test_a_request_of_an_agent_that_was_removed_closes_as_denied_and_its_run_as_an_error(tmp_path, decision):
    folder = tmp_path / "agents" / "coder"
    folder.mkdir(parents=True)
    (folder / "agent.yaml").write_text("mode: chat\n")
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create("coder").id
        _, seen = await say(crew, ASK if decision in ("answer", "skip") else WRITE, conversation)
        request = seen[-1].approval
        workspace = crew.roster.get("coder").workspace
    shutil.rmtree(folder)
    async with a_crew(tmp_path) as crew:
        hearing = crew.watch.join(conversation)
        if decision == "answer":
            closed = await crew.approvals.answer(request.id, "Bremen")
        elif decision == "skip":
            closed = await crew.approvals.skip(request.id)
        else:
            closed = await crew.approvals.decide(request.id, decision, always=True)
        assert (closed.status, closed.always) == ("denied", False)
        heard = []
        async for frame in hearing:
            heard.append(frame.event)
            if frame.event.type == "error":
                break
        hearing.close()
        assert [event.type for event in heard] == ["watching", "approval_decided", "error"]
        message = tool_message(crew, conversation)
        assert (message.tool_call_id, message.context) == (request.call_id, {"outcome": "denied"})
        assert message.content == crew.texts("gate.agent_gone")
        run = crew.runs.get(request.run_id)
        assert (run.status, run.steps[-1].outcome) == ("error", "denied")
        assert not (workspace / "out.txt").exists()
        assert crew.hub.live == {}


@pytest.mark.spec("GATE-45")
@pytest.mark.parametrize(("decision", "outcome", "key"), [("approve", "error", "gate.tool_gone"), ("deny", "denied", "gate.denied")])
async def test_an_approved_call_of_a_tool_the_agent_no_longer_holds_does_not_run(tmp_path, decision, outcome, key):
    folder = tmp_path / "agents" / "coder"
    folder.mkdir(parents=True)
    (folder / "agent.yaml").write_text("mode: chat\n")
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create("coder").id
        _, seen = await say(crew, WRITE, conversation)
        workspace = crew.roster.get("coder").workspace
    (folder / "agent.yaml").write_text("mode: chat\ntools: [workspace_read]\n")
    async with a_crew(tmp_path) as crew:
        await crew.approvals.decide(seen[-1].approval.id, decision)
        await crew.host.wait(conversation)
        message = tool_message(crew, conversation)
        assert (message.context, message.content) == ({"outcome": outcome}, crew.texts(key, name="workspace_write"))
        assert not (workspace / "out.txt").exists()
        assert crew.conversations.detail(conversation).messages[-1].role == "assistant"


@pytest.mark.spec("GATE-45", "ASKU-7")
async def test_an_answer_reaches_an_agent_that_may_no_longer_ask(tmp_path):
    folder = tmp_path / "agents" / "coder"
    folder.mkdir(parents=True)
    (folder / "agent.yaml").write_text("mode: chat\n")
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create("coder").id
        _, seen = await say(crew, ASK, conversation)
    (folder / "agent.yaml").write_text("mode: chat\ntools: [workspace_read]\n")
    async with a_crew(tmp_path) as crew:
        await crew.approvals.answer(seen[-1].approval.id, "Bremen")
        await crew.host.wait(conversation)
        assert tool_message(crew, conversation).content == "answer=text\nBremen"


@pytest.mark.spec("GATE-48")
async def test_a_branch_has_none_of_the_rights_and_runs_none_of_the_calls(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE)
        await crew.approvals.decide(seen[-1].approval.id, "approve", always=True)
        await crew.host.wait(conversation)
        out(crew).unlink()
        crew.conversations.patch(conversation, {"autonomous": True})
        await say(crew, "more", conversation)
        last = [m for m in crew.conversations.detail(conversation).messages if m.role == "user"][-1]
        fork = crew.forks.fork(conversation, last.id)
        assert (fork.autonomous, fork.auto_approve, fork.pending) == (False, [], None)
        _, seen = await say(crew, WRITE, fork.id)
        assert seen[-1].type == "approval_required"  # "always" was given in the other conversation
        assert not out(crew).exists()


@pytest.mark.spec("GATE-58", "GATE-57", "GATE-115")
async def test_the_answer_of_a_decided_turn_stands_where_the_paused_turn_stood(tmp_path):
    async with a_crew(tmp_path) as crew:
        reply = await crew.inbound.reply(WRITE, source="slack")
        assert reply.status == "waiting"
        (request,) = crew.approvals.list(conversation_id=reply.conversation_id)
        await crew.approvals.decide(request.id, "approve")
        await crew.host.wait(reply.conversation_id)
        run = crew.runs.get(request.run_id)
        assert (run.source, run.conversation_id, run.status) == ("slack", reply.conversation_id, "done")
        assert crew.conversations.detail(reply.conversation_id).messages[-1].role == "assistant"


WORDS = {
    "refused": ("gate.refused",),
    "denied": ("gate.denied",),
    "expired": ("gate.expired", "asking.timeout"),
    "skipped": ("asking.skipped",),
}


@pytest.mark.spec("GATE-43", "GATE-52", "GATE-88")
@pytest.mark.parametrize("language", LANGUAGES)
def test_refusal_denial_expiry_and_skip_are_four_different_words(language):
    texts = Texts(language)
    said = [texts(key) for keys in WORDS.values() for key in keys]
    assert len(set(said)) == len(said)
    own = {
        "en": {"refused": "is refused", "denied": "The person refused", "expired": "in time", "skipped": "skipped"},
        "vi": {"refused": "bị từ chối", "denied": "Người dùng đã từ chối", "expired": "kịp hạn", "skipped": "bỏ qua"},
    }[language]
    for word, keys in WORDS.items():
        for key in keys:
            assert own[word] in texts(key)
            others = [mark for other, mark in own.items() if other != word]
            assert not any(mark in texts(key) for mark in others), (word, key)


@pytest.mark.spec("GATE-46", "TURN-83")
async def test_step_outcome_message_and_log_say_the_same_word(tmp_path, caplog):
    caplog.set_level("INFO")
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock) as crew:
        for word in ("denied", "expired", "refused"):
            text = '/tool workspace_write {"path": "../x", "content": ""}' if word == "refused" else WRITE
            conversation, seen = await say(crew, text)
            if word == "denied":
                await crew.approvals.decide(seen[-1].approval.id, "deny")
            elif word == "expired":
                clock.advance(601)
                crew.approvals.sweep()
            await crew.host.wait(conversation)
            assert tool_message(crew, conversation).context == {"outcome": word}
            steps = crew.runs.list(conversation_id=conversation)[0][0].steps
            assert next(step for step in steps if step.kind == "tool").outcome == word
            assert f": {word}" in caplog.text
            assert types(seen)[-1] == ("done" if word == "refused" else "approval_required")


@pytest.mark.spec("GATE-63")
async def test_a_decision_on_a_deleted_conversation_finds_nothing(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, ASK)
        await crew.conversations.delete(conversation)
        with pytest.raises(NotFound):
            await crew.approvals.answer(seen[-1].approval.id, "Bremen")
        assert crew.store.approvals.count_pending() == 0

"""Inbound, the queue, stop, resent messages, conversations."""

import asyncio

import pytest

from crewlab.engine.channels.inbound import MAX_WAITING, TEXT_LIMIT, read_steer
from crewlab.engine.errors import Conflict, Invalid, NotFound, TooMany
from crewlab.engine.models.fake import FakeCall
from crewlab.engine.turn.host import first_words
from tests.fixtures.crews import a_crew, say


class Gate:
    """A fake model that waits for the test before it answers."""

    def __init__(self):
        self.open = asyncio.Event()
        self.asked = []

    async def script(self, scene):
        self.asked.append(scene.last_user)
        yield "thinking… "
        await self.open.wait()
        yield f"answer to {scene.last_user}"


async def started(crew, conversation, gate, text="first"):
    sent = await crew.inbound.send(conversation, text)
    async with asyncio.timeout(10):
        while not gate.asked:
            await asyncio.sleep(0)
    return sent


def users(crew, conversation):
    return [m.content for m in crew.conversations.detail(conversation).messages if m.role == "user"]


async def settle(crew, conversation):
    async with asyncio.timeout(10):
        while crew.host.busy(conversation):
            await crew.host.wait(conversation)


@pytest.mark.spec("QUE-1", "QUE-5", "QUE-12", "TURN-22")
async def test_messages_sent_while_busy_wait_and_become_one_turn(tmp_path):
    gate = Gate()
    async with a_crew(tmp_path, routes="fake:gate", scripts={"gate": gate.script}) as crew:
        conversation = crew.conversations.create().id
        await started(crew, conversation, gate)
        positions = [(await crew.inbound.send(conversation, text)).queued.position for text in ("second", "third")]
        assert positions == [1, 2]
        assert [q.text for q in crew.conversations.detail(conversation).queued] == ["second", "third"]
        gate.open.set()
        await settle(crew, conversation)
        assert users(crew, conversation) == ["first", "second\n\nthird"]
        assert gate.asked == ["first", "second\n\nthird"]
        assert crew.conversations.detail(conversation).queued == []
        assert len(crew.runs.list(conversation_id=conversation)[0]) == 2


@pytest.mark.spec("QUE-2")
async def test_the_21st_waiting_message_is_refused(tmp_path):
    gate = Gate()
    async with a_crew(tmp_path, routes="fake:gate", scripts={"gate": gate.script}) as crew:
        conversation = crew.conversations.create().id
        await started(crew, conversation, gate)
        for number in range(MAX_WAITING):
            await crew.inbound.send(conversation, f"m{number}", request_id=f"r{number}")
        with pytest.raises(TooMany) as refusal:
            await crew.inbound.send(conversation, "one more", request_id="extra")
        assert refusal.value.code == "queue_full"
        assert crew.store.queue.count(conversation) == MAX_WAITING == 20
        again = await crew.inbound.send(conversation, "m3", request_id="r3")  # TURN-45: looked up before QUE-2
        assert (again.status, again.queued.position) == ("queued", 4)


@pytest.mark.spec("QUE-6", "QUE-7", "QUE-8", "QUE-10", "CTX-2")
async def test_a_steer_is_taken_before_the_next_model_call(tmp_path):
    started_tool = asyncio.Event()
    go_on = asyncio.Event()

    async def works(scene):
        if not any(m.role == "tool" for m in scene.request.messages):
            started_tool.set()
            await go_on.wait()
            yield FakeCall("workspace_list", "{}")
        else:
            yield f"last words were: {scene.last_user}"

    async with a_crew(tmp_path, routes="fake:works", scripts={"works": works}) as crew:
        conversation = crew.conversations.create().id
        watcher = crew.watch.join(conversation)
        await crew.inbound.send(conversation, "go")
        await started_tool.wait()
        sent = await crew.inbound.send(conversation, "/steer look at b")
        assert sent.queued.kind == "steer"
        go_on.set()
        await settle(crew, conversation)
        detail = crew.conversations.detail(conversation)
        assert [m.role for m in detail.messages] == ["user", "assistant", "tool", "user", "assistant"]
        assert detail.messages[-1].content == "last words were: look at b"
        opened, steered = [m.context for m in detail.messages if m.role == "user"]
        assert (list(opened or {}), steered) == (["parts"], {"steer": True})  # a steer has no block of its own (PTL-153)
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert [s.kind for s in run.steps] == ["model", "tool", "steer", "model"]
        async for frame in watcher:
            if frame.event.type == "steer":
                assert (frame.event.text, frame.event.item_ids) == ("look at b", [sent.queued.item_id])
                break


@pytest.mark.spec("QUE-7")
@pytest.mark.parametrize(
    ("text", "kind", "body"),
    [
        ("/steer go left", "steer", "go left"),
        ("  /steer   go left ", "steer", "go left"),
        ("/steer\nlong\ntext", "steer", "long\ntext"),
        ("/steer", "steer", ""),
        ("/steering wheel", "follow_up", "/steering wheel"),
        ("/tmp/x", "follow_up", "/tmp/x"),
        ("say /steer x", "follow_up", "say /steer x"),
        ("  keep my spaces ", "follow_up", "  keep my spaces "),
    ],
)
def test_what_counts_as_a_steer(text, kind, body):
    assert read_steer(text) == (kind, body)


@pytest.mark.spec("TURN-18", "TURN-43", "QUE-7")
@pytest.mark.parametrize(
    ("text", "request_id", "code"),
    [
        ("", None, "invalid"),
        (" \n ", None, "invalid"),
        ("x" * (TEXT_LIMIT + 1), None, "text_too_long"),
        ("/steer", None, "empty_steer"),
        ("hi", "", "bad_request_id"),
        ("hi", "a" * 65, "bad_request_id"),
        ("hi", "a b", "bad_request_id"),
        ("hi", "ä", "bad_request_id"),
        ("hi", "a\n", "bad_request_id"),
    ],
)
async def test_a_message_that_cannot_be_taken_is_refused_by_name_and_nothing_is_stored(tmp_path, text, request_id, code):
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        with pytest.raises(Invalid) as refusal:
            await crew.inbound.send(conversation, text, request_id=request_id)
        assert refusal.value.code == code
        assert users(crew, conversation) == []
        sent = await crew.inbound.send(conversation, "x" * TEXT_LIMIT, request_id="a" * 64)
        assert sent.status == "started"


@pytest.mark.spec("TURN-44", "TURN-45", "TURN-46", "TURN-47")
async def test_a_message_resent_is_not_said_twice_also_after_a_restart(tmp_path):
    gate = Gate()
    async with a_crew(tmp_path, routes="fake:gate", scripts={"gate": gate.script}) as crew:
        conversation = crew.conversations.create().id
        first = await crew.inbound.send(conversation, "hello", request_id="r1")
        again = await crew.inbound.send(conversation, "other words", request_id="r1")
        assert (again.status, again.message_id, again.running, again.run_id) == ("known", first.message_id, True, first.run_id)
        waiting = await crew.inbound.send(conversation, "later", request_id="r2")
        assert (await crew.inbound.send(conversation, "later", request_id="r2")).queued == waiting.queued
        gate.open.set()
        await settle(crew, conversation)
        assert users(crew, conversation) == ["hello", "later"]
        assert (await crew.inbound.send(conversation, "later", request_id="r2")).status == "known"
    async with a_crew(tmp_path) as crew:
        sent = await crew.inbound.send(conversation, "hello", request_id="r1")
        assert (sent.status, sent.running) == ("known", False)
        other = crew.conversations.create().id
        assert (await crew.inbound.send(other, "hello", request_id="r1")).status == "started"
        await settle(crew, other)


@pytest.mark.spec("QUE-19", "QUE-20", "QUE-22", "TURN-29", "TURN-46")
async def test_stop_takes_the_queue_and_keeps_the_text_shown(tmp_path):
    gate = Gate()
    async with a_crew(tmp_path, routes="fake:gate", scripts={"gate": gate.script}) as crew:
        conversation = crew.conversations.create().id
        watcher = crew.watch.join(conversation)
        await started(crew, conversation, gate)
        await crew.inbound.send(conversation, "b", request_id="rb")
        await crew.inbound.send(conversation, "/steer c")
        async for frame in watcher:
            if frame.event.type == "text_delta":
                break
        stopped = crew.host.stop(conversation)
        assert (stopped.cleared, stopped.cancelled) == (["b", "c"], True)
        await settle(crew, conversation)
        detail = crew.conversations.detail(conversation)
        assert (detail.messages[-1].content, detail.messages[-1].context) == ("thinking… ", {"partial": "stopped"})
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.status, run.summary) == ("error", "interrupted")
        again = crew.host.stop(conversation)
        assert (again.cleared, again.cancelled) == ([], False)
        gate.open.set()
        assert (await crew.inbound.send(conversation, "b", request_id="rb")).status == "started"
        await settle(crew, conversation)


async def test_stop_before_the_turn_has_taken_its_first_step_still_closes_the_run(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        watcher = crew.watch.join(conversation)
        await crew.inbound.send(conversation, "hello")
        assert crew.host.stop(conversation).cancelled
        await settle(crew, conversation)
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.status, run.summary) == ("error", "interrupted")
        async with asyncio.timeout(5):
            async for frame in watcher:
                if frame.event.type == "stopped":
                    break


@pytest.mark.spec("QUE-21", "RPL-3", "RPL-5")
async def test_a_call_cut_by_stop_is_closed_as_unknown_by_the_next_turn_and_not_run_again(tmp_path, monkeypatch):
    running = asyncio.Event()
    runs = 0

    async def hangs(arguments, context):
        nonlocal runs
        runs += 1
        running.set()
        await asyncio.Event().wait()
        return ""

    async with a_crew(tmp_path) as crew:
        import dataclasses

        registry = crew.toolbox.of(crew.roster.master)
        broken = dataclasses.replace(registry.get("workspace_write"), run=hangs)
        real = type(registry).get
        monkeypatch.setattr(type(registry), "get", lambda self, name: broken if name == "workspace_write" else real(self, name))
        conversation = crew.conversations.create().id
        crew.conversations.patch(conversation, {"autonomous": True})
        await crew.inbound.send(conversation, '/tool workspace_write {"path": "a", "content": "b"}')
        await running.wait()
        crew.host.stop(conversation)
        await settle(crew, conversation)
        _, seen = await say(crew, "what happened?", conversation)
        assert seen[-1].type == "done"
        assert runs == 1
        detail = crew.conversations.detail(conversation)
        result = next(m for m in detail.messages if m.role == "tool")
        assert result.context == {"outcome": "unknown"}
        assert "not known" in result.content


@pytest.mark.spec("QUE-16", "TURN-20", "QUE-18")
async def test_deleting_a_conversation_stops_its_turn_and_removes_its_rows(tmp_path):
    gate = Gate()
    async with a_crew(tmp_path, routes="fake:gate", scripts={"gate": gate.script}) as crew:
        conversation = crew.conversations.create().id
        activity = crew.hub.join()
        await anext(activity)
        await started(crew, conversation, gate)
        await crew.inbound.send(conversation, "waits")
        await crew.conversations.delete(conversation)
        await settle(crew, conversation)
        for table in ("messages", "queued_messages", "conversations"):
            assert crew.store.db.row(f"SELECT count(*) FROM {table}")[0] == 0
        run = crew.store.db.row("SELECT status, summary FROM runs")
        assert (run["status"], run["summary"]) == ("error", "interrupted")
        async with asyncio.timeout(5):
            async for frame in activity:
                if frame.event.type == "conversation" and frame.event.deleted:
                    assert frame.event.id == conversation
                    break
        with pytest.raises(NotFound):
            await crew.inbound.send(conversation, "hello?")


@pytest.mark.spec("QUE-13", "RES-1", "RES-2", "RES-3", "RES-4")
async def test_a_restart_continues_the_cut_turn_once_and_then_drains_the_queue(tmp_path):
    gate = Gate()
    async with a_crew(tmp_path, routes="fake:gate", scripts={"gate": gate.script}) as crew:
        conversation = crew.conversations.create().id
        await started(crew, conversation, gate)
        await crew.inbound.send(conversation, "second")
        run_id = crew.host.live[conversation].run.id
    gate = Gate()
    gate.open.set()
    async with a_crew(tmp_path, routes="fake:gate", scripts={"gate": gate.script}) as crew:
        assert crew.runs.get(run_id).resumed
        await settle(crew, conversation)
        await settle(crew, conversation)
        assert users(crew, conversation) == ["first", "second"]
        run = crew.runs.get(run_id)
        assert (run.status, run.resumed, run.after_seq) == ("done", True, 0)
        assert gate.asked == ["first", "second"]


@pytest.mark.spec("RES-4", "RES-1")
async def test_a_turn_that_was_cut_twice_is_not_tried_a_third_time(tmp_path):
    for attempt in range(3):
        gate = Gate()
        async with a_crew(tmp_path, routes="fake:gate", scripts={"gate": gate.script}) as crew:
            if attempt == 0:
                conversation = crew.conversations.create().id
                await started(crew, conversation, gate)
            elif attempt == 1:
                async with asyncio.timeout(10):
                    while not gate.asked:
                        await asyncio.sleep(0)
            else:
                await asyncio.sleep(0)
                assert not crew.host.busy(conversation)
                run = crew.runs.list(conversation_id=conversation)[0][0]
                assert (run.status, run.summary) == ("error", "interrupted")
                assert gate.asked == []


@pytest.mark.spec("RES-14", "QUE-14", "RES-5")
async def test_without_a_schedule_nothing_starts_by_itself(tmp_path):
    gate = Gate()
    async with a_crew(tmp_path, routes="fake:gate", scripts={"gate": gate.script}) as crew:
        conversation = crew.conversations.create().id
        await started(crew, conversation, gate)
        await crew.inbound.send(conversation, "second")
    async with a_crew(tmp_path, schedule=False) as crew:
        assert not crew.host.busy(conversation)
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.status, run.summary, run.resumed) == ("error", "interrupted", False)
        assert crew.store.queue.count(conversation) == 1
        await say(crew, "third", conversation)
        await settle(crew, conversation)
        assert users(crew, conversation) == ["first", "third", "second"]


@pytest.mark.spec("TURN-56")
@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("hello", "hello"),
        ("two\nlines  here", "two lines here"),
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 59 + "…"),
        ("word " * 20, ("word " * 11).strip() + "…"),
    ],
)
def test_a_title_is_the_first_words(text, title):
    assert first_words(text) == title
    assert len(first_words(text)) <= 60


@pytest.mark.spec("TURN-56", "TURN-14", "TURN-21", "TURN-15")
async def test_conversations_are_titled_listed_changed_and_paged(tmp_path):
    async with a_crew(tmp_path) as crew:
        first, _ = await say(crew, "what is the time")
        assert crew.conversations.summary(first).title == "what is the time"
        second = crew.conversations.create(title="Named").id
        await say(crew, "ignored as a title", second)
        assert crew.conversations.summary(second).title == "Named"
        page, more = crew.conversations.list(limit=1)
        assert ([c.id for c in page], more) == ([second], True)
        page, more = crew.conversations.list(limit=1, before=page[0].updated_at)
        assert ([c.id for c in page], more) == ([first], False)
        crew.conversations.patch(first, {"title": " Time "})
        assert [c.title for c in crew.conversations.list()[0]] == ["Time", "Named"]
        with pytest.raises(NotFound):
            crew.conversations.list(agent="nobody")
        with pytest.raises(NotFound):
            crew.conversations.create(agent="nobody")


@pytest.mark.spec("TURN-14")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", ""),
        ("title", "x" * 201),
        ("title", 5),
        ("autonomous", "yes"),
        ("cost_cap_usd", -1),
        ("cost_cap_usd", True),
        ("skills", "a"),
    ],
)
async def test_a_change_that_does_not_fit_names_its_field_and_changes_nothing(tmp_path, field, value):
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create(title="T").id
        before = crew.conversations.detail(conversation)
        with pytest.raises(Invalid) as refusal:
            crew.conversations.patch(conversation, {field: value})
        assert refusal.value.fields["field"] == field
        assert crew.conversations.detail(conversation) == before


@pytest.mark.spec("TURN-17", "GATE-115", "TURN-11")
async def test_inbound_answers_when_the_turn_has_ended_or_paused(tmp_path):
    async with a_crew(tmp_path) as crew:
        reply = await crew.inbound.reply("hello there", source="inbound:ci")
        assert (reply.text, reply.status, reply.steps) == ("hello there", "done", 1)
        assert crew.runs.get(reply.run_id).source == "inbound:ci"
        asks = await crew.inbound.reply('/tool workspace_write {"path": "a", "content": "b"}', conversation_id=reply.conversation_id)
        assert (asks.status, asks.conversation_id) == ("waiting", reply.conversation_id)
        with pytest.raises(Conflict):
            await crew.inbound.reply("more", conversation_id=reply.conversation_id)

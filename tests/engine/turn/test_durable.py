"""What a cut leaves (DUR): money in flight, calls that may have run, ends that could not be written, streams without end."""

import asyncio
import dataclasses
import shutil
import tracemalloc

import pytest

from crewlab.engine.clock import FakeClock
from crewlab.engine.crew import open_crew
from crewlab.engine.errors import StartupStop, StoreWriteFailed
from crewlab.engine.home.layout import Home
from crewlab.engine.models import bounds
from crewlab.engine.models.base import CallDelta, Completion, ReasoningDelta, TextDelta
from crewlab.engine.models.fake import FakeCall
from crewlab.engine.records import Run, ToolCall
from crewlab.engine.store.db import Database
from crewlab.engine.turn import decisions, resume
from tests.fixtures import invariants
from tests.fixtures.crews import a_crew, say
from tests.fixtures.full import fill, make_room

WRITE = '/tool workspace_write {"path": "out.txt", "content": "text"}'


class Plain:
    """A provider of a test's own making."""

    name, small = "fake", False

    def __init__(self, answer):
        self._answer = answer

    async def stream(self, request, route):
        async for item in self._answer():
            yield item

    async def close(self):
        pass


def killed(crew, root):
    """The home as a killed process would leave it now."""
    root.mkdir()
    for file in crew.home.root.glob("crew.db*"):
        shutil.copy(file, root / file.name)
    return root


async def settle(crew, conversation):
    async with asyncio.timeout(10):
        while crew.host.busy(conversation):
            await crew.host.wait(conversation)


async def until(true):
    async with asyncio.timeout(10):
        while not true():
            await asyncio.sleep(0)


async def hangs():
    yield TextDelta("begun ")
    await asyncio.Event().wait()


@pytest.mark.spec("DUR-1", "COST-2")
async def test_a_model_call_that_was_under_way_is_counted_once_with_an_unknown_price(tmp_path):
    async with a_crew(tmp_path / "a") as crew:
        crew.models.plug(Plain(hangs))
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "hello")
        await until(lambda: crew.host.live[conversation].text)
        dead = killed(crew, tmp_path / "b")
    for root, schedule in ((dead, False), (tmp_path / "a", False), (dead, True)):  # killed, shut down, started once more
        async with a_crew(root, schedule=schedule) as crew:
            await settle(crew, conversation)
            run = crew.runs.list(conversation_id=conversation)[0][0]
            assert (run.unknown_cost_calls, crew.conversations.summary(conversation).unknown_cost_calls) == (1, 1)
        with invariants.Home(root / "crew.db") as home:
            invariants.check_settled(home)


@pytest.mark.spec("DUR-1", "PRV-8", "COST-2")
async def test_an_abandoned_call_that_is_tried_again_is_counted_in_the_commit_that_ends_it(tmp_path, monkeypatch):
    from crewlab.engine.models.base import ProviderError

    attempts = []

    async def fails_once():
        attempts.append(1)
        yield ReasoningDelta()
        if len(attempts) == 1:
            raise ProviderError("busy", transient=True, started=True)
        yield TextDelta("there")
        yield Completion("there", cost_usd=0.5)

    dead = []

    async def sleep(_seconds):
        dead.append(killed(crew, tmp_path / "b"))

    async with a_crew(tmp_path / "a") as crew:
        monkeypatch.setattr(crew.models, "_sleep", sleep)
        crew.models.plug(Plain(fails_once))
        conversation, seen = await say(crew, "hello")
        assert (seen[-1].type, seen[-1].cost_usd, seen[-1].unknown_cost_calls) == ("done", 0.5, 1)
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert [(step.kind, step.status) for step in run.steps] == [("model", "done")]
    async with a_crew(dead[0], schedule=False) as crew:  # cut while it waited to try again: nothing was under way
        assert crew.conversations.summary(conversation).unknown_cost_calls == 1


@pytest.mark.spec("DUR-4", "RPL-3", "RPL-4")
@pytest.mark.parametrize("change", ["must ask now", "tool gone"])
async def test_a_call_that_had_begun_is_never_asked_for_or_run_again(tmp_path, monkeypatch, change):
    began, ran = asyncio.Event(), []

    async def never_ends(arguments, context):
        ran.append(context.call_id)
        began.set()
        await asyncio.Event().wait()

    def only(crew, tool):
        registry = crew.toolbox.of(crew.roster.master)
        real = type(registry).get
        monkeypatch.setattr(type(registry), "get", lambda self, name: tool if name == "workspace_write" else real(self, name))

    async with a_crew(tmp_path / "a") as crew:
        writing = crew.toolbox.of(crew.roster.master).get("workspace_write")
        only(crew, dataclasses.replace(writing, run=never_ends))
        conversation = crew.conversations.create().id
        crew.conversations.patch(conversation, {"autonomous": True})
        await crew.inbound.send(conversation, WRITE)
        await began.wait()
        dead = killed(crew, tmp_path / "b")
    only_one = writing if change == "must ask now" else None
    async with a_crew(dead, schedule=False) as crew:
        only(crew, only_one)
        crew.conversations.patch(conversation, {"autonomous": False})
        _, seen = await say(crew, "what happened?", conversation)
        assert seen[-1].type == "done"
        result = next(m for m in crew.conversations.detail(conversation).messages if m.role == "tool")
        assert result.context == {"outcome": "unknown"}
        assert len(ran) == 1
        assert not (dead / "workspace" / "out.txt").exists()


@pytest.mark.spec("DUR-2", "RES-4")
async def test_a_start_that_is_cut_in_the_middle_has_changed_nothing(tmp_path, monkeypatch):
    async with a_crew(tmp_path / "a") as crew:
        crew.models.plug(Plain(hangs))
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "hello")
        await until(lambda: crew.host.live[conversation].text)
        dead = killed(crew, tmp_path / "b")
    real = resume.may_continue

    def dies(parts, run):
        raise KeyboardInterrupt

    monkeypatch.setattr(resume, "may_continue", dies)
    crew = await open_crew(Home(dead), environ={"CREWLAB_ROUTES": "fake:echo"})
    with pytest.raises(KeyboardInterrupt):
        await crew.start()
    await crew.stop()
    with invariants.Home(dead / "crew.db") as home:
        (row,) = home.rows("SELECT status, resumed FROM runs")
    assert tuple(row) == ("running", 0)
    monkeypatch.setattr(resume, "may_continue", real)
    async with a_crew(dead) as crew:
        await settle(crew, conversation)
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.status, run.resumed) == ("done", True)


@pytest.mark.spec("DUR-6", "TURN-28", "RES-2")
@pytest.mark.parametrize("how", ["fails", "stopped"])
async def test_an_end_that_could_not_be_written_is_told_and_written_when_there_is_room(tmp_path, monkeypatch, how):
    monkeypatch.setattr(decisions, "SWEEP_SECONDS", 0.01)
    go_on = asyncio.Event()

    async def fills():
        yield TextDelta("x" * 300_000)
        await go_on.wait()
        yield Completion("x" * 300_000, cost_usd=0.5)

    async with a_crew(tmp_path) as crew:
        crew.models.plug(Plain(fills))
        conversation = crew.conversations.create().id
        watcher = crew.watch.join(conversation)
        await crew.inbound.send(conversation, "hello")
        await until(lambda: crew.host.live[conversation].text)
        fill(crew.store)
        go_on.set()
        if how == "stopped":
            crew.host.stop(conversation)
        async with asyncio.timeout(10):
            async for frame in watcher:
                if frame.event.type in ("error", "done", "stopped"):
                    break
        assert (frame.event.type, frame.event.code) == ("error", "store_write")
        await settle(crew, conversation)
        assert [m.content for m in crew.conversations.detail(conversation).messages] == ["hello"]
        assert crew.store.runs.list(None, [conversation], None, 9)[0].status in ("running", "error")  # never an end that was not told
        make_room(crew.store)
        await until(lambda: crew.store.runs.list(None, [conversation], None, 9)[0].status == "error")
        assert crew.conversations.summary(conversation).spent_usd == 0
    async with a_crew(tmp_path) as crew:
        assert not crew.host.busy(conversation)  # a failed turn is no cut turn
        _, seen = await say(crew, "again", conversation)
        assert seen[-1].type == "done"


@pytest.mark.spec("DB-9", "TURN-28")
async def test_a_message_for_a_full_disk_is_refused_and_what_waits_stays(tmp_path):
    async with a_crew(tmp_path) as crew:
        crew.models.plug(Plain(hangs))
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "hello")
        await until(lambda: crew.host.live[conversation].text)
        await crew.inbound.send(conversation, "y" * 90_000)
        fill(crew.store)
        with pytest.raises(StoreWriteFailed):
            await crew.inbound.send(conversation, "z" * 90_000)
        crew.host.live[conversation].task.cancel()
        await settle(crew, conversation)
        assert crew.store.queue.count(conversation) == 1
        make_room(crew.store)
        crew.host.drain(conversation)
        await until(lambda: crew.store.queue.count(conversation) == 0)


@pytest.mark.spec("TURN-28", "DB-5")
async def test_a_store_that_can_only_be_read_says_so_and_shows_what_it_has(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation, _ = await say(crew, "kept")
        crew.store.db.connection.execute("PRAGMA query_only=ON")
        with pytest.raises(StoreWriteFailed, match="readonly"):
            await crew.inbound.send(conversation, "lost")
        assert [m.content for m in crew.conversations.detail(conversation).messages] == ["kept", "kept"]
        assert not crew.host.busy(conversation)
        crew.store.db.connection.execute("PRAGMA query_only=OFF")
        await say(crew, "and on", conversation)


@pytest.mark.spec("DUR-5", "FU-3", "PRV-6")
@pytest.mark.parametrize(
    ("pieces", "stored"),
    [
        (["a\ud83d", "\ude00b"], "a😀b"),
        (["a\ud83d", "b"], "a\ufffdb"),
        (["\ude00"], "\ufffd"),
        (["tail \ud83d"], "tail \ufffd"),
    ],
)
async def test_half_characters_of_any_provider_are_mended_before_they_are_shown_or_stored(tmp_path, pieces, stored):
    async def halves():
        for piece in pieces:
            yield TextDelta(piece)
        yield CallDelta(0, "c\ud800", "none\udfff", '{"a": "\ud800"}')
        yield Completion("".join(pieces), (ToolCall(id="c\ud800", name="none\udfff", arguments={"\udc00": ["\ud800"]}),), cost_usd=0.0)

    answers = [halves]

    async def answer():
        async for item in answers.pop(0)() if answers else done():
            yield item

    async def done():
        yield TextDelta("end")
        yield Completion("end", cost_usd=0.0)

    async with a_crew(tmp_path) as crew:
        crew.models.plug(Plain(answer))
        conversation = crew.conversations.create().id
        activity = crew.hub.join()
        _, seen = await say(crew, "hello", conversation)
        assert seen[-1].type == "done"
        for event in seen:
            event.model_dump_json().encode()
        detail = crew.conversations.detail(conversation)
        detail.model_dump_json().encode()
        assert detail.messages[1].content == stored
        assert detail.messages[1].tool_calls[0].arguments == {"\ufffd": ["\ufffd"]}
        activity.close()


@pytest.mark.spec("DUR-5", "PRV-6", "TURN-29")
async def test_a_provider_that_streams_for_ever_is_cut_at_the_limit_and_memory_stays_flat(tmp_path):
    taken = 0

    async def endless():
        nonlocal taken
        while True:
            taken += 1000
            yield TextDelta("z" * 1000)
            if taken % 100_000 == 0:
                await asyncio.sleep(0)

    async with a_crew(tmp_path) as crew:
        crew.models.plug(Plain(endless))
        conversation = crew.conversations.create().id
        stalled = crew.watch.join(conversation)  # never reads
        tracemalloc.start()
        await crew.inbound.send(conversation, "go")
        await settle(crew, conversation)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert taken <= bounds.MAX_ANSWER_CHARS + 1000
        assert peak < 12 * bounds.MAX_ANSWER_CHARS
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.status, run.unknown_cost_calls) == ("error", 1)
        last = crew.conversations.detail(conversation).messages[-1]
        assert (len(last.content), last.context) == (bounds.MAX_ANSWER_CHARS, {"partial": "error"})
        stalled.close()


@pytest.mark.spec("DUR-5")
async def test_reasoning_without_end_is_cut_as_well(tmp_path, monkeypatch):
    monkeypatch.setattr(bounds, "MAX_PIECES", 1000)

    async def muses():
        while True:
            yield ReasoningDelta()

    async with a_crew(tmp_path) as crew:
        crew.models.plug(Plain(muses))
        _, seen = await say(crew, "go")
        assert (seen[-1].type, seen[-1].code) == ("error", "routes_failed")


class Clocked(FakeClock):
    """A clock that can be set back."""

    def back(self, seconds):
        from datetime import timedelta

        self._now -= timedelta(seconds=seconds)


@pytest.mark.spec("RES-3", "TURN-23", "RES-6")
async def test_a_clock_set_back_an_hour_neither_loses_nor_reorders_anything(tmp_path):
    clock = Clocked()
    clock.advance(7200)

    async def works(scene):
        if scene.tool_result is None and scene.last_user != "later":
            clock.back(3600)
            yield FakeCall("workspace_list", "{}")
        else:
            yield f"answer to {scene.last_user}"

    async with a_crew(tmp_path / "a", routes="fake:works", scripts={"works": works}, clock=clock) as crew:
        conversation, _ = await say(crew, "one")
        await say(crew, "later", conversation)
        assert [m.content for m in crew.conversations.detail(conversation).messages if m.role != "tool"] == [
            "one",
            "",
            "answer to one",
            "later",
            "answer to later",
        ]
        runs = crew.runs.list(conversation_id=conversation)[0]
        assert all(step.ms is not None and step.ms >= 0 for run in runs for step in run.steps)
        clock.advance(3600)
        clock.back(3600)
        crew.models.plug(Plain(hangs))
        await crew.inbound.send(conversation, "cut")
        await until(lambda: crew.host.live[conversation].text)
        dead = killed(crew, tmp_path / "b")
    clock.back(3600)
    async with a_crew(dead, clock=clock) as crew:
        await settle(crew, conversation)
        (cut,) = [run for run in crew.runs.list(conversation_id=conversation)[0] if run.resumed]
        assert cut.status == "done"  # it is the newest, although its start looks older than the runs before it
        assert crew.conversations.detail(conversation).messages[-1].content == "cut"


@pytest.mark.spec("TURN-18")
async def test_a_stored_message_of_a_megabyte_is_read_shown_and_answered(tmp_path):
    async with a_crew(tmp_path, routes="fake:huge") as crew:
        conversation = crew.conversations.create().id
        crew.store.messages.append(conversation, "user", "é" * 500_000, crew._parts.now(), written_by="agent")
        crew.store.messages.append(conversation, "assistant", "ok", crew._parts.now())
        watcher = crew.watch.join(conversation)
        frame = await anext(watcher)
        assert len(frame.data_json) > 500_000
        _, seen = await say(crew, "/huge 900000", conversation)
        assert seen[-1].type == "done"
        assert [len(m.content) for m in crew.conversations.detail(conversation).messages] == [500_000, 2, 12, 900_000]
        watcher.close()


@pytest.mark.spec("QUE-12", "QUE-13", "QUE-2", "FL-2")
async def test_twenty_messages_that_wait_at_the_moment_of_a_kill_are_all_answered_in_their_order(tmp_path):
    async with a_crew(tmp_path / "a") as crew:
        crew.models.plug(Plain(hangs))
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "first")
        await until(lambda: crew.host.live[conversation].text)
        for number in range(20):
            await crew.inbound.send(conversation, f"m{number}", request_id=f"r{number}")
        dead = killed(crew, tmp_path / "b")
    async with a_crew(dead) as crew:
        await settle(crew, conversation)
        asked = [m.content for m in crew.conversations.detail(conversation).messages if m.role == "user"]
        assert asked == ["first", "\n\n".join(f"m{number}" for number in range(20))]
        assert crew.store.queue.count(conversation) == 0
        for number in range(20):
            assert (await crew.inbound.send(conversation, "again", request_id=f"r{number}")).status == "known"


@pytest.mark.spec("AGT-4", "DB-11")
async def test_a_store_that_cannot_be_opened_or_written_stops_the_start_says_what_to_do_and_frees_the_home(tmp_path, monkeypatch):
    (tmp_path / "crew.db").write_bytes(b"not a database at all" * 100)
    for _ in range(2):
        with pytest.raises(StartupStop, match=r"crew\.db") as stop:
            async with a_crew(tmp_path):
                pass
        assert stop.value.code == "config_invalid"
    (tmp_path / "crew.db").unlink()
    async with a_crew(tmp_path) as crew:
        await say(crew, "hello")
        crew.store.runs.insert(
            Run(id="cut", agent_id="default", source="chat", conversation_id=None, status="running", started_at=crew._parts.now()), []
        )
    real = Database.__init__

    def read_only(self, path):
        real(self, path)
        self.connection.execute("PRAGMA query_only=ON")

    with monkeypatch.context() as patched:
        patched.setattr(Database, "__init__", read_only)
        for _ in range(2):
            with pytest.raises(StartupStop, match="readonly"):
                async with a_crew(tmp_path):
                    pass
    async with a_crew(tmp_path) as crew:
        assert crew.runs.get("cut").status == "error"

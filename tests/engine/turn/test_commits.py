"""A commit that fails, at any place of a turn: what is in memory is never ahead of the store (DUR-3, DUR-6, DB-9)."""

import asyncio
import sqlite3

import pytest

from crewlab.engine.errors import CrewError, StoreWriteFailed
from crewlab.engine.models.base import Completion, ProviderError, TextDelta
from crewlab.engine.models.fake import FakeCall
from crewlab.engine.turn.resume import write_late
from tests.engine.turn.test_compact import Narrow, a_long_talk
from tests.fixtures import invariants
from tests.fixtures.crews import a_crew, say

WRITE = FakeCall("workspace_write", '{"path": "out.txt", "content": "text"}')


class Writer:
    """The writing connection; commit number ``fails`` is refused by the disk."""

    def __init__(self, connection, fails):
        self.connection = connection
        self.fails = fails
        self.commits = 0

    def execute(self, sql, *values):
        if sql == "COMMIT":
            self.commits += 1
            if self.commits == self.fails:
                raise sqlite3.OperationalError("disk I/O error")
        return self.connection.execute(sql, *values)

    def __getattr__(self, name):
        return getattr(self.connection, name)


def refuse(crew, number):
    writer = crew.store.db._writer = Writer(crew.store.db._writer, number)
    return writer


def same_in_memory(crew):
    """Every run in memory is the run of the store, but for ends that are still to be written."""
    late = {run.id for run in crew.hub.unwritten}
    for run in crew.hub.live.values():
        if run.id not in late and not crew.host.busy(run.conversation_id):
            assert crew.store.runs.get(run.id) == run


async def settle(crew, conversation):
    async with asyncio.timeout(20):
        while crew.host.busy(conversation):
            await crew.host.wait(conversation)


async def scene(crew, conversation):
    """A message, a steer while it runs, an approval, its decision, the answer."""
    try:
        await crew.inbound.send(conversation, "go", request_id="r1")
        if crew.host.busy(conversation):
            await crew.inbound.send(conversation, "/steer and hurry")
    except StoreWriteFailed:
        same_in_memory(crew)
    await settle(crew, conversation)
    same_in_memory(crew)
    pending = crew.store.approvals.pending_of(conversation)
    if pending is not None:
        try:
            await crew.approvals.decide(pending.id, "approve", always=True)
        except StoreWriteFailed:
            assert crew.store.approvals.pending_of(conversation) == pending
            assert crew.hub.live[pending.run_id].status == "waiting"
            same_in_memory(crew)
            await crew.approvals.decide(pending.id, "approve", always=True)
    await settle(crew, conversation)
    same_in_memory(crew)


async def script(scene):
    messages = scene.request.messages
    if messages[-1].content != "and now?" and not any(message.tool_calls for message in messages):
        yield "I write. "
        yield WRITE
    else:
        yield "done"


def check(crew, conversation):
    write_late(crew.approvals._parts)
    same_in_memory(crew)
    with invariants.Home(crew.home.db_file) as home:
        invariants.check_file(home)
    runs, _ = crew.runs.list(conversation_id=conversation)
    assert all(run.status in ("done", "error") for run in runs)
    detail = crew.conversations.detail(conversation)
    assert sum(run.cost_usd for run in runs) == pytest.approx(detail.spent_usd)
    assert sum(run.unknown_cost_calls for run in runs) == detail.unknown_cost_calls


@pytest.mark.spec("DUR-3", "DUR-6", "DB-9", "TURN-28")
@pytest.mark.parametrize("number", range(1, 15))
async def test_whichever_commit_of_a_turn_fails_memory_and_store_tell_the_same(tmp_path, number):
    async with a_crew(tmp_path, routes="fake:scripted", scripts={"scripted": script}) as crew:
        conversation = crew.conversations.create().id
        writer = refuse(crew, number)
        await scene(crew, conversation)
        if number <= 8:
            assert writer.commits >= number
        check(crew, conversation)
        writer.fails = 0
        await crew.inbound.send(conversation, "and now?")
        await settle(crew, conversation)
        pending = crew.store.approvals.pending_of(conversation)
        if pending is not None:  # the request could not be stored: the next turn asks again
            await crew.approvals.decide(pending.id, "approve")
            await settle(crew, conversation)
        assert crew.conversations.detail(conversation).messages[-1].content == "done"
        queued = [item.text for item in crew.store.queue.waiting(conversation)]
        texts = [m.content for m in crew.conversations.detail(conversation).messages if m.role == "user"]
        assert queued == []
        assert "\n\n".join(texts).count("and hurry") <= 1


@pytest.mark.spec("CMP-6", "DB-9", "COST-2")
@pytest.mark.parametrize("number", range(1, 7))
async def test_a_compaction_whose_commit_fails_leaves_its_money_counted_once(tmp_path, number):
    async with a_crew(tmp_path) as crew:
        crew.models.plug(Narrow(price=0.25))
        conversation = await a_long_talk(crew)
        refuse(crew, number)
        try:
            await crew.inbound.send(conversation, "and now?")
        except CrewError:
            return
        await settle(crew, conversation)
        check(crew, conversation)


@pytest.mark.spec("COST-2", "DUR-1", "DB-9")
@pytest.mark.parametrize("number", range(1, 6))
async def test_an_abandoned_call_whose_commit_fails_is_counted_once_everywhere(tmp_path, number):
    class Breaks(Narrow):
        async def stream(self, request, route):
            if not self.requests:
                self.requests.append(request)
                yield TextDelta("half")
                raise ProviderError("gone", started=True)
            yield Completion("whole", cost_usd=0.5)

    async with a_crew(tmp_path) as crew:
        model = Breaks()
        crew.models.plug(model)
        conversation = crew.conversations.create().id
        refuse(crew, number)
        try:
            await crew.inbound.send(conversation, "go")
        except CrewError:
            return
        await settle(crew, conversation)
        check(crew, conversation)
        assert crew.conversations.detail(conversation).unknown_cost_calls == len(model.requests)
        rows = crew.store.db.rows("SELECT cost_usd FROM side_calls WHERE purpose = 'turn'")
        assert len(rows) == crew.conversations.detail(conversation).unknown_cost_calls


@pytest.mark.spec("TURN-86", "DUR-3")
async def test_a_deletion_whose_commit_fails_leaves_the_waiting_run_as_it_was(tmp_path):
    async with a_crew(tmp_path, routes="fake:scripted", scripts={"scripted": script}) as crew:
        conversation, seen = await say(crew, "go")
        refuse(crew, 1)
        with pytest.raises(StoreWriteFailed):
            await crew.conversations.delete(conversation)
        same_in_memory(crew)
        assert crew.runs.get(seen[-1].approval.run_id).status == "waiting"
        await crew.conversations.delete(conversation)
        assert crew.hub.live == {}

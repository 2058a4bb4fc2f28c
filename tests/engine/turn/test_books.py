"""Titles and session summaries: in the background, bounded, paid, and never in the way."""

import asyncio

import pytest

from crewlab.engine.clock import FakeClock
from crewlab.engine.models.base import Completion, ProviderError, TextDelta, Usage
from crewlab.engine.turn.books import clean_title
from tests.fixtures.crews import a_crew, say, types


class Writes:
    """A model that answers turns with ``ok`` and titles and summaries with ``answer``."""

    name, small = "fake", False

    def __init__(self, answer="A tidy title", price=0.25, gate=None):
        self.answer, self.price, self.gate = answer, price, gate
        self.aside = []

    def writes_aside(self, _route):
        return not self.small

    async def stream(self, request, route):
        if not request.tools:
            self.aside.append(request)
            if self.gate is not None:
                await self.gate.wait()
            if isinstance(self.answer, Exception):
                raise self.answer
            yield Completion(self.answer, usage=Usage(9, 3), cost_usd=self.price)
            return
        yield TextDelta("ok")
        yield Completion("ok", cost_usd=0.0)

    async def close(self):
        pass


@pytest.mark.spec("TURN-56", "TURN-58", "TURN-21", "COST-9")
async def test_after_the_first_good_turn_a_model_may_replace_the_first_words(tmp_path):
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock) as crew:
        gate = asyncio.Event()
        writes = Writes('"A tidy title."\n', gate=gate)
        crew.models.plug(writes)
        conversation, seen = await say(crew, "please tell me all about harbours and their many boats in the north")
        assert seen[-1].type == "done"  # told before the title is there
        first = crew.conversations.detail(conversation)
        assert first.title.startswith("please tell me all about harbours")
        assert len(first.title) <= 60
        clock.advance(100)
        watcher = crew.watch.join(conversation)
        gate.set()
        await crew.books.settle()
        detail = crew.conversations.detail(conversation)
        assert (detail.title, detail.updated_at) == ("A tidy title", first.updated_at)
        assert detail.spent_usd == 0.25
        assert [tuple(r) for r in crew.store.db.rows("SELECT purpose, cost_usd FROM side_calls")] == [("title", 0.25)]
        frames = [await anext(watcher), await anext(watcher)]
        assert frames[-1].event.conversation.title == "A tidy title"
        watcher.close()
        await say(crew, "again", conversation)
        await crew.books.settle()
        assert len(writes.aside) == 1


@pytest.mark.spec("TURN-56")
async def test_a_title_of_a_person_is_never_replaced_not_even_by_a_call_under_way(tmp_path):
    async with a_crew(tmp_path) as crew:
        gate = asyncio.Event()
        writes = Writes(gate=gate)
        crew.models.plug(writes)
        named = crew.conversations.create(title="Mine").id
        await say(crew, "hi", named)
        conversation, _ = await say(crew, "hi")
        while not writes.aside:
            await asyncio.sleep(0)
        crew.conversations.patch(conversation, {"title": "Mine too"})
        gate.set()
        await crew.books.settle()
        assert len(writes.aside) == 1
        assert [crew.conversations.detail(c).title for c in (named, conversation)] == ["Mine", "Mine too"]


@pytest.mark.spec("TURN-56", "TURN-58")
@pytest.mark.parametrize("answer", [ProviderError("down"), ProviderError("gone", started=True), "", " \n# \n"])
async def test_a_failed_title_changes_nothing_but_the_ledger(tmp_path, answer):
    async with a_crew(tmp_path) as crew:
        crew.models.plug(Writes(answer))
        conversation, _ = await say(crew, "hello there")
        before = crew.conversations.detail(conversation)
        await crew.books.settle()
        assert crew.conversations.detail(conversation) == before
        assert (await say(crew, "go on", conversation))[1][-1].type == "done"


@pytest.mark.spec("TURN-56")
async def test_a_small_or_scripted_model_is_asked_for_no_title(tmp_path):
    async with a_crew(tmp_path) as crew:
        await say(crew, "hi")
        await crew.books.settle()
        assert crew.store.db.row("SELECT count(*) FROM side_calls")[0] == 0
        assert not (await crew.models.chain(None)).writes_aside
        small = Writes()
        small.small = True
        crew.models.plug(small)
        await say(crew, "hi")
        await crew.books.settle()
        assert small.aside == []


@pytest.mark.spec("TURN-56", "COST-5")
async def test_a_turn_that_did_not_end_well_or_a_spent_cap_brings_no_title(tmp_path):
    async with a_crew(tmp_path, config="max_steps: 1\ncost_cap_usd: 1\n") as crew:
        writes = Writes()
        crew.models.plug(writes)
        conversation = crew.conversations.create().id
        crew.store.conversations.spend(conversation, 1.0, crew._parts.now())
        _, seen = await say(crew, "hi", conversation)
        assert types(seen)[-1] == "halted"
        await crew.books.settle()
        assert writes.aside == []


@pytest.mark.spec("TURN-57", "TURN-21", "COST-9")
async def test_opening_a_new_conversation_summarises_the_one_before(tmp_path):
    async with a_crew(tmp_path) as crew:
        writes = Writes("What was said.")
        crew.models.plug(writes)
        conversation, _ = await say(crew, "one")
        await crew.books.settle()
        crew.conversations.create()
        await crew.books.settle()
        assert [r["purpose"] for r in crew.store.db.rows("SELECT purpose FROM side_calls")] == ["title"]  # two messages are too few
        await say(crew, "two", conversation)
        before = crew.conversations.detail(conversation)
        crew.conversations.create()
        await crew.books.settle()
        assert crew.store.conversations.summary_of(conversation) == ("What was said.", 4)
        after = crew.conversations.detail(conversation)
        assert (after.updated_at, after.spent_usd) == (before.updated_at, before.spent_usd + 0.25)
        asked = len(writes.aside)
        crew.conversations.create()
        await crew.books.settle()
        assert len(writes.aside) == asked  # nothing new to summarise
        await say(crew, "three", conversation)
        await say(crew, "four", conversation)
        crew.conversations.create()
        await crew.books.settle()
        assert crew.store.conversations.summary_of(conversation)[1] == 8
        assert "What was said." in writes.aside[-1].messages[-1].content  # goes on from the last one
        assert "one" not in writes.aside[-1].messages[-1].content.replace("What was said.", "")


@pytest.mark.spec("TURN-57")
async def test_half_an_hour_without_a_turn_brings_a_summary(tmp_path):
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock) as crew:
        crew.models.plug(Writes("Idle."))
        conversation, _ = await say(crew, "one")
        await say(crew, "two", conversation)
        for minutes, summary in ((29, None), (2, "Idle.")):
            clock.advance(minutes * 60)
            crew.books.sweep()
            await crew.books.settle()
            assert crew.store.conversations.summary_of(conversation)[0] == summary


@pytest.mark.spec("TURN-58", "RES-16")
async def test_shutdown_ends_the_calls_that_run_and_waits_for_them(tmp_path):
    gate = asyncio.Event()
    async with a_crew(tmp_path) as crew:
        writes = Writes(gate=gate)
        crew.models.plug(writes)
        for _ in range(4):
            await say(crew, "hi")
        while len(writes.aside) < 2:
            await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert len(writes.aside) == 2  # two at once
    assert not [task for task in asyncio.all_tasks() if task.get_name().startswith("crewlab")]


@pytest.mark.spec("TURN-58", "TURN-20")
async def test_a_conversation_deleted_under_way_leaves_only_the_ledger_row(tmp_path):
    gate = asyncio.Event()
    async with a_crew(tmp_path) as crew:
        writes = Writes(gate=gate)
        crew.models.plug(writes)
        conversation, _ = await say(crew, "hi")
        while not writes.aside:
            await asyncio.sleep(0)
        await crew.conversations.delete(conversation)
        gate.set()
        await crew.books.settle()
        assert crew.store.db.row("SELECT count(*) FROM conversations")[0] == 0
        assert crew.store.db.row("SELECT count(*) FROM side_calls")[0] == 1


@pytest.mark.spec("TURN-56")
def test_a_title_is_one_clean_line_of_at_most_sixty_characters():
    assert clean_title('\n\n# **"Tides of the north."**\nmore') == "Tides of the north"
    assert clean_title("word " * 40).endswith("…")
    assert len(clean_title("word " * 40)) <= 60
    assert clean_title("``` \n") == ""

"""The usage ledger: what is billed is in it once, unknown prices are counted and never zero, days are the person's."""

import asyncio
import math
import tempfile
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.clock import FakeClock, iso
from crewlab.engine.models.base import ChatMessage, ChatRequest, Completion, ProviderError, TextDelta, Usage
from crewlab.engine.store.conversations import Charge
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from crewlab.engine.turn.side import charge_of, side_chain
from crewlab.engine.turn.stats import Stats, spans_of
from tests.fixtures.crews import a_crew, say

NOON = datetime.fromisoformat("2026-03-11T12:00:00+00:00")
PRICES = st.one_of(st.none(), st.just(0.0), st.floats(1e-6, 5.0))
TOKENS = st.tuples(*[st.one_of(st.none(), st.integers(0, 9_000))] * 4)
CALLS = st.lists(
    st.fixed_dictionaries(
        {
            "side": st.booleans(),
            "agent": st.sampled_from(["default", "ana"]),
            "model": st.sampled_from(["m1", "m2"]),
            "purpose": st.sampled_from(["title", "session_summary", "compaction"]),
            "cost": PRICES,
            "estimated": st.booleans(),
            "tokens": TOKENS,
            "hours": st.integers(0, 24 * 12),
        }
    ),
    max_size=30,
)


def billed(store, calls):
    """Store the calls as turns and side calls do; returns what was billed."""
    for agent in ("default", "ana"):
        store.conversations.insert(
            {"id": f"c_{agent}", "agent_id": agent, "source": "chat", "created_at": iso(NOON), "updated_at": iso(NOON)}
        )
    for call in calls:
        conversation, at = f"c_{call['agent']}", iso(NOON - timedelta(hours=call["hours"]))
        estimated = call["estimated"] and call["cost"] is not None
        if call["side"]:
            route = ("p", call["model"])
            store.side_calls.insert(
                call["agent"], conversation, call["purpose"], route, call["cost"], call["tokens"], at, estimated=estimated
            )
        else:
            store.messages.append(
                conversation,
                *("assistant", "x", at),
                provider="p",
                model=call["model"],
                cost_usd=call["cost"],
                cost_estimated=estimated,
                tokens=call["tokens"],
            )
        store.conversations.spend(conversation, call["cost"], at, estimated=estimated)
        store.messages.append(conversation, "tool", "r", at, tool_call_id="t", cost_usd=1.0)  # its side calls have rows of their own
        store.messages.append(conversation, "assistant", "copied into a fork", at, model="m1")


@pytest.mark.spec("COST-20", "COST-21", "TURN-5")
@settings(max_examples=40, deadline=None)
@given(calls=CALLS, zone=st.sampled_from(["UTC", "Asia/Ho_Chi_Minh", "America/St_Johns", "Pacific/Auckland"]))
def test_the_sums_are_what_was_billed_and_unknown_prices_are_counted(calls, zone):
    from zoneinfo import ZoneInfo

    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "crew.db", Texts())
        try:
            billed(store, calls)
            stats = asyncio.run(Stats(store.ledger, FakeClock(NOON), ZoneInfo(zone)).read())
            spent = store.db.row("SELECT total(spent_usd), sum(unknown_cost_calls), sum(estimated_cost_calls) FROM conversations")
        finally:
            store.close()
    known = [call["cost"] for call in calls if call["cost"] is not None]
    assert math.isclose(stats.totals.cost_usd, math.fsum(known), abs_tol=1e-9)
    assert math.isclose(stats.totals.cost_usd, spent[0], abs_tol=1e-9)
    assert (stats.totals.unknown, stats.totals.estimated) == (spent[1], spent[2])
    assert (stats.totals.calls, stats.totals.unknown) == (len(calls), len(calls) - len(known))
    assert stats.totals.prompt_tokens == sum(call["tokens"][0] or 0 for call in calls)
    for groups in (stats.models, stats.purposes, stats.agents):
        assert math.isclose(math.fsum(sums.cost_usd for _, sums in groups), stats.totals.cost_usd, abs_tol=1e-9)
        assert sum(sums.unknown for _, sums in groups) == stats.totals.unknown
        assert sum(sums.calls for _, sums in groups) == len(calls)
    for purpose, sums in stats.purposes:
        mine = [call for call in calls if (call["purpose"] if call["side"] else "turn") == purpose]
        assert (sums.calls, sums.unknown) == (len(mine), sum(call["cost"] is None for call in mine))
    today = NOON.astimezone(ZoneInfo(zone)).date()
    assert [day for day, _ in stats.days] == [(today - timedelta(days=back)).isoformat() for back in range(6, -1, -1)]
    for day, sums in stats.days:
        mine = [c for c in calls if (NOON - timedelta(hours=c["hours"])).astimezone(ZoneInfo(zone)).date().isoformat() == day]
        assert (sums.calls, sums.unknown) == (len(mine), sum(c["cost"] is None for c in mine))


@pytest.mark.spec("USE-1")
@settings(max_examples=20, deadline=None)
@given(calls=CALLS, zone=st.sampled_from(["UTC", "Asia/Ho_Chi_Minh", "America/St_Johns"]), period=st.sampled_from(["week", "month", "all"]))
def test_the_parts_of_a_period_are_the_calls_of_its_spans(calls, zone, period):
    from zoneinfo import ZoneInfo

    for call in calls:
        call["hours"] *= {"week": 1, "month": 5, "all": 60}[period]  # so that some lie before the first span
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "crew.db", Texts())
        try:
            billed(store, calls)
            found = asyncio.run(Stats(store.ledger, FakeClock(NOON), ZoneInfo(zone)).parts(period))
        finally:
            store.close()
    days = [(NOON - timedelta(hours=call["hours"])).astimezone(ZoneInfo(zone)).date().isoformat() for call in calls]
    for place, span in enumerate(found.spans):
        mine = [call for call, day in zip(calls, days, strict=True) if day.startswith(span)]
        rows = [row for row in found.rows if row.day == place]
        assert (sum(row.calls for row in rows), sum(row.unknown for row in rows)) == (len(mine), sum(c["cost"] is None for c in mine))
        assert math.isclose(math.fsum(row.cost_usd for row in rows), math.fsum(c["cost"] or 0 for c in mine), abs_tol=1e-9)
    earlier = [day for day in days if day < found.spans[0]]
    assert sum(row.calls for row in found.rows if row.day < 0) == (len(earlier) if period == "all" else 0)


def test_the_months_of_a_whole_ledger_end_with_this_one_also_over_a_new_year():
    names = [name for name, _ in spans_of("all", date(2026, 2, 28))]
    assert (names[0], names[-2:], len(names)) == ("2025-03", ["2026-01", "2026-02"], 12)


@pytest.mark.spec("COST-22", "DB-6")
async def test_the_answer_is_computed_again_only_when_something_was_written_or_the_day_has_changed(tmp_path):
    clock = FakeClock(NOON)
    async with a_crew(tmp_path, clock=clock) as crew:
        await say(crew, "hi")
        first = await crew.stats.read()
        assert await crew.stats.read() is first
        assert crew.stats.computed == 1
        await say(crew, "hi")
        second = await crew.stats.read()
        assert (second.totals.calls, crew.stats.computed) == (2, 2)
        clock.advance(24 * 3600)
        assert (await crew.stats.read()).days[-1][1].calls == 0
        assert crew.stats.computed == 3


class Plays:
    """A provider that plays what it is given; an exception in the list is raised."""

    name, small = "fake", False

    def __init__(self, *plays):
        self.plays = list(plays)

    async def stream(self, request, route):
        for item in self.plays.pop(0):
            if isinstance(item, Exception):
                raise item
            yield item

    async def close(self):
        pass


def gone(transient=True):
    return ProviderError("gone", transient=transient, started=True)


@pytest.mark.spec("COST-2", "COST-21", "COST-3")
async def test_a_call_of_a_turn_that_was_abandoned_stands_in_the_ledger_without_a_price(tmp_path):
    async with a_crew(tmp_path) as crew:
        done = Completion("hi", usage=Usage(10, 5, 2, 1), cost_usd=0.25)
        crew.models.plug(Plays([TextDelta("hi"), gone()], [ProviderError("refused")], [TextDelta("hi"), done]))
        conversation, seen = await say(crew, "one")
        assert seen[-1].type == "error"
        await say(crew, "two", conversation)  # failed before its first piece: costs nothing, counts nowhere
        await say(crew, "three", conversation)
        stats = await crew.stats.read()
        assert (stats.totals.calls, stats.totals.unknown, stats.totals.cost_usd) == (2, 1, 0.25)
        assert [purpose for purpose, _ in stats.purposes] == ["turn"]
        detail = crew.conversations.detail(conversation)
        assert (detail.unknown_cost_calls, detail.spent_usd) == (1, 0.25)


async def a_side_chain(crew, conversation, *plays):
    crew.models.plug(Plays(*plays))
    return await side_chain(crew._parts, crew.roster.master, conversation)


REQUEST = ChatRequest("SECRET SYSTEM", (ChatMessage("user", "SECRET QUESTION"),))


@pytest.mark.spec("COST-8", "COST-9", "COST-12")
async def test_a_side_call_leaves_a_row_of_numbers_and_nothing_on_the_stream(tmp_path):
    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        watcher = crew.watch.join(conversation)
        chain = await a_side_chain(
            crew, conversation, [TextDelta("SECRET ANSWER"), Completion("SECRET ANSWER", usage=Usage(9, 4, 1, 0), cost_usd=0.5)]
        )
        answer = await chain.ask("title", REQUEST)
        assert answer.text == "SECRET ANSWER"
        (row,) = crew.store.db.rows("SELECT * FROM side_calls")
        assert (row["agent_id"], row["conversation_id"], row["purpose"], row["provider"]) == ("default", conversation, "title", "fake")
        assert (row["cost_usd"], row["prompt_tokens"], row["completion_tokens"], row["cached_tokens"]) == (0.5, 9, 4, 1)
        assert not any("SECRET" in str(value) for value in tuple(row))
        assert crew.conversations.detail(conversation).spent_usd == 0  # whoever asked charges it
        watcher.close()
        assert [frame.event.type async for frame in watcher] in ([], ["watching"])


@pytest.mark.spec("PRV-11", "COST-2", "COST-12")
async def test_a_side_call_that_broke_off_and_was_asked_again_leaves_two_rows(tmp_path, monkeypatch):
    async def at_once(_seconds):
        pass

    async with a_crew(tmp_path, routes="fake:a") as crew:
        crew.models._sleep = at_once
        broke = ProviderError("gone", transient=True, started=True)
        chain = await a_side_chain(crew, None, [broke], [TextDelta("ok"), Completion("ok", cost_usd=0.1)])
        await chain.ask("wiki", REQUEST)
        rows = crew.store.db.rows("SELECT purpose, cost_usd, conversation_id FROM side_calls ORDER BY id")
        assert [tuple(row) for row in rows] == [("wiki", None, None), ("wiki", 0.1, None)]
        assert charge_of(chain.calls) == Charge(0.1, unknown=1)
        assert (await crew.stats.read()).totals.unknown == 1


@pytest.mark.spec("COST-2", "COST-10", "PRV-11")
async def test_a_side_call_that_ran_out_of_time_is_in_the_ledger_alone(tmp_path):
    class Hangs(Plays):
        async def stream(self, request, route):
            yield TextDelta("o")
            await asyncio.Event().wait()

    async with a_crew(tmp_path) as crew:
        conversation = crew.conversations.create().id
        crew.models.plug(Hangs())
        chain = await side_chain(crew._parts, crew.roster.master, conversation)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await chain.ask("tool_summary", REQUEST)
        assert [tuple(r) for r in crew.store.db.rows("SELECT purpose, cost_usd FROM side_calls")] == [("tool_summary", None)]
        detail = crew.conversations.detail(conversation)
        assert (detail.spent_usd, detail.unknown_cost_calls) == (0, 0)


@pytest.mark.spec("COST-12")
async def test_side_calls_fall_back_as_turns_do_and_a_script_asks_the_first_route_alone(tmp_path):
    async with a_crew(tmp_path, routes="fake:a,fake:b") as crew:
        chain = await a_side_chain(crew, None, [ProviderError("no")], [Completion("b", cost_usd=0.0)])
        assert (await chain.ask("script", REQUEST)).model == "b"
        assert [str(route) for route in chain.only_first().chain.routes] == ["fake:a"]


@pytest.mark.spec("COST-4", "COST-7", "DB-9")
async def test_what_a_tool_asked_of_models_or_a_child_spent_is_charged_with_its_result(tmp_path, monkeypatch):
    import dataclasses

    async def asks(_arguments, context):
        answer, charge = await context.side.ask("image", "Look.", "What is it?")
        context.charges += [charge, Charge(2.0, unknown=1, delegated_usd=2.0)]
        return answer

    async with a_crew(tmp_path) as crew:
        registry = crew.toolbox.of(crew.roster.master)
        tool = dataclasses.replace(registry.get("workspace_list"), run=asks)
        real = type(registry).get
        monkeypatch.setattr(type(registry), "get", lambda self, name: tool if name == tool.name else real(self, name))
        conversation, seen = await say(crew, "/tool workspace_list {}")
        assert seen[-1].unknown_cost_calls == 1
        detail = crew.conversations.detail(conversation)
        assert (detail.spent_usd, detail.unknown_cost_calls, detail.delegated_usd) == (2.0, 1, 2.0)
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.cost_usd, run.unknown_cost_calls) == (2.0, 1)
        result = next(e for e in seen if e.type == "tool_result")
        assert result.cost_usd is None  # a part of it is unknown, so the whole is
        assert [tuple(r) for r in crew.store.db.rows("SELECT purpose, cost_usd FROM side_calls")] == [("image", 0.0)]


@pytest.mark.spec("COST-2", "COST-21")
@pytest.mark.parametrize("how", ["killed", "shut down"])
async def test_a_call_that_the_end_of_the_process_cut_is_counted_once_in_every_place(tmp_path, how):
    import shutil

    class Hangs(Plays):
        async def stream(self, request, route):
            yield TextDelta("o")
            await asyncio.Event().wait()

    home = tmp_path / "a"
    async with a_crew(home) as crew:
        crew.models.plug(Hangs())
        conversation = crew.conversations.create().id
        await crew.inbound.send(conversation, "hello")
        while not crew.host.live[conversation].text:
            await asyncio.sleep(0)
        if how == "killed":
            home = tmp_path / "b"
            shutil.copytree(tmp_path / "a", home)
    async with a_crew(home) as crew:
        while crew.host.busy(conversation):
            await crew.host.wait(conversation)
        stats = await crew.stats.read()
        assert (stats.totals.calls, stats.totals.unknown) == (2, 1)
        assert {route for route, _ in stats.models} == {("fake", "echo")}
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.status, run.unknown_cost_calls, crew.conversations.detail(conversation).unknown_cost_calls) == ("done", 1, 1)

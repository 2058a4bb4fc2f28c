"""What a job may cost, and where its money is counted (DLG-21, DLG-66 to DLG-68, COST-7)."""

import asyncio

import pytest

from crewlab.engine.models.fake import FakeCall, FakeCost
from crewlab.engine.texts import Texts
from crewlab.engine.turn.children import inherited_cap
from tests.fixtures.crews import say
from tests.fixtures.teams import a_team, calls_then, children, job, result, results, run_of, says, settle, until

EN = Texts("en")


@pytest.mark.spec("DLG-21")
@pytest.mark.parametrize(
    ("cap", "spent", "own", "child"),
    [(0, 3, 0, 0), (0, 3, 2, 2), (5, 3, 0, 2), (5, 3, 1, 1), (5, 3, 9, 2), (5, 0, 5, 5)],
)
async def test_the_cap_of_a_child_is_what_is_left_of_the_parents(tmp_path, cap, spent, own, child):
    async with a_team(tmp_path, {"ada": says("Ready.")}, {"ada": f"cost_cap_usd: {own}"}) as crew:
        conversation = crew.conversations.create().id
        crew.conversations.patch(conversation, {"cost_cap_usd": cap})
        crew.store.conversations.spend(conversation, spent, crew._parts.now())
        assert inherited_cap(crew.store.conversations.get(conversation), own) == child
        await say(crew, job(), conversation)
        assert children(crew, conversation)[0].cost_cap_usd == child


@pytest.mark.spec("DLG-21", "COST-7", "DLG-66", "DLG-68")
async def test_a_child_is_halted_by_what_its_parent_had_left_and_its_money_is_counted_once(tmp_path):
    members = {
        "ada": calls_then([FakeCall("workspace_list"), FakeCost(0.25)], [FakeCall("workspace_read", '{"path": "x"}'), FakeCost(0.25)])
    }
    async with a_team(tmp_path, members) as crew:
        conversation = crew.conversations.create().id
        crew.conversations.patch(conversation, {"cost_cap_usd": 0.75})
        crew.store.conversations.spend(conversation, 0.25, crew._parts.now())
        await say(crew, job(), conversation)
        found = result(crew, conversation)
        assert (found.outcome, found.reason, found.figures.spent_usd) == ("failed", "budget", 0.5)
        summary = crew.conversations.summary(conversation)
        assert (summary.spent_usd, summary.delegated_usd) == (0.75, 0.5)
        (child,) = children(crew, conversation)
        assert run_of(crew, child.id).cost_usd == 0.5
        parent = run_of(crew, conversation)
        assert parent.cost_usd == 0
        assert (parent.status, parent.halt_reason) == ("halted", "budget")
        (stored,) = results(crew, conversation)
        assert stored.cost_usd is None
        assert [step.cost_usd for step in parent.steps if step.kind == "tool"] == [None]


@pytest.mark.spec("DLG-66", "DLG-37")
async def test_calls_of_unknown_price_are_added_as_well(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.", FakeCost(None))}) as crew:
        conversation, seen = await say(crew, job(relay=False))
        assert result(crew, conversation).figures.unknown_calls == 1
        assert seen[-1].unknown_cost_calls == 1
        assert crew.conversations.summary(conversation).unknown_cost_calls == 1
        assert run_of(crew, conversation).unknown_cost_calls == 0


@pytest.mark.spec("DLG-21", "DLG-95")
async def test_a_parent_with_nothing_left_is_refused(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.", FakeCost(1.0))}) as crew:
        conversation = crew.conversations.create().id
        crew.conversations.patch(conversation, {"cost_cap_usd": 1.0})
        await say(crew, f"{job()}\n/tool workspace_list {{}}\n{job()}", conversation)
        assert results(crew, conversation)[2].content == EN("delegate.no_budget")
        assert len(children(crew, conversation)) == 1


@pytest.mark.spec("DLG-66", "DB-9")
async def test_nothing_is_added_before_the_result_is_recorded_and_both_are_one_commit(tmp_path, monkeypatch):
    go = asyncio.Event()

    async def ada(_scene):
        yield FakeCost(0.5)
        await go.wait()
        yield "Ready."

    async def second(scene):
        async for piece in ada(scene):
            yield piece

    async with a_team(tmp_path, {"ada": says("Ready.", FakeCost(0.5)), "bob": second}) as crew:
        conversation = crew.conversations.create().id
        seen = []
        append = crew.store.messages.append

        def noted(*args, **more):
            if args[1] == "tool":
                seen.append((crew.store.db.in_transaction, crew.store.conversations.get(conversation).delegated_usd))
            return append(*args, **more)

        monkeypatch.setattr(crew.store.messages, "append", noted)
        await crew.inbound.send(conversation, f"{job('bob')}\n{job('ada')}")
        await until(lambda: len(children(crew, conversation)) == 2 and not crew.host.busy(children(crew, conversation)[1].id))
        assert crew.conversations.summary(conversation).delegated_usd == 0  # the second is done; the first stands before it
        go.set()
        await settle(crew, conversation)
        assert seen == [(True, 0), (True, 0.5)]
        assert crew.conversations.summary(conversation).delegated_usd == 1.0


@pytest.mark.spec("COST-7", "COST-20")
async def test_the_ledger_counts_the_money_of_a_child_once(tmp_path):
    async with a_team(tmp_path, {"ada": says("Ready.", FakeCost(0.5))}) as crew:
        await say(crew, job())
        rows = crew.store.ledger.sums(["2026-01-01"])
        assert sum(row.cost_usd for row in rows) == 0.5
        assert {row.agent_id: row.cost_usd for row in rows} == {"ada": 0.5, "default": 0.0}

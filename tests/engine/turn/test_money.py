"""Money adds up: every call is in the conversation, in its run and in the ledger, each once (FM-5)."""

import math
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.models.base import Completion, ProviderError, TextDelta, Usage
from crewlab.engine.records import ToolCall
from tests.engine.turn.test_compact import Narrow
from tests.fixtures.crews import a_crew, say

PRICE = st.one_of(st.none(), st.floats(0, 5, allow_nan=False).map(lambda price: round(price, 6)), st.just("cut"))
TURNS = st.lists(st.lists(PRICE, min_size=1, max_size=4), min_size=1, max_size=4)


class Priced(Narrow):
    """Answers with the prices it is given: ``None`` is unknown, ``"cut"`` an answer that breaks off."""

    def window(self, _route):
        return None

    def plan(self, prices):
        self.prices = list(prices)

    async def stream(self, request, route):
        price = self.prices.pop(0)
        if price == "cut":
            yield TextDelta("ha")
            raise ProviderError("gone", started=True)
        calls = (ToolCall(id="k", name="workspace_list", arguments={}),) if self.prices else ()
        yield Completion("ok", calls, Usage(10, 3, 2, 1), price)


@pytest.mark.spec("FM-5", "COST-1", "COST-2", "COST-21")
@settings(max_examples=25, deadline=None)
@given(turns=TURNS)
async def test_the_cost_of_turns_is_the_sum_of_their_calls_everywhere(turns):
    with tempfile.TemporaryDirectory() as folder:
        async with a_crew(Path(folder) / "home", config="cost_cap_usd: 0\n") as crew:
            priced = Priced()
            crew.models.plug(priced)
            conversation = crew.conversations.create(title="t").id
            known, unknown, calls = [], 0, 0
            for prices in turns:
                made = prices[: prices.index("cut") + 1] if "cut" in prices else prices
                priced.plan(prices)
                await say(crew, "go", conversation)
                known += [price for price in made if isinstance(price, float)]
                unknown += sum(price is None or price == "cut" for price in made)
                calls += len(made)
            total = math.fsum(known)
            detail = crew.conversations.detail(conversation)
            runs, _ = crew.runs.list(conversation_id=conversation)
            assert detail.spent_usd == pytest.approx(total)
            assert math.fsum(run.cost_usd for run in runs) == pytest.approx(total)
            assert math.fsum(step.cost_usd or 0 for run in runs for step in run.steps) == pytest.approx(total)
            assert detail.unknown_cost_calls == sum(run.unknown_cost_calls for run in runs) == unknown
            stats = (await crew.stats.read()).totals
            assert stats.cost_usd == pytest.approx(total)
            assert (stats.unknown, stats.calls) == (unknown, calls)
            answered = calls - sum("cut" in prices for prices in turns)
            assert (stats.prompt_tokens, stats.cached_tokens) == (10 * answered, 2 * answered)

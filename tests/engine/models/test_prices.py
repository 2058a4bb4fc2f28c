"""Estimated prices: marked, from the list of the vendor that serves the route, and never invented."""

import sys
from contextlib import aclosing

import pytest

from crewlab.engine.home.routes import Route
from crewlab.engine.models import prices as module
from crewlab.engine.models.base import ChatMessage, ChatRequest, Completion, TextDelta, Usage
from crewlab.engine.models.chain import Link, ProviderChain
from crewlab.engine.models.prices import Prices
from crewlab.engine.models.service import Models
from crewlab.engine.texts import Texts
from tests.fixtures.crews import a_crew, say

SONNET = Route("anthropic", "claude-sonnet-4-5")
FULL = Usage(1_000, 100, 200, 0, 50)


class Keys:
    def __init__(self, **values):
        self.values = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k", **values}

    def get(self, name):
        return self.values.get(name)


class Answers:
    """A provider under any name that answers with one completion."""

    small = False

    def __init__(self, name, completion):
        self.name = name
        self.completion = completion

    async def stream(self, request, route):
        yield TextDelta("hi")
        yield self.completion

    async def close(self):
        pass


async def asked(route, completion, estimate):
    chain = ProviderChain([Link(route, Answers(route.provider, completion))], Texts(), estimate=estimate)
    async with aclosing(chain.stream(ChatRequest("s", (ChatMessage("user", "x"),)))) as items:
        return [item async for item in items][-1]


@pytest.mark.spec("EST-1", "EST-2", "FM-3")
async def test_the_four_kinds_of_tokens_have_prices_of_their_own():
    prices = Prices()
    plain = await prices.estimate(SONNET, Usage(1_000, 100))
    assert plain == pytest.approx(1_000 * 3e-6 + 100 * 15e-6)
    whole = await prices.estimate(SONNET, FULL)
    assert whole == pytest.approx(750 * 3e-6 + 200 * 0.3e-6 + 50 * 3.75e-6 + 100 * 15e-6)


@pytest.mark.spec("EST-1")
async def test_an_estimate_is_marked_and_a_reported_price_stands():
    prices = Prices()
    estimated = await asked(SONNET, Completion("hi", usage=FULL), prices.estimate)
    assert (estimated.cost_usd > 0, estimated.cost_estimated) == (True, True)
    reported = await asked(Route("openrouter", "anthropic/claude-sonnet-4.5"), Completion("hi", usage=FULL, cost_usd=0.7), prices.estimate)
    assert (reported.cost_usd, reported.cost_estimated) == (0.7, False)
    free = await asked(SONNET, Completion("hi", usage=FULL, cost_usd=0.0), prices.estimate)
    assert (free.cost_usd, free.cost_estimated) == (0.0, False)


@pytest.mark.spec("EST-3", "TURN-5")
@pytest.mark.parametrize(
    ("route", "usage"),
    [
        (SONNET, Usage(None, 100)),
        (SONNET, Usage(100, None)),
        (SONNET, Usage(0, 0)),
        (Route("anthropic", "no-such-model-9"), FULL),
        (Route("openrouter", "openrouter/auto"), FULL),
        (Route("ollama", "gpt-4o"), FULL),
        (Route("local", "smollm2"), FULL),
        (Route("fake", "gpt-4o"), FULL),
        (Route("elsewhere", "gpt-4o"), FULL),
    ],
)
async def test_nothing_is_invented(route, usage):
    answer = await asked(route, Completion("hi", usage=usage), Prices().estimate)
    assert (answer.cost_usd, answer.cost_estimated) == (None, False)


@pytest.mark.spec("EST-3")
@pytest.mark.parametrize(("url", "known"), [(None, True), ("https://api.openai.com/v1/", True), ("http://127.0.0.1:8000/v1", False)])
async def test_another_server_under_the_openai_name_has_no_list_price(url, known, tmp_path):
    keys = Keys(**({"OPENAI_BASE_URL": url} if url else {}))
    models = Models(type("S", (), {"routes": None})(), keys, None, Texts())
    assert (await models.prices.estimate(Route("openai", "gpt-4o"), FULL) is not None) == known
    await models.close()


@pytest.mark.spec("EST-5")
async def test_without_the_package_prices_stay_unknown(monkeypatch):
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    assert await Prices().estimate(SONNET, FULL) is None
    assert await Prices().window(SONNET) is None


@pytest.mark.spec("EST-5")
async def test_the_list_is_not_loaded_for_what_reports_or_has_no_price(monkeypatch):
    loaded = []
    monkeypatch.setattr(module, "_load", lambda: loaded.append(1) or True)
    prices = Prices()
    prices.warm([Route("fake", "echo"), Route("ollama", "x"), Route("openrouter", "y")])
    await prices.close()
    assert loaded == []
    prices.warm([SONNET, SONNET])
    await prices.close()
    assert loaded == [1]


@pytest.mark.spec("CMP-1")
async def test_windows_of_models_are_read_from_the_list():
    assert await Prices().window(SONNET) >= 200_000
    assert await Prices().window(Route("ollama", "gpt-4o")) is None


@pytest.mark.spec("EST-2", "EST-6", "COST-5")
async def test_an_estimate_is_stored_marked_shown_and_counts_against_the_cap(tmp_path):
    async with a_crew(tmp_path, routes="anthropic:claude-sonnet-4-5", config="cost_cap_usd: 0.001\n") as crew:
        crew.models._keys = Keys()
        crew.models.plug(Answers("anthropic", Completion("hi", usage=FULL)))
        conversation, seen = await say(crew, "one")
        end = seen[-1]
        assert (end.type, end.estimated_cost_calls, end.unknown_cost_calls) == ("done", 1, 0)
        assert end.spent_usd == end.cost_usd > 0.001
        detail = crew.conversations.detail(conversation)
        assert (detail.estimated_cost_calls, detail.messages[-1].cost_estimated) == (1, True)
        run = crew.runs.list(conversation_id=conversation)[0][0]
        assert (run.estimated_cost_calls, run.steps[0].cost_estimated) == (1, True)
        stats = await crew.stats.read()
        assert (stats.totals.estimated, stats.totals.unknown) == (1, 0)
        _, seen = await say(crew, "two", conversation)
        assert (seen[-1].type, seen[-1].reason) == ("halted", "budget")

"""The chain: what is retried, what falls back, what comes to the surface, what is metered."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field

import pytest

from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import (
    CallDelta,
    ChainItem,
    ChatMessage,
    ChatRequest,
    Completion,
    ProviderError,
    ProviderItem,
    ProviderNotice,
    ReasoningDelta,
    RouteFailed,
    RouteRetry,
    RoutesFailed,
    RouteStarted,
    StreamBroken,
    TextDelta,
)
from crewlab.engine.models.chain import RETRY_WAIT_SECONDS, Link, ProviderChain
from crewlab.engine.texts import Texts

TEXTS = Texts()
REQUEST = ChatRequest("system", (ChatMessage("user", "hi"),), short_system="short")
Act = ProviderItem | ProviderError
DOWN = ProviderError("down", transient=True, status=503)
REFUSED = ProviderError("refused", status=400)


@dataclass
class Scripted:
    """A provider that plays one list of items per request."""

    name: str
    plays: list[list[Act]]
    small: bool = False
    asked: list[ChatRequest] = field(default_factory=list)
    closed: int = 0

    async def stream(self, request: ChatRequest, route: Route) -> AsyncIterator[ProviderItem]:
        self.asked.append(request)
        try:
            for act in self.plays.pop(0):
                if isinstance(act, ProviderError):
                    raise act
                yield act
        finally:
            self.closed += 1

    async def close(self) -> None:
        pass


@dataclass
class Watched:
    items: list[ChainItem]
    waits: list[float]
    abandoned: list[str]
    error: Exception | None


async def run(*providers: Scripted, shown_calls: frozenset[str] = frozenset()) -> Watched:
    watched = Watched([], [], [], None)

    async def sleep(seconds: float) -> None:
        watched.waits.append(seconds)

    chain = ProviderChain([Link(Route(p.name, "m"), p) for p in providers], TEXTS, sleep=sleep)
    try:
        async for item in chain.stream(REQUEST, shown_calls, abandoned=lambda route: watched.abandoned.append(str(route))):
            watched.items.append(item)
    except (RoutesFailed, StreamBroken) as error:
        watched.error = error
    return watched


def answer(text: str = "yes") -> list[Act]:
    return [TextDelta(text), Completion(text)]


@pytest.mark.spec("PRV-1", "PRV-19")
async def test_the_first_route_answers_and_is_named_on_the_completion() -> None:
    seen = await run(Scripted("a", [answer()]), Scripted("b", []))
    assert seen.items == [RouteStarted("a:m"), TextDelta("yes"), Completion("yes", provider="a", model="m")]
    assert seen.abandoned == []


@pytest.mark.spec("PRV-4", "PRV-10")
async def test_a_route_that_fails_unseen_hands_over_to_the_next() -> None:
    seen = await run(Scripted("a", [[REFUSED]]), Scripted("b", [answer()]))
    assert seen.items[:3] == [RouteStarted("a:m"), RouteFailed("a:m", "refused", "b:m"), RouteStarted("b:m")]
    assert isinstance(seen.items[-1], Completion)
    assert seen.items[-1].provider == "b"
    assert seen.waits == []


@pytest.mark.spec("PRV-7", "PRV-8")
async def test_a_transient_error_is_retried_once_after_two_seconds() -> None:
    seen = await run(Scripted("a", [[DOWN], answer()]))
    assert seen.items[:3] == [RouteStarted("a:m"), RouteRetry("a:m", "down"), TextDelta("yes")]
    assert seen.waits == [RETRY_WAIT_SECONDS] == [2.0]


@pytest.mark.spec("PRV-8", "PRV-10")
async def test_only_after_the_retry_failed_too_the_next_route_is_asked() -> None:
    first = Scripted("a", [[DOWN], [DOWN]])
    seen = await run(first, Scripted("b", [answer()]))
    kinds = [type(item) for item in seen.items]
    assert kinds == [RouteStarted, RouteRetry, RouteFailed, RouteStarted, TextDelta, Completion]
    assert len(first.asked) == 2


@pytest.mark.spec("PRV-17")
async def test_when_all_fail_there_is_one_line_per_route() -> None:
    seen = await run(Scripted("a", [[REFUSED]]), Scripted("b", [[DOWN], [DOWN]]))
    assert isinstance(seen.error, RoutesFailed)
    assert seen.error.lines == ["a:m: refused", "b:m: down"]
    assert seen.items[-1] == RouteFailed("b:m", "down", None)


@pytest.mark.spec("PRV-4", "PRV-6", "PRV-9")
@pytest.mark.parametrize("failure", [DOWN, REFUSED])
async def test_after_shown_text_an_error_comes_to_the_surface(failure: ProviderError) -> None:
    second = Scripted("b", [answer()])
    seen = await run(Scripted("a", [[TextDelta("ye"), failure]]), second)
    assert isinstance(seen.error, StreamBroken)
    assert (seen.error.route, seen.error.error) == ("a:m", failure.message)
    assert seen.waits == []
    assert second.asked == []
    assert seen.abandoned == ["a:m"]


@pytest.mark.spec("PRV-9")
@pytest.mark.parametrize("unseen", [ReasoningDelta(), CallDelta(0, "c", "workspace_list", "{}"), ProviderNotice("starting"), TextDelta("")])
async def test_what_nobody_saw_leaves_no_seam(unseen: ProviderItem) -> None:
    seen = await run(Scripted("a", [[unseen, DOWN], answer()]))
    assert seen.error is None
    assert RouteRetry("a:m", "down") in seen.items


@pytest.mark.spec("PRV-6")
@pytest.mark.parametrize(("published", "breaks"), [(frozenset({"artifact_create"}), True), (frozenset(), False)])
async def test_a_published_fragment_counts_as_shown(published: frozenset[str], breaks: bool) -> None:
    fragment = CallDelta(0, "c", "artifact_create", "{")
    seen = await run(Scripted("a", [[fragment, DOWN], answer()]), shown_calls=published)
    assert isinstance(seen.error, StreamBroken) is breaks


@pytest.mark.spec("PRV-11", "COST-2", "COST-3")
@pytest.mark.parametrize(
    ("acts", "abandoned"),
    [
        ([ReasoningDelta(), REFUSED], ["a:m"]),
        ([CallDelta(0, "c", "x", ""), REFUSED], ["a:m"]),
        ([ProviderError("cut", started=True)], ["a:m"]),
        ([REFUSED], []),
        ([ProviderNotice("starting"), REFUSED], []),
    ],
)
async def test_a_call_that_began_and_was_given_up_is_metered(acts: list[Act], abandoned: list[str]) -> None:
    seen = await run(Scripted("a", [acts]), Scripted("b", [answer()]))
    assert seen.abandoned == abandoned


@pytest.mark.spec("PRV-11", "COST-2")
async def test_an_abandoned_attempt_is_metered_also_when_the_retry_answers() -> None:
    seen = await run(Scripted("a", [[ReasoningDelta(), DOWN], answer()]))
    assert seen.abandoned == ["a:m"]
    assert isinstance(seen.items[-1], Completion)


@pytest.mark.spec("COST-2", "TURN-5")
async def test_closing_the_iterator_closes_the_stream_and_meters_it() -> None:
    provider = Scripted("a", [[TextDelta("a"), TextDelta("b"), Completion("ab")]])
    abandoned: list[Route] = []
    chain = ProviderChain([Link(Route("a", "m"), provider)], TEXTS)
    async with aclosing(chain.stream(REQUEST, abandoned=abandoned.append)) as items:
        async for item in items:
            if isinstance(item, TextDelta):
                break
    assert provider.closed == 1
    assert abandoned == [Route("a", "m")]


async def test_a_stream_without_a_completion_is_broken() -> None:
    seen = await run(Scripted("a", [[TextDelta("ye")]]))
    assert isinstance(seen.error, StreamBroken)


@pytest.mark.spec("FT-1")
async def test_a_call_the_server_could_not_read_is_retried_and_then_told_to_the_model() -> None:
    unreadable = ProviderError("cannot parse tool call", transient=True, status=500, unreadable_call=True)
    provider = Scripted("a", [[unreadable], [unreadable], answer()])
    seen = await run(provider, Scripted("b", []))
    assert seen.error is None
    assert [len(request.messages) for request in provider.asked] == [1, 1, 2]
    told = provider.asked[-1].messages[-1]
    assert told.role == "user"
    assert "cannot parse tool call" in told.content
    assert seen.waits == [RETRY_WAIT_SECONDS]


@pytest.mark.spec("FT-1", "PRV-10")
async def test_when_telling_does_not_help_the_chain_goes_on() -> None:
    unreadable = ProviderError("cannot parse tool call", transient=True, status=500, unreadable_call=True)
    second = Scripted("b", [answer()])
    seen = await run(Scripted("a", [[unreadable]] * 3), second)
    assert seen.error is None
    assert second.asked == [REQUEST]


async def test_a_small_provider_is_given_the_short_prompt_and_only_it() -> None:
    small, big = Scripted("a", [[REFUSED]], small=True), Scripted("b", [answer()])
    await run(small, big)
    assert small.asked[0].system == "short"
    assert big.asked[0].system == "system"


def test_a_chain_knows_its_routes_and_can_be_cut_to_the_first() -> None:
    links = [Link(Route("a", "m:1"), Scripted("a", [], small=True)), Link(Route("b", "m"), Scripted("b", []))]
    chain = ProviderChain(links, TEXTS)
    assert [str(route) for route in chain.routes] == ["a:m:1", "b:m"]
    assert chain.small
    assert chain.only_first().routes == (Route("a", "m:1"),)
    with pytest.raises(ValueError, match="route"):
        ProviderChain([], TEXTS)

"""The chain of routes: one retry, then the next route, and only before something was shown (PRV-3 to PRV-11).

The chain decides nothing about words or storage. It streams what the provider streams, adds
``RouteStarted``, ``RouteRetry`` and ``RouteFailed``, and raises ``StreamBroken`` or ``RoutesFailed``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence, Set
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import cast

from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import (
    CallDelta,
    ChainItem,
    ChatMessage,
    ChatRequest,
    Completion,
    Provider,
    ProviderError,
    ProviderItem,
    ProviderNotice,
    RouteFailed,
    RouteRetry,
    RoutesFailed,
    RouteStarted,
    StreamBroken,
    TextDelta,
    Usage,
    Windowed,
    WritesAside,
)
from crewlab.engine.models.bounds import Bounds
from crewlab.engine.texts import Texts

RETRIES = 1  # PRV-8
RETRY_WAIT_SECONDS = 2.0  # PRV-8

log = logging.getLogger(__name__)

Sleep = Callable[[float], Awaitable[None]]
Estimate = Callable[[Route, Usage], Awaitable[float | None]]
"""What a call should cost by a price list, ``None`` where that cannot be said (EST-1)."""
Window = Callable[[Route], Awaitable[int | None]]
"""How many tokens the model of a route can read, ``None`` where nobody has told (CMP-1)."""
Abandoned = Callable[[Route], None]
"""Told of a call that began to answer and gave no completion: a call of unknown price (COST-2, PRV-11)."""


@dataclass(frozen=True, slots=True)
class Link:
    """One route of the chain and who serves it."""

    route: Route
    provider: Provider


@dataclass(slots=True)
class _Attempt:
    """What is known of one request to one route while it streams."""

    began: bool = False
    shown: bool = False
    completed: bool = False

    def see(self, item: ProviderItem, shown_calls: Set[str]) -> None:
        self.began = self.began or not isinstance(item, ProviderNotice)
        self.completed = isinstance(item, Completion)
        if isinstance(item, TextDelta) and item.text:
            self.shown = True
        elif isinstance(item, CallDelta) and item.name in shown_calls:
            self.shown = True  # PRV-6: a published fragment counts as shown


class _Asked:
    """One route with its retries: what it is asked, and how the last attempt failed unseen."""

    def __init__(self, link: Link, request: ChatRequest, texts: Texts) -> None:
        self.link = link
        small = link.provider.small and request.short_system
        self.request = replace(request, system=request.short_system) if small else request
        self.failure: ProviderError | None = None
        self.told = False
        self.goes_on = True
        self._texts = texts
        self._retries = 0

    def again(self, retries: int) -> bool:
        """Whether the route is asked once more (PRV-7, FT-1)."""
        failure = self.failure
        if failure is not None and failure.transient and self._retries < retries:
            self._retries += 1
        elif failure is not None and failure.unreadable_call and not self.told:  # FT-1: the model is told and writes the call anew
            self.told = True
            note = self._texts("models.unreadable_call", error=failure.message)
            self.request = replace(self.request, messages=(*self.request.messages, ChatMessage("user", note)))
        else:
            self.goes_on = False
        return self.goes_on


class ProviderChain:
    """Ordered routes that answer one request. ``sleep`` is the wait before a retry."""

    retries = RETRIES

    def __init__(
        self,
        links: Sequence[Link],
        texts: Texts,
        *,
        sleep: Sleep = asyncio.sleep,
        estimate: Estimate | None = None,
        window: Window | None = None,
    ) -> None:
        if not links:
            raise ValueError("a chain needs a route")
        self._links = tuple(links)
        self._texts = texts
        self._sleep = sleep
        self._estimate = estimate
        self._window = window

    @property
    def routes(self) -> tuple[Route, ...]:
        """The routes in their order."""
        return tuple(link.route for link in self._links)

    @property
    def small(self) -> bool:
        """Whether the first route is a small model that is given the short prompt."""
        return self._links[0].provider.small

    @property
    def declares_window(self) -> bool:
        """Whether the first route's provider itself says how much it can read."""
        return self._declared() is not None

    def _declared(self) -> int | None:
        first = self._links[0]
        window = getattr(first.provider, "window", None)  # a check of the protocol is slow
        return cast(Windowed, first.provider).window(first.route) if window is not None else None

    async def window(self) -> int | None:
        """The window of the first route in tokens: its provider's word, else that of the list; ``None``: unknown (CMP-1)."""
        told = self._declared()
        return told if told is not None or self._window is None else await self._window(self._links[0].route)

    @property
    def writes_aside(self) -> bool:
        """Whether the first route's model is asked for titles and summaries: none that is small, of the scripted ones those that say so."""
        first = self._links[0]
        if first.route.provider == "fake":
            return isinstance(first.provider, WritesAside) and first.provider.writes_aside(first.route)
        return not first.provider.small

    def only_first(self) -> ProviderChain:
        """The same chain without fallback, thinking as little as can be where a level is recorded (SCR-174)."""
        first = self._links[0]
        route = first.route if first.route.reasoning is None else replace(first.route, reasoning="minimal")
        return ProviderChain([replace(first, route=route)], self._texts, sleep=self._sleep, estimate=self._estimate, window=self._window)

    async def stream(
        self,
        request: ChatRequest,
        shown_calls: Set[str] = frozenset(),
        *,
        abandoned: Abandoned | None = None,
    ) -> AsyncGenerator[ChainItem, None]:
        """Ask the routes in order; ends after one ``Completion``.

        ``shown_calls`` names the tools whose fragments the caller publishes. After ``RouteRetry`` or
        ``RouteFailed`` the caller forgets fragments it collected. Closing the iterator ends the request.
        """
        lines: list[str] = []
        failures: list[ProviderError] = []
        for place, link in enumerate(self._links):
            yield RouteStarted(str(link.route))
            asked = _Asked(link, request, self._texts)
            while asked.goes_on:
                async with aclosing(self._attempt(asked, shown_calls, abandoned)) as items:
                    async for item in items:
                        yield item
                if asked.failure is None:
                    return
                if asked.again(self.retries):
                    log.info("retrying %s: %s", link.route, asked.failure.message)
                    if not asked.told:
                        await self._sleep(RETRY_WAIT_SECONDS)
                    yield RouteRetry(str(link.route), asked.failure.message)
            failure = asked.failure
            if failure is None:
                return
            lines.append(f"{link.route}: {failure.message}")
            failures.append(failure)
            following = self._links[place + 1].route if place + 1 < len(self._links) else None
            yield RouteFailed(str(link.route), failure.message, str(following) if following else None)
        raise RoutesFailed(lines, tuple(failures))

    async def _priced(self, completion: Completion, route: Route) -> Completion:
        """The completion with an estimate where the provider names no price (EST-1)."""
        if completion.cost_usd is not None or self._estimate is None:
            return completion
        estimate = await self._estimate(route, completion.usage)
        return completion if estimate is None else replace(completion, cost_usd=estimate, cost_estimated=True)

    async def _attempt(self, asked: _Asked, shown_calls: Set[str], abandoned: Abandoned | None) -> AsyncGenerator[ChainItem, None]:
        """One request to one route; what went wrong before anything was shown stands in ``asked.failure``."""
        attempt, link = _Attempt(), asked.link
        asked.failure = None
        bounds = Bounds(self._texts, link.route.provider)
        stream = link.provider.stream(asked.request, link.route)
        try:
            async for raw in stream:
                item = bounds.take(raw)
                attempt.see(item, shown_calls)
                if isinstance(item, Completion):
                    attempt.completed = False  # a call that is cut while its price is looked up was paid for as well (COST-2)
                    priced = await self._priced(replace(item, provider=link.route.provider, model=link.route.model), link.route)
                    attempt.completed = True
                    yield priced
                    return
                yield item
            raise ProviderError(self._texts("models.stream_ended", provider=link.route.provider), started=attempt.began)
        except ProviderError as error:
            attempt.began = attempt.began or error.started
            if attempt.shown:
                raise StreamBroken(str(link.route), error.message) from error
            asked.failure = error
        finally:
            close = getattr(stream, "aclose", None)
            if close is not None:
                await close()
            if attempt.began and not attempt.completed and abandoned is not None:
                abandoned(link.route)

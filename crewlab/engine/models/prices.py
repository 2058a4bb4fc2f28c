"""Estimated prices and known windows of models, from the offline data of the package ``genai-prices`` (EST-1 to EST-6).

The package is optional and heavy (its data takes tens of megabytes), so it is loaded in a worker thread, and only
when a route is used whose provider does not report what a call costs. It is never asked to fetch newer data.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import Usage

if TYPE_CHECKING:
    from genai_prices.types import PriceCalculation

PROVIDERS = frozenset({"openai", "anthropic", "openrouter"})  # EST-1: what runs at home or at an unknown server has no list price
NOT_REPORTING = frozenset({"openai", "anthropic"})  # OpenRouter reports, so its list is hardly ever needed

log = logging.getLogger(__name__)


class Prices:
    """The price list. ``listed`` says whether a route is served by the vendor whose list it is (EST-3)."""

    def __init__(self, listed: Callable[[Route], bool] = lambda _route: True) -> None:
        self._listed = listed
        self._loading: asyncio.Task[bool] | None = None

    def applies(self, route: Route) -> bool:
        """Whether the list could know the route."""
        return route.provider in PROVIDERS and self._listed(route)

    def warm(self, routes: Iterable[Route]) -> None:
        """Begin to load the list when one of the routes may need it, so that no answer waits for it."""
        if any(route.provider in NOT_REPORTING and self._listed(route) for route in routes):
            self._load()

    async def ready(self) -> bool:
        """Load the list once; ``False`` when the package is not installed."""
        return await asyncio.shield(self._load())

    def _load(self) -> asyncio.Task[bool]:
        if self._loading is None or self._loading.get_loop() is not asyncio.get_running_loop():
            self._loading = asyncio.create_task(asyncio.to_thread(_load), name="crewlab price list")
        return self._loading

    async def close(self) -> None:
        """Wait for a list that is being loaded."""
        if self._loading is not None and self._loading.get_loop() is asyncio.get_running_loop():
            await asyncio.wait({self._loading})

    async def estimate(self, route: Route, usage: Usage) -> float | None:
        """What the call should cost by the list; ``None`` where that cannot be said: nothing is ever invented (EST-3)."""
        if usage.prompt_tokens is None or usage.completion_tokens is None:
            return None
        if not self.applies(route) or not await self.ready():
            return None
        found = _look_up(route, usage)
        total = float(found.total_price) if found is not None else 0.0
        return total if total > 0 else None  # a list that says 0 does not know the price (TURN-5)

    async def window(self, route: Route) -> int | None:
        """How many tokens the model can read, ``None`` when the list does not say (CMP-1)."""
        if not self.applies(route) or not await self.ready():
            return None
        found = _look_up(route, Usage(1, 1))
        return found.model.context_window if found is not None else None


def _load() -> bool:
    try:
        import genai_prices

        genai_prices.calc_price(genai_prices.Usage(input_tokens=1, output_tokens=1), model_ref="gpt-4o", provider_id="openai")
    except ImportError:
        log.info("prices that providers do not report stay unknown: the package genai-prices is not installed")
        return False
    except LookupError:
        return True  # another list than expected is a list
    return True


def _look_up(route: Route, usage: Usage) -> PriceCalculation | None:
    """The list's entry for the route; the four kinds of tokens have prices of their own (EST-2)."""
    from genai_prices import Usage as Tokens
    from genai_prices import calc_price

    tokens = Tokens(
        input_tokens=usage.prompt_tokens,
        output_tokens=usage.completion_tokens,
        cache_read_tokens=usage.cached_tokens,
        cache_write_tokens=usage.cache_write_tokens,
    )
    try:
        return calc_price(tokens, model_ref=route.model, provider_id=route.provider)
    except (LookupError, ValueError) as error:
        log.debug("no list price for %s: %s", route, error)
        return None

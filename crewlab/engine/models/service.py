"""The models of a crew: routes to chains, what is answering now, and everything closed at the end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from crewlab.engine.home.packages import PROVIDERS as PACKAGES
from crewlab.engine.home.packages import brought, left_out
from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import NoRoute, Provider
from crewlab.engine.models.catalogue import OPENAI_URL, PROVIDERS, Keys, Parts, Sleep, ollama_url, openai_url
from crewlab.engine.models.chain import Link, ProviderChain
from crewlab.engine.models.defaults import Defaults
from crewlab.engine.models.http import HttpPool, Limits
from crewlab.engine.models.local_files import ModelHome, default_route, find_model, is_ready, is_tiny
from crewlab.engine.models.prices import Prices
from crewlab.engine.texts import Texts

log = logging.getLogger(__name__)


class RouteSettings(Protocol):
    """What is read of the settings: the crew's routes, ``None`` or empty when nobody named any (PRV-14)."""

    @property
    def routes(self) -> Sequence[Route] | None: ...


@dataclass(frozen=True, slots=True)
class RouteStatus:
    """One route and whether it can be asked; ``why`` says what is missing, for people."""

    route: str
    ready: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """What answers now. ``mend`` says what to do when nothing does or only a small model does."""

    answering: str | None
    small: bool
    routes: list[RouteStatus] = field(default_factory=list)
    mend: str = ""


class Models:
    """Builds each provider once and chains of them per agent."""

    def __init__(
        self,
        settings: RouteSettings,
        keys: Keys,
        home: ModelHome,
        texts: Texts,
        *,
        limits: Limits | None = None,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._settings = settings
        self._keys = keys
        self._home = home
        self._texts = texts
        self._sleep = sleep
        self._pool = HttpPool(limits)
        self._providers: dict[str, Provider] = {}
        self._defaults = Defaults(keys, self._pool, lambda: default_route(home))
        self.prices = Prices(self._is_vendor)
        self._warned: set[str] = set()

    def provider(self, name: str) -> Provider:
        """The provider of that name, built on first use; raises ``KeyError``."""
        if name not in self._providers:
            parts = Parts(self._keys, self._home, self._texts, self._pool, self._sleep)
            self._providers[name] = PROVIDERS[name].build(parts)
        return self._providers[name]

    def plug(self, provider: Provider) -> None:
        """Serve ``provider.name`` by ``provider`` (tests, outside packages)."""
        self._providers[provider.name] = provider

    def take_outside(self) -> None:
        """Serve the providers of other installed packages (AGT-39): each is built from ``Parts`` and has the name of its entry point."""
        for name, build in brought(PACKAGES):
            if name in PROVIDERS:
                left_out(PACKAGES, name, "name taken")
                continue
            try:
                provider: Any = build(Parts(self._keys, self._home, self._texts, self._pool, self._sleep))
                fits = provider.name == name and callable(provider.stream) and isinstance(provider.small, bool)
            except Exception as error:  # noqa: BLE001 - code of another package
                left_out(PACKAGES, name, f"{type(error).__name__}: {error}")
                continue
            if not fits:
                left_out(PACKAGES, name, "no such provider")
                continue
            self.plug(provider)

    async def chain(self, agent_routes: Sequence[Route] | None = None) -> ProviderChain:
        """The chain of an agent; ``None`` means the crew's routes. Raises ``NoRoute``."""
        usable: list[Route] = []
        for route in await self._routes(agent_routes):
            status = self.status(route)
            if status.ready:
                usable.append(route)
            elif status.why not in self._warned:  # PRV-3
                self._warned.add(status.why)
                log.warning("%s", status.why)
        self.prices.warm(usable)
        if not usable:
            raise NoRoute(self._texts("models.no_route"))
        return ProviderChain(
            [Link(route, self.provider(route.provider)) for route in usable],
            self._texts,
            sleep=self._sleep,
            estimate=self.prices.estimate,
            window=self.prices.window,
        )

    def usable(self, routes: Sequence[Route]) -> bool:
        """Whether one of the routes could be asked now (VIS-3)."""
        return any(self.status(route).ready for route in routes)

    def _is_vendor(self, route: Route) -> bool:
        """Whether the vendor itself serves the route: another server under ``OPENAI_BASE_URL`` has prices of its own (EST-3)."""
        return route.provider != "openai" or openai_url(self._keys).rstrip("/") == OPENAI_URL

    async def _routes(self, agent_routes: Sequence[Route] | None) -> Sequence[Route]:
        return agent_routes or self._settings.routes or await self._defaults.routes()

    def follow(self, settings: RouteSettings) -> None:
        """Serve the routes of other settings from now on; a chain that is in use stays."""
        self._settings = settings
        self.forget()

    def forget(self) -> None:
        """Keys have changed: ask again who answers, and warn again of what is missing (CHN-47)."""
        self._defaults.forget()
        self._warned.clear()

    def ready(self, route: Route) -> bool:
        """Whether the route could be asked now."""
        return self.status(route).ready

    def knows(self, provider: str) -> bool:
        """Whether there is a provider of that name."""
        return provider in PROVIDERS or provider in self._providers

    def is_outside(self, provider: str) -> bool:
        """Whether another package serves it."""
        return provider in self._providers and provider not in PROVIDERS

    def status(self, route: Route, keys: Keys | None = None) -> RouteStatus:
        """Whether the route could be asked, with the keys there are or with others."""
        spec = PROVIDERS.get(route.provider)
        if not self.knows(route.provider):
            known = ", ".join((*PROVIDERS, *(name for name in self._providers if name not in PROVIDERS)))
            return RouteStatus(str(route), False, self._texts("models.unknown_provider", route=route, known=known))
        if spec is not None and spec.key is not None and not (keys or self._keys).get(spec.key):
            return RouteStatus(str(route), False, self._texts("models.no_key", route=route, variable=spec.key))
        if route.provider == "local" and not is_ready(self._home, route.model):
            return RouteStatus(str(route), False, self._texts("models.local_missing", route=route))
        return RouteStatus(str(route), True)

    async def away(self, provider: str) -> str:
        """Why a provider that needs no key does not answer now, for people; empty when it does, and for every other one."""
        if provider != "ollama" or await self._defaults.ollama_answers():
            return ""
        return self._texts("models.ollama_away", url=ollama_url(self._keys))

    async def describe(self, agent_routes: Sequence[Route] | None = None) -> ModelStatus:
        """What would answer now, without asking it anything."""
        routes = await self._routes(agent_routes)
        statuses = [self.status(route) for route in routes]
        answering = next((route for route, status in zip(routes, statuses, strict=True) if status.ready), None)
        if answering is None:
            return ModelStatus(None, False, statuses, self._texts("models.mend_none"))
        small = self._is_demonstration(answering)
        return ModelStatus(str(answering), small, statuses, self._texts("models.mend_small") if small else "")

    def _is_demonstration(self, route: Route) -> bool:
        """Whether the route is a model to try crewlab with, not to work with."""
        model = find_model(self._home, route.model) if route.provider == "local" else None
        return is_tiny(model) if model is not None else self.provider(route.provider).small

    async def close(self) -> None:
        """Stop the local model and close every connection."""
        for name, provider in self._providers.items():
            try:
                await provider.close()
            except Exception:  # one of another package must not keep the rest open
                log.exception("the provider %s could not be closed", name)
        await self.prices.close()
        await self._pool.close()

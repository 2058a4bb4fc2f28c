"""Side calls: model calls outside the turn loop, each with its purpose and its row in the ledger (COST-8 to COST-12).

Knows nothing of the store: whoever builds a ``MeteredChain`` gives it a recorder.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, field

from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import ChatRequest, Completion, Usage
from crewlab.engine.models.chain import ProviderChain
from crewlab.engine.records import Purpose


@dataclass(frozen=True, slots=True)
class SideCall:
    """One side call in numbers, never a prompt or an answer (COST-8). ``cost_usd`` ``None``: unknown."""

    purpose: Purpose
    route: Route
    cost_usd: float | None = None
    cost_estimated: bool = False
    usage: Usage = field(default_factory=Usage)


Recorder = Callable[[SideCall], None]


class MeteredChain:
    """A chain whose every call is recorded: answered ones with their price, abandoned ones without (PRV-11).

    ``calls`` are the calls so far, for whoever charges them to a run and a conversation (COST-4).
    A call that failed before its first piece costs nothing and is not recorded (COST-3).
    """

    def __init__(self, chain: ProviderChain, record: Recorder) -> None:
        self._chain = chain
        self._record = record
        self.calls: list[SideCall] = []

    @property
    def chain(self) -> ProviderChain:
        """The chain that answers: the agent's own routes, with the same retry and fallback (COST-12)."""
        return self._chain

    def only_first(self) -> MeteredChain:
        """The same ledger on the first route alone (a script's calls, COST-12)."""
        return MeteredChain(self._chain.only_first(), self._record)

    async def ask(self, purpose: Purpose, request: ChatRequest) -> Completion:
        """One whole answer; nothing of it is shown anywhere (COST-12).

        A caller may bound it with ``asyncio.timeout``: what had begun by then is recorded with an
        unknown price. Raises ``RoutesFailed`` and ``StreamBroken``.
        """
        completion: Completion | None = None

        def abandoned(route: Route) -> None:
            self._note(SideCall(purpose, route))

        async with aclosing(self._chain.stream(request, abandoned=abandoned)) as items:
            async for item in items:
                if isinstance(item, Completion):
                    completion = item
                    route = Route(item.provider, item.model)
                    self._note(SideCall(purpose, route, item.cost_usd, item.cost_estimated, item.usage))
        if completion is None:
            raise RuntimeError("a provider chain ended without a completion")
        return completion

    def _note(self, call: SideCall) -> None:
        self.calls.append(call)
        self._record(call)

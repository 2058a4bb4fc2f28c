"""Side calls of a crew: metered chains that write the ledger, and what they have cost (COST-4, COST-8, COST-11)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING

from crewlab.engine.agents.agent import Agent
from crewlab.engine.models.base import ChatMessage, ChatRequest
from crewlab.engine.models.chain import ProviderChain
from crewlab.engine.models.metered import MeteredChain, SideCall
from crewlab.engine.records import Purpose
from crewlab.engine.store.conversations import Charge

if TYPE_CHECKING:
    from crewlab.engine.turn.turn import Parts


async def side_chain(
    parts: Parts,
    agent: Agent,
    conversation_id: str | None,
    source: Callable[[], Awaitable[ProviderChain]] | None = None,
    paid: Callable[[SideCall], None] | None = None,
) -> MeteredChain:
    """A metered chain on the agent's own routes (COST-12), or of ``source``. Raises ``NoRoute``.

    ``conversation_id`` ``None``: outside any conversation (COST-11). ``paid`` is called in the commit of each call's row in
    the ledger, so that whoever pays is charged in the same (DB-9).
    """
    chain = await source() if source is not None else await parts.models.chain(agent.routes)

    def record(call: SideCall) -> None:
        usage = call.usage
        with parts.store.transaction():
            parts.store.side_calls.insert(
                agent.id,
                conversation_id,
                call.purpose,
                (call.route.provider, call.route.model),
                call.cost_usd,
                (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens, usage.reasoning_tokens),
                parts.now(),
                estimated=call.cost_estimated,
            )
            if paid is not None:
                paid(call)

    return MeteredChain(chain, record)


def charge_of(calls: Iterable[SideCall]) -> Charge:
    """What the calls add to a run and a conversation; unknown prices are counted apart (COST-4)."""
    total = Charge()
    for call in calls:
        known = call.cost_usd is not None
        total += Charge(call.cost_usd or 0.0, unknown=int(not known), estimated=int(known and call.cost_estimated))
    return total


class Side:
    """What a tool asks models through (``SideModel`` of the tools' contract)."""

    def __init__(self, parts: Parts, agent: Agent, conversation_id: str | None) -> None:
        self._parts = parts
        self._agent = agent
        self._conversation_id = conversation_id

    async def ask(self, purpose: Purpose, system: str, text: str) -> tuple[str, Charge]:
        """The answer to one question, and what it cost with everything that was tried for it."""
        chain = await side_chain(self._parts, self._agent, self._conversation_id)
        completion = await chain.ask(purpose, ChatRequest(system, (ChatMessage("user", text),)))
        return completion.text, charge_of(chain.calls)

"""The usage ledger (COST-20)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from crewlab.server_ext.api.usage import UsageAgent, UsageDay, UsageModel, UsagePurpose, UsageStats, UsageSums

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew


async def stats(crew: Crew) -> UsageStats:
    """What model calls have cost: by day, model, purpose and agent."""
    found = await crew.stats.read()
    return UsageStats(
        days=[UsageDay(day=day, **asdict(sums)) for day, sums in found.days],
        models=[UsageModel(provider=provider, model=model, **asdict(sums)) for (provider, model), sums in found.models],
        purposes=[UsagePurpose(purpose=purpose, **asdict(sums)) for purpose, sums in found.purposes],
        agents=[UsageAgent(agent_id=agent_id, **asdict(sums)) for agent_id, sums in found.agents],
        totals=UsageSums(**asdict(found.totals)),
    )

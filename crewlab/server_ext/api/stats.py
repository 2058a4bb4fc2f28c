"""The usage ledger (COST-20)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from crewlab.server_ext.api.usage import (
    UsageAgent,
    UsageDay,
    UsageModel,
    UsagePart,
    UsageParts,
    UsagePeriod,
    UsagePurpose,
    UsageStats,
    UsageSums,
)

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


async def parts(crew: Crew, query: UsagePeriod) -> UsageParts:
    """The ledger of a period by agent, model, purpose and day or month (USE-1)."""
    found = await crew.stats.parts(query.period)
    spans = [*found.spans, None]  # a row from before the first span has the place -1
    rows = [{**asdict(row), "span": spans[row.day]} for row in found.rows]
    return UsageParts(
        period=query.period,
        spans=found.spans,
        parts=[UsagePart(**{name: row[name] for name in UsagePart.model_fields}) for row in rows],
    )

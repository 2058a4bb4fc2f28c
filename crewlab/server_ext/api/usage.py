"""The usage ledger as the API gives it (COST-20)."""

from __future__ import annotations

from typing import Literal

from crewlab.engine.records import Record


class UsageSums(Record):
    """Sums over model calls: ``unknown`` of them have no known price, ``estimated`` of the others an estimate (COST-20, EST-4)."""

    cost_usd: float
    unknown: int
    estimated: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int
    reasoning_tokens: int


class UsageDay(UsageSums):
    """One of the last seven days in the person's zone."""

    day: str


class UsageModel(UsageSums):
    """One model of one provider."""

    provider: str
    model: str


class UsagePurpose(UsageSums):
    """What the calls were for: ``turn``, or a purpose of side calls (COST-9)."""

    purpose: str


class UsageAgent(UsageSums):
    """One agent."""

    agent_id: str


class UsageStats(Record):
    """The usage ledger (COST-20)."""

    days: list[UsageDay]
    models: list[UsageModel]
    purposes: list[UsagePurpose]
    agents: list[UsageAgent]
    totals: UsageSums


class UsagePeriod(Record):
    """Which period: the last seven days, the last thirty, or everything by months (USE-1)."""

    period: Literal["week", "month", "all"] = "week"


class UsagePart(UsageSums):
    """The calls of one agent, model and purpose in one span; ``span`` null: before the first (USE-1)."""

    span: str | None
    agent_id: str
    provider: str
    model: str
    purpose: str


class UsageParts(Record):
    """The ledger of a period in parts that can be summed by any of their names; ``spans`` are days or months, oldest first (USE-1)."""

    period: Literal["week", "month", "all"]
    spans: list[str]
    parts: list[UsagePart]

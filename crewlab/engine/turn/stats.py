"""The usage ledger as it is shown: days, models, purposes, agents and their totals (COST-20 to COST-22)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Literal, TypeVar

from crewlab.engine.clock import Clock, iso
from crewlab.engine.store.ledger import Ledger, LedgerRow

DAYS = 7  # COST-21
MONTH_DAYS = 30  # USE-1
MONTHS = 12  # USE-1

Period = Literal["week", "month", "all"]

K = TypeVar("K", str, tuple[str, str])


@dataclass(slots=True)
class Usage:
    """Sums of calls. ``unknown`` counts those without a known price, ``estimated`` the estimates among the known ones."""

    cost_usd: float = 0.0
    unknown: int = 0
    estimated: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0

    def add(self, row: LedgerRow) -> None:
        """Take the sums of one row."""
        self.cost_usd += row.cost_usd
        self.unknown += row.unknown
        self.estimated += row.estimated
        self.calls += row.calls
        self.prompt_tokens += row.prompt_tokens
        self.completion_tokens += row.completion_tokens
        self.cached_tokens += row.cached_tokens
        self.reasoning_tokens += row.reasoning_tokens


@dataclass(frozen=True, slots=True)
class UsageStats:
    """The whole answer. Days are in the person's zone, oldest first; the other lists have the dearest first."""

    days: list[tuple[str, Usage]] = field(default_factory=list)
    models: list[tuple[tuple[str, str], Usage]] = field(default_factory=list)
    purposes: list[tuple[str, Usage]] = field(default_factory=list)
    agents: list[tuple[str, Usage]] = field(default_factory=list)
    totals: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class UsageParts:
    """The ledger of a period, parted by agent, model, purpose and span; ``day`` of a row is a place among the ``spans`` (USE-1)."""

    spans: list[str]
    rows: list[LedgerRow]


class Stats:
    """Computes the ledger in a worker thread and keeps the last answer while nothing was written (COST-22)."""

    def __init__(self, ledger: Ledger, clock: Clock, zone: tzinfo) -> None:
        self._ledger = ledger
        self._clock = clock
        self._zone = zone
        self._lock = asyncio.Lock()
        self._kept: tuple[tuple[int, date], UsageStats] | None = None
        self._parts: dict[Period, tuple[tuple[int, date], UsageParts]] = {}
        self.computed = 0

    async def read(self) -> UsageStats:
        """The ledger as it stands."""
        async with self._lock:
            days = last_days(self._clock.now().astimezone(self._zone).date())
            key = (self._ledger.writes, days[-1])
            if self._kept is None or self._kept[0] != key:
                starts = [iso(datetime.combine(day, time(), self._zone)) for day in days]
                rows = await asyncio.to_thread(self._ledger.sums, starts)
                self.computed += 1
                self._kept = (key, fold(days, rows))
            return self._kept[1]

    async def parts(self, period: Period) -> UsageParts:
        """The ledger of a period, parted (USE-1); kept like the whole one (COST-22)."""
        async with self._lock:
            spans = spans_of(period, self._clock.now().astimezone(self._zone).date())
            key = (self._ledger.writes, spans[-1][1])
            kept = self._parts.get(period)
            if kept is None or kept[0] != key:
                starts = [iso(datetime.combine(day, time(), self._zone)) for _, day in spans]
                rows = await asyncio.to_thread(self._ledger.sums, starts, before=period == "all")
                self.computed += 1
                kept = (key, UsageParts([name for name, _ in spans], rows))
                self._parts[period] = kept
            return kept[1]


def last_days(today: date, days: int = DAYS) -> list[date]:
    """The last seven days, today the last (COST-21)."""
    return [today - timedelta(days=back) for back in reversed(range(days))]


def spans_of(period: Period, today: date) -> list[tuple[str, date]]:
    """The spans of a period with the day each begins, oldest first: days, or calendar months for ``all`` (USE-1)."""
    if period != "all":
        return [(day.isoformat(), day) for day in last_days(today, DAYS if period == "week" else MONTH_DAYS)]
    place = today.year * 12 + today.month - 1
    months = [date(month // 12, month % 12 + 1, 1) for month in range(place - MONTHS + 1, place + 1)]
    return [(f"{month:%Y-%m}", month) for month in months]


def fold(days: Sequence[date], rows: Sequence[LedgerRow]) -> UsageStats:
    """Sums by day, model, purpose and agent. Calls before the first day count everywhere but in the days."""
    totals = Usage()
    for row in rows:
        totals.add(row)
    by_day = {day.isoformat(): Usage() for day in days}
    for row in rows:
        if row.day >= 0:
            by_day[days[row.day].isoformat()].add(row)
    return UsageStats(
        days=list(by_day.items()),
        models=_grouped(rows, lambda row: (row.provider, row.model)),
        purposes=_grouped(rows, lambda row: row.purpose),
        agents=_grouped(rows, lambda row: row.agent_id),
        totals=totals,
    )


def _grouped(rows: Sequence[LedgerRow], key: Callable[[LedgerRow], K]) -> list[tuple[K, Usage]]:
    found: dict[K, Usage] = {}
    for row in rows:
        found.setdefault(key(row), Usage()).add(row)
    return sorted(found.items(), key=lambda one: (-one[1].cost_usd, -one[1].calls, one[0]))

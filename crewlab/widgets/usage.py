"""The parts of the usage ledger, and sums over them (USE-1, UI-83). Pure, but for reading them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from crewlab.notebook.http import Http

Json = dict[str, Any]

PERIODS = ("week", "month", "all")
SUMS = ("cost_usd", "unknown", "estimated", "calls")


async def read_parts(http: Http, period: str) -> Json:
    """The ledger of a period in parts."""
    return await http.json("GET", "/stats/parts", params={"period": period})


def sums_by(parts: Iterable[Mapping[str, Any]], name: str) -> dict[str, Json]:
    """What was spent by each value of ``name``: unknown prices stand as a count beside the sum."""
    found: dict[str, Json] = {}
    for part in parts:
        sums = found.setdefault(str(part[name] or ""), dict.fromkeys(SUMS, 0))
        for field in SUMS:
            sums[field] += part[field]
    return found

"""``CostChart``: what model calls have cost, by day, agent, model and purpose (UI-83)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crewlab.notebook import html
from crewlab.notebook.client import Crew
from crewlab.notebook.errors import CrewError
from crewlab.notebook.http import Http
from crewlab.notebook.money import price
from crewlab.notebook.words import say
from crewlab.widgets.approvals import name_agents
from crewlab.widgets.live import Action, LiveWidget, front_end
from crewlab.widgets.usage import PERIODS, read_parts, sums_by
from crewlab.widgets.wire import Json


class CostChart(LiveWidget):
    """Columns by day or month, parted by agent, model or purpose. Unknown prices are counted, never taken for 0 (UI-83).

    ``period`` is ``week``, ``month`` or ``all``; the page can choose another.
    """

    _esm = front_end("costs.js")
    _css = front_end("costs.css")

    def __init__(self, period: str = "week", *, crew: Crew | None = None) -> None:
        if period not in PERIODS:
            raise CrewError("invalid", 0, say("bad_period", value=period, known=", ".join(PERIODS)))
        self._period = period
        self._ledger: Json = {"period": period, "spans": [], "parts": []}
        self._agents: list[Json] = []
        super().__init__(crew)

    async def read(self, http: Http) -> None:
        """Reads the ledger of the period."""
        self._agents = await name_agents(http)
        self._ledger = await read_parts(http, self._period)

    def take(self, frame: Mapping[str, Any]) -> bool:
        """A run that ends has cost something; what the calls beside it cost shows with the change of its conversation."""
        kind = frame.get("type")
        return kind in ("snapshot", "conversation") or (kind == "run" and frame["run"]["status"] not in ("running", "waiting"))

    def contents(self) -> Json:
        """The ledger, and the names of the agents in it."""
        return {"ledger": self._ledger, "agents": self._agents}

    def actions(self) -> Mapping[str, Action]:
        """Another period."""
        return {"period": self._show}

    async def _show(self, http: Http, content: Mapping[str, Any]) -> None:
        if content["period"] not in PERIODS:
            raise ValueError(content["period"])
        self._period = content["period"]
        await self._read(http)

    def plain(self) -> str:
        """The days or months as a table."""
        if self._fault:
            return self._fault
        sums = sums_by(self._ledger["parts"], "span")
        rows = [{"span": span, **sums[span], "cost_usd": price(sums[span]["cost_usd"])} for span in sorted(sums)]
        return html.plain(rows, ("span", "cost_usd", "unknown", "calls"))

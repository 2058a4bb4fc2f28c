"""The routes of the copy for questions (ANL-6)."""

from __future__ import annotations

from crewlab.server_ext.api import analytics
from crewlab.server_ext.routing import Route

ANALYTICS_ROUTES: tuple[Route, ...] = (
    Route("GET", "analytics", analytics.read, analytics.AnalyticsState, ids=("ANL-6",)),
    Route("POST", "analytics/refresh", analytics.refresh, analytics.AnalyticsState, ids=("ANL-6",)),
    Route(
        "GET",
        "analytics/snapshot",
        analytics.snapshot,
        None,
        files=("application/octet-stream",),
        errors=("404 not_found",),
        ids=("ANL-6",),
    ),
)

"""What would break by a change of keys: written routes that could be asked before and could not be asked after (CHN-47)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from crewlab.engine.agents.roster import Roster
from crewlab.engine.home.routes import Route
from crewlab.engine.home.settings import Settings

Ready = Callable[[Route], bool]
ROUTE_LISTS = ("routes", "vision_routes", "audio_routes", "embedding_routes", "vibe_fast_routes", "vibe_good_routes")  # register A
AGENT_LISTS = ("routes", "vibe_fast_routes", "vibe_good_routes")  # register B


def written_routes(settings: Settings, roster: Roster) -> Iterator[tuple[str, Route]]:
    """Every route somebody has written, with the place: ``routes`` of the crew, ``<agent>: routes``. Defaults are nobody's word."""
    for key in ROUTE_LISTS:
        if key in settings.declared:
            yield from ((key, route) for route in getattr(settings, key))
    for agent in roster.all():
        for key in AGENT_LISTS:
            yield from ((f"{agent.id}: {key}", route) for route in getattr(agent.profile, key) or ())
        if agent.profile.escalation_route is not None:
            yield f"{agent.id}: escalation_route", agent.profile.escalation_route


def lost_routes(settings: Settings, roster: Roster, before: Ready, after: Ready) -> list[str]:
    """The written routes that would be lost, each as ``route (place)``."""
    lost = [f"{route} ({place})" for place, route in written_routes(settings, roster) if before(route) and not after(route)]
    return list(dict.fromkeys(lost))

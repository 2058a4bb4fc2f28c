"""One place where a running crew becomes another: built first, judged, then written, then swapped (AGT-38, CHN-47)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from crewlab.engine.activity_events import ToolsFrame
from crewlab.engine.agents.profiles import Profiles
from crewlab.engine.agents.roster import Roster, build_roster
from crewlab.engine.change.judge import lost_routes
from crewlab.engine.errors import Conflict, Invalid, StartupStop, Unavailable
from crewlab.engine.home.layout import Home
from crewlab.engine.home.routes import Route
from crewlab.engine.home.settings import Settings
from crewlab.engine.models.catalogue import Keys
from crewlab.engine.models.service import Models
from crewlab.engine.texts import Texts
from crewlab.engine.turn.watch import ActivityHub

Write = Callable[[], None]
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Draft:
    """A crew that is not there yet; what is ``None`` stays as it is. ``keys`` are the keys as they would be."""

    settings: Settings | None = None
    profiles: Profiles | None = None
    keys: Keys | None = None


@dataclass(frozen=True, slots=True)
class Changed:
    """What the followers are told after the swap. ``removed`` are the ids that are agents no longer."""

    before: Roster
    removed: frozenset[str]
    keys: bool


Follower = Callable[[Changed], Awaitable[None]]


class Rebuilding:
    """Holds the settings in force. ``followers`` are told after every change, in their order."""

    def __init__(
        self, home: Home, environ: Mapping[str, str], texts: Texts, settings: Settings, roster: Roster, models: Models, hub: ActivityHub
    ) -> None:
        self.home = home
        self.environ = environ
        self.texts = texts
        self.settings = settings
        self.roster = roster
        self.models = models
        self._hub = hub
        self.turn = asyncio.Lock()
        """Held by whoever changes the crew, from reading to the end of the swap: one change at a time."""
        self.on_settings: list[Callable[[Settings], None]] = [models.follow]
        self.followers: list[Follower] = []

    async def rebuild(self, draft: Draft, write: Write) -> None:
        """Make the crew of ``draft`` the running one; ``write`` puts it on disk, in a thread.

        Raises ``Invalid`` when the crew cannot be built, ``Conflict`` (``would_break``, with ``breaks``) when a route would
        lose what it needs, ``Unavailable`` when nothing could be written; then neither the files nor the crew have changed.
        Whoever calls holds ``turn``.
        """
        settings = draft.settings or self.settings
        profiles = draft.profiles or self.roster.profiles
        try:
            roster = build_roster(profiles, self.home, settings, self.texts)
        except StartupStop as stop:
            raise as_invalid(stop) from stop
        if draft.keys is not None:
            self._judge(settings, roster, draft.keys)
        finishing = asyncio.ensure_future(self._finish(settings, roster, draft, write))
        try:
            await asyncio.shield(finishing)
        except asyncio.CancelledError:  # a request that went away must not leave the file without the swap, nor let the next one in between
            await asyncio.wait({finishing})
            raise

    def _judge(self, settings: Settings, roster: Roster, keys: Keys) -> None:
        def ready_then(route: Route) -> bool:
            return self.models.status(route, keys).ready

        lost = lost_routes(settings, roster, self.models.ready, ready_then)
        if lost:
            raise Conflict(self.texts("change.would_break", routes=", ".join(lost)), code="would_break", breaks=lost)

    async def _finish(self, settings: Settings, roster: Roster, draft: Draft, write: Write) -> None:
        try:
            await asyncio.to_thread(write)
        except OSError as error:
            raise Unavailable(self.texts("change.not_written", error=error.strerror or type(error).__name__)) from error
        before = Roster(self.roster.all(), self.texts)
        self.settings = settings
        for follow in self.on_settings:
            follow(settings)
        self.roster.become(roster)
        gone = frozenset(agent.id for agent in before.all() if not roster.knows(agent.id))
        self._hub.announce(ToolsFrame())  # TURN-93
        for follower in self.followers:
            try:
                await follower(Changed(before, gone, draft.keys is not None))
            except Exception:  # the change is saved and in force: one part that stumbles must not call it failed
                log.exception("a part of the crew could not follow a change")


def as_invalid(stop: StartupStop) -> Invalid:
    """What would stop startup is, through the API, a field to correct (AGT-18)."""
    key = stop.fields.get("key")
    field = str(key).partition(".")[0].partition("[")[0] if key else "body"
    return Invalid(stop.message, field=field)

"""The composition root: builds every part of a crew from its home. Reads as a table of contents."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from datetime import datetime, tzinfo
from zoneinfo import ZoneInfo

from crewlab.engine.agents.roster import Roster, load_roster
from crewlab.engine.channels.inbound import Inbound
from crewlab.engine.channels.reach import Reach
from crewlab.engine.channels.telegram.service import TelegramChannel
from crewlab.engine.clock import Clock, SystemClock
from crewlab.engine.errors import StartupStop, StoreWriteFailed
from crewlab.engine.home.keys import KeyRing
from crewlab.engine.home.language import language_of, language_of_environment
from crewlab.engine.home.layout import Home
from crewlab.engine.home.lock import HomeLock
from crewlab.engine.home.settings import Settings, load_settings
from crewlab.engine.jobs.commands import commands
from crewlab.engine.jobs.consolidate import Consolidation
from crewlab.engine.jobs.running import Runner, Workers
from crewlab.engine.jobs.scheduler import Scheduler
from crewlab.engine.models.service import Models
from crewlab.engine.net.guard import Guard
from crewlab.engine.shell import Shell, shell_family
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from crewlab.engine.tools.catalogue import SMALL_FAMILIES, AgentTools
from crewlab.engine.tools.family import Family, FamilyParts, Person
from crewlab.engine.turn.books import Books
from crewlab.engine.turn.conversations import Conversations
from crewlab.engine.turn.decisions import Decisions
from crewlab.engine.turn.exports import Exports
from crewlab.engine.turn.forks import Forks
from crewlab.engine.turn.host import TurnHost
from crewlab.engine.turn.prompts import Prompts
from crewlab.engine.turn.remembering import Remembering
from crewlab.engine.turn.resume import close_cut_runs, reopen, resume_cut_turns, write_late
from crewlab.engine.turn.runs import Runs
from crewlab.engine.turn.stats import Stats
from crewlab.engine.turn.turn import ChainSource, Parts
from crewlab.engine.turn.watch import ActivityHub, TurnWatch

log = logging.getLogger(__name__)

FAMILIES: tuple[Family, ...] = (*SMALL_FAMILIES, shell_family)
"""Every family of tools; the large ones are known here alone."""


class Crew:
    """A running crew. Faces use its parts; ``start`` and ``stop`` bracket its life."""

    def __init__(
        self,
        home: Home,
        settings: Settings,
        texts: Texts,
        keys: KeyRing,
        lock: HomeLock,
        parts: Parts,
        models: Models,
        remembering: Remembering,
        environ: Mapping[str, str],
        shell: Shell,
    ) -> None:
        self.home = home
        self.settings = settings
        self.texts = texts
        self.keys = keys
        self.models = models
        self.sandbox = shell.sandbox
        self.store = parts.store
        self.roster: Roster = parts.roster
        self.watch = parts.watch
        self.hub = parts.hub
        self.toolbox = parts.toolbox
        self.host = TurnHost(parts, lambda conversation_id: self.conversations.summary(conversation_id))
        self.conversations = Conversations(parts, lambda: self.host)
        self.inbound = Inbound(parts, self.host, self.conversations)
        self.approvals = Decisions(parts, self.host)
        self.runs = Runs(parts)
        self.stats = Stats(parts.store.ledger, parts.clock, parts.zone)
        self.forks = Forks(parts, self.conversations)
        self.remembering = remembering
        self.search = remembering.search
        self.memory = remembering.desk
        self.proposals = remembering.proposals
        self.consolidation = Consolidation(parts, remembering)
        self.exports = Exports(parts, self.runs.get, keys.secret_values)
        self.prompts = Prompts(parts, remembering.opening.preview)
        self._parts = parts
        workers = Workers(command=commands(shell.job), consolidate=self.consolidation.job)
        self.jobs = Scheduler(parts, Runner(parts, self.host, self.conversations, workers))
        reach = Reach(parts, keys, self.inbound, self.host, self.conversations, self.approvals, self.jobs, self.stats)
        self.telegram = TelegramChannel(reach, environ)
        self.jobs.on_told = self.telegram.job_told
        self._lock = lock
        self.books = Books(parts, self.host.busy, self.conversations.changed)
        self._ticks: list[asyncio.Task[None]] = []
        remembering.begin(parts)
        self.books.also.append(remembering.links.sweep)
        self.host.on_ended = self._turn_ended
        self.conversations.on_opened = self.books.opened

    def _turn_ended(self, conversation_id: str) -> None:
        self.conversations.announce(conversation_id)
        self.jobs.turn_ended(conversation_id)
        self.telegram.turn_ended(conversation_id)
        self.books.turn_ended(conversation_id)

    @property
    def zone_name(self) -> str:
        """The zone whose clock schedules and dates follow (JOB-15)."""
        return self.settings.timezone or str(self._parts.zone)

    async def start(self, *, schedule: bool = True) -> None:
        """Close what the last process left; with ``schedule`` also continue cut turns and drain queues (RES-3, QUE-13).

        Raises ``StartupStop`` when the store cannot be written; then the home is free again.
        """
        try:
            kept = reopen(self._parts) if schedule else close_cut_runs(self._parts)
        except StoreWriteFailed as error:
            await self.stop()
            raise StartupStop(self.texts("store.unwritable", file=self.home.db_file, error=error.message)) from error
        self.sandbox.start()
        self._ticks = [asyncio.create_task(self.approvals.sweep_for_ever(), name="crewlab approvals sweep")]
        self.remembering.start()
        if not schedule:  # RES-14, QUE-14
            return
        self._ticks += [
            asyncio.create_task(self.books.sweep_for_ever(), name="crewlab idle conversations"),
            asyncio.create_task(self.jobs.tick_for_ever(), name="crewlab scheduler"),
        ]
        continued = resume_cut_turns(self._parts, self.host, kept)
        if continued:
            log.info("continued %d turn(s) that the last process left", continued)
        for conversation_id in self.store.queue.conversations():
            self.host.drain(conversation_id)
        await self.telegram.start()

    async def stop(self) -> None:
        """Go down in the order of RES-15; a second call does nothing."""
        if self.hub.going_down:
            return
        self.hub.going_down = True
        for tick in self._ticks:
            tick.cancel()
        await self.jobs.close()
        await self.telegram.stop()
        await self.host.close()
        await self.books.close()
        await self.remembering.close()
        self.watch.close()
        self.hub.close()
        await self.models.close()
        await self.sandbox.close()
        try:
            write_late(self._parts)
        except StoreWriteFailed as error:
            log.error("%d run(s) could not be closed in the store: %s", len(self.hub.unwritten), error.message)
        self.store.close()
        self._lock.release()


def _zone(settings: Settings) -> tzinfo:
    """The person's zone: the set one, else the machine's."""
    return ZoneInfo(settings.timezone) if settings.timezone else datetime.now().astimezone().tzinfo or ZoneInfo("UTC")


async def open_crew(
    home: Home,
    *,
    environ: Mapping[str, str],
    clock: Clock | None = None,
    chains: ChainSource | None = None,
    net: Guard | None = None,
    person: Person | None = None,
) -> Crew:
    """Build the crew of a home; the lock is taken before anything is read (DB-10, DB-12).

    ``chains`` replaces the provider chains, ``net`` the way to the network (tests, benchmarks). ``person`` comes from a face
    whose requests can be answered, and says whether they can be now (ASKU-5). Raises ``StartupStop``.
    """
    clock = clock or SystemClock()
    spoken = Texts(language_of_environment(environ) or "en")  # nothing of a held home may be read, its language neither
    lock = HomeLock(home, spoken)
    lock.acquire()
    try:
        home.ensure(spoken)
        settings = load_settings(home, environ, Texts(language_of(home, environ) or "en"))
        texts = Texts(settings.language)
        roster = load_roster(home, settings, texts)
        keys = KeyRing(home, environ)
        models = Models(settings, keys, home, texts)
        store = Store(home.db_file, texts)
    except BaseException:
        lock.release()
        raise
    conversations: list[Conversations] = []
    watch = TurnWatch(lambda conversation_id: conversations[0].fresh(conversation_id))
    hub = ActivityHub(store.approvals.count_pending)
    zone = _zone(settings)
    shell = Shell.build(home, settings, environ, texts)

    def sees() -> bool:
        return models.usable(settings.vision_routes)

    remembering = Remembering(home, store, roster, texts, clock, zone)
    family_parts = FamilyParts(
        home=home,
        settings=settings,
        keys=keys,
        store=store,
        roster=roster,
        texts=texts,
        clock=clock,
        zone=zone,
        sandbox=shell.sandbox,
        environ=environ,
        publish=watch.publish,
        announce=hub.announce,
        skill_names=remembering.skills.names,
        sees=sees,
        net=net or Guard(),
        remembered=remembering.tools,
        person=person,
    )
    parts = Parts(
        home=home,
        store=store,
        roster=roster,
        models=chains or models,
        toolbox=AgentTools(FAMILIES, family_parts),
        texts=texts,
        clock=clock,
        watch=watch,
        hub=hub,
        zone=zone,
        closed=home.reserved(None),
        sections=(remembering.sections.skills, remembering.sections.facts, remembering.sections.memory),
        openings=(remembering.opening.part,),
        sees=sees,
        vision=lambda: models.chain(settings.vision_routes),
    )
    crew = Crew(home, settings, texts, keys, lock, parts, models, remembering, environ, shell)
    conversations.append(crew.conversations)
    return crew

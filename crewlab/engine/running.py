"""A running crew: its parts, how it starts and how it goes down. ``crew.py`` builds it."""

from __future__ import annotations

import asyncio
import logging

from crewlab.engine.agents.roster import Roster
from crewlab.engine.analytics.service import Analytics
from crewlab.engine.canvas.service import Canvases
from crewlab.engine.change.agents import AgentDesk
from crewlab.engine.change.connections import ConnectionDesk
from crewlab.engine.change.person import PersonLines
from crewlab.engine.change.persona import PersonaDesk
from crewlab.engine.change.rebuild import Changed, Rebuilding
from crewlab.engine.channels.inbound import Inbound
from crewlab.engine.channels.outside import OutsideChannels
from crewlab.engine.channels.reach import Reach
from crewlab.engine.channels.telegram.service import TelegramChannel
from crewlab.engine.errors import StartupStop, StoreWriteFailed
from crewlab.engine.home.settings import Settings
from crewlab.engine.home.zones import machine_zone
from crewlab.engine.jobs.commands import commands
from crewlab.engine.jobs.consolidate import Consolidation
from crewlab.engine.jobs.running import Runner, Workers
from crewlab.engine.jobs.scheduler import Scheduler
from crewlab.engine.jobs.scripts import scripts as script_jobs
from crewlab.engine.jobs.scripts import warn_of
from crewlab.engine.script.shelf import ScriptShelf
from crewlab.engine.script.tool import Scripts
from crewlab.engine.shell import Shell
from crewlab.engine.tools.catalogue import AgentTools
from crewlab.engine.turn.attachments import Attached
from crewlab.engine.turn.books import Books
from crewlab.engine.turn.children import Children
from crewlab.engine.turn.conversations import Conversations
from crewlab.engine.turn.decisions import Decisions
from crewlab.engine.turn.exports import Exports
from crewlab.engine.turn.forks import Forks
from crewlab.engine.turn.ground import Ground
from crewlab.engine.turn.host import TurnHost
from crewlab.engine.turn.prompts import Prompts
from crewlab.engine.turn.remembering import Remembering
from crewlab.engine.turn.resume import close_cut_runs, reopen, resume_cut_turns, write_late
from crewlab.engine.turn.runs import Runs
from crewlab.engine.turn.stats import Stats
from crewlab.engine.turn.turn import Parts

TICK_SECONDS = 5.0  # what goes on beside the turns ends at once; nothing waits longer for it

log = logging.getLogger(__name__)


class Crew:
    """A running crew. Faces use its parts; ``start`` and ``stop`` bracket its life."""

    def __init__(
        self,
        ground: Ground,
        parts: Parts,
        toolbox: AgentTools,
        rebuilding: Rebuilding,
        remembering: Remembering,
        children: Children,
        canvases: Canvases,
        shell: Shell,
        scripts: Scripts,
    ) -> None:
        self.home = ground.home
        self.texts = ground.texts
        self.keys = keys = ground.keys
        self.models = ground.models
        self.sandbox = shell.sandbox
        self.store = parts.store
        self.roster: Roster = parts.roster
        self.watch = parts.watch
        self.hub = parts.hub
        self.toolbox = toolbox
        self.host = TurnHost(parts, lambda conversation_id: self.conversations.summary(conversation_id))
        self.conversations = Conversations(parts, lambda: self.host)
        self.children = children.attach(parts, self.host)
        self.attached = Attached(parts)
        self.inbound = Inbound(parts, self.host, self.conversations)
        self.approvals = Decisions(parts, self.host)
        self.runs = Runs(parts)
        self.stats = Stats(parts.store.ledger, parts.clock, parts.zone)
        self.forks = Forks(parts, self.conversations)
        self.remembering = remembering
        self.search = remembering.search
        self.kits = remembering.kits
        self.memory = remembering.desk
        self.proposals = remembering.proposals
        self.consolidation = Consolidation(parts, remembering)
        self.exports = Exports(parts, self.runs.get, keys.secret_values)
        self.analytics = Analytics(self.home.analytics, parts.store, parts.clock, self.texts, self._named_zone, self.exports.secrets)
        self.prompts = Prompts(parts, remembering.opening.preview)
        self.canvases = canvases
        self._parts = parts
        self._problem_of = scripts.problem
        workers = Workers(command=commands(shell.job), script=script_jobs(parts, scripts.run), consolidate=self.consolidation.job)
        self.jobs = Scheduler(parts, Runner(parts, self.host, self.conversations, workers))
        self.script_store = ScriptShelf(parts.store, parts.roster, self.jobs.jobs, parts.texts)
        self.telegram = TelegramChannel(self._reach(), ground.environ)
        self.outside = OutsideChannels(self._reach())
        self.jobs.on_told = self.telegram.job_told
        self._lock, self._environ = ground.lock, ground.environ
        self.books = Books(parts, self.host.busy, self.conversations.changed)
        self._ticks: list[asyncio.Task[None]] = []
        self._scheduled = False
        self.rebuilding = rebuilding
        self.rebuild = rebuilding.rebuild
        self.agents = AgentDesk(rebuilding, parts.store, parts.clock, toolbox, scripts.problem)
        self.personas = PersonaDesk(rebuilding, self.agents)
        self.connections = ConnectionDesk(rebuilding, keys)
        self.person = PersonLines(rebuilding)
        rebuilding.on_settings.append(toolbox.follow)
        rebuilding.followers.append(self._crew_changed)
        remembering.begin(parts)
        self.books.also.append(remembering.links.sweep)
        self.host.on_ended = self._turn_ended
        self.conversations.on_opened = self.books.opened

    def _named_zone(self) -> str:
        """The person's zone by a name that other programs know."""
        return self.settings.timezone or machine_zone(self._environ)

    def _reach(self) -> Reach:
        """What a channel may use."""

        def artifact(conversation_id: str, canvas_id: str) -> tuple[str, bytes] | None:
            file = self.canvases.attachment(conversation_id, canvas_id)
            return (file.name, file.data) if file is not None else None

        return Reach(
            parts=self._parts,
            keys=self.keys,
            inbound=self.inbound,
            attached=self.attached,
            host=self.host,
            conversations=self.conversations,
            approvals=self.approvals,
            jobs=self.jobs,
            stats=self.stats,
            artifact=artifact,
            written=self.canvases.just_written,
        )

    @property
    def settings(self) -> Settings:
        """The settings in force; a save through the API replaces them."""
        return self.rebuilding.settings

    async def _crew_changed(self, _changed: Changed) -> None:
        """Another crew is in place: clock and channel follow (JOB-20, CHN-2)."""
        self.jobs.reload_profiles()
        if self._scheduled:
            await self.telegram.rebuild()

    def _turn_ended(self, conversation_id: str) -> None:
        self.conversations.announce(conversation_id)
        self.jobs.turn_ended(conversation_id)
        self.telegram.turn_ended(conversation_id)
        self.books.turn_ended(conversation_id)
        self.children.turn_ended(conversation_id)

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
        self.analytics.start()
        self._ticks = [asyncio.create_task(self.approvals.sweep_for_ever(), name="crewlab approvals sweep")]
        self.remembering.start()
        self.scripts_checked = asyncio.create_task(self._check_scripts(), name="crewlab script check")
        self._ticks.append(self.scripts_checked)
        self._scheduled = schedule
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
        self.outside.start()

    async def _check_scripts(self) -> None:
        await warn_of(self.jobs.jobs().values(), self._problem_of)

    async def stop(self) -> None:
        """Go down in the order of RES-15; a second call does nothing."""
        if self.hub.going_down:
            return
        self.hub.going_down = True
        for tick in self._ticks:
            tick.cancel()
        await self.jobs.close()
        await self.connections.checks.close()
        await self.telegram.stop()
        await self.outside.stop()
        await self.host.close()
        if self._ticks:
            await asyncio.wait(self._ticks, timeout=TICK_SECONDS)
        await self.books.close()
        await self.remembering.close()
        await self.analytics.close()
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

"""The composition root: builds every part of a crew from its home. Reads as a table of contents."""

from __future__ import annotations

from collections.abc import Mapping

from crewlab.engine.agents.roster import load_roster
from crewlab.engine.canvas.family import family as canvas
from crewlab.engine.canvas.service import Canvases
from crewlab.engine.clock import Clock, SystemClock
from crewlab.engine.home.keys import KeyRing
from crewlab.engine.home.language import language_of, language_of_environment
from crewlab.engine.home.layout import Home
from crewlab.engine.home.lock import HomeLock
from crewlab.engine.home.settings import load_settings
from crewlab.engine.home.zones import zone_of
from crewlab.engine.models.service import Models
from crewlab.engine.net.guard import Guard
from crewlab.engine.running import Crew as Crew
from crewlab.engine.sandbox import Sandbox
from crewlab.engine.shell import Shell
from crewlab.engine.shell import family as shell_family
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from crewlab.engine.tools.catalogue import SMALL_FAMILIES, AgentTools
from crewlab.engine.tools.family import Family, FamilyParts, Person
from crewlab.engine.turn.conversations import Conversations
from crewlab.engine.turn.remembering import Remembering
from crewlab.engine.turn.turn import ChainSource, Parts
from crewlab.engine.turn.watch import ActivityHub, TurnWatch

FAMILIES: tuple[Family, ...] = (*SMALL_FAMILIES, shell_family, canvas)
"""Every family of tools; the large ones are known here alone."""


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
    zone = zone_of(settings.timezone)
    sandbox = Sandbox(home, environ, texts)
    if settings.desktop_socket is not None:
        sandbox.announce(secrets=[settings.desktop_socket])  # SHL-57

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
        sandbox=sandbox,
        environ=environ,
        publish=watch.publish,
        announce=hub.announce,
        skill_names=remembering.skills.names,
        sees=sees,
        net=net or Guard(),
        remembered=remembering.tools,
        person=person,
    )
    canvases = Canvases(family_parts)
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
        openings=(remembering.opening.part, canvases.note),
        endings=(canvases.ending,),
        doomed=(canvases.doomed,),
        old_call=canvases.old_call,
        streamed=canvases.streamed,
        sees=sees,
        vision=lambda: models.chain(settings.vision_routes),
    )
    crew = Crew(settings, keys, lock, parts, models, remembering, environ, canvases, Shell(sandbox, environ, texts))
    conversations.append(crew.conversations)
    return crew

"""The composition root: builds every part of a crew from its home. Reads as a table of contents."""

from __future__ import annotations

from collections.abc import Mapping

from crewlab.engine.agents.kits.running import Hooks
from crewlab.engine.canvas.family import family as canvas
from crewlab.engine.canvas.service import Canvases
from crewlab.engine.change.rebuild import Rebuilding
from crewlab.engine.clock import Clock, SystemClock
from crewlab.engine.delegate import family as delegate
from crewlab.engine.delegate import section as delegate_section
from crewlab.engine.home.layout import Home
from crewlab.engine.net.guard import Guard
from crewlab.engine.running import Crew as Crew
from crewlab.engine.sandbox import Sandbox
from crewlab.engine.script.tool import Scripts
from crewlab.engine.script.tool import family as script
from crewlab.engine.shell import Shell, policy_of
from crewlab.engine.shell import family as shell
from crewlab.engine.tools.catalogue import SMALL_FAMILIES, AgentTools
from crewlab.engine.tools.family import Family, FamilyParts, Person
from crewlab.engine.tools.outside import outside_families
from crewlab.engine.turn.attachments import told_to_fork
from crewlab.engine.turn.children import Children
from crewlab.engine.turn.conversations import Conversations
from crewlab.engine.turn.ground import hold
from crewlab.engine.turn.remembering import Remembering
from crewlab.engine.turn.turn import ChainSource, Parts
from crewlab.engine.turn.watch import ActivityHub, TurnWatch
from crewlab.engine.turn.who_and_when import WhoAndWhen

FAMILIES: tuple[Family, ...] = (*SMALL_FAMILIES, shell, canvas, delegate)
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
    ground = hold(home, environ)
    settings, texts, roster, models, store, zone = ground.settings, ground.texts, ground.roster, ground.models, ground.store, ground.zone
    conversations: list[Conversations] = []
    watch = TurnWatch(lambda conversation_id: conversations[0].fresh(conversation_id))
    hub = ActivityHub(store.approvals.count_pending)
    rebuilding = Rebuilding(home, environ, texts, settings, roster, models, hub)

    def sees() -> bool:
        return models.usable(rebuilding.settings.vision_routes)

    remembering = Remembering(home, store, roster, texts, clock, zone)
    remembering.skills.workspaces = lambda: [agent.workspace for agent in roster.all()]
    children = Children()
    sandbox = Sandbox(home, environ, texts)
    if settings.desktop_socket is not None:
        sandbox.announce(secrets=[settings.desktop_socket])  # SHL-57
    hooks = Hooks(remembering.kits, sandbox, policy_of, environ, texts)
    family_parts = FamilyParts(
        home=home,
        settings=settings,
        keys=ground.keys,
        store=store,
        roster=roster,
        texts=texts,
        clock=clock,
        zone=zone,
        environ=environ,
        publish=watch.publish,
        announce=hub.announce,
        skill_names=remembering.skills.names,
        sees=sees,
        net=net or Guard(),
        remembered=remembering.tools,
        sandbox=sandbox,
        children=children,
        canvases_written=lambda conversation_id: canvases.written_in(conversation_id),
        person=person,
        hooks=hooks,
    )
    canvases = Canvases(family_parts)
    toolbox = AgentTools((*FAMILIES, *outside_families()), family_parts, (script,))
    parts = Parts(
        home=home,
        store=store,
        roster=roster,
        models=chains or models,
        toolbox=toolbox,
        texts=texts,
        clock=clock,
        watch=watch,
        hub=hub,
        zone=zone,
        closed=home.reserved(None),
        sections=(remembering.sections.skills, delegate_section(roster, texts), remembering.sections.facts, remembering.sections.memory),
        who_and_when=WhoAndWhen(lambda: rebuilding.settings, clock, texts).block,
        openings=(remembering.opening.part, canvases.note, told_to_fork(home, store, texts)),
        endings=(canvases.ending,),
        doomed=(canvases.doomed,),
        old_call=canvases.old_call,
        streamed=canvases.streamed,
        sees=sees,
        kits=remembering.kits,
        hooks=hooks,
        vision=lambda: models.chain(rebuilding.settings.vision_routes),
        hears=lambda: bool(rebuilding.settings.audio_routes),
        hearing=lambda: models.chain(rebuilding.settings.audio_routes),
    )
    scripts = Scripts(family_parts)
    crew = Crew(ground, parts, toolbox, rebuilding, remembering, children, canvases, Shell(sandbox, environ, texts), scripts)
    conversations.append(crew.conversations)
    return crew

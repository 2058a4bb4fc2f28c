"""The agents of the crew: reading, saving, making, removing, installing (AGT-32, AGT-33)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from crewlab.engine.home.routes import Route, format_route
from crewlab.engine.records import Json
from crewlab.server_ext.api import agent_models as m

if TYPE_CHECKING:
    from crewlab.engine.agents.roster import Agent
    from crewlab.engine.crew import Crew

ROUTE_KEYS = frozenset({"routes", "escalation_route", "vibe_fast_routes", "vibe_good_routes"})  # register B


async def list_agents(crew: Crew) -> m.AgentList:
    """The master first."""
    return m.AgentList(agents=[m.AgentView(**_values(crew, agent)) for agent in crew.roster.all()])


async def read(crew: Crew, id: str) -> m.AgentView:
    """One agent."""
    return m.AgentView(**_values(crew, crew.roster.get(id)))


async def change(crew: Crew, id: str, body: m.AgentChanges) -> m.SavedAgent:
    """Save the keys that are named; null removes one. Acts from the next turn (AGT-25)."""
    agent = await crew.agents.save(id, body.model_extra or {})
    return m.SavedAgent(**_values(crew, agent), restart_required=[])


async def create(crew: Crew, body: m.NewAgent) -> m.AgentView:
    """Make an agent; it joins the running crew."""
    return m.AgentView(**_values(crew, await crew.agents.create(body.id, body.model_extra or {})))


async def remove(crew: Crew, id: str) -> m.RemovedAgent:
    """Move its directory aside; its conversations and runs stay."""
    gone = await crew.agents.remove(id)
    return m.RemovedAgent(removed=gone.id, moved_to=gone.moved_to)


async def templates(crew: Crew) -> m.TemplateList:
    """What can be installed."""
    found = crew.agents.templates()
    return m.TemplateList(
        templates=[
            m.TemplateView(
                id=one.id, name=one.name, description=one.description, brings=list(one.brings), installed=crew.roster.knows(one.id)
            )
            for one in found
        ]
    )


async def install(crew: Crew, body: m.InstallRequest) -> m.InstallAnswer:
    """Install a template, its peers and the shared skills."""
    return m.InstallAnswer(**asdict(await crew.agents.install(body.template, body.workspace)))


async def persona(crew: Crew, id: str) -> m.PersonaFiles:
    """The persona files; a file that is not there is empty."""
    return m.PersonaFiles(files=await crew.personas.read(id))


async def rewrite_persona(crew: Crew, id: str, body: m.PersonaFiles) -> m.PersonaFiles:
    """Set the persona files that are named; an empty text removes one."""
    return m.PersonaFiles(files=await crew.personas.write(id, body.files))


async def prompt(crew: Crew, id: str) -> m.AgentPrompt:
    """The system prompt as it is now (TURN-79)."""
    shown = crew.prompts.of(id)
    return m.AgentPrompt(prompt=shown.prompt, prompt_chars=len(shown.prompt), opening=shown.opening, opening_chars=len(shown.opening))


def _values(crew: Crew, agent: Agent) -> dict[str, Any]:
    profile = agent.profile
    block = profile.telegram
    return {
        **{name: _listed(value) for name, value in asdict(agent.switches).items()},
        "id": agent.id,
        "name": agent.name,
        "description": agent.description,
        "master": agent.master,
        "mode": agent.mode,
        "origin": agent.origin,
        "live": any(run.agent_id == agent.id and run.status == "running" for run in crew.hub.live.values()),
        "workspace": str(agent.workspace),
        "routes": None if agent.routes is None else _routes(agent.routes),
        "escalation_route": None if profile.escalation_route is None else format_route(profile.escalation_route),
        "autonomous": agent.autonomous,
        "max_steps": agent.max_steps,
        "cost_cap_usd": agent.cost_cap_usd,
        "approval_ttl_seconds": agent.approval_ttl_seconds,
        "tool_output_chars": agent.tool_output_chars,
        "tools": list(crew.toolbox.of(agent).names),
        "listable_tools": list(crew.toolbox.listable(agent)),
        "declared": _declared(agent),
        "delegates": list(agent.delegates),
        "vibe_fast_routes": _routes(profile.vibe_fast_routes or crew.settings.vibe_fast_routes),
        "vibe_good_routes": _routes(profile.vibe_good_routes or crew.settings.vibe_good_routes),
        "toolset": agent.toolset,
        "extra_tools": list(agent.extra_tools),
        "workspace_rewrite_max_chars": agent.rewrite_max_chars,
        "write_paths": _listed(agent.write_paths),
        "shell_ask_patterns": list(agent.shell_ask_patterns),
        "shell_allow_patterns": list(agent.shell_allow_patterns),
        "shell_deny_patterns": list(agent.shell_deny_patterns),
        "skills_dirs": [str(path) for path in agent.skills_dirs],
        "memory_consolidate": profile.memory_consolidate,
        "schedules": [line.model_dump(mode="json", exclude_unset=True) for line in profile.schedules or ()],
        "telegram": None if block is None else m.TelegramBlock(**block.model_dump()),
        "commands": [
            m.CommandView(name=one.name, description=one.description, argument_hint=one.hint) for one in crew.kits.commands(agent).values()
        ],
        "warnings": [
            *(crew.roster.warnings if agent.master else ()),
            *crew.remembering.skills.of(agent).warnings,
            *crew.kits.warnings(agent),
        ],
    }


def _routes(routes: Iterable[Route]) -> list[str]:
    return [format_route(route) for route in routes]


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _declared(agent: Agent) -> Json:
    """What the file says, routes as people write them; ``tools`` is null without a list."""
    said = agent.profile.model_dump(mode="json", exclude_unset=True)
    for key in said.keys() & ROUTE_KEYS:
        routes = getattr(agent.profile, key)
        said[key] = format_route(routes) if isinstance(routes, Route) else _routes(routes or ())
    return {"tools": None, **said}

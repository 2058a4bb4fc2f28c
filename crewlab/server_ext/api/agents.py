"""The agents of the crew with their effective values (AGT-32, AGT-33); read-only so far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crewlab.engine.home.routes import Route, format_route
from crewlab.engine.records import Json
from crewlab.server_ext.api.models import AgentList, AgentPrompt, AgentView

if TYPE_CHECKING:
    from crewlab.engine.agents.roster import Agent
    from crewlab.engine.crew import Crew

ROUTE_KEYS = frozenset({"routes", "escalation_route", "vibe_fast_routes", "vibe_good_routes"})  # register B


async def list_agents(crew: Crew) -> AgentList:
    """The master first."""
    return AgentList(agents=[_view(crew, agent) for agent in crew.roster.all()])


async def read(crew: Crew, id: str) -> AgentView:
    """One agent."""
    return _view(crew, crew.roster.get(id))


async def prompt(crew: Crew, id: str) -> AgentPrompt:
    """The system prompt as it is now (TURN-79)."""
    shown = crew.prompts.of(id)
    return AgentPrompt(prompt=shown.prompt, prompt_chars=len(shown.prompt), opening=shown.opening, opening_chars=len(shown.opening))


def _view(crew: Crew, agent: Agent) -> AgentView:
    return AgentView(
        id=agent.id,
        name=agent.name,
        description=agent.description,
        master=agent.master,
        mode=agent.mode,
        origin=agent.origin,
        live=any(run.agent_id == agent.id and run.status == "running" for run in crew.hub.live.values()),
        workspace=str(agent.workspace),
        routes=None if agent.routes is None else [str(route) for route in agent.routes],
        escalation_route=None if agent.profile.escalation_route is None else str(agent.profile.escalation_route),
        autonomous=agent.autonomous,
        max_steps=agent.max_steps,
        cost_cap_usd=agent.cost_cap_usd,
        approval_ttl_seconds=agent.approval_ttl_seconds,
        tool_output_chars=agent.tool_output_chars,
        tools=list(crew.toolbox.of(agent).names),
        listable_tools=list(crew.toolbox.listable(agent)),
        declared=_declared(agent),
        delegates=list(agent.delegates),
        toolset=agent.toolset,
        extra_tools=list(agent.extra_tools),
        tier_cap=agent.profile.tier_cap or "exec",  # AGT-13
        write_paths=None if agent.write_paths is None else list(agent.write_paths),
        shell_ask_patterns=list(agent.shell_ask_patterns),
        shell_allow_patterns=list(agent.shell_allow_patterns),
        shell_deny_patterns=list(agent.shell_deny_patterns),
        warnings=[*(crew.roster.warnings if agent.master else ()), *crew.remembering.skills.of(agent).warnings, *crew.kits.warnings(agent)],
    )


def _declared(agent: Agent) -> Json:
    """What the file says, routes as people write them."""
    said = agent.profile.model_dump(mode="json", exclude_unset=True)
    for key in said.keys() & ROUTE_KEYS:
        routes = getattr(agent.profile, key)
        said[key] = format_route(routes) if isinstance(routes, Route) else [format_route(route) for route in routes]
    return said

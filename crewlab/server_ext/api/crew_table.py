"""The part of the route table that changes the crew: agents and connections (register D)."""

from __future__ import annotations

from crewlab.server_ext.api import agent_models as a
from crewlab.server_ext.api import agents, connections, settings
from crewlab.server_ext.api import models as m
from crewlab.server_ext.api.script_store import SCRIPT_STORE_ROUTES
from crewlab.server_ext.routing import Route

GONE = ("404 not_found",)
WRONG = ("422 invalid",)
BREAKS = ("409 would_break", "409 conflict", "409 file_changed")
SAVING = ("409 file_changed", "409 kit_agent")
REMOVING = ("409 master", "409 kit_agent", "409 directory_busy")

AGENT_ROUTES: tuple[Route, ...] = (
    Route("GET", "agents", agents.list_agents, a.AgentList, ids=("AGT-32", "AGT-33")),
    Route(
        "POST", "agents", agents.create, a.AgentView, status=201, body=a.NewAgent, errors=("409 conflict", *WRONG), ids=("AGT-12", "AGT-32")
    ),
    Route("GET", "agents/templates", agents.templates, a.TemplateList, ids=("AGT-26", "AGT-32")),
    Route("POST", "agents/install", agents.install, a.InstallAnswer, body=a.InstallRequest, errors=GONE + WRONG, ids=("AGT-29", "AGT-30")),
    Route("GET", "agents/{id}", agents.read, a.AgentView, errors=GONE, ids=("AGT-32", "AGT-33")),
    Route(
        "PATCH",
        "agents/{id}",
        agents.change,
        a.SavedAgent,
        body=a.AgentChanges,
        errors=(*GONE, *SAVING, *WRONG),
        ids=("AGT-18", "AGT-35", "AGT-36"),
    ),
    Route("DELETE", "agents/{id}", agents.remove, a.RemovedAgent, errors=(*GONE, *REMOVING), ids=("AGT-19", "AGT-37")),
    Route("GET", "agents/{id}/prompt", agents.prompt, a.AgentPrompt, errors=GONE, ids=("TURN-79",)),
    Route("GET", "agents/{id}/persona", agents.persona, a.PersonaFiles, errors=(*GONE, "409 conflict"), ids=("AGT-32",)),
    Route(
        "PUT",
        "agents/{id}/persona",
        agents.rewrite_persona,
        a.PersonaFiles,
        body=a.PersonaFiles,
        errors=(*GONE, "409 kit_agent", "409 conflict", *WRONG),
        ids=("AGT-32",),
    ),
    *SCRIPT_STORE_ROUTES,
)
CONNECTION_ROUTES: tuple[Route, ...] = (
    Route("GET", "connections", connections.connections, m.Connections, ids=("CHN-40", "CHN-41")),
    Route(
        "PUT",
        "connections/routes",
        connections.save_routes,
        m.Connections,
        body=m.RouteLists,
        errors=(*BREAKS, *WRONG),
        ids=("CHN-45", "CHN-47"),
    ),
    Route(
        "PUT",
        "connections/keys/{name}",
        connections.save_key,
        m.Connections,
        body=m.KeyValue,
        errors=("409 would_break", *WRONG),
        ids=("CHN-45", "CHN-48"),
    ),
    Route(
        "DELETE",
        "connections/keys/{name}",
        connections.remove_key,
        m.Connections,
        errors=("409 would_break", "409 conflict", *WRONG),
        ids=("CHN-45", "CHN-47"),
    ),
    Route("POST", "connections/keys/{name}/check", connections.check_key, m.KeyCheck, errors=WRONG, ids=("CHN-45", "CHN-46")),
)
SETTINGS_ROUTES: tuple[Route, ...] = (
    Route("GET", "settings/person", settings.person, settings.PersonLines, ids=("PTL-152", "UI-102")),
    Route(
        "PUT",
        "settings/person",
        settings.save_person,
        settings.PersonLines,
        body=settings.PersonLines,
        errors=("409 file_changed", *WRONG),
        ids=("PTL-152", "UI-102"),
    ),
)

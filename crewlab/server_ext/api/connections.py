"""What the crew is connected to, without any secret (CHN-40, CHN-41), and saving keys and routes (CHN-45)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

from crewlab.engine.change.judge import written_routes
from crewlab.server_ext.api.models import (
    Answering,
    Connections,
    KeyCheck,
    KeyState,
    KeyValue,
    ProviderState,
    RouteLists,
    ScriptSandboxState,
    ShellSandbox,
    TelegramState,
)

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew
    from crewlab.engine.models.service import RouteStatus
    from crewlab.engine.sandbox import SandboxState


async def connections(crew: Crew) -> Connections:
    """Providers, routes and keys, and what answers now."""
    status = await crew.models.describe()
    settings = crew.settings
    return Connections(
        providers=await _providers(crew, status.routes),
        routes=[route.route for route in status.routes],
        vision_routes=_texts(settings.vision_routes),
        audio_routes=_texts(settings.audio_routes),
        embedding_routes=_texts(settings.embedding_routes),
        keys=[
            KeyState(**key._asdict(), present=crew.keys.present(key.name), saved=crew.keys.saved(key.name))
            for key in crew.connections.known()
        ],
        telegram=[TelegramState(**asdict(state)) for state in crew.telegram.describe()],
        answering=Answering(route=status.answering, small=status.small, mend=status.mend),
        shell_sandbox=ShellSandbox(**asdict(await tried(crew))),
        script_sandbox=await _scripts(crew),
        mcp_servers=list(settings.mcp_servers),
    )


async def _providers(crew: Crew, chat: Iterable[RouteStatus]) -> list[ProviderState]:
    """The provider of every written route; one route that can be asked is enough. An Ollama is asked whether it is there."""
    written = [crew.models.status(route) for _place, route in written_routes(crew.settings, crew.roster)]
    found: dict[str, ProviderState] = {}
    for status in (*chat, *written):
        name = status.route.partition(":")[0]
        if name not in found or (status.ready and not found[name].ready):
            found[name] = ProviderState(name=name, ready=status.ready, why=status.why)
    for name, state in found.items():
        if state.ready and (why := await crew.models.away(name)):
            found[name] = ProviderState(name=name, ready=False, why=why)
    return list(found.values())


async def _scripts(crew: Crew) -> ScriptSandboxState:
    """What stands around a script here; tried once, in a thread."""
    from crewlab.engine.script.fence import fence

    why = (await asyncio.to_thread(fence)).why
    return ScriptSandboxState(mode=crew.settings.script_sandbox, active=not why, why=why)


async def tried(crew: Crew) -> SandboxState:
    """What the sandbox can do, once it was tried: at the first moments after the start this waits."""
    await crew.sandbox.ready()
    return crew.sandbox.state


async def save_key(crew: Crew, name: str, body: KeyValue) -> Connections:
    """Save a key; it acts at once."""
    await crew.connections.save_key(name, body.value)
    return await connections(crew)


async def remove_key(crew: Crew, name: str) -> Connections:
    """Remove a saved key, unless a route would lose what it needs."""
    await crew.connections.remove_key(name)
    return await connections(crew)


async def check_key(crew: Crew, name: str) -> KeyCheck:
    """Ask the service itself whether the key or the address works."""
    return KeyCheck(**asdict(await crew.connections.check(name)))


async def save_routes(crew: Crew, body: RouteLists) -> Connections:
    """Set the lists that are named; they act at once."""
    lists = body.model_dump(exclude_unset=True, exclude_none=True)
    await crew.connections.save_routes(lists)
    return await connections(crew)


def _texts(routes: Iterable[object]) -> list[str]:
    return [str(route) for route in routes]

"""What the crew is connected to, without any secret (CHN-40, CHN-41), and saving keys and routes (CHN-45)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

from crewlab.server_ext.api.models import (
    Answering,
    Connections,
    KeyCheck,
    KeyState,
    KeyValue,
    ProviderState,
    RouteLists,
    ShellSandbox,
    TelegramState,
)

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew
    from crewlab.engine.sandbox import SandboxState


async def connections(crew: Crew) -> Connections:
    """Providers, routes and keys, and what answers now."""
    status = await crew.models.describe()
    ready: dict[str, bool] = {}
    for route in status.routes:
        provider = route.route.partition(":")[0]
        ready[provider] = ready.get(provider, False) or route.ready
    settings = crew.settings
    return Connections(
        providers=[ProviderState(name=name, ready=can) for name, can in ready.items()],
        routes=[route.route for route in status.routes],
        vision_routes=_texts(settings.vision_routes),
        audio_routes=_texts(settings.audio_routes),
        embedding_routes=_texts(settings.embedding_routes),
        keys=[
            KeyState(name=key.name, group=key.group, kind=key.kind, present=crew.keys.present(key.name), check=key.check)
            for key in crew.connections.known()
        ],
        telegram=[TelegramState(**asdict(state)) for state in crew.telegram.describe()],
        answering=Answering(route=status.answering, small=status.small, mend=status.mend),
        shell_sandbox=ShellSandbox(**asdict(await tried(crew))),
    )


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

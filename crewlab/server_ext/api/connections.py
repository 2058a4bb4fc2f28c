"""What the crew is connected to, without any secret (CHN-40, CHN-41); read-only so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Literal, NamedTuple

from crewlab.server_ext.api.models import Answering, Connections, KeyState, ProviderState, TelegramState

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew


class KnownKey(NamedTuple):
    """A row of the catalogue of known variables (CHN-46)."""

    name: str
    group: Literal["models", "web", "channels", "other"]
    kind: Literal["secret", "url"]


KNOWN_KEYS = (  # CHN-46
    KnownKey("OPENROUTER_API_KEY", "models", "secret"),
    KnownKey("ANTHROPIC_API_KEY", "models", "secret"),
    KnownKey("OPENAI_API_KEY", "models", "secret"),
    KnownKey("OPENAI_BASE_URL", "models", "url"),
    KnownKey("OLLAMA_BASE_URL", "models", "url"),
    KnownKey("FIRECRAWL_BASE_URL", "web", "url"),
    KnownKey("FIRECRAWL_API_KEY", "web", "secret"),
    KnownKey("BRAVE_API_KEY", "web", "secret"),
    KnownKey("TAVILY_API_KEY", "web", "secret"),
)


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
        keys=[KeyState(name=key.name, group=key.group, kind=key.kind, present=crew.keys.present(key.name)) for key in KNOWN_KEYS],
        telegram=[TelegramState(**asdict(state)) for state in crew.telegram.describe()],
        answering=Answering(route=status.answering, small=status.small, mend=status.mend),
    )


def _texts(routes: Iterable[object]) -> list[str]:
    return [str(route) for route in routes]

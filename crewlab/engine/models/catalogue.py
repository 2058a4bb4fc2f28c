"""Which providers there are, what each needs, and how it is built (PRV-2, PRV-19)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from crewlab.engine.models.base import Provider
from crewlab.engine.models.http import HttpPool
from crewlab.engine.models.local_files import ModelHome
from crewlab.engine.texts import Texts

OPENROUTER_URL = "https://openrouter.ai/api/v1"
OPENAI_URL = "https://api.openai.com/v1"
ANTHROPIC_URL = "https://api.anthropic.com"
OLLAMA_URL = "http://127.0.0.1:11434/v1"  # PRV-2

DEFAULT_MODELS: dict[str, str] = {  # the route of a provider when only its key is set, in this order (register A, routes)
    "openrouter": "openrouter/auto",
    "anthropic": "claude-sonnet-4-5",
    "openai": "gpt-5-mini",
}

Sleep = Callable[[float], Awaitable[None]]


class Keys(Protocol):
    """Where keys come from (``home/keys.py``); asked at each call, so that a new key works at once."""

    def get(self, name: str) -> str | None:
        """The value, or ``None``."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """What providers are built from."""

    keys: Keys
    home: ModelHome
    texts: Texts
    pool: HttpPool
    sleep: Sleep = asyncio.sleep


@dataclass(frozen=True, slots=True)
class ProviderSpec:
    """A provider: the variable of the key it needs (``None``: none) and how it is built."""

    key: str | None
    build: Callable[[Parts], Provider]


def _openrouter(parts: Parts) -> Provider:
    from crewlab.engine.models.openai_chat import OPENROUTER, OpenAIChat

    key = "OPENROUTER_API_KEY"
    return OpenAIChat(OPENROUTER, parts.pool, parts.texts, base_url=lambda: OPENROUTER_URL, key=lambda: parts.keys.get(key))


def openai_url(keys: Keys) -> str:
    """The base URL of the provider ``openai``."""
    return keys.get("OPENAI_BASE_URL") or OPENAI_URL


def ollama_url(keys: Keys) -> str:
    """The base URL of the provider ``ollama``; a URL without ``/v1`` is completed."""
    url = (keys.get("OLLAMA_BASE_URL") or OLLAMA_URL).rstrip("/")
    return url if url.endswith("/v1") else f"{url}/v1"


def _openai(parts: Parts) -> Provider:
    from crewlab.engine.models.openai_chat import OPENAI, OpenAIChat

    key = "OPENAI_API_KEY"
    return OpenAIChat(OPENAI, parts.pool, parts.texts, base_url=lambda: openai_url(parts.keys), key=lambda: parts.keys.get(key))


def _ollama(parts: Parts) -> Provider:
    from crewlab.engine.models.openai_chat import OLLAMA, OpenAIChat

    return OpenAIChat(OLLAMA, parts.pool, parts.texts, base_url=lambda: ollama_url(parts.keys))


def _anthropic(parts: Parts) -> Provider:
    from crewlab.engine.models.anthropic import Anthropic

    return Anthropic(parts.pool, parts.texts, base_url=lambda: ANTHROPIC_URL, key=lambda: parts.keys.get("ANTHROPIC_API_KEY"))


def _local(parts: Parts) -> Provider:
    from crewlab.engine.models.local import Local

    return Local(parts.home, parts.pool, parts.texts)


def _fake(parts: Parts) -> Provider:
    from crewlab.engine.models.fake import FakeProvider

    return FakeProvider(parts.texts, sleep=parts.sleep)


PROVIDERS: dict[str, ProviderSpec] = {
    "openrouter": ProviderSpec("OPENROUTER_API_KEY", _openrouter),
    "anthropic": ProviderSpec("ANTHROPIC_API_KEY", _anthropic),
    "openai": ProviderSpec("OPENAI_API_KEY", _openai),
    "ollama": ProviderSpec(None, _ollama),
    "local": ProviderSpec(None, _local),
    "fake": ProviderSpec(None, _fake),
}

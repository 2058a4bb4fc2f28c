"""Trying a key or an address out: one small request to the service itself, and what it means in a sentence (CHN-45, CHN-46).

Nothing of an answer is repeated: a service may quote the key it was sent (CHN-41).
"""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from crewlab.engine.channels.telegram.wire import SPEAKING, without_tokens
from crewlab.engine.home.keys import KeyRing
from crewlab.engine.models.catalogue import ANTHROPIC_URL, OPENROUTER_URL, ollama_url, openai_url
from crewlab.engine.models.http import HttpFailure, HttpPool
from crewlab.engine.texts import Texts

CHECK_SECONDS = 10.0
REFUSED = frozenset({400, 401, 403, 404, 422})  # for a key: the service does not know it
BRAVE_URL = "https://api.search.brave.com"
TAVILY_URL = "https://api.tavily.com"
TELEGRAM_URL = "https://api.telegram.org"
ANTHROPIC_VERSION = "2023-06-01"


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether it works, and a sentence for the person."""

    ok: bool
    message: str


@dataclass(frozen=True, slots=True)
class Probe:
    """The one request of a check."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)
    secret: bool = True


Ask = Callable[[str], Probe]


class Checks:
    """Asks the services. ``addresses`` replaces the address of one by the name of its variable (stand-ins, gateways)."""

    def __init__(self, keys: KeyRing, texts: Texts, addresses: Mapping[str, str] | None = None) -> None:
        self._keys = keys
        self._texts = texts
        self.addresses: dict[str, str] = dict(addresses or {})
        self._pool = HttpPool()

    def probe(self, name: str, value: str, token: bool) -> Probe | None:
        """The request for this variable, ``None`` when it cannot be tried. ``token``: it is that of the bot."""
        if token:
            return Probe(f"{(self._keys.get('TELEGRAM_API_URL') or TELEGRAM_URL).rstrip('/')}/bot{value}/getMe")
        known: dict[str, Ask] = {
            "OPENROUTER_API_KEY": lambda key: Probe(f"{self._address(name, OPENROUTER_URL)}/key", bearer(key)),
            "ANTHROPIC_API_KEY": lambda key: Probe(
                f"{self._address(name, ANTHROPIC_URL)}/v1/models", {"x-api-key": key, "anthropic-version": ANTHROPIC_VERSION}
            ),
            "OPENAI_API_KEY": lambda key: Probe(f"{openai_url(self._keys).rstrip('/')}/models", bearer(key)),
            "OPENAI_BASE_URL": self._openai,
            "OLLAMA_BASE_URL": lambda _url: Probe(f"{ollama_url(self._keys).removesuffix('/v1')}/api/tags", secret=False),
            "FIRECRAWL_BASE_URL": lambda url: Probe(url.rstrip("/") + "/", secret=False),
            "BRAVE_API_KEY": lambda key: Probe(
                f"{self._address(name, BRAVE_URL)}/res/v1/web/search?q=crewlab&count=1", {"X-Subscription-Token": key}
            ),
            "TAVILY_API_KEY": lambda key: Probe(f"{self._address(name, TAVILY_URL)}/usage", bearer(key)),
        }
        return known[name](value) if name in known else None

    def _openai(self, url: str) -> Probe:
        key = self._keys.get("OPENAI_API_KEY")
        return Probe(f"{url.rstrip('/')}/models", bearer(key) if key else {}, secret=False)

    def _address(self, name: str, usual: str) -> str:
        return self.addresses.get(name) or usual

    async def check(self, name: str, token: bool = False) -> Checked:
        """Try the variable out. Never raises for what the service does."""
        value = self._keys.get(name)
        if value is None:
            return Checked(False, self._texts("change.check_absent", name=name))
        probe = self.probe(name, value, token)
        if probe is None:
            return Checked(True, self._texts("change.check_none", name=name))
        host = urlsplit(probe.url).netloc.rpartition("@")[2]
        try:
            status = await self._status(probe)
        except (OSError, UnicodeError, HttpFailure, TimeoutError):
            return Checked(False, self._texts("change.check_unreachable", host=host))
        return self._judged(status, probe, name, host)

    def _judged(self, status: int, probe: Probe, name: str, host: str) -> Checked:
        if 200 <= status < 300:
            return Checked(True, self._texts("change.check_good", name=name, host=host))
        if status == 429:
            return Checked(probe.secret, self._texts("change.check_busy", host=host))
        if status in (401, 403) and not probe.secret:
            return Checked(True, self._texts("change.check_locked", host=host, status=status))
        said = "refused" if probe.secret and status in REFUSED else "status"
        return Checked(False, self._texts(f"change.check_{said}", name=name, host=host, status=status))

    async def _status(self, probe: Probe) -> int:
        httpx = importlib.import_module("httpx")
        for name in SPEAKING:
            logging.getLogger(name).addFilter(without_tokens)
        async with asyncio.timeout(CHECK_SECONDS):
            client = await self._pool.client(probe.url)
            try:
                async with client.stream("GET", probe.url, headers=dict(probe.headers)) as answer:
                    status: int = answer.status_code
                    return status
            except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
                raise OSError(type(error).__name__) from error  # its own words may hold the address, which may hold the token

    async def close(self) -> None:
        """Close every connection."""
        await self._pool.close()


def bearer(key: str) -> dict[str, str]:
    """The header of most services."""
    return {"Authorization": f"Bearer {key}"}

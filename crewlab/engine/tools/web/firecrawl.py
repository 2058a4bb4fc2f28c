"""The firecrawl service of the owner: a page as Markdown, and a search (WEB-8 to WEB-10, WEB-19).

The service is the owner's own and may stand on this machine, so its address is not judged; the addresses of pages are, before
it hears of them (WEB-4). Version 2 of its interface is tried first, then version 1, which older installations speak.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from crewlab.engine.home.keys import KeyRing
from crewlab.engine.net.guard import Guard
from crewlab.engine.net.request import Ask, Limits
from crewlab.engine.tools.web.service import ServiceFailed, ask_service, dicts, json_of, mapping

BASE = "FIRECRAWL_BASE_URL"  # WEB-8
KEY = "FIRECRAWL_API_KEY"  # WEB-10
VERSIONS = ("v2", "v1")
PAGE_SECONDS = 30.0  # WEB-9: slower than that is down
PAGE_LIMITS = Limits(read=PAGE_SECONDS, whole=PAGE_SECONDS, size=8 << 20)
NOT_FOUND = 404


@dataclass(frozen=True, slots=True)
class Scraped:
    """A page as the service read it; ``url`` is where it ended up, in the service's words."""

    url: str
    status: int
    title: str
    markdown: str


class Firecrawl:
    """Speaks to the service that the key ring names at the moment of the call."""

    def __init__(self, guard: Guard, keys: KeyRing) -> None:
        self._guard = guard
        self._keys = keys

    @property
    def base(self) -> str | None:
        """The address of the service, without a slash at its end; ``None`` when there is none."""
        return (self._keys.get(BASE) or "").strip().rstrip("/") or None

    async def page(self, url: str, limits: Limits = PAGE_LIMITS) -> Scraped:
        """The main content of a page as Markdown; raises ``ServiceFailed``, also when it is empty."""
        body = {"url": url, "formats": ["markdown"], "onlyMainContent": True, "timeout": round(limits.whole * 1000)}
        data = mapping((await self._post("scrape", body, limits)).get("data"))
        about = mapping(data.get("metadata"))
        markdown, title, status = data.get("markdown"), about.get("title"), about.get("statusCode")
        if not isinstance(markdown, str) or not markdown.strip():
            raise ServiceFailed("empty")
        return Scraped(
            url=str(about.get("url") or about.get("sourceURL") or url),
            status=status if isinstance(status, int) else 200,
            title=" ".join(title.split()) if isinstance(title, str) else "",
            markdown=markdown,
        )

    async def search(self, query: str, limit: int, limits: Limits) -> list[dict[str, Any]]:
        """The results as the service writes them; raises ``ServiceFailed``."""
        data = (await self._post("search", {"query": query, "limit": limit}, limits)).get("data")
        return dicts(data.get("web", []) if isinstance(data, dict) else data)

    async def _post(self, what: str, body: dict[str, Any], limits: Limits) -> dict[str, Any]:
        base = self.base
        if base is None:
            raise ServiceFailed("none")
        key = self._keys.get(KEY)
        ask = Ask({"Authorization": f"Bearer {key}"} if key else {}, body)
        named = base.endswith(tuple(f"/{version}" for version in VERSIONS))
        urls = [f"{base}/{what}"] if named else [f"{base}/{version}/{what}" for version in VERSIONS]
        for url in urls:
            answer = await ask_service(self._guard, url, ask, limits, owners=True)
            if answer.status != NOT_FOUND:
                break
        found = json_of(answer)
        if found.get("success") is False:
            raise ServiceFailed("unsuccessful")
        return found

"""The search backends, asked in their order until one has results (WEB-15 to WEB-19)."""

from __future__ import annotations

import asyncio
import html
import logging
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from crewlab.engine.home.keys import KeyRing
from crewlab.engine.net.guard import Guard
from crewlab.engine.net.request import Ask, Limits
from crewlab.engine.tools.web.duckduckgo import DuckDuckGo
from crewlab.engine.tools.web.firecrawl import Firecrawl
from crewlab.engine.tools.web.service import ServiceFailed, ask_service, dicts, json_of, mapping

MOST_RESULTS = 5  # WEB-15
SECONDS = 10.0  # WEB-19
LIMITS = Limits(read=SECONDS, whole=SECONDS, size=4 << 20)
TITLE_CHARS = 200
URL_CHARS = 1_000
SNIPPET_CHARS = 500
BRAVE_KEY = "BRAVE_API_KEY"  # WEB-19
BRAVE = "https://api.search.brave.com/res/v1/web/search"
BRAVE_QUERY = (400, 50)  # characters and words that the service takes
TAVILY_KEY = "TAVILY_API_KEY"  # WEB-19
TAVILY = "https://api.tavily.com/search"
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Result:
    """One result, in the words of the page and the service."""

    title: str
    url: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gave: results and who gave them, or none. ``failed`` names the backends that gave no answer, with why."""

    results: tuple[Result, ...]
    backend: str | None
    failed: tuple[tuple[str, str], ...] = ()


class SearchFailed(Exception):
    """No backend gave an answer: this says nothing about whether there are results (WEB-18)."""

    def __init__(self, failed: Sequence[tuple[str, str]]) -> None:
        super().__init__(", ".join(name for name, _ in failed))
        self.failed = tuple(failed)


class WebSearch:
    """Asks the approved backends whose variables are set (WEB-16, WEB-19)."""

    def __init__(self, guard: Guard, keys: KeyRing, firecrawl: Firecrawl, duckduckgo: DuckDuckGo, approved: Sequence[str]) -> None:
        self._guard = guard
        self._keys = keys
        self._firecrawl = firecrawl
        self._duckduckgo = duckduckgo
        self._approved = approved

    async def find(self, query: str) -> Found:
        """The results of the first backend that has any; raises ``SearchFailed`` when not one gave an answer."""
        failed: list[tuple[str, str]] = []
        answered = False
        for name, ask in self._backends():
            try:
                async with asyncio.timeout(SECONDS):
                    results = _results(await ask(query))
            except (ServiceFailed, TimeoutError) as error:
                reason = error.reason if isinstance(error, ServiceFailed) else "slow"
                logger.warning("search backend %s failed: %s", name, reason)
                failed.append((name, reason))
                continue
            if results:
                return Found(results, name, tuple(failed))
            answered = True
        if not answered:
            raise SearchFailed(failed)
        return Found((), None, tuple(failed))

    def _backends(self) -> list[tuple[str, Callable[[str], Awaitable[list[dict[str, Any]]]]]]:
        """The backends that take part now, in their order (WEB-16)."""
        every: tuple[tuple[str, object, Callable[[str], Awaitable[list[dict[str, Any]]]]], ...] = (
            ("firecrawl", self._firecrawl.base, self._of_firecrawl),
            ("brave", self._keys.present(BRAVE_KEY), self._of_brave),
            ("tavily", self._keys.present(TAVILY_KEY), self._of_tavily),
            ("duckduckgo", True, self._duckduckgo.search),
        )
        return [(name, ask) for name, there, ask in every if there and name in self._approved]

    async def _of_firecrawl(self, query: str) -> list[dict[str, Any]]:
        return await self._firecrawl.search(query, MOST_RESULTS, LIMITS)

    async def _of_brave(self, query: str) -> list[dict[str, Any]]:
        chars, words = BRAVE_QUERY
        short = " ".join(query.split()[:words])[:chars]
        url = f"{BRAVE}?{urlencode({'q': short, 'count': MOST_RESULTS, 'text_decorations': 'false'})}"
        headers = {"X-Subscription-Token": self._keys.get(BRAVE_KEY) or "", "Accept": "application/json"}
        found = json_of(await ask_service(self._guard, url, Ask(headers), LIMITS))
        if "web" not in found and "query" not in found:
            raise ServiceFailed("form")
        return dicts(mapping(found.get("web")).get("results", []))  # without results the part is missing

    async def _of_tavily(self, query: str) -> list[dict[str, Any]]:
        headers = {"Authorization": f"Bearer {self._keys.get(TAVILY_KEY)}"}
        body = {"query": query, "max_results": MOST_RESULTS, "search_depth": "basic"}
        return dicts(json_of(await ask_service(self._guard, TAVILY, Ask(headers, body), LIMITS)).get("results"))


def _results(found: list[dict[str, Any]]) -> tuple[Result, ...]:
    """At most five results; what has no web address is none."""
    results = []
    for each in found:
        url = _line(each.get("url") or each.get("href"), URL_CHARS)
        if url.startswith(("http://", "https://")):
            snippet = each.get("description") or each.get("content") or each.get("snippet") or each.get("body")
            results.append(Result(_line(each.get("title"), TITLE_CHARS), url, _line(snippet, SNIPPET_CHARS)))
    return tuple(results[:MOST_RESULTS])


def _line(value: object, most: int) -> str:
    """Text on one line, without the marks of HTML some services put in."""
    if not isinstance(value, str):
        return ""
    return " ".join(html.unescape(_TAG.sub("", value[: most * 20])).split())[:most]

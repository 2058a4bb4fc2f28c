"""DuckDuckGo, which needs no key, by the library ``ddgs`` (WEB-17).

The library opens its own connections, in a way that looks like a browser's, else the service turns it away. They go through
the guarded proxy, so that what it connects to is judged like everything else.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
from typing import Any

from crewlab.engine.net.guard import Guard
from crewlab.engine.net.proxy import guarded_proxy
from crewlab.engine.tools.web.service import ServiceFailed

LIBRARY = "ddgs"
SECONDS = 10  # WEB-19
MAX_BYTES = 4 << 20
MARKS = ('id="links"', "no-results", "result__body")  # what a page of results has, also one without any


class DuckDuckGo:
    """Searches; ``certificates`` is the file of what to trust, ``None`` for the library's own (tests have theirs)."""

    def __init__(self, guard: Guard, certificates: str | None = None) -> None:
        self._guard = guard
        self._certificates = certificates

    async def search(self, query: str) -> list[dict[str, Any]]:
        """The results as the library writes them; raises ``ServiceFailed``."""
        if importlib.util.find_spec(LIBRARY) is None:
            raise ServiceFailed("missing")
        async with guarded_proxy(self._guard, MAX_BYTES) as proxy:
            return await asyncio.to_thread(self._ask, query, proxy.url)

    def _ask(self, query: str, proxy: str) -> list[dict[str, Any]]:
        engines = importlib.import_module("ddgs.engines.duckduckgo")
        problems = importlib.import_module("ddgs.exceptions")
        engine = engines.Duckduckgo(proxy=proxy, timeout=SECONDS, verify=self._certificates or True)
        engine.pre_process_html = _checked
        try:
            found = engine.search(query)
        except problems.TimeoutException:
            raise ServiceFailed("slow") from None
        except problems.DDGSException:
            raise ServiceFailed("broken") from None
        if found is None:
            raise ServiceFailed("status")
        return [{"title": each.title, "url": each.href, "body": each.body} for each in found]


def _checked(page: str) -> str:
    """``page`` when it is one of results; a page that asks whether one is human, or another, is no answer (WEB-18)."""
    if not any(mark in page for mark in MARKS):
        raise ServiceFailed("form")
    return page

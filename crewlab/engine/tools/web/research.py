"""``research_web``: search, read up to three pages, keep what belongs to the question (PTL-103, PTL-104)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from crewlab.engine.net.address import read_host
from crewlab.engine.net.failures import Refused
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.fence import fence
from crewlab.engine.tools.web.passages import passages
from crewlab.engine.tools.web.reading import NoPage, PageReader
from crewlab.engine.tools.web.search import Result, SearchFailed, WebSearch
from crewlab.engine.tools.web.search_tool import unreachable

QUERY_CHARS = 400  # PTL-104
MOST_PAGES = 3  # PTL-103
MOST_TRIED = 5  # PTL-104
PAGE_CHARS = 3_000  # PTL-104
SECONDS = 60.0  # PTL-104
HOST_CHARS = 253
MARK_CHARS = 60


@dataclass(frozen=True, slots=True)
class Part:
    """What one page gives, in the page's words; ``why``, in the program's, when it could not be read. ``keep``: so much of ``text``."""

    url: str
    title: str = ""
    text: str = ""
    why: str = ""
    keep: int = PAGE_CHARS

    def lines(self, texts: Texts) -> str:
        """The part as it stands in its fence."""
        if self.why:
            return f"{self.url}\n{texts('web.not_read', why=self.why)}"
        head = [self.url, *([texts("web.title", title=self.title)] if self.title else []), "", self.text[: self.keep]]
        if self.keep < len(self.text):
            head.append(texts("fence.kept", kept=self.keep, total=len(self.text)))
        return "\n".join(head)

    def less(self, over: int) -> Part:
        """The part with ``over`` characters less, and room for the mark that says so."""
        return replace(self, keep=max(0, min(self.keep, len(self.text)) - over - MARK_CHARS))


def research_tool(search: WebSearch, reader: PageReader, texts: Texts, seconds: float = SECONDS) -> Tool:
    """The tool; reading, so it may be called again after a restart (PTL-27)."""

    async def run(arguments: Arguments, context: ToolContext) -> str:
        query = " ".join(arguments["query"].split())
        if not query:
            raise ToolError(context.texts("web.query_empty"))
        site = _site(arguments.get("site"), context.texts)
        ends = asyncio.get_running_loop().time() + seconds
        try:
            found = await search.find(f"{query} site:{site}" if site else query)
        except SearchFailed as error:
            raise ToolError(unreachable(error, context.texts)) from error
        results = chosen(found.results, site)
        if not results:
            return context.texts("web.no_results")
        parts = await _read(results, query, arguments.get("max_pages", MOST_PAGES), reader, ends, context.texts)
        return answer(parts, len(found.results), context)

    def described(name: str) -> str:
        return texts(f"web.research_web.{name}")

    return Tool(
        name="research_web",
        description=described("description"),
        parameters={
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1, "maxLength": QUERY_CHARS, "description": described("query")},
                "max_pages": {"type": "integer", "minimum": 1, "maximum": MOST_PAGES, "description": described("max_pages")},
                "site": {"type": "string", "minLength": 1, "maxLength": HOST_CHARS, "description": described("site")},
            },
            "required": ["query"],
            "additionalProperties": False,
        },
        run=run,
        tier="read",
        script="any",
        replay_safe=True,
        marking="fenced",
    )


def _site(written: str | None, texts: Texts) -> str | None:
    if written is None:
        return None
    try:
        host, literal = read_host(written.strip())
    except Refused as problem:
        raise ToolError(problem.say(texts)) from problem
    if literal is not None:
        raise ToolError(texts("net.host"))
    return host


def chosen(results: Sequence[Result], site: str | None) -> list[Result]:
    """At most five results to try: one of each host, in order; with ``site`` only that host and those below it, one of each address."""
    seen: set[str] = set()
    kept = []
    for result in results:
        try:
            host = (urlsplit(result.url).hostname or "").lower()
        except ValueError:
            continue
        if site and not (host == site or host.endswith(f".{site}")):
            continue
        key = result.url if site else host
        if key not in seen:
            seen.add(key)
            kept.append(result)
    return kept[:MOST_TRIED]


async def _read(results: Sequence[Result], query: str, most: int, reader: PageReader, ends: float, texts: Texts) -> list[Part]:
    """The pages in order, until enough were read or the time is over; one that cannot be read is replaced by the next."""
    parts: list[Part] = []
    for result in results:
        if sum(1 for part in parts if not part.why) >= most:
            break
        try:
            async with asyncio.timeout_at(ends):
                page = await reader.read(result.url)
        except NoPage as problem:
            parts.append(Part(result.url, why=problem.said))
        except TimeoutError:
            parts.append(Part(result.url, why=texts("web.no_time")))
            break
        else:
            text = passages(page.text, query, PAGE_CHARS) or texts("web.no_passage")
            parts.append(Part(page.final or page.url, page.title or result.title, text))
    return parts


def answer(parts: Sequence[Part], found: int, context: ToolContext) -> str:
    """Every part in a fence of its own, in at most the agent's ceiling; passages of the last page give way first (PTL-104, OUT-61)."""
    texts = context.texts
    read = sum(1 for part in parts if not part.why)
    head = texts("web.research_head", found=found, read=read, tried=len(parts))
    kept = list(parts)
    while kept:
        text = "\n\n".join([head, *(fence("PAGE", part.lines(texts), texts) for part in kept)])
        over = len(text) - context.output_chars
        if over <= 0:
            return text
        place = next((place for place in range(len(kept) - 1, -1, -1) if kept[place].text and kept[place].keep), None)
        if place is None:
            kept.pop()
        else:
            kept[place] = kept[place].less(over)
    return texts("fence.no_room", ceiling=context.output_chars)[: context.output_chars]

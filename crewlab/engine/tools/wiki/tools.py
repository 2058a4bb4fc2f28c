"""The three tools of the wiki (MEM-17 to MEM-21)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from crewlab.engine.agents.memory import Memory
from crewlab.engine.folding import keywords
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.fence import fenced
from crewlab.engine.tools.shown import clean_name, grouped
from crewlab.engine.tools.wiki.page import SOURCE_CHARS, TITLE_CHARS, has_marker
from crewlab.engine.tools.wiki.vault import Vault

MAX_RESULTS = 8  # MEM-18
CONTENT_CHARS = 100_000
MAX_SOURCES = 50


def get_tool(vault: Vault, texts: Texts) -> Tool:
    """``wiki_get``."""

    async def run(arguments: Arguments, context: ToolContext) -> str:
        title = arguments["title"]
        page = await asyncio.to_thread(vault.find, title)
        if page is None:
            near = await asyncio.to_thread(vault.nearest, title)
            said = texts("wiki.near", titles=", ".join(near)) if near else texts("wiki.none_near")
            raise ToolError(texts("wiki.unknown", title=clean_name(title, TITLE_CHARS)) + " " + said)
        return fenced("NOTES", page.raw.strip(), context.output_chars, texts, head=texts("wiki.page", slug=page.slug))

    return _reading("wiki_get", "title", run, texts)


def search_tool(vault: Vault, texts: Texts) -> Tool:
    """``wiki_search``."""

    async def run(arguments: Arguments, context: ToolContext) -> str:
        if not keywords(arguments["query"]):
            raise ToolError(texts("wiki.no_words"))
        found = await asyncio.to_thread(vault.search, arguments["query"], MAX_RESULTS)
        if not found:
            return texts("wiki.no_match")
        lines = "\n".join(f"[{page.slug}] {line}" for page, line in found)
        return fenced("NOTES", lines, context.output_chars, texts)

    return _reading("wiki_search", "query", run, texts)


def apply_tool(vault: Vault, memory: Memory, written: Callable[[str, str], None], texts: Texts) -> Tool:
    """``wiki_apply``; ``written`` is told which agent has changed which page."""

    async def run(arguments: Arguments, context: ToolContext) -> str:
        title, content, sources = _checked(arguments, texts)
        try:
            page, new = await asyncio.to_thread(vault.apply, title, content, sources, memory.today())
        except OSError as error:
            raise ToolError(texts("memory.not_written", target=title, why=error.strerror)) from error
        written(context.agent_id, page.slug)
        return texts("wiki.written" if new else "wiki.updated", title=title, slug=page.slug)

    return Tool(
        name="wiki_apply",
        description=texts("wiki.apply_description"),
        parameters={
            "type": "object",
            "properties": {
                "title": {"type": "string", "description": texts("wiki.apply_title")},
                "content": {"type": "string", "description": texts("wiki.apply_content")},
                "sources": {"type": "array", "items": {"type": "string"}, "description": texts("wiki.apply_sources")},
            },
            "required": ["title", "content", "sources"],
            "additionalProperties": False,
        },
        run=run,
        marking="own",
        tier="write",
        script="gated",
    )


def _checked(arguments: Arguments, texts: Texts) -> tuple[str, str, list[str]]:
    """Title, content and sources of a page that may be written (MEM-19, MEM-20). Raises ``ToolError``."""
    title = " ".join(arguments["title"].split())
    content = arguments["content"].strip()
    sources = [" ".join(source.split()) for source in arguments["sources"]]
    rules = (
        (not title, "wiki.no_title"),
        (len(title) > TITLE_CHARS or "[[" in title or "]]" in title, "wiki.bad_title"),
        (not content, "wiki.no_content"),
        (len(content) > CONTENT_CHARS, "wiki.long_content"),
        (not sources or not all(sources), "wiki.no_sources"),
        (len(sources) > MAX_SOURCES or any(len(source) > SOURCE_CHARS for source in sources), "wiki.long_sources"),
        (any(has_marker(text) for text in (title, content, *sources)), "wiki.marker"),
    )
    for broken, key in rules:
        if broken:
            limits = {"title": TITLE_CHARS, "content": grouped(CONTENT_CHARS, texts), "sources": MAX_SOURCES, "source": SOURCE_CHARS}
            raise ToolError(texts(key, **limits))
    return title, content, sources


def _reading(name: str, parameter: str, run: Callable[[Arguments, ToolContext], Awaitable[str]], texts: Texts) -> Tool:
    """A tool that only reads and takes one text."""
    return Tool(
        name=name,
        description=texts(f"wiki.{name.removeprefix('wiki_')}_description"),
        parameters={
            "type": "object",
            "properties": {parameter: {"type": "string", "description": texts(f"wiki.{name.removeprefix('wiki_')}_{parameter}")}},
            "required": [parameter],
            "additionalProperties": False,
        },
        run=run,
        marking="fenced",
        tier="read",
        replay_safe=True,
        script="any",
    )

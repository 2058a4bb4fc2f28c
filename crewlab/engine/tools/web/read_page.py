"""``read_page``: one public page from a position on (PTL-105, PTL-106)."""

from __future__ import annotations

import json

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.fence import fenced, room
from crewlab.engine.tools.shown import grouped
from crewlab.engine.tools.web.fetch_tool import no_page, refused
from crewlab.engine.tools.web.reading import NoPage, Page, PageReader

LEAST_CHARS = 1_024  # PTL-106
MOST_CHARS = 6_000  # PTL-106: the lowest of all reading tools
USUAL_CHARS = 4_000  # PTL-106


def page_tool(reader: PageReader, texts: Texts) -> Tool:
    """The tool; reading, so it may be called again after a restart (PTL-27)."""

    async def run(arguments: Arguments, context: ToolContext) -> str:
        try:
            page = await reader.read(arguments["url"])
        except NoPage as problem:
            raise no_page(problem, context) from problem
        return piece(page, arguments.get("offset", 0), arguments.get("maxChars", USUAL_CHARS), context)

    def described(name: str) -> str:
        return texts(f"web.read_page.{name}")

    return Tool(
        name="read_page",
        description=described("description"),
        parameters={
            "type": "object",
            "properties": {
                "url": {"type": "string", "description": described("url")},
                "offset": {"type": "integer", "minimum": 0, "description": described("offset")},
                "maxChars": {"type": "integer", "minimum": LEAST_CHARS, "maximum": MOST_CHARS, "description": described("maxChars")},
            },
            "required": ["url"],
            "additionalProperties": False,
        },
        run=run,
        tier="read",
        script="any",
        replay_safe=True,
        marking="fenced",
        keeps_ceiling=True,
        refuse_reason=refused,
    )


def piece(page: Page, offset: int, most: int, context: ToolContext) -> str:
    """``most`` characters of the page from ``offset`` on, in a fence, below the range and the call that reads on."""
    texts = context.texts
    total = len(page.text)
    if offset >= total:
        raise ToolError(texts("web.beyond", offset=grouped(offset, texts), total=grouped(total, texts)))
    above = [texts("web.page", url=page.url), texts("web.page_status", status=page.status)]
    if page.cut:
        above.append(texts(f"web.cut_{page.cut}"))
    inside = [texts("web.final", url=page.final)] if page.final else []
    inside += [texts("web.title", title=page.title)] if page.title and not offset else []
    words = "".join(f"{line}\n" for line in [*inside, ""]) if inside else ""
    longest = [_range(total, total, total, texts), _on(page, total, texts)]
    space = room(context.output_chars) - len("\n".join([*above, *longest])) - len(words) - 1
    end = min(total, offset + max(1, min(most, space)))
    above.append(_range(offset, end, total, texts))
    above.append(_on(page, end, texts) if end < total else texts("web.page_end"))
    return fenced("PAGE", words + page.text[offset:end], context.output_chars, texts, head="\n".join(above))


def _range(first: int, last: int, total: int, texts: Texts) -> str:
    return texts("web.range", first=grouped(first, texts), last=grouped(last, texts), total=grouped(total, texts))


def _on(page: Page, offset: int, texts: Texts) -> str:
    return texts("web.read_on", call=f"read_page(url={json.dumps(page.url)}, offset={offset})")

"""``fetch_url``: one public page (WEB-1 to WEB-14).

What the page says stands in a fence, its title as well (rule 10 of the house, FI-5); above it, in the program's words, the address
that was asked for, the status and what is missing.
"""

from __future__ import annotations

from crewlab.engine.net.address import read_address
from crewlab.engine.net.failures import Refused
from crewlab.engine.net.ranges import not_public
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.fence import fenced, room
from crewlab.engine.tools.shown import grouped
from crewlab.engine.tools.web.reading import NoPage, Page, PageReader


def fetch_tool(reader: PageReader, texts: Texts) -> Tool:
    """The tool; reading, so it may be called again after a restart (TOOL-5)."""

    async def run(arguments: Arguments, context: ToolContext) -> str:
        try:
            return page_answer(await reader.read(arguments["url"]), context)
        except NoPage as problem:
            raise no_page(problem, context) from problem

    return Tool(
        name="fetch_url",
        description=texts("web.fetch_url.description"),
        parameters={
            "type": "object",
            "properties": {"url": {"type": "string", "description": texts("web.fetch_url.url")}},
            "required": ["url"],
            "additionalProperties": False,
        },
        run=run,
        tier="read",
        script="any",
        replay_safe=True,
        marking="fenced",
        refuse_reason=refused,
    )


def refused(arguments: Arguments, context: ToolContext) -> str | None:
    """Why the address is refused as it is written, before any name is resolved; nobody can approve it (WEB-3)."""
    try:
        target = read_address(arguments["url"])
    except Refused as problem:
        return problem.say(context.texts)
    kind = not_public(target.literal) if target.literal is not None else None
    return context.texts("web.not_public", host=target.host) if kind is not None else None


def page_answer(page: Page, context: ToolContext) -> str:
    """The page in at most the characters of the agent's ceiling, so that its fence is never cut (OUT-60, OUT-61)."""
    texts = context.texts
    above = [texts("web.page", url=page.url), texts("web.page_status", status=page.status)]
    if page.cut:
        above.append(texts(f"web.cut_{page.cut}"))
    inside = [texts("web.final", url=page.final)] if page.final else []
    inside += [texts("web.title", title=page.title)] if page.title else []
    words = "".join(f"{line}\n" for line in [*inside, ""]) if inside else ""
    space = room(context.output_chars) - len("\n".join(above)) - len(words)
    text = page.text
    if len(text) > min(page.limit, space):
        longest = texts("web.cut_text", kept=grouped(page.limit, texts), left=grouped(len(text), texts))
        kept = max(0, min(page.limit, space - len(longest) - 1))
        above.append(texts("web.cut_text", kept=grouped(kept, texts), left=grouped(len(text) - kept, texts)))
        text = text[:kept]
    if page.text and not text:  # not even the beginning fits
        text = page.text
    return fenced("PAGE", words + text, context.output_chars, texts, head="\n".join(above))


def no_page(problem: NoPage, context: ToolContext) -> ToolError:
    """The failure as the model is told: in the program's words, and what the server wrote, where it is of use, in a fence."""
    if not problem.words:
        return ToolError(problem.said)
    return ToolError(fenced("PAGE", problem.words, context.output_chars, context.texts, head=problem.said))

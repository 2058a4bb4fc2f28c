"""``web_search``: at most five results with title, address and snippet (WEB-15 to WEB-20), all of it in a fence."""

from __future__ import annotations

from collections.abc import Sequence

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.fence import fenced
from crewlab.engine.tools.web.search import Result, SearchFailed, WebSearch

MISSING = "missing"


def search_tool(search: WebSearch, texts: Texts) -> Tool:
    """The tool; reading, so it may be called again after a restart (TOOL-5)."""

    async def run(arguments: Arguments, context: ToolContext) -> str:
        query = " ".join(arguments["query"].split())
        if not query:
            raise ToolError(context.texts("web.query_empty"))
        try:
            found = await search.find(query)
        except SearchFailed as error:
            raise ToolError(unreachable(error, context.texts)) from error
        if not found.results:
            return context.texts("web.no_results")
        head = context.texts("web.results" if len(found.results) > 1 else "web.result_one", count=len(found.results), name=found.backend)
        return fenced("PAGE", listed(found.results), context.output_chars, context.texts, head=head)

    return Tool(
        name="web_search",
        description=texts("web.web_search.description"),
        parameters={
            "type": "object",
            "properties": {"query": {"type": "string", "description": texts("web.web_search.query")}},
            "required": ["query"],
            "additionalProperties": False,
        },
        run=run,
        tier="read",
        script="any",
        replay_safe=True,
        marking="fenced",
    )


def unreachable(error: SearchFailed, texts: Texts) -> str:
    """That the search is broken, which is another answer than no results (WEB-18)."""
    if all(reason == MISSING for _, reason in error.failed) and error.failed:
        return texts("web.unreachable_install")
    return texts("web.unreachable", names=", ".join(name for name, _ in error.failed))


def listed(results: Sequence[Result]) -> str:
    """The results, numbered, one below the other."""
    blocks = []
    for place, result in enumerate(results, start=1):
        lines = [f"{place}. {result.title or result.url}", f"   {result.url}", f"   {result.snippet}" if result.snippet else ""]
        blocks.append("\n".join(line for line in lines if line))
    return "\n\n".join(blocks)

"""The web tools: ``fetch_url`` and ``web_search`` (WEB), and for agents that name them ``research_web`` and ``read_page`` (PTL-101).

``reading`` reads one page under all rules, ``search`` asks the backends; every connection goes through the guard of
``engine/net``. What pages and services say reaches a model only inside a fence. Stands on the contract and on ``net``.
"""

from crewlab.engine.agents.roster import Agent
from crewlab.engine.agents.tool_names import extra_names
from crewlab.engine.net.guard import Guard
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.family import FamilyParts
from crewlab.engine.tools.web.duckduckgo import DuckDuckGo
from crewlab.engine.tools.web.extract import Html
from crewlab.engine.tools.web.fetch_tool import fetch_tool
from crewlab.engine.tools.web.firecrawl import Firecrawl
from crewlab.engine.tools.web.read_page import page_tool
from crewlab.engine.tools.web.reading import PageReader
from crewlab.engine.tools.web.research import research_tool
from crewlab.engine.tools.web.search import WebSearch
from crewlab.engine.tools.web.search_tool import search_tool

__all__ = ["family"]


def family(parts: FamilyParts, agent: Agent) -> list[Tool]:
    """The web tools of one agent; none where no provider is approved (PTL-102)."""
    approved = parts.settings.web_providers
    if not approved:
        return []
    guard: Guard = parts.net
    firecrawl = Firecrawl(guard, parts.keys)
    reader = PageReader(guard, firecrawl, Html(), parts.texts)
    search = WebSearch(guard, parts.keys, firecrawl, DuckDuckGo(guard), approved)
    optional = [research_tool(search, reader, parts.texts), page_tool(reader, parts.texts)]
    named = {*(agent.tools or ()), *extra_names(agent.extra_tools)}
    return [fetch_tool(reader, parts.texts), search_tool(search, parts.texts), *(tool for tool in optional if tool.name in named)]

"""The wiki of a crew: ``wiki_get``, ``wiki_search``, ``wiki_apply`` over one vault of Markdown pages (MEM-17 to MEM-21, MEM-28).

``page`` is one page as text, ``vault`` the pages on disk, ``links`` decides which pages are joined. Who compiles the links
is above: it asks a model.
"""

from __future__ import annotations

from crewlab.engine.agents.roster import Agent
from crewlab.engine.tools.contract import Tool
from crewlab.engine.tools.family import FamilyParts
from crewlab.engine.tools.wiki.tools import apply_tool, get_tool, search_tool

__all__ = ["family"]


def family(parts: FamilyParts, _agent: Agent) -> list[Tool]:
    """The three tools, the same for every agent."""
    kept, texts = parts.remembered, parts.texts
    return [get_tool(kept.vault, texts), search_tool(kept.vault, texts), apply_tool(kept.vault, kept.memory, kept.page_written, texts)]

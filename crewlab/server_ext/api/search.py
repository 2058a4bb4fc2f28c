"""Search in the messages of the whole crew (FTS-9)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from crewlab.server_ext.api.models import SearchQuery, SearchResult, SearchResults

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew


async def messages(crew: Crew, query: SearchQuery) -> SearchResults:
    """Messages that hold every word, best first."""
    found = await crew.search.messages(query.q, query.limit)
    return SearchResults(results=[SearchResult.model_validate(asdict(one)) for one in found])

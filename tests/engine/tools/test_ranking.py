"""Which tools a few words find, and in which order (TSR-7 to TSR-10)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.tools.ranking import Index, words_of
from tests.engine.script.held import own, served

PAGES = {"type": "object", "properties": {"filter": {"type": "object", "properties": {"ownerEmail": {"type": "string"}}}}}
TOOLS = (
    own("fetch_url", "url", description="Reads one public web page."),
    own("pdf_read", "path", description="Reads a PDF of the workspace."),
    served("notion-search", PAGES, words="Search the workspace for pages and databases."),
    served("createPage", words="Writes a new page."),
    served("createPage", server="wiki", words="Viết một trang mới về đường phố."),
)


def found(query: str) -> list[str]:
    return [tool.name for tool in Index(TOOLS).found(query)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("createPage", ["create", "page"]),
        ("create_page-v2", ["create", "page", "v2"]),
        ("Đường PHỐ được", ["duong", "pho", "duoc"]),
        ("cafe\u0301 caf\u00e9", ["cafe", "cafe"]),
        ("pages class queries yes bus", ["page", "class", "query", "yes", "bus"]),
        ("boxes gas ties", ["boxe", "gas", "ty"]),
        ("  , . ", []),
    ],
)
def test_words_are_without_case_accents_and_plural(text: str, words: list[str]) -> None:
    assert words_of(text) == words


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("pdf", "pdf_read"),
        ("databases", "mcp__notion__notion_search"),
        ("owner email", "mcp__notion__notion_search"),
        ("duong pho", "mcp__wiki__createPage"),
        ("wiki page", "mcp__wiki__createPage"),
        ("notion_search", "mcp__notion__notion_search"),
        ("mcp__wiki__createPage", "mcp__wiki__createPage"),
        ("  NOTION-search ", "mcp__notion__notion_search"),
    ],
)
def test_the_best_match_stands_first(query: str, first: str) -> None:
    assert found(query)[0] == first


def test_a_name_that_is_spelt_exactly_stands_first_and_ties_go_by_the_order_of_the_tools() -> None:
    assert found("createPage")[:2] == ["mcp__notion__createPage", "mcp__wiki__createPage"]
    twins = [served("one", words="reads things"), served("two", words="reads things"), own("reads", description="no")]
    assert [tool.name for tool in Index(twins).found("things")] == ["mcp__notion__one", "mcp__notion__two"]
    assert Index(twins).found("reads")[0].name == "reads"
    assert Index(twins).found("two reads things")[0].name == "mcp__notion__two"


def test_the_prefix_of_every_mcp_name_finds_nothing() -> None:
    assert found("mcp") == []


def test_nothing_matches_nothing() -> None:
    assert found("zebra") == found("") == found("?!") == [] == Index(()).found("page")


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60), st.integers(1, 10))
def test_whatever_is_asked_each_tool_is_found_once_and_the_best_come_first(query: str, limit: int) -> None:
    index = Index(TOOLS)
    whole = index.found(query)
    assert len({tool.name for tool in whole}) == len(whole) <= len(TOOLS)
    assert index.best(query, limit) == whole[:limit]

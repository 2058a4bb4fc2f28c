"""How a script finds tools: names, search, describe, and the line that says how a tool is called."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.script import lookup
from crewlab.engine.script.callables import Callables
from crewlab.engine.script.lookup import describe, first_sentence, names, search, usage_line
from crewlab.engine.texts import LANGUAGES, Texts
from crewlab.engine.tools.catalogue import ORDER
from crewlab.engine.tools.parameters import MAX_USAGE, parameters
from crewlab.engine.tools.registry import SCRIPT_NAMES
from crewlab.engine.tools.validate import correct_form
from tests.engine.script.held import callables, own, served
from tests.fixtures.holding import every_tool

EN = Texts("en")
NESTED = {
    "type": "object",
    "properties": {
        "filter": {"$ref": "#/$defs/Filter", "description": "Which pages. All of them without it."},
        "pages": {
            "type": "array",
            "items": {"type": "object", "properties": {"title": {"type": "string", "description": "e.g. Due. More."}}},
        },
        "kind": {"enum": ["page", "database", None]},
        "page-id": {"anyOf": [{"type": "string"}, {"type": "null"}]},
    },
    "required": ["pages"],
    "$defs": {"Filter": {"type": "object", "properties": {"owner": {"type": "string"}}, "required": ["owner"]}},
}


@pytest.mark.spec("SCR-84")
async def test_no_tool_has_the_name_of_a_lookup_or_of_a_batch(tmp_path: Path) -> None:
    assert {"names", "search", "describe", "batch"} == SCRIPT_NAMES
    held = {tool.name for tool in await every_tool(tmp_path)}
    assert len(held) > 20
    assert SCRIPT_NAMES.isdisjoint(held | set(ORDER))


@pytest.mark.spec("SCR-98", "SCR-86")
async def test_the_line_of_a_tool_of_the_crew_is_its_correct_form(tmp_path: Path) -> None:
    for tool in await every_tool(tmp_path):
        line = usage_line(tool)
        assert line.startswith(f"{tool.name}(")
        if len(correct_form(tool)) < 250:
            assert line == correct_form(tool)


@pytest.mark.spec("SCR-98", "SCR-92", "SCR-110")
def test_the_line_of_a_served_tool_is_what_the_server_wrote() -> None:
    assert usage_line(served("fetch", NESTED)) == (
        'mcp__notion__fetch(filter?: {owner: string}, pages: {title?: string}[], kind?: "page"|"database"|null, "page-id"?: string|null)'
    )


@pytest.mark.spec("SCR-106", "SCR-108", "SCR-109", "SCR-110")
def test_names_search_and_describe_cover_the_callable_tools_and_nothing_else() -> None:
    hidden, asking = own("memory_save", "text", script="gated", description="page"), own("ask_user", script="no", description="page")
    held = (own("wiki_get", "title", description="Reads a page."), hidden, asking, served("fetch", NESTED, words="Read a page.\nBy id."))
    reading, gated = callables(*held), callables(*held, gated=True)
    assert names(reading) == ["wiki_get", "mcp__notion__fetch"]
    assert names(gated) == ["wiki_get", "memory_save", "mcp__notion__fetch"]
    assert [each["name"] for each in search(gated, "page", 10)] == ["mcp__notion__fetch", "memory_save", "wiki_get"]
    assert search(reading, "owner", 5) == [{"name": "mcp__notion__fetch", "description": "[MCP notion] Read a page. By id."}]
    assert search(reading, "folded", 5) == search(reading, "ask_user", 5) == []
    assert len(search(reading, "page", 1)) == 1
    for name in ("memory_save", "ask_user", "delegate", "nothing", ""):
        assert describe(reading, name, EN) is None
    assert describe(gated, "memory_save", EN) == "memory_save(text: string)\npage\ntext (string, required)"


@pytest.mark.spec("SCR-110", "SCR-108")
def test_describe_tells_the_call_the_description_and_every_parameter() -> None:
    told = describe(callables(served("fetch", NESTED, words="Read pages.\n\nBy id.")), "mcp__notion__fetch", EN)
    assert told is not None
    assert told.splitlines()[1:] == [
        "Read pages.",
        "By id.",
        "filter ({owner: string}): Which pages.",
        "filter.owner (string, required)",
        "pages ({title?: string}[], required)",
        "pages[].title (string): e.g. Due.",
        'kind ("page"|"database"|null)',
        "page-id (string|null)",
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_description_is_cut_at_whole_lines_and_says_so(language: Any) -> None:
    long = served("fetch", NESTED, words="word " * 1_000)
    told = describe(callables(long), long.name, Texts(language))
    assert told is not None
    assert 1_500 < len(told) <= lookup.DESCRIBE_CHARS
    *lines, note = told.splitlines()
    assert note == Texts(language)("script_tool.describe_cut", limit=2_000)
    assert lines[0] == usage_line(long)
    assert all(set(line.split()) == {"word"} for line in lines[1:])
    assert len(lines) > 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("One. Two.", "One."),
        ("Read it, e.g. Python files. Then go.", "Read it, e.g. Python files."),
        ("Version 1.2 of it", "Version 1.2 of it"),
        ("One. two. Three", "One. two."),
        ('Ask "why?" Then\nanswer', 'Ask "why?"'),
        ("a\nb\x07\u2028c", "a b c"),
        ("x" * 300, "x" * 199 + "…"),
        ("", ""),
    ],
)
def test_one_sentence(text: str, sentence: str) -> None:
    assert first_sentence(text) == sentence


ENDLESS = {"properties": {"a": {"anyOf": [{"$ref": "#"}] * 50}, "b": {"items": {"$ref": "#/properties/b"}}}, "anyOf": [{"$ref": "#"}] * 300}
WORDS = st.sampled_from(
    ["type", "properties", "items", "anyOf", "allOf", "required", "enum", "$ref", "description", "a", "#", "#/a", "object"]
)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=5),
    max_leaves=30,
)


@pytest.mark.parametrize("schema", [ENDLESS, 7, [], {"properties": [1]}, {"properties": {"a": True}}, {"type": ["x", 3]}, {"required": 3}])
def test_a_schema_of_any_form_is_told_in_short_and_soon(schema: Any) -> None:
    tool = served("t", schema)
    assert usage_line(tool).startswith("mcp__notion__t(")
    assert len(list(parameters(tool))) <= 300
    assert describe(callables(tool), tool.name, EN)


def test_a_line_has_an_end() -> None:
    many = served("t", {"properties": {f"p{number}": {"type": "string"} for number in range(1_000)}})
    assert len(usage_line(many)) < MAX_USAGE + 50
    assert usage_line(many).endswith(", …)")
    assert usage_line(many, 2) == "mcp__notion__t(p0?: string, p1?: string, …)"


@settings(max_examples=200, deadline=None)
@given(ANY, st.text(max_size=40))
def test_whatever_a_server_writes_it_is_told_on_lines_of_ours(schema: Any, words: str) -> None:
    tool = served("t", schema, words=words)
    line = usage_line(tool)
    assert line.isprintable() or not any(sign in line for sign in "\n\r\x00\u2028")
    told = describe(callables(tool), tool.name, EN)
    assert told is not None
    assert told.splitlines()[0] == line
    assert len(told) <= lookup.DESCRIBE_CHARS
    assert all(
        len(each["description"]) <= lookup.LINE_CHARS and "\n" not in each["description"] for each in search(callables(tool), "t", 5)
    )
    told.encode()


def test_a_set_of_tools_is_read_once() -> None:
    held: Callables = callables(own("a"), own("b"))
    assert held.index is held.index

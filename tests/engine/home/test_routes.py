"""Routes as people write them (PRV-1, PRV-13)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.home.routes import EFFORTS, Route, format_route, parse_route


@pytest.mark.spec("PRV-1", "PRV-13")
@pytest.mark.parametrize(
    ("written", "route"),
    [
        ("ollama:qwen3:8b", Route("ollama", "qwen3:8b")),
        (" fake:echo ", Route("fake", "echo")),
        ("openrouter:google/gemini-2.5-flash-lite", Route("openrouter", "google/gemini-2.5-flash-lite")),
        ("openai:o9?reasoning=low", Route("openai", "o9", "low")),
        ({"route": "openai:o9"}, Route("openai", "o9")),
        ({"route": "openai:o9", "reasoning": "high"}, Route("openai", "o9", "high")),
    ],
)
def test_a_route_is_read_in_each_of_its_forms(written: object, route: Route) -> None:
    assert parse_route(written) == route


@pytest.mark.spec("PRV-13")
@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("", "provider:model"),
        ("gpt", "provider:model"),
        (":x", "provider:model"),
        ("openai:", "provider:model"),
        ("Open AI:x", "provider:model"),
        ("openai:a b", "provider:model"),
        ("openai:" + "m" * 201, "provider:model"),
        (12, "provider:model"),
        (None, "provider:model"),
        ("openai:x?reasoning=huge", "minimal, low, medium, high"),
        ("openai:x?reasoning=", "minimal, low, medium, high"),
        ("openai:x?temperature=1", "temperature=1"),
        ({"route": "openai:x", "effort": "low"}, "reasoning: low"),
        ({"reasoning": "low"}, "reasoning: low"),
        ({"route": "openai:x", "reasoning": 3}, "minimal, low, medium, high"),
    ],
)
def test_what_is_no_route_is_refused_with_the_form_it_should_have(written: object, says: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_route(written)
    assert says in str(caught.value)


@settings(deadline=None)
@given(
    st.from_regex(r"\A[a-z][a-z0-9_-]{0,31}\Z"),
    st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"], exclude_characters="?"), min_size=1, max_size=200),
    st.sampled_from([None, *EFFORTS.values()]),
)
@pytest.mark.spec("PRV-13")
def test_the_text_form_of_a_route_is_read_back_as_the_same_route(provider: str, model: str, reasoning: object) -> None:
    route = Route(provider, model, reasoning)  # type: ignore[arg-type]
    assert parse_route(format_route(route)) == route

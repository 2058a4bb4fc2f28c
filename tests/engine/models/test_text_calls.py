"""Calls that come as text: every known form, at any borders, and text that only looks like one."""

from __future__ import annotations

import itertools
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import CallDelta, ChatMessage, ChatRequest, Completion, ProviderItem, TextDelta, ToolSpec
from crewlab.engine.models.http import HttpPool
from crewlab.engine.models.openai_chat import OLLAMA, OpenAIChat
from crewlab.engine.models.text_calls import TextCalls
from crewlab.engine.texts import Texts
from tests.engine.models.test_openai_chat import Canned
from tests.fixtures.wire import call, chunk, sse

NAMES = {"read", "list"}
LIST = '{"name": "list", "arguments": {}}'
READ = '{"name": "read", "arguments": {"path": "a"}}'
A = [("read", {"path": "a"})]
CASES: list[tuple[str, str, list[tuple[str, object]]]] = [
    (f"<tool_call>\n{READ}\n</tool_call>", "", A),
    (f"I look. <tool_call>{READ}</tool_call>\n<tool_call>{LIST}</tool_call>", "I look. ", [*A, ("list", {})]),
    (f"<tool_call>{READ}", "", A),
    ('<tool_call>{"name": "read", "arguments": {"path": "a</tool_call>', "", [("read", '{"name": "read", "arguments": {"path": "a')]),
    ('<function=read>{"path": "a"}</function>', "", A),
    ("<function=read>\n<parameter=path>\na\n</parameter>\n</function>", "", A),
    (f"[TOOL_CALLS] [{READ}]", "", A),
    ('[TOOL_CALLS]read[ARGS]{"path": "a"}', "", A),
    ('<|python_tag|>{"name": "read", "parameters": {"path": "a"}}', "", A),
    (f"```json\n{READ}\n```", "", A),
    (f"  {READ}\n", "", A),
    ('{"tool": "read", "args": "{\\"path\\": \\"a\\"}"}', "", A),
    ('{"type": "function", "function": {"name": "read", "arguments": {"path": "a"}}}', "", A),
    (f"[{READ}]", "", A),
]
TEXT = [
    "Hello, how are you?",
    "",
    "  \n",
    '{"name": "read"}',
    '{"name": "other", "arguments": {}}',
    '<tool_call>{"name": "other", "arguments": {}}</tool_call>',
    "a < b and <tool",
    "```python\nprint(1)\n```\nThat prints.",
    f"Here is an example:\n```json\n{READ}\n```",
    "[1, 2]",
    "{not json",
    "[TOOL_CALLS] none",
    "`",
]


def run(text: str, cuts: list[int]) -> tuple[str, list[tuple[str, object]]]:
    calls = TextCalls(NAMES)
    edges = [0, *sorted(min(cut, len(text)) for cut in cuts), len(text)]
    shown = "".join(calls.feed(text[a:b]) for a, b in itertools.pairwise(edges))
    rest, found = calls.finish()
    assert not found or shown == calls.shown
    return shown + rest, [(made.name, made.arguments) for made in found]


@pytest.mark.spec("FT-4", "PRV-18")
@pytest.mark.parametrize(("text", "shown", "calls"), CASES)
def test_each_form_is_read_at_any_border(text: str, shown: str, calls: list[tuple[str, object]]) -> None:
    assert run(text, []) == (shown, calls)
    assert run(text, list(range(len(text)))) == (shown, calls)


@pytest.mark.spec("FT-4")
@given(st.sampled_from(TEXT), st.lists(st.integers(0, 80), max_size=10))
def test_what_is_no_call_stays_the_text_it_is(text: str, cuts: list[int]) -> None:
    assert run(text, cuts) == (text, [])


@pytest.mark.spec("FT-4")
def test_plain_text_is_shown_at_once() -> None:
    calls = TextCalls(NAMES)
    assert calls.feed("Hello ") == "Hello "
    assert calls.feed("wor <to") == "wor "
    assert calls.feed("ld") == "<told"


async def ask(body: bytes) -> list[ProviderItem]:
    chat = OpenAIChat(OLLAMA, cast(HttpPool, Canned(body)), Texts(), base_url=lambda: "http://x/v1")
    request = ChatRequest("", (ChatMessage("user", "hi"),), (ToolSpec("read", "", {}), ToolSpec("list", "", {})))
    return [item async for item in chat.stream(request, Route("ollama", "m"))]


@pytest.mark.spec("FT-4")
async def test_the_adapter_makes_them_calls_and_keeps_them_out_of_the_text() -> None:
    items = await ask(sse(chunk({"content": "I look.\n"}), chunk({"content": f"<tool_call>{READ}"}), chunk({}, "stop")))
    done = items[-1]
    assert isinstance(done, Completion)
    assert done.text == "I look.\n"
    assert [(made.name, made.arguments) for made in done.tool_calls] == A
    assert [item for item in items if isinstance(item, TextDelta)] == [TextDelta("I look.\n")]
    assert sum(isinstance(item, CallDelta) for item in items) == 1


@pytest.mark.spec("FT-4")
async def test_real_calls_leave_the_text_alone() -> None:
    items = await ask(sse(chunk({"content": "{held"}), chunk(call(0, "c", "read", "{}")), chunk({}, "tool_calls")))
    done = items[-1]
    assert isinstance(done, Completion)
    assert done.text == "{held" == "".join(item.text for item in items if isinstance(item, TextDelta))
    assert [made.name for made in done.tool_calls] == ["read"]

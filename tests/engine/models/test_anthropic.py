"""Anthropic's Messages API: what is sent, what is read, cut anywhere."""

from __future__ import annotations

from typing import Any

import pytest

from crewlab.engine.home.routes import Effort, Route
from crewlab.engine.models.anthropic import Anthropic
from crewlab.engine.models.anthropic_write import body_of
from crewlab.engine.models.base import (
    CallDelta,
    ChatMessage,
    ChatRequest,
    Completion,
    ProviderError,
    ProviderItem,
    ReasoningDelta,
    TextDelta,
    ToolSpec,
)
from crewlab.engine.models.http import HttpPool
from crewlab.engine.records import ToolCall
from crewlab.engine.texts import Texts
from tests.engine.models.test_openai_chat import check
from tests.engine.models.transcripts import ANTHROPIC
from tests.fixtures.wire import Reply, WireServer

TEXTS = Texts()
ROUTE = Route("anthropic", "claude-sonnet-4-5")
CALLS = (ToolCall(id="call.1", name="f", arguments={"a": 1}), ToolCall(id="c2", name="", arguments="{broken"))
HISTORY = (
    ChatMessage("user", "first"),
    ChatMessage("user", "second"),
    ChatMessage("assistant", "I call.", tool_calls=CALLS),
    ChatMessage("tool", "one", tool_call_id="call.1", name="f"),
    ChatMessage("tool", "two", tool_call_id="c2", name=""),
    ChatMessage("user", "and then?"),
)
TOOLS = (ToolSpec("f", "Does f.", {"type": "object"}), ToolSpec("g", "Does g.", {"type": "object"}))


async def ask(reply: Reply) -> tuple[list[ProviderItem], WireServer]:
    pool = HttpPool()
    async with WireServer(reply) as server:
        provider = Anthropic(pool, TEXTS, base_url=lambda: server.url.removesuffix("/v1"), key=lambda: "the-key")
        try:
            return [item async for item in provider.stream(ChatRequest("s", HISTORY, TOOLS), ROUTE)], server
        finally:
            await pool.close()


@pytest.mark.spec("CNV-108")
async def test_call_fragments_are_shown_as_they_come() -> None:
    items, _ = await ask(Reply(ANTHROPIC.body))
    deltas = [item for item in items if isinstance(item, CallDelta)]
    assert [(item.id, item.name, item.arguments) for item in deltas if item.arguments] == [
        ("toolu_1", "f", '{"path": "b'),
        ("toolu_1", "f", 'áo.md"}'),
    ]


@pytest.mark.spec("PRV-2", "PRV-12", "TURN-5")
async def test_text_thinking_calls_and_usage_are_read() -> None:
    items, server = await ask(Reply(ANTHROPIC.body))
    check(items, ANTHROPIC)
    assert ReasoningDelta() in items
    asked = server.asked[0]
    assert asked.path == "/v1/messages"
    assert asked.headers["x-api-key"] == "the-key"
    assert asked.headers["anthropic-version"]


@pytest.mark.parametrize("at", range(1, len(ANTHROPIC.body), 97))
async def test_cut_at_bytes_the_items_are_the_same(at: int) -> None:
    items, _ = await ask(Reply(ANTHROPIC.body, cuts=(at, at + 1, at + 2)))
    check(items, ANTHROPIC)


async def test_a_stream_that_ends_early_is_broken() -> None:
    with pytest.raises(ProviderError) as caught:
        await ask(Reply(ANTHROPIC.body[: ANTHROPIC.body.index(b"event: message_delta")]))
    assert caught.value.started
    assert not caught.value.transient


async def test_a_message_delta_with_a_reason_is_an_end() -> None:
    items, _ = await ask(Reply(ANTHROPIC.body[: ANTHROPIC.body.index(b"event: message_stop")], end="cut"))
    assert isinstance(items[-1], Completion)


@pytest.mark.spec("PRV-16")
def test_roles_take_turns_and_results_are_blocks_of_one_user_message() -> None:
    body = body_of(ChatRequest("s", HISTORY, TOOLS), ROUTE)
    messages: list[dict[str, Any]] = body["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "user"]
    kinds = [[block["type"] for block in message["content"]] for message in messages]
    assert kinds == [["text", "text"], ["text", "tool_use", "tool_use"], ["tool_result", "tool_result", "text"]]
    used, results = messages[1]["content"][1:], messages[2]["content"]
    assert [block["id"] for block in used] == [block["tool_use_id"] for block in results[:2]] == ["call_1", "c2"]
    assert used[1]["name"] == "_"
    assert used[1]["input"] == {"unreadable_arguments": "{broken"}


@pytest.mark.spec("PRV-16")
def test_the_prompt_the_last_tool_and_the_last_message_are_breakpoints() -> None:
    body = body_of(ChatRequest("s", HISTORY, TOOLS), ROUTE)
    assert body["system"][-1]["cache_control"]
    assert [bool(tool.get("cache_control")) for tool in body["tools"]] == [False, True]
    marked = [block for message in body["messages"] for block in message["content"] if "cache_control" in block]
    assert marked == [body["messages"][-1]["content"][-1]]


def test_what_is_empty_is_left_out() -> None:
    body = body_of(ChatRequest("", (ChatMessage("user", "hi"), ChatMessage("assistant", " \n"), ChatMessage("user", "x"))), ROUTE)
    assert "system" not in body
    assert "tools" not in body
    assert [message["role"] for message in body["messages"]] == ["user"]


@pytest.mark.spec("PRV-13")
@pytest.mark.parametrize(
    ("model", "effort", "expected"),
    [
        ("claude-sonnet-4-5", None, {}),
        ("claude-sonnet-4-5", "low", {"thinking": {"type": "enabled", "budget_tokens": 2048}}),
        ("claude-3-7-sonnet-20250219", "high", {"thinking": {"type": "enabled", "budget_tokens": 16000}}),
        ("claude-opus-4-20250514", "minimal", {"thinking": {"type": "enabled", "budget_tokens": 1024}}),
        ("claude-opus-4-7", "minimal", {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}}),
    ],
)
def test_an_effort_is_sent_in_the_models_form(model: str, effort: Effort | None, expected: dict[str, Any]) -> None:
    body = body_of(ChatRequest("s", HISTORY), Route("anthropic", model, effort))
    assert {key: body[key] for key in ("thinking", "output_config") if key in body} == expected
    if expected.get("thinking", {}).get("budget_tokens"):
        assert body["max_tokens"] > expected["thinking"]["budget_tokens"]


@pytest.mark.spec("PRV-12", "PRV-13")
def test_within_a_tool_loop_no_thinking_is_asked_because_none_is_kept() -> None:
    body = body_of(ChatRequest("s", HISTORY[:-1]), Route("anthropic", "claude-sonnet-4-5", "high"))
    assert "thinking" not in body


async def test_text_is_shown_in_order() -> None:
    items, _ = await ask(Reply(ANTHROPIC.body))
    assert [item.text for item in items if isinstance(item, TextDelta)] == ["Tôi ghi ", "tệp 📝."]

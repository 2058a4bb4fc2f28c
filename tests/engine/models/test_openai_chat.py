"""The OpenAI-compatible adapter against streams of several vendors, whole and cut anywhere."""

from __future__ import annotations

import itertools
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.home.routes import Effort, Route
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
from crewlab.engine.models.failures import Server
from crewlab.engine.models.http import HttpPool, Post
from crewlab.engine.models.openai_chat import OLLAMA, OPENAI, OPENROUTER, Flavour, OpenAIChat, read_chat
from crewlab.engine.records import ToolCall
from crewlab.engine.texts import Texts
from tests.engine.models.transcripts import NO_DONE, OPENAI_CALLS, OPENAI_FORM, Transcript
from tests.engine.models.transcripts import OPENROUTER as OPENROUTER_STREAM
from tests.fixtures.wire import Reply, WireServer, call, chunk, sse

TEXTS = Texts()
REQUEST = ChatRequest("You help.", (ChatMessage("user", "hi"),))
SERVER = Server("openrouter", "m", "http://x", "OPENROUTER_API_KEY", "secret-key")


class Canned:
    """Stands for the pool: gives the bytes in the pieces asked for."""

    def __init__(self, body: bytes, cuts: Sequence[int] = ()) -> None:
        edges = [0, *sorted(cuts), len(body)]
        self._pieces = [body[a:b] for a, b in itertools.pairwise(edges) if a < b]

    async def stream(self, post: Post) -> AsyncGenerator[bytes, None]:
        for piece in self._pieces:
            yield piece


async def read(body: bytes, cuts: Sequence[int] = ()) -> list[ProviderItem]:
    pool = cast(HttpPool, Canned(body, cuts))
    return [item async for item in read_chat(pool, Post("http://x", {}), TEXTS, SERVER, reports_cost=True)]


def check(items: list[ProviderItem], expected: Transcript) -> None:
    done = items[-1]
    assert isinstance(done, Completion)
    assert sum(isinstance(item, Completion) for item in items) == 1
    assert done.text == expected.text
    assert "".join(item.text for item in items if isinstance(item, TextDelta)) == expected.text
    assert tuple((made.name, made.arguments) for made in done.tool_calls) == expected.calls
    assert len({made.id for made in done.tool_calls}) == len(expected.calls)
    assert done.usage == expected.usage
    assert done.cost_usd == expected.cost
    assert any(isinstance(item, ReasoningDelta) for item in items) is expected.reasons


@pytest.mark.spec("PRV-12", "PRV-18", "TURN-5", "COST-1", "FT-2")
@pytest.mark.parametrize("name", OPENAI_FORM)
async def test_each_vendor_is_understood(name: str) -> None:
    check(await read(OPENAI_FORM[name].body), OPENAI_FORM[name])


@pytest.mark.parametrize("name", OPENAI_FORM)
async def test_every_split_in_two_gives_the_same_items(name: str) -> None:
    body = OPENAI_FORM[name].body
    whole = await read(body)
    for at in range(1, len(body)):
        assert await read(body, [at]) == whole


@given(st.sampled_from(sorted(OPENAI_FORM)), st.lists(st.integers(0, 900), max_size=30))
@settings(deadline=None, max_examples=60)
async def test_any_split_gives_the_same_items(name: str, cuts: list[int]) -> None:
    body = OPENAI_FORM[name].body
    assert await read(body, [cut for cut in cuts if cut < len(body)]) == await read(body)


async def over_wire(
    reply: Reply | list[Reply], flavour: Flavour = OPENROUTER, *, request: ChatRequest = REQUEST, effort: Effort | None = None
) -> tuple[list[ProviderItem], WireServer]:
    replies = reply if isinstance(reply, list) else [reply]
    pool = HttpPool()
    async with WireServer(*replies) as server:
        chat = OpenAIChat(flavour, pool, TEXTS, base_url=lambda: server.url, key=lambda: "secret-key")
        items = [item async for item in chat.stream(request, Route(flavour.provider, "some/model", effort))]
        await pool.close()
    return items, server


@pytest.mark.parametrize("at", range(1, len(OPENROUTER_STREAM.body), 41))
async def test_over_a_real_connection_cut_at_bytes(at: int) -> None:
    items, _ = await over_wire(Reply(OPENROUTER_STREAM.body, cuts=(at, at + 1, at + 2)))
    check(items, OPENROUTER_STREAM)


@pytest.mark.spec("PRV-16", "PRV-13")
async def test_the_request_is_prompt_history_tools_and_asks_for_usage() -> None:
    tool = ToolSpec("f", "Does f.", {"type": "object", "properties": {}})
    calls = (ToolCall(id="c1", name="f", arguments={"é": 1}), ToolCall(id="c2", name="bad name", arguments='{"x'))
    history = (
        ChatMessage("user", "hi"),
        ChatMessage("assistant", "", tool_calls=calls),
        ChatMessage("tool", "done", tool_call_id="c1", name="f"),
        ChatMessage("tool", "no", tool_call_id="c2", name="bad name"),
    )
    _, server = await over_wire(Reply(NO_DONE.body), request=ChatRequest("You help.", history, (tool,)))
    asked = server.asked[0]
    assert (asked.method, asked.path) == ("POST", "/v1/chat/completions")
    assert asked.headers["authorization"] == "Bearer secret-key"
    body: dict[str, Any] = asked.body
    assert list(body)[:3] == ["model", "messages", "tools"]
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "tool", "tool"]
    made = body["messages"][2]["tool_calls"]
    assert made[0]["function"] == {"name": "f", "arguments": '{"é":1}'}
    assert made[1]["function"] == {"name": "bad_name", "arguments": '{"unreadable_arguments":"{\\"x"}'}
    assert body["tools"][0]["function"]["name"] == "f"
    assert body["stream_options"] == {"include_usage": True}
    assert "reasoning" not in body
    assert "reasoning_effort" not in body


@pytest.mark.spec("PRV-13", "PRV-2")
@pytest.mark.parametrize(
    ("flavour", "field", "value"),
    [(OPENROUTER, "reasoning", {"effort": "low"}), (OPENAI, "reasoning_effort", "low"), (OLLAMA, "reasoning_effort", "low")],
)
async def test_an_effort_is_sent_in_the_vendors_form(flavour: Flavour, field: str, value: object) -> None:
    _, server = await over_wire(Reply(NO_DONE.body), flavour, effort="low")
    assert server.asked[0].body[field] == value
    assert ("usage" in server.asked[0].body) is (flavour is OPENROUTER)


@pytest.mark.spec("TURN-5", "COST-1", "TOOL-35")
@pytest.mark.parametrize(("flavour", "cost"), [(OPENROUTER, 0.00095), (OPENAI, None), (OLLAMA, None)])
async def test_only_openrouter_states_a_price(flavour: Flavour, cost: float | None) -> None:
    items, _ = await over_wire(Reply(OPENROUTER_STREAM.body), flavour)
    assert isinstance(items[-1], Completion)
    assert items[-1].cost_usd == cost


@pytest.mark.spec("TURN-5")
@pytest.mark.parametrize("cost", ["free", True, -1, None, float("nan"), float("inf")])
async def test_a_price_that_is_no_price_is_unknown(cost: object) -> None:
    done = (await read(sse(chunk({"content": "x"}, "stop", usage={"cost": cost, "prompt_tokens": "many"}))))[-1]
    assert isinstance(done, Completion)
    assert done.cost_usd is None
    assert done.usage.prompt_tokens is None


@pytest.mark.spec("CNV-108")
async def test_call_fragments_are_shown_as_they_come() -> None:
    items = await read(OPENAI_CALLS.body)
    deltas = [item for item in items if isinstance(item, CallDelta)]
    assert [(item.index, item.id, item.name) for item in deltas[:3]] == [(0, "call_a", "workspace_write")] * 3
    assert "".join(item.arguments for item in deltas if item.index == 0) == '{"path": "ghi chú.txt", "content": "a\\n"}'


async def test_too_many_calls_are_a_fault_of_the_stream() -> None:
    with pytest.raises(ProviderError):
        await read(sse(*[chunk(call(n, f"c{n}", "f", "{}")) for n in range(65)]))


@pytest.mark.parametrize("data", ["data: [1]", "data: null", 'data: {"choices": [7]}', 'data: {"choices": {}}', 'data: {"usage": 3}'])
async def test_odd_chunks_are_passed_over(data: str) -> None:
    check(await read(sse(data, chunk({"content": "x", "tool_calls": [3, {"function": None}][:1]}, "stop"))), Transcript(b"", "x"))


async def test_a_connection_is_used_again() -> None:
    pool = HttpPool()
    async with WireServer(Reply(OPENROUTER_STREAM.body)) as server:
        chat = OpenAIChat(OPENAI, pool, TEXTS, base_url=lambda: server.url)
        for _ in range(3):
            check([item async for item in chat.stream(REQUEST, Route("openai", "m"))], OPENROUTER_STREAM_WITHOUT_PRICE)
        assert server.connections == 1
        await pool.close()


async def test_a_kept_connection_that_the_server_closed_is_replaced_at_once() -> None:
    pool = HttpPool()
    async with WireServer(Reply(NO_DONE.body), Reply(end="drop"), Reply(NO_DONE.body), Reply(end="drop")) as server:
        chat = OpenAIChat(OPENAI, pool, TEXTS, base_url=lambda: server.url)
        for _ in range(2):
            check([item async for item in chat.stream(REQUEST, Route("openai", "m"))], NO_DONE)
        assert server.connections == 2
        with pytest.raises(ProviderError) as caught:
            async for _ in chat.stream(REQUEST, Route("openai", "m")):
                pass
        assert caught.value.transient
        assert len(server.asked) == 5
        await pool.close()


OPENROUTER_STREAM_WITHOUT_PRICE = Transcript(OPENROUTER_STREAM.body, OPENROUTER_STREAM.text, usage=OPENROUTER_STREAM.usage, reasons=True)


@pytest.mark.spec("PRV-6")
async def test_closing_the_iterator_closes_the_connection() -> None:
    pool = HttpPool()
    async with WireServer(Reply(sse(chunk({"content": "x"}), done=False), end="stall")) as server:
        chat = OpenAIChat(OPENAI, pool, TEXTS, base_url=lambda: server.url)
        async with aclosing(cast(AsyncGenerator[ProviderItem, None], chat.stream(REQUEST, Route("openai", "m")))) as items:
            assert await anext(items) == TextDelta("x")
        await server.client_gone.wait()
        await pool.close()

"""Token counts as providers tell them: again and again, at the end, or in one piece (FM-2, FM-3, FM-6)."""

import json
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.home.routes import Route
from crewlab.engine.models.anthropic import Anthropic
from crewlab.engine.models.base import ChatMessage, ChatRequest, Completion, Usage
from crewlab.engine.models.http import HttpPool
from crewlab.engine.models.openai_chat import OPENROUTER, OpenAIChat
from crewlab.engine.texts import Texts
from tests.engine.models.test_openai_chat import Canned
from tests.fixtures.wire import call, chunk, sse

REQUEST = ChatRequest("", (ChatMessage("user", "hi"),))
COUNTS = st.integers(0, 500_000)


async def answer(body: bytes, *, anthropic: bool = False) -> Completion:
    pool = cast(HttpPool, Canned(body))
    texts = Texts()
    made = (
        Anthropic(pool, texts, base_url=lambda: "http://x", key=lambda: "k")
        if anthropic
        else OpenAIChat(OPENROUTER, pool, texts, base_url=lambda: "http://x/v1", key=lambda: "k")
    )
    items = [item async for item in made.stream(REQUEST, Route("openrouter", "m"))]
    assert isinstance(items[-1], Completion)
    return items[-1]


def usage(prompt, completion, cached=0, reasoning=0, written=0, cost=None):
    told = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "prompt_tokens_details": {"cached_tokens": cached, "cache_write_tokens": written},
        "completion_tokens_details": {"reasoning_tokens": reasoning},
    }
    return told if cost is None else {**told, "cost": cost}


@pytest.mark.spec("FM-2")
@given(prompt=COUNTS, pieces=st.lists(st.integers(0, 2_000), min_size=1, max_size=12), cost=st.floats(0, 10))
async def test_counts_that_are_told_with_every_chunk_are_never_added_up(prompt, pieces, cost):
    so_far, chunks = 0, []
    for piece in pieces:
        so_far += piece
        chunks.append(chunk({"content": "x"}, usage=usage(prompt, so_far, cost=cost * so_far / (sum(pieces) or 1))))
    done = await answer(sse(*chunks, chunk({}, "stop"), {"choices": [], "usage": usage(prompt, so_far, cost=cost)}))
    assert (done.usage.prompt_tokens, done.usage.completion_tokens) == (prompt, sum(pieces))
    assert done.cost_usd == pytest.approx(cost)


@pytest.mark.spec("FM-2", "FM-6")
@pytest.mark.parametrize("last", [usage(0, 0, cost=0), {}, None, {"prompt_tokens": None, "completion_tokens": None}])
async def test_an_empty_last_word_does_not_wipe_what_was_told(last):
    done = await answer(sse(chunk({"content": "x"}, usage=usage(100, 20, 60, 5, 10, cost=0.5)), chunk({}, "stop", usage=last)))
    assert done.usage == Usage(100, 20, 60, 5, 10)
    assert done.cost_usd == 0.5


@pytest.mark.spec("FM-2", "FM-3")
async def test_anthropics_counts_are_told_from_the_beginning_each_time():
    start = {"input_tokens": 50, "cache_read_input_tokens": 1_000, "cache_creation_input_tokens": 300, "output_tokens": 1}
    events = [
        {"type": "message_start", "message": {"usage": start}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "x"}},
        {"type": "message_delta", "delta": {}, "usage": {"output_tokens": 40}},
        {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 90, "input_tokens": 0}},
        {"type": "message_stop"},
    ]
    done = await answer(sse(*events, done=False), anthropic=True)
    assert done.usage == Usage(1_350, 90, 1_000, None, 300)


@pytest.mark.spec("FM-6")
@given(prompt=COUNTS, completion=COUNTS, cached=COUNTS, reasoning=COUNTS, written=COUNTS, cost=st.floats(0, 10))
async def test_a_streamed_answer_and_a_plain_one_tell_the_same(prompt, completion, cached, reasoning, written, cost):
    told = usage(prompt, completion, cached, reasoning, written, cost)
    delta = call(0, "k", "read", '{"path": "a"}')
    streamed = await answer(sse(chunk({"content": "Hello"}), chunk(delta), chunk({}, "tool_calls"), {"choices": [], "usage": told}))
    message = {"role": "assistant", "content": "Hello", **delta}
    plain = await answer(json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}], "usage": told}).encode())
    assert plain == streamed
    assert streamed.usage == Usage(prompt, completion, cached, reasoning, written)
    assert streamed.cost_usd == cost

"""A request that is too long for the model, said in the words of many servers (CMP-9)."""

import json
from pathlib import Path

import pytest

from crewlab.engine.home.routes import Route
from crewlab.engine.models.anthropic import Anthropic
from crewlab.engine.models.base import ChatMessage, ChatRequest, ProviderError
from crewlab.engine.models.failures import Server, from_status
from crewlab.engine.models.http import HttpPool
from crewlab.engine.models.openai_chat import OPENAI, OpenAIChat
from crewlab.engine.models.openai_stream import ChunkReader
from crewlab.engine.texts import Texts
from tests.fixtures.wire import Reply, WireServer, chunk, sse

TEXTS = Texts()
SERVER = Server("openai", "some-model", "http://127.0.0.1:1/v1", "OPENAI_API_KEY", "sk-secret-000000")
CORPUS = json.loads((Path(__file__).parent / "corpus" / "too_long.json").read_text(encoding="utf-8"))
REQUEST = ChatRequest("s", (ChatMessage("user", "hi"),))


def body_of(row):
    return row["body"] if isinstance(row["body"], str) else json.dumps(row["body"])


@pytest.mark.spec("FC-6", "FC-7", "CMP-9")
@pytest.mark.parametrize("row", CORPUS["too_long"], ids=lambda row: row["vendor"])
def test_each_vendor_is_understood_in_its_own_words_and_language(row):
    error = from_status(TEXTS, SERVER, row["status"], body_of(row))
    assert (error.too_long, error.transient, error.unreadable_call) == (True, False, False)
    assert error.limit == row["limit"]
    assert "too long" in error.message


@pytest.mark.spec("FC-6", "CMP-9")
@pytest.mark.parametrize("row", CORPUS["other"], ids=lambda row: body_of(row)[:50])
def test_limits_of_rates_money_and_fields_are_no_windows(row):
    assert not from_status(TEXTS, SERVER, row["status"], body_of(row)).too_long


@pytest.mark.spec("FC-7", "CMP-9")
@pytest.mark.parametrize("row", CORPUS["too_long"], ids=lambda row: row["vendor"])
def test_the_same_words_count_as_an_error_chunk_in_the_stream(row):
    inner = row["body"].get("error") if isinstance(row["body"], dict) else None
    if inner is None:
        inner = {"message": body_of(row), "code": row["status"]}
    reader = ChunkReader(TEXTS, SERVER)
    with pytest.raises(ProviderError) as caught:
        list(reader.read(json.dumps({"error": inner})))
    assert caught.value.too_long


def stopped(reason, *deltas, usage=None):
    return sse(*(chunk(delta) for delta in deltas), chunk({}, reason), {"choices": [], "usage": usage or {}})


async def ask(provider, reply):
    async with WireServer(reply) as server:
        pool = HttpPool()
        if provider == "anthropic":
            made = Anthropic(pool, TEXTS, base_url=lambda: server.url.removesuffix("/v1"), key=lambda: "k")
        else:
            made = OpenAIChat(OPENAI, pool, TEXTS, base_url=lambda: server.url, key=lambda: "k")
        try:
            return [item async for item in made.stream(REQUEST, Route(provider, "m"))]
        finally:
            await pool.close()


@pytest.mark.spec("FC-7", "CMP-9")
@pytest.mark.parametrize("reason", ["model_context_window_exceeded", "model_length", "length"])
async def test_an_empty_answer_that_stopped_because_the_window_was_full_is_a_request_too_long(reason):
    with pytest.raises(ProviderError) as caught:
        await ask(
            "openai", Reply(stopped(reason, {"role": "assistant", "content": ""}, usage={"prompt_tokens": 4096, "completion_tokens": 0}))
        )
    assert (caught.value.too_long, caught.value.started) == (True, True)


@pytest.mark.spec("CMP-9")
@pytest.mark.parametrize(
    ("reason", "delta"),
    [
        ("length", {"content": "half an ans"}),
        ("length", {"reasoning": "hm"}),
        ("model_length", {"content": "half"}),
        ("stop", {"content": ""}),
    ],
)
async def test_an_answer_that_was_only_cut_at_its_own_limit_is_an_answer(reason, delta):
    items = await ask("openai", Reply(stopped(reason, delta)))
    assert items[-1].text == delta.get("content", "")


@pytest.mark.spec("FC-7", "CMP-9")
@pytest.mark.parametrize("words", ["", "half an answer"])
async def test_anthropics_stop_reason_for_a_full_window(words):
    events = [
        {"type": "message_start", "message": {"usage": {"input_tokens": 200_000}}},
        *([{"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": words}}] if words else []),
        {"type": "message_delta", "delta": {"stop_reason": "model_context_window_exceeded"}, "usage": {"output_tokens": 0}},
        {"type": "message_stop"},
    ]
    reply = Reply(sse(*events, done=False))
    if words:
        assert (await ask("anthropic", reply))[-1].text == words
        return
    with pytest.raises(ProviderError) as caught:
        await ask("anthropic", reply)
    assert caught.value.too_long

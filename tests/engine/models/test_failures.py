"""What goes wrong at a server: whether it is retried, what the person reads, and that no key is in it."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable

import pytest

from crewlab.engine.home.routes import Route
from crewlab.engine.models import http
from crewlab.engine.models.anthropic import Anthropic
from crewlab.engine.models.base import ChatMessage, ChatRequest, Provider, ProviderError, TextDelta
from crewlab.engine.models.failures import DETAIL_CHARS, mask
from crewlab.engine.models.http import HttpPool, Limits
from crewlab.engine.models.openai_chat import OLLAMA, OPENROUTER, OpenAIChat
from crewlab.engine.texts import Texts
from tests.fixtures.wire import Reply, WireServer, chunk, sse

TEXTS = Texts()
KEY = "sk-or-v1-very-secret-0123456789"
REQUEST = ChatRequest("s", (ChatMessage("user", "hi"),))
FAST = Limits(connect=1.0, first_chunk=0.15, next_chunk=0.15)

Make = Callable[[HttpPool, str], Provider]


def openrouter(pool: HttpPool, url: str) -> Provider:
    return OpenAIChat(OPENROUTER, pool, TEXTS, base_url=lambda: url, key=lambda: KEY)


def ollama(pool: HttpPool, url: str) -> Provider:
    return OpenAIChat(OLLAMA, pool, TEXTS, base_url=lambda: url)


def anthropic(pool: HttpPool, url: str) -> Provider:
    return Anthropic(pool, TEXTS, base_url=lambda: url.removesuffix("/v1"), key=lambda: KEY)


async def fail(make: Make, reply: Reply | str, limits: Limits | None = None) -> tuple[ProviderError, str]:
    """The error of a request and the text shown before it."""
    pool = HttpPool(limits)
    shown = ""
    with pytest.raises(ProviderError) as caught:
        if isinstance(reply, str):
            async for _ in make(pool, reply).stream(REQUEST, Route("openrouter", "some/model")):
                pass
        else:
            async with WireServer(reply) as server:
                try:
                    async for item in make(pool, server.url).stream(REQUEST, Route("openrouter", "some/model")):
                        shown += item.text if isinstance(item, TextDelta) else ""
                finally:
                    await pool.close()
    await pool.close()
    assert KEY not in caught.value.message
    return caught.value, shown


def error_body(message: str, **more: object) -> bytes:
    return json.dumps({"error": {"message": message, **more}}).encode()


STATUS = [
    (400, False, "could not take"),
    (401, False, "OPENROUTER_API_KEY"),
    (402, False, "credit"),
    (403, False, "does not let"),
    (404, False, "does not know some/model"),
    (408, True, "in time"),
    (413, False, "too long"),
    (418, False, "refused"),
    (425, True, "failed on its side"),
    (429, True, "no more requests"),
    (500, True, "failed on its side (500)"),
    (502, True, "failed on its side (502)"),
    (503, True, "failed on its side (503)"),
    (529, True, "failed on its side (529)"),
]


@pytest.mark.spec("PRV-7", "TURN-10")
@pytest.mark.parametrize(("status", "transient", "words"), STATUS)
@pytest.mark.parametrize("make", [openrouter, anthropic])
async def test_each_status_is_a_sentence_that_says_what_to_do(make: Make, status: int, transient: bool, words: str) -> None:
    body = error_body(f"Incorrect key {KEY} given. Details inside.")
    error, _ = await fail(make, Reply(body, status, "application/json"))
    assert error.transient is transient
    assert error.status == status
    assert not error.started
    assert words.replace("OPENROUTER", "ANTHROPIC" if make is anthropic else "OPENROUTER") in error.message
    if status not in (408,):
        assert "Details inside." in error.message


@pytest.mark.parametrize(
    "body",
    [b"", b"<b>Bad gateway</b>", b"[]", b"{}", b'"text"', b'{"error": "plain"}', b'{"detail": "x"}', b"[" * 50_000, b"\xff\xfe"],
)
async def test_any_error_body_makes_one_short_line(body: bytes) -> None:
    error, _ = await fail(openrouter, Reply(body, 500, "text/html"))
    assert "\n" not in error.message
    assert len(error.message) < DETAIL_CHARS + 200


def test_keys_and_what_looks_like_keys_are_masked() -> None:
    shown = mask(f"a {KEY} b\nsk-proj-abcdefghij Bearer abc.def.ghi key_12345678 other-secret", "other-secret")
    for secret in (KEY, "abcdefghij", "abc.def", "12345678", "other-secret"):
        assert secret not in shown
    assert len(mask("x" * 5000)) == DETAIL_CHARS


@pytest.mark.spec("PRV-7")
@pytest.mark.parametrize(
    ("error", "transient"),
    [
        ({"code": 502, "message": "upstream"}, True),
        ({"code": "503", "message": "upstream"}, True),
        ({"code": 429, "message": "slow down"}, True),
        ({"code": "provider_unavailable", "message": "gone"}, True),
        ({"type": "server_error", "message": "oops"}, True),
        ({"code": 400, "message": "no"}, False),
        ({"message": "no code at all"}, False),
        ({"code": "content_filter", "message": "no"}, False),
        ("just words", False),
    ],
)
async def test_an_error_chunk_is_retried_only_with_a_code_that_says_so(error: object, transient: bool) -> None:
    found, shown = await fail(openrouter, Reply(sse(chunk({"content": "par"}), {"error": error, "choices": []})))
    assert found.transient is transient
    assert found.started
    assert shown == "par"


@pytest.mark.spec("FT-1")
@pytest.mark.parametrize(
    ("status", "message", "unreadable"),
    [
        (500, "error parsing tool call: raw='{\"path\": ', err=unexpected end of JSON input", True),
        (500, "Failed to parse tool call arguments as JSON: [json.exception.parse_error.101]", True),
        (500, "The model's tool call could not be parsed as valid JSON", True),
        (500, "invalid character '}' in function call", True),
        (500, "CUDA out of memory", False),
        (500, "tool server is down", False),
        (400, "messages with role 'tool' must follow a tool call; invalid", False),
    ],
)
async def test_a_server_that_could_not_read_the_models_call_is_recognised(status: int, message: str, unreadable: bool) -> None:
    error, _ = await fail(openrouter, Reply(error_body(message), status, "application/json"))
    assert error.unreadable_call is unreadable


@pytest.mark.spec("PRV-15", "PRV-7")
@pytest.mark.parametrize("make", [openrouter, anthropic])
async def test_no_first_chunk_in_time_counts_as_a_connection_error(make: Make) -> None:
    error, _ = await fail(make, Reply(end="silent"), FAST)
    assert error.transient
    assert not error.started
    error, _ = await fail(make, Reply(end="stall"), FAST)
    assert error.transient


@pytest.mark.spec("PRV-15")
async def test_silence_between_chunks_counts_as_a_connection_error() -> None:
    error, shown = await fail(openrouter, Reply(sse(chunk({"content": "half"}), done=False), end="stall"), FAST)
    assert error.transient
    assert error.started
    assert shown == "half"


@pytest.mark.spec("PRV-15")
def test_the_limits_are_those_of_the_specification() -> None:
    assert (http.CONNECT_SECONDS, http.FIRST_CHUNK_SECONDS, http.NEXT_CHUNK_SECONDS) == (10, 120, 120)
    assert Limits() == Limits(10, 120, 120)


@pytest.mark.spec("PRV-7")
@pytest.mark.parametrize("end", ["cut", "whole"])
async def test_a_stream_that_breaks_off_is_not_retried(end: str) -> None:
    reply = Reply(sse(chunk({"content": "half"}), done=False), end="cut" if end == "cut" else "whole")
    error, shown = await fail(openrouter, reply)
    assert not error.transient
    assert error.started
    assert shown == "half"


@pytest.mark.spec("PRV-7")
async def test_a_stream_cut_before_its_first_byte_is_a_connection_error() -> None:
    error, _ = await fail(openrouter, Reply(b"", end="cut"))
    assert error.transient
    assert not error.started


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@pytest.mark.spec("PRV-2", "PRV-7", "TOOL-33")
async def test_nothing_listening_is_a_connection_error_that_names_ollama() -> None:
    error, _ = await fail(ollama, f"http://127.0.0.1:{free_port()}/v1")
    assert error.transient
    assert "ollama serve" in error.message
    error, _ = await fail(openrouter, f"http://127.0.0.1:{free_port()}/v1")
    assert error.transient
    assert "cannot be reached" in error.message


@pytest.mark.parametrize("url", ["not a url", "ftp://x", "http://", "http://127.0.0.1:99999/v1"])
async def test_a_base_url_that_is_none_is_an_error_not_a_crash(url: str) -> None:
    error, _ = await fail(openrouter, url)
    assert not error.transient
    assert "is no URL of a server" in error.message


@pytest.mark.parametrize("body", [b"<html>hello</html>", b"data: {broken\n\n", b"", b"{broken"])
async def test_what_is_no_stream_is_refused(body: bytes) -> None:
    await fail(openrouter, Reply(body))


async def test_an_answer_beyond_the_bound_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "MAX_BODY_BYTES", 1000)
    error, _ = await fail(openrouter, Reply(sse(*[chunk({"content": "x" * 100})] * 20), cuts=tuple(range(0, 2000, 100))))
    assert "more than one answer may hold" in error.message
    assert not error.transient


@pytest.mark.spec("PRV-7")
@pytest.mark.parametrize(
    ("kind", "transient"),
    [("overloaded_error", True), ("api_error", True), ("rate_limit_error", True), ("invalid_request_error", False), ("odd", False)],
)
async def test_error_events_of_anthropic(kind: str, transient: bool) -> None:
    begin = {"type": "message_start", "message": {"usage": {"input_tokens": 1}}}
    reply = Reply(sse(begin, {"type": "error", "error": {"type": kind, "message": "Overloaded"}}, done=False))
    error, _ = await fail(anthropic, reply)
    assert error.transient is transient
    assert error.started


async def test_both_languages_say_all_of_it() -> None:
    from crewlab.engine.texts import en_models, vi_models

    assert en_models.TEXTS.keys() == vi_models.TEXTS.keys()

"""The OpenAI-compatible streaming adapter: OpenRouter, OpenAI, Ollama, llama.cpp, vLLM by base URL."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Set
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from crewlab.engine.home.routes import Route
from crewlab.engine.models.base import CallDelta, ChatRequest, Completion, ProviderError, ProviderItem, TextDelta
from crewlab.engine.models.failures import Server, from_failure, from_status
from crewlab.engine.models.http import HttpFailure, HttpPool, HttpStatus, Post
from crewlab.engine.models.openai_stream import ChunkReader
from crewlab.engine.models.openai_write import messages_of, tools_of
from crewlab.engine.models.sse import SseDecoder, SseTooLong
from crewlab.engine.models.text_calls import TextCalls
from crewlab.engine.texts import Texts

DONE = "[DONE]"
AFTER_END_SECONDS = 2.0  # how long usage may follow the end of the answer


@dataclass(frozen=True, slots=True)
class Flavour:
    """How one server differs from the common form.

    ``effort`` says how a thinking effort is written (PRV-13); ``reports_cost`` whether ``usage.cost`` is a price.
    """

    provider: str
    variable: str | None = None
    effort: str | None = "reasoning_effort"
    reports_cost: bool = False
    extra: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


OPENROUTER = Flavour(
    "openrouter",
    "OPENROUTER_API_KEY",
    effort="reasoning",
    reports_cost=True,
    extra={"usage": {"include": True}},
    headers={"X-Title": "crewlab"},
)
OPENAI = Flavour("openai", "OPENAI_API_KEY")
OLLAMA = Flavour("ollama")


class OpenAIChat:
    """A provider at one base URL. ``base_url`` and ``key`` are asked at each call."""

    small = False

    def __init__(
        self,
        flavour: Flavour,
        pool: HttpPool,
        texts: Texts,
        *,
        base_url: Callable[[], str],
        key: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.name = flavour.provider
        self._flavour = flavour
        self._pool = pool
        self._texts = texts
        self._base_url = base_url
        self._key = key

    def body(self, request: ChatRequest, route: Route) -> dict[str, Any]:
        """The JSON of the request: prompt, history, tools, in that order (PRV-16)."""
        body: dict[str, Any] = {"model": route.model, "messages": messages_of(request)}
        if request.tools:
            body["tools"] = tools_of(request)
        body |= {"stream": True, "stream_options": {"include_usage": True}, **self._flavour.extra}
        if route.reasoning and self._flavour.effort == "reasoning":
            body["reasoning"] = {"effort": route.reasoning}
        elif route.reasoning and self._flavour.effort:
            body[self._flavour.effort] = route.reasoning
        return body

    async def stream(self, request: ChatRequest, route: Route) -> AsyncIterator[ProviderItem]:
        """Ask the server and read its stream."""
        base, key = self._base_url().rstrip("/"), self._key()
        server = Server(self._flavour.provider, route.model, base, self._flavour.variable, key)
        headers = {**self._flavour.headers, **({"Authorization": f"Bearer {key}"} if key else {})}
        post = Post(f"{base}/chat/completions", self.body(request, route), headers, key)
        items = read_chat(self._pool, post, self._texts, server, reports_cost=self._flavour.reports_cost)
        async with aclosing(items if not request.tools else with_text_calls(items, {tool.name for tool in request.tools})) as found:
            async for item in found:
                yield item

    async def close(self) -> None:
        """The clients belong to the pool."""


async def read_chat(
    pool: HttpPool, post: Post, texts: Texts, server: Server, *, reports_cost: bool = False
) -> AsyncGenerator[ProviderItem, None]:
    """Send ``post`` and turn its stream into items; raises ``ProviderError``."""
    reader = ChunkReader(texts, server, reports_cost=reports_cost)
    try:
        async with aclosing(_data(pool, post)) as events:
            while (data := await _next(events, reader.finished)) is not None:
                if data == DONE:
                    reader.finished = True
                    continue
                for item in reader.read(data):
                    yield item
    except HttpStatus as error:
        raise from_status(texts, server, error.status, error.body) from error
    except HttpFailure as error:
        if not reader.finished:
            raise from_failure(texts, server, error, started=reader.started) from error
    except SseTooLong as error:
        raise ProviderError(texts("models.not_sse", provider=server.provider, url=server.url), started=reader.started) from error
    for item in reader.flush():
        yield item
    yield reader.completion()


async def with_text_calls(items: AsyncGenerator[ProviderItem, None], names: Set[str]) -> AsyncGenerator[ProviderItem, None]:
    """The items with calls that came as text made calls (FT-4); a real call ends the search."""
    calls = TextCalls(names)
    async with aclosing(items):
        async for item in items:
            if isinstance(item, TextDelta):
                shown = calls.feed(item.text)
                if shown:
                    yield TextDelta(shown)
            elif isinstance(item, Completion):
                rest, found = calls.finish() if not item.tool_calls else (calls.rest(), ())
                if rest:
                    yield TextDelta(rest)
                for place, call in enumerate(found):
                    yield CallDelta(place, call.id, call.name, json.dumps(call.arguments, ensure_ascii=False))
                yield replace(item, text=calls.shown, tool_calls=found) if found else item
            else:
                yield item


async def _next(events: AsyncGenerator[str, None], is_finished: bool) -> str | None:
    """The next event; once the answer has ended, only what comes soon (usage, the end that frees the connection)."""
    try:
        async with asyncio.timeout(AFTER_END_SECONDS if is_finished else None):
            return await anext(events, None)
    except TimeoutError:
        return None


async def _data(pool: HttpPool, post: Post) -> AsyncGenerator[str, None]:
    """The data of each event; a server that answers one plain JSON object gives that object."""
    decoder = SseDecoder()
    plain: bytearray | None = None
    first = True
    async with aclosing(pool.stream(post)) as chunks:
        async for chunk in chunks:
            if first and chunk.strip():
                first = False
                plain = bytearray() if chunk.lstrip()[:1] == b"{" else None
            if plain is not None:
                plain += chunk
                continue
            for event in decoder.feed(chunk):
                yield event.data
    if plain is not None:
        yield json.dumps(_plain(plain))
    for event in decoder.finish():
        yield event.data


def _plain(body: bytearray) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None

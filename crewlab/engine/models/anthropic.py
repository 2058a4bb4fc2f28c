"""Anthropic's own Messages API, streaming."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import aclosing

from crewlab.engine.home.routes import Route
from crewlab.engine.models.anthropic_stream import EventReader
from crewlab.engine.models.anthropic_write import body_of
from crewlab.engine.models.base import ChatRequest, ProviderError, ProviderItem
from crewlab.engine.models.failures import Server, from_failure, from_status
from crewlab.engine.models.http import HttpFailure, HttpPool, HttpStatus, Post
from crewlab.engine.models.sse import SseDecoder, SseTooLong
from crewlab.engine.texts import Texts

VERSION = "2023-06-01"
VARIABLE = "ANTHROPIC_API_KEY"


class Anthropic:
    """The provider ``anthropic``. ``base_url`` and ``key`` are asked at each call."""

    name = "anthropic"
    small = False

    def __init__(self, pool: HttpPool, texts: Texts, *, base_url: Callable[[], str], key: Callable[[], str | None]) -> None:
        self._pool = pool
        self._texts = texts
        self._base_url = base_url
        self._key = key

    async def stream(self, request: ChatRequest, route: Route) -> AsyncIterator[ProviderItem]:
        """Ask the server and read its stream."""
        if any(message.sounds for message in request.messages):
            raise ProviderError(self._texts("models.no_sounds", route=route))
        base, key = self._base_url().rstrip("/"), self._key()
        server = Server(self.name, route.model, base, VARIABLE, key)
        headers = {"x-api-key": key or "", "anthropic-version": VERSION}
        post = Post(f"{base}/v1/messages", body_of(request, route), headers, key)
        reader = EventReader(self._texts, server)
        try:
            decoder = SseDecoder()
            async with aclosing(self._pool.stream(post)) as chunks:
                async for chunk in chunks:
                    for event in decoder.feed(chunk):
                        for item in reader.read(event.data):
                            yield item
            for event in decoder.finish():
                for item in reader.read(event.data):
                    yield item
        except HttpStatus as error:
            raise from_status(self._texts, server, error.status, error.body) from error
        except HttpFailure as error:
            if not reader.finished:
                raise from_failure(self._texts, server, error, started=reader.started) from error
        except SseTooLong as error:
            raise ProviderError(self._texts("models.not_sse", provider=self.name, url=base), started=reader.started) from error
        yield reader.completion()

    async def close(self) -> None:
        """The clients belong to the pool."""

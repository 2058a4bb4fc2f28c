"""HTTP to model servers: one kept-alive client per base URL, time limits, bounded bodies (PRV-15).

``httpx`` is imported on first use, in a thread, so that neither start-up nor the loop waits for it.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urlsplit

if TYPE_CHECKING:
    import httpx

CONNECT_SECONDS = 10.0  # PRV-15
FIRST_CHUNK_SECONDS = 120.0  # PRV-15
NEXT_CHUNK_SECONDS = 120.0  # PRV-15
MAX_BODY_BYTES = 64 * 1024 * 1024  # one streamed answer, reasoning included
MAX_ERROR_BYTES = 64 * 1024
MAX_CONNECTIONS = 100
KEEPALIVE_CONNECTIONS = 20
KEEPALIVE_SECONDS = 60.0
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class Limits:
    """The time limits of one request, seconds."""

    connect: float = CONNECT_SECONDS
    first_chunk: float = FIRST_CHUNK_SECONDS
    next_chunk: float = NEXT_CHUNK_SECONDS


@dataclass(frozen=True, slots=True)
class Post:
    """A request to a model server. ``secret`` is the key, so that it can be masked in errors."""

    url: str
    body: dict[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    secret: str | None = None


class HttpStatus(Exception):
    """The server answered with an error status; ``body`` is the beginning of its text."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(status)
        self.status = status
        self.body = body


class HttpFailure(Exception):
    """No answer or half an answer. ``started`` says whether bytes of the answer had come."""

    def __init__(self, reason: str, *, started: bool, kind: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.started = started
        self.kind = kind


CONNECT, TIMEOUT, BROKEN, TOO_BIG, BAD_URL = "connect", "timeout", "broken", "too_big", "bad_url"


class HttpPool:
    """The clients, one per base URL; all are closed by ``close``."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self._clients: dict[str, httpx.AsyncClient] = {}
        self._warm: set[str] = set()  # servers to which a connection may still be open
        self._lock = asyncio.Lock()

    async def client(self, url: str) -> httpx.AsyncClient:
        """The client for the server of ``url``; proxies of the environment are not used for loopback."""
        parts = _checked(url)
        base = _base(url)
        async with self._lock:
            client = self._clients.get(base)
            if client is None:
                is_local = (parts.hostname or "") in LOOPBACK
                client = self._clients[base] = await asyncio.to_thread(self._build, parts.scheme == "https", is_local)
        return client

    def _build(self, secure: bool, is_local: bool) -> httpx.AsyncClient:
        module = importlib.import_module("httpx")
        limits = self.limits
        client: httpx.AsyncClient = module.AsyncClient(
            verify=secure or not is_local,
            trust_env=not is_local,
            timeout=module.Timeout(max(limits.first_chunk, limits.next_chunk), connect=limits.connect, pool=limits.connect),
            limits=module.Limits(
                max_connections=MAX_CONNECTIONS, max_keepalive_connections=KEEPALIVE_CONNECTIONS, keepalive_expiry=KEEPALIVE_SECONDS
            ),
            follow_redirects=False,
        )
        return client

    async def stream(self, post: Post) -> AsyncGenerator[bytes, None]:
        """The bytes of the answer to ``post``; raises ``HttpStatus`` or ``HttpFailure``."""
        client = await self.client(post.url)
        httpx = importlib.import_module("httpx")
        total = 0
        try:
            response = await self._open(client, post)
            try:
                if response.status_code != 200:
                    raise HttpStatus(response.status_code, await self._error_text(response))
                async with aclosing(self._chunks(response, self.limits)) as chunks:
                    async for chunk in chunks:
                        total += len(chunk)
                        if total > MAX_BODY_BYTES:
                            raise HttpFailure("", started=True, kind=TOO_BIG)
                        yield chunk
                self._warm.add(_base(post.url))
            finally:
                await response.aclose()
        except (TimeoutError, httpx.TimeoutException) as error:
            raise HttpFailure(_say(error), started=total > 0, kind=TIMEOUT) from error
        except httpx.ConnectError as error:
            raise HttpFailure(_say(error), started=False, kind=CONNECT) from error
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError) as error:
            raise HttpFailure(_say(error), started=total > 0, kind=BROKEN if total else CONNECT) from error

    async def _open(self, client: httpx.AsyncClient, post: Post) -> httpx.Response:
        """Send and wait for the head of the answer.

        A kept-alive connection may have been closed by the server just now. That is no failure of the
        server: the request is sent once more, at once, on a fresh connection.
        """
        httpx = importlib.import_module("httpx")
        base = _base(post.url)
        async with asyncio.timeout(self.limits.connect + self.limits.first_chunk):
            while True:
                request = client.build_request("POST", post.url, json=post.body, headers=dict(post.headers))
                try:
                    return await client.send(request, stream=True)
                except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
                    if base not in self._warm:
                        raise
                    self._warm.discard(base)

    @staticmethod
    async def _chunks(response: httpx.Response, limits: Limits) -> AsyncGenerator[bytes, None]:
        wait = limits.first_chunk
        async with aclosing(response.aiter_bytes()) as parts:  # type: ignore[type-var]
            while True:
                async with asyncio.timeout(wait):
                    chunk = await anext(parts, None)
                if chunk is None:
                    return
                wait = limits.next_chunk
                yield chunk

    async def _error_text(self, response: httpx.Response) -> str:
        body = bytearray()
        async with aclosing(self._chunks(response, self.limits)) as chunks:
            async for chunk in chunks:
                body += chunk
                if len(body) >= MAX_ERROR_BYTES:
                    break
        return bytes(body[:MAX_ERROR_BYTES]).decode("utf-8", "replace")

    async def get_json(self, url: str, *, seconds: float, headers: Mapping[str, str] | None = None) -> Any:
        """The JSON that ``url`` answers within ``seconds``, or ``None``: a probe, so failures are answers."""
        try:
            async with asyncio.timeout(seconds):
                client = await self.client(url)
                httpx = importlib.import_module("httpx")
                try:
                    response = await client.get(url, headers=dict(headers or {}))
                    return response.json() if response.status_code == 200 else None
                except (httpx.HTTPError, httpx.InvalidURL, ValueError):
                    return None
        except (TimeoutError, HttpFailure):
            return None

    async def close(self) -> None:
        """Close all clients."""
        clients, self._clients = list(self._clients.values()), {}
        for client in clients:
            await client.aclose()


def _base(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _checked(url: str) -> SplitResult:
    """The parts of ``url``; raises ``HttpFailure`` when no server can be meant by it."""
    try:
        parts = urlsplit(url)
        is_usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none
        is_usable = False
    if not is_usable:
        raise HttpFailure("", started=False, kind=BAD_URL)
    return parts


def _say(error: BaseException) -> str:
    return str(error) or type(error).__name__

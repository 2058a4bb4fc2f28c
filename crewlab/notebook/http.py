"""The one way to a server: JSON requests and event streams over httpx, asynchronous (UI-142).

httpx is imported on first use. The token travels only in the ``Authorization`` header.
"""

from __future__ import annotations

import asyncio
import ipaddress
import weakref
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from crewlab.notebook.errors import CrewError, ServerGone, error_of
from crewlab.notebook.locate import Server
from crewlab.notebook.sse import Frame, SseParser
from crewlab.notebook.words import say

if TYPE_CHECKING:
    import httpx

API = "/crewlab/api"
SOURCE = {"X-Crewlab-Source": "notebook"}  # UI-148
PROBE_SECONDS = 2.0  # UI-143: a server that does not answer by then is passed over
SILENCE_SECONDS = 45.0  # WIRE-5: longer without a byte means a broken connection (a ping comes every 15)
NO_CONTENT = 204


class StreamBroken(Exception):
    """A stream ended without its end event: join again. ``unheard`` when no byte of an answer has come."""

    def __init__(self, unheard: bool) -> None:
        super().__init__("the stream broke")
        self.unheard = unheard


def _headers(server: Server) -> dict[str, str]:
    return {**SOURCE, **({"Authorization": f"token {server.token}"} if server.token else {})}


def is_loopback(url: str) -> bool:
    """Whether the server is on this machine: a proxy from the environment must not stand between."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def probe(server: Server) -> bool:
    """Whether crewlab answers at ``server``."""
    import httpx

    try:
        answer = httpx.get(
            f"{server.url}{API}/version", headers=_headers(server), timeout=PROBE_SECONDS, trust_env=not is_loopback(server.url)
        )
    except httpx.HTTPError:
        return False
    return answer.status_code == httpx.codes.OK and "application/json" in answer.headers.get("content-type", "")


class Http:
    """Requests to one server. Belongs to one event loop."""

    def __init__(self, server: Server, timeout: float) -> None:
        self.server = server
        self.language: str | None = None
        self._asked = False
        self._timeout = timeout
        self._client: httpx.AsyncClient | None = None

    def __repr__(self) -> str:
        return f"Http({self.server.url!r})"

    @property
    def client(self) -> httpx.AsyncClient:
        """The connection pool, made on first use."""
        if self._client is None:
            import httpx

            self._client = httpx.AsyncClient(
                base_url=f"{self.server.url}{API}",
                headers=_headers(self.server),
                timeout=self._timeout,
                trust_env=not is_loopback(self.server.url),
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=4),
            )
            weakref.finalize(self, _leave, self._client, asyncio.get_running_loop()).atexit = False
        return self._client

    async def read_language(self) -> str | None:
        """The crew's language, asked once: ``en`` or ``vi``; None while the server cannot say."""
        if not self._asked:
            try:
                self.language = (await self.json("GET", "/version")).get("language")
            except CrewError:
                return None
            self._asked = True
        return self.language

    async def json(
        self,
        method: str,
        path: str,
        *,
        params: Mapping[str, str | int | None] | None = None,
        body: Mapping[str, object] | None = None,
        patient: bool = False,
    ) -> dict[str, Any]:
        """The JSON object a route answers; ``{}`` for 204. ``patient``: however long it takes. Raises ``CrewError`` kinds."""
        import httpx

        given = {key: value for key, value in (params or {}).items() if value is not None}
        timeout = httpx.Timeout(self._timeout, read=None) if patient else httpx.Timeout(self._timeout)
        try:
            answer = await self.client.request(method, path, params=given, json=body, timeout=timeout)
        except httpx.TransportError as fault:
            raise self._gone(fault) from None
        return self._read(answer)

    async def text(self, path: str, *, params: Mapping[str, str | int | None] | None = None) -> str:
        """The text of a file that a route answers, however long it takes. Raises ``CrewError`` kinds."""
        return (await self.data(path, params=params)).decode("utf-8", errors="replace")

    async def data(self, path: str, *, params: Mapping[str, str | int | None] | None = None) -> bytes:
        """The bytes of a file that a route answers, however long it takes. Raises ``CrewError`` kinds."""
        import httpx

        given = {key: value for key, value in (params or {}).items() if value is not None}
        try:
            answer = await self.client.get(path, params=given, timeout=httpx.Timeout(self._timeout, read=None))
        except httpx.TransportError as fault:
            raise self._gone(fault) from None
        if not answer.is_success or "content-disposition" not in answer.headers:
            self._read(answer)
        return answer.content

    async def save(self, path: str, file: Path) -> None:
        """Write what a route answers into a file, however long it takes. Raises ``CrewError`` kinds."""
        import httpx

        try:
            async with self.client.stream("GET", path, timeout=httpx.Timeout(self._timeout, read=None)) as answer:
                if not answer.is_success:
                    await answer.aread()
                    self._read(answer)
                with file.open("wb") as out:
                    async for chunk in answer.aiter_bytes():
                        out.write(chunk)
        except httpx.TransportError as fault:
            raise self._gone(fault) from None

    def _read(self, answer: httpx.Response) -> dict[str, Any]:
        if answer.status_code == NO_CONTENT:
            return {}
        try:
            data = answer.json()
        except ValueError:
            data = None
        if answer.is_success and isinstance(data, dict):
            return data
        raise error_of(answer.status_code, data, where=self.server.url, language=self.language)

    def _gone(self, fault: Exception) -> ServerGone:
        return ServerGone(say("server_gone", self.language, url=self.server.url, fault=type(fault).__name__))

    @asynccontextmanager
    async def stream(
        self, method: str, path: str, *, body: Mapping[str, object] | None = None, last_id: str | None = None
    ) -> AsyncIterator[AsyncIterator[Frame] | None]:
        """The frames of an event stream, or None when the route answers 204. Frames end with the stream.

        Raises ``StreamBroken`` when the connection is lost, ``CrewError`` kinds when the server refuses.
        """
        import httpx

        headers = {"Accept": "text/event-stream", "Accept-Encoding": "identity"}
        if last_id is not None:
            headers["Last-Event-ID"] = last_id
        timeout = httpx.Timeout(self._timeout, read=SILENCE_SECONDS)
        heard = False
        try:
            async with self.client.stream(method, path, json=body, headers=headers, timeout=timeout) as answer:
                heard = True
                if answer.status_code == NO_CONTENT:
                    yield None
                    return
                if not answer.is_success:
                    await answer.aread()
                    self._read(answer)
                yield _frames(answer)
        except httpx.TransportError:
            raise StreamBroken(unheard=not heard) from None

    async def close(self) -> None:
        """Closes all connections; the object may be used again."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()


def _leave(client: httpx.AsyncClient, loop: asyncio.AbstractEventLoop) -> None:
    """Nobody holds the connections any more: they are closed where they belong."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(lambda: loop.create_task(client.aclose()))


async def _frames(answer: httpx.Response) -> AsyncIterator[Frame]:
    parser = SseParser()
    async for line in _lines(answer):
        for frame in parser.feed(line):
            yield frame


async def _lines(answer: httpx.Response) -> AsyncIterator[str]:
    """Lines of the body. Only LF or CR LF end one (WIRE-4): a line separator inside a text does not."""
    rest = b""
    async for chunk in answer.aiter_raw():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.removesuffix(b"\r").decode("utf-8", errors="replace")

"""A proxy on loopback for programs that open their own connections: each is resolved, judged and dialled by the guard.

It takes ``CONNECT`` alone, from whoever knows the password that is drawn when it starts, and lives as long as the block it
serves; then every connection through it is closed.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hmac
import importlib
import re
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from crewlab.engine.net.failures import NetProblem
from crewlab.engine.net.guard import Guard

HEAD_BYTES = 16 * 1024
HEAD_SECONDS = 10.0
PIECE_BYTES = 64 * 1024
NAME = "crewlab"
_CONNECT = re.compile(rb"CONNECT (?P<host>\[[^\]\s]{1,60}\]|[^\s:/\[\]]{1,300}):(?P<port>[0-9]{1,5}) HTTP/1\.[01]\r\n", re.IGNORECASE)
_PASSWORD = re.compile(rb"^proxy-authorization:[ \t]*basic[ \t]+([A-Za-z0-9+/=]+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ProxyAddress:
    """Where the proxy listens, with its password."""

    port: int
    password: str

    @property
    def url(self) -> str:
        """The address that a program is given."""
        return f"http://{NAME}:{self.password}@127.0.0.1:{self.port}"


@asynccontextmanager
async def guarded_proxy(guard: Guard, most_bytes: int) -> AsyncIterator[ProxyAddress]:
    """A proxy for the time of the block; each connection may bring at most ``most_bytes``."""
    password = secrets.token_urlsafe(24)
    door = _Door(guard, f"{NAME}:{password}".encode(), most_bytes)
    server = await asyncio.start_server(door.serve, "127.0.0.1", 0, limit=HEAD_BYTES)
    try:
        yield ProxyAddress(server.sockets[0].getsockname()[1], password)
    finally:
        server.close()
        await door.close()


class _Door:
    """Takes the connections of one proxy."""

    def __init__(self, guard: Guard, secret: bytes, most_bytes: int) -> None:
        self._guard = guard
        self._secret = secret
        self._most = most_bytes
        self._open: set[asyncio.Task[None]] = set()
        self._closed = False

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, as a task of its own that ``close`` ends."""
        if self._closed:
            writer.close()
            return
        task = asyncio.create_task(self._connection(reader, writer), name="crewlab proxy")
        self._open.add(task)
        try:
            await asyncio.wait([task])
        finally:
            self._open.discard(task)

    async def close(self) -> None:
        """End every connection."""
        self._closed = True
        tasks = list(self._open)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
            stream = await self._reach(head, writer)
            if stream is not None:
                await self._carry(reader, writer, stream)
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
            return  # a caller that says nothing, too much, or has gone
        finally:
            writer.close()

    async def _reach(self, head: bytes, writer: asyncio.StreamWriter) -> Any:
        """The connection the caller asks for, or ``None`` after a refusal."""
        httpcore = importlib.import_module("httpcore")
        sent, wanted = _PASSWORD.search(head), _CONNECT.match(head)
        if sent is None or not hmac.compare_digest(sent[1], base64.b64encode(self._secret)):
            return await _refuse(writer, 407)
        if wanted is None or not 0 < int(wanted["port"]) < 65536:
            return await _refuse(writer, 405)
        try:
            addresses = await self._guard.judged_host(wanted["host"].decode("utf-8", "replace"))
            stream = await self._guard.connect(addresses, int(wanted["port"]))
        except NetProblem:
            return await _refuse(writer, 403)
        except (httpcore.NetworkError, httpcore.TimeoutException):
            return await _refuse(writer, 502)
        return stream

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, stream: Any) -> None:
        """Carry bytes both ways until one side has gone or the bound is reached; ``stream`` is closed in every case."""
        httpcore = importlib.import_module("httpcore")
        try:
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            await self._both_ways(reader, writer, stream)
        except (httpcore.NetworkError, httpcore.TimeoutException):
            return  # the other side has gone
        finally:
            with contextlib.suppress(httpcore.NetworkError):
                await stream.aclose()

    async def _both_ways(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, stream: Any) -> None:

        async def out() -> None:
            while data := await reader.read(PIECE_BYTES):
                await stream.write(data)

        async def back() -> None:
            left = self._most
            while left > 0 and (data := await stream.read(PIECE_BYTES)):
                left -= len(data)
                writer.write(data)
                await writer.drain()

        ways = [asyncio.create_task(out()), asyncio.create_task(back())]
        try:
            done, _ = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
        for way in done:
            way.result()


async def _refuse(writer: asyncio.StreamWriter, status: int) -> None:
    writer.write(f"HTTP/1.1 {status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
    await writer.drain()

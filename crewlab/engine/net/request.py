"""One HTTP request through the guard, bounded in bytes and in time (WEB-6, WEB-7, WEB-13).

No redirect is followed, no proxy of the environment used, no cookie kept, nothing compressed taken but what can be unpacked
to a bound. The connection serves one request and is closed when the bound is reached.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from crewlab._version import __version__
from crewlab.engine.net.failures import Failed
from crewlab.engine.net.guard import Guard, Judged
from crewlab.engine.net.ranges import Address
from crewlab.engine.net.unpack import ENCODINGS, Damaged, UnknownEncoding, Unpacker

if TYPE_CHECKING:
    import httpcore

READ_SECONDS = 10.0  # WEB-7
WHOLE_SECONDS = 60.0  # a body that drips is ended
MAX_BYTES = 512 * 1024  # WEB-7
AGENT = f"crewlab/{__version__}"  # WEB-13
SAFE = "/?:@!$&'()*+,;=%-._~[]"
REDIRECTS = (301, 302, 303, 307, 308)


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds for each read and for the whole request, and the bytes that are kept of the body, unpacked."""

    read: float = READ_SECONDS
    whole: float = WHOLE_SECONDS
    size: int = MAX_BYTES


@dataclass(frozen=True, slots=True)
class Ask:
    """What is sent. ``headers`` are the program's own (WEB-13); with ``body`` the request is a POST of JSON."""

    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. ``cut`` says why ``body`` is not whole: ``size``, ``slow`` or ``broken``; ``None`` when it is."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    cut: str | None

    @property
    def leads_to(self) -> str | None:
        """Where the answer sends the reader, in the server's words; ``None`` when it does not."""
        return self.headers.get("location") if self.status in REDIRECTS else None


class _Pinned:
    """The network of one request: whatever host is asked for, only the judged addresses are dialled."""

    def __init__(self, guard: Guard, addresses: tuple[Address, ...]) -> None:
        self._guard = guard
        self._addresses = addresses

    async def connect_tcp(self, host: str, port: int, **_: Any) -> Any:
        return await self._guard.connect(self._addresses, port)

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


async def request(guard: Guard, judged: Judged, ask: Ask | None = None, limits: Limits | None = None) -> Answer:
    """The answer of a judged target; raises ``Failed`` when there is none. Only the addresses that were judged are dialled."""
    ask, limits = ask or Ask(), limits or Limits()
    httpcore = importlib.import_module("httpcore")
    host = judged.target.host
    partial = _Partial(limits.size)
    try:
        async with asyncio.timeout(limits.whole):
            await _exchange(guard, judged, ask, limits, partial)
    except httpcore.ConnectTimeout as error:
        raise Failed("connect_slow", host=host, seconds=round(guard.connect_seconds)) from error
    except httpcore.ConnectError as error:
        raise Failed("tls" if _is_tls(error) else "connect", host=host) from error
    except UnicodeError:
        raise Failed("broken", host=host) from None  # a key that no header can hold; the error would repeat it
    except UnknownEncoding as error:
        raise Failed("encoding", host=host) from error
    except (TimeoutError, httpcore.TimeoutException) as error:
        partial.stopped("slow", Failed("slow", host=host, seconds=round(limits.read)), error)
    except (httpcore.NetworkError, httpcore.ProtocolError, Damaged, OSError) as error:
        partial.stopped("broken", Failed("broken", host=host), error)
    return partial.answer()


async def _exchange(guard: Guard, judged: Judged, ask: Ask, limits: Limits, partial: _Partial) -> None:
    httpcore = importlib.import_module("httpcore")
    target = judged.target
    content = None if ask.body is None else json.dumps(ask.body).encode()
    headers = {"Host": target.authority, "User-Agent": AGENT, "Accept": "*/*", "Accept-Encoding": ENCODINGS, "Connection": "close"}
    if content is not None:
        headers["Content-Type"] = "application/json"
    url = httpcore.URL(scheme=target.scheme, host=target.host, port=target.port, target=quote(target.rest, safe=SAFE))
    tls = await guard.certificates() if target.scheme == "https" else None
    seconds = {"connect": guard.connect_seconds, "read": limits.read, "write": limits.read, "pool": limits.read}
    network = _Pinned(guard, judged.addresses)
    async with httpcore.AsyncConnectionPool(ssl_context=tls, max_connections=1, network_backend=network) as pool:
        method = "GET" if content is None else "POST"
        lines = [(name.encode(), value.encode("latin-1")) for name, value in {**headers, **ask.headers}.items()]
        sent = pool.stream(method, url, headers=lines, content=content, extensions={"timeout": seconds})
        async with sent as response:
            await partial.take(response)


def _is_tls(error: BaseException) -> bool:
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


class _Partial:
    """The answer as far as it has come."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._status = 0
        self._headers: dict[str, str] = {}
        self._body = bytearray()
        self._cut: str | None = None

    async def take(self, response: httpcore.Response) -> None:
        """Read until the end or the bound."""
        self._status = response.status
        for name, value in response.headers:  # of a header that comes twice, the first
            self._headers.setdefault(name.decode("latin-1").lower(), value.decode("latin-1"))
        unpacker = Unpacker(self._headers.get("content-encoding", ""))
        came = 0
        async for chunk in response.aiter_stream():
            came += len(chunk)
            self._body += unpacker.feed(chunk, self._most + 1 - len(self._body))
            if max(len(self._body), came) > self._most:
                self._cut = "size"
                del self._body[self._most :]
                return

    def stopped(self, cut: str, failure: Failed, cause: BaseException) -> None:
        """The answer ended too early: what came stands, and when nothing did, it is a failure."""
        if not self._body:
            raise failure from cause
        self._cut = cut

    def answer(self) -> Answer:
        """What came."""
        return Answer(self._status, self._headers, bytes(self._body), self._cut)

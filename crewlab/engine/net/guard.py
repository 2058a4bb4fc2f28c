"""The guard: an address is read, its name resolved, every address judged, and only a judged one is dialled (WEB-3 to WEB-5).

``Guard.check`` gives a ``Judged`` target, which keeps the addresses that were judged: whoever connects, connects to these and
never asks the resolver again, so a second answer of it changes nothing.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from crewlab.engine.net.address import Target, read_address, read_host
from crewlab.engine.net.failures import Failed, Refused
from crewlab.engine.net.ranges import Address, carried, not_public
from crewlab.engine.net.resolver import Resolver, system_resolver

if TYPE_CHECKING:
    from httpcore import AsyncNetworkStream

RESOLVE_SECONDS = 5.0  # BRW-114
CONNECT_SECONDS = 5.0  # WEB-7
MOST_ADDRESSES = 3  # of one name that are tried; each has its part of the seconds that are left

Judge = Callable[[Address], str | None]
"""Why an address is not to be opened (a key of the catalogue, ``net.kind_<key>``), ``None`` when it may be."""
Dial = Callable[[str, int, float], Awaitable["AsyncNetworkStream"]]
"""A connection to an IP address and a port within so many seconds; raises what ``httpcore`` raises."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A target that may be opened, and the addresses it may be opened at; at least one."""

    target: Target
    addresses: tuple[Address, ...]


async def system_dial(address: str, port: int, seconds: float) -> AsyncNetworkStream:
    """A TCP connection of the system's."""
    httpcore = importlib.import_module("httpcore")
    stream: AsyncNetworkStream = await httpcore.AnyIOBackend().connect_tcp(address, port, timeout=seconds)
    return stream


def system_trust() -> ssl.SSLContext:
    """The certificates of the file that the environment names, else those that come with the HTTP library."""
    certifi = importlib.import_module("certifi")
    return ssl.create_default_context(cafile=os.environ.get("SSL_CERT_FILE") or certifi.where())


@dataclass(frozen=True, slots=True)
class Guard:
    """The one guard of a crew. Resolver, judge and dial are the system's; tests put others in their place."""

    resolve: Resolver = system_resolver
    judge: Judge = not_public
    dial: Dial = system_dial
    resolve_seconds: float = RESOLVE_SECONDS
    connect_seconds: float = CONNECT_SECONDS
    trust: Callable[[], ssl.SSLContext] = system_trust
    _made: list[ssl.SSLContext] = field(default_factory=list, repr=False)

    async def check(self, address: str) -> Judged:
        """The target that ``address`` names; raises ``Refused`` or ``Failed``. Nothing is sent to it."""
        return await self.judged(read_address(address))

    async def judged(self, target: Target) -> Judged:
        """``target`` with its addresses, all of which are public; raises ``Refused`` or ``Failed``."""
        addresses = (target.literal,) if target.literal is not None else await self._addresses(target.host)
        for address in addresses:
            self._refuse(target.host, address)
        return Judged(target, addresses)

    async def service(self, address: str) -> Judged:
        """A service of the owner's own choice, which may stand on this machine or in this network: resolved, but not judged."""
        target = read_address(address, owners=True)
        return Judged(target, (target.literal,) if target.literal is not None else await self._addresses(target.host))

    async def judged_host(self, host: str) -> tuple[Address, ...]:
        """The addresses of a host that is written as in an address (IPv6 in brackets), all of them public."""
        name, literal = read_host(host)
        return (await self.judged(Target("http", name, 80, "/", literal))).addresses

    def _refuse(self, host: str, address: Address) -> None:
        kind = self.judge(address)
        if kind is None:
            return
        inner = carried(address) if isinstance(address, IPv6Address) else None
        if inner is not None:
            raise Refused("carries", host=host, address=address, inner=inner)
        raise Refused(f"kind_{kind}", host=host, address=address)

    async def _addresses(self, name: str) -> tuple[Address, ...]:
        try:
            async with asyncio.timeout(self.resolve_seconds):
                found = await self.resolve(name)
            addresses = tuple(dict.fromkeys(ip_address(text.partition("%")[0]) for text in found))
        except TimeoutError as error:
            raise Failed("resolve_slow", host=name, seconds=round(self.resolve_seconds)) from error
        except (OSError, ValueError) as error:
            raise Failed("resolve", host=name) from error
        if not addresses:
            raise Failed("resolve", host=name)
        return addresses

    async def connect(self, addresses: tuple[Address, ...], port: int) -> AsyncNetworkStream:
        """A connection to the first of the judged ``addresses`` that answers, all within ``connect_seconds``."""
        tried = addresses[:MOST_ADDRESSES]
        loop = asyncio.get_running_loop()
        ends = loop.time() + self.connect_seconds
        httpcore = importlib.import_module("httpcore")
        for place, address in enumerate(tried):
            seconds = (ends - loop.time()) / (len(tried) - place)
            try:
                return await self.dial(str(address), port, max(seconds, 0.001))
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if place == len(tried) - 1:
                    raise
        raise ValueError("no address")

    async def certificates(self) -> ssl.SSLContext:
        """The TLS settings for all connections, read once, in a thread: the certificates take a while to load."""
        if not self._made:
            self._made.append(await asyncio.to_thread(self.trust))
        return self._made[0]

"""The proxy for programs that open their own connections: it opens no other than the guard would."""

import asyncio
import base64
import contextlib

import pytest

from crewlab.engine.net.proxy import ProxyAddress, guarded_proxy
from tests.fixtures.sites import PUBLIC, Net, Visit, a_net, a_site


async def said(proxy: ProxyAddress, request: str, *, password: str | None = None, then: bytes = b"") -> bytes:
    """What a caller of the proxy is sent, to the end."""
    secret = base64.b64encode(f"crewlab:{proxy.password if password is None else password}".encode()).decode()
    reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
    writer.write(f"{request}\r\nProxy-Authorization: Basic {secret}\r\n\r\n".encode() + then)
    async with asyncio.timeout(20):
        data = await reader.read()
    writer.close()
    return data


async def page(visit: Visit) -> None:
    await visit.answer("hello")


GET = b"GET / HTTP/1.1\r\nHost: site.example\r\n\r\n"


@pytest.mark.spec("WEB-5")
async def test_a_public_name_is_reached_at_a_judged_address() -> None:
    async with a_site(page) as site:
        net = a_net(site.port)
        net.names["site.example"] = [[PUBLIC], ["127.0.0.1"]]
        async with guarded_proxy(net.guard(), 1 << 20) as proxy:
            data = await said(proxy, "CONNECT site.example:443 HTTP/1.1", then=GET)
            assert data.startswith(b"HTTP/1.1 200 Connected\r\n\r\nHTTP/1.1 200 ")
            assert data.endswith(b"hello")
            assert (await said(proxy, "CONNECT site.example:443 HTTP/1.1", then=GET)).startswith(b"HTTP/1.1 403 ")
        assert net.dialled == [f"{PUBLIC}:443"]


@pytest.mark.spec("FR-2", "FR-3", "WEB-3")
@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "0x7f.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "inside.example",
        "nowhere.example",
    ],
)
async def test_a_place_inside_is_not_reached_in_whatever_form(host: str) -> None:
    net = Net({"inside.example": [[PUBLIC, "10.0.0.1"]]}, dict.fromkeys(("127.0.0.1", "::1", PUBLIC), 1))
    async with guarded_proxy(net.guard(), 100) as proxy:
        assert (await said(proxy, f"CONNECT {host}:80 HTTP/1.1")).startswith(b"HTTP/1.1 403 ")
    assert net.dialled == []


@pytest.mark.parametrize("password", ["", "wrong", "é"])
async def test_nobody_gets_through_without_the_password(password: str) -> None:
    net = a_net(1)
    async with guarded_proxy(net.guard(), 100) as proxy:
        assert (await said(proxy, "CONNECT site.example:443 HTTP/1.1", password=password)).startswith(b"HTTP/1.1 407 ")
    assert (net.asked, net.dialled) == ([], [])


@pytest.mark.parametrize(
    "line",
    [
        "GET http://site.example/ HTTP/1.1",
        "CONNECT site.example HTTP/1.1",
        "CONNECT site.example:99999 HTTP/1.1",
        "CONNECT a b:1 HTTP/1.1",
        "x",
    ],
)
async def test_it_takes_nothing_but_connect(line: str) -> None:
    net = a_net(1)
    async with guarded_proxy(net.guard(), 100) as proxy:
        assert (await said(proxy, line)).startswith(b"HTTP/1.1 405 ")
    assert net.dialled == []


async def test_a_place_that_does_not_answer_is_told() -> None:
    async with guarded_proxy(a_net().guard(), 100) as proxy:
        assert (await said(proxy, "CONNECT site.example:443 HTTP/1.1")).startswith(b"HTTP/1.1 502 ")


async def test_a_connection_brings_no_more_than_its_bound_and_ends_with_the_block() -> None:
    async def endless(visit: Visit) -> None:
        while True:
            await visit.send(b"x" * 65536)

    async with a_site(endless) as site:
        net = a_net(site.port)
        async with guarded_proxy(net.guard(), 1 << 20) as proxy:
            data = await said(proxy, "CONNECT site.example:443 HTTP/1.1", then=GET)
            assert len(data) < (1 << 20) + 200_000

    async def silent(visit: Visit) -> None:
        await visit.hang()

    async with a_site(silent) as site:
        net = a_net(site.port)
        async with guarded_proxy(net.guard(), 1 << 20) as proxy:
            waiting = asyncio.create_task(said(proxy, "CONNECT site.example:443 HTTP/1.1", then=GET))
            while not site.visits:
                await asyncio.sleep(0)
        assert (await waiting).startswith(b"HTTP/1.1 200 ")
        async with asyncio.timeout(20):
            await site.closed.wait()


async def test_a_head_without_end_is_given_up() -> None:
    async with guarded_proxy(a_net().guard(), 100) as proxy:
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"CONNECT " + b"x" * 100_000)
        with contextlib.suppress(ConnectionError):  # it does not read what it will not use
            async with asyncio.timeout(20):
                assert await reader.read() == b""
        writer.close()

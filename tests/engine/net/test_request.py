"""One request: what is sent, and what a hostile server can cost."""

import asyncio
import gzip
import tracemalloc
import zlib

import pytest

from crewlab.engine.net.failures import Failed
from crewlab.engine.net.request import MAX_BYTES, Answer, Ask, Limits, request
from crewlab.engine.net.unpack import Unpacker
from tests.fixtures.sites import PUBLIC, Handler, Net, Visit, a_net, a_site

QUICK = Limits(read=0.3, whole=0.6)  # where nothing may come
STALLS = Limits(read=3, whole=600)  # where the beginning has to come first
DRIPS = Limits(read=3, whole=3)
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"


async def asked(handler: Handler, ask: Ask | None = None, limits: Limits | None = None) -> tuple[Answer, Net]:
    async with a_site(handler) as site:
        net = a_net(site.port)
        guard = net.guard()
        answer = await request(guard, await guard.check("http://site.example/"), ask, limits)
        async with asyncio.timeout(10):
            await site.closed.wait()  # the connection is not left open
        return answer, net


@pytest.mark.spec("WEB-13")
async def test_nothing_of_the_owner_or_the_environment_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://user:secret@127.0.0.1:9/")
    seen: list[dict[str, str]] = []

    async def handler(visit: Visit) -> None:
        seen.append(visit.headers)
        await visit.answer("hello", set_cookie="a=b")

    async with a_site(handler) as site:
        net = a_net(site.port)
        guard = net.guard()
        for _ in range(2):
            await request(guard, await guard.check("http://site.example/"))
    assert net.dialled == [f"{PUBLIC}:80"] * 2
    for headers in seen:
        assert set(headers) == {"host", "user-agent", "accept", "accept-encoding", "connection"}
        assert headers["user-agent"].startswith("crewlab/")


@pytest.mark.spec("WEB-6")
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_an_answer_and_not_a_way(status: int) -> None:
    async def handler(visit: Visit) -> None:
        await visit.answer(status=status, location="http://127.0.0.1/secret")

    answer, net = await asked(handler)
    assert (answer.status, answer.leads_to) == (status, "http://127.0.0.1/secret")
    assert net.dialled == [f"{PUBLIC}:80"]


@pytest.mark.spec("WEB-7")
async def test_reading_stops_at_the_bound_and_the_connection_is_closed() -> None:
    sent = 0

    async def handler(visit: Visit) -> None:
        nonlocal sent
        await visit.send(HEAD + b"\r\n")
        while True:
            await visit.send(b"x" * 65536)
            sent += 65536

    answer, _ = await asked(handler)
    assert (len(answer.body), answer.cut) == (512 * 1024, "size")
    assert sent < 64 * MAX_BYTES


def bomb(layers: int = 1) -> bytes:
    data = b"\0" * (64 << 20)
    for _ in range(layers):
        data = gzip.compress(data, 9)
    return data


@pytest.mark.spec("WEB-7")
@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "deflate", "raw"])
async def test_what_is_compressed_is_unpacked_to_the_bound_and_no_further(encoding: str) -> None:
    raw = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = {
        "gzip": bomb(),
        "x-gzip": bomb(),
        "deflate": zlib.compress(b"\0" * (64 << 20)),
        "raw": raw.compress(b"\0" * (64 << 20)) + raw.flush(),
    }

    async def handler(visit: Visit) -> None:
        await visit.answer(packed[encoding], content_encoding="deflate" if encoding == "raw" else encoding)

    answer, _ = await asked(handler)
    assert (len(answer.body), answer.cut) == (MAX_BYTES, "size")


@pytest.mark.spec("WEB-7")
def test_unpacking_takes_no_more_memory_than_the_bound() -> None:
    packed = bomb()
    tracemalloc.start()
    try:
        assert Unpacker("gzip").feed(packed, 1000) == bytes(1000)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()


@pytest.mark.spec("WEB-7")
async def test_parts_that_unpack_to_nothing_are_counted_as_they_come() -> None:
    empty = gzip.compress(b"")

    async def handler(visit: Visit) -> None:
        await visit.send(HEAD + b"Content-Encoding: gzip\r\n\r\n")
        while True:
            await visit.send(empty * 4096)

    answer, _ = await asked(handler)
    assert (answer.body, answer.cut) == (b"", "size")


@pytest.mark.parametrize(
    ("packed", "plain"),
    [
        (gzip.compress(b"one ") + gzip.compress(b"two"), b"one two"),
        (gzip.compress(b"one") + b"\0\0\0\0", b"one"),
        (zlib.compress(b"deflated"), b"deflated"),
    ],
)
async def test_a_packed_page_is_read_whole(packed: bytes, plain: bytes) -> None:
    encoding = b"gzip" if packed.startswith(gzip.compress(b"")[:2]) else b"deflate"

    async def handler(visit: Visit) -> None:
        await visit.send(HEAD + b"Content-Encoding: " + encoding + b"\r\n\r\n")
        for place in range(len(packed)):
            await visit.send(packed[place : place + 1])

    answer, _ = await asked(handler)
    assert (answer.body, answer.cut) == (plain, None)


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "compress", "nonsense\x7f"])
async def test_a_compression_that_was_not_asked_for_is_not_read(encoding: str) -> None:
    async def handler(visit: Visit) -> None:
        await visit.answer(b"\x8b\x00\x80", content_encoding=encoding)

    with pytest.raises(Failed, match=r"encoding|broken"):
        await asked(handler)


@pytest.mark.spec("WEB-7")
async def test_a_body_that_stalls_is_used_as_far_as_it_came() -> None:
    async def handler(visit: Visit) -> None:
        await visit.send(HEAD + b"Content-Length: 100\r\n\r\nbeginning")
        await visit.hang()

    answer, _ = await asked(handler, limits=STALLS)
    assert (answer.body, answer.cut) == (b"beginning", "slow")


@pytest.mark.spec("WEB-7")
async def test_a_body_that_drips_for_ever_is_ended_as_a_whole() -> None:
    async def handler(visit: Visit) -> None:
        await visit.send(HEAD + b"\r\n")
        while True:
            await visit.send(b".")
            await asyncio.sleep(0.05)

    answer, _ = await asked(handler, limits=DRIPS)
    assert answer.cut == "slow"
    assert answer.body


@pytest.mark.spec("WEB-7")
@pytest.mark.parametrize("head", [b"", b"HTTP/1.1 200 OK\r\nX-Drip: ", HEAD + b"\r\n"])
async def test_a_server_that_sends_nothing_is_a_failure(head: bytes) -> None:
    async def handler(visit: Visit) -> None:
        if head:
            await visit.send(head)
        await visit.hang()

    with pytest.raises(Failed, match="slow"):
        await asked(handler, limits=QUICK)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"220 smtp ready\r\n",
        b"HTTP/1.1 999999 x\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 200_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!",
    ],
)
async def test_what_is_no_answer_is_a_failure_and_no_exception_of_a_library(data: bytes) -> None:
    async def handler(visit: Visit) -> None:
        await visit.send(data)

    with pytest.raises(Failed, match="broken"):
        await asked(handler)


async def test_a_body_that_breaks_off_is_used_as_far_as_it_came() -> None:
    async def handler(visit: Visit) -> None:
        await visit.send(HEAD + b"Content-Length: 100\r\n\r\nbeginning")

    answer, _ = await asked(handler)
    assert (answer.body, answer.cut) == (b"beginning", "broken")


async def test_a_body_is_sent_as_json() -> None:
    bodies = []

    async def handler(visit: Visit) -> None:
        bodies.append((visit.line, visit.headers["content-type"], visit.headers["x-key"], visit.json))
        await visit.answer_json({"ok": True})

    answer, _ = await asked(handler, Ask({"X-Key": "k"}, {"q": "một"}))
    assert bodies == [("POST / HTTP/1.1", "application/json", "k", {"q": "một"})]
    assert answer.headers["content-type"] == "application/json"

"""The guard against the published ways round such guards: only a judged, public address is ever dialled."""

import asyncio
import socket
from pathlib import Path

import pytest

from crewlab.engine.net import resolver
from crewlab.engine.net.failures import Failed, NetProblem, Refused
from crewlab.engine.net.guard import Guard
from crewlab.engine.net.request import Limits, request
from crewlab.engine.texts import Texts
from tests.fixtures.sites import OTHER, PUBLIC, Net, Visit, a_net, a_site, certificate

# FR-3: the lists of bypasses that are passed round (metadata services, number forms, wrapped and abbreviated IPv6, enclosed
# and full-width digits, other separators, names that lead inside).
BYPASSES = """
http://127.0.0.1/ http://127.1/ http://127.0.1/ http://127.127.127.127/ http://0/ http://0.0.0.0:22/ http://0.0/
http://2130706433/ http://3232235777/ http://2852039166/ http://017700000001/ http://0177.0.0.1/ http://0177.1/ http://00000177.0.0.1/
http://0x7f000001/ http://0x7f.0x0.0x0.0x1/ http://0x7f.1/ http://0X7F.0.0.1/ http://0x7f.0.1/ http://0x/ http://0x0a000005/
http://0xa9fea9fe/ http://0xA9.0xFE.0xA9.0xFE/ http://0251.0376.0251.0376/ http://0251.254.169.254/ http://169.254.43518/
http://169.16689662/ http://425.510.425.510/ http://127.0.0.1./ http://127.0.0.1:80/ http://127.0.0.1:8888/api
http://169.254.169.254/latest/meta-data/ http://169.254.169.254.:80/ http://100.100.100.200/ http://192.0.0.192/ http://168.63.129.16/
http://[::]/ http://[::1]/ http://[0:0:0:0:0:0:0:1]/ http://[0000::1]:80/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/
http://[0:0:0:0:0:ffff:127.0.0.1]/ http://[::127.0.0.1]/ http://[::ffff:169.254.169.254]/ http://[::ffff:a9fe:a9fe]/
http://[::ffff:0:127.0.0.1]/ http://[64:ff9b::7f00:1]/ http://[64:ff9b::169.254.169.254]/ http://[64:ff9b:1::10.0.0.1]/
http://[2002:7f00:0001::]/ http://[2002:a9fe:a9fe::1]/ http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/ http://[fd00:ec2::254]/
http://[fe80::1]/ http://[fec0::1]/ http://[fc00::1]/ http://[ff02::1]/ http://[2001:db8::1]/ http://[100::1]/
http://[2606:4700::5efe:7f00:1]/ http://[::1%25lo]/ http://[fe80::1%25eth0]/
http://localhost/ http://LOCALHOST/ http://localhost./ http://x.localhost/ http://localhost:8888/ http://ｌｏｃａｌｈｏｓｔ/
http://①②⑦.⓪.⓪.①/ http://１２７.０.０.１/ http://127。0。0。1/ http://127．0．0．1/ http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/ http://0ｘ7f.1/
http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/ http://%6c%6f%63%61%6c%68%6f%73%74/ http://127%2e0%2e0%2e1/
http://good.example@127.0.0.1/ http://127.0.0.1@good.example/ http://good.example:80@127.0.0.1/ http://good.example\\@127.0.0.1/
http://127.0.0.1\\.good.example/ http://127.0.0.1%23.good.example/ http://127.0.0.1%2f.good.example/
http:127.0.0.1/ http:/127.0.0.1/ http:///127.0.0.1/ //127.0.0.1/ http://127.0.0.1:0/ http://127.0.0.1:99999/
file:///etc/passwd FILE:///etc/passwd gopher://127.0.0.1:6379/_INFO dict://127.0.0.1:11211/ ftp://127.0.0.1/ ldap://127.0.0.1/
netdoc:///etc/passwd jar:http://127.0.0.1!/ tftp://127.0.0.1/x ws://127.0.0.1/ unix:///var/run/docker.sock
http://inside.example/ http://mixed.example/ http://six.example/ http://wrapped.example/ http://metadata.example/ http://nowhere.example/
http://empty.example/ http://scoped.example/ http://nonsense.example/ http://unspecified.example/
""".split()  # noqa: SIM905
NAMES = {
    "inside.example": [["10.0.0.5"]],
    "mixed.example": [[PUBLIC, "127.0.0.1"]],
    "six.example": [["::1"]],
    "wrapped.example": [["::ffff:8.8.8.8"]],
    "metadata.example": [["169.254.169.254"]],
    "empty.example": [[]],
    "scoped.example": [["fe80::1%eth0"]],
    "nonsense.example": [["not an address"]],
    "unspecified.example": [["0.0.0.0"]],
    "good.example": [[PUBLIC]],
}


async def page(visit: Visit) -> None:
    await visit.answer("<p>secret of the inside</p>")


@pytest.mark.spec("FR-3", "FR-2", "WEB-2", "WEB-3", "WEB-5", "BRW-107", "BRW-109", "BRW-110", "BRW-111", "BRW-112", "BRW-113", "BRW-114")
@pytest.mark.parametrize("address", BYPASSES)
async def test_no_published_bypass_dials_anything(address: str) -> None:
    net = Net({name: list(answers) for name, answers in NAMES.items()}, dict.fromkeys(("127.0.0.1", "::1", "0.0.0.0", PUBLIC), 1))
    with pytest.raises(NetProblem) as problem:
        await net.guard().check(address)
    assert net.dialled == []
    assert set(net.asked) <= set(NAMES) | {"nowhere.example"}  # a number, localhost or what is no address is never resolved
    assert problem.value.say(Texts("en"))


@pytest.mark.spec("FR-3", "WEB-5")
async def test_a_second_answer_of_the_resolver_changes_nothing() -> None:
    async with a_site(page) as public:
        net = a_net(public.port)
        net.names["site.example"] = [[PUBLIC], ["127.0.0.1"], ["169.254.169.254"]]
        guard = net.guard()
        answer = await request(guard, await guard.check("http://site.example/"))
        assert (answer.status, answer.body) == (200, b"<p>secret of the inside</p>")
        assert (net.asked, net.dialled) == (["site.example"], [f"{PUBLIC}:80"])
        for _ in range(2):  # and the next request is judged anew
            with pytest.raises(Refused):
                await guard.check("http://site.example/")
    assert net.dialled == [f"{PUBLIC}:80"]


@pytest.mark.spec("WEB-5")
async def test_the_judge_is_asked_about_every_address_before_the_first_is_dialled() -> None:
    net = a_net()
    net.names["site.example"] = [[PUBLIC, OTHER, "2606:4700::1111", "10.0.0.1"]]
    with pytest.raises(Refused, match="kind_private"):
        await net.guard().check("https://site.example/")
    assert net.dialled == []


async def test_the_next_judged_address_is_tried_when_one_does_not_answer() -> None:
    async with a_site(page) as site:
        net = a_net(site.port)
        net.names["site.example"] = [[OTHER, PUBLIC]]
        guard = net.guard()
        answer = await request(guard, await guard.check("http://site.example:8080/"))
    assert answer.status == 200
    assert net.dialled == [f"{OTHER}:8080", f"{PUBLIC}:8080"]


@pytest.mark.spec("WEB-5")
async def test_the_server_is_asked_for_under_its_name_and_must_show_that_name(tmp_path: Path) -> None:
    server, trust = certificate(tmp_path, "site.example")
    async with a_site(page, server) as site:
        net = a_net(site.port, "site.example", "other.example")
        guard = net.guard(trust=trust)
        answer = await request(guard, await guard.check("https://site.example:444/x?y=é z"))
        assert answer.status == 200
        assert site.visits[0].line == "GET /x?y=%C3%A9%20z HTTP/1.1"
        assert site.visits[0].headers["host"] == "site.example:444"
        with pytest.raises(Failed, match="tls"):
            await request(guard, await guard.check("https://other.example/"))
        with pytest.raises(Failed, match="tls"):
            await request(net.guard(), await guard.check("https://site.example/"))
    assert len(site.visits) == 1


async def test_an_address_of_version_6_is_dialled_and_named_as_it_is() -> None:
    async with a_site(page) as site:
        net = Net({}, {"2606:4700::1111": site.port})
        guard = net.guard()
        answer = await request(guard, await guard.check("http://[2606:4700:0::1111]:8080/x"))
    assert answer.status == 200
    assert net.dialled == ["2606:4700::1111:8080"]
    assert site.visits[0].headers["host"] == "[2606:4700::1111]:8080"


@pytest.mark.spec("BRW-114")
async def test_a_name_server_that_does_not_answer_is_not_waited_for() -> None:
    async def never(name: str) -> list[str]:
        await asyncio.Event().wait()
        return []

    with pytest.raises(Failed, match="resolve_slow"):
        await Guard(resolve=never, resolve_seconds=0.05).check("http://site.example/")


async def test_the_system_resolver_gives_addresses_or_fails_and_holds_no_more_threads_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"127.0.0.1", "::1"} & set(await resolver.system_resolver("localhost"))

    def broken(name: str, *_: object, **__: object) -> list[object]:
        if name == "encoding":
            raise UnicodeError(name)
        raise socket.gaierror(name)

    monkeypatch.setattr(resolver.socket, "getaddrinfo", broken)
    for name in ("gone", "encoding"):
        with pytest.raises(OSError, match=name):
            await resolver.system_resolver(name)
    monkeypatch.setattr(resolver, "_places", resolver.threading.BoundedSemaphore(1))
    resolver._places.acquire()
    with pytest.raises(OSError, match="gone"):
        await resolver.system_resolver("gone")


@pytest.mark.spec("WEB-7")
async def test_a_server_that_does_not_take_the_connection_is_given_up() -> None:
    import httpcore

    async def dial(address: str, port: int, seconds: float) -> object:
        await asyncio.sleep(seconds)
        raise httpcore.ConnectTimeout

    net = a_net()
    net.names["site.example"] = [[PUBLIC, OTHER]]
    guard = Guard(resolve=net.resolve, dial=dial, connect_seconds=0.1)  # type: ignore[arg-type]
    with pytest.raises(Failed, match="connect_slow"):
        await request(guard, await guard.check("http://site.example/"), limits=Limits())
    assert Guard().connect_seconds == 5
    assert (Limits().read, Limits().size) == (10, 524288)

"""``research_web`` and ``read_page``: the web for agents that name them."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.tools.web.passages import passages
from crewlab.engine.tools.web.research import Part, answer, chosen
from crewlab.engine.tools.web.search import Result
from tests.fixtures.crews import a_crew
from tests.fixtures.sites import OTHER, Handler, Net, Visit, a_net, a_site, certificate
from tests.fixtures.source import ROOT
from tests.fixtures.webs import EN, Web, parted

KEYS = {"TAVILY_API_KEY": "tvly-secret"}


def article(topic: str, paragraphs: int = 6) -> str:
    body = "".join(
        f"<p>Paragraph {number} tells about {topic}, in words that are long enough to be content.</p>" for number in range(paragraphs)
    )
    filler = "".join(
        f"<p>This one is about other matters, number {number}, and nobody asked for it at all.</p>" for number in range(paragraphs)
    )
    return f"<html><head><title>All about {topic}</title></head><body><article><h1>{topic}</h1>{filler}{body}</article></body></html>"


def sends(body: str, status: int = 200, kind: str = "text/html", **headers: str) -> Handler:
    async def handler(visit: Visit) -> None:
        await visit.answer(body, status, kind, **headers)

    return handler


class Research:
    """A search service that names pages, and the pages by their host."""

    def __init__(self, folder: Path, found: list[str], pages: dict[str, Handler], **more: object) -> None:
        self.tls, self.trust = certificate(folder, "api.tavily.com")
        self.found = found
        self.pages = pages
        self.more = more
        self.queries: list[str] = []
        self.visited: list[str] = []
        self.net = Net({"api.tavily.com": [[OTHER]]})

    async def service(self, visit: Visit) -> None:
        self.queries.append(visit.json["query"])
        results = [{"title": f"Result {number}", "url": url, "content": "snippet"} for number, url in enumerate(self.found)]
        await visit.answer_json({"query": visit.json["query"], "results": results})

    async def page(self, visit: Visit) -> None:
        host = visit.headers["host"]
        self.visited.append(host)
        await self.pages[host](visit)

    async def ask(self, service: Handler | None = None, **arguments: object) -> tuple[bool, str]:
        async with a_site(service or self.service, self.tls) as search, a_site(self.page) as pages:
            for place, host in enumerate(self.pages):
                address = f"93.184.216.{place + 1}"
                self.net.names.setdefault(host, [[address]])
                self.net.wires[address] = pages.port
            self.net.wires[OTHER] = search.port
            web = Web(self.net.guard(trust=self.trust), KEYS, approved=("tavily",), **self.more)  # type: ignore[arg-type]
            ran = await web.call("research_web", **({"query": "Hà Nội weather"} | arguments))
            return ran.ok, ran.text


def blocks(text: str) -> tuple[str, list[str]]:
    """The head, and what stands in each fence; every fence must be whole."""
    pattern = re.compile(r"<<<PAGE (?P<number>[0-9a-f]{16})\n(?P<inside>.*?)\nPAGE (?P=number)>>>", re.DOTALL)
    inside = [match["inside"] for match in pattern.finditer(text)]
    outside = pattern.sub("", text)
    assert "<<<" not in outside
    return outside, inside


FOUR = {name: sends(article(f"weather {name}")) for name in ("a.example", "b.example", "c.example", "d.example")}


@pytest.mark.spec("PTL-103", "PTL-104")
async def test_three_pages_of_different_hosts_are_read_in_order(tmp_path: Path) -> None:
    urls = ["http://a.example/1", "http://a.example/2", "http://b.example/", "http://c.example/", "http://d.example/"]
    research = Research(tmp_path, urls, FOUR)
    ok, text = await research.ask()
    head, found = blocks(text)
    assert ok
    assert research.visited == ["a.example", "b.example", "c.example"]
    assert head.startswith("5 results; 3 pages read of 3 tried.")
    for url, inside in zip(("http://a.example/1", "http://b.example/", "http://c.example/"), found, strict=True):
        assert inside.startswith(f"{url}\nTitle: All about weather {url[7:16]}\n\n")
        assert "Paragraph 0 tells about weather" in inside
        assert "other matters" not in inside  # only what belongs to the question
    research = Research(tmp_path, urls, FOUR)
    await research.ask(max_pages=1)
    assert research.visited == ["a.example"]


@pytest.mark.spec("PTL-104")
async def test_a_page_that_cannot_be_read_is_named_and_replaced(tmp_path: Path) -> None:
    pages = {
        "a.example": sends("gone", 404, "text/plain"),
        "b.example": sends("", 302, location="http://127.0.0.1/"),
        "c.example": sends(article("weather")),
        "d.example": sends("", 200),
    }
    research = Research(tmp_path, [f"http://{host}/" for host in pages] + ["http://169.254.169.254/"], pages)
    ok, text = await research.ask()
    head, found = blocks(text)
    assert ok
    assert "1 pages read of 5 tried" in head
    assert [inside.split("\n")[0] for inside in found] == [f"http://{host}/" for host in pages] + ["http://169.254.169.254/"]
    assert "Not read: The server answered with status 404" in found[0]
    assert "Not read: The page redirects" in found[1]
    assert "Paragraph 0" in found[2]
    assert "Not read: The page is empty" in found[3]
    assert "not" in found[4].lower()
    assert all("127.0.0.1" not in dialled and "169.254" not in dialled for dialled in research.net.dialled)


@pytest.mark.spec("PTL-104")
async def test_no_result_and_a_broken_search_are_two_answers(tmp_path: Path) -> None:
    assert await Research(tmp_path, [], {}).ask() == (True, EN("web.no_results"))
    assert await Research(tmp_path, [], {}).ask(sends("down", 500)) == (False, EN("web.unreachable", names="tavily"))


@pytest.mark.spec("PTL-104")
async def test_a_site_is_searched_and_nothing_else_is_read(tmp_path: Path) -> None:
    urls = ["http://b.example/x", "http://a.example/1", "http://evil-a.example/", "http://a.example/2", "http://a.example.evil.example/"]
    research = Research(tmp_path, urls, FOUR)
    ok, _ = await research.ask(site="A.example")
    assert ok
    assert research.queries == ["Hà Nội weather site:a.example"]
    assert research.visited == ["a.example", "a.example"]
    for site in ("127.0.0.1", "localhost", "a b", "http://a.example/", "[::1]"):
        ok, _ = await research.ask(site=site)
        assert not ok
    assert len(research.queries) == 1


@pytest.mark.spec("PTL-104")
@pytest.mark.parametrize(
    ("arguments", "ok"),
    [
        ({"query": ""}, False),
        ({"query": "  "}, False),
        ({"query": "x" * 401}, False),
        ({"query": "x" * 400}, True),
        ({"max_pages": 0}, False),
        ({"max_pages": 4}, False),
        ({"max_pages": 3}, True),
        ({"site": ""}, False),
    ],
)
async def test_the_parameters_have_bounds(tmp_path: Path, arguments: dict[str, object], ok: bool) -> None:
    assert (await Research(tmp_path, [], {}).ask(**arguments))[0] is ok


@pytest.mark.spec("PTL-104")
async def test_the_time_is_over_for_all_pages_together(tmp_path: Path) -> None:
    async def hanging(visit: Visit) -> None:
        await visit.hang()

    research = Research(
        tmp_path, ["http://a.example/", "http://b.example/"], {"a.example": hanging, "b.example": hanging}, research_seconds=3
    )
    ok, text = await research.ask()
    head, found = blocks(text)
    assert ok
    assert "0 pages read of 1 tried" in head
    assert found == ["http://a.example/\nNot read: there was no time left for it."]


@pytest.mark.spec("PTL-104", "OUT-60", "OUT-61")
@given(st.integers(0, 9000), st.lists(st.tuples(st.integers(0, 3000), st.booleans()), min_size=1, max_size=5))
def test_every_fence_closes_whatever_the_ceiling(ceiling: int, sizes: list[tuple[int, bool]]) -> None:
    parts = [
        Part(f"http://p{place}.example/", "T", "x" * size) if good else Part(f"http://p{place}.example/", why="a reason. " * (size // 30))
        for place, (size, good) in enumerate(sizes)
    ]
    context = Web(Net().guard(), output_chars=ceiling).context
    text = answer(parts, 5, context)
    assert len(text) <= ceiling
    _, found = blocks(text)
    texts = [inside for inside in found if "Not read" not in inside]
    cut = [number for number, inside in enumerate(texts) if "characters kept" in inside]
    assert not cut or all(number in cut or not texts[number] for number in range(cut[0], len(texts)) if len(texts[number]) > 300)


@pytest.mark.spec("PTL-104")
def test_passages_are_those_with_the_words_in_the_order_of_the_page() -> None:
    text = "\n".join(["Nothing here.", "HANOI has weather.", "Weather in Hà Nội is hot.", "Other.", "Hà Nội: WEATHER again."])
    assert passages(text, "ha noi weather", 3000) == "HANOI has weather.\nWeather in Hà Nội is hot.\nHà Nội: WEATHER again."
    assert passages(text, "ha noi weather", 50) == "Weather in Hà Nội is hot.\nHà Nội: WEATHER again."  # those with most words stay
    assert passages(text, "absent", 3000) == ""
    assert passages("đường phố", "duong", 100) == "đường phố"
    assert len(passages("word " * 5000, "word", 3000)) <= 3000


@given(st.text(), st.text(), st.integers(0, 500))
def test_passages_are_of_the_page_and_no_longer_than_allowed(text: str, query: str, most: int) -> None:
    found = passages(text, query, most)
    assert len(found) <= most
    assert all(line.strip() in text for line in found.split("\n"))


def test_results_with_addresses_that_cannot_be_read_are_left_out() -> None:
    assert chosen([Result("", "http://[bad/", ""), Result("", "http://good.example/", "")], None) == [
        Result("", "http://good.example/", "")
    ]


LONG = "".join(f"{number:06}:" for number in range(2000))  # 14,000 characters, each place to be told


@pytest.mark.spec("PTL-105", "PTL-106")
async def test_a_page_is_read_piece_by_piece_with_the_call_that_reads_on() -> None:
    async with a_site(sends(LONG, kind="text/plain")) as site:
        web = Web(a_net(site.port).guard(), output_chars=8000)
        read, offset, calls = "", 0, 0
        while True:
            ran = await web.call("read_page", url="http://site.example/a?b=c", offset=offset)
            above, inside = parted(ran.text)
            read += inside
            calls += 1
            following = re.search(r'read_page\(url="http://site.example/a\?b=c", offset=(\d+)\)', above)
            if following is None:
                assert "This is the end of the page." in above
                break
            offset = int(following[1])
        assert read == LONG
        assert calls == 4
        assert len(parted((await web.call("read_page", url="http://site.example/", maxChars=6000)).text)[1]) == 6000
        assert len(parted((await web.call("read_page", url="http://site.example/", maxChars=1024)).text)[1]) == 1024
        ran = await web.call("read_page", url="http://site.example/", offset=14_000)
        assert (ran.ok, ran.text) == (False, "The text of the page has 14,000 characters; there is nothing at 14,000.")
        for wrong in ({"maxChars": 1023}, {"maxChars": 6001}, {"offset": -1}):
            assert not (await web.call("read_page", url="http://site.example/", **wrong)).ok


@pytest.mark.spec("PTL-106", "WEB-3", "WEB-6", "WEB-11")
async def test_read_page_fetches_like_fetch_url() -> None:
    for handler, said in (
        (sends("", 302, location="http://127.0.0.1/"), "redirects"),
        (sends(""), "empty"),
        (sends("x", 500), "status 500"),
    ):
        async with a_site(handler) as site:
            ran = await Web(a_net(site.port).guard()).call("read_page", url="http://site.example/")
            assert not ran.ok
            assert said in ran.text
    net = a_net()
    net.names["inside.example"] = [["10.0.0.1"]]
    for url in ("http://127.0.0.1/", "http://inside.example/", "file:///etc/passwd"):
        assert not (await Web(net.guard()).call("read_page", url=url)).ok
    assert net.dialled == []


@pytest.mark.spec("OUT-60")
@pytest.mark.parametrize("ceiling", [1, 700, 900, 1500, 4000])
async def test_the_fence_of_a_piece_is_whole_whatever_the_ceiling(ceiling: int) -> None:
    async with a_site(sends(LONG, kind="text/plain")) as site:
        ran = await Web(a_net(site.port).guard(), output_chars=ceiling).call("read_page", url="http://site.example/")
    assert len(ran.text) <= ceiling
    assert ran.text.count("<<<PAGE") == ran.text.count(">>>")


@pytest.mark.spec("PTL-105", "PTL-106")
def test_it_has_the_lowest_allowance_of_all_reading_tools() -> None:
    own = Web(Net().guard()).tools["read_page"].parameters["properties"]["maxChars"]
    assert (own["minimum"], own["maximum"]) == (1024, 6000)
    spec = (ROOT / "docs" / "spec" / "portal-tools.md").read_text(encoding="utf-8")
    most = [
        int(number.replace(",", ""))
        for number in re.findall(r"`maxChars` \((?:integer,? ?)?(?:default [\d,]+, range )?[\d,]+–([\d,]+)", spec)
    ]
    assert len(most) >= 4
    assert sorted(most)[:2] == [6000, sorted(most)[1]]
    assert sorted(most)[1] > 6000


@pytest.mark.spec("PTL-101", "PTL-102", "PTL-13", "PTL-14")
@pytest.mark.parametrize(
    ("profile", "config", "held"),
    [
        ("", "", set()),
        ("tools: [research_web, workspace_read]\n", "", {"research_web"}),
        ("extra_tools: [web]\n", "", {"research_web", "read_page"}),
        ("extra_tools: [read_page]\n", "", {"read_page"}),
        ("tools: [workspace_read]\nextra_tools: [web]\n", "", {"research_web", "read_page"}),
        ("tools: []\n", "", set()),
        ("extra_tools: [web]\ntools: [research_web]\n", "web_providers: []\n", set()),
    ],
)
async def test_who_holds_them(tmp_path: Path, profile: str, config: str, held: set[str]) -> None:
    agent = tmp_path / "agents" / "reader"
    agent.mkdir(parents=True)
    (agent / "agent.yaml").write_text(profile)
    async with a_crew(tmp_path, config=f"{config}language: en\n") as crew:
        assert set(crew.toolbox.of(crew.roster.get("reader")).names) & {"research_web", "read_page"} == held
        assert not set(crew.toolbox.of(crew.roster.master).names) & {"research_web", "read_page"}


@pytest.mark.spec("PTL-27", "PTL-28")
@pytest.mark.parametrize("name", ["research_web", "read_page"])
def test_they_read_and_ask_nobody(name: str) -> None:
    tool = Web(Net().guard()).tools[name]
    assert (tool.requires_approval, tool.replay_safe, tool.script, tool.parallel, tool.tier) == (False, True, "any", False, "read")

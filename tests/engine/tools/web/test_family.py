"""Which agent holds the web tools, and what a turn makes of them."""

from pathlib import Path

import pytest

from crewlab.engine.event import Event
from tests.fixtures.crews import a_crew, say
from tests.fixtures.sites import PUBLIC, Handler, Visit, a_net, a_site
from tests.fixtures.webs import parted

WEB = {"fetch_url", "web_search"}


async def page(visit: Visit) -> None:
    text = "<p>It rains in Hà Nội today, and it will rain tomorrow.</p>"
    await visit.answer(f"<html><head><title>Weather</title></head><body>{text}</body></html>")


def results(events: list[Event]) -> list[Event]:
    return [event for event in events if event.type == "tool_result"]


@pytest.mark.spec("PTL-102", "WEB-17")
@pytest.mark.parametrize(
    ("config", "held"),
    [("", WEB), ("web_providers: [brave]\n", WEB), ("web_providers: []\n", set())],
)
async def test_every_agent_holds_them_unless_no_provider_is_approved(tmp_path: Path, config: str, held: set[str]) -> None:
    agent = tmp_path / "agents" / "reader"
    agent.mkdir(parents=True)
    (agent / "agent.yaml").write_text("tools: [web_search, workspace_read]\n")
    async with a_crew(tmp_path, config=f"{config}language: en\n") as crew:
        assert set(crew.toolbox.of(crew.roster.master).names) & WEB == held
        assert set(crew.toolbox.of(crew.roster.get("reader")).names) & WEB == held & {"web_search"}


async def turn(root: Path, message: str, handler: Handler = page, **names: list[list[str]]) -> tuple[Event, list[str]]:
    """The tool's result as everybody who watches the turn sees it, and what was dialled."""
    async with a_site(handler) as site:
        net = a_net(site.port)
        net.names |= {f"{name}.example": answers for name, answers in names.items()}
        async with a_crew(root, net=net.guard()) as crew:
            _, events = await say(crew, message)
    (result,) = results(events)
    return result, net.dialled


@pytest.mark.spec("WEB-1", "WEB-14", "FI-5")
async def test_a_page_is_read_in_a_turn_without_anybody_being_asked(tmp_path: Path) -> None:
    result, dialled = await turn(tmp_path, '/tool fetch_url {"url": "http://site.example/"}')
    assert (result.ok, result.outcome, result.shortened) == (True, "ok", None)
    assert "It rains in Hà Nội" in parted(result.output)[1]
    assert dialled == [f"{PUBLIC}:80"]


@pytest.mark.spec("WEB-3", "FR-3")
@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("http://169.254.169.254/latest/meta-data/", "refused"),
        ("http://0x7f000001:8888/", "refused"),
        ("http://[::ffff:10.0.0.1]/", "refused"),
        ("http://rebound.example/", "error"),
    ],
)
async def test_an_inner_address_never_gets_as_far_as_a_question(tmp_path: Path, url: str, outcome: str) -> None:
    result, dialled = await turn(tmp_path, f'/tool fetch_url {{"url": "{url}"}}', rebound=[["127.0.0.1"]])
    assert (result.ok, result.outcome) == (False, outcome)
    assert "nobody can approve another" in result.output
    assert dialled == []


@pytest.mark.spec("OUT-60", "FI-5")
async def test_a_long_page_keeps_its_fence_on_the_way_to_the_model(tmp_path: Path) -> None:
    async def long(visit: Visit) -> None:
        await visit.answer("word " * 50_000, kind="text/plain")

    (tmp_path / "config.yaml").write_text("tool_output_chars: 3000\n")
    result, _ = await turn(tmp_path, '/tool fetch_url {"url": "http://site.example/"}', long)
    assert (result.ok, result.shortened) == (True, None)
    assert parted(result.output)[1].startswith("word word")
    assert len(result.output) <= 3000

"""Which routes a crew has, which are left out and why, and what answers when nobody named any."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from crewlab.engine.home.routes import Route
from crewlab.engine.models import defaults as defaults_module
from crewlab.engine.models import service as service_module
from crewlab.engine.models.base import ChatMessage, ChatRequest, Completion, NoRoute, RouteFailed, RouteRetry
from crewlab.engine.models.catalogue import DEFAULT_MODELS, PROVIDERS, ollama_url
from crewlab.engine.models.defaults import Defaults
from crewlab.engine.models.http import HttpPool
from crewlab.engine.models.local_files import TINY_BYTES
from crewlab.engine.models.service import Models
from crewlab.engine.texts import Texts
from tests.fixtures.wire import Reply, WireServer

TEXTS = Texts()
NOTHING = {"OLLAMA_BASE_URL": "http://127.0.0.1:9"}  # the discard port: nothing listens


@dataclass
class Settings:
    routes: Sequence[Route] | None = None


@dataclass
class Home:
    local_models: Path


class Keys(dict[str, str]):
    """A key ring of a test."""


@pytest.fixture
def no_local(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service_module, "default_route", lambda home: None)
    monkeypatch.setattr(service_module, "is_ready", lambda home, name: False)


def models(tmp_path: Path, keys: dict[str, str] | None = None, routes: Sequence[Route] | None = None) -> Models:
    return Models(Settings(routes), Keys(NOTHING | (keys or {})), Home(tmp_path), TEXTS)


def names(routes: Sequence[Route]) -> list[str]:
    return [str(route) for route in routes]


@pytest.mark.spec("PRV-2", "PRV-3")
async def test_a_route_without_its_key_is_left_out_with_one_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    crew = models(tmp_path, {"OPENAI_API_KEY": "k"}, [Route("openrouter", "x"), Route("openai", "y"), Route("anthropic", "z")])
    with caplog.at_level(logging.WARNING):
        assert names((await crew.chain()).routes) == ["openai:y"]
        await crew.chain()
    assert [record.getMessage() for record in caplog.records] == [
        "openrouter:x is left out: OPENROUTER_API_KEY is not set.",
        "anthropic:z is left out: ANTHROPIC_API_KEY is not set.",
    ]
    await crew.close()


@pytest.mark.spec("PRV-3")
async def test_a_key_that_is_set_later_counts_at_once(tmp_path: Path) -> None:
    keys = Keys(NOTHING)
    crew = Models(Settings([Route("openrouter", "x")]), keys, Home(tmp_path), TEXTS)
    with pytest.raises(NoRoute):
        await crew.chain()
    keys["OPENROUTER_API_KEY"] = "k"
    assert names((await crew.chain()).routes) == ["openrouter:x"]
    await crew.close()


@pytest.mark.spec("PRV-14")
async def test_an_agents_routes_stand_before_the_crews(tmp_path: Path) -> None:
    crew = models(tmp_path, routes=[Route("fake", "echo")])
    assert names((await crew.chain(None)).routes) == ["fake:echo"]
    assert names((await crew.chain([Route("ollama", "qwen3:8b"), Route("fake", "slow")])).routes) == ["ollama:qwen3:8b", "fake:slow"]
    await crew.close()


@pytest.mark.spec("PRV-17")
async def test_without_any_route_the_person_is_pointed_at_connections(tmp_path: Path, no_local: None) -> None:
    crew = models(tmp_path)
    with pytest.raises(NoRoute, match="Connections"):
        await crew.chain()
    with pytest.raises(NoRoute):
        await crew.chain([Route("nosuch", "x")])
    status = await crew.describe([Route("nosuch", "x"), Route("openai", "y"), Route("local", "gone")])
    assert status.answering is None
    assert [row.ready for row in status.routes] == [False, False, False]
    assert "no such provider" in status.routes[0].why
    assert "OPENAI_API_KEY" in status.routes[1].why
    assert "crewlab local install" in status.routes[2].why
    assert "OPENROUTER_API_KEY" in status.mend
    await crew.close()


async def test_describe_names_what_answers_without_asking_it(tmp_path: Path) -> None:
    crew = models(tmp_path, {"ANTHROPIC_API_KEY": "k"})
    status = await crew.describe()
    assert status.answering == f"anthropic:{DEFAULT_MODELS['anthropic']}"
    assert not status.small
    assert status.mend == ""
    await crew.close()


async def test_the_small_model_is_said_to_be_one(tmp_path: Path) -> None:
    crew = models(tmp_path)
    status = await crew.describe()
    assert (status.answering, status.small) == ("local:smollm2", True)
    assert "demonstration" in status.mend
    assert (await crew.chain()).small
    await crew.close()


@pytest.mark.spec("LOC-4", "LOC-10")
async def test_a_model_of_ones_own_is_not_called_a_demonstration(tmp_path: Path) -> None:
    with (tmp_path / "mine.gguf").open("wb") as file:
        file.truncate(TINY_BYTES)
    crew = models(tmp_path)
    status = await crew.describe()
    assert (status.answering, status.small, status.mend) == ("local:mine", False, "")
    assert (await crew.chain()).small
    await crew.close()


@pytest.mark.spec("PRV-20", "PRV-8")
async def test_the_fake_model_answers_through_the_chain_without_key_or_network(tmp_path: Path) -> None:
    waits: list[float] = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    crew = Models(Settings([Route("fake", "down"), Route("fake", "echo")]), Keys(), Home(tmp_path), TEXTS, sleep=sleep)
    items = [item async for item in (await crew.chain()).stream(ChatRequest("", (ChatMessage("user", "hi"),)))]
    assert isinstance(items[-1], Completion)
    assert (items[-1].text, items[-1].provider, items[-1].model, items[-1].cost_usd) == ("hi", "fake", "echo", 0.0)
    assert [type(item) for item in items if isinstance(item, RouteRetry | RouteFailed)] == [RouteRetry, RouteFailed]
    assert waits == [2.0]
    await crew.close()


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"OPENAI_API_KEY": "k", "OPENROUTER_API_KEY": "k"}, ["openrouter", "openai"]),
        ({"ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"}, ["anthropic", "openai"]),
        ({"OPENAI_API_KEY": ""}, ["local"]),
    ],
)
async def test_default_routes_follow_the_keys_in_a_fixed_order(tmp_path: Path, keys: dict[str, str], expected: list[str]) -> None:
    crew = models(tmp_path, keys)
    assert [route.provider for route in (await crew.chain()).routes] == expected
    await crew.close()


TAGS = b"""{"models": [{"name": "nomic-embed-text:latest"}, {"name": "x", "details": {"family": "bert"}},
{"name": "qwen3:8b"}, {"name": "old"}]}"""


@pytest.mark.spec("PRV-2", "TOOL-33", "TOOL-36", "LOC-2")
async def test_a_running_ollama_comes_before_the_small_model_and_is_asked_rarely() -> None:
    now = [0.0]
    pool = HttpPool()
    async with WireServer(Reply(TAGS, kind="application/json")) as server:
        found = Defaults(Keys(OLLAMA_BASE_URL=server.url), pool, lambda: Route("local", "smollm2"), lambda: now[0])
        for _ in range(3):
            assert names(await found.routes()) == ["ollama:qwen3:8b"]
        assert [asked.path for asked in server.asked] == ["/api/tags"]
        now[0] += defaults_module.PROBE_KEPT_SECONDS
        await found.routes()
        assert len(server.asked) == 2
        await pool.close()


@pytest.mark.parametrize("body", [b"", b"[]", b'{"models": 3}', b'{"models": [3, {"name": 4}]}', b'{"models": []}', b"<html>"])
async def test_an_ollama_without_a_chat_model_does_not_count(body: bytes) -> None:
    pool = HttpPool()
    async with WireServer(Reply(body, kind="application/json")) as server:
        found = Defaults(Keys(OLLAMA_BASE_URL=server.url), pool, lambda: Route("local", "smollm2"))
        assert names(await found.routes()) == ["local:smollm2"]
        await pool.close()


async def test_a_silent_ollama_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(defaults_module, "PROBE_SECONDS", 0.05)
    pool = HttpPool()
    async with WireServer(Reply(end="silent")) as server:
        found = Defaults(Keys(OLLAMA_BASE_URL=server.url), pool, lambda: None)
        assert await found.routes() == ()
        await pool.close()


async def test_a_server_of_ones_own_answers_with_its_first_model() -> None:
    pool = HttpPool()
    async with WireServer(Reply(b'{"data": [{"id": "bge-m3"}, {"id": "my-model"}]}', kind="application/json")) as server:
        found = Defaults(Keys(OPENAI_BASE_URL=server.url, OPENAI_API_KEY="k"), pool, lambda: None)
        assert names(await found.routes()) == ["openai:my-model"]
        assert server.asked[0].path == "/v1/models"
        assert server.asked[0].headers["authorization"] == "Bearer k"
        await pool.close()


@pytest.mark.spec("PRV-2")
def test_addresses_of_ollama() -> None:
    assert ollama_url(Keys()) == "http://127.0.0.1:11434/v1"
    assert ollama_url(Keys(OLLAMA_BASE_URL="http://box:1/")) == "http://box:1/v1"


@pytest.mark.spec("PRV-2", "PRV-19")
async def test_every_provider_of_the_table_can_be_built(tmp_path: Path) -> None:
    crew = models(tmp_path)
    assert {name: spec.key for name, spec in PROVIDERS.items()} == {
        "openrouter": "OPENROUTER_API_KEY",
        "anthropic": "ANTHROPIC_API_KEY",
        "openai": "OPENAI_API_KEY",
        "ollama": None,
        "local": None,
        "fake": None,
    }
    for name in PROVIDERS:
        assert crew.provider(name).name == name
        assert crew.provider(name) is crew.provider(name)
    await crew.close()

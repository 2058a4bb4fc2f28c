"""What a person at JupyterLab sees and can do when something goes wrong."""

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fixtures.desk import PATIENCE_MS, Desk, Lab, a_lab
from tests.fixtures.vendors import answer, refusal, vendor_aside

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(400)]

ANSWER_SECONDS = 2.0  # issue 2, point 5: how soon JupyterLab must answer beside many windows
WINDOWS = 8
WRITE = '/tool workspace_write {"path": "two.txt", "content": "two"}'
TIMED = """async url => {
    const began = performance.now();
    const answer = await fetch(url);
    await answer.text();
    return [performance.now() - began, answer.status];
}"""
CARD = "#crewlab-panel .crew-card.error"
NO_MODEL = {"OLLAMA_BASE_URL": "http://127.0.0.1:9/v1"}


@contextmanager
def a_desk(page: Page, folder: Path, **options: Any) -> Iterator[Desk]:
    with a_lab(folder, **options) as lab:
        desk = Desk(page, lab)
        desk.open()
        desk.chat()
        yield desk
        assert desk.errors == []


def answers(desk: Desk) -> Any:
    return desk.thread.locator(".jp-RenderedHTMLCommon")


@pytest.mark.spec("AGT-4", "AGT-5", "UI-8")
def test_a_configuration_that_cannot_stand_is_one_card_until_it_is_mended(page: Page, tmp_path: Path) -> None:
    lab = Lab(tmp_path, config="language: en\nautonomus: true\n")
    try:
        lab.start(503)
        desk = Desk(page, lab)
        desk.open()
        desk.execute("crewlab:focus-chat")
        card = page.locator(CARD)
        expect(card).to_contain_text("config.yaml, line 2")
        expect(card).to_contain_text("Did you mean autonomous?")
        expect(card).to_contain_text("restart JupyterLab")
        expect(page.locator("#crewlab-panel textarea")).to_have_count(0)
        expect(page.locator("#jp-main-dock-panel")).to_be_visible()
        lab.stop()
        (lab.home / "config.yaml").write_text("language: en\nautonomous: false\n")
        lab.start()
        desk.open()
        desk.errors.clear()  # JupyterLab's own requests failed while there was no server
        desk.chat()
        desk.send("back again")
        expect(answers(desk).last).to_have_text("back again", timeout=PATIENCE_MS)
        assert desk.errors == []
    finally:
        lab.stop()


@pytest.mark.spec("PRV-17", "UI-39", "UI-8")
def test_without_a_model_a_card_says_what_to_do_and_the_message_is_kept(page: Page, tmp_path: Path) -> None:
    with a_desk(page, tmp_path, routes="openrouter:some/model", environ=NO_MODEL) as desk:
        model = page.locator(".crew-model")
        expect(model).to_contain_text("No model answers yet")
        expect(model).to_contain_text("crewlab local install")
        expect(model).to_contain_text("export OPENROUTER_API_KEY=")
        desk.send("anybody there?")
        notice = page.locator(".crew-notice.error")
        expect(notice).to_contain_text("No model can answer")
        expect(notice).to_contain_text("Code no_route")
        expect(notice).to_contain_text("Connections")
        expect(desk.thread).to_contain_text("anybody there?")
        expect(desk.composer).to_be_enabled()


@pytest.mark.spec("UI-39", "PRV-17")
def test_a_refused_key_is_a_notice_with_its_code_and_send_again_works_once_it_is_mended(page: Page, tmp_path: Path) -> None:
    with vendor_aside(refusal(401, "Incorrect API key provided"), answer("All is **well** now")) as vendor:
        environ = {"OPENAI_BASE_URL": vendor.url, "OPENAI_API_KEY": "sk-test-0123456789abcdefghij"}
        with a_desk(page, tmp_path, routes="openai:m", environ=environ) as desk:
            desk.send("hello vendor")
            notice = page.locator(".crew-notice.error")
            expect(notice).to_contain_text("does not accept the key in OPENAI_API_KEY")
            expect(notice).to_contain_text("Code routes_failed")
            expect(notice).not_to_contain_text("sk-test")
            notice.get_by_role("button", name="Send again").click()
            expect(answers(desk).last.locator("strong")).to_have_text("well", timeout=PATIENCE_MS)
            expect(notice).to_have_count(0)


@pytest.mark.spec("UI-112", "UI-8", "UI-49", "UI-108")
def test_words_written_while_the_server_is_gone_stay_and_can_be_sent_after_it_is_back(page: Page, tmp_path: Path) -> None:
    with a_desk(page, tmp_path) as desk:
        desk.send("before")
        expect(answers(desk).last).to_have_text("before", timeout=PATIENCE_MS)
        page.add_locator_handler(page.locator(".jp-Dialog"), lambda _dialog: page.keyboard.press("Escape"))  # JupyterLab's own
        desk.composer.press_sequentially("typed before ")
        desk.lab.kill()
        page.locator(".crew-offline").wait_for()
        desk.composer.fill("typed before and after")  # JupyterLab's own dialog takes the focus from a slow writer
        desk.composer.press("Enter")
        expect(page.locator(".crew-refusal")).to_contain_text("Not sent: the server does not answer", timeout=PATIENCE_MS)
        expect(desk.composer).to_have_value("typed before and after")
        desk.lab.start()
        page.locator(".crew-offline").wait_for(state="detached")
        desk.errors[:] = [error for error in desk.errors if "crewlab" in error]  # JupyterLab's own requests failed meanwhile
        expect(desk.composer).to_have_value("typed before and after")
        page.locator(".crew-refusal").get_by_role("button", name="Send again").click()
        expect(answers(desk).last).to_have_text("typed before and after", timeout=PATIENCE_MS)
        expect(desk.composer).to_have_value("")
        messages = desk.lab.get(f"conversations/{desk.lab.get('conversations').json()['conversations'][0]['id']}").json()["messages"]
        assert [m["content"] for m in messages if m["role"] == "user"] == ["before", "typed before and after"]


@pytest.mark.spec("UI-63", "TURN-33", "UI-5")
def test_two_tabs_show_the_same_and_a_decision_in_one_clears_the_bar_of_the_other(page: Page, tmp_path: Path) -> None:
    with a_desk(page, tmp_path) as desk:
        desk.send("from the first tab")
        expect(answers(desk).last).to_have_text("from the first tab", timeout=PATIENCE_MS)
        id = desk.lab.get("conversations").json()["conversations"][0]["id"]
        other = Desk(page.context.new_page(), desk.lab, workspace="auto-o")
        other.open()
        other.execute("crewlab:open-conversation", id=id)
        expect(answers(other).last).to_have_text("from the first tab", timeout=PATIENCE_MS)
        other.send("from the second tab")
        for one in (desk, other):
            expect(answers(one).last).to_have_text("from the second tab", timeout=PATIENCE_MS)
        desk.send(WRITE)
        bars = [one.page.locator(".crew-ask") for one in (desk, other)]
        for bar in bars:
            bar.wait_for()
        bars[1].get_by_role("button", name="Approve").click()
        for bar in bars:
            bar.wait_for(state="detached")
        expect(desk.composer).to_be_enabled()
        desk.until((desk.lab.home / "workspace" / "two.txt").exists)
        assert other.errors == []


@pytest.mark.spec("UI-4", "WIRE-5")
def test_eight_windows_with_running_turns_hold_one_connection_each_and_jupyterlab_answers(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 900, "height": 600})
    with a_lab(tmp_path, routes="fake:slow") as lab:
        (lab.root / "book.ipynb").write_text(json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
        sockets: list[list[Any]] = []
        streams: list[str] = []
        desks: list[Desk] = []
        for number in range(WINDOWS):
            page = context.new_page()
            mine: list[Any] = []
            sockets.append(mine)
            page.on("websocket", lambda socket, mine=mine: mine.append(socket) if "/crewlab/api/ws" in socket.url else None)
            page.on("request", lambda request: streams.append(request.url) if request.url.endswith("/crewlab/api/stream") else None)
            desk = Desk(page, lab, workspace=f"auto-{number}")
            desk.open()
            desk.chat()
            desk.send(f"/slow 2000 0.1 {number}")
            answers(desk).last.get_by_text("w3").wait_for()
            desks.append(desk)
        assert len([run for run in lab.get("activity/runs").json()["runs"] if run["status"] == "running"]) == WINDOWS
        assert [len([socket for socket in mine if not socket.is_closed()]) for mine in sockets] == [1] * WINDOWS
        assert streams == []
        for desk in (desks[0], desks[-1]):
            for path in ("api/status", "api/contents/book.ipynb", "crewlab/api/version"):
                took, status = desk.page.evaluate(
                    TIMED,
                    f"{lab.url}{path}",
                )
                assert status == 200
                assert took < ANSWER_SECONDS * 1000, path
        desks[-1].page.bring_to_front()
        desks[-1].execute("docmanager:open", path="book.ipynb", factory="Notebook", kernel={"name": None})
        desks[-1].page.locator(".jp-NotebookPanel").wait_for()
        assert [desk.errors for desk in desks] == [[]] * WINDOWS
        context.close()


@pytest.mark.spec("GATE-49", "UI-63")
def test_an_approval_that_expires_before_the_eyes_of_the_person_gives_the_composer_back(page: Page, tmp_path: Path) -> None:
    with a_desk(page, tmp_path, environ={"CREWLAB_APPROVAL_TTL_SECONDS": "4"}) as desk:
        desk.send(WRITE)
        bar = page.locator(".crew-ask")
        bar.wait_for()
        expect(bar).to_contain_text("left")
        bar.wait_for(state="detached")
        expect(desk.thread).to_contain_text(re.compile("expired|in time", re.I))
        expect(desk.composer).to_be_enabled()
        assert not (desk.lab.home / "workspace" / "two.txt").exists()
        desk.send("still here")
        expect(answers(desk).last).to_have_text("still here", timeout=PATIENCE_MS)


@pytest.mark.spec("UI-41")
def test_enter_that_ends_a_vietnamese_composition_never_sends(page: Page, tmp_path: Path) -> None:
    with a_desk(page, tmp_path) as desk:
        keyboard = page.context.new_cdp_session(page)
        desk.composer.focus()
        keyboard.send("Input.imeSetComposition", {"text": "tiếng", "selectionStart": 5, "selectionEnd": 5})
        expect(desk.composer).to_have_value("tiếng")
        enter = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13, "nativeVirtualKeyCode": 13}
        keyboard.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **enter})
        keyboard.send("Input.dispatchKeyEvent", {"type": "keyUp", **enter})
        keyboard.send("Input.insertText", {"text": "tiếng"})
        desk.composer.evaluate(  # Safari: the composition has ended, the Enter that ended it still comes
            "e => e.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, which: 229, bubbles: true, cancelable: true}))"
        )
        expect(desk.composer).to_have_value("tiếng")
        keyboard.send("Input.imeSetComposition", {"text": " Việt", "selectionStart": 5, "selectionEnd": 5})
        desk.composer.evaluate(
            "e => e.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, bubbles: true, cancelable: true}))"
        )
        keyboard.send("Input.insertText", {"text": " Việt"})
        expect(desk.composer).to_have_value("tiếng Việt")
        assert desk.lab.get("conversations").json()["conversations"] == []
        desk.composer.press("Enter")
        expect(answers(desk).last).to_have_text("tiếng Việt", timeout=PATIENCE_MS)


@pytest.mark.spec("UI-45", "UI-46", "QUE-5", "TURN-29")
def test_stop_in_mid_stream_gives_the_queued_words_back_in_their_order(page: Page, tmp_path: Path) -> None:
    with a_desk(page, tmp_path, routes="fake:slow") as desk:
        desk.send("/slow 2000 0.1")
        answers(desk).last.get_by_text("w3").wait_for()
        for words in ("first waits", "second waits", "third waits"):
            desk.send(words)
            expect(desk.composer).to_have_value("")
            page.locator(".crew-foot").get_by_text(words).wait_for()
        desk.composer.fill("being written")
        page.get_by_role("button", name="Stop", exact=True).click()
        expect(desk.composer).to_have_value("first waits\n\nsecond waits\n\nthird waits\n\nbeing written")
        expect(desk.composer).to_be_focused(timeout=PATIENCE_MS)
        expect(desk.thread).to_contain_text("Stopped by you")
        for words in ("first waits", "second waits", "third waits"):
            expect(page.locator(".crew-foot").get_by_text(words, exact=True)).to_have_count(0)
        (run,) = desk.lab.get("activity/runs").json()["runs"]
        assert run["status"] == "error"
        detail = desk.lab.get(f"conversations/{run['conversation_id']}").json()
        assert detail["queued"] == []
        assert [m["role"] for m in detail["messages"]] == ["user", "assistant"]


@pytest.mark.spec("UI-48", "TURN-18")
def test_a_text_that_is_too_long_stays_in_the_composer_and_one_character_less_is_sent(page: Page, tmp_path: Path) -> None:
    with a_desk(page, tmp_path) as desk:
        longest = ("mười chữ. " * 10_000)[:99_999] + "."
        desk.composer.fill(longest + "!")
        began = time.monotonic()
        desk.composer.press("Enter")
        expect(page.locator(".crew-refusal")).to_contain_text("too long")
        assert len(desk.composer.input_value()) == 100_001
        desk.composer.fill(longest)
        desk.composer.press("Enter")
        expect(desk.composer).to_have_value("")
        page.wait_for_function("document.querySelectorAll('.crew-composer .crew-stop').length === 0")
        desk.until(lambda: desk.lab.get("activity/runs").json()["runs"][0]["status"] == "done")
        expect(answers(desk).last).to_contain_text("chữ. mười", timeout=PATIENCE_MS)
        assert time.monotonic() - began < PATIENCE_MS / 1000
        desk.send("short again")
        expect(answers(desk).last).to_have_text("short again", timeout=PATIENCE_MS)

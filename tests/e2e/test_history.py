"""A person looks back: finds what was said, goes another way from there, saves it as a file."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixtures.desk import PATIENCE_MS, Desk, Lab, a_lab

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(400)]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with a_lab(tmp_path_factory.mktemp("lab")) as found:
        yield found


@pytest.fixture
def desk(page: Page, lab: Lab) -> Desk:
    desk = Desk(page, lab)
    desk.open()
    desk.chat()
    desk.execute("crewlab:new-conversation")
    return desk


def said(lab: Lab, text: str, **more: str) -> str:
    answer = lab.post("inbound", {"text": text, **more}).json()
    assert answer["status"] == "done"
    return str(answer["conversation_id"])


def answered(desk: Desk, words: str) -> None:
    """Send, and wait for the echo."""
    desk.send(words)
    expect(desk.thread.locator(".jp-RenderedHTMLCommon", has_text=words)).to_have_count(1, timeout=PATIENCE_MS)


@pytest.mark.spec("UI-14", "UI-15", "FTS-2", "FTS-9")
def test_what_was_said_is_found_without_its_marks_and_opened(desk: Desk, lab: Lab) -> None:
    said(lab, "A title without it")
    lab_id = said(lab, "Another title")
    said(lab, "Hãy đọc <b>Đường</b> này", conversation_id=lab_id)
    desk.execute("crewlab:search")
    desk.page.get_by_role("textbox", name="Search titles and messages").fill("duong doc")
    section = desk.page.get_by_role("group", name="In messages")
    section.wait_for()
    expect(desk.page.get_by_text("Nothing found")).to_have_count(0)
    first = section.get_by_role("option").first
    expect(first.locator("mark")).to_have_text(["đọc", "Đường"])
    expect(first).to_contain_text("<b>Đường</b>")  # text, not markup
    first.click()
    desk.see("Đường")
    expect(desk.page.get_by_role("heading", name="Another title")).to_be_visible()
    assert desk.errors == []


@pytest.mark.spec("UI-24", "UI-56", "UI-57", "UI-58", "FRK-1", "FRK-9")
def test_a_message_is_edited_and_sent_again_in_a_branch(desk: Desk, lab: Lab) -> None:
    for words in ("first words", "second words"):
        answered(desk, words)
    original = lab.get("conversations").json()["conversations"][0]
    bubble = desk.thread.locator(".crew-user", has_text="second words")
    bubble.hover()
    desk.thread.get_by_role("button", name="Edit and send again from here").nth(1).click()
    expect(desk.composer).to_have_value("second words", timeout=PATIENCE_MS)
    expect(desk.composer).to_be_focused(timeout=PATIENCE_MS)
    expect(desk.thread.locator(".crew-user")).to_have_count(1)
    link = desk.page.get_by_role("button", name="Branched from first words")
    link.wait_for()
    answered(desk, "other words")
    link.click()
    desk.see("second words")
    kept = lab.get(f"conversations/{original['id']}").json()
    assert [message["content"] for message in kept["messages"]] == ["first words", "first words", "second words", "second words"]
    assert desk.errors == []


@pytest.mark.spec("UI-20", "TURN-108", "TURN-109")
def test_a_conversation_is_saved_as_a_file_with_its_title(desk: Desk, lab: Lab) -> None:
    answered(desk, "Kế hoạch: mai")
    desk.page.get_by_role("button", name="Options").click()
    with desk.page.expect_download() as download:
        desk.page.get_by_role("dialog", name="Options").get_by_role("button", name="Export").click()
    assert download.value.suggested_filename == "Kế hoạch mai.md"
    assert "Kế hoạch: mai" in Path(download.value.path()).read_text(encoding="utf-8")
    assert desk.errors == []

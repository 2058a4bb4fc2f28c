"""A person at JupyterLab: send, approve, reload, lose the server, come back."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.fixtures.desk import PATIENCE_MS, Desk, Lab, a_lab

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(400)]
WRITE = '/tool workspace_write {"path": "notes/today.txt", "content": "line one\\nline two"}'


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with a_lab(tmp_path_factory.mktemp("lab"), routes="fake:echo,fake:slow") as found:
        yield found


@pytest.fixture
def desk(page: Page, lab: Lab) -> Desk:
    desk = Desk(page, lab)
    desk.open()
    desk.chat()
    desk.execute("crewlab:new-conversation")
    return desk


def calm(desk: Desk) -> None:
    assert desk.errors == []


@pytest.mark.spec("UI-1", "UI-9", "UI-26", "UI-41", "TURN-1")
def test_a_message_is_answered_as_markdown_and_stored(desk: Desk, lab: Lab) -> None:
    desk.send("Say **bold** and `code`")
    answer = desk.thread.locator(".jp-RenderedHTMLCommon").last
    expect(answer.locator("strong")).to_have_text("bold", timeout=PATIENCE_MS)
    expect(answer.locator("code")).to_have_text("code")
    conversations = lab.get("conversations").json()["conversations"]
    assert conversations[0]["title"] == "Say **bold** and `code`"
    calm(desk)


@pytest.mark.spec("UI-26")
def test_html_of_a_model_runs_nothing(desk: Desk) -> None:
    desk.send('<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> [x](javascript:window.hacked=1) end of it')
    desk.see("end of it")
    desk.page.wait_for_function("!document.querySelector('.crew-scroll [aria-busy=true]')")
    assert desk.page.evaluate("window.hacked") is None
    assert desk.thread.locator("script, [onerror], a[href^='javascript:']").count() == 0
    calm(desk)


@pytest.mark.spec("UI-59", "GATE-29", "GATE-31", "GATE-32", "GATE-42", "UI-62")
def test_a_write_stops_is_approved_and_is_seen_on_disk(desk: Desk, lab: Lab) -> None:
    target = lab.home / "workspace" / "notes" / "today.txt"
    target.unlink(missing_ok=True)
    desk.send(WRITE)
    bar = desk.page.locator(".crew-ask")
    bar.wait_for()
    expect(bar).to_contain_text("line one")
    expect(bar).to_contain_text("notes/today.txt")
    assert not target.exists()
    desk.page.keyboard.press("Enter")  # UI-62: Enter approves nothing
    expect(bar).to_be_visible()
    assert not target.exists()
    expect(desk.page.locator(".crew-composer textarea:enabled")).to_have_count(0)
    bar.get_by_role("button", name="Approve").click()
    bar.wait_for(state="detached")
    desk.until(target.exists)
    assert target.read_text() == "line one\nline two"
    calm(desk)


@pytest.mark.spec("GATE-43", "OUT-41")
def test_a_denied_write_shows_why_and_writes_nothing(desk: Desk, lab: Lab) -> None:
    desk.send('/tool workspace_write {"path": "denied.txt", "content": "no"}')
    desk.page.locator(".crew-ask").get_by_role("button", name="Deny").click()
    desk.page.wait_for_function("document.querySelectorAll('.crew-composer textarea:enabled').length === 1")
    assert not (lab.home / "workspace" / "denied.txt").exists()
    expect(desk.thread).to_contain_text(re.compile("refused|denied|not allowed", re.I))
    calm(desk)


@pytest.mark.spec("GATE-40", "UI-20")
def test_always_lets_the_next_write_run(desk: Desk, lab: Lab) -> None:
    desk.send('/tool workspace_write {"path": "always1.txt", "content": "1"}')
    desk.page.locator(".crew-ask").get_by_role("button", name=re.compile("Always")).click()
    desk.page.locator(".crew-ask").wait_for(state="detached")
    desk.page.wait_for_function("document.querySelectorAll('.crew-composer textarea:enabled').length === 1")
    desk.send('/tool workspace_write {"path": "always2.txt", "content": "2"}')
    desk.see("always2.txt")
    desk.page.wait_for_function("!document.querySelector('.crew-ask')")
    desk.until((lab.home / "workspace" / "always2.txt").exists)
    assert (lab.home / "workspace" / "always2.txt").read_text() == "2"
    calm(desk)


@pytest.mark.spec("UI-130", "UI-133", "UI-134", "TURN-33")
def test_the_panel_comes_back_with_its_conversation_after_a_reload(desk: Desk) -> None:
    desk.send("remember me after the reload")
    desk.thread.locator(".jp-RenderedHTMLCommon").get_by_text("remember me after the reload").wait_for()
    desk.page.wait_for_timeout(1500)  # JupyterLab saves its layout a moment later
    desk.open(reset=False)
    desk.chat()
    desk.thread.locator(".jp-RenderedHTMLCommon").get_by_text("remember me after the reload").wait_for()
    calm(desk)


@pytest.mark.spec("UI-16", "UI-17", "TURN-20")
def test_a_conversation_can_be_deleted_after_a_question(desk: Desk, lab: Lab) -> None:
    desk.send("delete this one please")
    desk.see("delete this one please")
    before = len(lab.get("conversations", limit=200).json()["conversations"])
    desk.page.get_by_role("button", name=re.compile("conversations", re.I)).first.click()
    row = desk.page.get_by_role("option", name=re.compile("delete this one please"))
    row.hover()
    row.get_by_role("button").first.click()
    desk.page.get_by_role("menuitem", name=re.compile("Delete")).click()
    desk.page.locator(".jp-Dialog").get_by_role("button", name=re.compile("Delete")).click()
    row.wait_for(state="detached")
    assert len(lab.get("conversations", limit=200).json()["conversations"]) == before - 1
    calm(desk)


@pytest.mark.spec("UI-118", "UI-119", "UI-120")
@pytest.mark.parametrize("theme", ["JupyterLab Light", "JupyterLab Dark"])
def test_no_serious_finding_of_accessibility(desk: Desk, theme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    desk.execute("apputils:change-theme", theme=theme)
    desk.send('/tool workspace_write {"path": "axe.txt", "content": "x"}')
    desk.page.locator(".crew-ask").wait_for()
    found = Axe().run(desk.page, context="#crewlab-panel").response["violations"]
    serious = [(f["id"], [n["html"][:160] for n in f["nodes"]][:3]) for f in found if f["impact"] in ("serious", "critical")]
    assert serious == []
    desk.page.locator(".crew-ask").get_by_role("button", name="Deny").click()

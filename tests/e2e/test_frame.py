"""The extension in a real JupyterLab behind a prefix with an encoded user name: what it adds and what it keeps."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fixtures.desk import PATIENCE_MS, Desk, Lab, a_lab

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

PANEL = "#crewlab-panel"
COMPOSER = ".crewlab-ChatWidget:visible textarea"
TAB = 'li.lm-TabBar-tab[data-id="crewlab-panel"]'
NETWORK = re.compile(r"net::ERR|status of 404|Failed to fetch")  # lines about a server or a conversation that a test takes away
SPINE = ["focus-chat", "new-conversation", "open-conversation", "open-chat-main", "stop", "approvals"]


def _lab(tmp_path_factory: pytest.TempPathFactory, config: str) -> Iterator[Lab]:
    with a_lab(tmp_path_factory.mktemp("lab"), routes="", base_url="/user/a%40b/", config=config) as lab:
        yield lab


def open_lab(page: Page, lab: Lab, workspace: str, *, reset: bool = True) -> None:
    Desk(page, lab, workspace).open(reset=reset)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    yield from _lab(tmp_path_factory, "routes: [fake:echo]\n")


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Every turn wants to write a file; the home speaks Vietnamese."""
    yield from _lab(tmp_path_factory, "routes: [fake:approval]\nlanguage: vi\n")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1400, "height": 850}, locale="en-US")
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)) if not NETWORK.search(str(error)) else None)
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" and not NETWORK.search(line.text) else None)
    yield page
    context.close()
    assert faults == []


def say(page: Page, text: str) -> None:
    page.locator(COMPOSER).first.fill(text)
    page.locator(COMPOSER).first.press("Enter")


def run(page: Page, command: str, **args: str) -> None:
    page.evaluate("([id, args]) => window.jupyterapp.commands.execute(id, args).then(() => null)", [command, args])


@pytest.mark.spec("UI-1", "UI-130", "FX-1")
def test_the_panel_stands_at_the_right_and_every_command_is_in_the_palette(lab: Lab, page: Page) -> None:
    open_lab(page, lab, "commands")
    expect(page.locator(f".jp-SideBar.jp-mod-right {TAB}")).to_be_visible()
    run(page, "apputils:activate-command-palette")
    labels = page.locator("li.lm-CommandPalette-item[data-command^='crewlab:']")
    expect(page.locator("li.lm-CommandPalette-item[data-command='crewlab:focus-chat']").first).to_be_visible()
    found = labels.evaluate_all("items => items.map(item => item.dataset.command)")
    assert {f"crewlab:{name}" for name in SPINE} <= set(found)


@pytest.mark.spec("UI-4", "UI-7", "UI-130", "UI-131", "FX-1")
def test_a_message_is_answered_over_one_socket(lab: Lab, page: Page) -> None:
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    open_lab(page, lab, "turn")
    page.keyboard.press("Control+Alt+c")
    expect(page.locator(COMPOSER).first).to_be_focused(timeout=PATIENCE_MS)
    say(page, "What is **bold**? ![x](http://example.org/a.png)")
    answer = page.locator(f"{PANEL} .jp-RenderedMarkdown").last
    expect(answer.locator("strong")).to_have_text("bold")
    expect(answer.locator("img")).to_have_count(0)
    expect(answer.locator("a")).to_have_attribute("href", "http://example.org/a.png")
    ours = [url for url in sockets if "crewlab" in url]
    assert ours == [f"ws://127.0.0.1:{lab.port}/user/a%40b/crewlab/api/ws"]


@pytest.mark.spec("UI-9", "UI-133")
def test_panel_and_main_area_show_the_same_conversation_and_send_once(lab: Lab, page: Page) -> None:
    open_lab(page, lab, "both")
    page.locator(".jp-LauncherCard", has_text=re.compile(r"^Crew$")).click()
    main = page.locator("#crewlab-chat-main")
    expect(main).to_be_visible()
    page.click(TAB)
    run(page, "crewlab:new-conversation")
    main.locator("textarea").fill("said in the main area")
    main.locator("textarea").press("Enter")
    for widget in (main, page.locator(PANEL)):
        expect(widget.locator(".jp-RenderedMarkdown")).to_have_text("said in the main area")
    newest = lab.api("GET", "conversations").json()["conversations"][0]
    messages = lab.api("GET", f"conversations/{newest['id']}").json()["messages"]
    assert [message["content"] for message in messages if message["role"] == "user"] == ["said in the main area"]


@pytest.mark.spec("UI-134", "UI-108")
def test_a_reload_brings_back_layout_conversation_and_draft(lab: Lab, page: Page) -> None:
    open_lab(page, lab, "restored")
    made = lab.api("POST", "conversations", {"title": "Kept over a reload"}).json()
    run(page, "crewlab:open-conversation", id=made["id"])
    run(page, "crewlab:open-chat-main")
    main = page.locator("#crewlab-chat-main")
    expect(main).to_contain_text("Kept over a reload")
    with page.expect_response(lambda answer: "/api/workspaces/" in answer.url and answer.request.method == "PUT"):
        main.locator("textarea").fill("not sent yet")
    open_lab(page, lab, "restored", reset=False)
    expect(main).to_contain_text("Kept over a reload")
    expect(main.locator("textarea")).to_have_value("not sent yet")
    lab.api("DELETE", f"conversations/{made['id']}")
    open_lab(page, lab, "restored", reset=False)
    expect(main.locator("textarea")).to_be_visible()
    expect(main).not_to_contain_text("Kept over a reload")


@pytest.mark.spec("UI-132")
def test_the_panel_moves_with_its_setting(lab: Lab, page: Page) -> None:
    place = lab.folder / "settings" / "@crewlab" / "labextension" / "plugin.jupyterlab-settings"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps({"area": "left", "showStatusBar": False}))
    open_lab(page, lab, "settings")
    expect(page.locator(f".jp-SideBar.jp-mod-left {TAB}")).to_be_visible()
    expect(page.locator(".crewlab-Status")).to_be_hidden()
    place.unlink()


@pytest.mark.spec("UI-4", "UI-112", "WIRE-10")
def test_a_restart_of_the_server_is_a_bar_and_then_nothing(lab: Lab, page: Page) -> None:
    open_lab(page, lab, "restart")
    page.click(TAB)
    say(page, "before the restart")
    expect(page.locator(f"{PANEL} .jp-RenderedMarkdown").last).to_have_text("before the restart")
    lab.stop()
    page.add_locator_handler(page.locator(".jp-Dialog"), lambda _dialog: page.keyboard.press("Escape"))  # JupyterLab's own
    bar = page.get_by_text(re.compile("^No connection to the server since"))
    expect(bar.first).to_be_visible()
    lab.start()
    expect(bar).to_have_count(0, timeout=40_000)
    page.locator(COMPOSER).first.fill("after the restart")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator(f"{PANEL} .jp-RenderedMarkdown").last).to_have_text("after the restart")


@pytest.mark.spec("UI-6", "UI-77", "UI-135", "UI-130", "GATE-78")
def test_a_request_is_counted_outside_of_the_panel_and_leads_to_its_bar(asking: Lab, page: Page) -> None:
    open_lab(page, asking, "asking")
    page.click(TAB)
    expect(page.locator(".crewlab-Status")).to_have_text("Nhóm agent")
    say(page, "viết đi")
    expect(page.locator(".crewlab-Status")).to_have_text("Nhóm: 1 đang chờ")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(page.locator(TAB)).to_have_attribute("data-crew-waiting", "1")
    page.click(TAB)  # the panel folds
    expect(page.locator(PANEL)).to_be_hidden()
    page.click(".crewlab-Status")
    expect(page.locator(f"{PANEL} .crew-ask")).to_be_visible()
    (request,) = asking.api("GET", "approvals?status=pending").json()["approvals"]
    asking.api("POST", f"approvals/{request['id']}", {"decision": "deny"})
    expect(page.locator(f"{PANEL} .crew-ask")).to_have_count(0)
    expect(page.locator(".crewlab-Status")).to_have_text("Nhóm agent")
    expect(page).not_to_have_title(re.compile(r"^\(\d"))


@pytest.mark.spec("UI-132")
def test_a_request_that_arrives_while_the_chat_is_hidden_is_a_notification(asking: Lab, page: Page, tmp_path: Path) -> None:
    open_lab(page, asking, "hidden")
    expect(page.locator(".crewlab-Status")).to_have_text("Nhóm agent")
    made = asking.api("POST", "conversations", {}).json()
    asking.api("POST", f"conversations/{made['id']}/messages", {"text": "viết đi"})
    toast = page.locator(".Toastify__toast", has_text="hỏi:")
    expect(toast).to_be_visible()
    toast.get_by_role("button", name="Mở").click()
    expect(page.locator(f"{PANEL} .crew-ask")).to_be_visible()

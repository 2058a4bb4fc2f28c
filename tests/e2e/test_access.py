"""A walk over chat and canvas in both languages and themes: usable with a screen reader, no text cut off, none missing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.fixtures.access import CUT_OFF, serious
from tests.fixtures.crew_at_work import QUESTION, called, said
from tests.fixtures.desk import Desk, Lab

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]
THEMES = {"JupyterLab Light": "true", "JupyterLab Dark": "false"}
UNFILLED = re.compile(r"\bundefined\b|\bNaN\b|\[object |\{[a-z_]+\}")
PLAN = "# Lag windows\n\nWe compared windows of 0 to 7 days.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"


@pytest.fixture(scope="module", params=["en", "vi"])
def lab(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lab = Lab(tmp_path_factory.mktemp(request.param), config=f"language: {request.param}\n")
    try:
        lab.start()
        yield lab
    finally:
        lab.stop()


@pytest.fixture(params=THEMES)
def desk(request: pytest.FixtureRequest, page: Page, lab: Lab) -> Desk:
    desk = Desk(page, lab)
    desk.open()
    desk.execute("apputils:change-theme", theme=request.param)
    page.wait_for_selector(f"body[data-jp-theme-light='{THEMES[request.param]}']", state="attached")
    return desk


def look(desk: Desk, where: str, name: str) -> None:
    """Everything that is judged of one screen."""
    desk.page.mouse.move(0, 0)
    assert serious(desk.page, where) == [], name
    root = desk.page.locator(where)
    assert root.evaluate(CUT_OFF) == [], name
    assert UNFILLED.findall(root.inner_text()) == [], name


PANEL = "#crewlab-panel"


def shown(desk: Desk, conversation: str) -> Locator:
    desk.execute("crewlab:open-conversation", id=conversation)
    return desk.page.locator(PANEL)


@pytest.mark.spec("UI-118", "UI-119", "UI-120", "UI-6")
def test_the_chat_its_cards_and_its_requests(desk: Desk, lab: Lab) -> None:
    desk.chat()
    look(desk, PANEL, "welcome")
    panel = shown(desk, said(lab, "# A heading\n\n- one\n- two\n\n`code`", "Words"))
    desk.thread.get_by_role("heading", name="A heading").last.wait_for()
    look(desk, PANEL, "thread")
    pills = panel.locator(".crew-pill")
    for place in range(pills.count()):
        pills.nth(place).click()
        panel.locator(".crew-pop").wait_for()
        look(desk, PANEL, f"card {place}")
        pills.nth(place).press("Escape")
        expect(panel.locator(".crew-pop")).to_have_count(0)
    for name, tool, arguments in (
        ("request", "workspace_write", {"path": "notes/lag.md", "content": PLAN}),
        ("question", "ask_user", QUESTION),
    ):
        panel = shown(desk, called(lab, name, tool, **arguments))
        panel.locator(".crew-ask").wait_for()
        look(desk, PANEL, name)
    desk.execute("crewlab:open-chat-main")
    desk.page.locator("#crewlab-chat-main .crew-root").wait_for()
    look(desk, "#crewlab-chat-main", "wide chat")
    assert desk.errors == []


def made(title: str, kind: str, content: str) -> str:
    """What has the agent make a canvas."""
    return "/tool artifact_create " + json.dumps({"title": title, "kind": kind, "content": content})


@pytest.mark.spec("UI-118", "UI-120", "UI-6")
def test_a_canvas_shown_as_source_and_compared(desk: Desk, lab: Lab) -> None:
    conversation = said(lab, made("Lag windows", "markdown", PLAN), "Plan")
    canvas = lab.get("artifacts", conversation_id=conversation).json()["artifacts"][0]["id"]
    desk.execute("crewlab:open-canvas", id=canvas)
    view = ".crewlab-CanvasWidget"
    desk.page.locator(view).get_by_text("We compared windows").first.wait_for()
    look(desk, view, "shown")
    ways = desk.page.locator(view).locator(".crew-viewseg button, [role=tab]")
    expect(ways.first).to_be_visible()
    for place in range(ways.count()):
        if ways.nth(place).is_enabled():  # one version cannot be compared
            ways.nth(place).click()
            look(desk, view, f"way {place}")
    assert desk.errors == []

"""A script as a person sees it: its card in the chat, its calls, its measures, why it failed, and the same after a reload."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.test_manager import THEMES
from tests.e2e.test_narrow_vietnamese import narrow
from tests.e2e.test_pictures import show
from tests.fixtures.access import serious
from tests.fixtures.desk import Desk, Lab
from tests.fixtures.letters import ANSWER, CONFIGURATION, FAILED, FAILING, ROUTE, WISH, fill
from tests.fixtures.pictures import look, take

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]
WIDE = {"width": 1440, "height": 900}
PICTURE = {"width": 1280, "height": 1120}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lab = Lab(tmp_path_factory.mktemp("letters"), routes=ROUTE)
    lab.configure(CONFIGURATION)
    fill(lab.home)
    try:
        lab.start()
        yield lab
    finally:
        lab.stop()


@pytest.fixture
def desk(page: Page, lab: Lab) -> Iterator[Desk]:
    page.set_viewport_size(WIDE)
    desk = Desk(page, lab)
    desk.open()
    yield desk
    assert desk.errors == []


def asked(desk: Desk, wish: str, answer: str) -> str:
    """A new conversation in which the model has run its script; the id."""
    desk.execute("crewlab:new-conversation")
    desk.chat()
    desk.send(wish)
    desk.see(answer.replace("*", "")[:30])
    desk.page.wait_for_selector(".crew-composer .stop", state="detached")
    found: str = desk.lab.get("conversations").json()["conversations"][0]["id"]
    return found


def card(desk: Desk) -> Locator:
    """The open card of the script."""
    return desk.thread.locator(".crew-detail").first


def opened(desk: Desk) -> Locator:
    """Open the work of the turn and the card of its script, wherever they are folded."""
    row = desk.thread.get_by_text(re.compile(r"Ran a script|Script|script")).first
    if not row.is_visible():
        desk.thread.locator(".crew-work button[aria-expanded='false']").first.click()
    row.wait_for()
    if card(desk).count() == 0:
        row.click()
    card(desk).wait_for()
    return card(desk)


@pytest.mark.spec("SCR-193", "SCR-196", "SCR-199", "SCR-161", "SCR-141", "SCR-179", "UI-32")
def test_the_calls_of_a_script_stand_in_its_card_and_the_same_after_a_reload(desk: Desk) -> None:
    conversation = asked(desk, WISH, ANSWER)
    before = _what_it_says(opened(desk))
    calls, foot = before
    names = [call[0] for call in calls]
    assert len(calls) == 8  # the first eight of ten; the rest behind a button
    assert names.count("Classified by a model") == 3
    assert names.count("Summarised by a model") == 1
    (bad,) = [call for call in calls if call[2]]
    assert "letters/missing.md" in bad[1]
    assert "Tool error" in bad[3] or "missing.md" in bad[3]  # its reason is open
    assert re.search(r"Received [\d,]+ characters, printed [\d,]+", foot)
    desk.reload()
    desk.execute("crewlab:open-conversation", id=conversation)
    assert _what_it_says(opened(desk)) == before
    found = card(desk)
    found.get_by_role("button", name="Show all 10").click()
    expect(found.locator(".crew-nest > li")).to_have_count(10)
    expect(found.locator(".crew-nest > li").last.get_by_role("button", name=re.compile("Letters to answer|Open"))).to_be_visible()
    found.locator(".crew-nest > li").filter(has_text="Asked an agent").get_by_role("button").click()
    expect(desk.thread).to_contain_text("The hall is free on 4 May.")


def _what_it_says(found: Locator) -> tuple[list[list[Any]], str]:
    """Each call in words: name, argument, whether it failed, what it said; and the line of the measures."""
    return found.evaluate(  # type: ignore[no-any-return]
        """root => [[...root.querySelectorAll('.crew-nest > li')].map(call => [
          call.querySelector('.name').textContent, call.querySelector('.arg').textContent, call.classList.contains('bad'),
          [...call.children].slice(1).map(part => part.textContent).join(' ')
        ]), root.querySelector(':scope > .foot').textContent]"""
    )


@pytest.mark.spec("SCR-71", "SCR-72", "SCR-196", "SCR-197")
def test_a_failed_script_says_why_without_a_click_and_the_same_after_a_reload(desk: Desk) -> None:
    conversation = asked(desk, FAILING, FAILED)
    for again in (False, True):
        if again:
            desk.reload()
            desk.execute("crewlab:open-conversation", id=conversation)
        reason = desk.thread.locator(".crew-why, .crew-reason").filter(has_text="Script did not finish.").first
        expect(reason).to_be_visible()
        expect(reason).to_contain_text("begun")
        expect(reason).to_contain_text("Error at line 3: RuntimeError: Tool error: ")


@pytest.mark.spec("SCR-193", "SCR-199", "SCR-156")
def test_the_run_card_folds_the_calls_under_one_line(desk: Desk) -> None:
    conversation = asked(desk, WISH, ANSWER)
    run = desk.lab.get("activity/runs", conversation_id=conversation).json()["runs"]
    own = next(one for one in run if one["source"] == "chat")
    desk.execute("crewlab:open-manager", section="activity", rest=own["id"])
    page = desk.page.locator(".crewlab-ManagerWidget .crew-runpage")
    line = page.get_by_role("button", name=re.compile(r"Script made 10 calls · 1 failed"))
    line.wait_for()
    expect(page.locator(".crew-nest")).to_have_count(0)
    line.focus()
    line.press("Enter")
    expect(line).to_have_attribute("aria-expanded", "true")
    calls = page.locator(".crew-nest > li")
    expect(calls).to_have_count(10)
    expect(page.locator(".crew-stepcalls")).to_contain_text(re.compile(r"Received [\d,]+ characters, printed [\d,]+"))
    expect(calls.filter(has_text="Asked an agent")).to_contain_text("$0.0021")
    assert serious(desk.page) == []


@pytest.mark.spec("UI-32")
@pytest.mark.parametrize("theme", THEMES)
def test_pictures_of_a_script(browser: Browser, lab: Lab, tmp_path: Path, theme: str) -> None:
    """In the panel at three widths; the last is kept for the user guide."""
    context = browser.new_context(viewport=WIDE, device_scale_factor=1.5, locale="en-US", timezone_id="UTC")
    desk = Desk(context.new_page(), lab)
    desk.open()
    desk.page.locator(".jp-Launcher").wait_for()
    show(desk, theme)
    mode = "light" if THEMES[theme] == "true" else "dark"
    asked(desk, WISH, ANSWER)
    opened(desk)
    for width in (360, 640):
        narrow(desk, width)
        look(desk.page, f"script-{width}-{mode}", tmp_path)
        assert _too_wide(desk) == []
    desk.page.set_viewport_size(PICTURE)
    narrow(desk, 640)
    card(desk).get_by_role("button", name="Show all", exact=True).first.click()  # the whole script
    card(desk).evaluate("card => card.scrollIntoView({block: 'start'})")
    take(desk.page, f"script-{mode}", tmp_path)
    asked(desk, FAILING, FAILED)
    look(desk.page, f"script-failed-{mode}", tmp_path)
    assert desk.errors == []
    context.close()


def _too_wide(desk: Desk) -> list[str]:
    """What of the card is wider than its place."""
    return desk.thread.evaluate(  # type: ignore[no-any-return]
        """root => [...root.querySelectorAll('.crew-detail, .crew-detail *')].filter(element => {
          const style = getComputedStyle(element);
          return element.clientWidth > 0 && style.display !== 'inline' && style.overflowX === 'visible'
            && element.scrollWidth > element.clientWidth + 1 && !element.closest('.crew-hidden');
        }).map(element => `${element.className} ${element.scrollWidth} > ${element.clientWidth}: ${element.textContent.slice(0, 60)}`)"""
    )

"""What scripts keep, in the Crew manager; what one printed, in the chat: in both languages and themes, wide and narrow."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from crewlab.engine.jobs.printed import after_script
from crewlab.engine.texts import Texts
from tests.e2e.test_manager import NARROW, THEMES, WIDE, manager, opened
from tests.fixtures.access import CUT_OFF, serious
from tests.fixtures.crew_at_work import said
from tests.fixtures.desk import Desk, Lab
from tests.fixtures.pictures import take

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]
PROFILE = """name: Analyst
schedules:
- id: paper-check
  name: Nightly paper check
  cron: 0 3 * * *
  prompt: look for papers
"""
VALUE = {"checked_at": "2026-11-30T03:00:12Z", "query": "distributed lag heat respiratory", "seen": ["10.1000/a-2291"], "new": 2}
WORDS = {
    "en": {"show": "Show value", "orphan": "No longer used", "full": "Full.", "nearly": "Nearly full.", "printed": "Printed by the script"},
    "vi": {"show": "Hiện giá trị", "orphan": "Không còn dùng", "full": "Đã đầy.", "nearly": "Sắp đầy.", "printed": "Kịch bản đã in"},
}
INVISIBLE = "week\u200b_total"


def row(lab: Lab, namespace: str, key: str, text: str, agent: str = "analyst") -> None:
    """What a script would have kept."""
    with sqlite3.connect(lab.home / "crew.db", timeout=30) as db:
        db.execute("INSERT OR REPLACE INTO script_store VALUES (?, ?, ?, ?, ?)", (agent, namespace, key, text, "2026-11-30T03:00:12+00:00"))
    db.close()


def filled(lab: Lab) -> str:
    """Fill every kind of namespace; the id of the conversation."""
    conversation: str = lab.post("conversations", {"agent": "analyst", "title": "Heat and admissions, lag windows"}).json()["id"]
    row(lab, "job:paper-check", "last_result", json.dumps(VALUE, separators=(",", ":")))
    row(lab, "job:paper-check", "seen_dois", json.dumps([f"10.1000/x-{n}" for n in range(4000)], separators=(",", ":")))
    row(lab, "job:paper-check", "by hand", "{not json")
    for n in range(4):
        row(lab, f"conv:{conversation}", f"residuals {n}", json.dumps("x" * 55_000))
    row(lab, "job:weekly-digest-old", INVISIBLE, '{"2026-42":3.18,"2026-43":2.94}')
    row(lab, "notes", "week_total", json.dumps("y" * 262_200))
    return conversation


@pytest.fixture(scope="module", params=["en", "vi"])
def spoken(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Lab, str]]:
    lab = Lab(tmp_path_factory.mktemp(request.param), config=f"language: {request.param}\ntimezone: Europe/Berlin\n")
    (lab.home / "agents" / "analyst").mkdir(parents=True)
    (lab.home / "agents" / "analyst" / "agent.yaml").write_text(PROFILE, encoding="utf-8")
    try:
        lab.start()
        lab.get("agents")
        yield request.param, lab, filled(lab)
    finally:
        lab.stop()


def scripts(desk: Desk, agent: str = "analyst") -> Locator:
    desk.execute("crewlab:open-script-store", agent=agent)
    found = manager(desk)
    found.locator(".crew-scripthead").wait_for()
    return found


def card(found: Locator, name: str) -> Locator:
    return found.get_by_role("region", name=name, exact=True)


@pytest.mark.spec("STO-45", "STO-46", "STO-47", "STO-48", "STO-49", "STO-52")
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [WIDE, NARROW, {"width": 400, "height": 850}], ids=["wide", "narrow", "small"])
def test_the_screen_in_both_languages_and_themes(page: Page, spoken: tuple[str, Lab, str], theme: str, size: Any) -> None:
    language, lab, conversation = spoken
    words = WORDS[language]
    desk = opened(page, lab)
    desk.execute("apputils:change-theme", theme=theme)
    desk.page.wait_for_selector(f"body[data-jp-theme-light='{THEMES[theme]}']", state="attached")
    found = scripts(desk)
    desk.page.set_viewport_size(size)
    job = card(found, "job:paper-check")
    job.get_by_role("button", name=f"{words['show']}", exact=False).nth(1).click()
    box = job.get_by_role("region")
    expect(box).to_have_text(json.dumps(VALUE, indent=2))
    assert box.evaluate("box => box.tabIndex") == 0
    expect(job.locator("h2")).to_have_text("Nightly paper check")
    orphan = card(found, "job:weekly-digest-old")
    expect(orphan).to_contain_text(words["orphan"])
    expect(orphan).to_contain_text("week[U+200B]_total")
    assert orphan.locator("h2 button").count() == 0
    expect(card(found, f"conv:{conversation}")).to_contain_text(words["nearly"])
    expect(card(found, "notes")).to_contain_text(words["full"])
    colours = [card(found, name).locator(".crew-bar > span").evaluate("bar => getComputedStyle(bar).backgroundColor") for name in
               ("job:weekly-digest-old", f"conv:{conversation}", "notes")]  # fmt: skip
    assert len(set(colours)) == 3
    assert serious(desk.page, ".crewlab-ManagerWidget") == []
    assert found.locator(".crew-page").evaluate(CUT_OFF) == []
    assert desk.errors == []


@pytest.mark.spec("STO-46")
def test_headings_lead_to_the_schedule_and_the_conversation(page: Page, spoken: tuple[str, Lab, str]) -> None:
    _language, lab, _conversation = spoken
    desk = opened(page, lab)
    found = scripts(desk)
    found.get_by_role("button", name="Nightly paper check").click()
    expect(found.locator(".crew-job.on")).to_contain_text("Nightly paper check")
    expect(found.locator(".crew-job.on")).to_be_focused()
    found = scripts(desk)
    found.get_by_role("button", name="Heat and admissions, lag windows").click()
    expect(desk.page.locator(".crew-head, .crew-title").get_by_text("Heat and admissions, lag windows").first).to_be_visible()


@pytest.mark.spec("STO-49", "STO-50", "STO-51", "STO-54")
def test_values_are_shown_and_deleted_after_a_question(page: Page, spoken: tuple[str, Lab, str]) -> None:
    language, lab, _conversation = spoken
    if language != "en":
        return
    desk = opened(page, lab)
    for key in ("a", "b", "c"):
        row(lab, "job:mine", key, '"old"')
    row(lab, "job:mine", INVISIBLE, "1")
    found = scripts(desk)
    mine = card(found, "job:mine")
    by_hand = card(found, "job:paper-check")
    by_hand.get_by_role("button", name='Show value of "by hand"').click()
    expect(by_hand.get_by_role("region")).to_have_text("{not json")
    expect(by_hand).to_contain_text("This is no JSON that can be read")
    with sqlite3.connect(lab.home / "crew.db", timeout=30) as db:  # written again, and one gone, since the list was read
        db.execute("UPDATE script_store SET value_json = '\"newer\"', updated_at = '2026-11-30T09:00:00+00:00' WHERE key = 'a'")
        db.execute("DELETE FROM script_store WHERE namespace = 'job:mine' AND key = 'b'")
    mine.get_by_role("button", name='Show value of "a"').click()
    expect(mine.get_by_role("region")).to_have_text('"newer"')
    expect(mine.locator("li").filter(has=desk.page.get_by_role("region")).locator(".size")).to_have_text("7 characters")
    expect(mine.get_by_role("button", name='Delete "b"')).to_have_count(0)  # the list was read again

    with sqlite3.connect(lab.home / "crew.db", timeout=30) as db:
        db.execute("DELETE FROM script_store WHERE namespace = 'job:mine' AND key = 'c'")
    mine.get_by_role("button", name='Show value of "c"').click()
    expect(found.get_by_role("status").filter(has_text='The key "c" no longer exists; the list was read again.')).to_be_visible()
    expect(mine.get_by_role("button", name='Delete "c"')).to_have_count(0)

    mine.get_by_role("button", name='Delete "week[U+200B]_total"').click()
    dialog = desk.page.locator(".jp-Dialog")
    expect(dialog).to_contain_text('Delete "week[U+200B]_total"?')
    dialog.get_by_role("button", name="Cancel").click()
    expect(mine.get_by_role("button", name='Delete "week[U+200B]_total"')).to_be_visible()
    mine.get_by_role("button", name='Delete "week[U+200B]_total"').click()
    dialog.get_by_role("button", name="Delete").click()
    report = found.get_by_role("status").filter(has_text='1 value deleted: "week[U+200B]_total".')
    expect(report).to_be_visible()
    expect(report).to_be_focused()
    expect(mine.get_by_role("button", name='Delete "week[U+200B]_total"')).to_have_count(0)
    row(lab, "job:mine", "late", "1")
    mine.get_by_role("button", name='Delete all in "job:mine"').click()
    expect(dialog).to_contain_text('Delete the one value in "job:mine"?')
    dialog.get_by_role("button", name="Delete all").click()
    expect(found.get_by_role("status").filter(has_text='2 values deleted in "job:mine".')).to_be_visible()
    expect(mine).to_have_count(0)


@pytest.mark.spec("STO-51")
def test_a_failed_deletion_says_why_and_changes_nothing(page: Page, spoken: tuple[str, Lab, str]) -> None:
    language, lab, _conversation = spoken
    if language != "en":
        return
    desk = opened(page, lab)
    row(lab, "job:held", "a", "1")
    found = scripts(desk)
    refused = {"status": 500, "content_type": "application/json", "body": '{"message": "disk full", "code": "store_write"}'}
    desk.page.route("**/script-store?*", lambda route: route.fulfill(**refused) if route.request.method == "DELETE" else route.fallback())
    held = card(found, "job:held")
    held.get_by_role("button", name='Delete "a"').click()
    desk.page.locator(".jp-Dialog").get_by_role("button", name="Delete").click()
    expect(held.get_by_role("alert")).to_have_text("Not deleted: disk full")
    expect(held.get_by_role("button", name='Delete "a"')).to_be_visible()


@pytest.mark.spec("STO-45", "STO-31")
def test_another_agent_is_chosen_in_the_box_and_one_that_keeps_nothing_says_so(page: Page, spoken: tuple[str, Lab, str]) -> None:
    _language, lab, _conversation = spoken
    desk = opened(page, lab)
    found = scripts(desk)
    found.locator(".crew-scripthead select").select_option("default")
    expect(found.locator(".crew-empty")).to_contain_text('store("key", value)')
    expect(found.locator(".crew-shelf")).to_have_count(0)


@pytest.mark.spec("SCR-231", "SCR-232", "SCR-233", "UI-53")
@pytest.mark.parametrize("theme", THEMES)
def test_what_a_script_printed_stands_below_the_prompt(page: Page, spoken: tuple[str, Lab, str], theme: str) -> None:
    language, lab, _conversation = spoken
    printed = "3 new papers since yesterday\n\n" + "\n".join(f"{n}. 10.1000/x-{n}\u200b  Heat and admissions" for n in range(30))
    message = after_script("Say in two sentences what is new.", printed, "0123456789abcdef", Texts(language))  # type: ignore[arg-type]
    conversation = said(lab, message, "Printed")
    desk = opened(page, lab)
    desk.execute("apputils:change-theme", theme=theme)
    desk.execute("crewlab:open-conversation", id=conversation)
    block = desk.page.get_by_role("region", name=WORDS[language]["printed"])
    expect(block).to_be_visible()
    assert "SCRIPT OUTPUT" not in desk.page.locator(".crew-user").first.inner_text()
    block.get_by_role("button").click()
    box = block.locator("pre")
    expect(box).to_contain_text("10.1000/x-0[U+200B]")
    assert box.evaluate("box => box.scrollHeight > box.clientHeight")
    box.focus()
    expect(box).to_be_focused()
    desk.page.locator(".crew-thread, .crew-scroll").first.hover()
    desk.page.mouse.wheel(0, -20_000)  # a person's own scrolling: the thread follows the end no more
    expect(desk.page.locator(".crew-user").first).to_be_in_viewport()
    stored = lab.get(f"conversations/{conversation}").json()["messages"][0]["content"]
    assert stored == message
    assert desk.errors == []


@pytest.mark.parametrize(("name", "theme", "light"), [("light", "JupyterLab Light", "true"), ("dark", "JupyterLab Dark", "false")])
def test_the_picture_of_the_guide(page: Page, spoken: tuple[str, Lab, str], name: str, theme: str, light: str, tmp_path: Path) -> None:
    language, lab, _conversation = spoken
    if language != "en":
        return
    desk = opened(page, lab)
    desk.execute("apputils:change-theme", theme=theme)
    page.wait_for_selector(f"body[data-jp-theme-light='{light}']", state="attached")
    desk.execute("application:toggle-left-area")
    page.set_viewport_size({"width": 1280, "height": 900})
    found = scripts(desk)
    card(found, "job:paper-check").get_by_role("button", name='Show value of "last_result"').click()
    expect(card(found, "job:paper-check").get_by_role("region")).to_be_visible()
    take(page, f"scripts-{name}", tmp_path)

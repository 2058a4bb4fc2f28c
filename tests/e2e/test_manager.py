"""The Crew manager as a person uses it: every section, in both languages and both themes, wide and narrow."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.fixtures.access import CUT_OFF, serious
from tests.fixtures.crew_at_work import a_crew_at_work, called, failing
from tests.fixtures.desk import Desk, Lab

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]
SECTIONS = {  # what the page is called, and a word that stands on it once it is read
    "en": {
        "activity": ("Activity", "History"),
        "approvals": ("Approvals", "Decided"),
        "team": ("Team", "Templates"),
        "costs": ("Costs", "fake:echo"),
        "tools": ("Tools", "workspace_read"),
        "jobs": ("Schedules", "Disk check"),
        "memory": ("Memory", "Proposals"),
        "connections": ("Connections", "OPENROUTER_API_KEY"),
        "settings": ("Settings", "Known on this device"),
    },
    "vi": {
        "activity": ("Hoạt động", "Lịch sử"),
        "approvals": ("Phê duyệt", "Đã quyết định"),
        "team": ("Thành viên", "Mẫu"),
        "costs": ("Chi phí", "fake:echo"),
        "tools": ("Công cụ", "workspace_read"),
        "jobs": ("Lịch chạy", "Disk check"),
        "memory": ("Ghi nhớ", "Đề xuất"),
        "connections": ("Kết nối", "OPENROUTER_API_KEY"),
        "settings": ("Cài đặt", "Chỉ có trên thiết bị này"),
    },
}
THEMES = {"JupyterLab Light": "true", "JupyterLab Dark": "false"}
ENGLISH = re.compile(r"\b(the|and|this|approve|deny|waits?|show|missing|present|runs?|next|last|history|forget|edit)\b", re.I)
OWN_WORDS = re.compile(  # names and texts of the home, which stay as they are
    r"\S*[/_.:]\S*|\b(First draft|Tidy up|What was learned|Morning papers|Disk check|Old archive|Units( in reports)?|Figures|Baseline)\b"
    r"|Crew|Coder|Reader|Writes degrees[^.]*|The lag window[^.]*|Which baseline[^?]*|Station median|- Reports go to[^\n]*|- The heat[^\n]*"
    r"|Writes and mends code\.|name: \S+|type: \S+|description: .*|updated: .*|secrets.env|JupyterLab|fake:echo|default"
)
WIDE, NARROW = {"width": 1440, "height": 900}, {"width": 640, "height": 900}


@pytest.fixture(scope="module", params=SECTIONS)
def spoken(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Lab]]:
    with a_crew_at_work(tmp_path_factory.mktemp(request.param), request.param) as found:
        yield request.param, found


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with a_crew_at_work(tmp_path_factory.mktemp("work"), "en") as found:
        yield found


def opened(page: Page, lab: Lab) -> Desk:
    page.set_viewport_size(WIDE)
    desk = Desk(page, lab)
    desk.open()
    return desk


@pytest.fixture
def desk(page: Page, lab: Lab) -> Desk:
    return opened(page, lab)


def manager(desk: Desk) -> Locator:
    return desk.page.locator(".crewlab-ManagerWidget")


def go(desk: Desk, section: str, rest: str | None = None) -> Locator:
    desk.execute("crewlab:open-manager", section=section, rest=rest)
    found = manager(desk)
    found.locator(":is(.crew-page, .crew-team) h1, .crew-back").first.wait_for()
    return found


@pytest.mark.spec("UI-75", "UI-6", "UI-117", "UI-118", "UI-120")
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_every_section_in_both_languages_and_themes(page: Page, spoken: tuple[str, Lab], theme: str, size: Any) -> None:
    language, lab = spoken
    desk = opened(page, lab)
    desk.execute("apputils:change-theme", theme=theme)
    desk.page.wait_for_selector(f"body[data-jp-theme-light='{THEMES[theme]}']", state="attached")
    desk.page.set_viewport_size(size)
    for section, (title, word) in SECTIONS[language].items():
        found = go(desk, section)
        expect(found.get_by_role("heading", level=1)).to_have_text(title)
        expect(found.locator(".crew-page, .crew-team").get_by_text(word).first).to_be_visible()
        expect(found.get_by_role("navigation").locator("[aria-current=page]")).to_contain_text(title)
        assert serious(desk.page, ".crewlab-ManagerWidget") == [], section
        assert found.locator(".crew-page, .crew-team").first.evaluate(CUT_OFF) == [], section
        if language == "vi":
            assert ENGLISH.findall(OWN_WORDS.sub("", found.inner_text())) == [], section
    assert desk.errors == []


@pytest.mark.spec("GATE-76", "UI-82", "UI-62", "GATE-79", "UI-77", "GATE-78")
def test_requests_are_decided_in_place_and_stand_in_the_history(desk: Desk, lab: Lab) -> None:
    called(lab, "Tables", "workspace_write", path="tables/new.md", content="a table")
    desk.execute("crewlab:open-manager")  # something waits: it opens the approvals
    found = manager(desk)
    card = found.get_by_role("group", name="Write a file?").filter(has_text="tables/new.md")
    approve = card.get_by_role("button", name="Approve")
    approve.focus()
    desk.page.keyboard.press("Enter")
    expect(approve).to_be_enabled()
    desk.page.keyboard.press("Space")
    expect(card).to_have_count(0)
    expect(found.get_by_role("heading", level=1)).to_be_focused()
    row = found.get_by_role("row").filter(has_text="tables/new.md")
    expect(row).to_contain_text("Approved")
    desk.until(lambda: (lab.home / "workspace" / "tables" / "new.md").exists())
    row.get_by_role("button", name="Show all").click()
    expect(found.locator(".crew-detail")).to_contain_text("a table")
    found.get_by_role("combobox", name="Outcome").select_option("denied")
    expect(found.get_by_role("row").filter(has_text="notes/old.md").locator(".crew-label")).to_have_class(re.compile("warn"))
    expect(row).to_have_count(0)
    assert desk.errors == []


@pytest.mark.spec("UI-82", "ASKU-9")
def test_a_question_is_answered_in_place(desk: Desk, lab: Lab) -> None:
    found = go(desk, "approvals")
    card = found.get_by_role("group", name="Which baseline should the risk ratios use?")
    card.get_by_role("radio").first.check()
    card.get_by_role("button", name="Answer").click()
    expect(card).to_have_count(0)
    expect(found.get_by_role("row").filter(has_text="Which baseline")).to_contain_text("Answered")


@pytest.mark.spec("UI-95", "JOB-27", "JOB-29", "JOB-44", "UI-79", "UI-103")
def test_a_schedule_is_run_and_paused_and_its_failure_put_away(desk: Desk, lab: Lab) -> None:
    found = go(desk, "jobs")
    expect(found.get_by_role("switch", name="On the clock: Old archive")).to_have_count(0)
    expect(found.locator(".crew-job").filter(has_text="Old archive")).to_contain_text("Off in its file")
    before = failing(lab)
    disk = found.locator(".crew-job").filter(has_text="Disk check").first
    disk.get_by_role("button", name="Runs of Disk check").click()
    expect(disk.locator(".crew-runrow")).to_have_count(before)
    disk.get_by_role("button", name="Run now: Disk check").click()
    expect(disk.locator(".crew-runrow")).to_have_count(before + 1)  # live, and the open list is not lost
    expect(disk).to_contain_text(f"Failed {before + 1} times in a row")
    switch = found.get_by_role("switch", name="On the clock: Morning papers")
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")
    paused = next(job for job in lab.get("jobs").json()["jobs"] if job["schedule_id"] == "morning")
    assert paused["paused"] is True
    found.get_by_role("navigation").get_by_role("button", name=re.compile("^Activity")).click()
    needs = found.get_by_role("region", name="Needs you")
    expect(needs).to_contain_text("Disk check")
    needs.get_by_role("button", name="Seen: Disk check").click()
    expect(needs.get_by_role("button", name="Seen: Disk check")).to_have_count(0)
    desk.open(reset=False)
    expect(go(desk, "activity").get_by_role("button", name="Seen: Disk check")).to_have_count(0)


@pytest.mark.spec("UI-69", "UI-71", "UI-72", "TURN-107")
def test_a_run_is_opened_by_its_id_and_downloaded(desk: Desk, lab: Lab, tmp_path: Path) -> None:
    run = lab.get("activity/runs").json()["runs"][-1]
    desk.execute("crewlab:open-run", id=run["id"])
    page = manager(desk).get_by_role("article", name="First draft")
    expect(page).to_contain_text("Wrote file")
    expect(page.get_by_role("status")).to_have_text("Done")
    with desk.page.expect_download() as saved:
        page.get_by_role("button", name="Download the run as JSON").click()
    target = tmp_path / "run.json"
    saved.value.save_as(target)
    assert run["id"] in json.dumps(json.loads(target.read_text()))
    desk.page.wait_for_timeout(1500)  # JupyterLab saves its layout a moment later
    desk.open(reset=False)
    expect(manager(desk).get_by_role("article", name="First draft")).to_contain_text("Wrote file")


@pytest.mark.spec("UI-97", "UI-98", "MEMF-11", "MEMF-12")
def test_a_proposal_that_no_longer_fits_is_approved_all_the_same_and_taken_back(desk: Desk, lab: Lab) -> None:
    found = go(desk, "memory", "user")
    found.get_by_role("button", name="Edit units").click()
    found.get_by_role("textbox", name="Text of units").fill("Writes degrees in kelvin.")
    found.get_by_role("button", name="Save").click()
    expect(found.locator(".crew-fact")).to_contain_text("Writes degrees in kelvin.")
    found.get_by_role("tab", name=re.compile("Proposals")).click()
    card = found.get_by_role("region", name="Remember units")
    card.get_by_role("button", name="Approve").click()
    expect(card.get_by_role("alert")).to_contain_text("has changed since")
    expect(card).to_contain_text("Writes degrees in kelvin.")
    card.get_by_role("button", name="Approve anyway").click()
    expect(card).to_contain_text("Approved")
    assert lab.get("memory/user").json()["facts"][0]["text"] == "Writes degrees as °C, and kelvin in tables."
    card.get_by_role("button", name="Revert").click()
    expect(card).to_contain_text("Reverted")
    assert desk.errors == []

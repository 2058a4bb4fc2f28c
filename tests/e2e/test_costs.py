"""Costs, Settings and the page of a run in a real JupyterLab: what they show is what the server has, and what they save is there."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest
import yaml
from playwright.sync_api import Locator, Page, expect

from tests.fixtures.crew_at_work import said
from tests.fixtures.desk import Desk, Lab
from tests.fixtures.spending import AGENTS, spend

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]
WIDE, PHONE = {"width": 1440, "height": 1000}, {"width": 400, "height": 900}
ANSWER = re.compile(r"([\d.,]+)")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lab = Lab(tmp_path_factory.mktemp("spent"))
    spend(lab.home)
    try:
        lab.start()
        yield lab
    finally:
        lab.stop()


@pytest.fixture
def desk(page: Page, lab: Lab) -> Desk:
    page.set_viewport_size(WIDE)
    desk = Desk(page, lab)
    desk.open()
    return desk


def go(desk: Desk, section: str) -> Locator:
    desk.execute("crewlab:open-manager", section=section)
    found = desk.page.locator(".crewlab-ManagerWidget")
    found.locator(".crew-page h1").wait_for()
    return found


def usd(text: str) -> float:
    found = ANSWER.search(text)
    assert found, text
    return float(found[1].replace(",", ""))


@pytest.mark.spec("UI-83", "UI-84", "UI-125")
def test_the_figures_the_columns_and_the_tables_say_what_the_ledger_says(desk: Desk, lab: Lab) -> None:
    found = go(desk, "costs")
    chart = found.locator(".crew-chart")
    expect(chart.locator(".hit rect")).to_have_count(7)
    parts = lab.get("stats/parts", period="week").json()["parts"]
    sum_ = sum(part["cost_usd"] for part in parts)
    unknown = sum(part["unknown"] for part in parts)
    assert unknown > 0
    expect(found.locator(".crew-figures")).to_contain_text(f"${sum_:.2f}")
    expect(found.locator(".crew-figures")).to_contain_text(f"{unknown} calls")
    table = found.locator(".crew-usage").last
    expect(table.locator("tfoot")).to_contain_text(f"${sum_:.2f} + {unknown} unknown")
    row = table.get_by_role("row").filter(has_text="openrouter:preview")
    expect(row).to_contain_text("unknown")
    expect(row).not_to_contain_text("$0")  # UI-83: an unknown price is never nothing
    cached = sum(part["cached_tokens"] for part in parts)
    assert [text.strip() for text in table.locator("thead th").all_inner_texts()][2:6] == [
        *("Prompt tokens", "of which cached", "Completion tokens", "of which reasoning"),
    ]
    expect(table.locator("tfoot td").nth(2)).to_have_text(f"{cached:,}")
    days = {span: sum(part["cost_usd"] for part in parts if part["span"] == span) for span in {part["span"] for part in parts}}
    tops = chart.evaluate("c => [...c.querySelectorAll('.top text')].map(text => text.textContent)")
    assert [usd(top) for top in tops] == pytest.approx([days[span] for span in sorted(days)], abs=0.005)
    last = chart.locator(".hit rect").last
    last.focus()
    desk.page.keyboard.press("ArrowLeft")
    expect(chart.locator(".hit rect").nth(5)).to_be_focused()
    desk.page.keyboard.press("ArrowRight")
    tip = found.locator(".crew-tip")
    expect(tip).to_contain_text("Sum")
    assert usd(tip.locator(".sum").inner_text().replace("Sum", "")) == pytest.approx(days[max(days)], abs=0.01)
    assert str(last.get_attribute("aria-label")).count("$") >= len(AGENTS)
    assert desk.errors == []


@pytest.mark.spec("UI-83")
def test_the_columns_are_as_high_as_what_they_stand_for_and_the_table_beside_says_the_same(desk: Desk, lab: Lab) -> None:
    found = go(desk, "costs")
    columns = found.locator(".crew-columns")
    columns.get_by_role("radio", name="Calls").click()
    columns.get_by_role("radio", name="Model").click()
    columns.get_by_role("heading").filter(has_text="Calls by day and model").wait_for()
    expect(columns.locator(".crew-legendrow li")).to_have_count(4)
    parts = lab.get("stats/parts", period="week").json()["parts"]
    calls = sum(part["calls"] for part in parts)
    heights = """columns => [...columns.querySelectorAll('.piece rect')].map(rect => Number(rect.getAttribute('height')) + 1)"""
    desk.page.wait_for_function("n => document.querySelectorAll('.crew-columns .piece rect').length >= n", arg=7)
    axis = columns.evaluate("c => Number(c.querySelector('.hit rect').getAttribute('height'))")
    most = max(sum(part["calls"] for part in parts if part["span"] == span) for span in {part["span"] for part in parts})
    assert sum(columns.evaluate(heights)) == pytest.approx(calls * axis / most, rel=0.03)
    columns.get_by_role("button", name="Show as a table").click()
    rows = columns.get_by_role("row")
    expect(rows).to_have_count(8)
    shown = [int(text.replace(",", "")) for text in rows.locator("td:last-child").all_inner_texts() if text != "–"]
    assert sum(shown) == calls


@pytest.mark.spec("UI-83", "USE-1")
def test_other_periods_and_a_run_that_ends_while_the_page_is_open(desk: Desk, lab: Lab) -> None:
    found = go(desk, "costs")
    calls = found.locator(".crew-figures dd").nth(1)
    expect(calls).not_to_be_empty()
    found.get_by_role("radiogroup", name="Period").get_by_role("radio", name="All", exact=True).click()
    expect(found.locator(".crew-chart .hit rect")).to_have_count(12)
    before = int(calls.inner_text().replace(",", ""))
    assert before == lab.get("stats").json()["totals"]["calls"]
    said(lab, "hello", "One more")
    expect(calls).to_have_text(f"{before + 1:,}")
    found.get_by_role("radiogroup", name="Tables").get_by_role("radio", name="By time").click()
    expect(found.locator(".crew-usage").last.locator("tbody tr")).to_have_count(12)


@pytest.mark.spec("UI-103", "UI-117")
def test_the_chart_follows_the_width_and_the_theme(desk: Desk) -> None:
    found = go(desk, "costs")
    piece = found.locator(".crew-chart .piece rect").first
    piece.wait_for()
    light = piece.evaluate("p => getComputedStyle(p).fill")
    wide = found.locator(".crew-chart svg").evaluate("s => s.clientWidth")
    desk.execute("apputils:change-theme", theme="JupyterLab Dark")
    desk.page.wait_for_selector("body[data-jp-theme-light='false']", state="attached")
    assert piece.evaluate("p => getComputedStyle(p).fill") != light
    desk.execute("application:toggle-left-area")
    desk.page.set_viewport_size(PHONE)
    desk.page.wait_for_function("w => document.querySelector('.crew-chart svg')?.clientWidth < w", arg=wide)
    assert found.locator(".crew-page").evaluate("p => p.scrollWidth - p.clientWidth") <= 0


def test_the_plotting_library_is_fetched_only_with_the_first_chart(page: Page, lab: Lab) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    desk = Desk(page, lab)
    desk.open()
    go(desk, "settings").locator(".crew-person").wait_for()
    before = [url for url in asked if "@crewlab" in url]
    go(desk, "costs").locator(".crew-chart .piece rect").first.wait_for()
    drawing = [url for url in asked if "@crewlab" in url and "crew-plot" in httpx.get(url).text]
    assert len(drawing) == 1
    assert drawing[0] not in before


@pytest.mark.spec("PTL-152", "UI-101", "UI-102")
def test_the_lines_about_the_person_are_saved_and_a_refused_one_stays_with_its_reason(desk: Desk, lab: Lab) -> None:
    found = go(desk, "settings")
    form = found.locator(".crew-person")
    save = form.get_by_role("button", name="Save")
    expect(save).to_be_disabled()
    form.get_by_label("Name").fill("Nguyễn Thị An")
    form.get_by_label("Department").fill("x" * 121)
    form.get_by_label("Department").press("Enter")
    department = form.get_by_label("Department")
    expect(department).to_have_attribute("aria-invalid", "true")
    expect(department).to_be_focused()
    expect(form).to_contain_text("at most 120 characters")
    expect(department).to_have_value("x" * 121)
    department.fill("Climate")
    save.click()
    expect(form.get_by_role("status")).to_have_text("Saved")
    assert yaml.safe_load((lab.home / "config.yaml").read_text())["person"] == {"name": "Nguyễn Thị An", "department": "Climate"}
    assert go(desk, "costs")
    expect(go(desk, "settings").get_by_label("Department")).to_have_value("Climate")
    assert desk.errors == []


@pytest.mark.spec("UI-102", "UI-129", "UI-103")
def test_settings_lead_to_the_place_of_each_change_and_tell_device_and_versions(desk: Desk, lab: Lab) -> None:
    desk.chat()
    desk.composer.fill("half a thought")
    desk.page.wait_for_function("Object.keys(localStorage).some(key => key.includes(':draft:'))")
    found = go(desk, "settings")
    version = lab.get("version").json()["version"]
    versions = found.get_by_role("region", name="Versions")
    expect(versions.locator(".crew-line").nth(0)).to_contain_text(version)  # the page is that of the server, whatever it is called
    expect(versions.locator(".crew-line").nth(1)).to_contain_text(version)
    device = found.get_by_role("region", name="Known on this device")
    expect(device.locator(".crew-line").filter(has_text="Unsent drafts")).to_contain_text("1")
    switch = device.get_by_role("switch", name="Show canvases while they are written")
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")
    assert "off" in desk.page.evaluate("Object.entries(localStorage).filter(([k]) => k.endsWith('canvas-preview')).map(([, v]) => v)")
    found.get_by_role("button", name="Open Memory: Facts about you").click()
    expect(found.get_by_role("heading", level=1)).to_have_text("Memory")
    assert desk.errors == []


@pytest.mark.spec("UI-73")
def test_a_run_opens_in_a_notebook_that_shows_it_and_its_widget(desk: Desk, lab: Lab) -> None:
    said(lab, "a run to look at", "Look at me")
    run = lab.get("activity/runs").json()["runs"][0]
    desk.execute("crewlab:open-run", id=run["id"])
    page = desk.page.get_by_role("article", name="Look at me")
    page.get_by_role("button", name="Open in notebook").click()
    notebook = desk.page.locator(".jp-NotebookPanel:visible")
    notebook.wait_for()
    sources = "() => window.jupyterapp.shell.currentWidget?.content?.model?.toJSON?.()?.cells?.map(cell => cell.source.toString())"
    desk.page.wait_for_function(f"() => ({sources})()?.length === 2")
    first, second = desk.page.evaluate(f"({sources})()")
    assert f'crew.run("{run["id"]}")' in first
    assert f'RunTimeline("{run["id"]}")' in second
    expect(notebook.locator(".jp-Cell").nth(0).locator(".jp-OutputArea-output").first).to_contain_text("done")
    expect(notebook.locator(".jp-Cell").nth(1).locator(".jp-OutputArea-output")).to_contain_text("Done")
    assert desk.errors == []

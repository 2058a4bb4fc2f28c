"""The pictures of Costs and Settings for the documentation, taken from the running program; ``CREWLAB_PICTURES=1`` keeps them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixtures.desk import Desk, Lab
from tests.fixtures.pictures import take
from tests.fixtures.spending import spend

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]
SIZE = {"width": 1280, "height": 1000}
THEMES = [("light", "JupyterLab Light", "true"), ("dark", "JupyterLab Dark", "false")]
PERSON = "person: {name: Nguyễn Thị An, department: Climate, organisation: Institute of Geography}\n"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lab = Lab(tmp_path_factory.mktemp("spent"), config=PERSON)
    spend(lab.home)
    try:
        lab.start()
        yield lab
    finally:
        lab.stop()


@pytest.mark.parametrize(("name", "theme", "light"), THEMES, ids=["light", "dark"])
def test_costs_and_settings(page: Page, lab: Lab, name: str, theme: str, light: str, tmp_path: Path) -> None:
    page.set_viewport_size(SIZE)
    desk = Desk(page, lab)
    desk.open()
    desk.execute("apputils:change-theme", theme=theme)
    page.wait_for_selector(f"body[data-jp-theme-light='{light}']", state="attached")
    desk.execute("application:toggle-left-area")
    desk.execute("crewlab:open-manager", section="costs")
    expect(page.locator(".crew-chart .hit rect")).to_have_count(7)
    take(page, f"costs-{name}", tmp_path)
    desk.execute("crewlab:open-manager", section="settings")
    expect(page.get_by_label("Department")).to_have_value("Climate")
    take(page, f"settings-{name}", tmp_path)
    assert desk.errors == []

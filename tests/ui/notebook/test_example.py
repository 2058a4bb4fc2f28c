"""The example notebook runs as it stands, from the first cell to the last, in a real JupyterLab."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.fixtures.source import ROOT
from tests.ui.notebook.browser import LabProcess, chromium, jupyterlab, picture

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.usefixtures("front_end")]

NOTEBOOK = ROOT / "notebooks" / "first-steps.ipynb"
CELLS = ["".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


@pytest.fixture
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabProcess]:
    with jupyterlab(tmp_path_factory.mktemp("lab"), "t0ken") as lab:
        yield lab


def test_every_cell_of_first_steps_runs_without_an_error(lab: LabProcess) -> None:
    with chromium() as browser:
        check(browser, lab)


def check(browser: Browser, lab: LabProcess) -> None:
    page = lab.open(browser, "first-steps.ipynb", CELLS)
    page.evaluate("jupyterapp.commands.execute('notebook:run-all-cells')")
    last = page.locator(".jp-Notebook .jp-Cell").nth(len(CELLS) - 1).locator(".jp-OutputArea")
    expect(last.locator("table")).to_contain_text("What is the mean", timeout=60_000)
    expect(page.locator(".jp-OutputArea .crew-card")).to_contain_text("Done")
    assert page.locator(".jp-RenderedText[data-mime-type*='stderr'], .jp-RenderedText[data-mime-type*='error']").count() == 0
    picture(page, "first-steps")
    page.close()

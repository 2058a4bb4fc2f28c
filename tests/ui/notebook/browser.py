"""A real JupyterLab with a notebook in it, and Chromium to look at it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.fixtures.desk import PATIENCE_MS, Lab
from tests.fixtures.desk import a_browser as chromium
from tests.fixtures.source import ROOT

PICTURES = ROOT / "test-results" / "notebook"

__all__ = ["LabProcess", "chromium", "jupyterlab", "picture"]


def picture(page: Page, name: str) -> None:
    """Keeps what the page looks like."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(PICTURES / f"{name}.png"))


class LabProcess(Lab):
    """A JupyterLab that answers by ``fake:echo`` and opens notebooks."""

    @property
    def work(self) -> Path:
        """The folder of the notebooks."""
        return self.root

    def open(self, browser: Browser, name: str, cells: list[str]) -> Page:
        """A page with a new notebook of these cells and an idle kernel."""
        self.write(name, cells)
        page = self._page(browser, f"lab/workspaces/auto-n/tree/{name}?reset&token={self.token}")
        page.wait_for_selector("#jupyterlab-splash", state="detached")
        return self._idle(page)

    def open_classic(self, browser: Browser, name: str, cells: list[str]) -> Page:
        """The same in Notebook 7."""
        self.write(name, cells)
        return self._idle(self._page(browser, f"notebooks/{name}?token={self.token}"))

    def write(self, name: str, cells: list[str]) -> None:
        """A notebook of these cells in the folder."""
        source = [
            {"cell_type": "code", "source": c, "metadata": {}, "outputs": [], "execution_count": None, "id": f"c{i}"}
            for i, c in enumerate(cells)
        ]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        (self.work / name).write_text(json.dumps({"cells": source, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))

    def _page(self, browser: Browser, where: str) -> Page:
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{self.url}{where}")
        return page

    @staticmethod
    def _idle(page: Page) -> Page:
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.wait_for_function("jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'")
        return page


@contextmanager
def jupyterlab(tmp: Path, token: str) -> Iterator[LabProcess]:
    """A running JupyterLab with every folder below ``tmp``; ended at the end."""
    lab = LabProcess(tmp, token=token)
    lab.configure("c.JupyterNotebookApp.expose_app_in_browser = True")
    try:
        lab.start()
        yield lab
    finally:
        lab.stop()

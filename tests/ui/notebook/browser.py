"""A real JupyterLab in a process of its own and Chromium to look at it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.fixtures.source import ROOT

SECONDS = 60
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
PICTURES = ROOT / "test-results" / "notebook"
FOLDERS = {
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "IPYTHONDIR": "ipython",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    "CREWLAB_HOME": "home",
}


@contextmanager
def chromium() -> Iterator[Browser]:
    """A headless browser."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"), headless=True, args=ARGUMENTS)
        yield browser
        browser.close()


def picture(page: Page, name: str) -> None:
    """Keeps what the page looks like."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=str(PICTURES / f"{name}.png"))


@dataclass
class LabProcess:
    """A JupyterLab that answers by ``fake:echo``."""

    url: str
    token: str
    work: Path
    log: list[str] = field(default_factory=list)

    def open(self, browser: Browser, name: str, cells: list[str]) -> Page:
        """A page with a new notebook of these cells and an idle kernel."""
        source = [
            {"cell_type": "code", "source": c, "metadata": {}, "outputs": [], "execution_count": None, "id": f"c{i}"}
            for i, c in enumerate(cells)
        ]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        (self.work / name).write_text(json.dumps({"cells": source, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.set_default_timeout(SECONDS * 1000)
        page.goto(f"{self.url}lab/workspaces/auto-n/tree/{name}?reset&token={self.token}")
        page.wait_for_selector("#jupyterlab-splash", state="detached")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.wait_for_function("jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'")
        return page


@contextmanager
def jupyterlab(tmp: Path, token: str) -> Iterator[LabProcess]:
    """Starts ``jupyter lab`` on a free port with every folder below ``tmp``; ends it at the end."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("CREWLAB_")}
    for name, folder in FOLDERS.items():
        (tmp / folder).mkdir()
        env[name] = str(tmp / folder)
    notice = tmp / "settings" / "@jupyterlab" / "apputils-extension"
    notice.mkdir(parents=True)
    (notice / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
    work = tmp / "work"
    work.mkdir()
    command = [
        sys.executable,
        "-m",
        "jupyterlab",
        "--allow-root",
        "--no-browser",
        "--port=0",
        "--expose-app-in-browser",
        f"--IdentityProvider.token={token}",
        "--ServerApp.jpserver_extensions=crewlab=True",
        f"--ServerApp.root_dir={work}",
    ]
    env |= {"PYTHONPATH": str(ROOT), "CREWLAB_ROUTES": "fake:echo"}
    process = subprocess.Popen(command, env=env, cwd=work, stderr=subprocess.PIPE, text=True)
    lab = LabProcess("", token, work)
    try:
        for line in process.stderr or ():
            lab.log.append(line)
            if "http://127.0.0.1" in line:
                lab.url = line.partition("http://")[1] + line.partition("http://")[2].partition("lab")[0]
                break
        assert lab.url, "".join(lab.log)
        reader = threading.Thread(target=lambda: lab.log.extend(process.stderr or ()), daemon=True)
        reader.start()
        yield lab
    finally:
        process.terminate()
        process.wait(timeout=SECONDS)
    reader.join()
    process.stderr.close()  # type: ignore[union-attr]

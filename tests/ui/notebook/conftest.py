"""Fixtures of the notebook tests."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from crewlab.notebook.client import Crew
from crewlab.widgets import hub as hubs
from tests.fixtures.source import ROOT
from tests.ui.notebook.seen import Seen
from tests.ui.notebook.standin import StandIn, serve


@pytest.fixture
def standin() -> Iterator[StandIn]:
    standin, server = serve()
    yield standin
    server.shutdown()
    server.server_close()


@pytest.fixture
def crew(standin: StandIn) -> Iterator[Crew]:
    with Crew(standin.url, token="s3cr3t-token", timeout=5) as crew:
        yield crew


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Seen]:
    """What widgets send to the page; no widget is left behind."""
    yield Seen(monkeypatch)
    for hub in list(hubs._hubs.values()):
        for widget in list(hub._listeners):
            hub.leave(widget)


@pytest.fixture(scope="session")
def front_end() -> Path:
    """The built front end of the widgets; built here when it is not there yet."""
    built = ROOT / "crewlab" / "widgets" / "static"
    names = {path.stem for path in (ROOT / "labextension" / "src" / "widgets").glob("*.tsx")}
    if not all((built / f"{name}.js").exists() for name in names):
        subprocess.run(["node", "scripts/widgets.mjs"], cwd=ROOT / "labextension", check=True, capture_output=True)
    return built

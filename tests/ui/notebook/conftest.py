"""Fixtures of the notebook tests."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from crewlab.notebook.client import Crew
from tests.fixtures.source import ROOT
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


@pytest.fixture(scope="session")
def front_end() -> Path:
    """The built front end of the widgets; built here when it is not there yet."""
    built = ROOT / "crewlab" / "widgets" / "static"
    if not (built / "timeline.js").exists():
        subprocess.run(["node", "scripts/widgets.mjs"], cwd=ROOT / "labextension", check=True, capture_output=True)
    return built

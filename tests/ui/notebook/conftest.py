"""Fixtures of the notebook tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from crewlab.notebook.client import Crew
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

"""One real Jupyter server per test, with a home that answers by ``fake:echo``."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.fixtures.server import Lab, isolate, jupyter


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolate(monkeypatch, tmp_path)


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Lab]:
    async with jupyter(tmp_path) as found:
        yield found


@pytest.fixture
async def client(lab: Lab) -> AsyncIterator[httpx.AsyncClient]:
    async with lab.client() as found:
        yield found

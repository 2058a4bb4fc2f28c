"""The example notebook for questions in SQL, run from the first cell to the last in a real kernel beside a real server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.fixtures.copied import filled
from tests.fixtures.server import BASE_URL, isolate, jupyter
from tests.fixtures.source import ROOT

pytestmark = pytest.mark.slow
NOTEBOOK = ROOT / "notebooks" / "analytics.ipynb"
SECONDS = 60


def outputs(notebook: Any) -> dict[str, Any]:
    """What each cell has shown, by the id of the cell: the data of its last output."""
    return {cell["id"]: cell["outputs"][-1]["data"] for cell in notebook["cells"] if cell["cell_type"] == "code" and cell["outputs"]}


async def executed(folder: Path, monkeypatch: pytest.MonkeyPatch, *, full: bool) -> dict[str, Any]:
    isolate(monkeypatch, folder)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    async with jupyter(folder) as lab:
        if full:
            filled((await lab.crew()).store)
        monkeypatch.setenv("CREWLAB_SERVER_URL", f"http://{lab.host}{BASE_URL}")
        monkeypatch.setenv("CREWLAB_SERVER_TOKEN", lab.token)
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        client = NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
        await client.async_execute()
        return outputs(notebook)


@pytest.mark.spec("ANL-21")
async def test_on_a_home_where_nothing_has_happened_every_cell_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = await executed(tmp_path, monkeypatch, full=False)
    for cell in ("costs", "tools", "run", "waiting", "waits", "scripts"):
        assert shown[cell]["text/plain"].endswith("0 rows."), cell
    assert "model_calls" in shown["connect"]["text/plain"]


@pytest.mark.spec("ANL-21", "SCR-209")
async def test_on_a_full_home_every_question_has_its_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = await executed(tmp_path, monkeypatch, full=True)
    assert "2026-03-11" in shown["costs"]["text/plain"]
    assert "web_read" in shown["tools"]["text/plain"]
    assert "ask_user" in shown["waiting"]["text/plain"]
    assert "90000" in shown["waits"]["text/plain"]
    assert "ana/morning" in shown["scripts"]["text/plain"]
    for cell, rows in (("costs-chart", 2), ("tools-chart", 7)):
        spec = shown[cell]["application/vnd.vegalite.v5+json"]
        assert len(spec["data"]["values"]) == rows, cell

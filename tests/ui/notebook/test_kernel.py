"""The client in a real kernel: output that grows, interrupts, a light start, nothing that keeps the kernel alive."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from tests.fixtures.source import ROOT
from tests.ui.notebook.samples import approval, conversation, done, run, text, watching
from tests.ui.notebook.standin import Answer, StandIn, stream

SECONDS = 30
POST = "POST /conversations/c_1/messages"


@dataclass
class Cell:
    """What came of a cell: outputs in order, the error, and all messages about its output."""

    outputs: list[dict[str, Any]] = field(default_factory=list)
    error: str = ""
    stdout: str = ""

    @property
    def last(self) -> str:
        return str(self.outputs[-1].get("text/markdown", self.outputs[-1]["text/plain"]))


class Kernel:
    def __init__(self, manager: KernelManager) -> None:
        self.manager = manager
        self.client: BlockingKernelClient = manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=SECONDS)

    def run(self, code: str, during: Callable[[dict[str, Any]], None] = lambda _: None) -> Cell:
        """Executes ``code``; ``during`` sees each output while the cell runs."""
        cell = Cell()
        asked = self.client.execute(code)
        while True:
            message = self.client.get_iopub_msg(timeout=SECONDS)
            if message["parent_header"].get("msg_id") != asked:
                continue
            kind, content = message["msg_type"], message["content"]
            if kind in ("display_data", "update_display_data", "execute_result"):
                cell.outputs.append(content["data"])
                during(content["data"])
            elif kind == "stream":
                cell.stdout += content["text"]
            elif kind == "error":
                cell.error = f"{content['ename']}: {content['evalue']}"
            elif kind == "status" and content["execution_state"] == "idle":
                return cell


@pytest.fixture
def kernel(standin: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    runtime = tmp_path / "jupyter_runtime_dir"
    runtime.mkdir()
    info = {"url": f"{standin.url}/", "token": "s3cr3t-token", "pid": os.getpid()}
    (runtime / f"jpserver-{os.getpid()}.json").write_text(json.dumps(info))
    standin.on("POST /conversations", Answer(status=201, body=conversation()))
    manager = KernelManager(kernel_name="python3", transport="ipc", ip=str(tmp_path / "k"))
    manager.start_kernel(env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=str(tmp_path))
    kernel = Kernel(manager)
    yield kernel
    kernel.client.stop_channels()
    manager.shutdown_kernel(now=True)


@pytest.mark.spec("UI-143")
def test_a_kernel_finds_the_server_that_started_it_and_connecting_is_light(kernel: Kernel, standin: StandIn) -> None:
    code = "import sys, crewlab\nbefore = set(sys.modules)\ncrew = crewlab.connect()\nprint(crew)\nprint(sorted(set(sys.modules) - before))"
    cell = kernel.run(code)
    assert f"Crew('{standin.url}')" in cell.stdout, cell.error
    assert "s3cr3t" not in cell.stdout
    loaded = cell.stdout.splitlines()[1]
    for heavy in ("httpx", "pydantic", "anywidget", "pandas", "crewlab.engine.events", "jupyter_server"):
        assert f"'{heavy}" not in loaded, heavy
    assert standin.seen == []


@pytest.mark.spec("UI-153", "UI-144")
def test_an_answer_grows_in_the_cell_and_ends_as_plain_markdown(kernel: Kernel, standin: StandIn) -> None:
    words = [f"word{n} " for n in range(400)]
    standin.on(POST, stream([watching(), *map(text, words), done()]))
    cell = kernel.run("import crewlab\ncrew = crewlab.connect()\nturn = crew.ask('go')")
    assert cell.error == ""
    assert cell.last == "".join(words).strip() or cell.last == "".join(words)
    assert len(cell.outputs) < 40
    assert kernel.run("turn.text[:5], turn.status").outputs[0]["text/plain"] == "('word0', 'done')"
    assert standin.requests(POST)[0].headers["x-crewlab-source"] == "notebook"


@pytest.mark.spec("UI-146")
def test_an_interrupt_leaves_the_turn_running_and_says_how_to_stop_it(kernel: Kernel, standin: StandIn) -> None:
    hold = threading.Event()
    standin.on(POST, stream([watching(), text("Half")], hold=hold))
    interrupted: list[bool] = []

    def during(data: dict[str, Any]) -> None:
        if "Half" in data.get("text/plain", "") and not interrupted:
            interrupted.append(True)
            kernel.manager.interrupt_kernel()

    cell = kernel.run("import crewlab\nturn = crewlab.connect().ask('go')", during)
    assert cell.error.startswith("KeyboardInterrupt: The turn goes on in the server")
    assert ".stop()" in cell.error
    assert "Half" in cell.last
    assert ".stop()" in cell.last
    assert standin.left.acquire(timeout=SECONDS)
    assert [seen.path for seen in standin.seen if "stop" in seen.path] == []
    assert kernel.run("1 + 1").outputs[0]["text/plain"] == "2"
    hold.set()


@pytest.mark.spec("UI-150", "UI-153")
def test_the_magics_of_the_extension(kernel: Kernel, standin: StandIn) -> None:
    request = {"type": "approval_required", "approval": approval()}
    standin.on(POST, stream([watching(), text("I need to write."), request]))
    standin.on("GET /activity/runs", Answer(body={"runs": [run()], "more": False}))
    kernel.run("%load_ext crewlab\nnumbers = [1, 2, 3]")
    cell = kernel.run("%%crew --send numbers --into turn\nwrite it")
    assert cell.error == ""
    assert "I need to write." in cell.last
    assert '.approval("ap_1").approve()' in cell.last
    assert "[1, 2, 3]" in standin.requests(POST)[0].body["text"]
    assert kernel.run("turn.approval.tool").outputs[0]["text/plain"] == "'workspace_write'"
    assert "<table" in kernel.run("%crew_runs 3").outputs[0]["text/html"]
    assert "no conversation" not in kernel.run("%crew_runs x").stdout


@pytest.mark.spec("UI-163", "UI-157")
@pytest.mark.usefixtures("front_end")
def test_a_kernel_with_a_live_widget_ends_at_once(kernel: Kernel, standin: StandIn) -> None:
    hold = threading.Event()
    standin.on("GET /activity/runs/r_1", Answer(body=run(status="running")))
    standin.on("GET /activity/stream", stream([{"type": "snapshot", "runs": [], "pending": 0}], hold=hold))
    cell = kernel.run("import crewlab.widgets, threading\nw = crewlab.widgets.RunTimeline('r_1')\nw")
    assert cell.error == ""
    standin.wait_for("GET /activity/stream")
    process = kernel.manager.provisioner.process  # type: ignore[union-attr]
    kernel.client.shutdown()
    assert process.wait(timeout=SECONDS) == 0
    assert standin.left.acquire(timeout=SECONDS)
    hold.set()


@pytest.mark.spec("UI-142")
def test_importing_the_client_loads_neither_the_engine_nor_a_heavy_library() -> None:
    code = "import sys, json, crewlab, crewlab.client, crewlab.widgets\nprint(json.dumps(sorted(sys.modules)))"
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    loaded = set(json.loads(shown.stdout))
    assert {name for name in loaded if name.startswith("crewlab.engine")} == {"crewlab.engine", "crewlab.engine.texts"}
    assert loaded.isdisjoint({"httpx", "pydantic", "anywidget", "IPython", "pandas", "tornado", "jupyter_core", "sqlite3"})

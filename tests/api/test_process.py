"""A Jupyter server in a process of its own: light start, no token in its log, the home free after its end."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tornado.testing import bind_unused_port

from crewlab.engine.home.layout import Home
from crewlab.engine.home.lock import HomeLock
from tests.fixtures.source import ROOT

TOKEN = "token-of-this-test-0815"
START_SECONDS = 60.0
STOP_SECONDS = 20.0
POLL_SECONDS = 0.05


@contextmanager
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    """The process, its base address and its log."""
    socket, port = bind_unused_port()
    socket.close()
    home = tmp_path / "home"
    home.mkdir(exist_ok=True)
    log = tmp_path / "log.txt"
    names = {name: str(tmp_path / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
    environ = {**os.environ, **names, "CREWLAB_HOME": str(home), "CREWLAB_ROUTES": "fake:echo", "PYTHONPATH": str(ROOT)}
    command = [
        *(sys.executable, "-m", "jupyter", "server", "--no-browser", "--allow-root", f"--ServerApp.port={port}"),
        *("--ServerApp.base_url=/user/a%40b/", f"--IdentityProvider.token={TOKEN}", "--ServerApp.jpserver_extensions={'crewlab': True}"),
        *("--ServerApp.log_level=DEBUG", f"--ServerApp.root_dir={tmp_path}"),
    ]
    with log.open("w") as output:
        process = subprocess.Popen(command, env=environ, cwd=tmp_path, stdout=output, stderr=subprocess.STDOUT, text=True)
        try:
            yield process, f"http://127.0.0.1:{port}/user/a%40b/crewlab/api/", log
        finally:
            process.kill()
            process.wait()


def answer_of(process: subprocess.Popen[str], url: str, log: Path) -> httpx.Response:
    """The first answer of the server once it listens."""
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        assert process.poll() is None, log.read_text()
        try:
            return httpx.get(url, headers={"Authorization": f"token {TOKEN}"}, timeout=START_SECONDS)
        except httpx.TransportError:
            time.sleep(POLL_SECONDS)  # the machine's own pace: there is nothing to be told by
    raise AssertionError(log.read_text())


@pytest.mark.spec("RES-16", "CHN-63", "TURN-10")
def test_a_server_starts_answers_and_goes_down_with_its_home_free_and_no_token_logged(tmp_path: Path) -> None:
    with server(tmp_path) as (process, url, log):
        assert answer_of(process, url + "version", log).status_code == 200
        said = httpx.post(url + "inbound", json={"text": "hello"}, headers={"Authorization": f"token {TOKEN}"}, timeout=30)
        assert said.json()["text"] == "hello"
        assert httpx.get(url + "agents", params={"token": TOKEN}, timeout=30).status_code == 200
        with pytest.raises(Exception, match=r"held|home"):
            HomeLock(Home(tmp_path / "home")).acquire()
        process.send_signal(signal.SIGTERM)
        assert process.wait(STOP_SECONDS) == 0
        lines = [line for line in log.read_text().splitlines() if "crewlab" in line and "?token=" in line]
        assert lines
        assert all(TOKEN not in line for line in lines if "/crewlab/" in line)
    lock = HomeLock(Home(tmp_path / "home"))
    lock.acquire()
    lock.release()


@pytest.mark.spec("DB-12")
def test_after_kill_9_the_next_server_takes_the_home(tmp_path: Path) -> None:
    with server(tmp_path) as (process, url, log):
        said = answer_of(process, url + "version", log)
        assert said.status_code == 200
        kept = httpx.post(url + "inbound", json={"text": "kept"}, headers={"Authorization": f"token {TOKEN}"}, timeout=30)
        id = kept.json()["conversation_id"]
        process.kill()
        process.wait()
    with server(tmp_path) as (process, url, log):
        detail = answer_of(process, f"{url}conversations/{id}", log).json()
        assert [message["content"] for message in detail["messages"]] == ["kept", "kept"]


def test_jupyter_loads_no_engine_before_the_server_runs() -> None:
    program = "import json, sys, crewlab.server_ext.app\nprint(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True).stdout)
    ours = {name for name in loaded if name.startswith("crewlab.")}
    assert not {name for name in ours if name.startswith(("crewlab.engine.store", "crewlab.engine.turn", "crewlab.engine.models"))}
    assert not {"pydantic", "httpx", "ruamel"} & set(loaded)

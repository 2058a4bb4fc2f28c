"""A few kills of a whole Jupyter server, with a client that sends again what was not answered, as the panel does."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from tornado.testing import bind_unused_port

from tests.drills.server import SCRIPT, SECOND
from tests.fixtures import invariants
from tests.fixtures.source import ROOT

KILLS = 3
SEED = 20261130
TOKEN = "drill-0815"
START_SECONDS = 90.0
SETTLE_SECONDS = 60.0
SENDS_BEFORE_KILL = 6
POLL_SECONDS = 0.02


@contextmanager
def server(root: Path) -> Iterator[tuple[subprocess.Popen[bytes], httpx.Client]]:
    """A Jupyter server on the home below ``root``; killed at the end of the block."""
    socket, port = bind_unused_port()
    socket.close()
    names = {name: str(root / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
    routes = f"fake:script:{root}/first.yaml,fake:script:{root}/second.yaml"
    environ = {**os.environ, **names, "CREWLAB_HOME": str(root / "home"), "CREWLAB_ROUTES": routes, "PYTHONPATH": str(ROOT)}
    command = [
        *(sys.executable, "-m", "jupyter", "server", "--no-browser", "--allow-root", f"--ServerApp.port={port}"),
        *(f"--IdentityProvider.token={TOKEN}", "--ServerApp.jpserver_extensions={'crewlab': True}", f"--ServerApp.root_dir={root}"),
    ]
    base = f"http://127.0.0.1:{port}/crewlab/api/"
    with (root / "log.txt").open("ab") as log, httpx.Client(base_url=base, headers={"Authorization": f"token {TOKEN}"}) as client:
        process = subprocess.Popen(command, env=environ, cwd=root, stdout=log, stderr=subprocess.STDOUT)
        try:
            _until_up(process, client, root)
            yield process, client
        finally:
            process.kill()
            process.wait()


def _until_up(process: subprocess.Popen[bytes], client: httpx.Client, root: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        assert process.poll() is None, (root / "log.txt").read_text()
        try:
            if client.get("version", timeout=START_SECONDS).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(POLL_SECONDS)  # the machine's own pace: there is nothing to be told by
    raise AssertionError((root / "log.txt").read_text())


class Person:
    """Sends messages and keeps those whose answer was lost, to send them again under the same name."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.sent: list[tuple[str, bool]] = []
        self.lost: list[tuple[str, str, str]] = []

    def say(self, client: httpx.Client, id: str) -> None:
        number = len(self.sent)
        text = self.chance.choice(["work w{n} <{n}>", "later <{n}>", "/steer look <{n}>"]).format(n=number)
        self._post(client, id, text, f"r{number}")

    def _post(self, client: httpx.Client, id: str, text: str, name: str) -> None:
        mark = text[text.index("<") :]
        self.sent = [one for one in self.sent if one[0] != mark]
        try:
            answer = client.post(f"conversations/{id}/messages", json={"text": text, "request_id": name})
        except httpx.TransportError:
            self.lost.append((id, text, name))
            self.sent.append((mark, False))
            return
        assert answer.status_code in (200, 202, 429), answer.text
        self.sent.append((mark, answer.status_code != 429))

    def say_again(self, client: httpx.Client) -> None:
        again, self.lost = self.lost, []
        for id, text, name in again:
            self._post(client, id, text, name)
        assert self.lost == []


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.spec("RES-1", "RES-3", "DB-10", "QUE-13", "TURN-44", "TURN-45", "FS-4", "FL-2", "FH-1")
def test_a_jupyter_server_killed_in_mid_turn_goes_on_and_a_message_sent_again_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text(SCRIPT.replace("wait: 0.002", "wait: 0.1"), encoding="utf-8")
    (tmp_path / "second.yaml").write_text(SECOND, encoding="utf-8")
    (tmp_path / "home").mkdir()
    chance = random.Random(SEED)
    person, ids = Person(chance), list[str]()
    for _ in range(KILLS):
        with server(tmp_path) as (process, client):
            while len(ids) < 2:
                ids.append(client.post("conversations", json={}).json()["id"])
                assert client.patch(f"conversations/{ids[-1]}", json={"autonomous": True}).status_code == 200
            person.say_again(client)
            for _ in range(SENDS_BEFORE_KILL):
                person.say(client, chance.choice(ids))
            time.sleep(chance.random() * 0.2)  # the moment of the kill
            process.kill()
            process.wait()
            person.say(client, ids[0])  # its answer is lost
        with invariants.Home(tmp_path / "home" / "crew.db") as home:
            invariants.check_file(home)
            invariants.check_sent(home, person.sent)
    with server(tmp_path) as (_, client):
        person.say_again(client)
        until = time.monotonic() + SETTLE_SECONDS
        while any((detail := client.get(f"conversations/{id}").json())["running"] or detail["queued"] for id in ids):
            assert time.monotonic() < until
            time.sleep(POLL_SECONDS)
        for id in ids:
            said = client.post("inbound", json={"text": "and now?", "conversation_id": id}, timeout=SETTLE_SECONDS).json()
            assert said["status"] == "done"
        with invariants.Home(tmp_path / "home" / "crew.db") as home:
            invariants.check_settled(home)
            invariants.check_sent(home, person.sent)
            assert home.rows("SELECT 1 FROM runs WHERE resumed") != []

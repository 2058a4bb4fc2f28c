"""A real server process is killed with SIGKILL at random moments, again and again on the same home.

200 kills in ``make test``, 1,000 in ``make drill`` (``CREWLAB_DRILL_KILLS``). A failure names the seed; ``CREWLAB_DRILL_SEED``
gives the same moments again, as far as a scheduler allows.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.drills.server import SCRIPT, SECOND, read_log
from tests.fixtures import invariants
from tests.fixtures.source import ROOT

KILLS = int(os.environ.get("CREWLAB_DRILL_KILLS", "200"))
SEED = int(os.environ.get("CREWLAB_DRILL_SEED", "20261130"))
KILLS_PER_HOME = 20
LONGEST_LIFE_BYTES = 60_000  # of what is told: a life is measured by what was done in it, so that a busy machine kills no later
LONGEST_LIFE_SECONDS = 2.0
LONGEST_START_SECONDS = 0.3
POLL_SECONDS = 0.002
READY_SHARE = 0.8  # the others may die while they start
PATIENCE_SECONDS = 60.0


class Zygote:
    """Starts servers by forking and kills them by their id."""

    def __init__(self, root: Path) -> None:
        self.log = root / "servers.log"
        self._output = self.log.open("w")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.drills.server"],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._output,
            text=True,
        )

    def start(self, mode: str, home: Path) -> int:
        """The process id of a new server."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{mode} {home}\n")
        self._process.stdin.flush()
        return self._line("pid")

    def ready(self) -> None:
        """Wait until the server serves."""
        self._line("ready")

    def kill(self, pid: int) -> None:
        """``kill -9``; the server must have been alive until then."""
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        assert self.ended() == -signal.SIGKILL, self.log.read_text()

    def ended(self) -> int:
        """The exit code of the server, negative for a signal."""
        return self._line("exit")

    def _line(self, what: str) -> int:
        """The number of the next line that begins with ``what``; what stands before it nobody waited for."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            word, number = line.split()
            if word == what:
                return int(number)
            assert word != "exit", self.log.read_text()
        raise AssertionError(self.log.read_text())

    def close(self) -> None:
        """End the zygote; it has no children left."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(PATIENCE_SECONDS) == 0
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._output.close()


@pytest.fixture
def zygote(tmp_path: Path) -> Iterator[Zygote]:
    (tmp_path / "first.yaml").write_text(SCRIPT, encoding="utf-8")
    (tmp_path / "second.yaml").write_text(SECOND, encoding="utf-8")
    zygote = Zygote(tmp_path)
    yield zygote
    zygote.close()


class Checked:
    """One home between the kills: what of its logs was read, and what must hold of them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._told = 0

    def wait_for(self, told: int) -> None:
        """Wait until so many more bytes were told."""
        log = self.root.with_name(f"{self.root.name}.told")
        until = time.monotonic() + LONGEST_LIFE_SECONDS
        while log.stat().st_size < self._told + told and time.monotonic() < until:
            time.sleep(POLL_SECONDS)

    def check(self, *, settled: bool) -> dict[str, int]:
        """Everything that must hold on the real files; returns how much of each there was."""
        assert read_log(self.root, "refused")[0] == []
        events, self._told = read_log(self.root, "told", self._told)
        if not (self.root / "crew.db").exists():
            return {}
        with invariants.Home(self.root / "crew.db") as home:
            if not home.rows("SELECT 1 FROM sqlite_master WHERE name = 'messages'"):
                return {}  # killed before the schema was there
            (invariants.check_settled if settled else invariants.check_file)(home)
            invariants.check_told(home, [(conversation, event) for conversation, event in events])
            taken = {mark for (mark,) in read_log(self.root, "taken")[0]}
            trying = [mark for (mark,) in read_log(self.root, "trying")[0]]
            invariants.check_sent(home, [(mark, mark in taken) for mark in trying])
            return {"messages": len(trying), "events": len(events), **self._continued(home), **self._effects(home)}

    def _continued(self, home: invariants.Home) -> dict[str, int]:
        continued = Counter(run for (run,) in read_log(self.root, "continued")[0])
        assert max(continued.values(), default=0) <= 1, "a run was continued twice"
        assert set(continued) <= {row["id"] for row in home.rows("SELECT id FROM runs WHERE resumed")}
        return {"continued": len(continued)}

    def _effects(self, home: invariants.Home) -> dict[str, int]:
        effects = read_log(self.root, "effects")[0]
        invariants.check_effects(home, [(conversation, call) for conversation, call, _ in effects])
        workspace = self.root / "workspace"
        files = {str(file.relative_to(workspace)) for file in workspace.glob("*/*.txt")}
        assert files <= {path for _, _, path in effects}, "a file that no call wrote"
        paths = {(conversation, call): path for conversation, call, path in effects}
        ok = home.rows("SELECT conversation_id, tool_call_id FROM messages WHERE name = 'workspace_write' AND context IS NULL")
        assert {paths[row["conversation_id"], row["tool_call_id"]] for row in ok} <= files
        (unknown,) = home.rows("SELECT count(*) AS n FROM messages WHERE role = 'tool' AND context LIKE '%unknown%'")
        return {"effects": len(effects), "unknown": unknown["n"]}


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.spec(
    *("RES-1", "RES-2", "RES-3", "RES-4", "RES-7", "RPL-3", "RPL-4", "QUE-12", "QUE-13", "DB-1", "DB-9", "DB-10", "DB-11"),
    *("TURN-24", "TURN-44", "FH-1", "FD-2", "FL-2", "DUR-1", "DUR-2", "DUR-3"),
)
def test_a_server_killed_at_random_moments_loses_nothing_and_does_nothing_twice(tmp_path: Path, zygote: Zygote) -> None:
    chance = random.Random(SEED)
    total: Counter[str] = Counter()
    for number in range(KILLS):
        if number % KILLS_PER_HOME == 0:
            home = tmp_path / f"home{number // KILLS_PER_HOME}"
            checked = Checked(home)
        pid = zygote.start("live", home)
        if chance.random() < READY_SHARE:
            zygote.ready()
            checked.wait_for(int(chance.random() * LONGEST_LIFE_BYTES))  # the moment of the kill
        else:
            time.sleep(chance.random() * LONGEST_START_SECONDS)
        zygote.kill(pid)
        total["events"] += checked.check(settled=False).get("events", 0)
        if number % KILLS_PER_HOME == KILLS_PER_HOME - 1 or number == KILLS - 1:
            zygote.start("settle", home)
            assert zygote.ended() == 0, zygote.log.read_text()
            total.update(checked.check(settled=True))
    print(f"seed {SEED}: {KILLS} kills, {dict(total)}")
    assert total["messages"] > KILLS
    assert total["effects"] > KILLS / 4
    assert total["continued"] > KILLS / 20
    assert total["unknown"] > 0

"""The benchmarks run: what is measured there is the engine as it is."""

import json
import subprocess
import sys
from pathlib import Path

from tests.fixtures.source import ROOT

BENCHMARKS = ROOT / "benchmarks"


def test_the_gate_is_measured() -> None:
    ran = subprocess.run([sys.executable, str(BENCHMARKS / "gate.py"), "0.01"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.count("|") > 20
    assert "a shell command" in ran.stdout


def test_one_turn_is_measured_and_every_step_is_in_the_store_after_a_kill(tmp_path: Path) -> None:
    out = tmp_path / "turn.json"
    asked = ["--quick", "--peers", "floor,crewlab", "--phases", "import,turn,history,kill", "--where", "disk", "--out", str(out)]
    ran = subprocess.run([sys.executable, str(BENCHMARKS / "turn.py"), *asked], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    measured = json.loads(out.read_text())["peers"]["crewlab"]
    assert measured["turn"]["disk"][0]["together_per_s"] > 0
    assert measured["history"]["disk"][0]["cpu_last"] > 0
    assert measured["kill"] == {
        "tool": "user call",
        "second request": "user call result",
        "middle": "user call result",
        "end": "user call result answer",
    }
    assert "| crewlab |" in ran.stdout

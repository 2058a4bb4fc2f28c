"""The benchmarks run: what is measured there is the engine as it is."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.spec("TURN-70")
def test_the_requests_of_thirty_turns_begin_with_one_another_though_notes_are_saved() -> None:
    ran = subprocess.run([sys.executable, str(BENCHMARKS / "prefix.py")], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    told = json.loads(ran.stdout)
    assert told["share_unchanged"] >= 0.99
    assert told["requests"] == 60
    assert told["memory_saves"] == 10


@pytest.mark.spec("FY-1", "FY-2")
def test_turns_in_a_row_leave_no_process_no_file_and_no_row_beyond_the_rules() -> None:
    ran = subprocess.run([sys.executable, str(BENCHMARKS / "soak.py"), "--turns", "200"], capture_output=True, text=True, check=False)
    told = json.loads(ran.stdout)
    assert (told["children"], told["over"]) == ([], {})
    files = [mark["files"] for mark in told["marks"]]
    assert max(files) - files[0] < 10


def test_the_copy_for_questions_and_every_shipped_question_are_measured() -> None:
    asked = [sys.executable, str(BENCHMARKS / "analytics.py"), "--steps", "2000", "--asked", "20000", "--seconds", "0.2"]
    ran = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout.splitlines()[0])
    assert told["error"] is None
    assert told["steps"] >= 2000
    assert ran.stdout.count("| view ") == 7
    assert ran.stdout.count("| analytics: ") == 6

"""What one turn with one tool call costs, without a real model: crewlab beside the bare floor and other frameworks.

    python benchmarks/turn.py                         # crewlab and the floor; the frameworks too where they are installed
    python benchmarks/turn.py --quick                 # a look: one round of 40 turns
    python benchmarks/turn.py --peers floor,crewlab --phases turn --where ram
    python benchmarks/turn.py --write                 # also put the tables into docs/performance.md

The frameworks live in an environment of their own (see README.md here). Every measurement runs in a process of its own, and
the rounds of all peers are interleaved, so that a busy minute of the machine does not fall on one of them alone.

Phases: ``import`` (a fresh interpreter), ``turn`` (200 turns alone, then 200 turns 20 at a time), ``history`` (one conversation
of 200 turns), ``kill`` (what the database holds after `kill -9` at four points), ``syncs`` (fsyncs per turn, by strace).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tables
from measured import in_database
from peers.registry import PEERS, peer_class

HERE = Path(__file__).resolve().parent
POINTS = ("tool", "second request", "middle", "end")
TOKENS = {"user": "usr~k0~0", "call": "arg~k0~0", "result": "res~k0~0", "answer": "ans~k0~0"}
QUIET = {
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "OTEL_SDK_DISABLED": "true",
    "PYTHONHASHSEED": "0",
}


def peers_python(given: str | None) -> str | None:
    """The interpreter that has the frameworks: named, in the environment, or in the folder the README names."""
    own = HERE / ".peers" / "bin" / "python"
    return given or os.environ.get("CREWLAB_PEERS_PYTHON") or (str(own) if own.exists() else None)


class Bench:
    """One run: which peers, by which interpreter."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.other = peers_python(args.peers_python)
        asked = args.peers.split(",") if args.peers else list(PEERS)
        self.peers = [name for name in asked if peer_class(name).ours or self.other]
        self.left_out = [name for name in asked if name not in self.peers]

    def python(self, name: str) -> str:
        return sys.executable if peer_class(name).ours else self.other or sys.executable

    def child(self, name: str, phase: str, folder: str, turns: int, *, before: tuple[str, ...] = (), more: Mapping[str, str] | None = None):
        command = [*before, self.python(name), str(HERE / "measured.py"), name, phase, folder, "--turns", str(turns)]
        environ = {**os.environ, **QUIET, **(more or {})}
        return subprocess.run(command, env=environ, capture_output=True, text=True, timeout=900, check=False)

    def measure(self, name: str, phase: str, where: str) -> dict[str, float] | None:
        with folder_on(where) as folder:
            ran = self.child(name, phase, folder, self.args.turns)
        found = re.search(r"RESULT (\{.*\})", ran.stdout)
        if ran.returncode or not found:
            say(f"! {name} {phase} {where}: {ran.stderr[-600:]}")
            return None
        out: dict[str, float] = json.loads(found.group(1))
        return out

    def kill(self, name: str) -> dict[str, str]:
        """What the database holds after the process has died at each point."""
        held = {}
        for point in POINTS:
            with folder_on("disk") as folder:
                self.child(name, "some", folder, 1, more={"BENCH_CRASH": point, "BENCH_DELAY_MS": "5"})
                found = in_database(folder, list(TOKENS.values()))
            held[point] = " ".join(kind for kind, there in zip(TOKENS, found, strict=True) if there) or "nothing"
        return held

    def syncs(self, name: str) -> float | None:
        """fsync and fdatasync calls of 60 turns less those of 20 turns, over 40; ``None`` without strace."""
        if not shutil.which("strace"):
            return None
        counted = []
        for turns in (20, 60):
            with folder_on("disk") as folder:
                trace = str(Path(folder) / "trace.txt")
                self.child(name, "some", folder, turns, before=("strace", "-f", "-qq", "-e", "trace=fsync,fdatasync", "-o", trace))
                counted.append(len(re.findall(r"\bf(?:data)?sync\(", Path(trace).read_text())))
        return (counted[1] - counted[0]) / 40

    def imported(self, name: str) -> tuple[float, float, float]:
        """Wall ms, CPU ms and peak MiB of importing the peer, less those of an interpreter that imports nothing."""
        code = peer_class(name).imports
        loaded, bare = (run_code(self.python(name), each) for each in (code, "pass"))
        return loaded[0] - bare[0], loaded[1] - bare[1], loaded[2]


def folder_on(where: str) -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="crewlab-bench-", dir="/dev/shm" if where == "ram" else None, ignore_cleanup_errors=True)


def run_code(python: str, code: str) -> tuple[float, float, float]:
    peak = "\nimport resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    environ = {**os.environ, **QUIET, "PYTHONPATH": str(HERE.parent)}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its byte code, like the frameworks beside it
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    ran = subprocess.run([python, "-c", code + peak], env=environ, capture_output=True, text=True, check=True)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return wall * 1000, cpu * 1000, int(ran.stdout.split()[-1]) / 1024


def say(text: str) -> None:
    print(f"[{time.strftime('%H:%M:%S')} load {os.getloadavg()[0]:.1f}] {text}", file=sys.stderr, flush=True)


def versions(python: str, dists: tuple[str, ...]) -> str:
    if not dists:
        return ""
    code = f"import importlib.metadata as m; print(', '.join(f'{{d}} {{m.version(d)}}' for d in {dists!r}))"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=False).stdout.strip()


def kept(args: argparse.Namespace, name: str, phases: list[str]) -> dict[str, Any]:
    """With ``--keep``: what the stored results hold of the phases that are not run now."""
    if not args.keep or not Path(args.out or "").is_file():
        return {}
    before = json.loads(Path(args.out).read_text())["peers"].get(name, {})
    return {phase: before[phase] for phase in ("import", "turn", "history", "kill", "syncs") if phase in before and phase not in phases}


def run(bench: Bench) -> dict[str, Any]:
    args, phases = bench.args, bench.args.phases.split(",")
    wheres = [where for where in args.where.split(",") if where == "disk" or Path("/dev/shm").is_dir()]
    loads: list[float] = []
    peers: dict[str, Any] = {
        name: {
            "label": peer_class(name).label,
            "versions": versions(bench.python(name), peer_class(name).dists),
            "turn": {where: [] for where in wheres},
            "history": {where: [] for where in wheres},
            "import": [],
            **kept(args, name, phases),
        }
        for name in bench.peers
    }
    for name, record in peers.items():
        if "kill" in phases:
            record["kill"] = bench.kill(name)
        if "syncs" in phases:
            record["syncs"] = bench.syncs(name)
        if "import" in phases:
            bench.imported(name)  # warms byte code and file cache
    for number in range(1, args.rounds + 1):
        for name, record in peers.items():
            loads.append(os.getloadavg()[0])
            if "import" in phases:
                record["import"].append(bench.imported(name))
            for where in wheres:
                for phase in ("turn", "history"):
                    if phase in phases and (phase == "turn" or number <= max(1, args.rounds - 2)):
                        got = bench.measure(name, phase, where)
                        if got:
                            record[phase][where].append(got)
            say(f"round {number} {name}")
    return {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "cores": os.cpu_count(),
        "when": time.strftime("%Y-%m-%d"),
        "load": [min(loads), statistics.median(loads), max(loads)],
        "turns": args.turns,
        "rounds": args.rounds,
        "left_out": bench.left_out,
        "peers": peers,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", default="", help="names, comma-separated: " + ", ".join(PEERS))
    parser.add_argument("--peers-python", help="the interpreter that has the frameworks (else CREWLAB_PEERS_PYTHON, benchmarks/.peers)")
    parser.add_argument("--phases", default="import,turn,history,kill,syncs")
    parser.add_argument("--where", default="disk", help="where the database lies: disk, ram or both")
    parser.add_argument("--rounds", type=int, default=5, help="history runs in two fewer")
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--quick", action="store_true", help="one round of 40 turns")
    parser.add_argument("--out", default=str(HERE / "results" / "turn.json"), help="raw results ('' for none)")
    parser.add_argument("--keep", action="store_true", help="keep what the stored results hold of the phases that are not run now")
    parser.add_argument("--report", metavar="JSON", help="only print the tables of stored results")
    parser.add_argument("--write", action="store_true", help="also put the tables into docs/performance.md")
    args = parser.parse_args()
    if args.quick:
        args.rounds, args.turns = 1, 40
    record = json.loads(Path(args.report).read_text()) if args.report else run(Bench(args))
    if args.out and not args.report:
        Path(args.out).parent.mkdir(parents=True, exist_ok=True)
        Path(args.out).write_text(json.dumps(record, indent=1) + "\n")
    text = tables.turn_tables(record)
    print(text)
    if args.write:
        tables.write_section("turn", text)


if __name__ == "__main__":
    main()

"""What crewlab adds to JupyterLab at start: memory, CPU seconds, imported modules, installed distributions.

    python benchmarks/startup.py            # 5 starts each, with and without, in turn
    python benchmarks/startup.py --write    # also put the table into docs/performance.md

Each start is a real `jupyter lab` on an empty home with a configuration directory of its own, in which the extension is on or
off. It is ready when the page ``/lab`` is served and, with crewlab, when the crew answers. Then it is left alone until its CPU
time stands still. Memory is the resident set of the server process.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
from pathlib import Path
from typing import Any

import tables

ROOT = Path(__file__).resolve().parents[1]
TOKEN = "bench"
PATIENCE_SECONDS = 120.0
STILL_SECONDS = 1.0
GOALS = {"memory": "≤ 25 MB", "cpu": "≤ 0.3 s", "modules": "", "packages": "≤ 20", "ready": ""}
LAUNCH = """
import atexit, json, sys
out = sys.argv.pop()
atexit.register(lambda: open(out, "w").write(json.dumps(sorted(sys.modules))))
from jupyterlab.labapp import main
sys.exit(main())
"""


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mb(pid: int) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found.group(1)) * 1024 / 1e6 if found else 0.0


def fetch(url: str) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers={"Authorization": f"token {TOKEN}"}), timeout=20) as answer:
            return int(answer.status)
    except OSError:
        return 0


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while fetch(url) != 200:
        if process.poll() is not None or time.monotonic() > end:
            raise SystemExit(f"jupyter lab did not serve {url}")
        time.sleep(0.05)


def address(folder: Path, process: subprocess.Popen[bytes]) -> str:
    """Where the server listens, from the file it writes for `jupyter server list`."""
    end = time.monotonic() + PATIENCE_SECONDS
    while process.poll() is None and time.monotonic() < end:
        for file in (folder / "runtime").glob("jpserver-*.json"):
            try:
                return str(json.loads(file.read_text())["url"])
            except ValueError:
                continue  # half written
        time.sleep(0.02)
    raise SystemExit("jupyter lab did not start: " + (folder / "log").read_text()[-2000:])


def settle(pid: int) -> None:
    """Wait until the process uses no CPU any more."""
    last, since = cpu_seconds(pid), time.monotonic()
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() - since < STILL_SECONDS and time.monotonic() < end:
        time.sleep(0.1)
        now = cpu_seconds(pid)
        if now - last > 0.02:
            last, since = now, time.monotonic()


def start(*, crewlab: bool) -> dict[str, Any]:
    """One start: its figures and the names of its modules."""
    with tempfile.TemporaryDirectory(prefix="crewlab-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "config").mkdir()
        (folder / "work").mkdir()
        server = {
            "jpserver_extensions": {"crewlab": crewlab},
            "open_browser": False,
            "port": 0,
            "allow_root": True,
            "root_dir": str(folder / "work"),
        }
        config = {"ServerApp": server, "IdentityProvider": {"token": TOKEN}}
        (folder / "config" / "jupyter_server_config.json").write_text(json.dumps(config))
        environ = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "JUPYTER_CONFIG_DIR": str(folder / "config"),
            "JUPYTER_RUNTIME_DIR": str(folder / "runtime"),
            "JUPYTER_DATA_DIR": str(folder / "data"),
            "CREWLAB_HOME": str(folder / "home"),
        }
        out = folder / "modules.json"
        began = time.monotonic()
        with (folder / "log").open("wb") as log:
            process = subprocess.Popen([sys.executable, "-c", LAUNCH, str(out)], env=environ, stdout=log, stderr=log, cwd=folder)
        try:
            url = address(folder, process)
            wait_for(f"{url}lab", process)
            if crewlab:
                wait_for(f"{url}crewlab/api/conversations", process)
            ready = time.monotonic() - began
            settle(process.pid)
            figures = {"memory": resident_mb(process.pid), "cpu": cpu_seconds(process.pid), "ready": ready}
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(PATIENCE_SECONDS)
        return {**figures, "modules": json.loads(out.read_text())}


def requirements(names: list[str]) -> set[str]:
    """The distributions that an installation of these brings, as installed here."""
    from packaging.requirements import Requirement

    found: set[str] = set()
    waiting = [Requirement(name) for name in names]
    while waiting:
        wanted = waiting.pop()
        key = re.sub(r"[-_.]+", "-", wanted.name).lower()
        if key in found or (wanted.marker and not wanted.marker.evaluate({"extra": ""})):
            continue
        found.add(key)
        waiting += [Requirement(text) for text in importlib.metadata.requires(wanted.name) or ()]
    return found


def packages() -> tuple[set[str], set[str]]:
    """What JupyterLab brings, and what crewlab brings on top (itself included)."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    plain = requirements(["jupyterlab"])
    return plain, (requirements(declared) - plain) | {"crewlab"}


def report(starts: dict[bool, list[dict[str, Any]]]) -> str:
    def middle(key: str, *, crewlab: bool) -> float:
        values = [len(one[key]) if key == "modules" else one[key] for one in starts[crewlab]]
        return statistics.median(values)

    plain, more = packages()
    lines = []
    for key, title, digits in (
        ("memory", "resident memory, MB", 1),
        ("cpu", "CPU seconds from start to rest", 2),
        ("ready", "seconds until ready", 2),
        ("modules", "imported modules", 0),
    ):
        without, having = middle(key, crewlab=False), middle(key, crewlab=True)
        lines.append([title, *(tables.shown(each, digits) for each in (without, having, having - without)), GOALS[key]])
    lines.append(["distributions", str(len(plain)), str(len(plain) + len(more)), str(len(more)), GOALS["packages"]])
    table = tables.table(["", "JupyterLab", "with crewlab", "more", "goal"], lines)
    ours = sum(name.startswith("crewlab") for name in starts[True][0]["modules"])
    return (
        f"**JupyterLab with and without crewlab** (median of {len(starts[True])} starts each, in turn; the crew is built and idle)\n\n"
        f"{table}\n\n"
        f"Distributions on top: {', '.join(sorted(more))}. Of the imported modules {ours} are crewlab's own. "
        f"Load during the run {os.getloadavg()[0]:.1f}, {time.strftime('%Y-%m-%d')}."
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="one start each")
    parser.add_argument("--write", action="store_true", help="also put the table into docs/performance.md")
    args = parser.parse_args()
    starts: dict[bool, list[dict[str, Any]]] = {False: [], True: []}
    start(crewlab=True)  # warms byte code and file cache
    for _ in range(1 if args.quick else args.rounds):
        for crewlab in (False, True):
            starts[crewlab].append(start(crewlab=crewlab))
    text = report(starts)
    print(text)
    if args.write:
        tables.write_section("startup", text)


if __name__ == "__main__":
    main()

"""What many watchers of one conversation cost, one of which never reads (WIRE-7).

    python benchmarks/fanout.py                     # 300 watchers, 200 events a second, 20 seconds: inside the engine, then over HTTP
    python benchmarks/fanout.py --watchers 50 --seconds 5 --only engine

``engine``: watchers of ``TurnWatch`` in one process; the delay is from publishing an event to a reader having it.
``http``: a Jupyter server of its own, a turn that writes a piece every 1/rate seconds, and as many connections with
``GET …/turn``; told is what each connection has received, how long the server worked, and how late the end arrived.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
TOKEN = "fanout"
START_SECONDS = 60.0
PIECE = "0123456789abcdef"


def resident(pid: int | str = "self") -> float:
    """MiB of memory the process holds now."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def worked(pid: int) -> float:
    """CPU seconds of the process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def at(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


async def engine(args: argparse.Namespace) -> dict[str, Any]:
    """The fan-out alone."""
    from crewlab.engine.crew import open_crew
    from crewlab.engine.events import Note
    from crewlab.engine.home.layout import Home

    with tempfile.TemporaryDirectory() as folder:
        crew = await open_crew(Home(Path(folder)), environ={"CREWLAB_ROUTES": "fake:echo"})
        await crew.start()
        conversation = crew.conversations.create().id
        stalled = crew.watch.join(conversation)
        delays: list[float] = []
        heard = [0] * args.watchers

        async def reads(place: int) -> None:
            watcher = crew.watch.join(conversation)
            async for frame in watcher:
                if frame.event.type == "note":
                    heard[place] += 1
                    if place % 10 == 0:
                        delays.append((time.perf_counter() - float(frame.event.text.split()[0])) * 1000)

        readers = [asyncio.create_task(reads(place)) for place in range(args.watchers)]
        await asyncio.sleep(0)
        before, cpu, began = resident(), time.process_time(), time.perf_counter()
        total = args.rate * args.seconds
        for number in range(total):
            due = began + number / args.rate
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            crew.watch.publish(conversation, Note(text=f"{time.perf_counter()} {PIECE}"))
        while min(heard) < total:  # noqa: ASYNC110 - an event per frame would be measured with it
            await asyncio.sleep(0.001)
        wall = time.perf_counter() - began
        result = {
            "heard": sum(heard),
            "wanted": total * args.watchers,
            "stalled_waits": len(stalled._queue),
            "delay_ms": {"p50": at(delays, 0.5), "p99": at(delays, 0.99), "max": max(delays)},
            "cpu_share": (time.process_time() - cpu) / wall,
            "memory_mib": {"before": before, "after": resident()},
        }
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)
        await crew.stop()
    return result


async def http(args: argparse.Namespace) -> dict[str, Any]:
    """The same through a real server."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
        probe.close()
        root, total = Path(folder), args.rate * args.seconds
        steps: list[dict[str, Any]] = [{"wait": 2.0}]  # until everybody watches
        for _ in range(total):
            steps += [{"text": PIECE}, {"wait": 1 / args.rate}]
        (root / "s.json").write_text(json.dumps({"turns": [{"rounds": [steps]}]}))
        names = {name: str(root / name.lower()) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")}
        environ = {**os.environ, **names, "CREWLAB_HOME": str(root / "home"), "CREWLAB_ROUTES": f"fake:script:{root}/s.json"}
        command = [
            *(sys.executable, "-m", "jupyter", "server", "--no-browser", "--allow-root", f"--ServerApp.port={port}"),
            *(f"--IdentityProvider.token={TOKEN}", "--ServerApp.jpserver_extensions={'crewlab': True}", f"--ServerApp.root_dir={root}"),
        ]
        with (root / "log").open("wb") as log:
            process = subprocess.Popen(command, env={**environ, "PYTHONPATH": str(ROOT)}, stdout=log, stderr=log)
            try:
                return await measure(args, process.pid, port, total)
            finally:
                process.terminate()
                process.wait()


async def measure(args: argparse.Namespace, pid: int, port: int, total: int) -> dict[str, Any]:
    """Start a turn, join it as often as asked, and read everything."""
    until = time.monotonic() + START_SECONDS
    while (await request(port, "GET", "version")) is None and time.monotonic() < until:  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.1)
    created = await request(port, "POST", "conversations", {})
    assert created is not None
    path = f"conversations/{created['id']}"
    await request(port, "POST", f"{path}/messages", {"text": "go"})
    stalled = await connect(port, "GET", f"{path}/turn")
    before, cpu = resident(pid), worked(pid)
    began = time.perf_counter()
    ends = await asyncio.gather(*(follow(port, f"{path}/turn", total) for _ in range(args.watchers)))
    wall = time.perf_counter() - began
    after = resident(pid)
    stalled[1].close()
    times = sorted(end for end, _ in ends)
    return {
        "whole": sum(whole for _, whole in ends),
        "watchers": args.watchers,
        "end_spread_ms": (times[-1] - times[0]) * 1000,
        "late_s": wall - 2.0 - args.seconds,
        "cpu_share": (worked(pid) - cpu) / wall,
        "memory_mib": {"before": before, "after": after},
        "median_end_s": statistics.median(times) - began,
    }


async def connect(port: int, method: str, path: str, body: bytes = b"") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**24)
    head = f"{method} /crewlab/api/{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: token {TOKEN}\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
    return reader, writer


async def request(port: int, method: str, path: str, value: object = None) -> Any:
    """The JSON answer, or ``None`` while the server is not there."""
    try:
        reader, writer = await connect(port, method, path, json.dumps(value).encode() if value is not None else b"")
        head, _, body = (await reader.read()).partition(b"\r\n\r\n")
        writer.close()
    except OSError:
        return None
    return json.loads(body) if head.split()[1] in (b"200", b"201", b"202") else None


async def follow(port: int, path: str, total: int) -> tuple[float, bool]:
    """Read one stream to its end; when it came, and whether every character did."""
    reader, writer = await connect(port, "GET", path)
    chars = 0
    async for line in reader:
        if line.startswith(b"data: "):
            event = json.loads(line[6:])
            if event["type"] == "watching":
                chars = 0
            elif event["type"] == "text_delta":
                chars += len(event["text"])
            elif event["type"] in ("done", "error"):
                break
    writer.close()
    return time.perf_counter(), chars == total * len(PIECE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--watchers", type=int, default=300)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--only", choices=["engine", "http"])
    args = parser.parse_args()
    for name, phase in (("engine", engine), ("http", http)):
        if args.only in (None, name):
            print(name, json.dumps(asyncio.run(phase(args)), indent=1))


if __name__ == "__main__":
    main()

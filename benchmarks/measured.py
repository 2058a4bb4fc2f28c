"""The measured process: one peer, one phase, one folder. Started by `turn.py`; prints one line ``RESULT {json}``.

Every answer is compared with the expected one, every turn must run the tool once and deliver 20 pieces, the messages must be
found in the database afterwards, and in the long conversation the model must be handed all earlier answers.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sqlite3
import statistics
import time
from pathlib import Path
from typing import Any

from peers import scripted
from peers.registry import peer_class
from peers.scripted import Peer

WARM = 20
LAG_TICK = 0.005


def memory(field: str) -> float:
    """VmRSS or VmHWM of this process in MiB (0 where there is no /proc)."""
    status = Path("/proc/self/status")
    found = re.search(field + r":\s+(\d+) kB", status.read_text()) if status.exists() else None
    return int(found.group(1)) / 1024 if found else 0.0


def databases(folder: str) -> list[Path]:
    return [file for file in Path(folder).rglob("*") if file.is_file() and file.read_bytes()[:6] == b"SQLite"]


def stored_bytes(folder: str) -> int:
    """The size of all files once the write-ahead logs are emptied into their databases."""
    for file in databases(folder):
        con = sqlite3.connect(file)
        con.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        con.close()
    return sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())


def in_database(folder: str, tokens: list[str]) -> list[bool]:
    """Which of the tokens any cell of any table of any SQLite file below ``folder`` holds."""
    cells: list[bytes] = []
    for file in databases(folder):
        con = sqlite3.connect(file)
        for (table,) in con.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchall():
            for row in con.execute(f'SELECT * FROM "{table}"'):
                cells += [cell.encode() if isinstance(cell, str) else cell for cell in row if isinstance(cell, str | bytes)]
        con.close()
    return [any(token.encode() in cell for cell in cells) for token in tokens]


def at(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


async def one(peer: Peer, conversation: str, n: int) -> float:
    """One turn; its milliseconds."""
    text = scripted.question(conversation, n)
    started = time.perf_counter()
    got = await peer.run_turn(conversation, text)
    ms = (time.perf_counter() - started) * 1000
    if got != scripted.answer(text):
        raise SystemExit(f"{peer.name}: wrong answer to {text!r}: {got!r}")
    return ms


async def lags(into: list[float]) -> None:
    """How late the event loop wakes a sleeper, in ms, until cancelled."""
    while True:
        due = time.perf_counter() + LAG_TICK
        await asyncio.sleep(LAG_TICK)
        into.append((time.perf_counter() - due) * 1000)


def check_counts(peer: Peer, turns: int, what: str) -> None:
    if (peer.tool_calls, peer.deltas) != (turns, 20 * turns):
        raise SystemExit(f"{peer.name} {what}: {turns} turns, {peer.tool_calls} tool calls, {peer.deltas} pieces")


async def phase_turn(peer: Peer, folder: str, turns: int, width: int) -> dict[str, float]:
    await peer.setup(folder)
    for i in range(WARM):
        await one(peer, f"w{i}", 0)
    peer.tool_calls = peer.deltas = 0
    cpu, started = time.process_time(), time.perf_counter()
    alone = [await one(peer, f"s{i}", 0) for i in range(turns)]
    wall, cpu = time.perf_counter() - started, time.process_time() - cpu
    check_counts(peer, turns, "alone")

    async def worker(w: int) -> list[float]:
        return [await one(peer, f"c{w}x{i}", 0) for i in range(turns // width)]

    late: list[float] = []
    clock = asyncio.create_task(lags(late))
    n = turns // width * width
    started, together_cpu = time.perf_counter(), time.process_time()
    together = [ms for part in await asyncio.gather(*map(worker, range(width))) for ms in part]
    together_wall, together_cpu = time.perf_counter() - started, time.process_time() - together_cpu
    clock.cancel()
    check_counts(peer, turns + n, "together")
    peak = memory("VmHWM")
    await peer.close()
    probe = [kind + name for name in ("s0~0", f"s{turns - 1}~0", f"c{width - 1}x0~0") for kind in ("usr~", "ans~")]
    if not all(in_database(folder, probe)):
        raise SystemExit(f"{peer.name}: not all of {probe} are in the database")
    return {
        "per_s": turns / wall,
        "p50": statistics.median(alone),
        "p95": at(alone, 0.95),
        "cpu_ms": cpu / turns * 1000,
        "together_per_s": n / together_wall,
        "together_p50": statistics.median(together),
        "together_p95": at(together, 0.95),
        "together_cpu_ms": together_cpu / n * 1000,
        "lag_p99": at(late, 0.99),
        "peak_mib": peak,
        "bytes": stored_bytes(folder) / (WARM + turns + n),
    }


async def phase_history(peer: Peer, folder: str, turns: int, width: int) -> dict[str, float]:
    await peer.setup(folder)
    for i in range(10):
        await one(peer, f"w{i}", 0)
    ms: list[float] = []
    cpu: list[float] = []
    for n in range(1, turns + 3):
        before = time.process_time()
        ms.append(await one(peer, "h", n))
        cpu.append((time.process_time() - before) * 1000)
    scripted.seen = set()
    await one(peer, "h", turns + 3)
    if not scripted.seen >= set(range(1, turns + 3)):
        raise SystemExit(f"{peer.name}: the model saw only {len(scripted.seen)} of {turns + 2} earlier answers")
    await peer.close()

    def near(values: list[float], n: int) -> float:
        return statistics.median(values[n - 3 : n + 2])

    return {
        "t10": near(ms, 10),
        "t_last": near(ms, turns),
        "cpu10": near(cpu, 10),
        "cpu_last": near(cpu, turns),
        "bytes": stored_bytes(folder),
        "peak_mib": memory("VmHWM"),
    }


async def phase_some(peer: Peer, folder: str, turns: int, width: int) -> dict[str, float]:
    """Turns without an orderly end: for counting fsyncs and for the kill."""
    await peer.setup(folder)
    for i in range(turns):
        await one(peer, f"k{i}", 0)
    os._exit(9)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer")
    parser.add_argument("phase", choices=("turn", "history", "some"))
    parser.add_argument("folder")
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--width", type=int, default=20)
    args = parser.parse_args()
    phase: Any = {"turn": phase_turn, "history": phase_history, "some": phase_some}[args.phase]
    out = asyncio.run(phase(peer_class(args.peer)(), args.folder, args.turns, args.width))
    print("RESULT " + json.dumps(out), flush=True)
    os._exit(0)  # some peers leave threads behind


if __name__ == "__main__":
    main()

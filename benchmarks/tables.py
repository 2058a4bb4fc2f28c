"""The measurements as Markdown tables, and their place in docs/performance.md."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parents[1] / "docs" / "performance.md"
Rows = list[dict[str, float]]


def table(head: list[str], rows: Iterable[list[str]], align: str = "---:") -> str:
    lines = [head, ["---"] + [align] * (len(head) - 1), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def middle(rows: Rows, key: str, pick: Callable[[list[float]], float] = statistics.median) -> float | None:
    return pick([row[key] for row in rows]) if rows else None


def shown(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def ratio(value: float | None, to: float | None) -> str:
    return "-" if not value or not to else f"{value / to:,.2f}"


def best_other(runs: dict[str, Rows], key: str, pick: Callable[[Iterable[float]], float]) -> float | None:
    """The best framework, the floor and crewlab left out."""
    values = [middle(rows, key) for name, rows in runs.items() if name not in ("floor", "crewlab")]
    known = [value for value in values if value is not None]
    return pick(known) if known else None


def turns(runs: dict[str, Rows]) -> str:
    rate, cpu = best_other(runs, "together_per_s", max), best_other(runs, "together_cpu_ms", min)
    head = [
        *("peer", "turns/s alone", "p50 ms", "p95 ms", "CPU ms a turn", "turns/s, 20 at once", "best round", "to the best peer"),
        *("CPU ms a turn, 20 at once", "to the best peer", "p95 ms, 20 at once", "loop lag p99 ms", "peak MiB", "bytes a turn"),
    ]
    rows = [
        [
            name,
            shown(middle(run, "per_s"), 0),
            shown(middle(run, "p50"), 2),
            shown(middle(run, "p95"), 2),
            shown(middle(run, "cpu_ms"), 2),
            shown(middle(run, "together_per_s"), 0),
            shown(middle(run, "together_per_s", max), 0),
            ratio(middle(run, "together_per_s"), rate),
            shown(middle(run, "together_cpu_ms"), 2),
            ratio(middle(run, "together_cpu_ms"), cpu),
            shown(middle(run, "together_p95"), 0),
            shown(middle(run, "lag_p99")),
            shown(middle(run, "peak_mib"), 0),
            shown(middle(run, "bytes"), 0),
        ]
        for name, run in runs.items()
    ]
    return table(head, rows)


def histories(runs: dict[str, Rows], last: int) -> str:
    head = ["peer", "turn 10 ms", f"turn {last} ms", "turn 10 CPU ms", f"turn {last} CPU ms", "slower by CPU ms", "database MB"]
    rows = []
    for name, run in runs.items():
        first, later = middle(run, "cpu10") or 0.0, middle(run, "cpu_last") or 0.0
        stored = middle(run, "bytes") or 0.0
        plain = [shown(middle(run, "t10"), 2), shown(middle(run, "t_last"), 2)]
        rows.append([name, *plain, shown(first, 2), shown(later, 2), shown(later - first, 2), shown(stored / 1e6, 2)])
    return table(head, rows)


def turn_tables(record: dict[str, Any]) -> str:
    """Every table of one run of `turn.py`."""
    peers, out = record["peers"], []
    for where, title in (("disk", "database on disk"), ("ram", "database on a memory file system")):
        runs = {name: peer["turn"].get(where) for name, peer in peers.items() if peer["turn"].get(where)}
        if runs:
            out.append(f"**One turn, {title}** (median of {record['rounds']} rounds of {record['turns']} turns)\n\n{turns(runs)}")
        runs = {name: peer["history"].get(where) for name, peer in peers.items() if peer["history"].get(where)}
        if runs:
            out.append(f"**One conversation of {record['turns']} turns, {title}**\n\n{histories(runs, record['turns'])}")
    rows = []
    for name, peer in peers.items():
        got = peer["import"]
        middles = [statistics.median(one[k] for one in got) if got else None for k in range(3)]
        rows.append([name, *(shown(value, 0) for value in middles), shown(peer.get("syncs"), 2)])
    out.append("**Import and commits**\n\n" + table(["peer", "import ms", "import CPU ms", "MiB after import", "fsyncs a turn"], rows))
    killed = {name: peer["kill"] for name, peer in peers.items() if peer.get("kill")}
    if killed:
        head = ["peer", "while the tool runs", "at the second request", "half-way through the answer", "right after the turn"]
        rows = [[name, *held.values()] for name, held in killed.items()]
        out.append("**What the database holds after `kill -9`**\n\n" + table(head, rows, "---"))
    if record["left_out"]:
        out.append("Left out, since their packages are not installed: " + ", ".join(record["left_out"]) + ".")
    named = "; ".join(f"{name} = {peer['label']}" for name, peer in peers.items())
    known = "; ".join(dict.fromkeys(peer["versions"] for peer in peers.values() if peer["versions"]))
    low, mid, high = record["load"]
    out.append(
        f"Peers: {named}. Python {record['python']}, SQLite {record['sqlite']}, {record['cores']} cores shared with other work, load "
        f"{low:.1f} to {high:.1f} (median {mid:.1f}), {record['when']}. {known}"
    )
    return "\n\n".join(out)


def write_section(name: str, text: str) -> None:
    """Replace the part of docs/performance.md between the two markers of ``name``."""
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"
    page = PAGE.read_text(encoding="utf-8")
    head, found, rest = page.partition(begin)
    if not found or end not in rest:
        raise SystemExit(f"{PAGE} has no section {name!r}")
    PAGE.write_text(f"{head}{begin}\n{text.strip()}\n{end}{rest.partition(end)[2]}", encoding="utf-8")

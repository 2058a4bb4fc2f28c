"""Ten thousand turns in one process: does anything grow that should not?

    python benchmarks/soak.py                      # 10,000 turns
    python benchmarks/soak.py --turns 2000

Conversations of 50 turns, each turn with one tool call and a viewer; of the conversations the newest 20 stay, older ones are
deleted. Told are resident memory after each tenth of the turns, objects, open files, threads and children of the process, and
the rows of every table beside what the rules allow. Exit status 1 when memory at the end is more than 5 % over that after
half of the turns, when a child is left, or when a table holds more than its rule.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import resource
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

PER_CONVERSATION = 50
KEPT = 20
FLAT = 1.05  # FY-1
SETTLED = 0.5  # the share of the turns after which caches are full: the newest histories, the pages of the store (8 MB)


def resident() -> float:
    """MiB of memory the process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def children() -> list[int]:
    """Processes whose parent is this one, at whatever depth."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    found, fresh = set[int](), {os.getpid()}
    while fresh:
        fresh = {pid for pid, parent in parents.items() if parent in fresh} - found
        found |= fresh
    return sorted(found)


async def script(scene: Any) -> Any:
    """One call of a tool, then an answer in pieces."""
    from crewlab.engine.models.fake import FakeCall

    if scene.request.messages[-1].role == "user":
        yield FakeCall("workspace_list", '{"path": "."}')
        return
    for number in range(10):
        yield f"piece {number} of an answer "


async def one(crew: Any, conversation: str, text: str) -> None:
    """One turn with a viewer, to its end."""
    watcher = crew.watch.join(conversation)
    await crew.inbound.send(conversation, text)
    async for frame in watcher:
        if frame.event.type in ("error", "halted", "stopped"):
            raise SystemExit(f"a turn ended badly: {frame.event!r}")
        if frame.event.type == "done":
            break
    watcher.close()
    await crew.host.wait(conversation)


def state() -> dict[str, Any]:
    gc.collect()
    files = len(list(Path("/proc/self/fd").iterdir()))
    return {"mib": round(resident(), 1), "objects": len(gc.get_objects()), "files": files, "threads": threading.active_count()}


def rows(crew: Any) -> dict[str, int]:
    """The rows of every table."""
    names = [row[0] for row in crew.store.db.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")]
    return {name: crew.store.db.row(f'SELECT count(*) FROM "{name}"')[0] for name in names if "_fts" not in name}


def allowed(turns: int, conversations: int) -> dict[str, int]:
    """What the rules allow: messages with their conversation, one run a turn, one row of the ledger per side call."""
    opened = -(-turns // PER_CONVERSATION)
    messages = conversations * PER_CONVERSATION * 4
    changes = turns + 3  # one a run, and one for each table from which something was deleted
    return {"conversations": conversations, "messages": messages, "runs": turns, "side_calls": 2 * opened, "changes": changes}


async def soak(turns: int, folder: Path) -> dict[str, Any]:
    """Run the turns; what was measured."""
    from crewlab.engine.crew import open_crew
    from crewlab.engine.home.layout import Home
    from crewlab.engine.models.fake import FakeProvider

    crew = await open_crew(Home(folder / "home"), environ={"CREWLAB_ROUTES": "fake:soak"})
    fake = FakeProvider(crew.texts)
    fake.register("soak", script)
    crew.models.plug(fake)
    await crew.start()
    open_now: list[str] = []
    marks: list[dict[str, Any]] = []
    began, cpu = time.perf_counter(), time.process_time()
    for number in range(turns):
        if number % PER_CONVERSATION == 0:
            open_now.append(crew.conversations.create().id)
            if len(open_now) > KEPT:
                await crew.conversations.delete(open_now.pop(0))
        await one(crew, open_now[-1], f"turn {number}: what is in the workspace?")
        if (number + 1) % max(1, turns // 10) == 0:
            marks.append({"turns": number + 1, **state()})
    spent = time.process_time() - cpu
    await crew.books.settle()
    found, limits = rows(crew), allowed(turns, len(open_now))
    left = children()
    size = sum(file.stat().st_size for file in (folder / "home").glob("crew.db*"))
    await crew.stop()
    settled = marks[max(0, int(len(marks) * SETTLED) - 1)]["mib"]
    return {
        "turns": turns,
        "seconds": round(time.perf_counter() - began, 1),
        "cpu_ms_a_turn": round(spent / turns * 1000, 2),
        "marks": marks,
        "grown": round(marks[-1]["mib"] / settled, 3),
        "children": left,
        "database_mib": round(size / 2**20, 1),
        "rows": {name: count for name, count in found.items() if count},
        "over": {name: count for name, count in found.items() if count > limits.get(name, 0)},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=10_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="crewlab-soak-") as folder:
        result = asyncio.run(soak(args.turns, Path(folder)))
    print(json.dumps(result, indent=1))
    return int(result["grown"] > FLAT or bool(result["children"]) or bool(result["over"]))


if __name__ == "__main__":
    sys.exit(main())

"""How long a JSON output of 5 MB takes to be shortened (goal: under 150 ms, and off the loop).

    python benchmarks/shorten.py

Shortens outputs of several shapes to the default ceiling, in the thread that a turn uses, while a ticker on the loop notes how late it
is woken. Prints one line per shape: medians of the rounds, and the longest time that the loop was held.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crewlab.engine.texts import Texts
from crewlab.engine.tools.ceiling import fit

GOAL_MS = 150.0
BYTES = 5 * 1024 * 1024
CEILING = 8000
ROUNDS = 9
TICK_SECONDS = 0.001


def rows(size: int) -> str:
    """A table as most services send it."""
    items = [{"id": n, "name": f"row {n}", "value": round(n * 1.1, 2), "tags": ["a", "b"]} for n in range(size // 74)]
    return json.dumps(items)


def figures(size: int) -> str:
    """A long list of numbers."""
    return json.dumps({"series": [n * 0.37 for n in range(size // 12)]})


def words(size: int) -> str:
    """One long string among short ones."""
    return json.dumps({"title": "a page", "text": "words and more words " * (size // 21), "status": 200})


SHAPES: dict[str, Callable[[int], str]] = {"rows": rows, "figures": figures, "words": words}


def shortened(text: str) -> float:
    """CPU milliseconds of one shortening."""
    started = time.thread_time()
    short = fit(text, CEILING, Texts("en"))
    took = time.thread_time() - started
    if short.way != "structure" or len(short.text) > CEILING:
        raise SystemExit("the output was not shortened by its structure")
    return took * 1000


async def measure(text: str) -> tuple[float, float, float]:
    """Milliseconds for one shortening, its CPU milliseconds, and the longest that the loop was held meanwhile."""
    worst = 0.0
    ended = asyncio.Event()

    async def tick() -> None:
        nonlocal worst
        while not ended.is_set():
            due = time.perf_counter() + TICK_SECONDS
            await asyncio.sleep(TICK_SECONDS)
            worst = max(worst, time.perf_counter() - due)

    ticking = asyncio.create_task(tick())
    started = time.perf_counter()
    cpu = await asyncio.to_thread(shortened, text)
    took = time.perf_counter() - started
    ended.set()
    await ticking
    return took * 1000, cpu, worst * 1000


def main() -> None:
    """Print the table."""
    print(f"| shape | MB | ms (goal {GOAL_MS:.0f}) | CPU ms | loop held at most, ms |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, make in SHAPES.items():
        text = make(BYTES)
        found = [asyncio.run(measure(text)) for _ in range(ROUNDS)]
        took, cpu = median(each[0] for each in found), median(each[1] for each in found)
        held = max(each[2] for each in found)
        print(f"| {name} | {len(text) / 1024 / 1024:.1f} | {took:.0f} | {cpu:.0f} | {held:.0f} |")


if __name__ == "__main__":
    main()

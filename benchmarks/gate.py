"""How many verdicts the gate gives in a second (goal: 50,000), and what a file call costs, whose refusal is read from the disk.

    python benchmarks/gate.py [seconds]

Calls the very function of a turn (`judge`) with the default lists of `shell_run`, one thread, and prints a table.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from crewlab.engine.gate.patterns import Patterns
from crewlab.engine.gate.verdict import Stance, judge
from crewlab.engine.home.settings import Settings
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext
from crewlab.engine.tools.workspace.write_tool import write_tool

GOAL = 50_000
SECONDS = 1.0
BATCH = 500
LONG = "a command of 20,000 characters"
DISK = "a file write, path read from the disk"
NO_GOAL = (LONG, DISK)
TEXTS = Texts("en")
COMMAND = "cd project && python -m pytest -q tests/engine --maxfail=1 | tail -n 40"


async def _run(_arguments: Arguments, _context: ToolContext) -> str:
    return ""


def _shell() -> Tool:
    return Tool(
        "shell_run", "", {"type": "object"}, _run, requires_approval=True, allow_listed=True, ask_text=lambda given: str(given["command"])
    )


def _cases(root: Path) -> dict[str, Callable[[], object]]:
    lists = Patterns(ask=tuple(Settings().shell_ask_patterns), allow=("git status", "make test"), deny=("mkfs", "shutdown"))
    context = ToolContext("default", root, TEXTS, conversation_id="c1", run_id="r1")
    free = Tool("workspace_read", "", {"type": "object"}, _run)
    always = Tool("schedule_create", "", {"type": "object"}, _run, requires_approval=True, ask_reason=lambda *_: "every day")
    autonomous = Stance(autonomous=True)
    shell, write = _shell(), write_tool(TEXTS)
    (root / "deep" / "er").mkdir(parents=True)
    (root / "deep" / "er" / "notes.md").write_text("old")
    given = {"path": "deep/er/notes.md", "content": "x" * 2000}
    return {  # the goal is for ordinary calls; the last two are bound by the length of the text and by the disk
        "a tool that never asks": lambda: judge(free, {}, context, Stance(), lists),
        "a shell command, all lists, asks": lambda: judge(shell, {"command": COMMAND}, context, Stance(), lists),
        "a shell command, all lists, autonomous": lambda: judge(shell, {"command": COMMAND}, context, autonomous, lists),
        LONG: lambda: judge(shell, {"command": COMMAND * 280}, context, autonomous, lists),
        "a tool that always asks": lambda: judge(always, {}, context, autonomous, lists),
        DISK: lambda: judge(write, given, context, autonomous, lists),
    }


def _per_second(call: Callable[[], object], seconds: float) -> float:
    """The best of the batches: what else runs on the machine only ever makes it slower."""
    best, until = 0.0, time.perf_counter() + seconds
    while time.perf_counter() < until:
        start = time.perf_counter()
        for _ in range(BATCH):
            call()
        best = max(best, BATCH / (time.perf_counter() - start))
    return best


def main(seconds: float) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        print(f"| verdict on | a second | goal {GOAL:,} |\n| --- | ---: | --- |")
        for name, call in _cases(Path(folder)).items():
            found = _per_second(call, seconds)
            goal = "-" if name in NO_GOAL else "met" if found >= GOAL else "missed"
            print(f"| {name} | {found:,.0f} | {goal} |")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS)

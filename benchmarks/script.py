"""Restricted interpreters on the kind of script a model writes: crewlab's child beside smolagents and pydantic-monty.

    python benchmarks/script.py [--rounds 5] [--peers-python PATH]

Each script of crewlab runs in a process of its own, started for it, as in the product; the two peers run in a process that is warm (monty
hands the script to a worker that is already there). ``inside`` is crewlab's interpreter alone, without the process. The limit of steps is
raised here only: the loop takes more than a script may.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

STEPS = 50_000_000
Times = dict[str, tuple[float, float]]
WORK: dict[str, str] = {
    "loop": """
        total = 0
        for i in range(300000):
            if i % 3 == 0:
                total += i * 2
            elif i > 1000:
                total -= i
            else:
                total = (total + 7) % 1000003
        total
        """,
    "dicts": """
        rows = []
        for i in range(20000):
            rows.append({"id": i, "name": "item" + str(i % 977), "group": "g" + str(i * 7919 % 50), "price": i * 31 % 1009})
        cheap = [r for r in rows if r["price"] < 500 and r["id"] % 2 == 0]
        cheap = sorted(cheap, key=lambda r: (r["price"], r["id"]))
        groups = {}
        for r in cheap:
            if r["group"] not in groups:
                groups[r["group"]] = []
            groups[r["group"]].append(r["id"])
        [len(cheap), len(groups), cheap[0]["id"], cheap[-1]["id"], sum([len(groups[g]) for g in groups])]
        """,
    "text": """
        line = "2024-05-17 order=1234 status=open customer=Nguyen total=99.50; note: call back\\n"
        text = line * (200000 // len(line))
        words = text.split(" ")
        out = []
        for w in words:
            if w.startswith("status="):
                out.append(w.replace("open", "done"))
            elif "=" in w:
                out.append(w.upper())
            else:
                out.append(w.strip())
        joined = "-".join(out)
        parts = joined.replace("-", " ").replace("TOTAL=", "sum ").split("2024")
        short = [p.strip() for p in parts if "done" in p]
        [len(words), len(joined), len(parts), len(short), joined.count("done"), short[-1]]
        """,
    "calls": """
        hits = []
        for i in range(25):
            page = tools_page(i)
            for ln in page.split("\\n"):
                if "ERROR" in ln:
                    hits.append(ln[0:40])
        [len(hits), hits[0], hits[-1]]
        """,
    "fib": """
        def fib(n):
            if n < 2:
                return n
            return fib(n - 1) + fib(n - 2)
        fib(18)
        """,
    "one line": "14 * 3",
}
WORK = {name: textwrap.dedent(source).strip() + "\n" for name, source in WORK.items()}
PAGE_LINES = 800


@cache
def page(number: int) -> str:
    """50 KB of log lines."""
    rows = [
        f"{number:03d}.{k:04d} {'ERROR' if k % 25 == 3 else 'info '} order {k * 37 % 1000:04d} took {k * 91 % 500} ms in shop {number % 9}"
        for k in range(PAGE_LINES)
    ]
    return "\n".join(rows)[:50_000]


def cpu() -> float:
    """CPU seconds of this process, of its live children and of those it has waited for: what other work on the machine changes least."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    total = time.process_time() + ended.ru_utime + ended.ru_stime
    for children in Path("/proc/self/task").glob("*/children"):
        for pid in children.read_text().split():
            total += sum(int(task.read_text().split()[0]) / 1e9 for task in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    return total


def timed(run: Callable[[str], Any], rounds: int) -> Times:
    """CPU milliseconds of each workload, the median and the best of the rounds, after one round that is not counted."""
    found = {}
    for name, source in WORK.items():
        expected = plain(source)
        times = []
        for _ in range(rounds + 1):
            start = cpu()
            got = run(source)
            times.append((cpu() - start) * 1000)
            if got != expected:
                raise SystemExit(f"{name}: got {got!r}, expected {expected!r}")
        found[name] = (median(times[1:]), min(times[1:]))
    return found


def plain(source: str) -> Any:
    """What CPython gives: the value of the last expression."""
    head, _, last = source.rstrip().rpartition("\n")
    names: dict[str, Any] = {"tools_page": page}
    exec(head, names)
    return eval(last, names)


def cpython(rounds: int) -> Times:
    return timed(plain, rounds)


def smolagents(rounds: int) -> Times:
    from smolagents.local_python_executor import LocalPythonExecutor

    def run(source: str) -> Any:
        executor = LocalPythonExecutor([], timeout_seconds=600)
        executor.send_tools({"tools_page": page})
        return executor(source).output

    return timed(run, rounds)


def monty(rounds: int) -> Times:
    import pydantic_monty

    with pydantic_monty.Monty() as pool:

        def run(source: str) -> Any:
            with pool.checkout() as session:
                return session.feed_run(source, external_lookup={"tools_page": page})

        return timed(run, rounds)


class Pages:
    """The server's side of the script: one tool."""

    async def answer(self, message: Any) -> Any:
        from crewlab.engine.script import Answer

        return Answer(value=page(message.fields["args"]["number"]))


def crewlab(rounds: int) -> Times:
    from crewlab.engine.script import run_script
    from crewlab.engine.script.fence import Fence
    from crewlab.engine.texts import Texts

    around = Fence((), b"")  # the processes inside bubblewrap are not ours to count
    with asyncio.Runner() as runner:

        def run(source: str) -> Any:
            source = source.replace("tools_page(i)", "tools.page(number=i)")
            ended = runner.run(run_script(source, Pages(), Texts("en"), around=around, limits={"steps": STEPS}))
            return eval(ended.printed)

        return timed(run, rounds)


def inside(rounds: int) -> Times:
    from crewlab.engine.script.child import words
    from crewlab.engine.script.child.host import Host
    from crewlab.engine.script.child.machine import Machine
    from crewlab.engine.script.child.meter import Meter
    from crewlab.engine.script.child.session import conclude
    from crewlab.engine.script.words import script_words
    from crewlab.engine.texts import Texts

    words.learn(script_words(Texts("en")))

    class Asked:
        def ask(self, op: str, **fields: Any) -> dict[str, Any]:
            return {"ok": True, "value": page(json.loads(str(fields["args"]))["number"])}

    def run(source: str) -> Any:
        machine = Machine(Meter(STEPS))
        conclude(source.replace("tools_page(i)", "tools.page(number=i)"), machine, Host(machine, Asked()))
        return eval(machine.printed.result())

    return timed(run, rounds)


RUNNERS: dict[str, Callable[[int], Times]] = {
    "plain exec, no protection": cpython,
    "crewlab, interpreter alone": inside,
    "crewlab, a child per script": crewlab,
    "pydantic-monty, warm worker": monty,
    "smolagents": smolagents,
}
PEERS = ("pydantic-monty, warm worker", "smolagents")


def cold(rounds: int) -> dict[str, float]:
    """CPU milliseconds, the best of many, from nothing to the end of a one-line script, and of a bare interpreter that does nothing."""
    from crewlab.engine.script import compiled

    compiled.prepare()
    start = json.dumps({"script": "14 * 3", "lang": "en", "limits": {}, "words": {}}).encode() + b"\n"
    bare = [sys.executable, "-I", "-S", "-B"]
    found: dict[str, list[float]] = {"bare": [], "child": []}
    for _ in range(rounds * 5):
        for name, command, given in (("bare", [*bare, "-c", "pass"], b""), ("child", [*bare, str(compiled.ENTRY)], start)):
            began = cpu()
            subprocess.run(command, input=given, capture_output=True, env={}, check=True)
            found[name].append((cpu() - began) * 1000)
    return {name: min(times) for name, times in found.items()}


async def batch() -> float:
    """Milliseconds of ten calls of 100 ms each in one batch, without the start of the child."""
    from crewlab.engine.script import Answer, run_script
    from crewlab.engine.script.batches import Element, run_batch
    from crewlab.engine.texts import Texts

    took = 0.0

    class Slow:
        async def answer(self, message: Any) -> Any:
            nonlocal took
            if message.op == "call":
                took = time.perf_counter()
                return Answer(value="")
            if message.op == "lookup":
                took = (time.perf_counter() - took) * 1000
                return Answer(value=[])

            async def call() -> dict[str, Any]:
                await asyncio.sleep(0.1)
                return {"ok": True, "output": "x"}

            return Answer(value=await run_batch([Element(call) for _ in message.fields["calls"]], writes=False))

    await run_script("tools.t()\ntools.batch([{'tool': 't'}] * 10)\ntools.names()", Slow(), Texts("en"))
    return took


async def whole_batch(home: Path) -> list[float]:
    """Milliseconds of the same batch through the whole loop: crew, hooks, record, events and store; one turn each."""
    from crewlab.engine.crew import open_crew
    from crewlab.engine.home.layout import Home
    from crewlab.engine.tools.contract import Tool
    from crewlab.engine.tools.registry import Registry

    took: list[float] = []

    async def wait(_arguments: Any, _context: Any) -> str:
        await asyncio.sleep(0.1)
        return "x"

    async def mark(_arguments: Any, _context: Any) -> str:
        took.append(time.perf_counter() * 1000)
        return ""

    (home / "agent.yaml").write_text("script_calls: gated\n", encoding="utf-8")
    crew = await open_crew(Home(home), environ={"CREWLAB_ROUTES": "fake:echo"}, person=lambda: True)
    schema = {"type": "object", "properties": {}}
    slow = [Tool(name, "", schema, run, tier="read", script="any", marking="own") for name, run in (("wait", wait), ("mark", mark))]
    held = crew.toolbox.of
    crew.toolbox.of = lambda agent: Registry([*held(agent).all, *slow])  # type: ignore[method-assign]
    source = "tools.mark()\ntools.batch([{'tool': 'wait'}] * 10)\ntools.mark()"
    await crew.start(schedule=False)
    try:
        for _ in range(6):
            conversation = crew.conversations.create().id
            await crew.inbound.send(conversation, f"/tool tool_script {json.dumps({'script': source})}")
            await crew.host.wait(conversation)
    finally:
        await crew.stop()
    return [end - start for start, end in zip(took[::2], took[1::2], strict=True)][1:]


def peer(python: str, name: str, rounds: int) -> Times | str:
    command = [python, str(Path(__file__).resolve()), "--only", name, "--rounds", str(rounds)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": ""})
    lines = done.stderr.strip().splitlines()
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else lines[-1] if lines else "failed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers-python", default=os.environ.get("CREWLAB_PEERS_PYTHON", ""))
    parser.add_argument("--only", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.only:
        print(json.dumps(RUNNERS[args.only](args.rounds)))
        return
    print("| CPU ms, median [best] of", args.rounds, "|", " | ".join(WORK), "|\n| --- |", " | ".join("---:" for _ in WORK), "|")
    for name in RUNNERS:
        python = args.peers_python if name in PEERS else sys.executable
        found = peer(python, name, args.rounds) if python else "no --peers-python"
        cells = [found] if isinstance(found, str) else [f"{found[work][0]:.1f} [{found[work][1]:.1f}]" for work in WORK]
        print(f"| {name} |", " | ".join(cells), "|", flush=True)
    start = cold(args.rounds)
    print(f"\ncold start, CPU: bare interpreter {start['bare']:.1f} ms, child with a one-line script {start['child']:.1f} ms")
    print(f"a batch of ten calls of 100 ms: {asyncio.run(batch()):.0f} ms")
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(whole_batch(Path(folder)))
    print(f"the same through the whole loop, the best and the median of {len(found)}: {min(found):.0f} and {median(found):.0f} ms")
    print("load average:", os.getloadavg()[0])


if __name__ == "__main__":
    main()

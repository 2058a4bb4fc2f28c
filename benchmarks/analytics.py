"""The analytics copy: how long a million new steps take, what turns lose meanwhile, and how fast the shipped questions are.

    python benchmarks/analytics.py                         # a million new steps, questions on ten million
    python benchmarks/analytics.py --steps 20000 --asked 100000

Goals: a million new steps copied and published in under 5 s while turns slow by at most a tenth; every view, and every question
of the notebooks, under 200 ms on ten million steps. The steps stand in an SQLite store as turns write them; the ten million are
made inside DuckDB. Exit status 0 also when a goal is missed: the figures say so.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

STEPS_A_RUN = 20
TOOLS = ("web_read", "web_search", "workspace_read", "shell_run", "tool_script", "memory_search", "mcp__notion__search", "delegate")
COPY_GOAL_SECONDS = 5.0
SLOWER_GOAL = 0.10
QUESTION_GOAL_MS = 200.0
AT = "2026-03-11T12:00:00.000000+00:00"
ZONE = "Asia/Ho_Chi_Minh"
BEST_OF = 5


def template(number: int) -> str:
    """The steps of a run as the store keeps them: a model call, then a tool call, in turns; 300 characters a step."""
    steps: list[dict[str, Any]] = []
    for index in range(STEPS_A_RUN):
        step: dict[str, Any] = {"index": index, "status": "done", "started_at": AT, "ms": 40 + (number * 31 + index * 7) % 900}
        if index % 2 == 0:
            step |= {"kind": "model", "route": "openai:gpt-5-mini", "cost_usd": 0.0012, "prompt_tokens": 4100, "completion_tokens": 180}
            step |= {"cached_tokens": 3800, "reasoning_tokens": 0}
        else:
            name = TOOLS[(number + index) % len(TOOLS)]
            step |= {"kind": "tool", "name": name, "tool_call_id": f"call_{number}_{index}", "output": "what the tool found " * 8}
            step |= {"arguments": {"path": f"notes/{number}/{index}.md", "query": "heat and admissions in summer"}}
        steps.append(step)
    return json.dumps(steps)


def fill(store: Any, steps: int) -> None:
    """Put runs with that many steps into the store, with half as many answers of models, in one statement each."""
    runs = steps // STEPS_A_RUN
    db = store.db.connection
    db.execute("CREATE TEMP TABLE template (n INTEGER PRIMARY KEY, steps TEXT)")
    db.executemany("INSERT INTO template VALUES (?, ?)", [(n, template(n)) for n in range(64)])
    count = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?)"
    db.execute("BEGIN")
    db.execute(
        f"{count} INSERT INTO conversations (id, agent_id, source, created_at, updated_at)"
        " SELECT printf('c_%024x', i), 'default', 'chat', ?, ? FROM n",
        (runs, AT, AT),
    )
    db.execute(
        f"{count} INSERT INTO runs (id, agent_id, source, conversation_id, status, steps, cost_usd, summary, after_seq, started_at,"
        " ended_at)"
        " SELECT printf('r_%024x', i), 'default', 'chat', printf('c_%024x', i), 'done', t.steps, 0.012, 'what came of it', 0, ?, ?"
        " FROM n JOIN template t ON t.n = i % 64",
        (runs, AT, AT),
    )
    db.execute(
        f"{count} INSERT INTO messages (conversation_id, seq, role, content, provider, model, cost_usd, prompt_tokens, completion_tokens,"
        f" cached_tokens, reasoning_tokens, created_at) SELECT printf('c_%024x', i / {STEPS_A_RUN // 2}), 1 + i % {STEPS_A_RUN // 2},"
        " 'assistant', 'an answer', 'openai', 'gpt-5-mini', 0.0012, 4100, 180, 3800, 0, ? FROM n",
        (runs * STEPS_A_RUN // 2, AT),
    )
    db.execute("COMMIT")
    db.execute("DROP TABLE template")
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")


async def turns_for(crew: Any, stop: asyncio.Event) -> tuple[int, float]:
    """Turns one after the other until told to stop: how many, and the seconds they took."""
    from tests.fixtures.crews import say

    began, done = time.perf_counter(), 0
    while not stop.is_set():
        await say(crew, "what is new?")
        done += 1
    return done, time.perf_counter() - began


async def alone(crew: Any, seconds: float) -> float:
    """Turns a second with nothing else to do."""
    stop = asyncio.Event()
    asyncio.get_running_loop().call_later(seconds, stop.set)
    done, took = await turns_for(crew, stop)
    return done / took


async def copying(steps: int, seconds: float, folder: Path) -> dict[str, Any]:
    """The copy of ``steps`` new steps, alone and beside turns."""
    from tests.fixtures.crews import a_crew

    async with a_crew(folder / "home") as crew:
        fill(crew.store, steps)
        await alone(crew, seconds / 4)
        before = await alone(crew, seconds)
        stop = asyncio.Event()
        beside = asyncio.create_task(turns_for(crew, stop))
        crew.analytics.enabled = True
        began = time.perf_counter()
        state = await crew.analytics.refresh()
        took = time.perf_counter() - began
        stop.set()
        done, meanwhile = await beside
        after = await alone(crew, seconds)
        began = time.perf_counter()
        await crew.analytics.refresh()
        little = time.perf_counter() - began
    usual = (before + after) / 2
    return {
        "steps": state.rows["steps"],
        "seconds": took,
        "a_second": state.rows["steps"] / took,
        "mib": state.bytes / 2**20,
        "turns_alone": usual,
        "turns_beside": done / meanwhile,
        "slower": 1 - done / meanwhile / usual,
        "next_seconds": little,
        "error": state.error,
    }


def questions() -> Iterator[tuple[str, str]]:
    """Every view, and every question of the notebooks."""
    from crewlab.analytics_schema import VIEWS

    for name in VIEWS:
        yield f"view {name}", f"FROM {name} LIMIT 200"
    for path in sorted((Path(__file__).resolve().parents[1] / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            first, _, rest = "".join(cell["source"]).partition("\n")
            if cell["cell_type"] == "code" and first.startswith("%%crew_sql"):
                yield f"{path.stem}: {rest.strip().splitlines()[0][:60]}", rest


def made(con: Any, steps: int) -> None:
    """Ten million steps inside DuckDB: half of them tool calls, a call of a script for each tenth, half as many answers."""
    from crewlab.analytics_schema import statements

    for statement in statements():
        con.execute(statement)
    runs, tools = steps // STEPS_A_RUN, "[" + ", ".join(f"'{tool}'" for tool in TOOLS) + "]"
    at = "TIMESTAMPTZ '2026-01-01 00:00:00+00' + to_seconds((i * 11) // 10)"
    con.execute("SET TimeZone = 'UTC'")
    con.execute(
        "INSERT INTO runs SELECT printf('r_%024x', i), 'agent' || i % 7, ['chat', 'job:default/morning', 'telegram'][1 + i % 3],"
        " ['chat', 'job', 'telegram'][1 + i % 3], CASE WHEN i % 3 = 1 THEN 'default/morning' END, NULL, printf('c_%024x', i // 10), 'done',"
        f" NULL, 'what came of it', {at}, {at} + INTERVAL 9 SECONDS, 9000, 0.012, true, 0, 20, 10, 10, 1, false, i, 9000, 20000,"
        f" ({at})::DATE FROM range({runs}) t(i)"
    )
    con.execute(
        f"INSERT INTO steps SELECT printf('r_%024x', i // {STEPS_A_RUN}), i % {STEPS_A_RUN}, ['model', 'tool'][1 + i % 2], 'done',"
        f" CASE WHEN i % 2 = 1 THEN {tools}[1 + (i // 2) % 8] END, CASE WHEN i % 2 = 0 THEN 'openai:gpt-5-mini' END,"
        f" {at}, hash(i) % 4000, NULL, 'what the tool found' FROM range({steps}) t(i)"
    )
    con.execute(
        f"INSERT INTO tool_calls SELECT printf('r_%024x', i // 11), i % {STEPS_A_RUN}, CASE WHEN i % 11 = 10 THEN 0 END,"
        f" printf('c_%024x', i // 110), 'agent' || i % 7, 'call' || i, {tools}[1 + i % 8], NULL, i % 13 > 0,"
        " CASE WHEN i % 13 > 0 THEN 'ok' ELSE 'error' END, hash(i) % 4000, NULL, false, NULL, NULL, '{\"path\": \"a.md\"}',"
        f" 'what the tool found', NULL, NULL, {at} FROM range({steps // 20 * 11}) t(i)"
    )
    con.execute(
        "INSERT INTO model_calls SELECT i, printf('c_%024x', i // 100), 'agent' || i % 7, printf('r_%024x', i // 10), i % 100, 'openai',"
        f" ['gpt-5-mini', 'gpt-5', 'small'][1 + i % 3], 0.0012, i % 50 > 0, false, 4100, 180, 3800, 0, {at}, ({at})::DATE"
        f" FROM range({steps // 2}) t(i)"
    )
    con.execute(
        f"INSERT INTO side_calls SELECT i, 'agent' || i % 7, NULL, 'title', 'openai', 'small', 0.0001, true, false, 400, 10, 0, 0, {at},"
        f" ({at})::DATE FROM range({steps // 20}) t(i)"
    )
    con.execute(
        "INSERT INTO approvals SELECT 'a' || i, printf('c_%024x', i), 'default', printf('r_%024x', i), 'call', 'tool',"
        f" {tools}[1 + i % 8], ['approved', 'denied', 'expired'][1 + i % 3], false, NULL, {at}, {at}, {at}, hash(i) % 900000"
        f" FROM range({steps // 100}) t(i)"
    )
    con.execute("INSERT INTO meta VALUES (1, '-', now(), 0, 0, 0, 'UTC', 1)")
    con.execute("CHECKPOINT")


def asked(steps: int, folder: Path) -> dict[str, float]:
    """Milliseconds of every question on ``steps`` steps, the best of some, through a connection as notebooks have it."""
    import duckdb

    from crewlab import analytics

    path = folder / "crew-1.duckdb"
    with duckdb.connect(str(path)) as con:
        made(con, steps)
    found = {}
    con = analytics.connect(path=path)
    for name, query in questions():
        best = float("inf")
        for _ in range(BEST_OF):
            began = time.perf_counter()
            con.execute(query).fetchall()
            best = min(best, time.perf_counter() - began)
        found[name] = best * 1000
    con.close()
    return found


def verdict(good: bool) -> str:
    return "met" if good else "missed"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=1_000_000, help="new steps to copy")
    parser.add_argument("--asked", type=int, default=10_000_000, help="steps that questions are asked of")
    parser.add_argument("--seconds", type=float, default=4.0, help="how long turns alone are measured, before and after")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.steps:
            copied = asyncio.run(copying(given.steps, given.seconds, Path(folder)))
            print(json.dumps({name: round(value, 4) if isinstance(value, float) else value for name, value in copied.items()}))
            print(f"copied and published in {copied['seconds']:.1f} s: {verdict(copied['seconds'] < COPY_GOAL_SECONDS)}")
            print(f"turns slower by {copied['slower']:.0%}: {verdict(copied['slower'] <= SLOWER_GOAL)}")
        if given.asked:
            print(f"\n| question, {given.asked:,} steps | ms | goal {QUESTION_GOAL_MS:.0f} |\n| --- | ---: | --- |")
            for name, took in asked(given.asked, Path(folder)).items():
                print(f"| {name} | {took:,.0f} | {verdict(took < QUESTION_GOAL_MS)} |")


if __name__ == "__main__":
    main()

"""Three surfaces answer the same requests at once: each is decided exactly once, and whoever is late is told (TURN-52, FA-8).

300 requests in ``make test``, 10,000 in ``make drill`` (``CREWLAB_DRILL_REQUESTS``).
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sqlite3
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from crewlab.engine.errors import Conflict, StoreWriteFailed
from crewlab.engine.records import Approval
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from tests.fixtures.crews import a_crew, say
from tests.fixtures.source import ROOT

REQUESTS = int(os.environ.get("CREWLAB_DRILL_REQUESTS", "300"))
SURFACES = 3
PATIENCE_SECONDS = 600.0
AT_ONCE = 100
WRITE = '/tool workspace_write {{"path": "{name}.txt", "content": "x"}}'
STAMP = "2026-01-01T00:00:00+00:00"


def fill(store: Store, count: int) -> list[str]:
    """A store with that many open requests, each of a conversation of its own."""
    ids = [f"ap{number}" for number in range(count)]
    with store.transaction():
        for approval_id in ids:
            row = {"id": approval_id, "agent_id": "default", "title": "", "source": "chat", "created_at": STAMP, "updated_at": STAMP}
            store.conversations.insert({**row, "root_id": approval_id, "cost_cap_usd": 0.0})
            store.approvals.insert(
                Approval(
                    id=approval_id,
                    conversation_id=approval_id,
                    agent_id="default",
                    run_id="r",
                    call_id="c",
                    tool="shell_run",
                    arguments={},
                    created_at=STAMP,
                    expires_at=STAMP,
                )
            )
    return ids


@pytest.mark.timeout(PATIENCE_SECONDS)
@pytest.mark.spec("TURN-52", "FA-8")
def test_three_processes_on_one_store_decide_each_request_exactly_once(tmp_path: Path) -> None:
    file = tmp_path / "crew.db"
    store = Store(file, Texts("en"))
    names = fill(store, REQUESTS)
    ids = tmp_path / "ids"
    ids.write_text("\n".join(names))
    command = [sys.executable, "-m", "tests.drills.decider", str(file)]
    surfaces = [
        subprocess.Popen(
            [*command, str(seed), str(ids)],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in range(SURFACES)
    ]
    for surface in surfaces:
        assert surface.stdout is not None
        assert surface.stdout.readline() == "ready\n"
    for surface in surfaces:
        assert surface.stdin is not None
        surface.stdin.write("go\n")
        surface.stdin.flush()
    told = [json.loads(surface.communicate(timeout=PATIENCE_SECONDS)[0]) for surface in surfaces]
    won = [pair for one in told for pair in one["won"].items()]
    assert sorted(name for name, _ in won) == sorted(names)  # everyone once, nobody twice
    words = dict(won)
    assert {name: one.status for name in names if (one := store.approvals.get(name)) is not None} == words
    for one in told:  # a loser reads what was decided, never that it is still open
        assert one["lost"] == {name: words[name] for name in names if name not in one["won"]}
    assert store.approvals.count_pending() == 0
    store.close()


@pytest.mark.timeout(PATIENCE_SECONDS)
@pytest.mark.spec("TURN-52", "FA-8", "GATE-41", "GATE-47", "GATE-46")
async def test_three_surfaces_of_a_crew_decide_each_request_once_and_no_row_is_left_without_an_outcome(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        gate = asyncio.Semaphore(AT_ONCE)

        async def ask(number: int) -> str:
            async with gate:
                _, seen = await say(crew, WRITE.format(name=f"f{number}"))
                return str(seen[-1].approval.id)  # type: ignore[attr-defined]

        names = [await one for one in asyncio.as_completed([ask(number) for number in range(REQUESTS)])]
        assert crew.store.approvals.count_pending() == REQUESTS
        won: Counter[str] = Counter()
        late: Counter[str] = Counter()

        async def one_decision(name: str, decision: Any) -> Conflict | None:
            await asyncio.sleep(0)
            try:
                await crew.approvals.decide(name, decision)
            except Conflict as told:
                return told
            return None

        async def surface(seed: int) -> None:
            dice = random.Random(seed)
            order = list(names)
            dice.shuffle(order)
            for name in order:
                told = await one_decision(name, dice.choice(("approve", "deny")))
                if told is None:
                    won[name] += 1
                    continue
                late[name] += 1
                stored = crew.approvals.get(name)
                assert (told.code, told.fields["status"], told.fields["decided_at"]) == ("not_pending", stored.status, stored.decided_at)
                assert stored.status in ("approved", "denied")

        await asyncio.gather(*(surface(seed) for seed in range(SURFACES)))
        for conversation_id in list(crew.host.live):
            await crew.host.wait(conversation_id)
        assert won == Counter(dict.fromkeys(names, 1))
        assert late == Counter(dict.fromkeys(names, SURFACES - 1))
        workspace = crew.roster.master.workspace
        for name in names:
            decided = crew.approvals.get(name)
            message = next(m for m in crew.conversations.detail(decided.conversation_id).messages if m.role == "tool")
            outcome = (message.context or {}).get("outcome")
            assert (decided.status, outcome) in (("approved", None), ("denied", "denied"))
            assert (workspace / decided.arguments["path"]).exists() is (decided.status == "approved")
            assert crew.runs.get(decided.run_id).status == "done"


@pytest.mark.spec("FA-8")
@pytest.mark.parametrize("decision", ["approve", "deny"])
async def test_a_locked_database_strands_nothing_a_decision_is_taken_whole_or_not_at_all(tmp_path: Path, decision: str) -> None:
    async with a_crew(tmp_path) as crew:
        conversation, seen = await say(crew, WRITE.format(name="out"))
        approval = seen[-1].approval  # type: ignore[attr-defined]
        crew.store.db.connection.execute("PRAGMA busy_timeout=1")
        other = sqlite3.connect(crew.home.db_file, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreWriteFailed, match="locked"):
            await crew.approvals.decide(approval.id, decision)  # type: ignore[arg-type]
        assert crew.approvals.get(approval.id) == approval
        assert crew.runs.get(approval.run_id).status == "waiting"
        other.execute("ROLLBACK")
        other.close()
        assert (await crew.approvals.decide(approval.id, decision)).status != "pending"  # type: ignore[arg-type]
        await crew.host.wait(conversation)
        assert (crew.roster.master.workspace / "out.txt").exists() is (decision == "approve")
        assert crew.runs.get(approval.run_id).status == "done"

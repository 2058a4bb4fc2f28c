"""A server with a Telegram bot is killed with SIGKILL again and again: no message is lost, none is answered twice (issue 6, FG)."""

from __future__ import annotations

import asyncio
import os
import random
import sys
from pathlib import Path

import pytest

from crewlab.engine.home.layout import Home
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from tests.fixtures.botapi import CHAT, TOKEN, BotApi
from tests.fixtures.source import ROOT

KILLS = max(6, int(os.environ.get("CREWLAB_DRILL_KILLS", "200")) // 25)
SEED = int(os.environ.get("CREWLAB_DRILL_SEED", "20261130"))
LONGEST_LIFE_SECONDS = 0.6
FIRST_UPDATE = 1001
PATIENCE_SECONDS = 60.0

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


async def started(home: Path, api: BotApi) -> asyncio.subprocess.Process:
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "CREWLAB_ROUTES": "fake:echo", "BOT_TOKEN": TOKEN, "TELEGRAM_API_URL": api.url}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.drills.telegram_server", str(home), cwd=ROOT, env=environ, stdout=-1, stderr=-3
    )


async def settled(api: BotApi, home: Path, count: int) -> None:
    """Wait until every message was taken and nothing waits to be sent."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            store = Store(home / "crew.db", Texts())
            try:
                channel = store.channel("telegram")
                busy = store.runs.open() or channel.waiting() or store.queue.conversations()
                if not busy and channel.get("offset") == str(FIRST_UPDATE + count - 1):
                    return
            finally:
                store.close()
            await asyncio.sleep(0.2)


@pytest.mark.spec("CHN-6", "RES-9", "FG-1", "FG-7", "FL-5")
async def test_a_bot_that_is_killed_at_any_moment_answers_every_message_once(tmp_path: Path) -> None:
    chance = random.Random(SEED)
    (tmp_path / "agent.yaml").write_text(f"telegram:\n  token_env: BOT_TOKEN\n  chat_id: {CHAT}\n")
    said: list[str] = []
    async with BotApi() as api:
        for number in range(KILLS):
            process = await started(tmp_path, api)
            assert process.stdout is not None
            async with asyncio.timeout(PATIENCE_SECONDS):
                await process.stdout.readline()
            for part in range(chance.randint(1, 3)):
                said.append(f"message {number}-{part}.")
                api.say(said[-1])
            await asyncio.sleep(chance.uniform(0, LONGEST_LIFE_SECONDS))
            process.kill()
            await process.wait()
        process = await started(tmp_path, api)
        await settled(api, tmp_path, len(said))
        process.kill()
        await process.wait()
        store = Store(Home(tmp_path).db_file, Texts())
        try:
            stored = "\n".join(row["content"] for row in store.db.rows("SELECT content FROM messages WHERE role = 'user'"))
            assert [stored.count(text) for text in said] == [1] * len(said), f"seed {SEED}: a message was lost or taken twice"
            unknown = "\n".join(row["text"] for row in store.db.rows("SELECT text FROM outbox WHERE status = 'unknown'"))
            failed = store.db.rows("SELECT error FROM outbox WHERE status = 'failed'")
            assert [row["error"] for row in failed] == []
        finally:
            store.close()
        answers = "\n".join(text for text in api.texts)
        for text in said:
            assert answers.count(text) == 1 or (answers.count(text) == 0 and text in unknown), f"seed {SEED}: {text}"

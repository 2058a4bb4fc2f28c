"""Scripted models that misbehave in one known way each; tests of every tier share them.

Part of the product's test seam: loaded only when a route names one (``fake:slow``, ``fake:broken`` …).
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncIterator

from crewlab.engine.models.base import ProviderError
from crewlab.engine.models.fake import RESULT_CHARS, FakeCall, Scene, Script, echo

SLOW = re.compile(r"/slow\s+(\d+)\s+(\d+(?:\.\d+)?)")
SLOW_WORDS, SLOW_DELAY_SECONDS = 20, 0.05
HUGE = re.compile(r"/huge\s+(\d+)")
HUGE_CHARS, HUGE_PIECE = 200_000, 1_000
LOOP = re.compile(r"/loop\s+(\S+)(?:\s+(\{.*\}))?")
DIES_VARIABLE = "CREWLAB_FAKE_DIES"
DIES_STATUS = 70
DIES_AFTER_WORDS = 5
Pieces = AsyncIterator[str | FakeCall]


async def slow(scene: Scene) -> Pieces:
    """``/slow 40 0.05``: that many words, that many seconds apart."""
    found = SLOW.search(scene.last_user)
    words, delay = (int(found[1]), float(found[2])) if found else (SLOW_WORDS, SLOW_DELAY_SECONDS)
    for number in range(1, words + 1):
        yield f"w{number} "
        await scene.sleep(delay)


async def broken(scene: Scene) -> Pieces:
    """Some text, then the connection is gone."""
    yield scene.texts("models.fixture_broken_text")
    raise ProviderError(scene.texts("models.stream_ended", provider="fake"), started=True)


async def down(scene: Scene) -> Pieces:
    """Fails before anything was shown, in a way that is worth a retry."""
    for piece in list[str]():
        yield piece
    message = scene.texts("models.server_error", provider="fake", status=503, detail="").strip()
    raise ProviderError(message, transient=True, status=503)


async def loop(scene: Scene) -> Pieces:
    """The same call for ever: ``/loop <tool> {json}``, else ``workspace_list``."""
    found = LOOP.search(scene.last_user)
    yield FakeCall(found[1], found[2] or "{}") if found else FakeCall("workspace_list")


async def huge(scene: Scene) -> Pieces:
    """``/huge 500000``: an answer of that many characters."""
    found = HUGE.search(scene.last_user)
    left = int(found[1]) if found else HUGE_CHARS
    line = "0123456789" * (HUGE_PIECE // 10)
    while left > 0:
        yield line[:left]
        left -= HUGE_PIECE


async def badjson(scene: Scene) -> Pieces:
    """A call with broken JSON; after the error result, an answer that tells it."""
    if scene.tool_result is None:
        yield FakeCall("workspace_read", '{"path": "notes.txt"')
    else:
        yield scene.texts("models.fixture_told", result=scene.tool_result[:RESULT_CHARS])


async def approval(scene: Scene) -> Pieces:
    """Wants ``workspace_write``, then says what it was told."""
    if scene.tool_result is None:
        content = scene.texts("models.fixture_content")
        yield FakeCall("workspace_write", json.dumps({"path": "approval.txt", "content": content}, ensure_ascii=False))
    else:
        yield scene.texts("models.fixture_told", result=scene.tool_result[:RESULT_CHARS])


async def dies(scene: Scene) -> Pieces:
    """Kills the process in mid-stream when ``CREWLAB_FAKE_DIES=1``; otherwise answers."""
    for number in range(1, DIES_AFTER_WORDS + 1):
        yield f"w{number} "
        await scene.sleep(SLOW_DELAY_SECONDS)
    if os.environ.get(DIES_VARIABLE) == "1":
        os._exit(DIES_STATUS)
    yield scene.texts("models.fixture_alive")


SCRIPTS: dict[str, Script] = {
    "slow": slow,
    "broken": broken,
    "down": down,
    "loop": loop,
    "huge": huge,
    "badjson": badjson,
    "approval": approval,
    "dies": dies,
    "narrow": echo,
}

WINDOWS = {"narrow": 4_000}  # tokens; CMP-1

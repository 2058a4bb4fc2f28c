"""Kits over HTTP on a real server: their agents answer, their commands are expanded, their files are nobody's to save."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from crewlab.engine.models.fake import FakeCall, FakeProvider, Scene
from tests.fixtures.server import PATIENCE_SECONDS, Lab, jupyter

AGENT = "---\nname: reviewer\ndescription: Reviews\ntools: Read, Bash\n---\nYou review.\n"


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Lab]:
    kit = tmp_path / "home" / ".claude"
    for name, text in {
        "agents/reviewer.md": AGENT,
        "commands/fix.md": "---\ndescription: Fix\nargument-hint: <issue>\n---\nPlease fix $ARGUMENTS !`rm -rf x`",
    }.items():
        (kit / name).parent.mkdir(parents=True, exist_ok=True)
        (kit / name).write_text(text)
    async with jupyter(tmp_path) as found:
        await found.crew()
        yield found


@pytest.mark.spec("KIT-6", "KIT-8", "AGT-32", "AGT-33")
async def test_a_member_from_a_kit_answers_and_is_edited_by_a_profile_of_its_own(lab: Lab, client: httpx.AsyncClient) -> None:
    agent = (await client.get("agents/reviewer")).json()
    assert (agent["origin"], agent["declared"], agent["workspace"]) == ("kit", {"tools": None}, str(lab.home / "workspace"))
    assert "You review." in (await client.get("agents/reviewer/prompt")).json()["prompt"]
    answer = await client.post("inbound", json={"text": "hello", "agent": "reviewer"})
    assert answer.json()["text"] == "hello"
    refused = [
        await client.patch("agents/reviewer", json={"max_steps": 3}),
        await client.delete("agents/reviewer"),
        await client.put("agents/reviewer/persona", json={"files": {"PERSONA.md": "x"}}),
    ]
    assert [(one.status_code, one.json()["code"]) for one in refused] == [(409, "kit_agent")] * 3
    made = await client.post("agents", json={"id": "reviewer", "max_steps": 3})
    assert (made.status_code, made.json()["origin"], made.json()["max_steps"]) == (201, "profile", 3)
    assert made.json()["description"] == "Reviews"
    saved = await client.patch("agents/reviewer", json={"description": "Mine"})
    assert (saved.json()["description"], saved.json()["declared"]) == ("Mine", {"tools": None, "max_steps": 3, "description": "Mine"})
    assert (await client.delete("agents/reviewer")).status_code == 200
    assert (await client.get("agents/reviewer")).json()["origin"] == "kit"  # its file in the kit is still there


@pytest.mark.spec("KIT-9", "KIT-10", "KIT-11", "KIT-12")
async def test_a_command_is_sent_as_its_text_and_keeps_what_was_typed(lab: Lab, client: httpx.AsyncClient) -> None:
    shown = (await client.get("agents/default")).json()["commands"]
    assert shown == [{"name": "fix", "description": "Fix", "argument_hint": "<issue>"}]
    answer = (await client.post("inbound", json={"text": "/fix number 7"})).json()
    conversation = (await client.get(f"conversations/{answer['conversation_id']}")).json()
    message = conversation["messages"][0]
    assert message["content"] == "Please fix number 7 !`rm -rf x`"
    assert message["context"]["command"] == {"name": "fix", "typed": "/fix number 7"}
    assert (message["written_by"], conversation["title"]) == ("kit", "/fix number 7")
    plain = (await client.post("inbound", json={"text": "/nobody knows"})).json()
    assert plain["text"] == "/nobody knows"


@pytest.mark.spec("KIT-13", "QUE-6")
async def test_a_command_while_a_turn_runs_is_a_steer(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()
    begun, go = asyncio.Event(), asyncio.Event()

    async def slow(scene: Scene) -> AsyncIterator[Any]:
        if scene.tool_result is None and not begun.is_set():
            begun.set()
            async with asyncio.timeout(PATIENCE_SECONDS):
                await go.wait()
            yield FakeCall("workspace_list")
            return
        yield scene.last_user

    fake = FakeProvider(crew.texts)
    fake.register("slow", slow)
    crew.models.plug(fake)
    assert (await client.patch("agents/default", json={"routes": ["fake:slow"]})).status_code == 200
    conversation = (await client.post("conversations", json={})).json()["id"]
    running = asyncio.create_task(client.post("inbound", json={"text": "begin", "conversation_id": conversation}))
    await begun.wait()
    sent = (await client.post(f"conversations/{conversation}/messages", json={"text": "/fix it"})).json()
    assert (sent["status"], sent["queued"]["kind"]) == ("queued", "steer")
    go.set()
    assert "Please fix it" in (await running).json()["text"]

"""What a crew keeps is bounded and goes with its conversation (FY-1, FY-2)."""

import asyncio
import gc
from collections import Counter

import pytest

from crewlab.engine.turn import frames
from tests.fixtures.crews import a_crew, say

OWN = ("conversations", "messages", "message_requests", "queued_messages", "approvals", "compactions")


def ours():
    """How many objects of our own classes there are."""
    gc.collect()
    return Counter(type(thing).__qualname__ for thing in gc.get_objects() if str(type(thing).__module__).startswith("crewlab."))


async def lives(crew, number):
    """A conversation with a tool call, a refused call and a request, deleted at its end."""
    conversation = crew.conversations.create(title=f"t{number}").id
    await say(crew, '/tool workspace_list {"path": "."}', conversation)
    await say(crew, '/tool workspace_write {"path": "a.txt", "content": "x"}', conversation)
    await crew.conversations.delete(conversation)
    return conversation


@pytest.mark.spec("FY-1")
async def test_turn_after_turn_no_object_of_ours_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(frames, "KEPT_SECONDS", 0.0)
    async with a_crew(tmp_path) as crew:
        for number in range(20):
            await lives(crew, number)
        await asyncio.sleep(0.01)
        before = ours()
        for number in range(40):
            await lives(crew, number)
        await asyncio.sleep(0.01)
        grown = {name: more for name, more in (ours() - before).items() if more > 10}
        assert grown == {}


@pytest.mark.spec("FY-2", "TURN-20")
async def test_a_deleted_conversation_leaves_no_row_no_file_and_nothing_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(frames, "KEPT_SECONDS", 0.0)
    async with a_crew(tmp_path) as crew:
        kept = crew.conversations.create(title="kept").id
        await say(crew, "hello", kept)
        gone = []
        for number in range(10):
            conversation = crew.conversations.create(title=f"t{number}").id
            for folder in (crew.home.spill(conversation), crew.home.outputs(conversation), crew.home.attachments(conversation)):
                folder.mkdir(parents=True)
                (folder / "big.txt").write_text("x" * 5_000, encoding="utf-8")
            await say(crew, '/tool workspace_write {"path": "a.txt", "content": "x"}', conversation)
            await crew.conversations.delete(conversation)
            gone.append(conversation)
        await asyncio.sleep(0.01)
        for table in OWN:
            column = "id" if table == "conversations" else "conversation_id"
            assert {row[0] for row in crew.store.db.rows(f"SELECT {column} FROM {table}")} <= {kept}, table
        assert not [path for path in tmp_path.rglob("*") if any(name in str(path) for name in gone)]
        assert crew.hub.live == {}
        memories = (crew.watch._topics, crew.host.live, crew.host.last_end, crew.store.messages._histories._kept)
        for memory in memories:
            assert not set(memory) & set(gone)

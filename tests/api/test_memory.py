"""Memory over HTTP, on a real server (MEMF-17)."""

import hashlib
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest

from tests.fixtures.remembered import call, put
from tests.fixtures.server import Lab

TEA = {"type": "preference", "description": "", "text": "Thích trà."}


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


async def home(lab: Lab) -> Path:
    return (await lab.crew()).home.root


@pytest.mark.spec("MEMF-17", "MEMF-6")
async def test_facts_are_listed_written_and_dropped(lab: Lab, client: httpx.AsyncClient) -> None:
    assert (await client.get("memory/user")).json() == {"index": "", "facts": []}
    saved = await client.put("memory/user/tea", json=TEA)
    assert saved.status_code == 200
    fact = saved.json()
    assert fact == {"slug": "tea", "type": "preference", "description": "Thích trà.", "updated": fact["updated"], "text": "Thích trà."}
    found = (await client.get("memory/user")).json()
    assert found["facts"] == [fact]
    assert "- tea (preference): Thích trà." in found["index"]
    assert found["index"] == ((await home(lab)) / "users" / "owner" / "INDEX.md").read_text()
    assert (await client.delete("memory/user/tea")).json() == fact
    assert (await client.get("memory/user")).json() == {"index": "", "facts": []}
    assert problem(await client.delete("memory/user/tea")) == (404, "not_found")


@pytest.mark.spec("MEMF-17", "MEM-8")
async def test_what_breaks_a_rule_of_facts_is_422_and_writes_nothing(lab: Lab, client: httpx.AsyncClient) -> None:
    for slug, change in (
        ("Tea", {}),
        ("x" * 61, {}),
        ("a.b", {}),
        ("tea", {"type": "rumour"}),
        ("tea", {"text": " "}),
        ("tea", {"text": "x" * 4001}),
        ("tea", {"description": "x" * 161}),
        ("tea", {"more": 1}),
    ):
        answer = await client.put(f"memory/user/{slug}", json={**TEA, **change})
        assert answer.status_code == 422, (slug, change)
        assert answer.json()["field"]
    assert problem(await client.delete("memory/user/Tea")) == (422, "invalid")
    assert not ((await home(lab)) / "users").exists()
    with pytest.raises(AssertionError, match="no route"):  # two segments are no name at all
        await client.put(f"memory/user/{quote('../../config', safe='')}", json=TEA)


@pytest.mark.spec("MEMF-17", "TURN-74")
async def test_an_agents_memory_is_read_and_replaced_only_as_it_was_seen(lab: Lab, client: httpx.AsyncClient) -> None:
    root = await home(lab)
    first = (await client.get("agents/default/memory")).json()
    assert first == {"memory": "", "chars": 0, "cap": 8000, "notes": []}
    put(root / "memory" / "2026-01-01.md", "- 08:00 one\n")
    put(root / "memory" / "2026-01-02.md", "- 08:00 two\n")
    put(root / "memory" / "2026-01-02.md.bak", "no day")
    answer = await client.put("agents/default/memory", json={"text": "Trí nhớ\r\n", "expected": sha("")})
    assert answer.json() == {
        "memory": "Trí nhớ\r\n",
        "chars": 9,
        "cap": 8000,
        "notes": [{"day": "2026-01-02", "text": "- 08:00 two\n"}, {"day": "2026-01-01", "text": "- 08:00 one\n"}],
    }
    assert (root / "MEMORY.md").read_bytes() == "Trí nhớ\r\n".encode()
    stale = await client.put("agents/default/memory", json={"text": "mine", "expected": sha("")})
    assert problem(stale) == (409, "stale")
    assert stale.json()["current"] == "Trí nhớ\r\n"
    assert (await client.put("agents/default/memory", json={"text": "mine", "expected": sha("Trí nhớ\r\n")})).json()["memory"] == "mine"
    assert problem(await client.get("agents/nobody/memory")) == (404, "not_found")
    assert problem(await client.put("agents/nobody/memory", json={"text": "", "expected": sha("")})) == (404, "not_found")
    for wrong in ({"text": "x"}, {"text": "x", "expected": "y"}, {"text": "x" * 500_001, "expected": sha("mine")}):
        assert (await client.put("agents/default/memory", json=wrong)).status_code == 422


@pytest.mark.spec("MEMF-17", "MEMF-11", "MEMF-12")
async def test_proposals_are_listed_and_decided(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()
    for name in ("tea", "cake"):
        await call(crew, "user_memory_save", {"name": name, "type": "preference", "text": f"Likes {name}."}, source="job:default/x")
    found = (await client.get("memory/proposals", params={"status": "pending"})).json()["proposals"]
    assert [each["target"] for each in found] == ["cake", "tea"]
    assert set(found[0]) == {
        *("id", "agent_id", "conversation_id", "operation", "target", "before_text", "after_text", "reason", "run_id", "status"),
        *("created_at", "decided_at"),
    }
    cake, tea = found
    put(crew.home.root / "users" / "owner" / "facts" / "tea.md", "by hand")
    stale = await client.post(f"memory/proposals/{tea['id']}", json={"decision": "approve"})
    assert problem(stale) == (409, "stale")
    assert stale.json()["current"] == "by hand"
    forced = await client.post(f"memory/proposals/{tea['id']}", json={"decision": "approve", "force": True})
    assert forced.json()["status"] == "approved"
    assert problem(await client.post(f"memory/proposals/{tea['id']}", json={"decision": "approve"})) == (409, "decided")
    assert (await client.post(f"memory/proposals/{tea['id']}", json={"decision": "revert"})).json()["status"] == "reverted"
    assert (await client.post(f"memory/proposals/{cake['id']}", json={"decision": "reject"})).json()["status"] == "rejected"
    assert (await client.get("memory/proposals", params={"status": "pending"})).json() == {"proposals": []}
    assert len((await client.get("memory/proposals")).json()["proposals"]) == 2
    assert problem(await client.get("memory/proposals", params={"status": "odd"})) == (422, "invalid")
    assert problem(await client.post(f"memory/proposals/{cake['id']}", json={"decision": "burn"})) == (422, "invalid")
    assert problem(await client.post("memory/proposals/mp_none", json={"decision": "approve"})) == (404, "not_found")


@pytest.mark.spec("TURN-79", "TOOL-49")
async def test_the_prompt_route_carries_the_block_of_day_notes(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()
    empty = (await client.get("agents/default/prompt")).json()
    assert (empty["opening"], empty["opening_chars"]) == ("", 0)
    await call(crew, "memory_save", {"text": "only here"})
    shown = (await client.get("agents/default/prompt")).json()
    assert "only here" in shown["opening"]
    assert "only here" not in shown["prompt"]
    assert shown["opening_chars"] == len(shown["opening"])


@pytest.mark.spec("KIT-23", "TURN-14")
async def test_a_person_switches_a_skill_on_for_one_conversation(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()
    put(crew.home.root / "skills" / "s" / "SKILL.md", "---\nname: sails\n---\nHoist the main.")
    conversation = (await client.post("conversations", json={})).json()["id"]
    patched = await client.patch(f"conversations/{conversation}", json={"skills": ["sails"]})
    assert patched.json()["skills"] == ["sails"]
    stored = crew.store.conversations.get(conversation)
    agent = crew.roster.master
    assert "Hoist the main." in (crew.remembering.sections.skills(agent, crew.toolbox.of(agent), stored) or "")


@pytest.mark.spec("KIT-26", "AGT-33")
async def test_a_skill_that_was_left_out_is_a_warning_of_its_agent(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()
    put(crew.home.root / "skills" / "broken" / "SKILL.md", "no head")
    warnings = (await client.get("agents/default")).json()["warnings"]
    assert [warning for warning in warnings if "skills/broken/SKILL.md" in warning and "has no name" in warning]

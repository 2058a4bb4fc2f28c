"""Questions and late decisions over HTTP, answered by several clients at once."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from tests.fixtures.server import Lab

QUESTION = {"question": "Which port?", "options": ["Hamburg", {"label": "Bremen", "suggested": True}], "default": "Bremen"}
CLIENTS = 3
REQUESTS = 15


async def asking(client: httpx.AsyncClient, **more: Any) -> tuple[str, dict[str, Any]]:
    """A conversation that waits for an answer, and its question."""
    answer = (await client.post("inbound", json={"text": f"/tool ask_user {json.dumps({**QUESTION, **more})}"})).json()
    assert answer["status"] == "waiting"
    found = (await client.get("approvals", params={"conversation_id": answer["conversation_id"]})).json()["approvals"]
    return answer["conversation_id"], found[0]


async def result(lab: Lab, client: httpx.AsyncClient, id: str) -> str:
    await (await lab.crew()).host.wait(id)
    messages = (await client.get(f"conversations/{id}")).json()["messages"]
    return str(next(message["content"] for message in messages if message["role"] == "tool"))


@pytest.mark.spec("GATE-72", "ASKU-9", "ASKU-10", "GATE-115")
@pytest.mark.parametrize(
    ("body", "read"),
    [
        ({"answer": "Hamburg"}, "answer=chosen\nHamburg"),
        ({"answer": "2"}, "answer=chosen\nBremen"),
        ({"answer": "by rail"}, "answer=text\nby rail"),
        ({"answer": {"labels": ["Hamburg"], "text": ""}}, "answer=chosen\nHamburg"),
        ({"answer": {"labels": ["Hamburg"], "text": "by rail"}}, "answer=both\nHamburg\nby rail"),
        ({"answer": {"text": "by rail"}}, "answer=text\nby rail"),
        ({"answer": "1", "always": True}, "answer=chosen\nHamburg"),
    ],
)
async def test_a_question_is_answered(lab: Lab, client: httpx.AsyncClient, body: dict[str, Any], read: str) -> None:
    id, asked = await asking(client)
    assert (asked["kind"], asked["question"], asked["default"]) == ("question", "Which port?", "Bremen")
    closed = (await client.post(f"approvals/{asked['id']}", json=body)).json()
    assert (closed["status"], closed["always"], closed["skipped"]) == ("answered", False, False)
    assert await result(lab, client, id) == read
    assert (await client.get(f"conversations/{id}")).json()["auto_approve"] == []


@pytest.mark.spec("GATE-88", "ASKU-9")
async def test_a_question_is_skipped(lab: Lab, client: httpx.AsyncClient) -> None:
    id, asked = await asking(client)
    closed = (await client.post(f"approvals/{asked['id']}", json={"skip": True})).json()
    assert (closed["status"], closed["answer"], closed["skipped"]) == ("answered", "", True)
    assert (await result(lab, client, id)).startswith("answer=skipped\n")


@pytest.mark.spec("GATE-47", "GATE-72", "ASKU-9")
@pytest.mark.parametrize(
    "body",
    [
        {"decision": "approve"},
        {"decision": "deny"},
        {"answer": ""},
        {"answer": "  "},
        {"answer": None},
        {"answer": 1},
        {"answer": ["Hamburg"]},
        {"answer": {}},
        {"answer": {"labels": ["Kiel"]}},
        {"answer": {"labels": "Hamburg"}},
        {"answer": {"labels": ["Hamburg", "Bremen"]}},
        {"answer": {"labels": ["Hamburg"], "colour": "red"}},
        {"skip": False},
        {"skip": "yes"},
        {"answer": "1", "skip": True},
        {"answer": "1", "decision": "approve"},
        {"always": True},
        {},
    ],
)
async def test_what_is_no_answer_is_refused_and_the_question_stays_open(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    _, asked = await asking(client)
    answer = await client.post(f"approvals/{asked['id']}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert answer.json()["message"]
    assert (await client.get(f"approvals/{asked['id']}")).json() == asked


@pytest.mark.spec("GATE-47")
async def test_an_answer_to_a_tool_and_to_nothing_is_refused(client: httpx.AsyncClient) -> None:
    text = '/tool workspace_write {"path": "a.txt", "content": "b"}'
    id = (await client.post("inbound", json={"text": text})).json()["conversation_id"]
    tool = (await client.get("approvals", params={"conversation_id": id})).json()["approvals"][0]
    for body in ({"answer": "yes"}, {"skip": True}):
        assert (await client.post(f"approvals/{tool['id']}", json=body)).status_code == 422
        assert (await client.post("approvals/ap_none", json=body)).status_code == 404
    assert (await client.get(f"approvals/{tool['id']}")).json()["status"] == "pending"


@pytest.mark.spec("FA-8", "TURN-52", "GATE-47")
async def test_three_clients_answer_many_requests_at_once_and_the_late_ones_are_told(lab: Lab, client: httpx.AsyncClient) -> None:
    asked = [(await asking(client))[1] for _ in range(REQUESTS)]
    bodies: list[dict[str, Any]] = [{"answer": "1"}, {"skip": True}, {"answer": "by rail"}]

    async def surface(body: dict[str, Any]) -> list[httpx.Response]:
        async with lab.client() as own:
            return [await own.post(f"approvals/{one['id']}", json=body) for one in asked]

    answers = [one for each in await asyncio.gather(*(surface(body) for body in bodies)) for one in each]
    assert sum(one.status_code == 200 for one in answers) == REQUESTS
    for late in (one.json() for one in answers if one.status_code != 200):
        assert (late["code"], late["status"]) == ("not_pending", "answered")
        assert late["message"].startswith("Too late")
        assert late["decided_at"]
    for one in asked:
        await (await lab.crew()).host.wait(one["conversation_id"])
        assert (await client.get(f"activity/runs/{one['run_id']}")).json()["status"] == "done"

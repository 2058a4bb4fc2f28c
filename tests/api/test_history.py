"""Search, forks, exports and prompts over HTTP, on a real server."""

import asyncio
from urllib.parse import quote

import httpx
import pytest

from crewlab.engine.store import search
from tests.fixtures.server import Lab
from tests.fixtures.shapes import document

LIST = '/tool workspace_list {"path": "."}'


async def said(client: httpx.AsyncClient, text: str, id: str | None = None) -> tuple[str, str]:
    """Send and wait for the answer; the ids of the conversation and of the run."""
    answer = (await client.post("inbound", json={"text": text, **({"conversation_id": id} if id else {})})).json()
    assert answer["status"] == "done"
    return answer["conversation_id"], answer["run_id"]


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.spec("FTS-9", "TURN-14")
async def test_search_finds_what_was_said_in_the_whole_crew(client: httpx.AsyncClient) -> None:
    id, _ = await said(client, "Hãy đọc Đường này")
    found = (await client.get("messages/search", params={"q": "duong"})).json()["results"]
    assert [hit["role"] for hit in found] == ["assistant", "user"]  # equal rank: the newer first
    assert found[1] == {
        "conversation_id": id,
        "agent_id": "default",
        "agent_name": (await client.get("agents/default")).json()["name"],
        "title": "Hãy đọc Đường này",
        "message_id": (await client.get(f"conversations/{id}")).json()["messages"][0]["id"],
        "role": "user",
        "snippet": "Hãy đọc \u0002Đường\u0003 này",
        "created_at": found[1]["created_at"],
    }
    assert len((await client.get("messages/search", params={"q": "duong", "limit": 1})).json()["results"]) == 1


@pytest.mark.spec("FTS-9", "FTS-5", "TURN-14")
async def test_a_search_without_words_is_empty_and_one_too_long_is_refused(client: httpx.AsyncClient) -> None:
    await said(client, "hello")
    for empty in ({}, {"q": ""}, {"q": "   "}, {"q": '" OR ('}, {"q": "\0"}):
        answer = await client.get("messages/search", params=empty)
        assert (answer.status_code, answer.json()["results"]) == (200, [])
    assert (await client.get("messages/search", params={"q": "x" * 200})).status_code == 200
    for wrong in ({"q": "x" * 201}, {"q": "x", "limit": 0}, {"q": "x", "limit": 51}):
        assert problem(await client.get("messages/search", params=wrong)) == (422, "invalid")


@pytest.mark.spec("DB-5")
async def test_a_long_search_does_not_hold_up_other_requests(lab: Lab, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    await said(client, "hello")
    crew = await lab.crew()
    loop = asyncio.get_running_loop()
    begun, go_on = asyncio.Event(), asyncio.Event()
    find = search.find

    def slow(view: object, *rest: object) -> object:
        assert view is not crew.store.db
        loop.call_soon_threadsafe(begun.set)
        asyncio.run_coroutine_threadsafe(go_on.wait(), loop).result(10)
        return find(view, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(search, "find", slow)
    searching = asyncio.create_task(client.get("messages/search", params={"q": "hello"}))
    await begun.wait()
    id, _ = await said(client, "meanwhile")
    assert id
    go_on.set()
    assert len((await searching).json()["results"]) == 2


@pytest.mark.spec("FRK-1", "FRK-2", "TURN-14")
async def test_a_fork_is_a_conversation_of_its_own(client: httpx.AsyncClient) -> None:
    id, _ = await said(client, "first")
    await said(client, "second", id)
    messages = (await client.get(f"conversations/{id}")).json()["messages"]
    cut = [message for message in messages if message["role"] == "user"][1]["id"]
    answer = await client.post(f"conversations/{id}/fork", json={"before_message_id": cut})
    assert answer.status_code == 201
    fork = answer.json()
    assert (fork["title"], fork["forked_from"]) == ("first (branch)", {"id": id, "title": "first"})
    assert [message["content"] for message in fork["messages"]] == ["first", "first"]
    listed = (await client.get("conversations")).json()["conversations"]
    assert [one["id"] for one in listed] == [fork["id"], id]
    for wrong in (messages[1]["id"], 0, fork["messages"][0]["id"]):
        assert problem(await client.post(f"conversations/{id}/fork", json={"before_message_id": wrong})) == (422, "bad_cut")
    for body in ({}, {"before_message_id": "1"}, {"before_message_id": cut, "more": 1}):
        assert problem(await client.post(f"conversations/{id}/fork", json=body)) == (422, "invalid")
    assert problem(await client.post("conversations/c_none/fork", json={"before_message_id": cut})) == (404, "not_found")


@pytest.mark.spec("FRK-3")
async def test_a_delegated_conversation_is_not_forked(lab: Lab, client: httpx.AsyncClient) -> None:
    id, _ = await said(client, "first")
    db = (await lab.crew()).store.db
    db.write("UPDATE conversations SET parent_call_id = 'call' WHERE id = ?", (id,))
    db.forget()
    first = (await client.get(f"conversations/{id}")).json()["messages"][0]["id"]
    assert problem(await client.post(f"conversations/{id}/fork", json={"before_message_id": first})) == (409, "child_conversation")


@pytest.mark.spec("TURN-100", "TURN-106", "TURN-108", "TURN-14")
async def test_a_run_is_exported_as_a_file(client: httpx.AsyncClient) -> None:
    _, run_id = await said(client, LIST)
    answer = await client.get(f"activity/runs/{run_id}/export")
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-disposition"] == f"attachment; filename=\"run-{run_id}.json\"; filename*=UTF-8''run-{run_id}.json"
    assert answer.json()["run"]["id"] == run_id
    text = await client.get(f"activity/runs/{run_id}/export", params={"format": "md", "full": "1"})
    assert text.headers["content-type"].startswith("text/markdown")
    assert f'filename="run-{run_id}.md"' in text.headers["content-disposition"]
    assert "Read this through" in text.text
    for wrong in ({"format": "ipynb"}, {"format": "csv"}, {"full": "perhaps"}):
        assert problem(await client.get(f"activity/runs/{run_id}/export", params=wrong)) == (422, "invalid")
    assert problem(await client.get("activity/runs/r_none/export")) == (404, "not_found")


@pytest.mark.spec("TURN-108")
@pytest.mark.parametrize("path", ["activity/runs/{run}/export", "conversations/{id}/export", "messages/search", "agents/default/prompt"])
async def test_nothing_is_given_to_one_without_a_token(lab: Lab, client: httpx.AsyncClient, path: str) -> None:
    id, run = await said(client, "hello")
    async with lab.client(headers={}) as nobody:
        assert (await nobody.get(path.format(id=id, run=run))).status_code == 403


@pytest.mark.spec("TURN-109", "TURN-104", "TURN-10")
async def test_a_conversation_is_exported_under_its_title_without_the_token_of_the_server(lab: Lab, client: httpx.AsyncClient) -> None:
    id, run_id = await said(client, f"my token is {lab.token}")
    await client.patch(f"conversations/{id}", json={"title": "Kế hoạch"})
    answer = await client.get(f"conversations/{id}/export")
    assert answer.headers["content-disposition"] == f"attachment; filename=\"K_ ho_ch.md\"; filename*=UTF-8''{quote('Kế hoạch.md')}"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.text.startswith("# Kế hoạch\n")
    assert "my token is [masked]" in answer.text
    run = await client.get(f"activity/runs/{run_id}/export", params={"full": "1"})
    assert lab.token not in answer.text + run.text
    assert problem(await client.get("conversations/c_none/export")) == (404, "not_found")


@pytest.mark.spec("TURN-79", "TURN-14", "TOOL-49")
async def test_the_prompt_of_an_agent_is_shown_whole(client: httpx.AsyncClient) -> None:
    found = (await client.get("agents/default/prompt")).json()
    assert found["prompt_chars"] == len(found["prompt"])
    assert (found["opening"], found["opening_chars"]) == ("", 0)
    assert "workspace_read" in found["prompt"]
    assert problem(await client.get("agents/nobody/prompt")) == (404, "not_found")


def test_the_schema_names_every_file_answer() -> None:
    paths = document("openapi.json")["paths"]
    content = paths["/crewlab/api/activity/runs/{run_id}/export"]["get"]["responses"]["200"]["content"]
    assert sorted(content) == ["application/json", "text/markdown"]

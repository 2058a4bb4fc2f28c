"""Every route over HTTP, on a real server with a real crew; shapes are checked against ``openapi.json`` by the client."""

import asyncio
import gzip
import json
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from crewlab import __version__
from crewlab.engine.crew import Crew
from crewlab.server_ext.calling import MAX_BODY_BYTES
from tests.fixtures.server import BASE_URL, Lab, jupyter

WRITE = '/tool workspace_write {"path": "note.txt", "content": "hello"}'
SECRETS = {"OPENROUTER_API_KEY": "sk-or-v1-0123456789abcdef", "OPENAI_BASE_URL": "http://person:pass-0815@llm.example/v1"}


async def opened(client: httpx.AsyncClient, **body: object) -> str:
    answer = await client.post("conversations", json=body)
    assert answer.status_code == 201
    return str(answer.json()["id"])


async def waiting(client: httpx.AsyncClient) -> tuple[str, dict[str, Any]]:
    """A conversation that waits for a person, and its request."""
    answer = await client.post("inbound", json={"text": WRITE})
    assert answer.json()["status"] == "waiting"
    id = answer.json()["conversation_id"]
    return id, (await client.get("approvals", params={"conversation_id": id})).json()["approvals"][0]


def problem(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


@pytest.mark.spec("TURN-14", "UI-127")
async def test_the_version_names_the_package_and_the_build(
    client: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")  # what the person has goes before what this environment has
    answer = (await client.get("version")).json()
    assert re.fullmatch(r"(remoteEntry\.[0-9a-f]+\.js)?", answer.pop("entry"))  # that of this environment, if crewlab is installed in it
    assert answer == {"version": __version__, "language": None}
    built = tmp_path / "jupyter-data" / "labextensions" / "@crewlab" / "labextension"
    built.mkdir(parents=True)
    (built / "package.json").write_text(json.dumps({"jupyterlab": {"_build": {"load": "static/remoteEntry.0123456789abcdef.js"}}}))
    assert (await client.get("version")).json()["entry"] == "remoteEntry.0123456789abcdef.js"
    (built / "package.json").write_text(json.dumps({"jupyterlab": {"_build": {"load": "static/remoteEntry.js"}}}))
    assert (await client.get("version")).json()["entry"] == ""


@pytest.mark.spec("UI-6")
async def test_the_version_names_the_language_that_the_home_sets(tmp_path: Path) -> None:
    async with jupyter(tmp_path, config="language: vi\nroutes: [fake:echo]\n") as lab, lab.client() as client:
        assert (await client.get("version")).json()["language"] == "vi"
        assert "crewlab không có đường" in (await client.get("no/such")).json()["message"]


@pytest.mark.spec("TURN-14", "TURN-15")
async def test_conversations_are_opened_listed_read_and_paged(client: httpx.AsyncClient) -> None:
    ids = [await opened(client, title=f"  Number {number} ") for number in range(3)]
    listed = (await client.get("conversations", params={"limit": 2})).json()
    assert [item["id"] for item in listed["conversations"]] == [ids[2], ids[1]]
    assert listed["more"] is True
    rest = (await client.get("conversations", params={"before": listed["conversations"][-1]["updated_at"], "agent": "default"})).json()
    assert [item["id"] for item in rest["conversations"]] == [ids[0]]
    assert rest["more"] is False
    detail = (await client.get(f"conversations/{ids[0]}")).json()
    assert (detail["title"], detail["messages"], detail["running"]) == ("Number 0", [], False)


@pytest.mark.spec("TURN-14", "TURN-19", "GATE-72")
async def test_a_conversation_is_changed_field_by_field(client: httpx.AsyncClient) -> None:
    id = await opened(client, title="old")
    changed = (await client.patch(f"conversations/{id}", json={"title": "new", "cost_cap_usd": 0, "autonomous": True})).json()
    assert (changed["title"], changed["cost_cap_usd"], changed["autonomous"]) == ("new", 0, True)
    assert (await client.patch(f"conversations/{id}", json={})).json()["title"] == "new"


@pytest.mark.spec("TURN-8", "TURN-14", "GATE-72")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"cost_cap_usd": -1}, "cost_cap_usd"),
        ({"cost_cap_usd": "5"}, "cost_cap_usd"),
        ({"autonomous": "yes"}, "autonomous"),
        ({"autonomous": 1}, "autonomous"),
        ({"title": ""}, "title"),
        ({"title": None}, "title"),
        ({"auto_approve": ["shell_run"]}, "auto_approve"),
        ({"auto_approve": "shell_run"}, "auto_approve"),
        ({"spent_usd": 0}, "spent_usd"),
    ],
)
async def test_a_bad_change_is_refused_with_the_name_of_the_field(client: httpx.AsyncClient, body: dict[str, Any], field: str) -> None:
    id = await opened(client)
    before = (await client.get(f"conversations/{id}")).json()
    answer = await client.patch(f"conversations/{id}", json=body)
    assert problem(answer) == (422, "invalid")
    assert answer.json()["field"] == field
    assert (await client.get(f"conversations/{id}")).json() == before


@pytest.mark.spec("TURN-20")
async def test_a_deleted_conversation_is_gone(client: httpx.AsyncClient) -> None:
    id = await opened(client)
    answer = await client.delete(f"conversations/{id}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert problem(await client.get(f"conversations/{id}")) == (404, "not_found")


@pytest.mark.spec("TURN-8", "TURN-14")
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "conversations/c_none", None),
        ("PATCH", "conversations/c_none", {"title": "x"}),
        ("DELETE", "conversations/c_none", None),
        ("POST", "conversations/c_none/messages", {"text": "x"}),
        ("GET", "conversations/c_none/turn", None),
        ("POST", "conversations/c_none/stop", None),
        ("GET", "conversations?agent=nobody", None),
        ("POST", "conversations", {"agent": "nobody"}),
        ("POST", "inbound", {"text": "x", "agent": "nobody"}),
        ("POST", "inbound", {"text": "x", "conversation_id": "c_none"}),
        ("GET", "approvals/a_none", None),
        ("POST", "approvals/a_none", {"decision": "approve"}),
        ("GET", "activity/runs/run_none", None),
        ("GET", "activity/runs?agent_id=nobody", None),
        ("GET", "agents/nobody", None),
        ("GET", "stream?topic=conversation:c_none", None),
        ("GET", "stream?topic=nothing", None),
        ("GET", "no/such/route", None),
        ("GET", "conversations/", None),
        ("GET", "conversations/a%2Fb", None),
        ("GET", "", None),
        ("GET", "..%2Fversion", None),
    ],
)
async def test_what_does_not_exist_is_a_404_with_a_message(client: httpx.AsyncClient, method: str, path: str, body: object) -> None:
    answer = await client.request(method, path, json=body)
    assert problem(answer) == (404, "not_found")
    assert answer.json()["message"]


@pytest.mark.spec("TURN-8", "WIRE-15")
async def test_everything_below_crewlab_answers_json(lab: Lab) -> None:
    root = f"http://{lab.host}{BASE_URL}"
    async with httpx.AsyncClient(headers=lab.auth) as client:
        for path in ("crewlab", "crewlab/", "crewlab/static/x.js", "crewlab/api"):
            answer = await client.get(root + path)
            assert problem(answer) == (404, "not_found"), path


@pytest.mark.spec("TURN-8", "WIRE-15")
@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "version", "GET"),
        ("DELETE", "conversations", "GET, POST"),
        ("PUT", "conversations/c_1", "DELETE, GET, PATCH"),
        ("OPTIONS", "conversations", "GET, POST"),
    ],
)
async def test_a_wrong_method_is_told_the_right_ones(client: httpx.AsyncClient, method: str, path: str, allowed: str) -> None:
    answer = await client.request(method, path)
    assert answer.status_code == 405
    assert answer.json()["code"] == "bad_request"
    assert allowed in answer.json()["message"]


@pytest.mark.spec("TURN-8")
@pytest.mark.parametrize("query", ["limit=0", "limit=201", "limit=x", "limit=-1", "limit=1e9"])
@pytest.mark.parametrize("path", ["conversations", "activity/runs", "approvals"])
async def test_a_limit_out_of_range_is_refused(client: httpx.AsyncClient, path: str, query: str) -> None:
    answer = await client.get(f"{path}?{query}")
    assert (problem(answer), answer.json()["field"]) == ((422, "invalid"), "limit")


@pytest.mark.spec("TURN-8", "WIRE-15")
@pytest.mark.parametrize("content", [b"{", b"[]", b'"text"', b"null", b"\xff\xfe", b'{"a":1} x', b"NaN"])
async def test_a_body_that_is_no_json_object_is_a_bad_request(client: httpx.AsyncClient, content: bytes) -> None:
    assert problem(await client.post("conversations", content=content)) == (400, "bad_request")


@pytest.mark.spec("TURN-8")
@pytest.mark.parametrize("path", ["conversations?agent=%ff", "stream?topic=%ff"])
async def test_an_argument_that_is_no_text_is_a_bad_request(client: httpx.AsyncClient, path: str) -> None:
    assert problem(await client.get(path)) == (400, "bad_request")


@pytest.mark.spec("WIRE-15")
async def test_arguments_that_a_route_does_not_know_are_not_judged(lab: Lab, client: httpx.AsyncClient) -> None:
    assert (await client.get("conversations", params={"1700000000": "", "_": "1", "token": lab.token})).status_code == 200


@pytest.mark.spec("TURN-8", "WIRE-15")
async def test_a_body_that_is_too_large_is_refused(client: httpx.AsyncClient) -> None:
    answer = await client.post("conversations", content=b'{"title":"' + b"x" * MAX_BODY_BYTES + b'"}')
    assert problem(answer) == (413, "too_large")


@pytest.mark.spec("TURN-8", "TURN-10")
async def test_an_unexpected_failure_is_a_reference_and_no_stack_trace(
    lab: Lab, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the inside says sk-secret-4711")

    crew = await lab.crew()
    monkeypatch.setattr(crew.conversations, "list", fail)
    async with httpx.AsyncClient(base_url=lab.url) as anonymous:
        answer = await anonymous.get("conversations", params={"token": lab.token})
    assert problem(answer) == (500, "internal")
    assert "sk-secret" not in answer.text
    assert "Traceback" not in answer.text
    reference = next(word for word in answer.json()["message"].replace(".", " ").split() if word.startswith("e_"))
    logged = [line for line in lab.log if reference in line]
    assert "RuntimeError" in logged[0]
    assert lab.token not in "\n".join(lab.log)


@pytest.mark.spec("TURN-9")
async def test_a_large_answer_is_compressed_whole(lab: Lab) -> None:
    async with httpx.AsyncClient(base_url=lab.url, headers={**lab.auth, "Accept-Encoding": "gzip"}, timeout=10) as client:
        id = (await client.post("inbound", json={"text": "ễ" * 99_000})).json()["conversation_id"]
        answer = await client.get(f"conversations/{id}")
    assert answer.headers["content-encoding"] == "gzip"
    assert [message["content"] for message in answer.json()["messages"]] == ["ễ" * 99_000] * 2


@pytest.mark.spec("TURN-9")
async def test_answers_over_1_kb_are_compressed_when_the_client_takes_it(lab: Lab) -> None:
    async with httpx.AsyncClient(base_url=lab.url, headers=lab.auth) as client:
        id = (await client.post("inbound", json={"text": "hello " * 300})).json()["conversation_id"]
        zipped = await client.get(f"conversations/{id}", headers={"Accept-Encoding": "gzip, deflate"})
        plain = await client.get(f"conversations/{id}", headers={"Accept-Encoding": "identity"})
        short = await client.get("version", headers={"Accept-Encoding": "gzip"})
    assert zipped.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in short.headers
    assert zipped.json() == plain.json()
    assert int(zipped.headers["content-length"]) == len(gzip.compress(plain.content, 5, mtime=0)) < len(plain.content)
    assert {answer.headers["cache-control"] for answer in (zipped, plain, short)} == {"no-store"}


@pytest.mark.spec("TURN-11", "TURN-14", "TURN-45", "TURN-47", "UI-7", "WIRE-12")
async def test_a_message_is_answered_as_soon_as_it_is_stored(client: httpx.AsyncClient) -> None:
    id = await opened(client)
    sent = (await client.post(f"conversations/{id}/messages", json={"text": "hello", "request_id": "r-1", "timezone": "Asia/Tokyo"})).json()
    assert (sent["status"], sent["queued"], sent["running"]) == ("started", None, True)
    again = (await client.post(f"conversations/{id}/messages", json={"text": "other", "request_id": "r-1"})).json()
    assert (again["status"], again["message_id"]) == ("known", sent["message_id"])
    run = (await client.get(f"activity/runs/{sent['run_id']}")).json()
    assert (run["source"], run["timezone"]) == ("chat", "Asia/Tokyo")


@pytest.mark.spec("UI-148", "TURN-13")
async def test_a_message_from_a_notebook_says_so_and_no_other_source_is_taken(client: httpx.AsyncClient) -> None:
    id = await opened(client)
    sent = await client.post(f"conversations/{id}/messages", json={"text": "x"}, headers={"X-Crewlab-Source": "notebook"})
    assert (await client.get(f"activity/runs/{sent.json()['run_id']}")).json()["source"] == "notebook"
    refused = await client.post(f"conversations/{id}/messages", json={"text": "x"}, headers={"X-Crewlab-Source": "telegram"})
    assert (problem(refused), refused.json()["field"]) == ((422, "invalid"), "x_crewlab_source")


@pytest.mark.spec("TURN-18", "TURN-8")
@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "invalid"),
        ({"text": None}, "invalid"),
        ({"text": 5}, "invalid"),
        ({"text": ""}, "invalid"),
        ({"text": " \n\t "}, "invalid"),
        ({"text": "x" * 100_001}, "text_too_long"),
        ({"text": "/steer"}, "empty_steer"),
        ({"text": "x", "request_id": "no spaces"}, "bad_request_id"),
        ({"text": "x", "request_id": ""}, "bad_request_id"),
        ({"text": "x", "colour": "red"}, "invalid"),
    ],
)
async def test_a_message_that_cannot_be_is_refused_and_not_stored(client: httpx.AsyncClient, body: dict[str, Any], code: str) -> None:
    id = await opened(client)
    assert problem(await client.post(f"conversations/{id}/messages", json=body)) == (422, code)
    assert (await client.get(f"conversations/{id}")).json()["messages"] == []


@pytest.mark.spec("TURN-18")
async def test_a_message_of_100000_characters_is_taken(client: httpx.AsyncClient) -> None:
    id = await opened(client)
    assert (await client.post(f"conversations/{id}/messages", json={"text": "ễ" * 100_000})).status_code == 200


@pytest.mark.spec("TURN-17", "CHN-31", "CHN-33", "QUE-3")
async def test_inbound_answers_when_the_turn_has_ended(client: httpx.AsyncClient) -> None:
    first = (await client.post("inbound", json={"text": "hello"})).json()
    assert (first["text"], first["status"], first["queued"]) == ("hello", "done", None)
    second = (await client.post("inbound", json={"text": "more", "conversation_id": first["conversation_id"], "source": "my-bot"})).json()
    assert second["conversation_id"] == first["conversation_id"]
    runs = (await client.get("activity/runs", params={"conversation_id": first["conversation_id"]})).json()["runs"]
    assert [run["source"] for run in runs] == ["inbound:my-bot", "inbound"]
    assert problem(await client.post("inbound", json={"text": "x", "source": "chat room"})) == (422, "invalid")
    paused = await client.post("inbound", json={"text": WRITE})
    assert (paused.status_code, paused.json()["status"]) == (200, "waiting")
    refused = await client.post("inbound", json={"text": "x", "conversation_id": paused.json()["conversation_id"]})
    assert problem(refused) == (409, "approval_pending")


@pytest.mark.spec("TURN-17", "QUE-2", "QUE-6", "QUE-19", "QUE-22", "WIRE-12")
async def test_inbound_to_a_busy_conversation_is_202_with_its_place(tmp_path: Path) -> None:
    async with jupyter(tmp_path, config="routes: [fake:slow]\n") as lab, lab.client() as client:
        id = await opened(client)
        await client.post(f"conversations/{id}/messages", json={"text": "/slow 1000 60"})
        answer = await client.post("inbound", json={"text": "more", "conversation_id": id})
        assert answer.status_code == 202
        assert answer.json()["status"] == "queued"
        assert (answer.json()["queued"]["kind"], answer.json()["queued"]["position"]) == ("follow_up", 1)
        sent = (await client.post(f"conversations/{id}/messages", json={"text": "/steer now"})).json()
        assert (sent["status"], sent["queued"]["kind"], sent["queued"]["position"]) == ("queued", "steer", 2)
        for number in range(18):
            await client.post(f"conversations/{id}/messages", json={"text": f"{number}"})
        assert problem(await client.post(f"conversations/{id}/messages", json={"text": "one more"})) == (429, "queue_full")
        stopped = (await client.post(f"conversations/{id}/stop")).json()
        assert stopped["cancelled"] is True
        assert stopped["cleared"][0] == "more"
        assert len(stopped["cleared"]) == 20
        assert (await client.post(f"conversations/{id}/stop")).json() == {"cleared": [], "cancelled": False, "attachments": []}


@pytest.mark.spec("GATE-72", "GATE-73", "GATE-74")
async def test_a_request_is_read_decided_and_decided_only_once(lab: Lab, client: httpx.AsyncClient) -> None:
    id, approval = await waiting(client)
    assert (await client.get(f"approvals/{approval['id']}")).json() == approval
    assert approval["arguments"] == {"path": "note.txt", "content": "hello"}
    decided = (await client.post(f"approvals/{approval['id']}", json={"decision": "approve", "always": True})).json()
    assert (decided["status"], decided["always"]) == ("approved", True)
    assert problem(await client.post(f"approvals/{approval['id']}", json={"decision": "deny"})) == (409, "not_pending")
    await (await lab.crew()).host.wait(id)
    assert (lab.home / "workspace" / "note.txt").read_text() == "hello"
    assert (await client.get(f"conversations/{id}")).json()["auto_approve"] == ["workspace_write"]
    shrunk = await client.patch(f"conversations/{id}", json={"auto_approve": []})
    assert shrunk.json()["auto_approve"] == []


@pytest.mark.spec("GATE-72")
async def test_requests_are_listed_pending_first_and_filtered(lab: Lab, client: httpx.AsyncClient) -> None:
    crew: Crew = await lab.crew()
    denied_in, denied = await waiting(client)
    await client.post(f"approvals/{denied['id']}", json={"decision": "deny"})
    await crew.host.wait(denied_in)
    pending_in, pending = await waiting(client)
    everything = (await client.get("approvals")).json()["approvals"]
    assert [(item["id"], item["status"]) for item in everything] == [(pending["id"], "pending"), (denied["id"], "denied")]
    for query, expected in [
        ({"status": "denied"}, [denied["id"]]),
        ({"conversation_id": pending_in}, [pending["id"]]),
        ({"agent_id": "default", "limit": 1}, [pending["id"]]),
    ]:
        found = (await client.get("approvals", params=query)).json()["approvals"]
        assert [item["id"] for item in found] == expected
    assert problem(await client.get("approvals", params={"status": "open"})) == (422, "invalid")
    assert not (lab.home / "workspace" / "note.txt").exists()


@pytest.mark.spec("GATE-72")
@pytest.mark.parametrize(
    "body",
    [{}, {"decision": "yes"}, {"decision": "approve", "always": "true"}, {"decision": None}, {"decision": "approve", "x": 1}],
)
async def test_a_decision_of_the_wrong_shape_is_refused_and_decides_nothing(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    _, approval = await waiting(client)
    assert problem(await client.post(f"approvals/{approval['id']}", json=body)) == (422, "invalid")
    assert (await client.get(f"approvals/{approval['id']}")).json()["status"] == "pending"


@pytest.mark.spec("TURN-14")
async def test_runs_are_listed_paged_and_read_with_their_steps(client: httpx.AsyncClient) -> None:
    ids = [(await client.post("inbound", json={"text": str(number)})).json()["run_id"] for number in range(3)]
    page = (await client.get("activity/runs", params={"limit": 2, "agent_id": "default"})).json()
    assert [run["id"] for run in page["runs"]] == [ids[2], ids[1]]
    assert page["more"] is True
    rest = (await client.get("activity/runs", params={"before": page["runs"][-1]["started_at"]})).json()
    assert [run["id"] for run in rest["runs"]] == [ids[0]]
    run = (await client.get(f"activity/runs/{ids[0]}")).json()
    assert (run["status"], [step["kind"] for step in run["steps"]]) == ("done", ["model"])


@pytest.mark.spec("AGT-32", "AGT-33")
async def test_agents_are_read_with_effective_and_declared_values(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "agents" / "writer"
    folder.mkdir(parents=True)
    (folder / "agent.yaml").write_text("name: Writer\nmode: work\nroutes: ['fake:echo?reasoning=low']\ntools: [workspace_read]\n")
    async with jupyter(tmp_path) as lab, lab.client() as client:
        agents = (await client.get("agents")).json()["agents"]
        assert [(agent["id"], agent["master"], agent["origin"]) for agent in agents] == [
            ("default", True, "default"),
            ("writer", False, "profile"),
        ]
        writer = (await client.get("agents/writer")).json()
        assert writer == agents[1]
        assert (writer["mode"], writer["autonomous"], writer["max_steps"]) == ("work", True, 40)
        assert writer["declared"] == {"name": "Writer", "mode": "work", "routes": ["fake:echo?reasoning=low"], "tools": ["workspace_read"]}
        assert writer["tools"] == ["workspace_read", "tool_script"]
        assert agents[0]["declared"] == {"tools": None}
        assert agents[0]["routes"] is None
        assert agents[0]["live"] is False


@pytest.mark.spec("CHN-40", "CHN-41", "TURN-10")
async def test_connections_say_what_is_there_and_never_a_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SECRETS.items():
        monkeypatch.setenv(name, value)
    saved = tmp_path / "home" / "secrets" / "secrets.env"
    saved.parent.mkdir(parents=True)
    saved.write_text("ANTHROPIC_API_KEY=sk-ant-saved-0123456789\nTAVILY_API_KEY=\n")
    async with jupyter(tmp_path, config="routes: [fake:echo, openrouter:some/model, openai:gpt]\n") as lab, lab.client() as client:
        answer = await client.get("connections")
        body = answer.json()
        present = {key["name"] for key in body["keys"] if key["present"]}
        assert present == {"OPENROUTER_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY"}
        assert {(item["name"], item["ready"]) for item in body["providers"]} == {("fake", True), ("openrouter", True), ("openai", False)}
        assert body["routes"] == ["fake:echo", "openrouter:some/model", "openai:gpt"]
        assert body["answering"] == {"route": "fake:echo", "small": False, "mend": ""}
        assert body["telegram"] == []
        for path in ("connections", "agents", "version", "conversations", "activity/runs"):
            text = (await client.get(path)).text
            for secret in (*SECRETS.values(), "sk-ant-saved-0123456789", lab.token, "pass-0815"):
                assert secret not in text
    for secret in (*SECRETS.values(), "sk-ant-saved-0123456789", "pass-0815"):
        assert secret not in "\n".join(lab.log)


async def test_requests_at_once_are_answered_each_with_its_own(client: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(client.post("inbound", json={"text": f"number {number}"}) for number in range(12)))
    assert [answer.json()["text"] for answer in answers] == [f"number {number}" for number in range(12)]


@pytest.mark.spec("COST-20", "TURN-14")
async def test_the_usage_ledger_is_served(client: httpx.AsyncClient) -> None:
    await client.post("inbound", json={"text": "hello"})
    stats = (await client.get("stats")).json()
    assert sorted(stats) == ["agents", "days", "models", "purposes", "totals"]
    assert (len(stats["days"]), stats["days"][-1]["calls"], stats["totals"]["calls"]) == (7, 1, 1)
    assert [(one["provider"], one["model"], one["unknown"]) for one in stats["models"]] == [("fake", "echo", 0)]
    assert [one["purpose"] for one in stats["purposes"]] == ["turn"]
    assert [one["agent_id"] for one in stats["agents"]] == ["default"]

"""The routes of attached files, on a real server (PTL-89 to PTL-91)."""

from typing import Any

import httpx
import pytest

from crewlab.engine.turn.attachments import MAX_BYTES, MAX_FILES
from tests.fixtures.server import Lab


async def opened(client: httpx.AsyncClient, **values: Any) -> str:
    return str((await client.post("conversations", json=values)).json()["id"])


async def attach(client: httpx.AsyncClient, conversation: str, name: str = "data.csv", data: bytes = b"a,b\n1,2\n") -> httpx.Response:
    return await client.post(f"conversations/{conversation}/attachments", files={"file": (name, data, "text/csv")})


def stored(lab: Lab, conversation: str) -> list[Any]:
    folder = lab.home / "attachments" / conversation
    return sorted(folder.iterdir()) if folder.is_dir() else []


@pytest.mark.spec("PTL-89", "AGT-2")
async def test_a_file_for_the_master_is_stored_and_lies_in_the_inbox(client: httpx.AsyncClient, lab: Lab) -> None:
    conversation = await opened(client)
    answer = await attach(client, conversation, "../../bảng  điểm.csv", "điểm".encode())
    assert answer.status_code == 201
    found = answer.json()
    assert (found["name"], found["type"], found["size"], found["chars"]) == ("bảng điểm.csv", "text/csv", 7, 4)
    (inbox,) = (lab.home / "workspace" / "inbox").iterdir()
    assert found["path"] == str(inbox)
    assert inbox.name.endswith("Z-bảng điểm.csv")
    (own,) = stored(lab, conversation)
    assert own.read_bytes() == inbox.read_bytes() == "điểm".encode()
    assert (own.stat().st_mode & 0o777, own.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert (await client.delete(f"conversations/{conversation}/attachments/{found['id']}")).status_code == 204
    assert stored(lab, conversation) == []
    assert inbox.exists()  # it may have been handed on by its path


@pytest.mark.spec("PTL-89")
@pytest.mark.parametrize(("name", "data", "status", "code"), [
    ("a.csv", b"", 422, "invalid"),
    ("/\x01/ ..", b"x", 422, "invalid"),
    ("a.bin", b"\0" * (MAX_BYTES + 1), 413, "too_large"),
])  # fmt: skip
async def test_what_is_not_taken(client: httpx.AsyncClient, lab: Lab, name: str, data: bytes, status: int, code: str) -> None:
    conversation = await opened(client)
    answer = await attach(client, conversation, name, data)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert stored(lab, conversation) == []
    assert not (lab.home / "workspace" / "inbox").exists()


@pytest.mark.spec("PTL-89")
async def test_a_file_as_large_as_may_be_is_taken_and_the_21st_is_not(client: httpx.AsyncClient, lab: Lab) -> None:
    conversation = await opened(client)
    whole = await attach(client, conversation, "a.bin", b"\0" * MAX_BYTES)
    assert (whole.status_code, whole.json()["chars"], whole.json()["type"]) == (201, None, "text/csv")
    for number in range(1, MAX_FILES):
        assert (await attach(client, conversation, f"{number}.txt")).status_code == 201
    answer = await attach(client, conversation, "over.txt")
    assert (answer.status_code, answer.json()["code"]) == (409, "too_many_attachments")
    assert len(stored(lab, conversation)) == MAX_FILES
    assert not list((lab.home / "workspace" / "inbox").glob("*over.txt"))


@pytest.mark.spec("PTL-89", "PTL-90")
async def test_nobody_attaches_to_a_conversation_that_is_not_there(client: httpx.AsyncClient, lab: Lab) -> None:
    assert (await attach(client, "c_gone")).status_code == 404
    assert (await client.get("conversations/c_gone/attachments")).status_code == 404
    conversation, other = await opened(client), await opened(client)
    found = (await attach(client, other)).json()["id"]
    for way in (client.get, client.delete):
        assert (await way(f"conversations/{conversation}/attachments/{found}")).status_code == 404
    assert stored(lab, "c_gone") == []


@pytest.mark.spec("PTL-89")
async def test_the_form_has_one_file(client: httpx.AsyncClient) -> None:
    path = f"conversations/{await opened(client)}/attachments"
    two = [("file", ("a.txt", b"1", "text/plain")), ("file", ("b.txt", b"2", "text/plain"))]
    for answer in (await client.post(path, files=two), await client.post(path, json={"file": "x"}), await client.post(path)):
        assert (answer.status_code, answer.json()["field"]) == (422, "file")


@pytest.mark.spec("PTL-90", "CHN-66")
async def test_files_are_listed_and_served_as_what_they_are_untrusted(client: httpx.AsyncClient, lab: Lab) -> None:
    conversation = await opened(client)
    page = (await attach(client, conversation, "page.html", b"<script>alert(1)</script>")).json()
    text = (await attach(client, conversation, "notes.md", b"# Notes")).json()
    listed = (await client.get(f"conversations/{conversation}/attachments")).json()["attachments"]
    assert [one["id"] for one in listed] == [page["id"], text["id"]]
    assert {"indexed": False, "error": None}.items() <= listed[0].items()
    served = await client.get(f"conversations/{conversation}/attachments/{page['id']}")
    assert served.content == b"<script>alert(1)</script>"
    assert served.headers["Content-Type"] == "application/octet-stream"
    assert served.headers["Content-Disposition"].startswith("attachment")
    assert "sandbox" in served.headers["Content-Security-Policy"]
    assert served.headers["X-Content-Type-Options"] == "nosniff"
    shown = await client.get(f"conversations/{conversation}/attachments/{text['id']}")
    assert shown.headers["Content-Type"].startswith("text/plain")
    assert shown.headers["Content-Disposition"].startswith("inline")
    (await client.delete(f"conversations/{conversation}"))
    assert stored(lab, conversation) == []
    assert (await lab.crew()).store.attachments.list(conversation) == []


@pytest.mark.spec("PTL-91", "UI-52")
async def test_a_message_brings_files_and_may_have_no_words(client: httpx.AsyncClient) -> None:
    conversation = await opened(client)
    found = (await attach(client, conversation, "data.csv")).json()
    sent = await client.post(f"conversations/{conversation}/messages", json={"text": "", "attachments": [found["id"], found["id"]]})
    assert sent.status_code == 200
    detail = (await client.get(f"conversations/{conversation}")).json()
    message = detail["messages"][0]
    assert (message["content"], detail["title"]) == ("", "data.csv")
    assert message["context"]["attachments"] == [{"id": found["id"], "name": "data.csv", "type": "text/csv", "size": 8}]
    assert message["context"]["parts"][-1] == f"[attachment {found['id']}] data.csv (text/csv, 8 bytes) {found['path']}"


@pytest.mark.spec("PTL-91", "TURN-18")
@pytest.mark.parametrize("body", [{"text": " "}, {"text": "", "attachments": []}, {"text": "x", "attachments": ["att_gone"]}])
async def test_a_message_without_words_or_with_a_strange_file_is_refused(client: httpx.AsyncClient, body: dict[str, Any]) -> None:
    conversation, other = await opened(client), await opened(client)
    strange = (await attach(client, other)).json()["id"]
    if body.get("attachments"):
        body = {**body, "attachments": [*body["attachments"], strange]}
    answer = await client.post(f"conversations/{conversation}/messages", json=body)
    assert (answer.status_code, answer.json()["field"]) == (422, "attachments" if body.get("attachments") else "text")
    assert (await client.get(f"conversations/{conversation}")).json()["messages"] == []

"""Hostile input over the real server, the real engine and the real adapters: what a person is told, and that the crew goes on.

Each fault must name what is wrong and what to do, in the language of the home; nothing said before
it may be lost, and the next message must be answered.
"""

import json
import os
import re
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from crewlab.engine.home.layout import Home
from crewlab.engine.home.lock import HomeLock
from tests.fixtures.server import SseEvent, events_of, jupyter
from tests.fixtures.vendors import answer, broken_off, page, refusal, tool_call
from tests.fixtures.wire import Reply, WireServer, call, chunk, sse

KEY = "sk-test-0123456789abcdefghij"
ROUTES = {"openai": "openai:m", "openrouter": "openrouter:m", "ollama": "ollama:m"}
TONES = re.compile("[àáảãạăằắẳẵặâầấẩẫậđèéẻẽẹêềếểễệìíỉĩịòóỏõọôồốổỗộơờớởỡợùúủũụưừứửữựỳýỷỹỵ]", re.I)

Vendor = Callable[..., Any]


@pytest.fixture(autouse=True)
def _no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crewlab.engine.models.chain.RETRY_WAIT_SECONDS", 0)


@pytest.fixture
def vendor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Vendor:
    """A server whose only model is a loopback vendor that plays ``replies``, and a client for it."""

    @asynccontextmanager
    async def begin(*replies: Reply, provider: str = "openai", language: str = "en") -> Any:
        async with WireServer(*replies) as wire:
            monkeypatch.setenv("OPENAI_BASE_URL", wire.url)
            monkeypatch.setenv("OLLAMA_BASE_URL", wire.url)
            monkeypatch.setattr("crewlab.engine.models.catalogue.OPENROUTER_URL", wire.url)
            for name in ("OPENAI_API_KEY", "OPENROUTER_API_KEY"):
                monkeypatch.setenv(name, KEY)
            config = f"language: {language}\nroutes: ['{ROUTES[provider]}']\n"
            async with jupyter(tmp_path, config=config) as lab, lab.client() as client:
                yield lab, client, wire

    return begin


async def opened(client: httpx.AsyncClient) -> str:
    return str((await client.post("conversations", json={})).json()["id"])


async def say(client: httpx.AsyncClient, id: str, text: str = "hello") -> list[SseEvent]:
    """Send a message and follow its turn to the end."""
    headers = {"Accept": "text/event-stream"}
    async with client.stream("POST", f"conversations/{id}/messages", json={"text": text}, headers=headers) as answer:
        assert answer.status_code == 200
        return [event async for event in events_of(answer) if event.comment is None]


async def stored(client: httpx.AsyncClient, id: str) -> list[tuple[str, str]]:
    messages = (await client.get(f"conversations/{id}")).json()["messages"]
    return [(message["role"], message["content"]) for message in messages]


async def goes_on(client: httpx.AsyncClient, id: str) -> None:
    """The next message of the conversation is answered, and no run is left over."""
    events = await say(client, id, "and now?")
    assert events[-1].event == "done"
    assert (await stored(client, id))[-2:] == [("user", "and now?"), ("assistant", "fine again")]
    runs = (await client.get("activity/runs")).json()["runs"]
    assert {run["status"] for run in runs} <= {"done", "error"}


# --- answers that say no

REFUSALS: list[tuple[str, list[Reply], str, str, str]] = [
    # name, replies, what is wrong (en), what to do (en), what to do (vi)
    ("401", [refusal(401, f"Incorrect API key provided: {KEY}")], "does not accept the key in", "Put a valid key there", "đặt khóa hợp lệ"),
    ("402", [refusal(402, "Insufficient credits")], "no credit left", "Top it up", "nạp thêm"),
    ("403", [refusal(403, "terms")], "does not let this account use m", "Choose another model", "chọn mô hình khác"),
    ("404", [refusal(404, "no such model")], "does not know m at http://127.0.0.1", "Check the name of the route", "kiểm tra tên tuyến"),
    ("400", [refusal(400, "bad parameter")], "could not take the request for m", "choose another model", "chọn mô hình khác"),
    ("413", [refusal(413, "too many tokens")], "too long for m", "Begin a new one", "mở cuộc mới"),
    ("418", [refusal(418, "teapot")], "refused the request (418)", "choose another route", "chọn tuyến khác"),
    ("308", [refusal(308, "moved")], "is no longer at http://127.0.0.1", "Correct the base URL", "sửa địa chỉ gốc"),
    ("429", [refusal(429, "slow down")] * 2, "takes no more requests", "Wait a minute", "đợi một phút"),
    ("500", [refusal(500, "oops")] * 2, "failed on its side (500)", "Send again in a moment", "gửi lại sau giây lát"),
    ("503", [refusal(503, "overloaded")] * 2, "failed on its side (503)", "Send again in a moment", "gửi lại sau giây lát"),
    ("a page for 502", [page(502)] * 2, "failed on its side (502)", "Send again in a moment", "gửi lại sau giây lát"),
    ("a page for 200", [page(200)], "not answer in the form of a model server", "Check the base URL", "kiểm tra địa chỉ gốc"),
    ("nothing", [Reply(b"")], "not answer in the form of a model server", "Check the base URL", "kiểm tra địa chỉ gốc"),
    (
        "JSON that is no answer",
        [Reply(b"[1, 2]")],
        "not answer in the form of a model server",
        "Check the base URL",
        "kiểm tra địa chỉ gốc",
    ),
    ("a line without end", [Reply(b"data: " + b"x" * (9 << 20))], "not answer in the form", "Check the base URL", "kiểm tra địa chỉ gốc"),
    ("an error chunk", [Reply(sse({"error": {"message": "busy", "code": 529}}))] * 2, "(529)", "Send again", "gửi lại"),
    ("half a character in an error", [Reply(b'{"error":{"message":"bad \\ud83d"}}', 400)], "bad \ufffd", "another model", "mô hình khác"),
]


@pytest.mark.spec("PRV-17", "PRV-7", "PRV-10", "TURN-28")
@pytest.mark.parametrize(("replies", "wrong", "advice", "advice_vi"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS])
async def test_a_vendor_that_refuses_is_told_with_what_to_do_and_the_next_message_works(
    vendor: Vendor, replies: list[Reply], wrong: str, advice: str, advice_vi: str
) -> None:
    async with vendor(*replies, answer("fine again")) as (_, client, wire):
        id = await opened(client)
        end = (await say(client, id))[-1]
        code = "prompt_too_large" if "too long" in wrong else "routes_failed"  # CMP-11
        assert (end.event, end.data["code"]) == ("error", code)
        message = end.data["message"]
        assert wrong in message
        assert advice in message
        assert KEY not in message
        assert "<" not in message
        assert "steal" not in message
        assert "color" not in message
        assert ".." not in message
        assert len(wire.asked) == len(replies)
        assert await stored(client, id) == [("user", "hello")]
        await goes_on(client, id)


@pytest.mark.spec("PRV-17", "UI-6")
@pytest.mark.parametrize(("replies", "advice_vi"), [(row[1], row[4]) for row in REFUSALS], ids=[row[0] for row in REFUSALS])
async def test_a_refusal_is_told_in_vietnamese(vendor: Vendor, replies: list[Reply], advice_vi: str) -> None:
    async with vendor(*replies, answer("fine again"), language="vi") as (_, client, _wire):
        message = (await say(client, await opened(client)))[-1].data["message"]
        assert advice_vi in message
        assert "Tin nhắn của bạn vẫn còn" in message
        assert all(TONES.search(line) for line in message.split("\n"))


@pytest.mark.spec("PRV-17", "PRV-2")
@pytest.mark.parametrize(("provider", "says"), [("openrouter", "OPENROUTER_API_KEY"), ("openai", "OPENAI_API_KEY"), ("ollama", "401")])
async def test_every_adapter_tells_a_refused_key_with_its_own_variable(vendor: Vendor, provider: str, says: str) -> None:
    async with vendor(refusal(401, "who are you?"), answer("fine again"), provider=provider) as (_, client, wire):
        id = await opened(client)
        message = (await say(client, id))[-1].data["message"]
        assert says in message
        assert "It said: who are you?" in message
        assert wire.asked[0].path == "/v1/chat/completions"
        await goes_on(client, id)


@pytest.mark.spec("PRV-17", "PRV-7")
@pytest.mark.parametrize(("provider", "says"), [("openai", "Check the network and the address"), ("ollama", "ollama serve")])
async def test_a_vendor_that_is_not_there_is_told(vendor: Vendor, monkeypatch: pytest.MonkeyPatch, provider: str, says: str) -> None:
    async with vendor(answer("fine again"), provider=provider) as (_, client, wire):
        good = wire.url
        for name in ("OPENAI_BASE_URL", "OLLAMA_BASE_URL"):
            monkeypatch.setenv(name, "http://127.0.0.1:9/v1")
        id = await opened(client)
        end = (await say(client, id))[-1]
        assert (end.event, end.data["code"]) == ("error", "routes_failed")
        assert says in end.data["message"]
        for name in ("OPENAI_BASE_URL", "OLLAMA_BASE_URL"):
            monkeypatch.setenv(name, good)
        await goes_on(client, id)


@pytest.mark.spec("PRV-17", "PRV-14")
@pytest.mark.parametrize(("language", "says"), [("en", "Add a key under Connections"), ("vi", "Hãy thêm khóa ở Kết nối")])
async def test_without_any_model_the_message_is_kept_and_a_key_that_is_added_works_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, says: str
) -> None:
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setattr("crewlab.engine.models.service.default_route", lambda home: None)
    async with WireServer(answer("fine again")) as wire, jupyter(tmp_path, config=f"language: {language}\n") as lab, lab.client() as client:
        id = await opened(client)
        end = (await say(client, id))[-1]
        assert (end.event, end.data["code"]) == ("error", "no_route")
        assert says in end.data["message"]
        assert "crewlab local install" in end.data["message"]
        answering = (await client.get("connections")).json()["answering"]
        assert answering["route"] is None
        assert "OPENROUTER_API_KEY" in answering["mend"]
        assert await stored(client, id) == [("user", "hello")]
        monkeypatch.setattr("crewlab.engine.models.catalogue.OPENROUTER_URL", wire.url)
        secrets = Home(lab.home).secrets_file
        secrets.parent.mkdir(exist_ok=True)
        secrets.write_text(f"OPENROUTER_API_KEY={KEY}\n")
        await goes_on(client, id)


# --- answers that break


@pytest.mark.spec("TURN-28", "TURN-29", "PRV-9")
@pytest.mark.parametrize(
    ("language", "says"), [("en", "What was written is kept; send again"), ("vi", "Phần đã viết được giữ lại; hãy gửi lại")]
)
async def test_a_model_server_that_dies_in_mid_stream_leaves_what_was_written(vendor: Vendor, language: str, says: str) -> None:
    async with vendor(broken_off("Half an ans"), answer("fine again"), language=language) as (_, client, wire):
        id = await opened(client)
        events = await say(client, id)
        assert "".join(event.data["text"] for event in events if event.event == "text_delta") == "Half an ans"
        assert (events[-1].event, events[-1].data["code"]) == ("error", "routes_failed")
        assert says in events[-1].data["message"]
        assert ".." not in events[-1].data["message"]
        assert len(wire.asked) == 1
        assert await stored(client, id) == [("user", "hello"), ("assistant", "Half an ans")]
        await goes_on(client, id)


SPOKEN = "Tiếng Việt 😀 đã xong"


@pytest.mark.spec("FS-2", "TURN-1")
async def test_characters_cut_at_every_byte_arrive_whole(vendor: Vendor) -> None:
    body = sse(chunk({"content": SPOKEN}), chunk(finish="stop"))
    async with vendor(Reply(body, cuts=tuple(range(1, len(body)))), answer("fine again")) as (_, client, _wire):
        id = await opened(client)
        assert (await say(client, id))[-1].event == "done"
        assert await stored(client, id) == [("user", "hello"), ("assistant", SPOKEN)]
        await goes_on(client, id)


def raw(content: bytes) -> Reply:
    """One chunk whose content is these bytes, as they are."""
    return Reply(b'data: {"choices":[{"index":0,"delta":{"content":"' + content + b'"}}]}\n\n' + sse(chunk(finish="stop")))


@pytest.mark.spec("DB-2", "TURN-1")
@pytest.mark.parametrize(("content", "kept"), [(rb"a\ud83d b", "a\ufffd b"), (b"a\xff b", "a\ufffd b"), (rb"a\u0000b", "a\x00b")])
async def test_half_and_broken_characters_of_a_model_are_replaced_and_stored(vendor: Vendor, content: bytes, kept: str) -> None:
    async with vendor(raw(content), answer("fine again")) as (_, client, _wire):
        id = await opened(client)
        assert (await say(client, id))[-1].event == "done"
        assert await stored(client, id) == [("user", "hello"), ("assistant", kept)]
        await goes_on(client, id)


# --- tool calls

FORM = "Correct form: workspace_read(path: string, offset?: integer, limit?: integer)"
OUT = "leads out of the workspace. Use a path inside it"
CALLS: list[tuple[str, str, str, str]] = [
    ("broken JSON", "workspace_read", '{"path": "a', FORM),
    ("a list", "workspace_read", '["a"]', FORM),
    ("half a character", "workspace_read", '{"path": "a\\ud800b"}', "is not there. workspace_list shows what is"),
    ("NaN", "workspace_read", '{"path": "a", "offset": NaN}', FORM),
    ("5,000 digits", "workspace_read", '{"path": "a", "offset": 1' + "0" * 5000 + "}", FORM),
    ("100,000 brackets", "workspace_read", '{"path": ' + "[" * 100_000, FORM),
    ("an unknown parameter", "workspace_read", '{"path": "a", "encoding": "x"}', FORM),
    ("..", "workspace_read", '{"path": "../../etc/passwd"}', OUT),
    ("an absolute path", "workspace_read", '{"path": "/etc/passwd"}', OUT),
    ("a link that leads out", "workspace_read", '{"path": "link/passwd"}', OUT),
    ("writing by a link", "workspace_write", '{"path": "link/crewlab", "content": "x"}', OUT),
    ("writing by ..", "workspace_write", '{"path": "../config.yaml", "content": "x"}', OUT),
    ("a NUL", "workspace_read", '{"path": "a\\u0000b"}', "control character"),
    ("a name that does not exist", "rm_everything", "{}", "is not available in this turn"),
    ("no name", "", "{}", "is not available in this turn"),
]


@pytest.mark.spec("PRV-18", "TOOL-12", "WS-2", "WS-3", "WS-6", "FT-1")
@pytest.mark.parametrize(("name", "arguments", "says"), [row[1:] for row in CALLS], ids=[row[0] for row in CALLS])
async def test_a_hostile_call_runs_nothing_is_told_to_the_model_and_the_turn_goes_on(
    vendor: Vendor, tmp_path: Path, name: str, arguments: str, says: str
) -> None:
    workspace = tmp_path / "home" / "workspace"
    workspace.mkdir(parents=True)
    (workspace / "link").symlink_to("/etc")
    async with vendor(tool_call(name, arguments), answer("I see"), answer("fine again")) as (lab, client, wire):
        config = (lab.home / "config.yaml").read_text()
        id = await opened(client)
        events = await say(client, id)
        result = next(event.data for event in events if event.event == "tool_result")
        assert result["ok"] is False
        assert says in result["output"]
        assert events[-1].event == "done"
        assert wire.asked[1].body["messages"][-1]["content"] == result["output"]
        assert [role for role, _ in await stored(client, id)] == ["user", "assistant", "tool", "assistant"]
        assert (lab.home / "config.yaml").read_text() == config
        assert not Path("/etc/crewlab").exists()
        await goes_on(client, id)


@pytest.mark.spec("PRV-18")
async def test_half_characters_in_the_name_and_id_of_a_call_do_not_hang_the_turn(vendor: Vendor) -> None:
    body = sse(chunk(call(0, "c@1", "work@space", "{}")), chunk(finish="tool_calls")).replace(b"@", rb"\ud83d")
    async with vendor(Reply(body), answer("I see"), answer("fine again")) as (_, client, _wire):
        id = await opened(client)
        assert (await say(client, id))[-1].event == "done"
        await goes_on(client, id)


@pytest.mark.spec("WS-6", "TOOL-12")
async def test_a_file_whose_name_is_no_text_is_listed(vendor: Vendor, tmp_path: Path) -> None:
    workspace = tmp_path / "home" / "workspace"
    workspace.mkdir(parents=True)
    os.close(os.open(os.fsencode(workspace) + b"/bad\xff.txt", os.O_CREAT))
    async with vendor(tool_call("workspace_list", "{}"), answer("I see"), answer("fine again")) as (_, client, _wire):
        id = await opened(client)
        events = await say(client, id)
        assert "bad\\xdcff.txt" in next(event.data["output"] for event in events if event.event == "tool_result")
        await goes_on(client, id)


# --- what people send

BODIES: list[tuple[str, bytes, int, str, str, str]] = [
    # name, body, status, code, sentence (en), sentence (vi)
    ("no JSON", b"{", 400, "bad_request", "Send one, such as", "Hãy gửi một đối tượng"),
    ("a list", b"[]", 400, "bad_request", "Send one, such as", "Hãy gửi một đối tượng"),
    ("no UTF-8", b"\xff\xfe", 400, "bad_request", "Send one, such as", "Hãy gửi một đối tượng"),
    ("100,000 brackets", b"[" * 100_000, 400, "bad_request", "Send one, such as", "Hãy gửi một đối tượng"),
    ("a number", b'{"text": 5}', 422, "invalid", "text: write a text.", "text: hãy ghi một văn bản."),
    ("nothing", b"{}", 422, "invalid", "text: it is missing; add it.", "text: đang thiếu; hãy thêm vào."),
    ("an unknown field", b'{"text": "a", "more": 1}', 422, "invalid", "more: there is no such field", "more: ở đây không có trường này"),
    ("an empty text", b'{"text": " \\n"}', 422, "invalid", "Write something", "Hãy viết gì đó"),
    ("/steer alone", b'{"text": "/steer"}', 422, "empty_steer", "after /steer", "sau /steer"),
    ("a bad request_id", b'{"text": "a", "request_id": "a b"}', 422, "bad_request_id", "letters, digits", "chữ cái, chữ số"),
    ("100,001 characters", b'{"text": "' + b"x" * 100_001 + b'"}', 422, "text_too_long", "Put the long part into a file", "vào một tệp"),
    ("3 MB", b'{"text": "' + b"x" * 3_000_000 + b'"}', 413, "too_large", "Send less", "Hãy gửi ít hơn"),
]


@pytest.mark.spec("TURN-8", "TURN-18")
@pytest.mark.parametrize("language", ["en", "vi"])
async def test_a_body_that_cannot_be_is_refused_in_words_and_stores_nothing(tmp_path: Path, language: str) -> None:
    async with jupyter(tmp_path, config=f"language: {language}\nroutes: [fake:echo]\n") as lab, lab.client() as client:
        id = await opened(client)
        for name, body, status, code, english, vietnamese in BODIES:
            answer = await client.post(f"conversations/{id}/messages", content=body)
            assert (answer.status_code, answer.json()["code"]) == (status, code), name
            assert (english if language == "en" else vietnamese) in answer.json()["message"], name
        assert await stored(client, id) == []
        assert (await say(client, id))[-1].event == "done"


FIELDS: list[tuple[str, dict[str, Any], str, str]] = [
    ("PATCH", {"title": ""}, "title: write at least 1 characters.", "title: hãy ghi ít nhất 1 ký tự."),
    ("PATCH", {"title": "x" * 201}, "title: write at most 200 characters.", "title: hãy ghi nhiều nhất 200 ký tự."),
    ("PATCH", {"cost_cap_usd": -1}, "cost_cap_usd: write at least 0", "cost_cap_usd: hãy ghi ít nhất 0"),
    ("PATCH", {"cost_cap_usd": "2"}, "cost_cap_usd: write a number.", "cost_cap_usd: hãy ghi một số."),
    ("PATCH", {"autonomous": "yes"}, "autonomous: write true or false.", "autonomous: hãy ghi true hoặc false."),
    ("PATCH", {"auto_approve": "all"}, "auto_approve: write a list.", "auto_approve: hãy ghi một danh sách."),
    ("POST", {"decision": "maybe"}, "decision: write one of 'approve' or 'deny'.", "decision: hãy ghi một trong"),
]


@pytest.mark.spec("TURN-8", "TURN-14")
@pytest.mark.parametrize("language", ["en", "vi"])
async def test_a_field_that_is_wrong_is_named_with_what_to_write_there(tmp_path: Path, language: str) -> None:
    async with jupyter(tmp_path, config=f"language: {language}\nroutes: [fake:echo]\n") as lab, lab.client() as client:
        id = await opened(client)
        for method, body, english, vietnamese in FIELDS:
            where = f"conversations/{id}" if method == "PATCH" else "approvals/ap_x"
            answer = await client.request(method, where, json=body)
            assert answer.status_code == 422
            assert answer.json()["message"].startswith(english if language == "en" else vietnamese)


@pytest.mark.spec("TURN-18", "DB-2")
@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (json.dumps({"text": "x" * 100_000}), "x" * 100_000),
        (json.dumps({"text": "😀" * 100_000}), "😀" * 100_000),
        ('{"text": "a\\ud83d b"}', "a\ufffd b"),
        ('{"text": "a\\u0000b"}', "a\x00b"),
    ],
    ids=["100,000 characters", "100,000 emoji", "half an emoji", "a NUL"],
)
async def test_an_unusual_text_is_taken_whole(client: httpx.AsyncClient, sent: str, kept: str) -> None:
    id = await opened(client)
    assert (await client.post(f"conversations/{id}/messages", content=sent.encode())).status_code == 200
    assert (await stored(client, id))[0] == ("user", kept)


# --- the home

BROKEN_HOMES: list[tuple[str, str, str, tuple[str, ...]]] = [
    ("an unknown key", "config.yaml", "autonomus: true\n", ("config.yaml, line 1", "autonomus")),
    ("broken YAML", "config.yaml", "routes: [fake:echo\n", ("config.yaml, line",)),
    ("a tab", "config.yaml", "routes:\n\t- fake:echo\n", ("config.yaml, line 2",)),
    ("a wrong value", "config.yaml", "max_steps: many\n", ("config.yaml, line 1", "max_steps", "many")),
    ("a key given twice", "config.yaml", "max_steps: 3\nmax_steps: 4\n", ("config.yaml, line 2", "max_steps")),
    ("no UTF-8", "config.yaml", "\udcff: 1\n", ("config.yaml, line 1", "UTF-8")),
    ("a secret in it", "config.yaml", "telegram:\n  token: sk-or-v1-0123456789abcdef0123456789abcdef\n", ("config.yaml",)),
    ("an unknown key of an agent", "agents/ada/agent.yaml", "name: Ada\nautonomus: true\n", ("agents/ada/agent.yaml, line 2", "autonomus")),
    ("broken YAML of an agent", "agents/ada/agent.yaml", "name: 'Ada\n", ("agents/ada/agent.yaml, line",)),
]
ADVICE = {
    "en": re.compile(r"Correct|Remove|[Pp]ut|Save|Indent|Check|Did you mean|Add"),
    "vi": re.compile(r"[Hh]ãy|[Ss]ửa|[Bb]ỏ|[Xx]óa"),
}


@pytest.mark.spec("AGT-4", "AGT-5", "UI-8")
@pytest.mark.parametrize("language", ["en", "vi"])
@pytest.mark.parametrize(("file", "text", "says"), [row[1:] for row in BROKEN_HOMES], ids=[row[0] for row in BROKEN_HOMES])
async def test_a_broken_home_names_file_line_and_advice_and_works_again_once_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, file: str, text: str, says: tuple[str, ...]
) -> None:
    monkeypatch.setenv("CREWLAB_LANGUAGE", language)
    broken = tmp_path / "home" / file
    broken.parent.mkdir(parents=True)
    broken.write_bytes(text.encode("utf-8", "surrogateescape"))
    async with jupyter(tmp_path, config="") as lab, lab.client() as client:
        answer = await client.get("version")
        assert (answer.status_code, answer.json()["code"]) == (503, "config_invalid")
        message = answer.json()["message"]
        for part in says:
            assert (part if language == "en" else part.replace(", line", ", dòng")) in message
        assert ADVICE[language].search(message)
        assert "sk-or" not in message
    broken.write_text("routes: [fake:echo]\n" if file == "config.yaml" else "name: Ada\n")
    async with jupyter(tmp_path, config="") as lab, lab.client() as client:
        assert (await client.get("version")).status_code == 200


@pytest.mark.spec("DB-12")
@pytest.mark.parametrize(("language", "says"), [("en", "Stop that server"), ("vi", "Hãy dừng")])
async def test_a_held_home_says_which_and_what_to_do_in_the_language_of_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, says: str
) -> None:
    monkeypatch.setenv("CREWLAB_LANGUAGE", language)
    home = Home(tmp_path / "home")
    home.ensure()
    held = HomeLock(home)
    held.acquire()
    try:
        async with jupyter(tmp_path) as lab, lab.client() as client:
            answer = await client.get("conversations")
            assert (answer.status_code, answer.json()["code"]) == (503, "home_locked")
            assert says in answer.json()["message"]
            assert "CREWLAB_HOME" in answer.json()["message"]
    finally:
        held.release()


@pytest.mark.spec("TURN-28")
@pytest.mark.parametrize(("language", "says"), [("en", "Free some disk space"), ("vi", "Hãy giải phóng ổ đĩa")])
async def test_a_store_that_cannot_be_written_is_told_and_the_next_message_works(tmp_path: Path, language: str, says: str) -> None:
    async with jupyter(tmp_path, config=f"language: {language}\nroutes: [fake:echo]\n") as lab, lab.client() as client:
        crew = await lab.crew()
        id = await opened(client)
        assert (await say(client, id, "one"))[-1].event == "done"
        crew.store.db.connection.execute("PRAGMA query_only=ON")
        answer = await client.post(f"conversations/{id}/messages", json={"text": "two"})
        assert (answer.status_code, answer.json()["code"]) == (500, "internal")
        assert says in answer.json()["message"]
        crew.store.db.connection.execute("PRAGMA query_only=OFF")
        assert (await say(client, id, "three"))[-1].event == "done"
        assert [text for role, text in await stored(client, id) if role == "user"] == ["one", "three"]

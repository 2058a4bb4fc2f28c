"""Keys and routes over HTTP on a real server: saved at once, refused with what would break, and never repeated."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from crewlab.engine.change.checks import Checks
from crewlab.engine.script.fence import fence
from tests.fixtures.server import Lab, jupyter
from tests.fixtures.vendors import answer as spoken
from tests.fixtures.vendors import vendor_aside
from tests.fixtures.wire import Reply, WireServer

SECRET = "s3cr3t-value-0123456789"
OTHER = "another-value-9876543210"
CONFIG = """\
# my routes
routes: [fake:echo]   # for now

# the bot
max_steps: 9
"""


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Lab]:
    async with jupyter(tmp_path, config=CONFIG) as found:
        await found.crew()
        yield found


def config(lab: Lab) -> str:
    return (lab.home / "config.yaml").read_text(encoding="utf-8")


def secrets(lab: Lab) -> str:
    file = lab.home / "secrets" / "secrets.env"
    return file.read_text(encoding="utf-8") if file.exists() else ""


async def present(client: httpx.AsyncClient) -> set[str]:
    return {row["name"] for row in (await client.get("connections")).json()["keys"] if row["present"]}


# --- keys


@pytest.mark.spec("CHN-45", "CHN-47", "CHN-49")
async def test_a_key_is_saved_alone_in_its_file_and_acts_at_once(lab: Lab, client: httpx.AsyncClient) -> None:
    file = lab.home / "secrets" / "secrets.env"
    file.write_text(f"# mine\nKEPT={OTHER}\nno pair\n")
    file.chmod(0o644)
    before = dict(os.environ)
    body = (await client.put("connections/keys/OPENROUTER_API_KEY", json={"value": f"  {SECRET} "})).json()
    row = {"name": "OPENROUTER_API_KEY", "group": "models", "kind": "secret", "present": True, "check": True, "saved": True}
    assert row in body["keys"]
    assert secrets(lab) == f"# mine\nKEPT={OTHER}\nno pair\nOPENROUTER_API_KEY={SECRET}\n"
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert [path.name for path in file.parent.iterdir()] == ["secrets.env"]
    assert dict(os.environ) == before  # what kernels and terminals inherit (CHN-49)
    assert (await client.delete("connections/keys/OPENROUTER_API_KEY")).status_code == 200
    assert secrets(lab) == f"# mine\nKEPT={OTHER}\nno pair\n"
    assert "OPENROUTER_API_KEY" not in await present(client)
    assert (await client.delete("connections/keys/OPENROUTER_API_KEY")).status_code == 200


@pytest.mark.spec("CHN-41")
async def test_no_answer_and_no_line_of_the_log_holds_a_secret(
    lab: Lab, client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    names = [row["name"] for row in (await client.get("connections")).json()["keys"] if row["kind"] == "secret"] + ["MY_OWN", "BOT"]
    block = {"token_env": "BOT", "chat_id": 7654321}
    said.append((await client.patch("agents/default", json={"telegram": {**block, "chat_id": 7654321}})).text.replace("7654321", "", 2))
    values = {name: f"{number}-{SECRET}-{name.lower()}" for number, name in enumerate(names)}
    for name, value in values.items():
        said.append((await client.put(f"connections/keys/{name}", json={"value": value})).text)
    said.append((await client.get("connections")).text)
    assert await present(client) >= set(names)
    said += [(await client.put(f"connections/keys/{name}", json={"value": f"{value}\nx"})).text for name, value in values.items()]
    said.append((await client.put("connections/keys/bad name", json={"value": SECRET})).text)
    said.append((await client.put("connections/routes", json={"routes": ["openrouter:x"], "audio_routes": [SECRET]})).text)
    said += [(await client.delete(f"connections/keys/{name}")).text for name in names]
    said += lab.log + [record.getMessage() for record in caplog.records]
    assert not [text for text in said if any(value in text for value in (SECRET, *values.values()))]
    assert not [text for text in said if "7654321" in text]


@pytest.mark.spec("CHN-48", "MCP-85")
@pytest.mark.parametrize(
    ("name", "value", "field"),
    [
        ("OPENROUTER_API_KEY", "a\nb", "value"),
        ("OPENROUTER_API_KEY", "a\u0000b", "value"),
        ("OPENROUTER_API_KEY", "", "value"),
        ("OPENROUTER_API_KEY", "x" * 4097, "value"),
        ("OPENAI_BASE_URL", "no-address", "value"),
        ("OPENAI_BASE_URL", "http://user:pass@host/v1", "value"),
        ("OLLAMA_BASE_URL", "file:///etc/passwd", "value"),
        ("PATH", "x", "name"),
        ("LD_PRELOAD", "x", "name"),
        ("PYTHONPATH", "x", "name"),
        ("JUPYTER_TOKEN", "x", "name"),
        ("CREWLAB_HOME", "x", "name"),
        ("MCP_WIKI_ACCESS_TOKEN", "x", "name"),
        ("lower", "x", "name"),
    ],
)
async def test_what_cannot_be_a_key_is_refused_and_not_written(
    lab: Lab, client: httpx.AsyncClient, name: str, value: str, field: str
) -> None:
    answer = await client.put(f"connections/keys/{name}", json={"value": value})
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, "invalid", field)
    assert secrets(lab) == ""


@pytest.mark.spec("CHN-47")
async def test_the_only_key_of_a_written_route_is_not_deleted(lab: Lab, client: httpx.AsyncClient) -> None:
    assert (await client.put("connections/keys/OPENROUTER_API_KEY", json={"value": SECRET})).status_code == 200
    assert (await client.post("agents", json={"id": "ada", "escalation_route": "openrouter:big"})).status_code == 201
    assert (await client.put("connections/routes", json={"routes": ["openrouter:x", "fake:echo"]})).status_code == 200
    before = secrets(lab)
    answer = await client.delete("connections/keys/OPENROUTER_API_KEY")
    assert (answer.status_code, answer.json()["code"]) == (409, "would_break")
    assert answer.json()["breaks"] == ["openrouter:x (routes)", "openrouter:big (ada: escalation_route)"]
    assert secrets(lab) == before
    assert "OPENROUTER_API_KEY" in await present(client)
    assert (await client.patch("agents/ada", json={"escalation_route": None})).status_code == 200
    assert (await client.put("connections/routes", json={"routes": ["fake:echo"]})).status_code == 200
    assert (await client.delete("connections/keys/OPENROUTER_API_KEY")).status_code == 200


@pytest.mark.spec("CHN-47", "CHN-49")
async def test_a_key_of_the_environment_stands_behind_a_saved_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENROUTER_API_KEY", OTHER)
    async with jupyter(tmp_path, config="routes: ['openrouter:x', 'fake:echo']\n") as lab, lab.client() as client:
        refused = await client.delete("connections/keys/OPENROUTER_API_KEY")
        assert refused.status_code == 409
        assert "environment" in refused.json()["message"]
        assert (await client.put("connections/keys/OPENROUTER_API_KEY", json={"value": SECRET})).status_code == 200
        assert (await lab.crew()).keys.get("OPENROUTER_API_KEY") == SECRET
        assert (await client.delete("connections/keys/OPENROUTER_API_KEY")).status_code == 200  # the environment's is still there
        assert (await lab.crew()).keys.get("OPENROUTER_API_KEY") == OTHER


@pytest.mark.spec("CHN-46", "MCP-85")
async def test_the_list_names_what_the_crew_reads_and_what_was_saved(tmp_path: Path) -> None:
    server = "mcp_servers:\n  my-wiki:\n    url: https://wiki.example\n    headers:\n      X-Key: '${WIKI_KEY}'\n"
    (tmp_path / "home" / "secrets").mkdir(parents=True)
    (tmp_path / "home" / "secrets" / "secrets.env").write_text("MCP_MY_WIKI_ACCESS_TOKEN=t\nOWN_THING=1\n")
    (tmp_path / "home" / "agent.yaml").write_text("telegram: {token_env: MY_BOT, chat_id: 1}\n")
    async with jupyter(tmp_path, config="routes: [fake:echo]\n" + server) as lab, lab.client() as client:
        rows = {row["name"]: row["group"] for row in (await client.get("connections")).json()["keys"]}
    assert rows["MY_BOT"] == "channels"
    assert rows["OWN_THING"] == "other"
    assert rows["WIKI_KEY"] == rows["MCP_MY_WIKI_CLIENT_ID"] == "mcp"
    assert "MCP_MY_WIKI_ACCESS_TOKEN" not in rows


async def test_a_file_of_keys_that_cannot_be_read_is_not_written_over(lab: Lab, client: httpx.AsyncClient) -> None:
    file = lab.home / "secrets" / "secrets.env"
    file.write_bytes(b"A=\xff\xfe\n")
    answer = await client.put("connections/keys/MY_OWN", json={"value": SECRET})
    assert (answer.status_code, file.read_bytes()) == (503, b"A=\xff\xfe\n")


# --- checks


GOOD, BAD, DOWN = Reply(b"{}", 200, "application/json"), Reply(b'{"error": "no"}', 401, "application/json"), Reply(b"", 502)


@pytest.mark.spec("CHN-45", "CHN-46", "CHN-41")
@pytest.mark.parametrize(
    ("name", "path", "header"),
    [
        ("OPENROUTER_API_KEY", "/key", f"Bearer {SECRET}"),
        ("ANTHROPIC_API_KEY", "/v1/models", SECRET),
        ("BRAVE_API_KEY", "/res/v1/web/search?q=crewlab&count=1", SECRET),
        ("TAVILY_API_KEY", "/usage", f"Bearer {SECRET}"),
    ],
)
async def test_a_key_is_tried_out_at_the_service_itself(lab: Lab, client: httpx.AsyncClient, name: str, path: str, header: str) -> None:
    async with WireServer(GOOD, BAD, DOWN) as server:
        (await lab.crew()).connections.checks.addresses[name] = server.url.removesuffix("/v1")
        missing = (await client.post(f"connections/keys/{name}/check")).json()
        assert not missing["ok"]
        assert not server.asked
        await client.put(f"connections/keys/{name}", json={"value": SECRET})
        checks = [(await client.post(f"connections/keys/{name}/check")).json() for _ in range(3)]
    assert [one["ok"] for one in checks] == [True, False, False]
    assert "401" in checks[1]["message"]
    assert "502" in checks[2]["message"]
    assert SECRET not in json.dumps(checks)
    assert server.asked[0].method == "GET"
    assert server.asked[0].path == path
    assert header in server.asked[0].headers.values()
    gone = (await client.post(f"connections/keys/{name}/check")).json()
    assert not gone["ok"]
    assert "cannot be reached" in gone["message"]


@pytest.mark.spec("CHN-46", "CHN-41")
async def test_the_token_of_the_bot_is_tried_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)  # httpx names every address there
    async with WireServer(BAD, Reply(b'{"ok": true}', 200, "application/json")) as server:
        monkeypatch.setenv("TELEGRAM_API_URL", server.url.removesuffix("/v1"))
        async with jupyter(tmp_path, schedule=False) as lab, lab.client() as client:
            await client.patch("agents/default", json={"telegram": {"token_env": "MY_BOT", "chat_id": 1}})
            await client.put("connections/keys/MY_BOT", json={"value": SECRET})
            bad, good = [(await client.post("connections/keys/MY_BOT/check")).json() for _ in range(2)]
            assert not [line for line in lab.log if SECRET in line]
    assert (bad["ok"], good["ok"], server.asked[0].path) == (False, True, f"/bot{SECRET}/getMe")
    assert SECRET not in json.dumps([bad, good])
    assert not [record for record in caplog.records if SECRET in record.getMessage()]


@pytest.mark.spec("CHN-46")
async def test_an_address_is_tried_out(lab: Lab, client: httpx.AsyncClient) -> None:
    models = Reply(b'{"data": [], "models": []}', 200, "application/json")
    async with WireServer(models, models, Reply(b"hello", 200, "text/plain"), BAD) as server:
        asked = {"OPENAI_BASE_URL": "/v1/models", "OLLAMA_BASE_URL": "/api/tags", "FIRECRAWL_BASE_URL": "/v1/"}
        for name, path in asked.items():
            assert (await client.put(f"connections/keys/{name}", json={"value": server.url})).status_code == 200
            server.asked.clear()
            assert (await client.post(f"connections/keys/{name}/check")).json()["ok"]
            assert [one.path for one in server.asked] == [path]
        locked = (await client.post("connections/keys/OPENAI_BASE_URL/check")).json()
    assert locked["ok"]
    assert "asks for a key" in locked["message"]
    assert not (await client.post("connections/keys/OPENAI_BASE_URL/check")).json()["ok"]
    assert (await client.post("connections/keys/no name/check")).status_code == 422


@pytest.mark.spec("CHN-46")
def test_every_row_that_can_be_checked_has_its_request() -> None:
    from crewlab.engine.change.known import FIXED
    from crewlab.engine.home.keys import KeyRing
    from crewlab.engine.home.layout import Home
    from crewlab.engine.texts import Texts

    checks = Checks(KeyRing(Home(Path("/nowhere")), {}), Texts("en"))
    assert {row.name for row in FIXED if row.check} == {row.name for row in FIXED if checks.probe(row.name, "https://x", token=False)}


# --- routes


@pytest.mark.spec("CHN-45", "CHN-47", "AGT-11", "AGT-35")
async def test_routes_are_saved_alone_in_the_file_and_answer_at_once(lab: Lab, client: httpx.AsyncClient) -> None:
    async with WireServer(spoken("from the new route")) as server:
        await client.put("connections/keys/OPENAI_API_KEY", json={"value": SECRET})
        await client.put("connections/keys/OPENAI_BASE_URL", json={"value": server.url})
        assert (await client.post("inbound", json={"text": "who"})).json()["text"] == "who"
        lists = {"routes": [{"route": "openai:m", "reasoning": "low"}], "audio_routes": ["openai:whisper"], "vision_routes": []}
        body = (await client.put("connections/routes", json=lists)).json()
        assert (body["routes"], body["audio_routes"], body["vision_routes"]) == (["openai:m"], ["openai:whisper"], [])
        assert (await client.post("inbound", json={"text": "who"})).json()["text"] == "from the new route"
    expected = "# my routes\nroutes:\n  - route: openai:m\n    reasoning: low\n\n# the bot\nmax_steps: 9\n"
    assert config(lab) == expected + "vision_routes: []\naudio_routes:\n  - openai:whisper\n"
    back = await client.put("connections/routes", json={"routes": ["fake:echo"]})
    assert back.status_code == 200
    assert (await client.post("inbound", json={"text": "again"})).json()["text"] == "again"
    assert (await lab.crew()).settings.max_steps == 9


@pytest.mark.spec("CHN-47")
@pytest.mark.parametrize(
    ("lists", "status", "code"),
    [
        ({"routes": ["openrouter:x"]}, 409, "would_break"),
        ({"routes": ["nobody:x"]}, 422, "invalid"),
        ({"routes": ["no route"]}, 422, "invalid"),
        ({"routes": [{"route": "fake:echo", "reasoning": "much"}]}, 422, "invalid"),
        ({"vision_routes": ["openrouter:x"]}, 409, "would_break"),
        ({"routes": ["fake:echo"], "audio_routes": "text"}, 422, "invalid"),
    ],
)
async def test_routes_that_would_break_the_crew_are_refused(
    lab: Lab, client: httpx.AsyncClient, lists: dict[str, object], status: int, code: str
) -> None:
    answer = await client.put("connections/routes", json=lists)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert config(lab) == CONFIG
    assert (await client.get("connections")).json()["routes"] == ["fake:echo"]


@pytest.mark.spec("AGT-35", "AGT-11")
async def test_a_config_changed_by_hand_is_not_written_over(lab: Lab, client: httpx.AsyncClient) -> None:
    (lab.home / "config.yaml").write_text("max_steps: 3\n")
    answer = await client.put("connections/routes", json={"routes": ["fake:echo"], "audio_routes": []})
    assert (answer.status_code, answer.json()["code"], config(lab)) == (409, "file_changed", "max_steps: 3\n")


@pytest.mark.spec("AGT-8")
async def test_a_variable_that_decides_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CREWLAB_ROUTES", "fake:echo")
    async with jupyter(tmp_path, config="") as lab, lab.client() as client:
        answer = await client.put("connections/routes", json={"routes": ["fake:echo"]})
        assert answer.status_code == 409
        assert "CREWLAB_ROUTES" in answer.json()["message"]
        assert (await client.put("connections/routes", json={"audio_routes": []})).status_code == 200
        assert config(lab) == "audio_routes: []\n"


@pytest.mark.spec("VIS-3", "CHN-47")
async def test_a_key_brings_the_tool_that_needs_it_and_takes_it_away(lab: Lab, client: httpx.AsyncClient) -> None:
    async def tools() -> set[str]:
        return set((await client.get("agents/default")).json()["tools"])

    assert "image_read" not in await tools()
    await client.put("connections/keys/OPENROUTER_API_KEY", json={"value": SECRET})
    assert "image_read" in await tools()
    await client.put("connections/routes", json={"vision_routes": []})
    assert "image_read" not in await tools()


@pytest.mark.spec("CHN-2", "CHN-47")
async def test_the_bot_follows_its_block_and_its_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with WireServer(Reply(b'{"ok": true, "result": []}', 200, "application/json")) as server:
        monkeypatch.setenv("TELEGRAM_API_URL", server.url.removesuffix("/v1"))
        async with jupyter(tmp_path) as lab, lab.client() as client:
            crew = await lab.crew()
            assert crew.telegram.bot is None
            await client.patch("agents/default", json={"telegram": {"token_env": "MY_BOT", "chat_id": 1}})
            assert crew.telegram.bot is None
            await client.put("connections/keys/MY_BOT", json={"value": "123456:abcdefghijklmnop"})
            first = crew.telegram.bot
            assert first is not None
            await client.patch("agents/default", json={"max_steps": 5})
            assert crew.telegram.bot is first
            await client.patch("agents/default", json={"telegram": {"token_env": "MY_BOT", "chat_id": 2}})
            assert crew.telegram.bot not in (None, first)
            await client.delete("connections/keys/MY_BOT")
            assert crew.telegram.bot is None


@pytest.mark.spec("CHN-50", "SHL-18")
async def test_no_command_of_an_agent_receives_a_key(lab: Lab, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", OTHER)  # also one that the server itself was given
    await client.put("connections/keys/MY_OWN", json={"value": SECRET})
    line = {"id": "env", "every": "2h", "command": "printenv PATH; printenv MY_OWN TAVILY_API_KEY; echo PATH=shown"}
    assert (await client.patch("agents/default", json={"autonomous": True, "schedules": [line]})).status_code == 200
    answer = (await client.post("inbound", json={"text": '/tool shell_run {"command": "env"}'})).json()
    conversation = (await client.get(f"conversations/{answer['conversation_id']}")).text
    assert "PATH=" in conversation
    assert SECRET not in conversation
    assert OTHER not in conversation
    assert (await client.post("jobs/default/env/run")).status_code == 202
    while (runs := (await client.get("jobs/default/env/runs")).json()["runs"]) == [] or runs[0]["status"] == "running":
        pass
    said = (await client.get(f"activity/runs/{runs[0]['id']}")).text
    assert "PATH=" in said
    assert SECRET not in said
    assert OTHER not in said


# --- what is shown of the machine


@pytest.mark.spec("UI-99", "SCR-13", "CHN-40")
async def test_each_provider_says_what_is_missing_and_scripts_say_what_stands_around_them(lab: Lab, client: httpx.AsyncClient) -> None:
    await client.patch("agents/default", json={"escalation_route": "anthropic:claude-x"})
    body = (await client.get("connections")).json()
    shown = {row["name"]: row for row in body["providers"]}
    assert shown["fake"] == {"name": "fake", "ready": True, "why": ""}
    assert not shown["anthropic"]["ready"]
    assert "ANTHROPIC_API_KEY" in shown["anthropic"]["why"]
    scripts = body["script_sandbox"]
    assert (scripts["mode"], scripts["active"]) == ("auto", fence().why == "")
    assert scripts["why"] == fence().why
    assert body["mcp_servers"] == []


WRONG = """\
routes: [openai:gpt-5-mini, opnai:gpt-5, ollama:qwen3, fake:echo]
script_sandbox: required
"""


@pytest.mark.spec("CHN-2", "CHN-40", "CHN-42", "SCR-13")
@pytest.mark.parametrize(
    ("language", "no_key", "unknown", "away", "delegate"),
    [
        ("en", "OPENAI_API_KEY is not set", "there is no such provider", "Ollama does not answer at", "bob in delegates is no agent"),
        ("vi", "chưa đặt OPENAI_API_KEY", "không có nhà cung cấp này", "Ollama không trả lời tại", "bob trong delegates không phải agent"),
    ],
)
async def test_each_misconfiguration_is_explained_where_a_person_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str, no_key: str, unknown: str, away: str, delegate: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://127.0.0.1:9")
    for place, text in {
        "agent.yaml": "telegram: {token_env: NO_BOT, chat_id: 5}\ndelegates: [bob]\n",
        "agents/ada/agent.yaml": "telegram: {token_env: NO_BOT, chat_id: 6}\n",
        ".claude/commands/a.md": "---\n[x\n---\nhello\n",
    }.items():
        file = tmp_path / "home" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    async with jupyter(tmp_path, config=f"language: {language}\n{WRONG}") as lab, lab.client() as client:
        await lab.crew()
        body = (await client.get("connections")).json()
        shown = {row["name"]: row for row in body["providers"]}
        assert [name for name, row in shown.items() if not row["ready"]] == ["openai", "opnai", "ollama"]
        assert no_key in shown["openai"]["why"]
        assert unknown in shown["opnai"]["why"]
        assert away in shown["ollama"]["why"]
        assert "http://127.0.0.1:9/v1" in shown["ollama"]["why"]
        assert [(row["agent_id"], row["configured"], row["ignored"]) for row in body["telegram"]] == [
            ("default", False, False),
            ("ada", False, True),
        ]
        assert body["script_sandbox"]["mode"] == "required"
        assert body["answering"]["route"] == "ollama:qwen3"  # a written route is asked in its place, whether it answers or not
        warnings = "\n".join((await client.get("agents/default")).json()["warnings"])
        assert delegate in warnings
        assert "a.md" in warnings


@pytest.mark.spec("PRV-2")
async def test_an_ollama_that_answers_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with vendor_aside(Reply(json.dumps({"data": [{"id": "qwen3"}]}).encode(), kind="application/json")) as server:
        monkeypatch.setenv("OLLAMA_BASE_URL", server.url)
        async with jupyter(tmp_path, config="routes: [ollama:qwen3]\n") as lab, lab.client() as client:
            await lab.crew()
            assert (await client.get("connections")).json()["providers"] == [{"name": "ollama", "ready": True, "why": ""}]


@pytest.mark.spec("CHN-45", "CHN-49")
async def test_a_key_of_the_environment_says_that_it_cannot_be_removed_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRAVE_API_KEY", SECRET)
    async with jupyter(tmp_path) as lab, lab.client() as client:
        await lab.crew()
        rows = {row["name"]: row for row in (await client.get("connections")).json()["keys"]}
        assert (rows["BRAVE_API_KEY"]["present"], rows["BRAVE_API_KEY"]["saved"]) == (True, False)

"""Agents over HTTP on a real server: saving, making, removing, installing; the running crew follows at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from crewlab.engine.crew import Crew
from crewlab.engine.home.profile import AgentProfile
from crewlab.engine.home.settings import Settings
from crewlab.engine.models.fake import FakeCall, FakeProvider, Scene
from tests.fixtures.server import PATIENCE_SECONDS, Lab, jupyter

PROFILE = """\
# the one who reads
name: Ada      # on the door
max_steps: 7

# her mornings
schedules:
  - id: morning
    cron: "0 8 * * *"
    prompt: Good morning
"""


def write(home: Path, agent_id: str, text: str) -> Path:
    path = home / "agents" / agent_id / "agent.yaml" if agent_id else home / "agent.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncIterator[Lab]:
    write(tmp_path / "home", "ada", PROFILE)
    async with jupyter(tmp_path) as found:
        await found.crew()
        yield found


def profile(lab: Lab, agent_id: str = "ada") -> str:
    return (lab.home / "agents" / agent_id / "agent.yaml").read_text(encoding="utf-8")


def everything(home: Path) -> dict[str, bytes]:
    """Every settings file of the home, byte by byte."""
    files = [path for path in home.rglob("*") if path.is_file() and not path.name.startswith("crew.db") and ".lock" not in path.name]
    return {str(path.relative_to(home)): path.read_bytes() for path in files}


async def ask(client: httpx.AsyncClient, agent: str, text: str, conversation: str | None = None) -> dict[str, Any]:
    answer = await client.post(
        "inbound", json={"text": text, "agent": agent, **({"conversation_id": conversation} if conversation else {})}
    )
    found = answer.json()
    assert isinstance(found, dict)
    return found


# --- saving


@pytest.mark.spec("AGT-11", "AGT-32", "AGT-35")
async def test_a_save_changes_the_named_keys_alone_and_acts_at_once(lab: Lab, client: httpx.AsyncClient) -> None:
    answer = await client.patch("agents/ada", json={"max_steps": 9, "description": "Reads: and #writes", "routes": None})
    assert answer.status_code == 200
    assert answer.json()["restart_required"] == []
    assert (answer.json()["max_steps"], answer.json()["description"]) == (9, "Reads: and #writes")
    assert profile(lab) == PROFILE.replace("max_steps: 7", "max_steps: 9") + "description: 'Reads: and #writes'\n"
    assert (await client.get("agents/ada")).json()["max_steps"] == 9
    removed = await client.patch("agents/ada", json={"description": None, "max_steps": 7})
    assert removed.json()["declared"] == {"tools": None, "name": "Ada", "max_steps": 7, "schedules": yaml.safe_load(PROFILE)["schedules"]}
    assert profile(lab) == PROFILE


WRONG = [
    ({"max_steps": 0}, "max_steps"),
    ({"max_steps": "many"}, "max_steps"),
    ({"max_steps": 9, "nmae": "X"}, "nmae"),
    ({"browser": "on"}, "browser"),
    ({"browser": True}, "browser"),
    ({"computer": True}, "computer"),
    ({"code": "on"}, "code"),
    ({"schedules": [{"id": "a", "cron": "x", "prompt": "y"}]}, "schedules"),
    ({"schedules": [{"id": "a", "every": "2h", "prompt": "y"}, {"id": "a", "every": "2h", "prompt": "y"}]}, "schedules"),
    ({"routes": ["no route"]}, "routes"),
    ({"mcp": ["nowhere"]}, "mcp"),
    ({"write_paths": ["../out"]}, "write_paths"),
    ({"shell_write_paths": [".."]}, "shell_write_paths"),
    ({"description": "use sk-abcdefghijklmnopqrstuvwx"}, "description"),
    ({"name": "x" * 61}, "name"),
    ({"id": "other"}, "id"),
    ({"workspace": "a\u0000b"}, "workspace"),
    ({"workspace": "~nobody-of-that-name/x"}, "workspace"),
    ({"skills_dirs": ["a\nb"]}, "skills_dirs"),
    ({"write_paths": ["a\u0000b"]}, "write_paths"),
    ({"computer_apps": ["Firefox"]}, "computer_apps"),
]


@pytest.mark.spec("AGT-9", "AGT-13", "AGT-17", "AGT-18", "JOB-4")
@pytest.mark.parametrize(("changes", "field"), WRONG)
async def test_a_value_that_cannot_stand_names_its_key_and_leaves_the_file(
    lab: Lab, client: httpx.AsyncClient, changes: dict[str, object], field: str
) -> None:
    before = everything(lab.home)
    answer = await client.patch("agents/ada", json=changes)
    body = answer.json()
    assert (answer.status_code, body["code"], body["field"]) == (422, "invalid", field)
    assert "sk-abcdef" not in answer.text
    assert everything(lab.home) == before


@pytest.mark.spec("SCR-1", "SCR-2", "AGT-9", "AGT-18")
async def test_what_scripts_may_call_stands_in_the_agents_own_file_alone(lab: Lab, client: httpx.AsyncClient) -> None:
    keys = ("script_calls", "script_llm")
    assert (await client.patch("agents/default", json={"script_calls": "gated", "script_llm": False})).status_code == 200
    other = (await client.get("agents/ada")).json()
    assert [other[key] for key in keys] == ["read_only", True]  # not from the master
    assert not {*keys} & Settings.model_fields.keys()  # nor from config.yaml
    before = everything(lab.home)
    for changes, must in (({"script_calls": "all"}, "read_only, gated, none"), ({"script_llm": "no"}, "true or false")):
        answer = await client.patch("agents/ada", json={**changes, "max_steps": 3})
        (key,) = changes
        assert (answer.status_code, answer.json()["field"]) == (422, key)
        assert must in answer.json()["message"]
    assert everything(lab.home) == before
    await client.patch("agents/default", json=dict.fromkeys(keys))
    master = (await client.get("agents/default")).json()
    assert [master[key] for key in keys] == ["read_only", True]


@pytest.mark.spec("AGT-18")
async def test_every_wrong_key_has_a_sentence_of_its_own(client: httpx.AsyncClient) -> None:
    body = (await client.patch("agents/ada", json={"max_steps": 0, "name": 5, "vibe": "perhaps"})).json()
    assert set(body["fields"]) == {"max_steps", "name", "vibe"}
    assert "at least 1" in body["fields"]["max_steps"]
    assert "a text" in body["fields"]["name"]


@pytest.mark.spec("AGT-35")
async def test_a_file_changed_by_hand_is_not_written_over(lab: Lab, client: httpx.AsyncClient) -> None:
    write(lab.home, "ada", "name: Grace\n")
    answer = await client.patch("agents/ada", json={"max_steps": 9})
    assert (answer.status_code, answer.json()["code"]) == (409, "file_changed")
    assert profile(lab) == "name: Grace\n"
    assert (await client.get("agents/ada")).json()["name"] == "Ada"  # AGT-11: a hand's change acts at the next start


@pytest.mark.spec("AGT-35")
async def test_a_change_by_hand_of_one_agent_does_not_ride_on_a_save_of_another(lab: Lab, client: httpx.AsyncClient) -> None:
    write(lab.home, "ada", "nonsense: [\n")
    assert (await client.patch("agents/default", json={"max_steps": 3})).status_code == 200
    assert (await client.get("agents/ada")).json()["max_steps"] == 7


@pytest.mark.spec("AGT-36")
async def test_a_list_that_says_what_is_held_anyway_is_not_frozen_into_the_file(lab: Lab, client: httpx.AsyncClient) -> None:
    agent = (await client.get("agents/ada")).json()
    for names in (agent["tools"], agent["listable_tools"], agent["listable_tools"][::-1]):
        assert (await client.patch("agents/ada", json={"tools": names, "max_steps": 8})).status_code == 200
    assert profile(lab) == PROFILE.replace("max_steps: 7", "max_steps: 8")
    fewer = (await client.patch("agents/ada", json={"tools": ["workspace_read"]})).json()
    assert fewer["declared"]["tools"] == ["workspace_read"]
    assert fewer["tools"] == ["workspace_read", "tool_script"]
    assert set(fewer["listable_tools"]) == set(agent["listable_tools"])


@pytest.mark.spec("AGT-13")
async def test_an_empty_list_of_browser_hosts_removes_the_key(lab: Lab, client: httpx.AsyncClient) -> None:
    assert (await client.patch("agents/ada", json={"browser_hosts": ["*.shop.example"]})).json()["browser_hosts"] == ["*.shop.example"]
    assert (await client.patch("agents/ada", json={"browser_hosts": []})).json()["browser_hosts"] is None
    assert profile(lab) == PROFILE


@pytest.mark.spec("DSK-3", "AGT-13")
async def test_on_is_written_so_that_yaml_reads_it_as_the_text(lab: Lab, client: httpx.AsyncClient) -> None:
    assert (await client.patch("agents/ada", json={"computer": "on", "code": "off"})).json()["computer"] == "on"
    assert yaml.safe_load(profile(lab))["computer"] == "on"


@pytest.mark.spec("AGT-33")
async def test_the_answer_has_every_key_of_the_profile(client: httpx.AsyncClient) -> None:
    body = (await client.get("agents/ada")).json()
    renamed = {"shell_ask_patterns", "shell_allow_patterns"}
    assert set(AgentProfile.model_fields) - renamed <= set(body)
    assert {"master", "origin", "live", "listable_tools", "declared", "warnings"} <= set(body)
    assert not {"calculator", "tool_script", "budget_check"} & set(body["listable_tools"])


@pytest.mark.spec("AGT-33", "CHN-41")
async def test_the_editor_shows_the_chat_of_the_telegram_block(lab: Lab, client: httpx.AsyncClient) -> None:
    block = {"token_env": "BOT_TOKEN", "chat_id": 4711}
    assert (await client.patch("agents/default", json={"telegram": block})).json()["telegram"] == {**block, "approval_ttl_seconds": None}
    said = (await client.get("connections")).text
    assert "BOT_TOKEN" in said
    assert "4711" not in said


# --- the running crew follows


class Gate:
    """A fake model that says which tools it was given, and waits in the middle of its turn when told to."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.open = asyncio.Event()

    async def __call__(self, scene: Scene) -> AsyncIterator[Any]:
        if scene.last_user == "slow" and scene.tool_result is None:
            self.begun.set()
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self.open.wait()
            yield FakeCall("workspace_list")
            return
        yield " ".join(tool.name for tool in scene.request.tools) or "none"


def gated(crew: Crew) -> Gate:
    fake, gate = FakeProvider(crew.texts), Gate()
    fake.register("gate", gate)
    crew.models.plug(fake)
    return gate


@pytest.mark.spec("AGT-25", "AGT-38", "TOOL-19")
async def test_a_running_turn_keeps_its_tools_and_the_next_one_has_the_new_ones(lab: Lab, client: httpx.AsyncClient) -> None:
    gate = gated(await lab.crew())
    saved = await client.patch("agents/ada", json={"routes": ["fake:gate"], "tools": ["workspace_list", "workspace_read"]})
    assert saved.status_code == 200
    running = asyncio.create_task(ask(client, "ada", "slow"))
    await gate.begun.wait()
    assert (await client.get("agents/ada")).json()["live"]
    assert (await client.patch("agents/ada", json={"tools": ["workspace_read"]})).json()["tools"] == ["workspace_read", "tool_script"]
    gate.open.set()
    assert (await running)["text"] == "workspace_list workspace_read tool_script"
    assert (await ask(client, "ada", "now"))["text"] == "workspace_read tool_script"


@pytest.mark.spec("TURN-93", "AGT-38", "JOB-20", "JOB-24")
async def test_the_activity_stream_says_that_tools_and_jobs_have_changed(lab: Lab, client: httpx.AsyncClient) -> None:
    socket = await lab.socket()
    await socket.subscribe("activity")
    every = [{"id": "often", "every": "2h", "prompt": "again"}]
    assert (await client.patch("agents/ada", json={"schedules": every})).status_code == 200
    assert (await socket.until(event="tools"))["data"]["type"] == "tools"
    assert (await socket.until(event="jobs"))["data"]["type"] == "jobs"
    assert [job["id"] for job in (await client.get("jobs")).json()["jobs"]] == ["ada/often"]


@pytest.mark.spec("JOB-17", "JOB-22")
async def test_a_job_keeps_its_moment_when_only_its_words_change(lab: Lab, client: httpx.AsyncClient) -> None:
    [before] = (await client.get("jobs")).json()["jobs"]
    assert (await client.patch("jobs/ada/morning/state", json={"paused": True})).status_code == 200
    lines = yaml.safe_load(PROFILE)["schedules"]
    assert (await client.patch("agents/ada", json={"schedules": [{**lines[0], "prompt": "Other words"}]})).status_code == 200
    [kept] = (await client.get("jobs")).json()["jobs"]
    assert kept["paused"]
    assert kept["cron"] == before["cron"]
    assert (await client.patch("agents/ada", json={"schedules": None})).status_code == 200
    assert (await client.get("jobs")).json()["jobs"] == []
    assert (await client.patch("agents/ada", json={"schedules": lines})).status_code == 200
    assert not (await client.get("jobs")).json()["jobs"][0]["paused"]


async def test_saves_at_the_same_time_are_all_kept(lab: Lab, client: httpx.AsyncClient) -> None:
    changes: list[dict[str, object]] = [{"max_steps": 5}, {"description": "d"}, {"mode": "work"}, {"cost_cap_usd": 2.5}, {"vibe": True}]
    answers = await asyncio.gather(*(client.patch("agents/ada", json=one) for one in changes))
    assert [answer.status_code for answer in answers] == [200] * 5
    said = yaml.safe_load(profile(lab))
    assert all(said[key] == value for one in changes for key, value in one.items())


async def test_a_file_that_cannot_be_written_changes_nothing(lab: Lab, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("crewlab.engine.home.whole.os.replace", full)
    answer = await client.patch("agents/ada", json={"max_steps": 9})
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert "No space" in answer.json()["message"]
    assert profile(lab) == PROFILE
    assert (await client.get("agents/ada")).json()["max_steps"] == 7
    assert [path.name for path in (lab.home / "agents" / "ada").iterdir()] == ["agent.yaml"]


async def test_a_part_that_stumbles_over_a_change_does_not_call_it_failed(
    lab: Lab, client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    async def stumble(_changed: object) -> None:
        raise RuntimeError("a part that cannot follow")

    (await lab.crew()).rebuilding.followers.insert(0, stumble)
    assert (await client.patch("agents/ada", json={"schedules": None})).status_code == 200
    assert (await client.get("jobs")).json()["jobs"] == []  # those after it have followed
    assert "could not follow" in caplog.text


async def test_a_request_that_goes_away_leaves_file_and_crew_in_step(lab: Lab, client: httpx.AsyncClient) -> None:
    crew = await lab.crew()
    saving = asyncio.create_task(crew.agents.save("ada", {"max_steps": 9}))
    while not saving.done() and crew.roster.get("ada").max_steps == 7 and "max_steps: 9" not in profile(lab):
        await asyncio.sleep(0)
    saving.cancel()
    await asyncio.wait({saving})
    assert (await client.patch("agents/ada", json={"description": "after"})).status_code == 200
    assert ("max_steps: 9" in profile(lab)) == (crew.roster.get("ada").max_steps == 9)


async def test_a_link_of_the_person_stays_a_link(lab: Lab, client: httpx.AsyncClient, tmp_path: Path) -> None:
    file = lab.home / "agents" / "ada" / "agent.yaml"
    real = tmp_path / "dotfiles.yaml"
    file.rename(real)
    file.symlink_to(real)
    assert (await client.patch("agents/ada", json={"max_steps": 9})).status_code == 200
    assert file.is_symlink()
    assert "max_steps: 9" in real.read_text()


# --- making


@pytest.mark.spec("AGT-12", "AGT-30", "AGT-32")
async def test_a_new_agent_joins_the_running_crew(lab: Lab, client: httpx.AsyncClient) -> None:
    job = {"id": "j", "every": "1h", "prompt": "p"}
    answer = await client.post("agents", json={"id": "grace", "max_steps": 3, "name": "Grace", "schedules": [job]})
    assert (answer.status_code, answer.json()["name"]) == (201, "Grace")
    assert profile(lab, "grace").startswith("name: Grace\n")  # the order of the register, not of the request
    assert (lab.home / "agents" / "grace" / "agent.yaml").stat().st_mode & 0o777 == 0o600
    assert "grace" in (await client.get("agents/default")).json()["delegates"]
    assert "grace/j" in [one["id"] for one in (await client.get("jobs")).json()["jobs"]]
    assert (await ask(client, "grace", "hello"))["text"] == "hello"


@pytest.mark.spec("AGT-12", "AGT-32")
@pytest.mark.parametrize(
    ("agent_id", "status"),
    [
        *[("ada", 409), ("default", 409), ("owner", 422), ("templates", 422), ("A", 422), ("a--b", 422)],
        *[("-a", 422), ("../x", 422), ("", 422), ("a" * 41, 422)],
    ],
)
async def test_an_id_that_is_taken_or_none_is_refused(lab: Lab, client: httpx.AsyncClient, agent_id: str, status: int) -> None:
    before = everything(lab.home)
    answer = await client.post("agents", json={"id": agent_id})
    assert answer.status_code == status
    assert status == 409 or answer.json()["field"] == "id"
    assert everything(lab.home) == before


async def test_a_profile_that_came_by_hand_is_not_written_over_by_a_new_agent(lab: Lab, client: httpx.AsyncClient) -> None:
    write(lab.home, "grace", "name: By hand\n")
    assert (await client.post("agents", json={"id": "grace"})).status_code == 409
    assert profile(lab, "grace") == "name: By hand\n"


async def test_a_new_agent_with_a_wrong_key_is_not_made(lab: Lab, client: httpx.AsyncClient) -> None:
    answer = await client.post("agents", json={"id": "grace", "max_steps": 900})
    assert (answer.status_code, answer.json()["field"]) == (422, "max_steps")
    assert not (lab.home / "agents" / "grace").exists()


# --- removing


@pytest.mark.spec("AGT-37", "JOB-31")
async def test_removal_moves_the_directory_aside_and_keeps_what_was_said(lab: Lab, client: httpx.AsyncClient) -> None:
    said = await ask(client, "ada", "remember me")
    for name in ("browser", "kernels", "sandbox-tmp"):
        (lab.home / name / "ada").mkdir(parents=True)
    assert (await client.patch("jobs/ada/morning/state", json={"paused": True})).status_code == 200
    answer = await client.delete("agents/ada")
    aside = Path(answer.json()["moved_to"])
    assert answer.status_code == 200
    assert answer.json()["removed"] == "ada"
    assert aside.parent == lab.home / "trash"
    assert (aside / "agent.yaml").read_text() == PROFILE
    assert not any((lab.home / name / "ada").exists() for name in ("agents", "browser", "kernels", "sandbox-tmp"))
    assert (await client.get("agents/ada")).status_code == 404
    assert (await client.get("jobs")).json()["jobs"] == []
    conversation = (await client.get(f"conversations/{said['conversation_id']}")).json()
    assert [message["content"] for message in conversation["messages"]] == ["remember me", "remember me"]
    listed = (await client.get("conversations", params={"agent": "ada"})).json()["conversations"]
    assert [one["id"] for one in listed] == [said["conversation_id"]]
    assert [run["id"] for run in (await client.get("activity/runs", params={"agent_id": "ada"})).json()["runs"]] == [said["run_id"]]
    assert (await client.post(f"conversations/{said['conversation_id']}/messages", json={"text": "more"})).status_code == 404
    again = await client.post("agents", json={"id": "ada", "schedules": yaml.safe_load(PROFILE)["schedules"]})
    assert again.status_code == 201
    assert not (await client.get("jobs")).json()["jobs"][0]["paused"]
    assert (await client.get("conversations", params={"agent": "nobody"})).status_code == 404


@pytest.mark.spec("AGT-37", "STO-40")
async def test_what_a_removed_agent_is_doing_goes_on_to_its_end(lab: Lab, client: httpx.AsyncClient) -> None:
    gate = gated(await lab.crew())
    assert (await client.patch("agents/ada", json={"routes": ["fake:gate"]})).status_code == 200
    running = asyncio.create_task(ask(client, "ada", "slow"))
    await gate.begun.wait()
    assert (await client.delete("agents/ada")).status_code == 200
    gate.open.set()
    assert "workspace_list" in (await running)["text"]


@pytest.mark.spec("AGT-19", "AGT-37")
async def test_the_master_cannot_be_removed(lab: Lab, client: httpx.AsyncClient) -> None:
    before = everything(lab.home)
    answer = await client.delete("agents/default")
    assert (answer.status_code, answer.json()["code"]) == (409, "master")
    assert everything(lab.home) == before
    assert (await client.delete("agents/nobody")).status_code == 404


@pytest.mark.spec("AGT-37")
async def test_a_removal_that_cannot_be_done_leaves_everything(
    lab: Lab, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    (lab.home / "kernels" / "ada").mkdir(parents=True)
    before = everything(lab.home)

    def busy(_path: Path, _target: Path) -> None:
        raise OSError(16, "Device or resource busy")

    monkeypatch.setattr(Path, "rename", busy)
    answer = await client.delete("agents/ada")
    assert (answer.status_code, answer.json()["code"]) == (409, "directory_busy")
    assert everything(lab.home) == before
    assert (lab.home / "kernels" / "ada").exists()
    assert (await client.get("agents/ada")).status_code == 200
    assert len((await client.get("jobs")).json()["jobs"]) == 1


# --- templates


@pytest.mark.spec("AGT-26", "AGT-27", "AGT-29", "AGT-30", "AGT-31")
async def test_a_template_joins_with_its_peers_and_what_exists_stays(lab: Lab, client: httpx.AsyncClient) -> None:
    found = {one["id"]: one for one in (await client.get("agents/templates")).json()["templates"]}
    assert set(found) == {"fullstack-developer", "kongming", "researcher"}
    assert found["fullstack-developer"]["brings"] == ["researcher", "kongming"]
    assert not found["kongming"]["installed"]
    mine = await client.post("agents", json={"id": "kongming", "name": "Mine"})
    assert mine.status_code == 201
    answer = await client.post("agents/install", json={"template": "fullstack-developer"})
    assert answer.json() == {"installed": ["fullstack-developer", "researcher"], "kept": ["kongming"]}
    assert (await client.get("agents/kongming")).json()["name"] == "Mine"
    developer = (await client.get("agents/fullstack-developer")).json()
    assert developer["declared"]["tools"] is None
    assert (developer["mode"], developer["code"], developer["notebooks"], developer["delegates"]) == (
        "work",
        "exec",
        "run",
        ["researcher", "kongming"],
    )
    assert "delegation" in (await client.get("agents/fullstack-developer/prompt")).json()["prompt"]
    assert (await client.get("agents/templates")).json()["templates"][2]["installed"]
    assert (await client.post("agents/install", json={"template": "nobody"})).status_code == 404
    again = await client.post("agents/install", json={"template": "researcher"})
    assert again.json() == {"installed": [], "kept": ["researcher"]}


@pytest.mark.spec("AGT-28")
@pytest.mark.parametrize("template", ["fullstack-developer", "kongming", "researcher"])
async def test_every_template_answers_as_it_is(lab: Lab, client: httpx.AsyncClient, template: str) -> None:
    assert (await client.post("agents/install", json={"template": template})).status_code == 200
    agent = (await client.get(f"agents/{template}")).json()
    assert agent["workspace"] == str(lab.home / "workspace")
    assert agent["routes"] is None
    assert agent["warnings"] == []
    assert (await client.get("agents/default")).json()["warnings"] == []
    assert (await ask(client, template, "hello"))["text"] == "hello"


@pytest.mark.spec("AGT-28")
async def test_a_role_can_be_pinned_to_a_folder_and_its_peers_are_not(lab: Lab, client: httpx.AsyncClient, tmp_path: Path) -> None:
    repository = tmp_path / "repo"
    answer = await client.post("agents/install", json={"template": "fullstack-developer", "workspace": str(repository)})
    assert answer.status_code == 200
    assert (await client.get("agents/fullstack-developer")).json()["workspace"] == str(repository)
    assert (await client.get("agents/researcher")).json()["workspace"] == str(lab.home / "workspace")
    assert (await client.post("agents/install", json={"template": "kongming", "workspace": ""})).json().get("field") == "workspace"


# --- persona files


@pytest.mark.spec("AGT-32", "MEMF-1", "MEMF-2")
async def test_persona_files_are_edited_and_act_on_the_next_turn(lab: Lab, client: httpx.AsyncClient) -> None:
    assert (await client.get("agents/ada/persona")).json() == {"files": {"PERSONA.md": "", "INSTRUCTIONS.md": ""}}
    answer = await client.put("agents/ada/persona", json={"files": {"PERSONA.md": "You count everything.\n"}})
    assert answer.json()["files"] == {"PERSONA.md": "You count everything.\n", "INSTRUCTIONS.md": ""}
    assert "You count everything." in (await client.get("agents/ada/prompt")).json()["prompt"]
    await client.put("agents/ada/persona", json={"files": {"PERSONA.md": ""}})
    assert not (lab.home / "agents" / "ada" / "PERSONA.md").exists()
    for name in ("agent.yaml", "../x", "MEMORY.md", ""):
        wrong = await client.put("agents/ada/persona", json={"files": {name: "x"}})
        assert (wrong.status_code, wrong.json()["field"]) == (422, "files")
    assert (await client.get("agents/nobody/persona")).status_code == 404
    (lab.home / "agents" / "ada" / "PERSONA.md").write_bytes(b"\xff\xfe")
    assert (await client.get("agents/ada/persona")).status_code == 409

"""The Telegram channel on a real crew, against a Bot API server on loopback that speaks the real JSON."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from crewlab.engine.channels.telegram import bot as bot_module
from crewlab.engine.channels.telegram import receiving as receiving_module
from crewlab.engine.channels.telegram import wire as wire_module
from crewlab.engine.clock import SystemClock
from crewlab.engine.crew import Crew, open_crew
from crewlab.engine.errors import StoreWriteFailed
from crewlab.engine.home.layout import Home
from crewlab.engine.models.base import ProviderError, Sound
from crewlab.engine.models.fake import FakeCall, FakeCost, FakeProvider, Scene, Script
from crewlab.engine.texts import Texts
from crewlab.engine.turn.attachments import Given
from tests.engine.script.test_calls import holding, make
from tests.fixtures import papers
from tests.fixtures.botapi import CHAT, TOKEN, BotApi, Fault

EN = Texts()
PROFILE = f"telegram:\n  token_env: BOT_TOKEN\n  chat_id: {CHAT}\n  approval_ttl_seconds: 900\n"
WRITE = '/tool workspace_write {"path": "a.txt", "content": "hi"}'


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_module, "PAUSES", (0.01, 0.01, 0.01))
    monkeypatch.setattr(bot_module, "CONFLICT_SECONDS", 0.01)
    monkeypatch.setattr(bot_module, "LONGEST_BACKOFF", 0.01)


@pytest.fixture
async def api() -> AsyncIterator[BotApi]:
    async with BotApi() as found:
        yield found


@asynccontextmanager
async def crew_on(
    root: Path, api: BotApi, scripts: dict[str, Script] | None = None, routes: str = "fake:echo", profile: str = PROFILE
) -> Any:
    root.mkdir(parents=True, exist_ok=True)
    (root / "agent.yaml").write_text(profile)
    environ = {"CREWLAB_ROUTES": routes, "BOT_TOKEN": TOKEN, "TELEGRAM_API_URL": api.url}
    crew = await open_crew(Home(root), environ=environ, clock=SystemClock(), person=lambda: True)
    fake = FakeProvider(crew.texts)
    for name, script in (scripts or {}).items():
        fake.register(name, script)
    crew.models.plug(fake)
    await crew.start()
    try:
        yield crew
    finally:
        await crew.stop()


def conversation_of(crew: Crew) -> str:
    assert crew.telegram.bot is not None
    return crew.telegram.bot.chat.conversation()


def endless(gate: asyncio.Event) -> Script:
    async def script(scene: Scene) -> AsyncIterator[object]:
        if scene.last_user == "wait":
            await gate.wait()
        yield f"heard {scene.last_user}"

    return script


@pytest.mark.spec("CHN-1", "CHN-3", "CHN-4", "CHN-14", "TURN-13")
async def test_a_message_of_the_chat_is_a_turn_of_the_master_and_its_answer_comes_back(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api) as crew:
        api.say("chào buổi sáng")
        await api.until(1)
        assert api.texts == ["chào buổi sáng"]
        (run,) = crew.runs.list()[0]
        assert (run.source, run.agent_id, run.status) == ("telegram", "default", "done")
        conversation = crew.conversations.detail(run.conversation_id)
        assert (conversation.source, conversation.approval_ttl_seconds) == ("telegram", 900)
        api.say("again")
        await api.until(2)
        assert len(crew.conversations.detail(run.conversation_id).messages) == 4


@pytest.mark.spec("CHN-5")
async def test_other_chats_are_dropped_and_counted_without_their_text(
    tmp_path: Path, api: BotApi, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    async with crew_on(tmp_path, api) as crew:
        api.say("let me in, my secret is 1234", chat=666)
        api.say("/status", chat=666)
        await api.idle()
        assert (crew.runs.list()[0], api.sent) == ([], [])
        assert "2 update(s) of other chats were dropped" in caplog.text
        assert "1234" not in caplog.text


async def test_a_fault_over_a_message_is_told_in_the_chat_and_the_next_one_is_answered(
    tmp_path: Path, api: BotApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with crew_on(tmp_path, api) as crew:
        with monkeypatch.context() as faulty:
            faulty.setattr(receiving_module.Receiver, "_message", AsyncMock(side_effect=KeyError("room")))
            api.say("one")
            await api.until(1)
        api.say("two")
        await api.until(2)
        assert api.texts == [EN("telegram.stumbled", kind="KeyError"), "two"]
        assert len(crew.runs.list()[0]) == 1


@pytest.mark.spec("CHN-6", "FG-1", "FG-2")
async def test_no_update_is_answered_twice_even_when_the_offset_is_lost(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api) as crew:
        api.say("one")
        api.say("/new")
        await api.until(2)
        api.lose_offsets = True  # Telegram hands out everything again, for ever
        await api.idle()
        crew.store.db.write("DELETE FROM channel_state WHERE key = 'offset'")
        await api.idle()
        assert sorted(api.texts) == sorted(["one", EN("telegram.new")])
        assert len(crew.runs.list()[0]) == 1
    async with crew_on(tmp_path, api) as crew:
        crew.store.db.write("DELETE FROM channel_state WHERE key = 'offset'")
        await api.idle()
        assert len(crew.runs.list()[0]) == 1


@pytest.mark.spec("CHN-6", "FG-4", "FG-5")
async def test_a_message_that_cannot_be_stored_is_handed_out_again(tmp_path: Path, api: BotApi, monkeypatch: pytest.MonkeyPatch) -> None:
    async with crew_on(tmp_path, api) as crew:
        await api.idle()
        insert, tried = crew.store.runs.insert, []

        def full_once(*args: Any) -> None:
            tried.append(args)
            if len(tried) == 1:
                raise StoreWriteFailed("the disk is full")
            insert(*args)

        monkeypatch.setattr(crew.store.runs, "insert", full_once)
        api.say("hello")
        await api.until(1)
        assert api.texts == ["hello"]
        assert (len(tried), len(crew.runs.list()[0])) == (2, 1)


@pytest.mark.spec("CHN-9", "QUE-1", "FG-5")
async def test_messages_while_a_turn_runs_are_queued_and_acknowledged(tmp_path: Path, api: BotApi) -> None:
    gate = asyncio.Event()
    async with crew_on(tmp_path, api, {"slow": endless(gate)}, "fake:slow"):
        api.say("wait")
        await api.idle()
        api.say("two")
        api.say("three")
        api.say("/steer left")
        await api.until(3)
        assert api.texts == [
            EN("telegram.queued", position=1),
            EN("telegram.queued", position=2),
            EN("telegram.queued_steer"),
        ]
        gate.set()
        await api.until(5)
        assert api.texts[3] == "heard wait"
        assert "two" in api.texts[4]
        assert "three" in api.texts[4]


@pytest.mark.spec("CHN-7", "FG-8")
async def test_a_second_poller_is_said_once_and_tried_again(tmp_path: Path, api: BotApi, caplog: pytest.LogCaptureFixture) -> None:
    api.other_poller = True
    async with crew_on(tmp_path, api) as crew:
        async with asyncio.timeout(20):
            while len([1 for name, _ in api.calls if name == "getUpdates"]) < 4:
                await asyncio.sleep(0.01)
        assert crew.telegram.describe()[0].problem == EN("telegram.conflict")
        assert caplog.text.count(EN("telegram.conflict")) == 1
        api.other_poller = False
        api.say("hello")
        await api.until(1)
        assert crew.telegram.describe()[0].problem == ""


@pytest.mark.spec("CHN-41", "CHN-42", "TOOL-53")
async def test_a_wrong_token_is_explained_and_never_shown(tmp_path: Path, api: BotApi, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    (tmp_path / "agent.yaml").write_text(PROFILE)
    other = tmp_path / "agents" / "other"
    other.mkdir(parents=True)
    (other / "agent.yaml").write_text(PROFILE.replace("BOT_TOKEN", "OTHER_TOKEN"))
    environ = {"CREWLAB_ROUTES": "fake:echo", "BOT_TOKEN": "1:wrong-secret", "TELEGRAM_API_URL": api.url}
    crew = await open_crew(Home(tmp_path), environ=environ)
    await crew.start()
    try:
        async with asyncio.timeout(20):
            while not crew.telegram.describe()[0].problem:
                await asyncio.sleep(0.01)
        states = [(one.agent_id, one.token_env, one.configured, one.ignored) for one in crew.telegram.describe()]
        assert states == [("default", "BOT_TOKEN", True, False), ("other", "OTHER_TOKEN", False, True)]
        assert crew.telegram.describe()[0].problem == EN("telegram.token_wrong", variable="BOT_TOKEN")
    finally:
        await crew.stop()
    stand_in = ("tornado", "ServerApp")  # its own log
    own = [record.getMessage() for record in caplog.records if not record.name.startswith(stand_in)]
    assert not any("wrong-secret" in line for line in own)


@pytest.mark.spec("CHN-2")
async def test_the_bot_follows_block_and_key_without_a_restart(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api, profile="name: Crew\n") as crew:
        assert crew.telegram.bot is None
        from crewlab.engine.agents.roster import load_roster

        (tmp_path / "agent.yaml").write_text(PROFILE)
        crew.roster._agents = load_roster(crew.home, crew.settings, crew.texts)._agents
        await crew.telegram.rebuild()
        api.say("hi")
        await api.until(1)
        (tmp_path / "agent.yaml").write_text("name: Crew\n")
        crew.roster._agents = load_roster(crew.home, crew.settings, crew.texts)._agents
        await crew.telegram.rebuild()
        assert crew.telegram.bot is None


@pytest.mark.spec("CHN-11", "CHN-12", "CHN-10", "GATE-32", "GATE-58")
async def test_a_request_is_announced_with_its_buttons_and_decided_in_the_chat(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api) as crew:
        api.say(WRITE)
        await api.until(1)
        assert "workspace_write" in api.texts[0]
        assert "a.txt" in api.texts[0]
        words = [button["text"] for button in json.loads(api.sent[0]["reply_markup"])["inline_keyboard"][0]]
        assert words == [EN("telegram.button_approve"), EN("telegram.button_deny")]  # there is no "always"
        api.say("please do")
        await api.until(2)
        assert api.texts[1] == EN("telegram.decide_first")
        api.press(0, 0)
        await api.until(4)
        assert EN("telegram.decided_approved", tool="workspace_write") in api.texts[2:]
        assert (crew.roster.master.workspace / "a.txt").read_text() == "hi"
        api.press(0, 1)  # too late
        await api.until(5)
        assert "approved" in api.texts[4]


@pytest.mark.spec("CHN-10", "CHN-13")
async def test_several_requests_are_numbered_and_a_decision_of_the_panel_is_told(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api) as crew:
        first = crew.conversations.create(source="job:default/x")
        from crewlab.engine.turn.host import Opening

        crew.host.open(crew.store.conversations.get(first.id), Opening(WRITE, "job:default/x"))
        await api.until(1)
        api.say(WRITE)
        await api.until(2)
        api.say("/approve")
        await api.until(3)
        assert "1. workspace_write" in api.texts[2]
        assert "2. workspace_write" in api.texts[2]
        api.say("/deny 2")
        await api.until(5)
        assert EN("telegram.decided_denied", tool="workspace_write") in api.texts[3:]
        pending = crew.approvals.list(status="pending")
        assert [one.conversation_id for one in pending] == [first.id]
        await crew.approvals.decide(pending[0].id, "approve")
        await api.until(6)
        said = EN("telegram.decided_approved", tool="workspace_write")
        assert EN("telegram.decided_elsewhere", said=said) in api.texts
        api.say("/approve")
        async with asyncio.timeout(20):
            while EN("telegram.no_request") not in api.texts:
                await asyncio.sleep(0.01)


@pytest.mark.spec("CHN-12", "CHN-10")
async def test_plain_text_answers_an_open_question(tmp_path: Path, api: BotApi) -> None:
    ask = """/tool ask_user {"question": "Which color?", "options": [{"label": "red"}, {"label": "blue"}], "default": "red"}"""
    async with crew_on(tmp_path, api) as crew:
        api.say(ask)
        await api.until(1)
        assert "Which color?" in api.texts[0]
        assert "– red" in api.texts[0]
        api.say("blue")
        await api.until(3)
        assert EN("telegram.decided_answered", tool="ask_user") in api.texts
        assert "blue" in "".join(api.texts[1:])
        api.say(ask)
        await api.until(4)
        api.say("/skip")
        async with asyncio.timeout(20):
            while EN("telegram.decided_skipped", tool="ask_user") not in api.texts:
                await asyncio.sleep(0.01)
        assert crew.approvals.list(status="pending") == []


@pytest.mark.spec("CHN-10")
@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("/help", "help"),
        ("/start", "help"),
        ("/stop", "nothing_to_stop"),
        ("/approve", "no_request"),
        ("/answer x", "no_question"),
        ("/skip", "no_question"),
        ("/jobs", "jobs_none"),
        ("/new", "new"),
    ],
)
async def test_commands_are_answered_without_a_model_call(tmp_path: Path, api: BotApi, command: str, key: str) -> None:
    async with crew_on(tmp_path, api) as crew:
        api.say(command)
        await api.until(1)
        assert api.texts == [EN(f"telegram.{key}")]
        assert crew.runs.list()[0] == []


@pytest.mark.spec("CHN-10")
async def test_status_team_jobs_cost_and_switches(tmp_path: Path, api: BotApi) -> None:
    profile = PROFILE + "schedules:\n- id: daily\n  name: Morning\n  cron: 0 7 * * *\n  prompt: x\n"
    async with crew_on(tmp_path, api, profile=profile) as crew:
        for command in ("/status", "/team", "/jobs", "/cost", "/plan on", "/plan", "/steer", "/unknown thing"):
            api.say(command)
        await api.until(8)
        said = "\n---\n".join(api.texts)
        assert "Next jobs: Morning" in said
        assert "Crew (default, chat)" in said
        assert "Morning: Every day at 07:00" in said
        assert "Today: $0.0000" in said
        assert crew.conversations.detail(conversation_of(crew)).plan is True
        assert EN("telegram.switch_how", name="plan") in api.texts
        assert "/unknown thing" in api.texts  # an ordinary message


@pytest.mark.spec("CHN-8", "CHN-10", "QUE-19")
async def test_stop_ends_the_turn_and_says_what_was_cleared(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api, {"slow": endless(asyncio.Event())}, "fake:slow"):
        api.say("wait")
        await api.idle()
        api.say("more")
        await api.until(1)
        api.say("/stop")
        await api.until(3)
        assert EN("telegram.stopped_cleared", texts="– more") in api.texts
        assert EN("telegram.interrupted") in api.texts


@pytest.mark.spec("CHN-16", "CHN-17", "CHN-18", "CHN-19", "MED-2", "MED-4")
async def test_files_that_an_answer_names_are_sent_or_the_chat_says_why_not(tmp_path: Path, api: BotApi) -> None:
    lines = ["See:", "MEDIA: chart.png", "FILE: data.csv", "FILE: chart.png", "FILE: .env", "FILE: ../secrets/k.csv", "MEDIA: gone.png"]
    lines += ["MEDIA: a.svg", "```", "FILE: data.csv", "```"]

    async def script(_scene: Scene) -> AsyncIterator[object]:
        yield "\n".join(lines)

    async with crew_on(tmp_path, api, {"s": script}, "fake:s") as crew:
        workspace = crew.roster.master.workspace
        workspace.mkdir(parents=True, exist_ok=True)
        (workspace / "chart.png").write_bytes(papers.picture())
        (workspace / "data.csv").write_bytes(b"a;b\r\n1;2\r\n")
        (workspace / ".env").write_text("KEY=1")
        api.say("go")
        await api.until(8)
        first, *rest = api.sent
        assert "FILE: data.csv" in first["text"]  # inside a code block it is text
        assert "MEDIA" not in first["text"]
        assert [one["photo"][1] for one in rest if "photo" in one] == [papers.picture()] * 2
        assert [one["document"] for one in rest if "document" in one] == [("data.csv", b"a;b\r\n1;2\r\n")]
        assert api.texts[1:] == [
            EN("telegram.file_kind", path=".env"),
            EN("telegram.file_missing", path="../secrets/k.csv"),
            EN("telegram.file_missing", path="gone.png"),
            EN("telegram.file_kind", path="a.svg"),
        ]


@pytest.mark.spec("CHN-22", "FG-11")
async def test_markdown_that_telegram_refuses_is_sent_again_as_plain_text(tmp_path: Path, api: BotApi) -> None:
    refusal = {"ok": False, "error_code": 400, "description": "Bad Request: ENTITY_BOUNDS_INVALID"}
    api.faults["sendMessage"] = [Fault(400, refusal)]
    async with crew_on(tmp_path, api):
        api.say("**bold** and `a_b*c`")
        await api.until(1)
        assert (api.texts, api.sent[0].get("entities")) == (["bold and a_b*c"], None)


@pytest.mark.spec("CHN-23")
async def test_a_flood_is_waited_for_and_the_message_arrives_once(tmp_path: Path, api: BotApi) -> None:
    flood = {"ok": False, "error_code": 429, "description": "Too Many Requests: retry after 1", "parameters": {"retry_after": 1}}
    gateway = {"ok": False, "error_code": 500, "description": "Internal Server Error"}
    api.faults["sendMessage"] = [Fault(429, flood), Fault(500, gateway)]
    async with crew_on(tmp_path, api) as crew:
        api.say("hello")
        await api.until(1)
        await api.idle()
        assert api.texts == ["hello"]
        async with asyncio.timeout(20):
            while crew.store.channel("telegram").waiting():
                await asyncio.sleep(0.01)
        (row,) = crew.store.channel("telegram").of_run(crew.runs.list()[0][0].id)
        assert row.status == "sent"


@pytest.mark.spec("CHN-23", "FG-7")
async def test_a_send_whose_fate_is_unknown_is_not_sent_again_and_stands_on_the_run(tmp_path: Path, api: BotApi) -> None:
    api.faults["sendMessage"] = [Fault(cut="after")]
    async with crew_on(tmp_path, api) as crew:
        api.say("hello")
        await api.until(1)
        async with asyncio.timeout(20):
            while crew.store.channel("telegram").waiting():
                await asyncio.sleep(0.01)
        run = crew.runs.list()[0][0]
        assert [one.status for one in crew.store.channel("telegram").of_run(run.id)] == ["unknown"]
        assert run.steps[-1].text == EN("telegram.fate_unknown")
        assert len(api.sent) == 1


@pytest.mark.spec("CHN-23", "FL-8")
async def test_a_lasting_refusal_is_not_retried_and_does_not_hold_up_the_next_message(tmp_path: Path, api: BotApi) -> None:
    blocked = {"ok": False, "error_code": 403, "description": "Forbidden: bot was blocked by the user"}
    api.faults["sendMessage"] = [Fault(403, blocked)]
    async with crew_on(tmp_path, api) as crew:
        api.say("one")
        async with asyncio.timeout(20):
            while api.faults["sendMessage"] or crew.store.channel("telegram").waiting():
                await asyncio.sleep(0.01)
        api.say("two")
        await api.until(1)
        async with asyncio.timeout(20):
            while crew.store.channel("telegram").waiting():
                await asyncio.sleep(0.01)
        rows = [row for run in crew.runs.list()[0] for row in crew.store.channel("telegram").of_run(run.id)]
        assert sorted(row.status for row in rows) == ["failed", "sent"]
        assert [row.error for row in rows if row.error] == [EN("telegram.fate_failed", why="Forbidden: bot was blocked by the user")]


@pytest.mark.spec("RES-8", "RES-9", "FL-5", "JOB-41")
async def test_answers_that_were_not_sent_when_the_process_ended_are_sent_once_after_it(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api) as crew:
        api.say("hello")
        await api.until(1)
        run = crew.runs.list()[0][0]
        channel = crew.store.channel("telegram")
        async with asyncio.timeout(20):
            while channel.waiting():
                await asyncio.sleep(0.01)
        crew.store.db.write("DELETE FROM outbox")  # the process died between the end of the turn and this row
        channel.put("failed", "run_of_a_job", "default", None, "the job failed", crew._parts.now())  # … or before it was sent
    assert len(api.sent) == 1
    async with crew_on(tmp_path, api) as crew:
        await api.until(3)
        assert sorted(api.texts[1:]) == ["hello", "the job failed"]
        async with asyncio.timeout(20):
            while crew.store.channel("telegram").waiting():
                await asyncio.sleep(0.01)
    async with crew_on(tmp_path, api) as crew:
        await api.idle()
        assert len(api.sent) == 3
        assert [row.status for row in crew.store.channel("telegram").of_run(run.id)] == ["sent"]


@pytest.mark.spec("FG-7", "CHN-23")
async def test_what_was_being_sent_when_the_process_died_is_unknown_and_the_rest_is_sent(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api, profile="name: Crew\n") as crew:
        channel = crew.store.channel("telegram")
        channel.put("answer", "run_x", "default", None, "\n\n".join("para " * 700 for _ in range(3)), crew._parts.now())
        crew.store.db.write("UPDATE outbox SET status = 'sending', parts = 1")
    async with crew_on(tmp_path, api) as crew:
        async with asyncio.timeout(20):
            while crew.store.channel("telegram").waiting():
                await asyncio.sleep(0.01)
        assert len(api.sent) == 1  # the third part; the first was there, of the second nobody knows
        assert [row.status for row in crew.store.channel("telegram").of_run("run_x")] == ["unknown"]


@pytest.mark.spec("CHN-15", "RES-12")
async def test_a_shutdown_in_a_turn_is_told_and_the_turn_is_continued(tmp_path: Path, api: BotApi) -> None:
    gate = asyncio.Event()
    async with crew_on(tmp_path, api, {"slow": endless(gate)}, "fake:slow"):
        api.say("wait")
        await api.idle()
    assert api.texts == [EN("telegram.shutdown")]
    gate.set()
    async with crew_on(tmp_path, api, {"slow": endless(gate)}, "fake:slow"):
        await api.until(2)
        assert api.texts[1] == "heard wait"


@pytest.mark.spec("FA-5", "CHN-11")
async def test_a_request_made_while_nobody_looked_is_announced_at_the_next_start(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api):
        api.say(WRITE)
        await api.until(1)
    async with crew_on(tmp_path, api) as crew:
        await api.until(2)
        assert api.texts[1] == api.texts[0]
        api.say("/approve")
        await api.until(4)
        assert (crew.roster.master.workspace / "a.txt").read_text() == "hi"


@pytest.mark.spec("CHN-24", "CHN-25", "CHN-26", "CHN-28", "CHN-30")
async def test_documents_and_photos_land_in_the_inbox_and_the_model_reads_their_paths(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api) as crew:
        api.document("../../etc/passwd\x00 báo cáo.csv", b"a;b", caption="read this")
        await api.until(1)
        inbox = crew.roster.master.workspace / "inbox"
        (path,) = inbox.iterdir()
        assert path.read_bytes() == b"a;b"
        assert path.name.endswith("Z-passwd báo cáo.csv")
        assert path.stat().st_mode & 0o777 == 0o600
        assert api.texts[0] == "read this"
        (attached,) = crew.attached.list(conversation_of(crew))
        assert (attached.name, attached.type, attached.size, attached.path) == ("passwd báo cáo.csv", "text/csv", 3, str(path))
        (told,) = said_before(crew)
        assert told.endswith(f"[attachment {attached.id}] passwd báo cáo.csv (text/csv, 3 bytes) {path}")
        api.photo(papers.picture(kind="JPEG"))
        await api.until(2)
        photo = next(one for one in inbox.iterdir() if one.suffix == ".jpg")
        assert photo.read_bytes() == papers.picture(kind="JPEG")  # the largest size
        api.document("a.txt", b"1", caption="album", media_group_id="g")
        api.document("a.txt", b"2", media_group_id="g")
        await api.until(3)
        assert api.texts[1].startswith("[attachment att_")  # a model that sees nobody's words sees what came
        assert api.texts[2] == "album"
        assert said_before(crew)[2].count("[attachment att_") == 2
        assert len(list(inbox.glob("*a.txt"))) == 2


@pytest.mark.spec("CHN-24", "PTL-89", "PTL-91")
async def test_files_beyond_the_twenty_of_a_conversation_are_in_the_inbox_only(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api) as crew:
        api.say("hello")
        await api.until(1)
        conversation = conversation_of(crew)
        for number in range(19):
            await crew.attached.add(conversation, Given(f"{number}.txt", b"x"))
        api.document("last.txt", b"1", caption="two more", media_group_id="g")
        api.document("over.txt", b"2", media_group_id="g")
        await api.until(2)
        assert api.texts[1].startswith("two more\n[attachment] ")  # no id: it is not attached
        assert "over.txt (text/plain, 1 byte) /" in api.texts[1]
        assert "last.txt (text/plain, 1 byte) /" in said_before(crew)[-1]
        assert len(crew.attached.list(conversation)) == 20
        assert len(list((crew.roster.master.workspace / "inbox").glob("*over.txt"))) == 1


@pytest.mark.spec("CHN-24", "CHN-12")
async def test_a_file_that_comes_while_a_request_is_open_stays_in_the_inbox_and_is_not_attached(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api) as crew:
        api.say(WRITE)
        await api.until(1)
        api.document("a.csv", b"1", caption="and this")
        await api.until(2)
        assert api.texts[1] == EN("telegram.decide_first")
        assert crew.attached.list(conversation_of(crew)) == []
        assert list(crew.home.attachments(conversation_of(crew)).iterdir()) == []
        assert len(list((crew.roster.master.workspace / "inbox").iterdir())) == 1


def said_before(crew: Crew) -> list[str]:
    """What the system put before each message of the chat about the files it brought."""
    messages = crew.store.messages.list(conversation_of(crew))
    return [message.context["parts"][-1] for message in messages if message.context and message.context.get("attachments")]


@pytest.mark.spec("CHN-26", "CHN-27", "CHN-29")
async def test_what_cannot_be_taken_is_said(tmp_path: Path, api: BotApi) -> None:
    async with crew_on(tmp_path, api) as crew:
        api.document("big.zip", b"")
        api.updates[-1]["message"]["document"]["file_size"] = 20 * 1024 * 1024 + 1
        api.voice()
        api._update({"location": {"latitude": 10.8, "longitude": 106.6}})
        api.updates.append({"update_id": api._next + 1, "edited_message": {**api.updates[-1]["message"], "text": "edited"}})
        api._next += 1
        await api.until(3)
        await api.idle()
        assert api.texts == [EN("telegram.too_large"), EN("telegram.need_text"), EN("telegram.kinds")]
        assert crew.runs.list()[0] == []


@pytest.mark.spec("CHN-27", "COST-9")
async def test_a_voice_message_is_written_down_by_the_audio_route_and_kept(tmp_path: Path, api: BotApi) -> None:
    asked: list[Any] = []

    async def script(scene: Scene) -> AsyncIterator[object]:
        asked.append(scene.request)
        yield FakeCost(0.25)
        yield "  remind me of the ferry \n"

    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "config.yaml").write_text("audio_routes: [fake:ears]\n")
    async with crew_on(tmp_path, api, {"ears": script}) as crew:
        api.voice()
        await api.until(1)
        assert api.texts == ["remind me of the ferry"]  # the echo of what was said
        (request,) = asked
        assert request.messages[0].sounds == (Sound("ogg", b"OggS"),)
        (kept,) = (crew.roster.master.workspace / "inbox").iterdir()
        assert kept.read_bytes() == b"OggS"
        conversation = crew.conversations.summary(conversation_of(crew))
        assert conversation.spent_usd == 0.25
        assert crew.store.db.rows("SELECT purpose FROM side_calls WHERE conversation_id = ?", (conversation.id,))[0]["purpose"] == "audio"


@pytest.mark.spec("CHN-27")
@pytest.mark.parametrize("said", ["", "  \n", None])
async def test_a_voice_message_of_which_nothing_could_be_written_down_is_said(tmp_path: Path, api: BotApi, said: str | None) -> None:
    async def script(scene: Scene) -> AsyncIterator[object]:
        if said is None:
            raise ProviderError("no ears today")
        yield said

    tmp_path.mkdir(exist_ok=True)
    (tmp_path / "config.yaml").write_text("audio_routes: [fake:ears]\n")
    async with crew_on(tmp_path, api, {"ears": script}) as crew:
        api.voice()
        await api.until(1)
        assert "Please write." in api.texts[0]
        assert ("no ears today" if said is None else "nothing was heard") in api.texts[0]
        assert crew.runs.list()[0] == []
        assert len(list((crew.roster.master.workspace / "inbox").iterdir())) == 1


@pytest.mark.spec("CHN-20", "CHN-21", "CNV-81", "CNV-83", "CNV-84", "MED-9")
async def test_canvases_of_a_turn_are_listed_and_sent_when_the_answer_names_them(tmp_path: Path, api: BotApi) -> None:
    async def script(scene: Scene) -> AsyncIterator[object]:
        if scene.tool_result is None:
            yield FakeCall("artifact_create", json.dumps({"title": "Reactor notes", "kind": "markdown", "content": "# Xenon"}))
        else:
            tag = scene.tool_result.split("]")[0].split()[1]
            yield f"Here it is, and [artifact x v9] is no tag.\nFILE: artifact:{tag}\nFILE: artifact:nothing"

    async with crew_on(tmp_path, api, {"s": script}, "fake:s"):
        api.say("write it down")
        await api.until(4)
        sent, lost = api.sent[1], api.texts[1]
        assert sent["document"][1] == b"# Xenon"
        assert lost == EN("telegram.file_artifact", path="nothing")
        assert api.texts[2] == EN("telegram.canvases", lines="Reactor notes (v1)")


@pytest.mark.spec("SCR-142", "CNV-83", "CHN-21")
@pytest.mark.parametrize("end", ["", "\n1 / 0"])
async def test_canvases_that_a_script_wrote_are_listed_and_tags_it_prints_are_not(tmp_path: Path, api: BotApi, end: str) -> None:
    source = (
        "text = tools.artifact_create(title='By a script', kind='markdown', content='x')\nprint(text[:text.index(']') + 1])\n"
        "tools.artifact_edit(id=text[10:].split(' ')[0], old='x', new='y')\n"
        "try:\n    tools.artifact_create(title='', kind='none', content='')\nexcept RuntimeError:\n    pass\n"
        f"tools.say(text=text[:text.index(' v')] + ' v9]')\nprint('[artifact other v9]'){end}"
    )

    async def script(scene: Scene) -> AsyncIterator[object]:
        if scene.tool_result is None:
            yield FakeCall("tool_script", json.dumps({"script": source}))
        else:
            yield f"Done. {scene.tool_result.split(chr(10))[0]}"

    async def say(arguments: Any, _context: Any) -> str:
        return str(arguments["text"])  # what another tool says is no tag either

    async with crew_on(tmp_path, api, {"s": script}, "fake:s", PROFILE + "script_calls: gated\n") as crew, holding(crew, make("say", say)):
        api.say("write it down")
        await api.until(2)
        assert api.texts[1] == EN("telegram.canvases", lines="By a script (v2)")


@pytest.mark.spec("JOB-40", "JOB-43", "MED-10")
async def test_jobs_push_their_answers_and_failures_to_the_chat(tmp_path: Path, api: BotApi) -> None:
    agent = tmp_path / "agents" / "writer"
    agent.mkdir(parents=True)
    lines = "- id: a\n  every: 1h\n  prompt: 'MEDIA: pic.png'\n- id: b\n  every: 1h\n  command: x\n"
    (agent / "agent.yaml").write_text(f"name: Writer\nschedules:\n{lines}")
    (agent / "workspace").mkdir()
    (agent / "workspace" / "pic.png").write_bytes(papers.picture())
    async with crew_on(tmp_path, api) as crew:
        crew.jobs.run_now("writer/a")
        await api.until(2)
        assert api.texts == ["[Writer]"]
        assert api.sent[1]["photo"][1] == papers.picture()
        crew.jobs.run_now("writer/b")
        await api.until(3)
        assert api.texts[1].startswith("[Writer] The job b failed: ")


@pytest.mark.spec("CHN-8", "COST-5")
async def test_a_turn_that_fails_says_so_in_the_chat(tmp_path: Path, api: BotApi) -> None:
    async def failing(_scene: Scene) -> AsyncIterator[object]:
        raise ProviderError("quota exhausted")
        yield ""

    async with crew_on(tmp_path, api, {"bad": failing}, "fake:bad"):
        api.say("hi")
        await api.until(1)
        assert "quota exhausted" in api.texts[0]


@pytest.mark.spec("CHN-10", "KIT-9", "KIT-13")
async def test_commands_of_kits_work_in_the_chat_and_are_named_by_help(tmp_path: Path, api: BotApi) -> None:
    commands = tmp_path / ".claude" / "commands"
    commands.mkdir(parents=True)
    (commands / "look.md").write_text("Look at $1.")
    (commands / "stop.md").write_text("taken over")
    gate = asyncio.Event()
    async with crew_on(tmp_path, api, {"main": endless(gate)}, routes="fake:main") as crew:
        api.say("/look here now")
        await api.until(1)
        api.say("/look@crew_bot there")
        await api.until(2)
        assert api.texts == ["heard Look at here.", "heard Look at there."]
        opening = crew.conversations.detail(conversation_of(crew)).messages[0]
        assert (opening.written_by, opening.context["command"]) == ("kit", {"name": "look", "typed": "/look here now"})
        api.say("/stop")
        await api.until(3)
        assert api.texts[2] == EN("telegram.nothing_to_stop")
        api.say("/help")
        await api.until(4)
        assert api.texts[3].endswith(EN("kits.help", names="/look"))
        api.say("wait")
        api.say("/look up")
        await api.until(5)
        assert api.texts[4] == EN("telegram.queued_steer")
        gate.set()
        await api.until(6)

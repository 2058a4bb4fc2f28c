"""Exports of runs and conversations on a real crew (TURN-100 to TURN-109)."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.clock import FakeClock
from crewlab.engine.errors import NotFound
from crewlab.engine.records import Run, ToolCall
from crewlab.engine.turn.exported import RESULT_CHARS
from crewlab.engine.turn.exports import file_name
from crewlab.engine.turn.masking import MASKED
from tests.fixtures.crews import a_crew, say

SECRET = "quiet-0815-value-of-a-key"
READ = '/tool workspace_read {"path": "long.txt"}'


async def exported(crew, run_id, **how):
    return json.loads((await crew.exports.run(run_id, "json", full=how.get("full", False))).text)


def run_of(crew, id, index=0):
    return sorted(crew.runs.list(conversation_id=id)[0], key=lambda run: run.started_at)[index]


def a_child(crew, name, call, source, created_at, parent=None):
    """A child conversation with one run and one message."""
    crew.store.conversations.insert(
        {
            **{"id": name, "agent_id": "other", "title": name, "source": source, "parent_id": parent, "parent_call_id": call},
            **{"created_at": created_at, "updated_at": created_at},
        }
    )
    crew.store.runs.insert(
        Run(id=f"run-{name}", agent_id="other", source=source, conversation_id=name, status="done", after_seq=0, started_at=created_at), ()
    )
    crew.store.messages.append(name, "assistant", f"answer of {name}", created_at)


@pytest.mark.spec("TURN-100", "TURN-89", "TURN-101")
async def test_a_run_is_exported_with_exactly_its_messages_and_every_call(tmp_path):
    async with a_crew(tmp_path) as crew:
        id, _ = await say(crew, "before")
        await say(crew, '/tool workspace_list {"path": "."}', id)
        await say(crew, "after", id)
        run = run_of(crew, id, 1)
        found = await exported(crew, run.id)
        stored = crew.conversations.detail(id).messages
        assert [m["seq"] for m in found["messages"]] == [m.seq for m in stored if m.seq > 2][:-2]
        assert found["messages"][0]["content"] == '/tool workspace_list {"path": "."}'
        assert "after" not in json.dumps(found["messages"])
        assert found["slice"] == "by_seq"
        assert found["run"]["id"] == run.id
        assert len(found["run"]["steps"]) == len(run.steps)
        (call,) = found["tool_calls"]
        assert (call["name"], call["arguments"], call["outcome"], call["result_cut"]) == ("workspace_list", {"path": "."}, "ok", False)
        assert call["result"] == next(m.content for m in stored if m.role == "tool")
        assert "payer" not in json.dumps(found)


@pytest.mark.spec("TURN-101")
async def test_a_run_without_a_mark_is_cut_by_time_and_says_so(tmp_path):
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock) as crew:
        id = None
        for text in ("one", "two", "three"):
            id, _ = await say(crew, text, id)
            clock.advance(60)
        run = run_of(crew, id, 1)
        crew.store.db.write("UPDATE runs SET after_seq = NULL WHERE id = ?", (run.id,))
        found = await exported(crew, run.id)
        assert found["slice"] == "by_time"
        assert [m["content"] for m in found["messages"]] == ["two", "two"]
        assert "slice: by_time" in (await crew.exports.run(run.id, "md", full=False)).text


@pytest.mark.spec("TURN-100", "TURN-102", "TURN-103")
async def test_children_come_along_only_when_their_run_names_this_conversation_and_a_scripts_only_from_its_time(tmp_path):
    clock = FakeClock()
    async with a_crew(tmp_path, clock=clock) as crew:
        id, _ = await say(crew, "hello")
        run = run_of(crew, id)
        at = run.started_at
        clock.advance(60)
        later = crew._parts.now()
        calls = (
            ToolCall(id="D", name="delegate", arguments={"agent": "other"}),
            ToolCall(id="S_1", name="tool_script", arguments={"code": ""}),
            ToolCall(id="W", name="vibe", arguments={}),
        )
        crew.store.messages.append(id, "assistant", "", at, tool_calls=calls)
        own = f"delegate:{id}"
        a_child(crew, "direct", "D", own, at)
        a_child(crew, "foreign", "D", "delegate:c_other", at)
        a_child(crew, "of-script", "S_1:1", own, at)
        a_child(crew, "still", "S_1:2", own, run.ended_at)
        a_child(crew, "too-late", "S_1:3", own, later)
        a_child(crew, "other-script", "S21:1", own, at)
        a_child(crew, "worker", "W", f"vibe:{id}", at)
        found = await exported(crew, run.id)
        assert {child["conversation_id"]: child["tool_call_id"] for child in found["children"]} == {
            "direct": "D",
            "of-script": "S_1:1",
            "still": "S_1:2",
        }
        direct = found["children"][0]
        assert (direct["messages"][0]["content"], direct["runs"][0]["id"], direct["agent_id"]) == (
            "answer of direct",
            "run-direct",
            "other",
        )
        text = (await crew.exports.run(run.id, "md", full=False)).text
        assert "answer of direct" in text
        assert "answer of foreign" not in text


@pytest.mark.spec("TURN-107")
async def test_a_long_result_is_cut_with_its_full_length_unless_all_is_wanted(tmp_path):
    async with a_crew(tmp_path) as crew:
        crew.roster.master.workspace.mkdir(parents=True, exist_ok=True)
        (crew.roster.master.workspace / "long.txt").write_text("0123456789\n" * 500)
        id, _ = await say(crew, READ)
        run = run_of(crew, id)
        whole = next(m.content for m in crew.conversations.detail(id).messages if m.role == "tool")
        cut, full = await exported(crew, run.id), await exported(crew, run.id, full=True)
        assert len(whole) > 5000
        (call,) = cut["tool_calls"]
        assert call["result"].startswith(whole[:RESULT_CHARS])
        assert len(call["result"]) < RESULT_CHARS + 100
        assert str(len(whole)) in call["result"]
        assert (call["result_chars"], call["result_cut"]) == (len(whole), True)
        assert full["tool_calls"][0]["result"] == whole
        assert [m["content_cut"] for m in full["messages"] if m["role"] == "tool"] == [False]
        assert whole in (await crew.exports.run(run.id, "md", full=True)).text
        assert whole not in (await crew.exports.run(run.id, "md", full=False)).text


@pytest.mark.spec("TURN-104", "TURN-105", "TURN-109")
async def test_secrets_of_the_environment_of_the_key_ring_and_of_the_host_are_masked_everywhere(tmp_path, monkeypatch):
    async with a_crew(tmp_path) as crew:
        crew.home.secrets_file.write_text(f"SOME_API_KEY={SECRET}\n")
        crew.exports.hide("token-of-the-host")
        monkeypatch.setattr(crew.keys, "_environ", {"MY_PASSWORD": "from-the-environment", "SHELL": "not-a-secret-value"})
        words = "token-of-the-host from-the-environment not-a-secret-value"
        id, _ = await say(crew, f"say {SECRET} {words} and sk-0123456789abcdef")
        await say(crew, f'/tool workspace_list {{"path": "{"x" * 150}{SECRET}"}}', id)
        files = [await crew.exports.conversation(id)]
        for run in crew.runs.list(conversation_id=id)[0]:
            files += [await crew.exports.run(run.id, kind, full=True) for kind in ("json", "md")]
        for file in files:
            for secret in (SECRET, SECRET[:8], "token-of-the-host", "from-the-environment", "sk-0123456789abcdef"):
                assert secret not in file.text + file.name
        assert f"say {MASKED} {MASKED} {MASKED} not-a-secret-value and {MASKED}" in files[0].text


@pytest.mark.spec("TURN-106")
async def test_the_top_of_every_export_asks_to_be_read_through(tmp_path):
    async with a_crew(tmp_path) as crew:
        id, _ = await say(crew, "hello")
        run = run_of(crew, id)
        assert next(iter(await exported(crew, run.id))) == "notice"
        text = (await crew.exports.run(run.id, "md", full=False)).text
        assert text.splitlines()[2].startswith("> Read this through before you pass it on")


@pytest.mark.spec("TURN-109", "TURN-108")
async def test_a_conversation_is_markdown_of_its_messages_under_its_title(tmp_path):
    async with a_crew(tmp_path) as crew:
        id, _ = await say(crew, "hello ``` there")
        await say(crew, '/tool workspace_list {"path": "."}', id)
        crew.conversations.patch(id, {"title": "Plans: a/b ở đây"})
        file = await crew.exports.conversation(id)
        assert file.name == "Plans a b ở đây.md"
        assert file.text.startswith("# Plans: a/b ở đây\n")
        order = ["### You", "hello ``` there", "### Agent", "#### Call of workspace_list", '  "path": "."', "#### Result of workspace_list"]
        places = [file.text.index(part) for part in order]
        assert places == sorted(places)
        with pytest.raises(NotFound):
            await crew.exports.conversation("c_none")
        with pytest.raises(NotFound):
            await crew.exports.run("r_none", "json", full=False)


async def test_a_result_with_fences_stays_in_its_block(tmp_path):
    async with a_crew(tmp_path) as crew:
        crew.roster.master.workspace.mkdir(parents=True, exist_ok=True)
        (crew.roster.master.workspace / "long.txt").write_text("````\n# no heading\n````")
        id, _ = await say(crew, READ)
        text = (await crew.exports.conversation(id)).text
        assert text.count("\n`````\n") >= 2


@pytest.mark.spec("TURN-108")
@given(st.text(max_size=200))
def test_any_title_becomes_a_name_that_every_system_takes(title):
    name = file_name(title, "c_1")
    assert name
    assert not set(name) & set('/\\:*?"<>|\n\0')
    assert not name.startswith(".")
    assert name.encode()

"""The memory tools through a real crew: what is written, what is answered, who may object (MEM-1 to MEM-16)."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from crewlab.engine.agents import proposals as module
from crewlab.engine.agents.proposals import present
from crewlab.engine.clock import FakeClock
from crewlab.engine.models.fake import FakeCall
from tests.fixtures.crews import a_crew, say
from tests.fixtures.remembered import call, put

EVENING = datetime(2026, 3, 2, 17, 30, tzinfo=UTC)  # 00:30 of the 3rd in Vietnam
VIETNAM = "timezone: Asia/Ho_Chi_Minh\n"
TEA = {"name": "tea", "type": "preference", "text": "Likes tea."}


@pytest.mark.spec("MEM-2", "MEM-3", "MEMF-5")
async def test_a_note_is_one_line_in_the_note_of_the_persons_day(tmp_path: Path) -> None:
    clock = FakeClock(EVENING)
    async with a_crew(tmp_path, clock=clock, config=VIETNAM) as crew:
        first = await call(crew, "memory_save", {"text": " Đọc\nxong\r\n\tchương 1\u2028 và 2\x00 "})
        clock.advance(3600)
        await call(crew, "memory_save", {"text": "second"})
        clock.advance(86_400)
        await call(crew, "memory_save", {"text": "third"})
        assert (first.ok, first.text) == (True, "Noted on 2026-03-03 at 00:30.")
        assert (tmp_path / "memory" / "2026-03-03.md").read_text() == "- 00:30 Đọc xong chương 1 và 2\n- 01:30 second\n"
        assert (tmp_path / "memory" / "2026-03-04.md").read_text() == "- 01:30 third\n"


@pytest.mark.spec("MEM-3")
@pytest.mark.parametrize("text", ["", " \n ", "\x00", "x" * 2001])
async def test_an_empty_note_and_a_long_one_are_refused_and_nothing_is_written(tmp_path: Path, text: str) -> None:
    async with a_crew(tmp_path) as crew:
        answer = await call(crew, "memory_save", {"text": text})
        assert not answer.ok
        assert "memory_save(text: string)" in answer.text or ("wiki_apply" in answer.text and "workspace" in answer.text)
        assert not (tmp_path / "memory").exists()
        assert (await call(crew, "memory_save", {"text": "x" * 2000})).ok


@pytest.mark.spec("MEM-3", "MEMF-15")
async def test_a_note_is_added_to_what_a_person_wrote_whatever_it_is(tmp_path: Path) -> None:
    async with a_crew(tmp_path, clock=FakeClock(EVENING), config="timezone: UTC\n") as crew:
        path = put(tmp_path / "memory" / "2026-03-02.md", b"by hand \xff")
        assert (await call(crew, "memory_save", {"text": "added"})).ok
        assert path.read_bytes() == b"by hand \xff\n- 17:30 added\n"
        path.unlink()
        path.mkdir()
        answer = await call(crew, "memory_save", {"text": "lost"})
        assert not answer.ok
        assert "2026-03-02 could not be written" in answer.text


@pytest.mark.spec("MEM-2")
@pytest.mark.parametrize("source", ["chat", "job:default/x", "inbound", "vibe:c_1", "delegate:c_1"])
async def test_a_note_is_written_in_every_kind_of_turn_without_asking(tmp_path: Path, source: str) -> None:
    async with a_crew(tmp_path) as crew:
        assert (await call(crew, "memory_save", {"text": "note"}, source=source)).ok
        tool = crew.toolbox.of(crew.roster.master).get("memory_save")
        assert tool is not None
        assert not tool.requires_approval


@pytest.mark.spec("MEM-1", "MEMF-3", "MEM-7")
async def test_notes_are_an_agents_own_and_facts_are_the_crews(tmp_path: Path) -> None:
    put(tmp_path / "agents" / "ada" / "agent.yaml", "")
    async with a_crew(tmp_path, clock=FakeClock(EVENING), config="timezone: UTC\n") as crew:
        await call(crew, "memory_save", {"text": "note of ada"}, agent="ada")
        await call(crew, "user_memory_save", TEA, agent="ada")
        assert (tmp_path / "agents" / "ada" / "memory" / "2026-03-02.md").is_file()
        assert not (tmp_path / "memory").exists()
        assert (tmp_path / "users" / "owner" / "facts" / "tea.md").is_file()
        assert "Likes tea." in crew.prompts.of("default").prompt
        assert "note of ada" not in (await call(crew, "memory_search", {"query": "ada"})).text


@pytest.mark.spec("MEM-4", "MEMF-9", "PTL-18")
async def test_no_tool_takes_a_line_out_of_memory_and_the_switch_takes_all_four_tools(tmp_path: Path) -> None:
    put(tmp_path / "agents" / "ada" / "agent.yaml", "memory_tools: false\n")
    async with a_crew(tmp_path) as crew:
        held = [name for name in crew.toolbox.of(crew.roster.master).names if "memory" in name]
        assert held == ["memory_save", "memory_search", "user_memory_save", "user_memory_forget"]
        assert [name for name in crew.toolbox.of(crew.roster.get("ada")).names if "memory" in name] == []


def results(text: str) -> list[str]:
    """The lines between the fence lines."""
    lines = text.splitlines()
    begin = next(place for place, line in enumerate(lines) if line.startswith("<<<NOTES "))
    assert lines[-1] == f"NOTES {lines[begin].removeprefix('<<<NOTES ')}>>>"
    return lines[begin + 1 : -1]


@pytest.mark.spec("MEM-5", "MEM-6", "PTL-65")
async def test_search_looks_through_facts_then_memory_then_notes_newest_first(tmp_path: Path) -> None:
    put(tmp_path / "users" / "owner" / "facts" / "harbour.md", "---\ntype: project\n---\nThe harbour of Đà Nẵng")
    put(tmp_path / "MEMORY.md", "# Memory\n\nThe da nang harbour has\ntwo docks.\n\nAnother paragraph about nothing.\n")
    put(tmp_path / "memory" / "2026-01-01.md", "- 08:00 da nang harbour first\n- 09:00 nothing\n- 10:00 DA NANG HARBOUR\n  second line\n")
    put(tmp_path / "memory" / "2026-02-01.md", "- 08:00 harbour of Đà Nẵng\n")
    put(tmp_path / "memory" / "notes.txt", "da nang harbour")
    async with a_crew(tmp_path) as crew:
        answer = await call(crew, "memory_search", {"query": "đà nẵng Harbour"})
        assert answer.text.splitlines()[0] == "search=text (no embedding route)"
        assert results(answer.text) == [
            "[harbour] The harbour of Đà Nẵng",
            "[MEMORY.md] The da nang harbour has",
            "two docks.",
            "[2026-02-01] - 08:00 harbour of Đà Nẵng",
            "[2026-01-01] - 10:00 DA NANG HARBOUR",
            "  second line",
            "[2026-01-01] - 08:00 da nang harbour first",
        ]
        none = await call(crew, "memory_search", {"query": "harbour absent"})
        assert none.text.splitlines() == ["search=text (no embedding route)", "Nothing that is remembered holds all of these words."]
        assert not (await call(crew, "memory_search", {"query": " -- ?"})).ok


@pytest.mark.spec("MEM-5", "PTL-77")
async def test_at_most_twelve_results_and_together_within_the_ceiling(tmp_path: Path) -> None:
    put(tmp_path / "memory" / "2026-01-01.md", "".join(f"- 08:{number:02} note {number} {'x' * 1900}\n" for number in range(30)))
    put(tmp_path / "users" / "owner" / "facts" / "long.md", "note " + "y" * 3900)
    async with a_crew(tmp_path) as crew:
        answer = await call(crew, "memory_search", {"query": "note"})
        found = [line for line in results(answer.text) if line.startswith("[")]
        assert len(found) == 12
        assert found[1].startswith("[2026-01-01] - 08:29 note 29")
        assert len(answer.text) <= crew.roster.master.tool_output_chars
        one = await call(crew, "memory_search", {"query": "y" * 3900})
        assert "y" * 3900 in one.text  # a single fact is given whole


@pytest.mark.spec("PTL-65")
async def test_the_token_says_that_a_route_is_configured_but_not_used(tmp_path: Path) -> None:
    async with a_crew(tmp_path, config="embedding_routes: [ollama:nomic]\n") as crew:
        assert (await call(crew, "memory_search", {"query": "a"})).text.startswith("search=text (index not ready)\n")


@pytest.mark.spec("MEM-6", "MEMF-16")
async def test_files_that_cannot_be_read_are_named_and_the_others_searched(tmp_path: Path) -> None:
    put(tmp_path / "memory" / "2026-01-01.md", b"\xff\xfe")
    put(tmp_path / "memory" / "2026-01-02.md", "- 08:00 found\n")
    async with a_crew(tmp_path) as crew:
        answer = await call(crew, "memory_search", {"query": "found"})
        assert "[2026-01-01.md: left out, it cannot be read as text]" in answer.text
        assert results(answer.text) == ["[2026-01-02] - 08:00 found"]


@pytest.mark.spec("MEM-8", "MEM-9", "MEM-11", "MEM-16", "MEMF-7")
@pytest.mark.parametrize("source", ["chat", "telegram", "notebook"])
async def test_where_somebody_can_object_a_fact_is_written_at_once(tmp_path: Path, source: str) -> None:
    async with a_crew(tmp_path) as crew:
        saved = await call(crew, "user_memory_save", TEA, source=source)
        again = await call(crew, "user_memory_save", {**TEA, "text": "Likes coffee.", "description": None}, source=source)
        assert saved.text.startswith("Saved the fact tea.")
        assert again.text.startswith("Updated the fact tea.")
        assert "Likes coffee." in (tmp_path / "users" / "owner" / "facts" / "tea.md").read_text()
        assert crew.proposals.list() == []
        tools = crew.toolbox.of(crew.roster.master)
        assert not any(tools.get(name).requires_approval for name in ("user_memory_save", "user_memory_forget"))  # type: ignore[union-attr]
        gone = await call(crew, "user_memory_forget", {"name": "tea"}, source=source)
        assert (gone.text, (tmp_path / "users" / "owner" / "facts" / "tea.md").exists()) == ("Dropped the fact tea.", False)


@pytest.mark.spec("MEM-8")
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": "Tea"}, "a-z, 0-9 and hyphens"),
        ({"name": "x" * 61}, "at most 60"),
        ({"name": "../../config"}, "a-z, 0-9 and hyphens"),
        ({"type": "rumour"}, "profile"),
        ({"text": "x" * 4001}, "at most 4000"),
        ({"text": "\n"}, "cannot be empty"),
        ({"description": "x" * 161}, "160"),
    ],
)
async def test_a_fact_that_breaks_a_rule_is_refused_with_the_rule(tmp_path: Path, change: dict[str, str], said: str) -> None:
    async with a_crew(tmp_path) as crew:
        answer = await call(crew, "user_memory_save", {**TEA, **change})
        assert not answer.ok
        assert said in answer.text
        assert not (tmp_path / "users").exists()


@pytest.mark.spec("MEM-10")
async def test_forgetting_a_name_that_is_not_there_names_those_that_are_near(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        empty = await call(crew, "user_memory_forget", {"name": "tea"})
        assert empty.text == "There is no fact named tea. No facts are stored."
        for name in ("green-tea", "black-tea", "atlas"):
            await call(crew, "user_memory_save", {**TEA, "name": name})
        for wrong in ("green-tee", "Green-Tea", "../green-tea", "x" * 500):
            answer = await call(crew, "user_memory_forget", {"name": wrong})
            assert not answer.ok
            assert "green-tea" in answer.text
        assert len(list((tmp_path / "users" / "owner" / "facts").iterdir())) == 3


@pytest.mark.spec("MEM-13", "MEMF-8")
@pytest.mark.parametrize(
    ("source", "chain", "there"),
    [
        ("chat", None, True),
        ("telegram", None, True),
        ("notebook", None, True),
        ("inbound", None, False),
        ("inbound:matrix", None, False),
        ("job:default/morning", None, False),
        ("vibe:c_1", None, False),
        ("delegate:c_1", "chat", True),
        ("delegate:c_1", "notebook", True),
        ("delegate:c_1", "job:default/morning", False),
        ("delegate:c_1", "inbound", False),
        ("delegate:c_1", "vibe:c_1", False),
        ("delegate:c_1", "delegate:c_0", False),
        ("delegate:c_1", None, False),
        ("chat ", None, False),
        ("", "chat", False),
    ],
)
def test_who_is_there_follows_from_the_source_of_the_root_turn(source: str, chain: str | None, there: bool) -> None:
    assert present(source, chain) is there


@pytest.mark.spec("MEM-11", "MEM-14", "MEMF-7", "MEMF-10", "MEMF-11")
async def test_where_nobody_is_a_fact_becomes_a_proposal_and_nothing_is_written(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        await call(crew, "user_memory_save", TEA)
        file = tmp_path / "users" / "owner" / "facts" / "tea.md"
        before = file.read_text()
        index = (tmp_path / "users" / "owner" / "INDEX.md").read_text()
        conversation = crew.conversations.create(source="job:default/x").id
        saved = await call(crew, "user_memory_save", {**TEA, "text": "Hates tea."}, source="job:default/x", conversation=conversation)
        assert saved.ok
        assert "proposal" in saved.text
        assert "nothing has been written" in saved.text
        new = await call(crew, "user_memory_save", {**TEA, "name": "cake"}, source="inbound")
        gone = await call(crew, "user_memory_forget", {"name": "tea"}, source="inbound")
        assert new.ok
        assert gone.ok
        assert (file.read_text(), (tmp_path / "users" / "owner" / "INDEX.md").read_text()) == (before, index)
        found = crew.proposals.list("pending")
        assert [(each.operation, each.target, each.status) for each in found] == [("forget", "tea", "pending"), ("save", "cake", "pending")]
        assert (found[0].before_text, found[0].after_text) == (before, None)
        assert found[1].before_text is None
        assert "Likes tea." in (found[1].after_text or "")


@pytest.mark.spec("MEM-13", "MEMF-8")
async def test_a_delegated_child_follows_the_source_that_its_chain_has_stored(tmp_path: Path) -> None:
    async with a_crew(tmp_path) as crew:
        parent = crew.conversations.create().id
        for source, written in (("chat", True), ("job:default/x", False), (None, False)):
            child = crew.conversations.create(source=f"delegate:{parent}").id
            crew.store.db.write("UPDATE conversations SET chain_source = ? WHERE id = ?", (source, child))
            name = f"fact-{written}-{source is None}".lower()
            await call(crew, "user_memory_save", {**TEA, "name": name}, source=f"delegate:{parent}", conversation=child)
            assert (tmp_path / "users" / "owner" / "facts" / f"{name}.md").exists() is written


@pytest.mark.spec("MEM-12", "GATE-57", "MEMF-8")
async def test_a_turn_that_goes_on_after_an_approval_keeps_its_source(tmp_path: Path) -> None:
    async def job(scene):
        done = [message for message in scene.request.messages if message.role == "tool"]
        if not done:
            yield FakeCall("workspace_write", json.dumps({"path": "a.txt", "content": "x"}))
        elif len(done) == 1:
            yield FakeCall("user_memory_save", json.dumps(TEA))
        else:
            yield done[-1].content

    async with a_crew(tmp_path, routes="fake:job", scripts={"job": job}) as crew:
        reply = await crew.inbound.reply("go", source="job:default/x")
        assert reply.status == "waiting"
        await crew.approvals.decide(crew.approvals.list()[0].id, "approve")
        await crew.host.wait(reply.conversation_id)
        answer = crew.conversations.detail(reply.conversation_id).messages[-1].content
        assert "nothing has been written" in answer
        proposal = crew.proposals.list()[0]
        assert (proposal.conversation_id, proposal.run_id, proposal.agent_id) == (reply.conversation_id, reply.run_id, "default")
        assert "job:default/x" in proposal.reason
        assert not (tmp_path / "users" / "owner" / "facts").exists()


@pytest.mark.spec("MEM-11")
async def test_somebody_who_writes_on_in_a_jobs_conversation_is_there(tmp_path: Path) -> None:
    async def saves(scene):
        if scene.tool_result is None:
            yield FakeCall("user_memory_save", json.dumps(TEA))
        else:
            yield scene.tool_result

    async with a_crew(tmp_path, routes="fake:saves", scripts={"saves": saves}) as crew:
        conversation = crew.conversations.create(source="job:default/x").id
        await say(crew, "remember tea", conversation)
        assert (tmp_path / "users" / "owner" / "facts" / "tea.md").exists()


@pytest.mark.spec("MEMF-14")
async def test_proposals_of_one_agent_are_bounded_and_a_newer_one_for_the_same_fact_takes_the_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_PENDING", 3)
    async with a_crew(tmp_path, clock=FakeClock(EVENING)) as crew:
        for text in ("one", "two", "three", "four"):
            assert (await call(crew, "user_memory_save", {**TEA, "text": text}, source="inbound")).ok
        assert [proposal.after_text.splitlines()[-1] for proposal in crew.proposals.list() if proposal.after_text] == ["four"]
        for number in range(2):
            assert (await call(crew, "user_memory_save", {**TEA, "name": f"n{number}"}, source="inbound")).ok
        full = await call(crew, "user_memory_save", {**TEA, "name": "n3"}, source="inbound")
        assert not full.ok
        assert "3 proposals" in full.text
        assert (await call(crew, "user_memory_save", {**TEA, "text": "five"}, source="inbound")).ok  # it takes a place, it needs none


async def test_the_day_of_a_fact_is_the_persons(tmp_path: Path) -> None:
    clock = FakeClock(EVENING)
    async with a_crew(tmp_path, clock=clock, config=VIETNAM) as crew:
        await call(crew, "user_memory_save", TEA)
        clock.advance(timedelta(days=1).total_seconds())
        assert "updated: '2026-03-03'" in (tmp_path / "users" / "owner" / "facts" / "tea.md").read_text()

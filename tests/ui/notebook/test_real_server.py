"""The client against a real server: nothing between it and the store is imitated."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from crewlab.client import ApprovalPending, AsyncCrew, Crew, CrewError, NotFound
from tests.fixtures.server import BASE_URL, Lab, isolate, jupyter

SECONDS = 20.0
QUESTION = '/tool ask_user {"question": "Which ports?", "options": ["Hamburg", "Bremen", "Kiel"], "multi_select": true}'
WRITE = '/tool workspace_write {"path": "a.txt", "content": "hello"}'


@pytest.fixture
async def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Lab]:
    isolate(monkeypatch, tmp_path)
    async with jupyter(tmp_path) as found:
        yield found


@pytest.fixture
async def crew(lab: Lab) -> AsyncIterator[AsyncCrew]:
    async with AsyncCrew(f"http://{lab.host}{BASE_URL}lab?token={lab.token}", timeout=SECONDS) as crew:
        yield crew


@pytest.mark.spec("UI-142", "UI-144", "UI-148", "TURN-13")
async def test_a_question_is_answered_and_its_run_says_who_asked(crew: AsyncCrew) -> None:
    turn = await crew.ask("good morning")
    assert (turn.text, turn.status) == ("good morning", "done")
    run = await turn.run()
    assert run is not None
    assert (run.source, run.status, run.conversation_id) == ("notebook", "done", turn.conversation.id)
    assert [step.kind for step in run.steps] == ["model"]
    assert [message.content for message in await turn.conversation.messages()] == ["good morning", "good morning"]
    assert (await crew.conversations())[0].id == turn.conversation.id
    assert (await crew.runs(conversation=turn.conversation.id))[0].id == run.id
    assert (await crew.agents())[0].master is True


@pytest.mark.spec("UI-144", "UI-146", "UI-149")
async def test_a_risky_call_waits_for_its_decision(crew: AsyncCrew, lab: Lab) -> None:
    turn = await crew.ask(WRITE)
    request = turn.approval
    assert (turn.status, request.arguments) == ("waiting", {"path": "a.txt", "content": "hello"})  # type: ignore[union-attr]
    with pytest.raises(ApprovalPending):
        await turn.conversation.send("meanwhile")
    assert (await turn.wait()).status == "waiting"
    assert [one.id for one in await crew.approvals()] == [request.id]  # type: ignore[union-attr]
    await request.approve()  # type: ignore[union-attr]
    assert (await turn.wait()).status == "done"
    written = list(lab.home.rglob("a.txt"))
    assert [path.read_text() for path in written] == ["hello"]
    with pytest.raises(CrewError) as again:
        await request.deny()  # type: ignore[union-attr]
    assert again.value.code == "not_pending"


@pytest.mark.spec("UI-144", "GATE-32", "ASKU-9")
async def test_a_question_of_an_agent_is_answered_or_skipped(crew: AsyncCrew, lab: Lab) -> None:
    turn = await crew.ask(QUESTION)
    asked = turn.approval
    assert asked is not None
    assert (turn.status, asked.kind, asked.question) == ("waiting", "question", "Which ports?")
    with pytest.raises(CrewError) as wrong:
        await asked.answer(labels=["Lisbon"])
    assert wrong.value.status == 422
    await asked.answer("by rail", labels=["Kiel", "Hamburg"])
    assert (asked.status, asked.labels, asked["answer"]) == ("answered", ["Hamburg", "Kiel"], "Hamburg\nKiel\nby rail")
    assert (await turn.wait()).status == "done"
    messages = await turn.conversation.messages()
    assert next(one.content for one in messages if one.role == "tool") == "answer=both\nHamburg\nKiel\nby rail"
    again = await crew.ask(QUESTION)
    assert again.approval is not None
    await again.approval.skip()
    assert (await again.wait()).status == "done"
    with pytest.raises(CrewError) as late:
        await asked.answer("1")
    assert (late.value.code, late.value.status) == ("not_pending", 409)


@pytest.mark.spec("UI-144")
async def test_events_of_a_turn_and_frames_of_the_crew(crew: AsyncCrew) -> None:
    frames = crew.activity()
    assert (await anext(frames)).type == "snapshot"
    talk = await crew.new(title="Mine")
    kinds = [event.type async for event in talk.stream("one two")]
    assert kinds[-1] == "done"
    assert "text_delta" in kinds
    async with asyncio.timeout(SECONDS):
        async for frame in frames:
            if frame.type == "run" and frame.run["status"] == "done":
                break
    await frames.aclose()  # type: ignore[attr-defined]
    assert [event.type async for event in talk.watch()] == ["watching"]


@pytest.mark.spec("UI-144", "UI-146")
async def test_stored_changes_and_deletion(crew: AsyncCrew) -> None:
    talk = await crew.new()
    await talk.set_autonomous(True)
    assert (await talk.refresh()).autonomous is True
    turn = await talk.send(WRITE)
    assert turn.status == "done"
    sent = await talk.send("later", wait=False)
    assert (await sent.wait()).text == "later"
    assert (await talk.stop()).cancelled is False
    assert (await crew.inbound("from a program")).text == "from a program"
    await talk.delete()
    with pytest.raises(NotFound):
        await talk.refresh()


@pytest.mark.spec("UI-144", "FTS-9", "FRK-1", "TURN-100", "TURN-109")
async def test_what_was_said_is_searched_branched_and_exported(crew: AsyncCrew) -> None:
    turn = await crew.ask("the harbour")
    talk = turn.conversation
    await talk.send("and the tower")
    hits = await crew.search("harb", limit=1)
    assert [(hit.role, hit.snippet, hit.text, hit.conversation_id) for hit in hits] == [
        ("assistant", "the \u0002harbour\u0003", "the harbour", talk.id)
    ]
    assert "\u0002" not in repr(hits) + hits._repr_html_()
    asked = [message for message in await talk.messages() if message.role == "user"]
    for before in (asked[1], asked[1].id):
        fork = await talk.fork(before)
        assert [message.content for message in await fork.messages()] == ["the harbour", "the harbour"]
        assert fork.forked_from["id"] == talk.id
    run = await turn.run()
    assert run is not None
    assert '"slice": "by_seq"' in await run.export()
    assert (await (await crew.run(run.id)).export("md", full=True)).startswith("# ")
    assert "and the tower" in await talk.export()
    with pytest.raises(CrewError) as refused:
        await run.export("pdf")
    assert (refused.value.status, refused.value.code) == (422, "invalid")
    with pytest.raises(CrewError):
        await talk.fork(0)


@pytest.mark.spec("UI-142", "UI-144")
async def test_search_branch_and_export_from_plain_code(lab: Lab) -> None:
    def work() -> list[object]:
        with Crew(f"http://{lab.host}{BASE_URL}", lab.token, timeout=SECONDS) as crew:
            turn = crew.ask("the harbour")
            first = turn.conversation.messages[0]
            fork = turn.conversation.fork(first)
            texts = [turn.run.export("md"), crew.runs()[0].export("md"), turn.conversation.export()]  # type: ignore[union-attr]
            return [len(crew.search("harbour")), list(fork.messages), ["the harbour" in text for text in texts]]

    assert await asyncio.wait_for(asyncio.to_thread(work), SECONDS) == [2, [], [True] * 3]


@pytest.mark.spec("UI-142")
async def test_the_plain_client_in_a_thread_of_its_own(lab: Lab) -> None:
    def work() -> tuple[str, str, list[str]]:
        with Crew(f"http://{lab.host}{BASE_URL}", lab.token, timeout=SECONDS) as crew:
            turn = crew.ask(WRITE)
            turn.approval.deny()  # type: ignore[union-attr]
            turn.wait()
            kinds = [event.type for event in turn.conversation.stream("more")]
            return turn.status, crew.run(turn.run.id).status, kinds  # type: ignore[union-attr]

    status, recorded, kinds = await asyncio.wait_for(asyncio.to_thread(work), SECONDS)
    assert (status, recorded, kinds[-1]) == ("done", "done", "done")


@pytest.mark.spec("UI-146")
async def test_a_wrong_token_is_refused_with_what_to_do(lab: Lab) -> None:
    async with AsyncCrew(f"http://{lab.host}{BASE_URL}", "wrong-token") as crew:
        with pytest.raises(CrewError, match="token") as caught:
            await crew.agents()
    assert caught.value.status == 403
    assert "wrong-token" not in repr(caught.value)


@pytest.mark.spec("CNV-132", "UI-144")
async def test_a_canvas_is_listed_read_saved_restored_and_written_to_a_file(crew: AsyncCrew, tmp_path: Path) -> None:
    turn = await crew.ask('/tool artifact_create {"title": "Notes", "kind": "markdown", "content": "# Mực nước\\n"}')
    assert turn.status == "done"
    conversation = turn.conversation["id"]
    found = await crew.artifacts(conversation=conversation, query="notes")
    assert [(one.title, one.kind, one.version) for one in found] == [("Notes", "markdown", 1)]
    canvas = await crew.artifact(found[0].id)
    assert await canvas.text() == "# Mực nước\n"
    await canvas.save("# Second\n")
    assert (canvas.version, await canvas.text()) == (2, "# Second\n")
    with pytest.raises(CrewError) as refused:
        await canvas.save("# Other\n", base=1)
    assert refused.value.status == 409
    await canvas.restore(1)
    assert sorted((one.version, one.how, one.author) for one in await canvas.versions())[-1] == (3, "restore", "user")
    assert (await canvas.to_file(tmp_path / "notes.md")).read_bytes() == "# Mực nước\n".encode()
    assert (await canvas.to_file(tmp_path / "notes.md", version=2)).read_text() == "# Second\n"
    assert await canvas.text(2) == "# Second\n"


@pytest.mark.spec("UI-144")
async def test_a_job_that_does_not_exist_is_not_found(crew: AsyncCrew) -> None:
    assert list(await crew.jobs()) == []
    with pytest.raises(NotFound, match="crew/none"):
        await crew.job("crew/none")


@pytest.mark.spec("CNV-132")
async def test_the_same_for_plain_code(crew: AsyncCrew, lab: Lab, tmp_path: Path) -> None:
    await crew.ask('/tool artifact_create {"title": "Notes", "kind": "markdown", "content": "one"}')

    def plainly() -> None:
        with Crew(f"http://{lab.host}{BASE_URL}", lab.token, timeout=SECONDS) as plain:
            canvas = plain.artifact(plain.artifacts()[0].id)
            assert (canvas.text(), canvas.save("two").version, canvas.text()) == ("one", 2, "two")
            assert canvas.restore(1).version == 3
            assert canvas.versions()[0].how == "restore"
            assert canvas.to_file(tmp_path / "one.md").read_text() == "one"
            assert "Notes" in repr(canvas)
            assert plain.jobs() == []

    await asyncio.to_thread(plainly)

"""Two writers at once, and what becomes of a person's words."""

import asyncio
import threading

import pytest

from crewlab.engine.canvas import hand, library
from crewlab.engine.canvas.library import Moved
from crewlab.engine.errors import Conflict, NotFound
from tests.fixtures.canvases import call, calls, create, line
from tests.fixtures.crews import a_crew


@pytest.fixture
def between(monkeypatch):
    """Something that happens once, after a write was judged and before it is stored."""
    original = library.Library._changes

    def arm(happens):
        once = [happens]

        async def changes(self, base, content, origin):
            found = await original(self, base, content, origin)
            if once and origin.author.startswith("agent:"):
                await once.pop()()
            return found

        monkeypatch.setattr(library.Library, "_changes", changes)

    return arm


@pytest.mark.spec("CNV-29")
async def test_an_edit_that_is_overtaken_is_tried_on_the_newest_version(tmp_path, between):
    async with a_crew(tmp_path) as crew:
        made = await create(crew, content="one\ntwo\n")
        between(lambda: crew.canvases.save(made.id, "ONE by hand\ntwo\n", 1))
        edited = await call(crew, "artifact_edit", made.conversation, id=made.id, old="two", new="2")
        assert edited.version == 3
        assert crew.canvases.text(made.id, 3) == "ONE by hand\n2\n"
        assert crew.canvases.text(made.id, 2) == "ONE by hand\ntwo\n"


@pytest.mark.spec("CNV-29")
async def test_an_edit_whose_passage_was_taken_away_meanwhile_is_refused(tmp_path, between):
    async with a_crew(tmp_path) as crew:
        made = await create(crew, content="one\ntwo\n")
        between(lambda: crew.canvases.save(made.id, "gone\n", 1))
        edited = await call(crew, "artifact_edit", made.conversation, id=made.id, old="two", new="2")
        assert not edited.ok
        assert crew.canvases.get(made.id).version == 2
        assert crew.canvases.text(made.id, 2) == "gone\n"


@pytest.mark.spec("CNV-29", "CNV-54")
async def test_a_rewrite_that_is_overtaken_is_refused_and_the_persons_version_stays(tmp_path, between):
    async with a_crew(tmp_path) as crew:
        made = await create(crew, content="one\n")
        between(lambda: crew.canvases.save(made.id, "by hand\n", 1))
        done = await call(crew, "artifact_rewrite", made.conversation, id=made.id, content="mine")
        assert not done.ok
        assert "+by hand" in done.body
        assert crew.canvases.text(made.id, 2) == "by hand\n"
        assert crew.canvases.get(made.id).version == 2


async def test_a_canvas_that_is_deleted_while_the_agent_edits_it_stays_gone(tmp_path, between):
    async with a_crew(tmp_path) as crew:
        made = await create(crew)

        async def delete():
            crew.canvases.delete(made.id)

        between(delete)
        edited = await call(crew, "artifact_edit", made.conversation, id=made.id, old="two", new="2")
        assert not edited.ok
        assert "artifact_list" in edited.output
        with pytest.raises(NotFound):
            crew.canvases.get(made.id)
        assert crew.store.db.row("SELECT count(*) FROM canvas_versions")[0] == 0


async def test_a_write_that_is_always_overtaken_gives_up(tmp_path, monkeypatch):
    async def moved(*_args, **_more):
        raise Moved

    async with a_crew(tmp_path) as crew:
        made = await create(crew)
        monkeypatch.setattr(hand.Hand, "add", moved)
        edited = await call(crew, "artifact_edit", made.conversation, id=made.id, old="two", new="2")
        assert not edited.ok
        assert "try again" in edited.output


@pytest.mark.spec("CNV-126", "CNV-127", "CNV-128", "CNV-131")
async def test_two_people_who_save_at_once_lose_nothing(tmp_path):
    async with a_crew(tmp_path) as crew:
        made = await create(crew, content="one\n")
        answers = await asyncio.gather(
            crew.canvases.save(made.id, "first\n", 1), crew.canvases.save(made.id, "second\n", 1), return_exceptions=True
        )
        kept = [answer for answer in answers if not isinstance(answer, Exception)]
        refused = [answer for answer in answers if isinstance(answer, Conflict)]
        assert (len(kept), len(refused)) == (1, 1)
        assert (kept[0].version, kept[0].author) == (2, "user")
        body = refused[0].body()
        assert (body["code"], body["version"], body["base_version"]) == ("version_conflict", 2, 1)
        assert body["artifact"]["version"] == 2
        assert "-one" in body["diff"]
        assert crew.canvases.text(made.id, 2) in ("first\n", "second\n")
        with pytest.raises(Conflict):
            await crew.canvases.save(made.id, "third\n", 1)
        for never in (0, -1, 99):
            with pytest.raises(Conflict) as caught:
                await crew.canvases.save(made.id, "third\n", never)
            assert caught.value.body()["diff"] is None
        same = await crew.canvases.save(made.id, crew.canvases.text(made.id, 2), 2)
        assert same.version == 2
        restored = await crew.canvases.restore(made.id, 1)
        assert (restored.version, restored.author) == (3, "user")
        assert (await crew.canvases.restore(made.id, 3)).version == 3
        assert [crew.canvases.text(made.id, version) for version in (1, 3)] == ["one\n", "one\n"]
        assert [each.how for each in crew.canvases.versions(made.id)] == ["restore", "save", "create"]


@pytest.mark.spec("CNV-5", "CNV-25")
async def test_what_is_refused_inside_the_commit_leaves_nothing_behind(tmp_path, monkeypatch):
    async with a_crew(tmp_path) as crew:
        made = await create(crew)
        before = dump(crew)
        monkeypatch.setattr(hand, "NEW_IN_TURN", 0)
        monkeypatch.setattr(hand, "VERSIONS_IN_TURN", 0)
        _, found = await calls(
            crew,
            made.conversation,
            line("artifact_create", title="x", kind="code", content="x"),
            line("artifact_edit", id=made.id, old="one", new="1"),
        )
        assert [result.ok for result in found] == [False, False]
        assert dump(crew) == before


def dump(crew):
    tables = ("canvases", "canvas_versions", "canvas_marks")
    return [[tuple(row) for row in crew.store.db.rows(f"SELECT * FROM {table}")] for table in tables]


@pytest.mark.spec("CNV-12")
async def test_a_deleted_conversation_takes_the_canvases_whose_root_it_is(tmp_path):
    async with a_crew(tmp_path) as crew:
        watcher = crew.hub.join()
        made = await create(crew)
        other = await create(crew)
        await call(crew, "artifact_read", other.conversation, id=made.id)
        fork = crew.forks.fork(made.conversation, crew.conversations.detail(made.conversation).messages[0].id)
        assert crew.canvases.list(fork.id)[0] == []  # a fork copies no canvas
        await crew.conversations.delete(made.conversation)
        assert [artifact.id for artifact in crew.canvases.list()[0]] == [other.id]
        assert crew.store.db.row("SELECT count(*) FROM canvas_versions WHERE canvas_id = ?", (made.id,))[0] == 0
        assert crew.store.db.row("SELECT count(*) FROM canvas_marks WHERE canvas_id = ?", (made.id,))[0] == 0
        async for frame in watcher:
            if frame.event.type == "artifact" and frame.event.deleted:
                assert frame.event.id == made.id
                break
        watcher.close()


@pytest.mark.spec("DLG-57", "DLG-58", "CNV-86")
async def test_what_was_written_in_a_conversation_is_named_in_the_order_of_first_writing(tmp_path):
    async with a_crew(tmp_path) as crew:
        elsewhere = await create(crew, title="Elsewhere")
        first = await create(crew, title="First " + "x" * 190)
        here = first.conversation
        second = await create(crew, here, title="Second")
        gone = await create(crew, here, title="Gone")
        await call(crew, "artifact_edit", here, id=second.id, old="one", new="1")
        await call(crew, "artifact_edit", here, id=elsewhere.id, old="one", new="1")
        await call(crew, "artifact_edit", here, id=first.id, old="one", new="1")
        await crew.canvases.save(second.id, "by hand", 2)
        read = await create(crew, title="Only read")
        await call(crew, "artifact_read", here, id=read.id)
        crew.canvases.delete(gone.id)
        found = crew.canvases.written_in(here)
        assert [(each, version) for each, version, _ in found] == [(first.id, 2), (second.id, 2), (elsewhere.id, 2)]
        assert len(found[0][2]) == 160


@pytest.mark.spec("CNV-26")
async def test_a_delegated_turn_has_a_budget_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(hand, "NEW_IN_TURN", 1)
    async with a_crew(tmp_path) as crew:
        own = await create(crew)
        child = crew.conversations.create().id
        crew.store.db.write(
            "UPDATE conversations SET parent_id = ?, root_id = ?, chain_source = 'chat' WHERE id = ?",
            (own.conversation, own.conversation, child),
        )
        more = [line("artifact_create", title="T", kind="code", content="x") for _ in range(2)]
        _, found = await calls(crew, child, *more)
        assert [result.ok for result in found] == [True, False]


@pytest.mark.spec("CNV-60")
async def test_no_diff_is_drawn_on_the_event_loop(tmp_path, monkeypatch):
    from crewlab.engine.canvas import diff

    threads = []
    original = diff.draw

    def draw(old, new):
        threads.append(threading.current_thread())
        return original(old, new)

    monkeypatch.setattr(diff, "draw", draw)
    async with a_crew(tmp_path) as crew:
        made = await create(crew)
        await call(crew, "artifact_edit", made.conversation, id=made.id, old="one", new="1")
        await crew.canvases.save(made.id, "by hand", 2)  # the diff of the next note
        await call(crew, "artifact_rewrite", made.conversation, id=made.id, content="x")
        await crew.canvases.diff(made.id, 1, 3)
        assert len(threads) >= 4
        assert threading.main_thread() not in threads


@pytest.mark.spec("CNV-112")
async def test_every_change_of_a_canvas_is_told_to_the_whole_crew_without_its_content(tmp_path):
    async with a_crew(tmp_path) as crew:
        watcher = crew.hub.join()
        made = await create(crew, content="one SECRET")
        await crew.canvases.save(made.id, "two SECRET", 1)
        crew.canvases.patch(made.id, {"title": "New"})
        crew.canvases.patch(made.id, {"title": "New"})  # nothing changed, nothing is told
        await crew.canvases.restore(made.id, 1)
        crew.canvases.delete(made.id)
        told = []
        async for frame in watcher:
            if frame.event.type == "artifact":
                told.append(frame.event)
                assert "SECRET" not in frame.data_json
                if frame.event.deleted:
                    break
        watcher.close()
        assert [(event.artifact.version, event.artifact.title) for event in told[:-1]] == [(1, "Plan"), (2, "Plan"), (2, "New"), (3, "New")]
        assert told[-1].id == made.id

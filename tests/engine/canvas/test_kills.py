"""A server that dies at any commit leaves whole versions, and a call of which nobody knows whether it ran."""

import json
import shutil
from pathlib import Path

import pytest

from crewlab.engine.canvas.notes import INTERRUPTED
from crewlab.engine.models.fake import FakeCall
from crewlab.engine.store.db import Database
from crewlab.engine.store.store import Store
from crewlab.engine.texts import Texts
from tests.fixtures.crews import a_crew, say

TEXTS = ("one\ntwo\n", "1\ntwo\n", "all new")


def requests_of(seen):
    async def model(scene):
        seen.append(scene.request.messages)
        made = sum(len(message.tool_calls) for message in scene.request.messages)
        own = next((message.content[10:18] for message in scene.request.messages if message.content.startswith("[artifact")), "")
        if scene.last_user != "write" or made > 2:
            yield "ok"
        elif made == 0:
            yield FakeCall("artifact_create", json.dumps({"title": "T", "kind": "markdown", "content": TEXTS[0]}))
        elif made == 1:
            yield FakeCall("artifact_edit", json.dumps({"id": own, "old": "one", "new": "1"}))
        else:
            yield FakeCall("artifact_rewrite", json.dumps({"id": own, "content": TEXTS[2]}))

    return model


@pytest.fixture
async def cuts(tmp_path, monkeypatch):
    """The home as it was after each commit of one turn that makes, edits and rewrites a canvas."""
    home, copies = tmp_path / "home", []
    original = Database._commit

    def commit(self):
        original(self)
        copies.append(tmp_path / f"cut{len(copies)}")
        shutil.copytree(home, copies[-1], ignore=shutil.ignore_patterns("*.lock"))

    async with a_crew(home, routes="fake:m", scripts={"m": requests_of([])}) as crew:
        monkeypatch.setattr(Database, "_commit", commit)
        await say(crew, "write")
        monkeypatch.setattr(Database, "_commit", original)
        assert len(crew.canvases.list()[0]) == 1
    return copies


def state(home: Path):
    """How many versions there are and how many calls have a result."""
    store = Store(home / "crew.db", Texts("en"))
    try:
        rows = [tuple(row) for row in store.db.rows("SELECT id, version FROM canvases")]
        for canvas_id, version in rows:
            assert [each.version for each in store.canvases.versions(canvas_id)] == list(range(version, 0, -1))
            for each in range(1, version + 1):
                content = store.canvases.content(canvas_id, each)
                assert content.decode() == TEXTS[each - 1]
                assert store.canvases.version(canvas_id, each).bytes == len(content)
            mark = store.canvas_marks.get(store.canvases.get(canvas_id).conversation_id, canvas_id)
            assert (mark.known, mark.whole) == (version, version)  # the mark is in the commit of its version
        results = store.db.row("SELECT count(*) FROM messages WHERE role = 'tool'")[0]
        return (rows[0][1] if rows else 0), results
    finally:
        store.close()


@pytest.mark.spec("CNV-2", "CNV-5", "CNV-15", "CNV-16")
async def test_every_cut_leaves_versions_without_gaps_and_whole(cuts):
    states = [state(home) for home in cuts]
    assert states == sorted(states)
    assert {version for version, _ in states} == {0, 1, 2, 3}


@pytest.mark.spec("CNV-103", "CNV-106")
async def test_a_write_that_was_cut_is_not_made_twice_and_later_turns_are_told_to_look(cuts):
    between = [home for home in cuts if (found := state(home))[0] > found[1]]
    assert len(between) >= 3  # after each write, before its result
    for home in (between[0], between[-1]):
        seen = []
        before = state(home)[0]
        async with a_crew(home, routes="fake:m", scripts={"m": requests_of(seen)}) as crew:
            conversation = crew.conversations.list()[0][0].id
            await crew.host.wait(conversation)
            results = [message for message in crew.conversations.detail(conversation).messages if message.role == "tool"]
            assert sum(message.context == {"outcome": "unknown"} for message in results) == 1
            assert sum(each.how == "create" for each in crew.canvases.versions(crew.canvases.list()[0][0].id)) == 1
            assert crew.canvases.list()[0][0].version >= before
            assert len(crew.canvases.list()[0]) == 1
            await say(crew, "next", conversation)
        arguments = [call.arguments for message in seen[-1] for call in message.tool_calls]
        assert sum(INTERRUPTED in str(each) for each in arguments) == 1

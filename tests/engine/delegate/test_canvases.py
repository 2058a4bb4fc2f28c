"""Canvases that a child wrote, through the real store: named in the result, new to the parent's next turn, unread until read."""

import json

import pytest

from crewlab.engine.models.fake import FakeCall
from crewlab.engine.texts import Texts
from tests.fixtures.crews import say
from tests.fixtures.teams import a_team, calls_then, children, job, result, results

EN = Texts("en")


def create(title, content="one"):
    return FakeCall("artifact_create", json.dumps({"title": title, "kind": "markdown", "content": content}))


@pytest.mark.spec("DLG-57", "DLG-61", "DLG-64", "CNV-85", "CNV-92", "CNV-98")
async def test_a_canvas_of_a_child_is_named_but_not_read(tmp_path):
    ada = calls_then([create("The harbour")], ["Written.\n\nStatus: DONE"])
    async with a_team(tmp_path, {"ada": ada}) as crew:
        conversation, _ = await say(crew, job(relay=False))
        (child,) = children(crew, conversation)
        ((canvas_id, version, title),) = crew.canvases.written_in(child.id)
        found = result(crew, conversation)
        assert [(one.id, one.version, one.title) for one in found.canvases] == [(canvas_id, 1, "The harbour")]
        assert results(crew, conversation)[0].content.split("\n")[2] == f"[artifact {canvas_id} v1] The harbour"
        rewrite = {"id": canvas_id, "content": "two"}
        await say(crew, f"/tool artifact_rewrite {json.dumps(rewrite)}", conversation)
        opening = [m for m in crew.store.messages.list(conversation) if m.role == "user"][-1]
        assert f"[artifact {canvas_id} v1] The harbour" in "\n".join(opening.context["parts"])  # new to the next turn
        assert crew.canvases.get(canvas_id).version == 1  # being named is not being read
        await say(crew, f"/tool artifact_read {json.dumps({'id': canvas_id})}", conversation)
        await say(crew, f"/tool artifact_rewrite {json.dumps(rewrite)}", conversation)
        assert crew.canvases.get(canvas_id).version == 2
        assert (version, title) == (1, "The harbour")


@pytest.mark.spec("CNV-91", "DLG-63")
@pytest.mark.parametrize(("language", "words"), [("en", "data"), ("vi", "dữ liệu")])
async def test_the_description_says_that_titles_are_data(tmp_path, language, words):
    async with a_team(tmp_path, {}, config=f"language: {language}\n") as crew:
        tool = crew.toolbox.of(crew.roster.master).get("delegate")
        assert words in tool.description

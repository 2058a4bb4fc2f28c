"""Files of the workspace into canvases and back."""

import os

import pytest

from crewlab.engine.canvas.kinds import CAPS
from crewlab.engine.errors import Conflict, TooLarge
from tests.fixtures.canvases import call, create, line, png
from tests.fixtures.crews import a_crew, say


@pytest.fixture
async def crew(tmp_path):
    async with a_crew(tmp_path / "home") as found:
        yield found


@pytest.fixture
def workspace(crew):
    return crew.roster.master.workspace


@pytest.mark.spec("CNV-61", "CNV-64", "CNV-65", "CNV-68", "CNV-70")
async def test_a_file_becomes_a_canvas_that_remembers_it(crew, workspace):
    (workspace / "docs").mkdir()
    (workspace / "docs" / "a.py").write_bytes(b"\xef\xbb\xbfprint(1)\r\n")
    made = await call(crew, "artifact_import", path="docs/../docs/a.py")
    assert made.output.split("\n") == [f"[artifact {made.id} v1]", "Imported docs/../docs/a.py: a.py (code, 10 bytes)."]
    artifact = crew.canvases.get(made.id)
    assert (artifact.title, artifact.kind, artifact.language, artifact.source_path) == ("a.py", "code", "python", "docs/a.py")
    assert crew.canvases.text(made.id, 1) == "print(1)\r\n"  # the byte order mark is dropped, line ends stay
    assert not (await call(crew, "artifact_rewrite", made.conversation, id=made.id, content="x")).ok  # known, not whole
    (workspace / "notes").write_text("x")
    asks = await call(crew, "artifact_import", path="notes")
    assert not asks.ok
    assert "kind" in asks.output
    named = await call(crew, "artifact_import", path="notes", kind="code", language="plain", title="Notes")
    assert (crew.canvases.get(named.id).title, crew.canvases.get(named.id).language) == ("Notes", "plain")


@pytest.mark.spec("CNV-62", "CNV-63")
async def test_only_a_regular_file_inside_the_workspace_that_fits_is_taken(crew, workspace, tmp_path):
    (tmp_path / "secret.md").write_text("secret")
    (workspace / "out.md").symlink_to(tmp_path / "secret.md")
    (workspace / "real.md").write_text("inside")
    (workspace / "in.md").symlink_to("real.md")
    (workspace / "folder.md").mkdir()
    os.mkfifo(workspace / "pipe.md")
    (workspace / "latin.md").write_bytes(b"caf\xe9")
    (workspace / "nul.md").write_bytes(b"a\x00b")
    (workspace / "big.md").write_bytes(b"x" * (CAPS["markdown"] + 1))
    (workspace / "lies.png").write_bytes(b"<svg/>")
    wrong = {
        "out.md": "workspace",
        "../secret.md": "workspace",
        str(tmp_path / "secret.md"): "workspace",
        "folder.md": "directory",
        "pipe.md": "",
        "latin.md": "UTF-8",
        "nul.md": "UTF-8",
        "big.md": "512 KB",
        "lies.png": "PNG",
        "missing.md": "",
        "": "",
    }
    for path, said in wrong.items():
        refused = await call(crew, "artifact_import", path=path)
        assert not refused.ok, path
        assert said in refused.output, refused.output
        assert "secret" not in refused.output.replace(path, "")
    assert crew.canvases.list()[0] == []
    assert (await call(crew, "artifact_import", path="in.md")).ok
    (workspace / "full.md").write_bytes(b"\xef\xbb\xbf" + b"x" * CAPS["markdown"])
    assert (await call(crew, "artifact_import", path="full.md")).ok


@pytest.mark.spec("CNV-62", "WS-4")
async def test_what_is_reserved_is_not_imported(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "agent.yaml").write_text(f"workspace: {home}\n")
    async with a_crew(home) as crew:
        (home / "browser" / "state.json").write_text("{}")
        refused = await call(crew, "artifact_import", path="browser/state.json")
        assert not refused.ok
        assert "reserved" in refused.output


@pytest.mark.spec("CNV-33", "CNV-45", "CNV-69")
async def test_a_picture_comes_in_by_import_and_is_described_not_read(crew, workspace):
    (workspace / "p.jpg").write_bytes(png(7, 5))  # whatever its ending, it is what its bytes say
    made = await call(crew, "artifact_import", path="p.jpg")
    assert (crew.canvases.get(made.id).kind, crew.canvases.text(made.id, 1)) == ("image", None)
    read = await call(crew, "artifact_read", made.conversation, id=made.id)
    assert "png" in read.output
    assert f"{len(png(7, 5))} bytes, 7 × 5 pixels" in read.output
    assert "artifact_export" in read.output
    for tool, more in (("artifact_edit", {"old": "a", "new": "b"}), ("artifact_rewrite", {"content": "x"})):
        refused = await call(crew, tool, made.conversation, id=made.id, **more)
        assert not refused.ok
        assert "artifact_import" in refused.output
    (workspace / "p.png").write_bytes(png(1, 1))
    again = await call(crew, "artifact_import", made.conversation, path="p.png", id=made.id)
    assert again.version == 2
    assert crew.canvases.get(made.id).source_path == "p.png"


@pytest.mark.spec("CNV-65", "CNV-66", "CNV-67", "CNV-70", "CNV-71")
async def test_an_import_into_a_canvas_spares_what_the_agent_has_not_seen(crew, workspace):
    made = await create(crew, content="mine")
    conversation = made.conversation
    (workspace / "a.md").write_text("from file")
    first = await call(crew, "artifact_import", conversation, path="a.md", id=made.id)
    assert first.version == 2
    assert not (await call(crew, "artifact_rewrite", conversation, id=made.id, content="x")).ok  # known, but not whole
    same = await call(crew, "artifact_import", conversation, path="a.md", id=made.id)
    assert same.output.startswith(f"[artifact {made.id} v2] unchanged\n")
    await crew.canvases.save(made.id, "by hand", 2)
    refused = await call(crew, "artifact_import", conversation, path="a.md", id=made.id)
    assert not refused.ok
    assert "replace" in refused.output
    assert crew.canvases.get(made.id).version == 3
    forced = await call(crew, "artifact_import", conversation, path="a.md", id=made.id, replace=True)
    assert forced.version == 4
    assert crew.canvases.text(made.id, 3) == "by hand"
    (workspace / "a.py").write_text("x = 1")
    for more in ({"path": "a.py"}, {"path": "a.md", "title": "New"}, {"path": "a.md", "language": "x"}):
        assert not (await call(crew, "artifact_import", conversation, id=made.id, **more)).ok
    as_text = await call(crew, "artifact_import", conversation, id=made.id, path="a.py", kind="markdown")
    assert as_text.version == 5
    assert [each.how for each in crew.canvases.versions(made.id)] == ["import", "import", "save", "import", "create"]


@pytest.mark.spec("CNV-128", "CNV-130")
async def test_a_person_imports_the_remembered_file_again(crew, workspace):
    (workspace / "a.md").write_text("one")
    made = await call(crew, "artifact_import", path="a.md")
    assert await crew.canvases.reimport(made.id) == (crew.canvases.get(made.id), True)
    await crew.canvases.save(made.id, "by hand", 1)
    (workspace / "a.md").write_text("two")
    artifact, unchanged = await crew.canvases.reimport(made.id)  # the person decides: an unseen version is no obstacle
    assert (artifact.version, artifact.author, unchanged) == (3, "user", False)
    assert crew.canvases.text(made.id, 3) == "two"
    (workspace / "a.md").unlink()
    for spoil in (lambda: None, lambda: (workspace / "a.md").mkdir()):
        spoil()
        with pytest.raises(Conflict) as caught:
            await crew.canvases.reimport(made.id)
        assert caught.value.code == "source_unusable"
        assert caught.value.fields["reason"] in caught.value.message
    (workspace / "a.md").rmdir()
    (workspace / "a.md").write_bytes(b"x" * (CAPS["markdown"] + 1))
    with pytest.raises(TooLarge):
        await crew.canvases.reimport(made.id)
    with pytest.raises(Conflict) as caught:
        await crew.canvases.reimport((await create(crew)).id)
    assert caught.value.code == "no_source"


async def export(crew, conversation=None, **arguments):
    """Ask for an export and approve it when the gate asks."""
    conversation, seen = await say(crew, line("artifact_export", **arguments), conversation)
    asked = [event.approval for event in seen if event.type == "approval_required"]
    if asked:
        await crew.approvals.decide(asked[0].id, "approve")
        await crew.host.wait(conversation)
    result = [message for message in crew.conversations.detail(conversation).messages if message.role == "tool"][-1]
    return asked[0] if asked else None, result.content


@pytest.mark.spec("CNV-72", "CNV-73", "CNV-74", "CNV-76", "CNV-77")
async def test_an_export_asks_and_writes_one_version_with_its_bytes_unchanged(crew, workspace):
    made = await create(crew, content="eins\r\nzwei")
    await call(crew, "artifact_edit", made.conversation, id=made.id, old="eins", new="1")
    approval, answer = await export(crew, made.conversation, id=made.id, path="out/plan.md", version=1)
    assert approval.summary == f"Write canvas {made.id} v1 “Plan” (10 bytes) to the new file out/plan.md"
    assert answer == f"Wrote out/plan.md: canvas {made.id}, version 1, 10 bytes."
    assert (workspace / "out" / "plan.md").read_bytes() == b"eins\r\nzwei"
    approval, answer = await export(crew, made.conversation, id=made.id, path="out/plan.md")
    assert approval.summary.startswith("Overwrite out/plan.md")
    assert "overwritten" in answer
    assert not answer.startswith("[artifact")
    assert (workspace / "out" / "plan.md").read_bytes() == b"1\r\nzwei"
    assert crew.canvases.get(made.id).source_path is None
    assert sorted(path.name for path in (workspace / "out").iterdir()) == ["plan.md"]
    crew.conversations.patch(made.conversation, {"autonomous": True})
    assert (await export(crew, made.conversation, id=made.id, path="out/plan.md"))[0] is None


@pytest.mark.spec("CNV-75", "GATE-10")
async def test_an_export_keeps_the_path_rules_and_asks_nobody_for_what_they_forbid(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    (home / "agent.yaml").write_text("write_paths: [data]\n")
    async with a_crew(home) as crew:
        workspace = crew.roster.master.workspace
        made = await create(crew)
        (workspace / "data").mkdir()
        (workspace / "data" / "folder").mkdir()
        (workspace / "data" / "real.md").write_text("kept")
        (workspace / "data" / "link.md").symlink_to("real.md")
        for path in ("x.md", "data/../x.md", "../x.md", "/etc/x", "data/folder", "data/link.md", "data/", ""):
            asked, answer = await export(crew, made.conversation, id=made.id, path=path)
            assert asked is None, path
            assert "Wrote" not in answer
        asked, answer = await export(crew, made.conversation, id=made.id, path="data/new.md", version=7)
        assert asked is None
        assert "newest is 1" in answer
        assert (workspace / "data" / "real.md").read_text() == "kept"
        assert not (workspace / "x.md").exists()
        assert "Wrote data/new.md" in (await export(crew, made.conversation, id=made.id, path="data/new.md"))[1]


@pytest.mark.spec("CNV-74")
async def test_a_full_disk_leaves_the_old_file_whole(crew, workspace, monkeypatch):
    from crewlab.engine.tools.workspace import writing

    def full(*_args):
        raise OSError(28, "No space left on device")

    (workspace / "plan.md").write_text("old")
    made = await create(crew)
    monkeypatch.setattr(writing.os, "write", full)
    _, answer = await export(crew, made.conversation, id=made.id, path="plan.md")
    monkeypatch.undo()
    assert "no room" in answer.lower() or "full" in answer.lower() or "space" in answer.lower()
    assert (workspace / "plan.md").read_text() == "old"
    assert [path.name for path in workspace.iterdir()] == ["plan.md"]


@pytest.mark.spec("CNV-81")
async def test_the_newest_version_goes_out_with_a_reply_when_the_agent_reaches_it(crew, workspace):
    made = await create(crew, title="Báo cáo", content="x")
    (workspace / "p.gif").write_bytes(png())
    picture = await call(crew, "artifact_import", made.conversation, path="p.gif")
    file = crew.canvases.attachment(made.conversation, made.id)
    assert (file.name, file.data, file.inline) == ("Báo cáo.md", b"x", False)
    shown = crew.canvases.attachment(made.conversation, picture.id)
    assert (shown.name, shown.content_type, shown.inline) == ("p.png", "image/png", True)
    crew.canvases.delete(made.id)
    assert crew.canvases.attachment(made.conversation, made.id) is None
    assert crew.canvases.attachment(made.conversation, "zzzzzzzz") is None
    assert crew.canvases.attachment("gone", picture.id) is None

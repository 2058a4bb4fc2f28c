import os
import socket
from pathlib import Path

import pytest

from crewlab.engine.home.layout import Home
from crewlab.engine.sandbox import places
from crewlab.engine.sandbox.places import BadPlace, crew_secrets, guarded_files, opened, outermost


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "ws" / "out").mkdir(parents=True)
    return tmp_path / "ws"


@pytest.mark.spec("SHL-55")
def test_a_missing_entry_becomes_a_folder_and_the_descriptor_is_that_place(workspace: Path) -> None:
    with opened(workspace, ["."], []) as whole:
        assert [place.path for place in whole] == [workspace]
    with opened(workspace, ["out", "new/deep"], []) as found:
        assert [place.path for place in found] == [workspace / "out", workspace / "new" / "deep"]
        assert all(os.path.samestat(os.fstat(place.descriptor), place.path.stat()) for place in found)
        descriptors = [place.descriptor for place in found]
    assert (workspace / "new" / "deep").is_dir()
    for descriptor in descriptors:
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(descriptor)


@pytest.mark.spec("SHL-55")
@pytest.mark.parametrize("entry", ["leads-out", "leads-out/deeper", "out/leads-out", "../x", "/etc", "loop"])
def test_an_entry_that_leads_out_is_refused(entry: str, workspace: Path) -> None:
    (workspace.parent / "elsewhere").mkdir()
    os.symlink(workspace.parent / "elsewhere", workspace / "leads-out")
    os.symlink("../../elsewhere", workspace / "out" / "leads-out")
    os.symlink("loop", workspace / "loop")
    with pytest.raises(BadPlace), opened(workspace, ["out", entry], []):
        pass
    assert list((workspace.parent / "elsewhere").iterdir()) == []


@pytest.mark.spec("SHL-55")
def test_a_link_that_stays_inside_leads_to_its_place(workspace: Path) -> None:
    os.symlink("out", workspace / "alias")
    with opened(workspace, ["alias"], []) as found:
        assert [place.path for place in found] == [workspace / "out"]


@pytest.mark.spec("SHL-55", "SBX-5")
def test_a_link_put_there_between_looking_and_opening_is_refused(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (workspace.parent / "elsewhere").mkdir()
    step = places._step

    def swap(here: int, part: str, *, last: bool) -> int:
        if not (workspace / "out").is_symlink():
            (workspace / "out").rmdir()
            os.symlink(workspace.parent / "elsewhere", workspace / "out")
        return step(here, part, last=last)

    monkeypatch.setattr(places, "_step", swap)
    with pytest.raises(BadPlace), opened(workspace, ["out"], []):
        pass


@pytest.mark.spec("SHL-55")
@pytest.mark.parametrize("entry", ["home", ".", "home/agents", "home/agents/a"])
def test_an_entry_that_holds_the_crews_own_files_is_refused(entry: str, workspace: Path) -> None:
    home = Home(workspace / "home")
    home.ensure()
    (home.agents_dir / "a").mkdir(parents=True)
    (home.agents_dir / "a" / "agent.yaml").write_text("")
    with pytest.raises(BadPlace, match="guards"), opened(workspace, [entry], guarded_files(home)):
        pass
    with opened(workspace, ["home/workspace"], guarded_files(home)) as found:
        assert len(found) == 1


@pytest.mark.spec("SHL-55", "SBX-5")
def test_an_entry_below_another_comes_with_it(workspace: Path) -> None:
    with opened(workspace, ["out/deep", "out", "other", "outer"], []) as found:
        assert [place.path for place in found] == [workspace / name for name in ("out", "other", "outer")]
    assert (workspace / "out" / "deep").is_dir()


def test_a_socket_or_a_pipe_is_no_write_path(workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    (workspace / "file.txt").write_text("x")
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(os.path.relpath(workspace / "s"))
        for entry in ("pipe", "s", "file.txt/below"):
            with pytest.raises(BadPlace), opened(workspace, [entry], []):
                pass
    with opened(workspace, ["file.txt"], []) as found:
        assert found[0].path == workspace / "file.txt"


@pytest.mark.spec("SHL-56", "SHL-57", "SHL-58", "WS-4", "SBX-1")
def test_what_of_the_home_is_out_of_sight(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.ensure()
    for agent in ("me", "other", "host"):
        (home.agents_dir / agent / "workspace").mkdir(parents=True)
    (home.root / "spill" / "cv_1").mkdir(parents=True)
    (home.root / "spill" / "cv_2").mkdir()
    hidden = set(crew_secrets(home, "me", home.agents_dir / "me" / "workspace", "cv_1"))
    for name in (
        "browser",
        "desktop",
        "secrets",
        "crew.db",
        "crew.db-wal",
        "trash",
        "sandbox-tmp",
        "agents/other",
        "agents/host",
        "spill/cv_2",
    ):
        assert home.root / name in hidden
    assert home.root / "spill" / "cv_1" not in hidden
    assert home.agents_dir / "me" not in hidden
    shared = set(crew_secrets(home, "me", home.agents_dir / "host" / "workspace"))  # somebody gave it that workspace
    assert home.agents_dir / "host" not in shared
    assert home.agents_dir / "other" in shared


def test_a_place_below_another_or_not_there_needs_no_cover_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "ab").mkdir()
    os.symlink(tmp_path / "a", tmp_path / "link")
    os.symlink(tmp_path / "gone", tmp_path / "dangling")
    paths = [tmp_path / name for name in ("link", "a/b", "ab", "gone", "dangling", "a")]
    assert outermost(paths) == [tmp_path / "a", tmp_path / "ab"]

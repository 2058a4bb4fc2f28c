"""Where things lie in a home (AGT-1 to AGT-3, WS-4)."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from crewlab.engine.errors import StartupStop
from crewlab.engine.home.layout import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.spec("AGT-1", "AGT-8")
@pytest.mark.parametrize(
    ("environ", "root"),
    [
        ({"HOME": "/home/ada"}, "/home/ada/.crewlab"),
        ({"HOME": "/home/ada", "CREWLAB_HOME": ""}, "/home/ada/.crewlab"),
        ({"HOME": "/home/ada", "CREWLAB_HOME": "/srv/crew"}, "/srv/crew"),
        ({"HOME": "/home/ada", "CREWLAB_HOME": "~/lab"}, "/home/ada/lab"),
        ({"HOME": "/home/ada", "CREWLAB_HOME": "~"}, "/home/ada"),
    ],
)
def test_the_home_is_the_named_directory_or_the_hidden_one(environ: dict[str, str], root: str) -> None:
    assert str(Home.locate(environ).root) == root


@pytest.mark.spec("AGT-1")
def test_a_relative_home_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert Home.locate({"HOME": "/x", "CREWLAB_HOME": "lab"}).root == tmp_path / "lab"


@pytest.mark.spec("AGT-2")
def test_every_place_has_the_name_of_the_layout(home: Home) -> None:
    root = home.root
    assert home.config_file == root / "config.yaml"
    assert home.db_file == root / "crew.db"
    assert home.master_profile == root / "agent.yaml"
    assert home.secrets_file == root / "secrets" / "secrets.env"
    assert home.workspace == root / "workspace"
    assert home.agent_dir("default") == root
    assert home.agent_dir("ada") == root / "agents" / "ada"
    assert home.spill("c_1") == root / "spill" / "c_1"
    assert home.outputs("c_1") == root / "outputs" / "c_1"
    assert home.attachments("c_1") == root / "attachments" / "c_1"


@pytest.mark.spec("AGT-2")
@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../x", "a\\b", "a\0b"])
def test_an_id_that_is_a_path_leads_nowhere(home: Home, name: str) -> None:
    for place in (home.spill, home.outputs, home.attachments, home.agent_dir):
        with pytest.raises(ValueError, match="segment"):
            place(name)


@pytest.mark.spec("AGT-3", "SHL-75")
def test_a_new_home_is_closed_to_other_users(home: Home) -> None:
    home.ensure()
    for path in (home.root, home.root / "browser", home.root / "desktop", home.root / "secrets", home.workspace):
        assert mode(path) == 0o700
    assert sorted(path.name for path in home.root.iterdir()) == ["browser", "desktop", "secrets", "workspace"]


@pytest.mark.spec("AGT-3")
def test_what_somebody_opened_is_closed_again_and_the_home_keeps_its_mode(home: Home) -> None:
    home.ensure()
    home.secrets_file.write_text("A=b\n")
    home.secrets_file.chmod(0o644)
    home.secrets_file.parent.chmod(0o755)
    home.root.chmod(0o750)
    home.ensure()
    assert (mode(home.secrets_file), mode(home.secrets_file.parent), mode(home.root)) == (0o600, 0o700, 0o750)


@pytest.mark.spec("AGT-4")
def test_a_home_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StartupStop, match="CREWLAB_HOME") as caught:
        Home(tmp_path / "file" / "home").ensure()
    assert str(tmp_path / "file" / "home") in caught.value.message


@pytest.mark.spec("WS-4")
def test_reserved_places_are_closed_but_for_the_conversations_own(home: Home) -> None:
    home.ensure()
    for conversation in ("c_1", "c_2"):
        home.spill(conversation).mkdir(parents=True)
        home.attachments(conversation).mkdir(parents=True)
    (home.root / "crew.db.bak-3").touch()
    socket = Path("/run/helper.sock")
    closed = home.reserved("c_1", desktop_socket=socket)
    for name in ("browser", "desktop", "secrets", "crew.db", "crew.db-wal", "crew.db-shm", "crew.db.bak-3"):
        assert home.root / name in closed
    assert socket in closed
    assert home.spill("c_2") in closed
    assert home.attachments("c_2") in closed
    assert not any(home.spill("c_1").is_relative_to(path) or home.attachments("c_1").is_relative_to(path) for path in closed)


@pytest.mark.spec("WS-4")
def test_outside_a_conversation_all_of_them_are_closed(home: Home) -> None:
    assert {home.root / name for name in ("spill", "outputs", "attachments")} <= set(home.reserved(None))

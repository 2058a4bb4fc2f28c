"""What a person is told of the sandbox, and what the server tells it of itself."""

import ctypes
import os
import sys
from pathlib import Path

import pytest

from crewlab.commands.doctor import doctor
from crewlab.engine.home.layout import Home
from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import ToolContext, ToolError
from tests.fixtures.server import jupyter

PR_GET_DUMPABLE = 3


@pytest.mark.spec("SHL-88", "CHN-40")
async def test_connections_say_that_the_sandbox_works(tmp_path: Path) -> None:
    async with jupyter(tmp_path) as lab, lab.client() as client:
        block = (await client.get("connections")).json()["shell_sandbox"]
    assert block == {"system": "linux", "closed": True, "write_limited": True, "why": ""}


@pytest.mark.spec("SHL-88", "SHL-66", "SHL-60")
async def test_connections_say_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    async with jupyter(tmp_path) as lab, lab.client() as client:
        block = (await client.get("connections")).json()["shell_sandbox"]
    assert (block["closed"], block["write_limited"]) == (False, False)
    assert "bubblewrap" in block["why"]


@pytest.mark.spec("SHL-58", "SHL-59", "SHL-81")
async def test_the_server_tells_its_port_and_its_secrets_and_closes_itself(tmp_path: Path) -> None:
    async with jupyter(tmp_path) as lab:
        crew = await lab.crew()
        assert crew.sandbox._ports == (lab.port,)
        hidden = set(crew.sandbox._secrets)
        assert Path(lab.app.runtime_dir) in hidden
        assert Path(lab.app.cookie_secret_file) in hidden
        for folder in lab.app.config_file_paths:
            assert Path(folder) / "jupyter_server_config.json" in hidden
            assert Path(folder) / "jupyter_server_config.py" in hidden
        if sys.platform.startswith("linux"):
            assert ctypes.CDLL(None).prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) == 0


@pytest.mark.spec("CHN-65", "SHL-58")
async def test_no_file_tool_reaches_the_servers_token_even_in_a_workspace_around_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = tmp_path / "work" / "runtime"
    runtime.mkdir(parents=True)
    (runtime / "jpserver-7.json").write_text('{"token": "s3cr3t"}')
    (tmp_path / "work" / "mine.txt").write_text("mine")
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(runtime))
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "agent.yaml").write_text(f"mode: work\nworkspace: {tmp_path}/work\n")
    async with jupyter(tmp_path) as lab, lab.client() as client:
        crew = await lab.crew()
        agent = crew.roster.master
        context = ToolContext(agent.id, agent.workspace, crew.texts, closed_paths=crew.home.reserved(None))
        assert set(crew.home.hidden) == set(crew.sandbox._secrets)
        assert crew._parts.closed == crew.home.reserved(None)
        tools = crew.toolbox.of(agent)

        async def call(name: str, **arguments: object) -> str:
            tool = tools.get(name)
            assert tool is not None
            try:
                return await tool.run(arguments, context)
            except ToolError as error:
                return f"refused: {error.message}"

        assert "mine" in await call("workspace_read", path="mine.txt")
        assert (await call("workspace_read", path="runtime/jpserver-7.json")).startswith("refused")
        assert "jpserver" not in await call("workspace_list", path="")
        assert "token" not in (await call("workspace_grep", pattern="s3cr.t")).replace("s3cr.t", "")
        assert (await call("workspace_write", path="runtime/new.json", content="{}")).startswith("refused")
        served = await client.get("agents/default/files", params={"path": "runtime/jpserver-7.json"})
        assert served.status_code == 404


@pytest.mark.spec("SHL-57")
async def test_a_desktop_socket_elsewhere_is_covered_too(tmp_path: Path) -> None:
    async with jupyter(tmp_path, config=f"routes: [fake:echo]\ndesktop_socket: {tmp_path}/d.sock\n") as lab:
        assert tmp_path / "d.sock" in (await lab.crew()).sandbox._secrets


@pytest.mark.spec("SHL-66")
@pytest.mark.parametrize("there", [True, False])
def test_doctor_says_whether_it_works_and_what_to_install(
    there: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.environ["PATH"] if there else str(tmp_path))
    doctor(Home(tmp_path / "home"), {"CREWLAB_ROUTES": "fake:echo", "OLLAMA_BASE_URL": "http://127.0.0.1:9"}, Texts("en"))
    lines = capsys.readouterr().out.splitlines()
    if there:
        assert "✓ Commands of agents can be put into a sandbox of the operating system" in lines
    else:
        at = lines.index(next(line for line in lines if line.startswith("· No complete sandbox")))
        assert lines[at + 1] == "    → bwrap is not installed: install the package bubblewrap and start the server again."
    assert not (tmp_path / "home").exists()

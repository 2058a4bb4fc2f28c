"""The wheel that people install: built from a fresh copy of the tree, installed where there is no Node."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from crewlab._version import __version__
from tests.fixtures.source import ROOT, tracked

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

DIAGRAMS = "crewlab/engine/canvas/static/mermaid.min.js"
LABEXTENSION = f"crewlab-{__version__}.data/data/share/jupyter/labextensions/@crewlab/labextension/"
CONFIG = f"crewlab-{__version__}.data/data/etc/jupyter/jupyter_server_config.d/crewlab.json"


def run(command: list[str], *, cwd: Path, env: dict[str, str]) -> str:
    result = subprocess.run(command, cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert result.returncode == 0, result.stdout
    return re.sub(r"\x1b\[[0-9;]*m", "", result.stdout)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by the packaging's own hook from the files that a clone would hold."""
    tree = tmp_path_factory.mktemp("tree")
    for source in tracked():
        target = tree / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    env.pop("SKIP_JUPYTER_BUILDER", None)
    env.pop("PYTHONPATH", None)
    run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tree / "dist")], cwd=tree, env=env)
    (built,) = (tree / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A new environment with the wheel alone, and variables under which no Node is found and no other home is read."""
    folder = tmp_path_factory.mktemp("clean")
    venv = folder / "venv"
    script = str(ROOT / "scripts" / "venv.sh")
    env = {**os.environ, "PYTHON": sys.executable}
    run([script, "create", str(venv)], cwd=folder, env=env)
    run([script, "install", str(venv), "--constraint", str(ROOT / "constraints.txt"), str(wheel)], cwd=folder, env=env)
    home = folder / "home"
    home.mkdir()
    clean = {"PATH": str(venv / "bin"), "HOME": str(home), "LANG": "C.UTF-8", "CREWLAB_HOME": str(home / "crew")}
    assert shutil.which("node", path=clean["PATH"]) is None
    return venv, clean


def test_the_wheel_holds_the_built_front_end(names: set[str]) -> None:
    assert any(re.fullmatch(re.escape(LABEXTENSION) + r"static/remoteEntry\.[0-9a-f]+\.js", name) for name in names)
    assert {
        LABEXTENSION + name for name in ("package.json", "install.json", "static/style.js", "schemas/@crewlab/labextension/plugin.json")
    } <= names
    assert not any(name.endswith(".map") for name in names), "a production build has no source maps"


def test_the_wheel_enables_the_server_extension(names: set[str]) -> None:
    assert CONFIG in names


def test_the_wheel_holds_the_front_end_of_the_widgets(names: set[str]) -> None:
    assert any(re.fullmatch(r"crewlab/widgets/static/\w+\.js", name) for name in names)


@pytest.mark.spec("CNV-120")
def test_the_wheel_holds_the_library_that_draws_diagrams(names: set[str]) -> None:
    assert DIAGRAMS in names


def test_the_wheel_holds_every_file_of_the_package_and_nothing_else(names: set[str]) -> None:
    package = {str(path.relative_to(ROOT)) for path in tracked() if path.is_relative_to(ROOT / "crewlab")}
    held = {name for name in names if name.startswith("crewlab/") and not name.startswith("crewlab/widgets/static/")}
    assert held - {DIAGRAMS} == package
    assert {name.partition("/")[0] for name in names} == {"crewlab", f"crewlab-{__version__}.dist-info", f"crewlab-{__version__}.data"}


def test_the_wheel_says_what_it_needs(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    metadata = archive.read(f"crewlab-{__version__}.dist-info/METADATA").decode()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"Requires-Python: {project['requires-python']}" in metadata
    assert "License-Expression: BSD-3-Clause" in metadata
    assert len(re.findall(r"^Requires-Dist: [^;\n]+$", metadata, re.M)) == len(project["dependencies"])
    assert "crewlab = crewlab.cli:main" in archive.read(f"crewlab-{__version__}.dist-info/entry_points.txt").decode()


def test_an_environment_without_node_has_the_server_extension(installed: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    venv, env = installed
    listed = run([str(venv / "bin" / "jupyter"), "server", "extension", "list"], cwd=tmp_path, env=env)
    assert re.search(r"crewlab\s+enabled", listed), listed
    assert re.search(rf"crewlab\s+{re.escape(__version__)}\s+OK", listed), listed


def test_an_environment_without_node_has_the_lab_extension(installed: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    venv, env = installed
    listed = run([str(venv / "bin" / "jupyter"), "labextension", "list"], cwd=tmp_path, env=env)
    assert re.search(rf"@crewlab/labextension v{re.escape(__version__)}\s+enabled\s+OK\s+\(python, crewlab\)", listed), listed


def test_an_environment_without_node_has_the_command(installed: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    venv, env = installed
    assert "doctor" in run([str(venv / "bin" / "crewlab"), "--help"], cwd=tmp_path, env=env)


def test_the_installed_package_is_the_wheel_and_imports(installed: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    venv, env = installed
    code = "import crewlab, crewlab.engine.crew, crewlab.server_ext.app, crewlab.notebook, crewlab.widgets; print(crewlab.__file__)"
    assert run([str(venv / "bin" / "python"), "-c", code], cwd=tmp_path, env=env).startswith(str(venv))

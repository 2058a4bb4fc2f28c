"""The command ``crewlab``: serve, agent list, local, doctor."""

from __future__ import annotations

import dataclasses
import os
import re
import socket
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from crewlab import cli
from crewlab._version import __version__
from crewlab.commands import doctor as doctor_command
from crewlab.commands.doctor import SIGNS, Finding, can_answer, doctor, examine
from crewlab.commands.doctor_facts import Facts, Probes, gather
from crewlab.commands.local import local_model
from crewlab.commands.serve import check, jupyter_options, port_is_free, serve
from crewlab.engine.errors import CrewError, Invalid, StartupStop
from crewlab.engine.home.layout import Home
from crewlab.engine.home.lock import HomeLock
from crewlab.engine.home.routes import Route
from crewlab.engine.texts import Texts
from crewlab.engine.texts.en_cli import TEXTS as EN_CLI
from crewlab.engine.texts.en_home import TEXTS as EN_HOME
from crewlab.engine.texts.vi_cli import TEXTS as VI_CLI
from crewlab.engine.texts.vi_home import TEXTS as VI_HOME

EN = Texts("en")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    for name in list(os.environ):
        if name.startswith("CREWLAB_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    home = Home(tmp_path / "home")
    home.ensure()
    monkeypatch.setenv("CREWLAB_HOME", str(home.root))
    return home


def run(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    path = os.pathsep.join(path for path in sys.path if path)
    command = [sys.executable, "-m", "crewlab.cli", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHONPATH": path, **environ}, check=False
    )


# --- serve


@pytest.fixture
def held(home: Home) -> Iterator[Home]:
    lock = HomeLock(home)
    lock.acquire()
    yield home
    lock.release()


@pytest.mark.spec("DB-12")
@pytest.mark.parametrize("arguments", [(), ("--port", "8899"), ("--no-schedule",)])
def test_serve_on_a_held_home_exits_with_1_and_names_it(held: Home, arguments: tuple[str, ...]) -> None:
    held.config_file.write_text("max_step: 1\n")  # nothing of a held home is read
    ended = run("serve", "--no-browser", *arguments)
    assert ended.returncode == 1
    assert str(held.root) in ended.stderr
    assert "already served" in ended.stderr
    assert "max_step" not in ended.stderr


@pytest.mark.spec("DB-12")
def test_not_even_the_language_of_a_held_home_is_read(held: Home) -> None:
    os.mkfifo(held.config_file)  # reading it would never end
    assert "already served" in run("serve").stderr
    assert "đang được" in run("serve", CREWLAB_LANGUAGE="vi").stderr


@pytest.mark.spec("AGT-4", "AGT-5")
def test_serve_with_an_unknown_key_exits_with_1_and_says_what_to_do(home: Home) -> None:
    home.config_file.write_text("max_step: 1\n")
    ended = run("serve", "--no-browser")
    assert ended.returncode == 1
    assert ended.stderr.strip() == (
        f"{home.config_file}, line 1: unknown key max_step. Did you mean max_steps? Correct the key or remove it."
    )


@pytest.mark.spec("AGT-4")
def test_serve_reads_the_profiles_too(home: Home) -> None:
    home.master_profile.write_text("browser: on\n")
    with pytest.raises(StartupStop, match="read, act"):
        serve(home, {}, EN, launch=lambda options: pytest.fail("Jupyter was started"))


@pytest.mark.spec("DB-12")
def test_the_check_lets_the_home_go_for_the_extension(home: Home) -> None:
    home.config_file.write_text("max_steps: [\n")
    with pytest.raises(StartupStop):
        check(home, {}, EN)
    home.config_file.unlink()
    assert check(home, {}, EN) == ("en", [])
    lock = HomeLock(home)
    lock.acquire()
    lock.release()


@pytest.mark.spec("AGT-10")
def test_serve_hands_its_options_and_the_home_to_jupyter(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CREWLAB_HOME")
    given: list[list[str]] = []
    arguments = ["--", "--ip=0.0.0.0", "--ServerApp.port=9999"]
    assert serve(home, {}, EN, port=0, schedule=False, browser=False, jupyter_arguments=arguments, launch=given.append) == 0
    assert given == [
        [
            "--ServerApp.port=0",
            "--ServerApp.port_retries=0",
            "--CrewlabApp.schedule=False",
            "--no-browser",
            "--ip=0.0.0.0",
            "--ServerApp.port=9999",
        ]
    ]
    assert os.environ["CREWLAB_HOME"] == str(home.root)
    assert jupyter_options(port=None, schedule=True, browser=True, further=[]) == []


@pytest.mark.spec("AGT-4")
def test_a_taken_port_is_told_with_what_to_do(home: Home) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert not port_is_free(port)
        with pytest.raises(StartupStop, match="--port") as caught:
            serve(home, {}, EN, port=port, launch=lambda options: pytest.fail("Jupyter was started"))
    assert str(port) in caught.value.message
    assert port_is_free(port)


@pytest.mark.spec("AGT-1", "DB-12")
def test_a_real_jupyterlab_comes_up_on_a_home_that_does_not_exist(tmp_path: Path) -> None:
    new = tmp_path / "new home"
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path), "JUPYTER_RUNTIME_DIR": str(tmp_path / "run")}
    options = ["--no-browser", "--no-schedule", "--home", str(new), "--port", "0", "--allow-root", "--ServerApp.root_dir", str(tmp_path)]
    process = subprocess.Popen([sys.executable, "-m", "crewlab.cli", "serve", *options], stderr=subprocess.PIPE, text=True, env=environ)
    try:
        assert process.stderr is not None
        lines = iter(process.stderr.readline, "")
        assert any("is running at" in line for line in lines)
        assert new.is_dir()
    finally:
        process.terminate()
        process.communicate(timeout=30)


# --- agents and local models


@pytest.mark.spec("DB-14", "AGT-19")
def test_agent_list_works_beside_a_running_server(held: Home, capsys: pytest.CaptureFixture[str]) -> None:
    profile = held.agents_dir / "ada" / "agent.yaml"
    profile.parent.mkdir(parents=True)
    profile.write_text("name: Ada\nmode: work\ntools: [nonsense_tool]\n")
    assert cli.main(["agent", "list"]) == 0
    printed = capsys.readouterr()
    lines = printed.out.splitlines()
    assert lines[0].split() == ["ID", "NAME", "MODE", "ORIGIN", "WORKSPACE"]
    assert lines[1].split() == ["default", "Crew", "chat", "default", str(held.workspace)]
    assert lines[2].split() == ["ada", "Ada", "work", "profile", str(profile.parent / "workspace")]
    assert "nonsense_tool" in printed.err


@pytest.mark.spec("AGT-4")
def test_agent_list_tells_a_broken_profile(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    home.master_profile.write_text("mode: [\n")
    assert cli.main(["agent", "list"]) == 1
    assert str(home.master_profile) in capsys.readouterr().err


@pytest.mark.spec("AGT-26", "AGT-27", "AGT-28", "AGT-29", "AGT-30")
def test_agent_add_writes_files_beside_a_running_server_and_keeps_what_is_there(
    held: Home, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = held.agents_dir / "kongming" / "agent.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text("name: Mine\n")
    monkeypatch.chdir(tmp_path)
    assert cli.main(["agent", "add", "fullstack-developer", "--workspace", "repo"]) == 0
    printed = capsys.readouterr().out
    assert "fullstack-developer, researcher" in printed
    assert "kongming" in printed.splitlines()[1]
    assert mine.read_text() == "name: Mine\n"
    assert not (mine.parent / "PERSONA.md").exists()
    assert cli.main(["agent", "list"]) == 0
    listed = capsys.readouterr()
    assert [line.split()[0] for line in listed.out.splitlines()[1:]] == ["default", "fullstack-developer", "kongming", "researcher"]
    assert str(tmp_path / "repo") in listed.out.splitlines()[2]
    assert listed.err == ""
    assert (held.root / "skills" / "delegation" / "SKILL.md").is_file()
    assert cli.main(["agent", "add", "nobody"]) == 1
    assert "researcher" in capsys.readouterr().err


def test_agent_templates_are_shown_in_both_languages(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for language in ("en", "vi"):
        home.config_file.write_text(f"language: {language}\n")
        assert cli.main(["agent", "templates"]) == 0
        shown.append(capsys.readouterr().out)
    assert "Kongming" in shown[0]
    assert "Khổng Minh" in shown[1]


@pytest.mark.spec("CHN-47")
def test_doctor_names_routes_and_a_channel_that_lack_their_key(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    home.config_file.write_text("routes: [fake:echo]\n")
    home.master_profile.write_text("routes: ['anthropic:x']\ntelegram: {token_env: MY_BOT, chat_id: 1}\n")
    cli.main(["doctor"])
    printed = capsys.readouterr().out
    assert "default: routes" in printed
    assert "ANTHROPIC_API_KEY" in printed
    assert "MY_BOT" in printed


@pytest.fixture
def installer(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """In place of the real installer, which would fetch 100 MB."""
    module = types.ModuleType("crewlab.engine.models.local_install")
    module.status = lambda home: types.SimpleNamespace(engine=False, packaged=None, added=[], route=None)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def test_local_install_names_the_route_that_answers(home: Home, installer: types.ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[Home] = []
    installer.install = lambda home, texts: asked.append(home) or Route("local", "smollm2")  # type: ignore[attr-defined]
    assert cli.main(["local", "install"]) == 0
    assert asked == [home]
    assert "local:smollm2" in capsys.readouterr().out


def test_local_install_fetches_nothing_that_is_there(home: Home, installer: types.ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    there = types.SimpleNamespace(engine=True, packaged=home.root, added=[], route=Route("local", "smollm2"))
    installer.status = lambda home: there  # type: ignore[attr-defined]
    installer.install = lambda home, texts: pytest.fail("nothing is to be installed")  # type: ignore[attr-defined]
    assert cli.main(["local", "install"]) == 0
    said = capsys.readouterr().out
    assert "local:smollm2" in said
    assert "100 MB" not in said


def test_local_add_takes_a_file_and_names_the_route(
    tmp_path: Path, installer: types.ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "qwen.gguf"
    model.write_bytes(b"GGUF")
    installer.add = lambda home, path, texts: Route("local", path.stem)  # type: ignore[attr-defined]
    assert cli.main(["local", "add", str(model)]) == 0
    assert "local:qwen" in capsys.readouterr().out


def test_what_the_installer_refuses_is_said_and_ends_with_1(
    tmp_path: Path, installer: types.ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*arguments: object) -> Route:
        raise Invalid("This is no GGUF file.")

    installer.add = installer.install = refuse  # type: ignore[attr-defined]
    assert cli.main(["local", "add", str(tmp_path / "absent.gguf")]) == 1
    assert "absent.gguf" in capsys.readouterr().err
    text = tmp_path / "text.gguf"
    text.touch()
    assert cli.main(["local", "add", str(text)]) == 1
    assert "no GGUF file" in capsys.readouterr().err
    assert cli.main(["local", "install"]) == 1


@pytest.mark.parametrize(
    ("engine", "route", "answer"),
    [(True, Route("local", "qwen"), ("local:qwen", "")), (True, None, (None, "model")), (False, None, (None, "engine"))],
)
def test_what_is_missing_for_a_local_model(
    home: Home, installer: types.ModuleType, engine: bool, route: Route | None, answer: tuple[str | None, str]
) -> None:
    installer.status = lambda home: types.SimpleNamespace(engine=engine, packaged=None, added=[], route=route)  # type: ignore[attr-defined]
    assert local_model(home) == answer


# --- the command itself


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"crewlab {__version__}\n"


@pytest.mark.parametrize(
    "arguments", [[], ["nonsense"], ["agent"], ["agent", "list", "--nonsense"], ["serve", "--port", "70000"], ["serve", "--port", "x"]]
)
def test_what_cannot_be_understood_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(arguments)
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err


@pytest.mark.spec("AGT-8")
def test_the_home_of_the_option_wins_over_the_variable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other"
    other.mkdir()
    assert cli.main(["agent", "list", "--home", str(other)]) == 0
    assert str(other / "workspace") in capsys.readouterr().out


@pytest.mark.spec("TURN-3")
def test_the_command_speaks_the_language_that_is_set(
    home: Home, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    home.config_file.write_text("language: vi\nmax_steps: x\n")
    assert cli.main(["agent", "list"]) == 1
    assert "phải là số nguyên" in capsys.readouterr().err
    monkeypatch.setenv("CREWLAB_LANGUAGE", "vi")
    with pytest.raises(SystemExit):
        cli.main(["agent", "--help"])
    assert "liệt kê các agent" in capsys.readouterr().out


def test_the_command_answers_without_loading_what_it_does_not_need() -> None:
    code = "import sys, crewlab.cli; print(sorted({name.partition('.')[0] for name in sys.modules} & set(sys.argv[1:])))"
    heavy = ["pydantic", "yaml", "httpx", "jupyterlab", "jupyter_server", "tornado", "ruamel"]
    ended = subprocess.run(
        [sys.executable, "-c", code, *heavy],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        check=True,
    )
    assert ended.stdout.strip() == "[]"


# --- doctor

ALL_GOOD = Facts(
    version="1.2.3",
    python="3.11.7",
    home="/home/ada/.crewlab",
    home_state="ready",
    held=False,
    config_written=True,
    stop=None,
    agents=("default", "ada"),
    warnings=(),
    keys={"OPENROUTER_API_KEY": True, "ANTHROPIC_API_KEY": True, "OPENAI_API_KEY": True},
    broken_key_lines=(),
    keys_problem="",
    routes=("openai:o9",),
    ollama_url="http://127.0.0.1:11434/v1",
    ollama=True,
    local="local:smollm2",
    local_missing="",
    extension=True,
    front_end=True,
)
NO_KEYS = dict.fromkeys(ALL_GOOD.keys, False)


def test_a_whole_installation_has_nothing_to_mend() -> None:
    findings = examine(ALL_GOOD, EN)
    assert {finding.level for finding in findings} == {"good"}
    assert [finding.mend for finding in findings if finding.mend and "local" not in finding.text] == []


@pytest.mark.spec("AGT-4", "DB-12")
@pytest.mark.parametrize(
    ("change", "level", "says", "mend"),
    [
        ({"home_state": "absent"}, "note", "does not exist yet", "crewlab serve"),
        ({"home_state": "unusable"}, "bad", "cannot be read", "chmod"),
        ({"held": True}, "note", "running crewlab server", "Stop that server"),
        ({"stop": "config.yaml, line 3: unknown key x"}, "bad", "line 3", "doctor again"),
        ({"config_written": False}, "good", "no config.yaml", ""),
        ({"warnings": ("ada: nothing",)}, "note", "ada: nothing", ""),
        ({"keys": {"OPENAI_API_KEY": False}}, "note", "OPENAI_API_KEY is not set", "export OPENAI_API_KEY"),
        ({"keys_problem": "Permission denied"}, "bad", "Permission denied", "chmod 600"),
        ({"broken_key_lines": (4,)}, "note", "line 4", "Correct the line"),
        ({"ollama": False}, "note", "does not answer", "ollama serve"),
        ({"local": None, "local_missing": "model"}, "note", "a model file is missing", "crewlab local install"),
        ({"local": None, "local_missing": "engine"}, "note", "the program that runs it is missing", "crewlab local install"),
        ({"extension": False}, "bad", "extension is not enabled", "jupyter server extension enable crewlab"),
        ({"front_end": False}, "bad", "front end is not installed", "pip install"),
        ({"keys": NO_KEYS, "ollama": False, "local": None, "routes": ()}, "bad", "No model can answer", "crewlab local install"),
    ],
)
def test_each_fault_is_one_finding_with_the_command_that_mends_it(change: dict[str, object], level: str, says: str, mend: str) -> None:
    findings = examine(dataclasses.replace(ALL_GOOD, **change), EN)  # type: ignore[arg-type]
    found = [finding for finding in findings if says in finding.text]
    assert [finding.level for finding in found] == [level]
    assert mend in found[0].mend
    assert bool(found[0].mend) is bool(mend)


@pytest.mark.spec("PRV-2", "AGT-8")
@pytest.mark.parametrize(
    ("change", "answers"),
    [
        ({"routes": ("openai:o9",)}, False),
        ({"routes": ("openai:o9", "fake:echo")}, True),
        ({"routes": ("somebody:else",)}, False),
        ({"routes": ("somebody:else",), "outside": ("somebody",)}, True),
        ({"routes": ()}, False),
        ({"routes": (), "ollama": True}, True),
        ({"routes": (), "local": "local:smollm2"}, True),
        ({"routes": (), "keys": {"ANTHROPIC_API_KEY": True}}, True),
        ({"routes": ("ollama:qwen3:8b",), "local": "local:smollm2"}, False),
    ],
)
def test_whether_a_model_can_answer(change: dict[str, object], answers: bool) -> None:
    nothing = dataclasses.replace(ALL_GOOD, keys=NO_KEYS, ollama=False, local=None)
    assert can_answer(dataclasses.replace(nothing, **change)) is answers  # type: ignore[arg-type]


def probes(*, local: str | None = None) -> Probes:
    return Probes(ollama=lambda url: False, local=lambda home: (local, "engine"), extension=lambda: True, front_end=lambda: True)


@pytest.mark.spec("DB-14", "CHN-41")
def test_doctor_works_beside_a_running_server_and_shows_no_value(held: Home, capsys: pytest.CaptureFixture[str]) -> None:
    held.secrets_file.write_text("OPENAI_API_KEY=canary-value-1\nnot a line\n")
    assert doctor(held, {"ANTHROPIC_API_KEY": "canary-value-2"}, EN, probes()) == 0
    printed = capsys.readouterr().out
    assert "canary" not in printed
    assert f"{SIGNS['good']} OPENAI_API_KEY is set" in printed
    assert f"{SIGNS['good']} ANTHROPIC_API_KEY is set" in printed
    assert f"{SIGNS['note']} OPENROUTER_API_KEY is not set" in printed
    assert "line 2" in printed
    assert "A running crewlab server holds the home" in printed


def test_doctor_ends_with_1_when_the_crew_cannot_start(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    home.config_file.write_text("max_steps: many\n")
    assert doctor(home, {}, EN, probes(local="local:smollm2")) == 1
    assert f"{home.config_file}, line 1" in capsys.readouterr().out


def test_doctor_makes_nothing(tmp_path: Path) -> None:
    new = Home(tmp_path / "absent")
    facts = gather(new, {}, EN, probes())
    assert (facts.home_state, facts.held, facts.stop, facts.agents) == ("absent", False, None, ("default",))
    assert not new.root.exists()


def test_a_home_that_is_a_file_is_found_unusable(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    facts = gather(Home(file), {}, EN, probes())
    assert facts.home_state == "unusable"
    assert doctor_command.examine(facts, EN)


def test_the_real_probes_answer_here(home: Home) -> None:
    ended = run("doctor", OLLAMA_BASE_URL="http://127.0.0.1:9/v1")
    assert ended.stderr == ""
    assert "Ollama does not answer at http://127.0.0.1:9/v1" in ended.stdout
    assert ended.returncode in (0, 1)


# --- texts


@pytest.mark.spec("TURN-3")
@pytest.mark.parametrize(("english", "vietnamese"), [(EN_CLI, VI_CLI), (EN_HOME, VI_HOME)])
def test_both_languages_have_the_same_texts_with_the_same_fields(english: dict[str, str], vietnamese: dict[str, str]) -> None:
    assert list(english) == list(vietnamese)
    for key, text in english.items():
        assert sorted(set(re.findall(r"\{(\w+)\}", text))) == sorted(set(re.findall(r"\{(\w+)\}", vietnamese[key]))), key


@pytest.mark.spec("TURN-3")
@pytest.mark.parametrize("language", ["en", "vi"])
def test_every_finding_can_be_said(language: str) -> None:
    nothing = dataclasses.replace(
        ALL_GOOD,
        keys=NO_KEYS,
        ollama=False,
        local=None,
        extension=False,
        front_end=False,
        held=True,
        home_state="unusable",
        broken_key_lines=(1,),
        keys_problem="p",
        warnings=("w",),
        config_written=False,
        routes=(),
    )
    for facts in (ALL_GOOD, nothing, dataclasses.replace(nothing, stop="s", home_state="absent")):
        findings = examine(facts, Texts(language))  # type: ignore[arg-type]
        assert all(isinstance(finding, Finding) and finding.text for finding in findings)


def test_errors_of_the_engine_become_one_sentence(home: Home, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(*arguments: object) -> int:
        raise CrewError("The sentence.")

    monkeypatch.setattr("crewlab.commands.agents.list_agents", refuse)
    assert cli.main(["agent", "list"]) == 1
    assert capsys.readouterr().err == "The sentence.\n"

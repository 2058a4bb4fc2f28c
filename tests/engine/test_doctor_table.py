"""Every misconfiguration a home can have, with the sentence the person reads about it, in both languages."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from crewlab.commands.doctor import SIGNS, doctor
from crewlab.commands.doctor_facts import Probes
from crewlab.engine.home.layout import Home
from crewlab.engine.texts import Texts

WORKS = {"OPENAI_API_KEY": "k"}
NO_BWRAP = "bwrap: not found"
TELEGRAM = "telegram: {token_env: BOT, chat_id: 5}\n"
SCHEDULE = "schedules:\n- {id: daily, cron: '0 9 * * *', script: 'import os'}\n"
HEADER = "mcp_servers:\n  wiki: {url: 'https://wiki.example/mcp', headers: {Authorization: 'Bearer ${WIKI_TOKEN}'}}\n"


@dataclass(frozen=True)
class Case:
    """A broken home: its files, what the person reads in both languages, what mends it, and how grave it is."""

    name: str
    en: str
    vi: str
    mend: str
    files: dict[str, str] = field(default_factory=dict)
    level: str = "note"
    environ: dict[str, str] = field(default_factory=lambda: dict(WORKS))
    sandboxed: bool = True


CASES = (
    Case("Telegram without a token", "its token BOT is not set: no bot runs", "token BOT chưa được đặt", "BOT", {"agent.yaml": TELEGRAM}),
    Case(
        "two agents with one token",
        "ada has a block telegram, but only the master has a chat",
        "ada có khối telegram, nhưng chỉ agent chính có cuộc chat",
        "BOT",
        {"agent.yaml": TELEGRAM, "agents/ada/agent.yaml": TELEGRAM},
        environ={**WORKS, "BOT": "1:a"},
    ),
    Case(
        "Telegram without a chat",
        "telegram.chat_id is missing",
        "thiếu telegram.chat_id",
        "crewlab doctor",
        {"agent.yaml": "telegram: {token_env: BOT}\n"},
        "bad",
    ),
    Case(
        "a route without its key",
        "openai:gpt-5-mini is left out: OPENAI_API_KEY is not set",
        "Bỏ qua openai:gpt-5-mini: chưa đặt OPENAI_API_KEY",
        "",
        {"config.yaml": "routes: ['openai:gpt-5-mini', 'fake:echo']\n"},
        environ={},
    ),
    Case("no route that answers", "No model can answer", "Không mô hình nào có thể trả lời", "crewlab local install", {}, "bad", {}),
    Case(
        "an unknown provider",
        "opnai:gpt-5 is left out: there is no such provider",
        "Bỏ qua opnai:gpt-5: không có nhà cung cấp này",
        "",
        {"config.yaml": "routes: ['opnai:gpt-5']\n"},
    ),
    Case(
        "an unknown provider alone answers nothing",
        "No model can answer",
        "Không mô hình nào có thể trả lời",
        "",
        {"config.yaml": "routes: ['opnai:gpt-5']\n"},
        "bad",
    ),
    Case(
        "Ollama away",
        "Ollama does not answer at http://127.0.0.1:9/v1",
        "Ollama không trả lời tại http://127.0.0.1:9/v1",
        "ollama serve",
        environ={**WORKS, "OLLAMA_BASE_URL": "http://127.0.0.1:9"},
    ),
    Case(
        "a wrong time zone",
        'timezone is "Asia/Hanoi", but must be an IANA time zone',
        "nhưng phải là múi giờ IANA",
        "crewlab doctor",
        {"config.yaml": "timezone: Asia/Hanoi\n"},
        "bad",
    ),
    Case(
        "scripts must have a sandbox and cannot",
        "script_sandbox is required, but scripts have no sandbox here: every script is refused",
        "mọi script đều bị từ chối",
        "bubblewrap",
        {"config.yaml": "script_sandbox: required\n"},
        sandboxed=False,
    ),
    Case(
        "scripts without a sandbox",
        "Scripts run without a sandbox of the operating system",
        "Script chạy không có hộp cát",
        NO_BWRAP,
        sandboxed=False,
    ),
    Case("no sandbox for commands", "No complete sandbox for commands", "Không có đủ hộp cát", NO_BWRAP, sandboxed=False),
    Case(
        "an agent that needs the sandbox",
        "Every command of these agents is refused for want of a sandbox: ada",
        "Mọi lệnh của các agent này bị từ chối vì thiếu hộp cát: ada",
        NO_BWRAP,
        {"agents/ada/agent.yaml": "shell_network: false\n"},
        sandboxed=False,
    ),
    Case(
        "a script that does not pass",
        "The script of the job default/daily will not run: Refused at line 1: import is not available",
        "Script của tác vụ default/daily sẽ không chạy",
        "agent.yaml",
        {"agent.yaml": SCHEDULE},
    ),
    Case(
        "an agent that is not there",
        "bob in delegates is no agent of this home",
        "bob trong delegates không phải agent",
        "",
        {"agent.yaml": "delegates: [bob]\n"},
    ),
    Case(
        "an MCP server that is not there", "gh in mcp is not declared", "gh trong mcp chưa được khai báo", "", {"agent.yaml": "mcp: [gh]\n"}
    ),
    Case(
        "a header of an MCP server without its variable",
        "The MCP server wiki reads WIKI_TOKEN, which is not set",
        "Máy chủ MCP wiki cần biến WIKI_TOKEN",
        "WIKI_TOKEN",
        {"config.yaml": HEADER},
    ),
    Case(
        "a command of a kit",
        "a.md, between the two lines ---",
        "a.md, giữa hai dòng ---",
        "",
        {".claude/commands/a.md": "---\n[x\n---\nhello\n"},
    ),
    Case("hooks of a kit", "settings.json is not JSON", "settings.json không phải JSON", "", {".claude/settings.json": "{"}),
    Case(
        "an agent of a kit",
        "x.md, between the two lines ---",
        "x.md, giữa hai dòng ---",
        "",
        {".claude/agents/x.md": "---\nname: [\n---\nhello\n"},
    ),
    Case("a skill", "SKILL.md is left out", "Bỏ qua kỹ năng trong", "", {"skills/a/SKILL.md": "---\n[\n---\n"}),
    Case(
        "a search service without its key",
        "web_search has no service to ask: web_providers names brave, tavily alone",
        "web_search không có dịch vụ nào để hỏi: web_providers chỉ có brave, tavily",
        "BRAVE_API_KEY, TAVILY_API_KEY",
        {"config.yaml": "web_providers: [brave, tavily]\n"},
    ),
    Case(
        "a line of the keys",
        "line 1: this is no line of the form NAME=value",
        "dòng 1: dòng này không có dạng",
        "",
        {"secrets/secrets.env": "no pair\n"},
    ),
)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.ensure()
    return home


def probes(*, sandboxed: bool) -> Probes:
    why = "" if sandboxed else NO_BWRAP
    return Probes(
        ollama=lambda url: False,
        local=lambda home: (None, "engine"),
        extension=lambda: True,
        front_end=lambda: True,
        sandbox=lambda texts: why,
        fence=lambda: why,
    )


def report(home: Home, case: Case, language: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    for name, text in case.files.items():
        path = home.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    code = doctor(home, {**case.environ, "CREWLAB_LANGUAGE": language}, Texts(language), probes(sandboxed=case.sandboxed))  # type: ignore[arg-type]
    printed = capsys.readouterr()
    assert printed.err == ""
    return code, printed.out.splitlines()


@pytest.mark.spec("CHN-2", "SCR-13", "SCR-224", "KIT-5", "AGT-16")
@pytest.mark.parametrize("language", ["en", "vi"])
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_each_misconfiguration_is_told_once_with_what_mends_it(
    home: Home, capsys: pytest.CaptureFixture[str], case: Case, language: str
) -> None:
    _, lines = report(home, case, language, capsys)
    sign = SIGNS["bad" if case.level == "bad" else "note"]
    says = case.en if language == "en" else case.vi
    told = [place for place, line in enumerate(lines) if line.startswith(sign) and says in line]
    assert len(told) == 1, lines
    if case.mend:
        assert case.mend in lines[told[0] + 1], lines[told[0] :]


SMALL = [case for case in CASES if "config.yaml" not in case.files and case.level == "note"]


@pytest.mark.parametrize("case", SMALL, ids=[case.name for case in SMALL])
def test_what_does_not_keep_the_crew_from_answering_does_not_fail_the_command(
    home: Home, capsys: pytest.CaptureFixture[str], case: Case
) -> None:
    assert report(home, case, "en", capsys)[0] == 0


def test_a_home_that_is_well_has_no_note_about_the_crew(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    well = Case("well", "", "", "", {"config.yaml": HEADER, "agent.yaml": TELEGRAM, ".claude/commands/a.md": "Say $1."})
    well.environ.update({"BOT": "1:a", "WIKI_TOKEN": "t"})
    code, lines = report(home, well, "en", capsys)
    assert code == 0
    notes = [line for line in lines if line.startswith(SIGNS["note"])]
    assert [line for line in notes if "API_KEY" not in line and "llama" not in line and "local model" not in line] == []


@pytest.mark.parametrize(("language", "says"), [("en", "cannot be read and written"), ("vi", "Không đọc và ghi được thư mục nhà")])
def test_a_home_that_is_a_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str, says: str) -> None:
    file = tmp_path / "home"
    file.write_text("no folder")
    assert doctor(Home(file), WORKS, Texts(language), probes(sandboxed=True)) == 1  # type: ignore[arg-type]
    printed = capsys.readouterr().out
    assert says in printed
    assert "CREWLAB_HOME" in printed

"""``config.yaml``: every key of register A, good, of a wrong type, out of range, unknown; and its variables."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from crewlab.engine.errors import StartupStop
from crewlab.engine.home.environment import FORMS, variable
from crewlab.engine.home.layout import Home
from crewlab.engine.home.routes import Route
from crewlab.engine.home.settings import Settings, load_settings
from crewlab.engine.texts import Texts

SPEC = Path(__file__).parents[3] / "docs" / "spec"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def load(home: Home, text: str = "", **environ: str) -> Settings:
    home.config_file.write_text(text, encoding="utf-8")
    return load_settings(home, environ)


def stop(home: Home, text: str = "", **environ: str) -> StartupStop:
    with pytest.raises(StartupStop) as caught:
        load(home, text, **environ)
    assert caught.value.code == "config_invalid"
    return caught.value


def register_a() -> dict[str, list[str]]:
    """The rows of register A: key -> variables and separators."""
    text = (SPEC / "README.md").read_text(encoding="utf-8")
    table = text[text.index("## Register A") : text.index("Options that are Jupyter traits")]
    rows: dict[str, list[str]] = {}
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        keys = re.findall(r"`([a-z_]+)`", cells[1]) if len(cells) > 5 else []
        variables = re.findall(r"`(CREWLAB_[A-Z_]+)`", cells[2]) if keys else []
        sign = re.search(r"\(`([,;])`\)", cells[2]) if keys else None
        for place, key in enumerate(keys):
            rows[key] = [variables[place], sign[1] if sign else ""] if variables else []
    return rows


@pytest.mark.spec("AGT-8", "TURN-4")
def test_the_keys_and_variables_are_those_of_the_register() -> None:
    register = register_a()
    assert set(Settings.model_fields) == set(register)
    separators = {"commas": ",", "semicolons": ";"}
    assert {key: [variable(key), separators.get(form, "")] for key, form in FORMS.items()} == {
        key: row for key, row in register.items() if row
    }


@pytest.mark.spec("AGT-1", "AGT-8")
def test_an_empty_home_has_the_defaults_of_the_register(home: Home) -> None:
    values = load_settings(home, {})
    assert values.declared == frozenset()
    assert (values.language, values.timezone, values.routes) == ("en", None, ())
    assert [str(route) for route in values.vision_routes] == [
        "openrouter:google/gemini-2.5-flash-lite",
        "openrouter:qwen/qwen3-vl-8b-instruct",
    ]
    assert (values.max_steps, values.cost_cap_usd, values.approval_ttl_seconds, values.tool_output_chars) == (12, 1.0, 600, 8000)
    assert values.web_providers == ("firecrawl", "brave", "tavily", "duckduckgo")
    assert len(values.shell_ask_patterns) == 11
    switches = ("browser_sandbox", "lsp_enabled", "debug_enabled", "eval_enabled", "notebooks_enabled", "notebook_provenance")
    assert all(getattr(values, name) is True for name in switches)
    assert values.autonomous is False
    assert values.browser_enabled is False


GOOD: list[tuple[str, str, object]] = [
    ("language", "vi", "vi"),
    ("timezone", "Asia/Ho_Chi_Minh", "Asia/Ho_Chi_Minh"),
    ("routes", "['ollama:qwen3:8b', {route: 'openai:o9', reasoning: low}]", (Route("ollama", "qwen3:8b"), Route("openai", "o9", "low"))),
    ("vision_routes", "[]", ()),
    ("vision_routes", "", ()),
    ("audio_routes", "['openai:whisper']", (Route("openai", "whisper"),)),
    ("embedding_routes", "['fake:embed']", (Route("fake", "embed"),)),
    ("vibe_fast_routes", "['fake:echo']", (Route("fake", "echo"),)),
    ("vibe_good_routes", "", ()),
    ("autonomous", "yes", True),
    ("max_steps", "200", 200),
    ("cost_cap_usd", "0", 0.0),
    ("approval_ttl_seconds", "1", 1),
    ("tool_output_chars", "1", 1),
    ("shell_ask_patterns", "[]", ()),
    ("shell_ask_patterns", "['sudo ']", ("sudo ",)),
    ("shell_allow_patterns", "[git status, '*', x]", ("git status",)),
    ("toolset", "portal", "portal"),
    ("web_providers", "[brave]", ("brave",)),
    ("web_providers", "[]", ()),
    ("monthly_budget_usd", "12.5", 12.5),
    ("browser_enabled", "on", True),
    ("browser_channel", "chrome", "chrome"),
    ("browser_executable", "/usr/bin/chromium", Path("/usr/bin/chromium")),
    ("browser_executable", "", None),
    ("browser_sandbox", "false", False),
    ("browser_idle_minutes", "1440", 1440),
    ("browser_max_tabs", "50", 50),
    ("browser_ask_patterns", "[' mua ', '...']", ("mua",)),
    ("desktop_socket", "/run/crew/sock", Path("/run/crew/sock")),
    ("script_sandbox", "required", "required"),
    ("lsp_enabled", "off", False),
    ("lsp_servers", "{python: {command: [pylsp, --stdio]}, dart: false}", {"python": ("pylsp", "--stdio"), "dart": False}),
    ("lsp_idle_minutes", "1", 1),
    ("lsp_max_servers", "1", 1),
    ("diagnostics_wait_seconds", "0", 0.0),
    ("debug_enabled", "no", False),
    ("debug_wait_seconds", "300", 300),
    ("eval_enabled", "false", False),
    ("eval_idle_seconds", "10", 10),
    ("eval_kernel_idle_minutes", "1", 1),
    ("eval_max_kernels", "1", 1),
    ("vibe_max_workers", "1", 1),
    ("notebooks_enabled", "false", False),
    ("notebook_idle_seconds", "3600", 3600),
    ("notebook_total_seconds", "86400", 86400),
    ("notebook_kernel_idle_minutes", "1", 1),
    ("notebook_provenance", "false", False),
    ("allowed_hosts", "[Lab.Example.org]", ("lab.example.org",)),
]


@pytest.mark.spec("AGT-8", "BRW-10", "NBK-10", "TIER-24", "VIS-3", "PTL-12", "PTL-102", "GATE-22", "GATE-50", "OUT-4")
@pytest.mark.parametrize(("key", "written", "value"), GOOD)
def test_a_good_value_is_taken(home: Home, key: str, written: str, value: object) -> None:
    settings = load(home, f"{key}: {written}\n")
    assert getattr(settings, key) == value


def test_every_key_has_a_good_example() -> None:
    assert {key for key, _, _ in GOOD} | {"knowledge_bases", "person", "billing", "mcp_servers"} == set(Settings.model_fields)


WHOLE = ["0", "-1", "1.5", "yes", "'5'", "[5]", ".inf", "x"]
BAD: dict[str, list[str]] = {
    "language": ["de", "en-US", "[en]", "1"],
    "timezone": ["Mars/Base", "7", "+07:00"],
    "routes": ["gpt", "[gpt]", "[{route: 'a:b', effort: low}]", "['a:b?x=1']", "{a: b}"],
    "vision_routes": ["[1]"],
    "audio_routes": ["a:b"],
    "embedding_routes": ["['']"],
    "vibe_fast_routes": ["[[]]"],
    "vibe_good_routes": ["true"],
    "autonomous": ["maybe", "1", "'yes'", "", "[]"],
    "max_steps": [*WHOLE, "201", ""],
    "cost_cap_usd": ["-0.1", ".nan", ".inf", "yes", "'1'", "free"],
    "approval_ttl_seconds": WHOLE,
    "tool_output_chars": WHOLE,
    "shell_ask_patterns": ["sudo", "[1]", "", "{a: b}"],
    "shell_allow_patterns": ["git", "[[git]]", "[true]"],
    "toolset": ["both", "true", ""],
    "web_providers": ["[google]", "brave", "", "[1]"],
    "monthly_budget_usd": ["-1", "x"],
    "browser_enabled": ["act", "1"],
    "browser_channel": ["firefox", "true"],
    "browser_executable": ["chromium", "./chromium", "1", "[]"],
    "browser_sandbox": ["off please", "0"],
    "browser_idle_minutes": ["0", "1441", "2.5"],
    "browser_max_tabs": ["0", "51"],
    "browser_ask_patterns": ["mua", "[1]", ""],
    "desktop_socket": ["sock", "./sock", "/" + "x" * 120, "true"],
    "script_sandbox": ["off", "none"],
    "lsp_enabled": ["1"],
    "lsp_servers": ["[]", "{python: true}", "{python: {command: []}}", "{python: {cmd: [a]}}", "{python: {command: [1]}}"],
    "lsp_idle_minutes": ["0"],
    "lsp_max_servers": ["0"],
    "diagnostics_wait_seconds": ["-1"],
    "debug_enabled": ["x"],
    "debug_wait_seconds": ["0", "301"],
    "eval_enabled": ["x"],
    "eval_idle_seconds": ["9", "3601"],
    "eval_kernel_idle_minutes": ["0"],
    "eval_max_kernels": ["0"],
    "vibe_max_workers": ["0"],
    "notebooks_enabled": ["edit"],
    "notebook_idle_seconds": ["9", "3601"],
    "notebook_total_seconds": ["59", "86401"],
    "notebook_kernel_idle_minutes": ["0"],
    "notebook_provenance": ["1"],
    "allowed_hosts": ["[http://lab]", "['lab:8888']", "[lab/x]", "['a b']", "['-a.b']", "lab"],
    "knowledge_bases": ["[]", "{Big: {path: /x}}", "{a: {}}", "{a: {path: x}}", "{a: {path: /x, embeding: true}}"],
    "person": ["Ada", "{nme: Ada}", "{name: 1}", '{name: "a\\nb"}', "{name: " + "x" * 121 + "}"],
    "billing": ["{person_id: 7}", "{team: x}", "x"],
    "mcp_servers": ["[]", "{a: {}}"],
}


def test_every_key_has_bad_examples() -> None:
    assert set(BAD) == set(Settings.model_fields)


@pytest.mark.spec("AGT-4", "AGT-18", "BRW-10", "NBK-10", "TIER-24", "GATE-50", "OUT-4", "DSK-7", "PTL-12", "PTL-80", "PTL-102", "PTL-152")
@pytest.mark.parametrize(("key", "written"), [(key, written) for key, examples in BAD.items() for written in examples])
def test_a_bad_value_stops_startup_with_file_line_key_and_advice(home: Home, key: str, written: str) -> None:
    stopped = stop(home, f"# settings\n{key}: {written}\n")
    assert f"{home.config_file}, line 2: " in stopped.message
    assert str(stopped.fields["key"]).startswith(key)
    assert f"{key}" in stopped.message
    assert re.search(r"Correct|Add it|Write one|Remove|remove", stopped.message)


@pytest.mark.spec("AGT-5", "AGT-9", "DSK-2")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("max_step: 3", "Did you mean max_steps?"),
        ("autonomus: true", "Did you mean autonomous?"),
        ("desktop_enabled: true", "unknown key desktop_enabled"),
        ("zzz: 1", "unknown key zzz"),
        ("home: /srv/crew", "CREWLAB_HOME"),
        ("browser: act", "agent.yaml"),
        ("code: exec", "agent.yaml"),
        ("computer: 'on'", "agent.yaml"),
        ("vibe: true", "agent.yaml"),
        ("on: 1", "unknown key on"),
        ("7: 1", "unknown key 7"),
        ("? [a]\n: 1", "not valid YAML"),
        ("knowledge_bases: {a: {path: /x, descripton: y}}", "Did you mean description?"),
        ("mcp_servers: {a: {url: 'https://x.example', timeot: 3}}", "Did you mean timeout?"),
        ("person: {nam: x}", "Did you mean name?"),
    ],
)
def test_an_unknown_key_stops_startup_and_the_nearest_is_named(home: Home, text: str, says: str) -> None:
    assert says in stop(home, text).message


def test_all_mistakes_of_a_file_are_told_at_once_but_not_more_than_can_be_read(home: Home) -> None:
    message = stop(home, "\n".join(f"key{number}: 1" for number in range(9))).message
    assert message.count("unknown key") == 5
    assert "4 more" in message


@pytest.mark.spec("AGT-8")
@pytest.mark.parametrize(
    ("key", "written", "value"),
    [
        ("language", "vi", "vi"),
        ("timezone", "Europe/Berlin", "Europe/Berlin"),
        ("routes", "ollama:qwen3:8b, openai:o9?reasoning=low ,", (Route("ollama", "qwen3:8b"), Route("openai", "o9", "low"))),
        ("vision_routes", "", ()),
        ("max_steps", " 30 ", 30),
        ("cost_cap_usd", "2.5", 2.5),
        ("cost_cap_usd", "0", 0.0),
        ("approval_ttl_seconds", "60", 60),
        ("tool_output_chars", "4000", 4000),
        ("shell_ask_patterns", "sudo ;rm -r ", ("sudo ", "rm -r ")),
        ("shell_ask_patterns", "", ()),
        ("shell_allow_patterns", "git status;*", ("git status",)),
        ("web_providers", "brave,tavily", ("brave", "tavily")),
        ("web_providers", "", ()),
        ("browser_enabled", "1", True),
        ("browser_sandbox", "off", False),
        ("notebooks_enabled", "No", False),
        ("browser_ask_patterns", "mua; gửi ", ("mua", "gửi")),
        ("desktop_socket", "/run/x", Path("/run/x")),
        ("allowed_hosts", "a.example,b.example", ("a.example", "b.example")),
    ],
)
def test_a_variable_wins_over_the_file(home: Home, key: str, written: str, value: object) -> None:
    home.config_file.write_text("max_steps: 3\ncost_cap_usd: 9\nlanguage: en\nbrowser_sandbox: true\nshell_ask_patterns: [mkfs]\n")
    settings = load_settings(home, {variable(key): written})
    assert getattr(settings, key) == value
    assert key in settings.declared


@pytest.mark.spec("AGT-8", "GATE-50", "OUT-4")
@pytest.mark.parametrize(
    ("key", "written"),
    [
        ("max_steps", "many"),
        ("max_steps", "1.5"),
        ("max_steps", "0"),
        ("max_steps", "1_0"),
        ("cost_cap_usd", "nan"),
        ("cost_cap_usd", "-1"),
        ("approval_ttl_seconds", "0"),
        ("tool_output_chars", "8k"),
        ("browser_enabled", "perhaps"),
        ("language", "fr"),
        ("routes", "gpt"),
        ("toolset", "x"),
        ("web_providers", "google"),
        ("timezone", "x"),
        ("desktop_socket", "sock"),
    ],
)
def test_a_bad_variable_stops_startup_and_is_named(home: Home, key: str, written: str) -> None:
    message = stop(home, "", **{variable(key): written}).message
    assert f"the variable {variable(key)}: {key}" in message


@pytest.mark.spec("AGT-8")
@pytest.mark.parametrize("key", [key for key, form in FORMS.items() if form not in ("commas", "semicolons")])
def test_an_empty_variable_counts_as_not_set_where_no_list_is_meant(home: Home, key: str) -> None:
    assert load_settings(home, {variable(key): " "}).declared == frozenset()


@pytest.mark.spec("GATE-23", "BRW-83")
def test_what_was_dropped_is_told(home: Home) -> None:
    warnings = load(home, "shell_allow_patterns: [ls -l, '.*']\nbrowser_ask_patterns: [pay, '--']\n").warnings
    assert len(warnings) == 2
    assert "'.*'" in warnings[0]
    assert "'--'" in warnings[1]


@pytest.mark.spec("SHL-24", "GATE-22")
def test_a_declared_ask_list_replaces_the_default_whole(home: Home) -> None:
    assert load(home, "shell_ask_patterns: [terraform]").shell_ask_patterns == ("terraform",)


@pytest.mark.spec("BRW-11")
def test_a_browser_inside_the_home_is_refused_through_links_too(home: Home, tmp_path_factory: pytest.TempPathFactory) -> None:
    inside = home.root / "workspace" / "chrome"
    inside.parent.mkdir()
    inside.touch()
    link = tmp_path_factory.mktemp("elsewhere") / "chrome"
    link.symlink_to(inside)
    for path in (inside, link):
        assert "outside the home" in stop(home, f"browser_executable: {path}").message


@pytest.mark.spec("PTL-152")
def test_the_person_loses_control_characters_and_null_clears(home: Home) -> None:
    person = load(home, 'person: {name: "A\\u0007da ", department: null}').person
    assert (person.name, person.department, person.organisation) == ("Ada", None, None)


@pytest.mark.spec("PTL-80")
def test_a_knowledge_base_has_its_defaults(home: Home) -> None:
    base = load(home, "knowledge_bases: {papers: {path: ~/papers}}").knowledge_bases["papers"]
    assert base.path == Path("~/papers").expanduser()
    assert (base.description, base.include, base.exclude, base.embedding) == ("", None, None, True)


@pytest.mark.spec("PTL-156", "AGT-7")
@pytest.mark.parametrize("text", ["billing: {person_id: 99887766}", "mcp_servers: {a: {url: 'https://x', headers: {X-Key: canary99}}}"])
def test_values_that_nobody_may_see_are_not_in_the_message(home: Home, text: str) -> None:
    message = stop(home, text).message
    assert "99" not in message.replace(str(home.root), "")


@pytest.mark.spec("TURN-3", "AGT-8")
def test_messages_come_in_the_language_of_the_file_even_when_it_is_broken(home: Home) -> None:
    assert "phải là" in stop(home, "language: vi\nmax_steps: x").message
    assert "YAML không hợp lệ" in stop(home, "language: 'vi' # mine\nmax_steps: [").message
    assert "must be" in stop(home, "language: fr\nmax_steps: x").message
    assert "phải là" in stop(home, "max_steps: x", CREWLAB_LANGUAGE="vi").message


@pytest.mark.spec("TURN-3")
def test_both_languages_can_say_every_message(home: Home) -> None:
    for key, examples in BAD.items():
        for written in examples:
            home.config_file.write_text(f"{key}: {written}\n", encoding="utf-8")
            said = []
            for language in ("en", "vi"):
                with pytest.raises(StartupStop) as caught:
                    load_settings(home, {"CREWLAB_LANGUAGE": language} if key != "language" else {}, Texts(language))
                said.append(caught.value.message)
            assert said[0] != said[1], (key, written)


YAML_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(sorted(Settings.model_fields)) | st.text(max_size=8), YAML_VALUE, max_size=4))
@hypothesis_settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@pytest.mark.spec("AGT-4", "AGT-18")
def test_no_mapping_gets_past_without_settings_or_a_sentence(home: Home, values: dict[str, object]) -> None:
    import yaml

    home.config_file.write_text(yaml.safe_dump(values, allow_unicode=True), encoding="utf-8")
    try:
        settings = load_settings(home, {})
    except StartupStop as stopped:
        message = stopped.message
    else:
        message = str(home.config_file)
        assert settings.declared <= set(values)
    assert str(home.config_file) in message

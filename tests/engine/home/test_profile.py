"""``agent.yaml``: every key of register B, good, of a wrong type, out of range, unknown."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from crewlab.engine.errors import StartupStop
from crewlab.engine.home.profile import AgentProfile, load_profile
from crewlab.engine.home.profile_models import BROWSERS_FILE, Telegram, is_browser
from crewlab.engine.home.routes import Route
from crewlab.engine.home.schedules import Schedule
from crewlab.engine.texts import Texts

SPEC = Path(__file__).parents[3] / "docs" / "spec"
EN = Texts("en")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "agent.yaml"


def load(file: Path, text: str) -> AgentProfile:
    file.write_text(text, encoding="utf-8")
    return load_profile(file, EN)


def stop(file: Path, text: str) -> StartupStop:
    with pytest.raises(StartupStop) as caught:
        load(file, text)
    assert caught.value.code == "config_invalid"
    return caught.value


@pytest.mark.spec("AGT-13", "TURN-4")
def test_the_keys_are_those_of_the_register() -> None:
    text = (SPEC / "README.md").read_text(encoding="utf-8")
    table = text[text.index("## Register B") : text.index("Heads of other files")]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert set(AgentProfile.model_fields) == {key for cell in cells for key in re.findall(r"`([a-z_]+)`", cell)}


@pytest.mark.spec("AGT-13", "AGT-19")
def test_a_profile_that_says_nothing_sets_nothing(file: Path) -> None:
    assert load_profile(file, EN) == AgentProfile()
    assert load(file, "# nothing yet\n").declared == frozenset()
    assert all(getattr(AgentProfile(), key) is None for key in AgentProfile.model_fields)


GOOD: list[tuple[str, str, object]] = [
    ("name", "Ada Lovelace", "Ada Lovelace"),
    ("description", "''", ""),
    ("mode", "work", "work"),
    ("workspace", "../shared", "../shared"),
    ("routes", "['fake:echo']", (Route("fake", "echo"),)),
    ("escalation_route", "{route: 'openai:o9', reasoning: high}", Route("openai", "o9", "high")),
    ("vibe_fast_routes", "[]", ()),
    ("vibe_good_routes", "['fake:echo']", (Route("fake", "echo"),)),
    ("toolset", "crew", "crew"),
    ("tools", "[]", ()),
    ("tools", "[workspace_read]", ("workspace_read",)),
    ("extra_tools", "[workspace]", ("workspace",)),
    ("delegates", "[researcher, default]", ("researcher", "default")),
    ("mcp", "[notion]", ("notion",)),
    ("memory_tools", "false", False),
    ("budget_tool", "true", True),
    ("history_tool", "off", "off"),
    ("history_tool", "user", "user"),
    ("knowledge", "[wiki]", ("wiki",)),
    ("artifact_check", "no", "off"),
    ("artifact_check", "require", "require"),
    ("discovery", "true", True),
    ("deferred_groups", "[browser]", ("browser",)),
    ("workspace_rewrite_max_chars", "0", 0),
    ("embedding", "false", False),
    ("skills_dirs", "[~/skills]", ("~/skills",)),
    ("schedules", "[{every: 30m, prompt: look}]", (Schedule(every="30m", prompt="look"),)),
    ("schedules", "", None),
    ("memory_consolidate", "0 3 * * *", "0 3 * * *"),
    ("telegram", "{token_env: BOT_TOKEN, chat_id: -100123}", Telegram(token_env="BOT_TOKEN", chat_id=-100123)),
    ("autonomous", "true", True),
    ("max_steps", "1", 1),
    ("cost_cap_usd", "0", 0.0),
    ("approval_ttl_seconds", "1", 1),
    ("tool_output_chars", "100000", 100000),
    ("write_paths", "[]", ()),
    ("write_paths", "[data, './notes/x', .]", ("data", "./notes/x", ".")),
    ("shell_network", "false", False),
    ("shell_write_paths", "[]", ()),
    ("shell_ask_patterns", "[]", ()),
    ("shell_allow_patterns", "[git status]", ("git status",)),
    ("shell_deny_patterns", "['rm ']", ("rm ",)),
    ("browser", "off", "off"),
    ("browser", "", "off"),
    ("browser", "false", "off"),
    ("browser", "act", "act"),
    (
        "browser_hosts",
        "[shop.example, '*.shop.example', xn--bcher-kva.example]",
        ("shop.example", "*.shop.example", "xn--bcher-kva.example"),
    ),
    ("browser_hosts", "", None),
    ("computer", '"on"', "on"),
    ("computer", "no", "off"),
    ("computer", "", "off"),
    ("computer_apps", "[' Notes ', Notes, com.apple.Notes]", ("Notes", "com.apple.Notes")),
    ("script_calls", "gated", "gated"),
    ("script_llm", "false", False),
    ("code", "off", "off"),
    ("code", "", "off"),
    ("code", "exec", "exec"),
    ("vibe", "true", True),
    ("tier_cap", "read", "read"),
    ("notebooks", "no", "off"),
    ("notebooks", "", "off"),
    ("notebooks", "edit", "edit"),
    ("notebook_paths", "[]", ()),
    ("notebook_paths", "[a/b.ipynb]", ("a/b.ipynb",)),
]


@pytest.mark.spec("AGT-13", "AGT-18", "WS-11", "NBK-8", "BRW-7", "DSK-3", "TIER-7", "TIER-13", "PTL-18", "PRV-14", "DSK-11", "OUT-2")
@pytest.mark.parametrize(("key", "written", "value"), GOOD)
def test_a_good_value_is_taken(file: Path, key: str, written: str, value: object) -> None:
    assert getattr(load(file, f"{key}: {written}\n"), key) == value


BAD: dict[str, list[str]] = {
    "name": ["''", "'  '", "12", "yes", "x" * 61, '"a\\nb"', "[a]"],
    "description": ["x" * 501, "3", "[a]"],
    "mode": ["worker", "on", "3", ""],
    "workspace": ["''", "7", "[x]"],
    "routes": ["gpt", "[gpt]", "['a:b?x=1']"],
    "escalation_route": ["gpt", "['a:b']", "3"],
    "vibe_fast_routes": ["x"],
    "vibe_good_routes": ["[x]"],
    "toolset": ["both"],
    "tools": ["", "workspace_read", "[1]", "['']", "[" + "x" * 201 + "]"],
    "extra_tools": ["workspace", "[true]"],
    "delegates": ["", "[Ada]", "['a b']", "ada", "[a--b]", "[-a]", "[" + "a" * 41 + "]"],
    "mcp": ["notion", "[1]"],
    "memory_tools": ["'yes'", "1", ""],
    "budget_tool": ["x"],
    "history_tool": ["on", "true", "yes", "mine", "", "1"],
    "knowledge": ["wiki"],
    "artifact_check": ["on", "error", ""],
    "discovery": ["x"],
    "deferred_groups": ["browser"],
    "workspace_rewrite_max_chars": ["-1", "4k", "1.5"],
    "embedding": ["x", ""],
    "skills_dirs": ["~/skills"],
    "schedules": ["{}", "[x]", "[{}]"],
    "memory_consolidate": ["daily", "'* * * *'", "3"],
    "telegram": [
        "x",
        "{}",
        "{token_env: a, chat_id: 1}",
        "{token_env: A, chat_id: x}",
        "{token_env: A, chat_id: true}",
        "{token_env: A, chat: 1}",
    ],
    "autonomous": ["", "1", "maybe"],
    "max_steps": ["0", "201", "1.5", "'3'", "", "true"],
    "cost_cap_usd": ["-1", ".inf", "free", ""],
    "approval_ttl_seconds": ["0", "1.5", "10m", "-5"],
    "tool_output_chars": ["0", "-1", "1.5", "8k"],
    "write_paths": ["", "data", "[/etc]", "['']", "[../x]", "[a/../../x]", "['..\\x']", "['C:\\x']", "[~/x]", "[1]"],
    "shell_network": ["", "closed"],
    "shell_write_paths": ["", "[/tmp]", "[a/../..]"],
    "shell_ask_patterns": ["", "sudo", "[1]"],
    "shell_allow_patterns": ["git", "[1]"],
    "shell_deny_patterns": ["rm", "[{a: b}]"],
    "browser": ["on", "yes", "true", "full", "1", "[read]", "'on'"],
    "browser_hosts": [
        "[]",
        "shop.example",
        "[https://shop.example]",
        "['shop.example:443']",
        "[shop.example/x]",
        "[Shop.example]",
        "['*']",
        "['*.example']",
        "[127.0.0.1]",
        "['[::1]']",
        "[localhost]",
        "[a.localhost]",
        "['*.localhost']",
        "[bücher.example]",
        "[2130706433]",
        "[a..b]",
        "[shop.example.]",
        "[7]",
        "['']",
        "['a b.example']",
    ],
    "computer": ["on", "yes", "true", "act", "1"],
    "computer_apps": [
        "Notes",
        "['']",
        "[" + "x" * 201 + "]",
        "[1]",
        "[Safari]",
        "[google chrome]",
        "[org.mozilla.firefox.x]",
        "[chrome-abc]",
    ],
    "script_calls": ["all", "true", ""],
    "script_llm": ["x"],
    "code": ["on", "yes", "true", "run", "1"],
    "vibe": ["x", "1"],
    "tier_cap": ["all", "", "off"],
    "notebooks": ["on", "yes", "true", "act"],
    "notebook_paths": ["", "[/x]", "['']", "[../x]"],
}


def test_every_key_has_a_good_and_a_bad_example() -> None:
    assert {key for key, _, _ in GOOD} == set(BAD) == set(AgentProfile.model_fields)


@pytest.mark.spec(
    "AGT-4", "AGT-18", "WS-11", "NBK-8", "BRW-7", "BRW-14", "BRW-15", "DSK-3", "DSK-13", "TIER-7", "TIER-13", "PTL-18", "SHL-55"
)
@pytest.mark.parametrize(("key", "written"), [(key, written) for key, examples in BAD.items() for written in examples])
def test_a_bad_value_stops_startup_with_file_line_and_key(file: Path, key: str, written: str) -> None:
    stopped = stop(file, f"# profile\n{key}: {written}\n")
    assert f"{file}, line 2: {key}" in stopped.message
    assert str(stopped.fields["key"]).startswith(key)


@pytest.mark.spec("BRW-7", "TIER-7", "NBK-8", "PTL-18")
@pytest.mark.parametrize(
    ("key", "allowed"),
    [
        ("browser", "off, read, act"),
        ("code", "off, read, write, exec"),
        ("notebooks", "off, read, edit, run"),
        ("history_tool", "off, user, all"),
        ("artifact_check", "off, warn, require"),
    ],
)
@pytest.mark.parametrize("written", ["on", "yes", "true"])
def test_a_bare_switch_is_answered_with_the_allowed_levels(file: Path, key: str, allowed: str, written: str) -> None:
    assert allowed in stop(file, f"{key}: {written}").message


@pytest.mark.spec("DSK-3")
def test_an_unquoted_on_for_the_computer_is_answered_with_the_advice_to_quote(file: Path) -> None:
    assert 'computer: "on"' in stop(file, "computer: on").message


@pytest.mark.spec("AGT-18")
def test_a_text_that_yaml_took_for_something_else_is_answered_with_quotes(file: Path) -> None:
    assert "put it in quotes" in stop(file, "name: no").message


@pytest.mark.spec("BRW-15")
def test_an_international_host_is_shown_in_the_form_to_write(file: Path) -> None:
    assert "xn--bcher-kva.example" in stop(file, "browser_hosts: [bücher.example]").message


@pytest.mark.spec("AGT-5", "BRW-6")
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("autonomus: false", "Did you mean autonomous?"),
        ("write_path: [data]", "Did you mean write_paths?"),
        ("timezone: UTC", "config.yaml"),
        ("browser_enabled: true", "config.yaml"),
        ("zzzzz: 1", "unknown key zzzzz"),
        ("schedules: [{every: 1h, prompt: x, cmd: y}]", "unknown key schedules[1].cmd"),
        ("telegram: {token_env: A, chat_id: 1, ttl: 3}", "unknown key telegram.ttl"),
    ],
)
def test_an_unknown_key_stops_startup_and_says_what_was_meant(file: Path, text: str, says: str) -> None:
    assert says in stop(file, text).message


@pytest.mark.spec("CHN-41", "AGT-7")
def test_a_token_in_the_place_of_its_variable_is_not_repeated(file: Path) -> None:
    assert "hunter2" not in stop(file, "telegram: {token_env: hunter2, chat_id: 1}").message


@pytest.mark.spec("JOB-3", "JOB-4")
@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("{prompt: x}", "exactly one of: cron, every"),
        ("{cron: '* * * * *', every: 1h, prompt: x}", "exactly one of: cron, every"),
        ("{every: 1h}", "exactly one of: prompt, command, script"),
        ("{every: 1h, prompt: x, command: y}", "exactly one of: prompt, command, script"),
        ("{every: 1h, prompt: x, then_prompt: y}", "then_prompt only beside script"),
        ("{every: 1h, prompt: x, timeout_s: 5}", "timeout_s only beside command"),
        ("{every: 30s, prompt: x}", "at least one minute"),
        ("{every: 0m, prompt: x}", "at least one minute"),
        ("{cron: '* * * * * *', prompt: x}", "five cron fields"),
        ("{every: 1h, command: x, timeout_s: 901}", "at most 900"),
        ("{every: 1h, prompt: x, approval_ttl_seconds: 0}", "at least 1"),
        ("{every: 1h, prompt: x, id: chat-1}", "chat-"),
        ("{every: 1h, prompt: x, id: A b}", "slug"),
        ("{every: 1h, prompt: ''}", "at least 1 characters"),
        ("{every: 1h, prompt: x, enabled: 1}", "true or false"),
        ("{every: 1h, prompt: x, id: a}, {every: 2h, prompt: y, id: a}", "a stands twice"),
        ("{every: 1h, prompt: x, id: job-2}, {every: 2h, prompt: y}", "job-2 stands twice"),
    ],
)
def test_a_wrong_schedule_stops_startup(file: Path, entry: str, says: str) -> None:
    assert says in stop(file, f"schedules: [{entry}]").message


@pytest.mark.spec("JOB-3")
def test_a_schedule_is_read_with_its_defaults(file: Path) -> None:
    schedules = load(
        file, "schedules:\n  - {cron: '0 8 * * mon-fri', script: run(), then_prompt: tell}\n  - {every: 1d, command: make}\n"
    ).schedules
    assert schedules is not None
    assert [schedule.enabled for schedule in schedules] == [True, True]
    assert schedules[0].then_prompt == "tell"
    assert schedules[1].timeout_s is None


@pytest.mark.spec("DSK-110", "DSK-13")
def test_the_list_of_browsers_is_the_one_of_the_specification() -> None:
    text = (SPEC / "desktop.md").read_text(encoding="utf-8")
    rule = text[text.index("**DSK-110**") :].split("One list serves")[0]
    written = json.loads(BROWSERS_FILE.read_text(encoding="utf-8"))
    assert all(name in rule for names in written.values() for name in names)
    names = rule[rule.index("compares names): ") + 17 : rule.index("; and, because they show")]
    assert [*(name.strip() for name in names.split(",")), "JupyterLab", "JupyterLab Desktop"] == written["names"]
    in_code = set(re.findall(r"`([^`]+)`", rule[rule.index("By id") :]))
    assert in_code == {name for kind, names in written.items() if kind != "names" for name in names}


@pytest.mark.spec("DSK-13", "DSK-110")
@pytest.mark.parametrize(
    ("app", "browser"),
    [
        ("SAFARI", True),
        ("Co\u0302\u0301c Co\u0302\u0301c", True),
        ("com.google.Chrome.app.abcdef", True),
        ("COM.APPLE.SAFARI", True),
        ("crx_abc", True),
        ("com.apple.SafariX", False),
        ("Notes", False),
        ("com.apple.Notes", False),
    ],
)
def test_a_browser_is_known_by_name_and_by_id(app: str, browser: bool) -> None:
    assert is_browser(app) is browser


YAML_VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(sorted(AgentProfile.model_fields)) | st.text(max_size=8), YAML_VALUE, max_size=4))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@pytest.mark.spec("AGT-4", "AGT-18")
def test_no_mapping_gets_past_without_a_profile_or_a_sentence(file: Path, values: dict[str, object]) -> None:
    import yaml

    try:
        load(file, yaml.safe_dump(values, allow_unicode=True))
    except StartupStop as stopped:
        message = stopped.message
    else:
        message = str(file)
    assert str(file) in message

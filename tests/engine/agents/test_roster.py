"""The crew of a home and the values in force (AGT-12 to AGT-22)."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from crewlab.engine.agents.persona import persona_of
from crewlab.engine.agents.roster import Agent, Roster, load_roster
from crewlab.engine.errors import NotFound, StartupStop
from crewlab.engine.home.layout import Home
from crewlab.engine.home.routes import Route
from crewlab.engine.home.settings import load_settings
from crewlab.engine.texts import Texts


class Crew:
    """A home that a test writes into."""

    def __init__(self, root: Path) -> None:
        self.home = Home(root)
        self.home.ensure()

    def write(self, agent: str, text: str) -> Path:
        path = self.home.master_profile if agent == "default" else self.home.agents_dir / agent / "agent.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def roster(self, config: str = "", language: str = "en") -> Roster:
        self.home.config_file.write_text(config, encoding="utf-8")
        return load_roster(self.home, load_settings(self.home, {}), Texts(language))  # type: ignore[arg-type]

    def agent(self, text: str, config: str = "", agent: str = "ada") -> Agent:
        self.write(agent, text)
        return self.roster(config).get(agent)

    def warnings(self, text: str, config: str = "", agent: str = "ada") -> list[str]:
        self.write(agent, text)
        return self.roster(config).warnings


@pytest.fixture
def crew(tmp_path: Path) -> Crew:
    return Crew(tmp_path / "home")


@pytest.mark.spec("AGT-1", "AGT-19")
def test_an_empty_home_has_the_master_with_every_default(crew: Crew) -> None:
    roster = crew.roster()
    master = roster.master
    assert roster.all() == [master]
    assert roster.warnings == []
    assert (master.id, master.name, master.description, master.master, master.mode, master.origin) == (
        "default",
        "Crew",
        "",
        True,
        "chat",
        "default",
    )
    assert master.workspace == crew.home.root / "workspace"
    assert (master.routes, master.tools, master.write_paths) == (None, None, None)
    assert (master.autonomous, master.max_steps, master.cost_cap_usd) == (False, 12, 1.0)
    assert (master.approval_ttl_seconds, master.tool_output_chars, master.rewrite_max_chars) == (600, 8000, 0)
    assert len(master.shell_ask_patterns) == 11
    assert (master.shell_allow_patterns, master.shell_deny_patterns) == ((), ())
    assert (master.may_delegate, master.delegates) == (True, ())
    assert persona_of(master, Texts()) == ""


@pytest.mark.spec("AGT-12")
def test_each_directory_with_a_profile_is_an_agent_and_the_master_comes_first(crew: Crew) -> None:
    for name in ("zoe", "ada", "full-stack-2", "a" * 40):
        crew.write(name, "")
    roster = crew.roster()
    assert [agent.id for agent in roster.all()] == ["default", "a" * 40, "ada", "full-stack-2", "zoe"]
    assert roster.get("full-stack-2").name == "Full-stack-2"
    assert roster.get("ada").origin == "profile"
    assert roster.get("ada").workspace == crew.home.root / "agents" / "ada" / "workspace"


@pytest.mark.spec("AGT-12", "AGT-4")
@pytest.mark.parametrize("name", ["Ada", "a b", "-a", "a-", "a--b", "a_b", "é", "default", "owner", "a" * 41])
def test_a_name_that_cannot_be_an_id_stops_startup(crew: Crew, name: str) -> None:
    crew.write(name, "") if name != "default" else (crew.home.agents_dir / "default").mkdir(parents=True)
    with pytest.raises(StartupStop) as caught:
        crew.roster()
    assert str(crew.home.agents_dir / name) in caught.value.message
    assert "Rename" in caught.value.message


@pytest.mark.spec("AGT-12")
def test_a_directory_without_a_profile_is_a_warning_and_hidden_ones_and_files_are_nothing(crew: Crew) -> None:
    (crew.home.agents_dir / "empty").mkdir(parents=True)
    (crew.home.agents_dir / ".git").mkdir()
    (crew.home.agents_dir / "README.md").touch()
    roster = crew.roster()
    assert [agent.id for agent in roster.all()] == ["default"]
    assert len(roster.warnings) == 1
    assert "empty" in roster.warnings[0]


@pytest.mark.spec("AGT-4", "AGT-5", "AGT-18")
def test_one_bad_profile_stops_startup_and_names_its_file(crew: Crew) -> None:
    crew.write("zoe", "")
    path = crew.write("ada", "autonomus: true\n")
    with pytest.raises(StartupStop) as caught:
        crew.roster()
    assert f"{path}, line 1: unknown key autonomus" in caught.value.message


@pytest.mark.spec("AGT-19")
def test_an_unknown_agent_is_not_found_and_the_known_ones_are_named(crew: Crew) -> None:
    crew.write("ada", "")
    with pytest.raises(NotFound, match="default, ada"):
        crew.roster().get("bob")


@pytest.mark.spec("AGT-13", "PRV-14", "GATE-49", "OUT-3", "GATE-22", "SHL-25")
@pytest.mark.parametrize(
    ("key", "crews", "own", "value"),
    [
        ("max_steps", "20", "7", 7),
        ("max_steps", "20", None, 20),
        ("cost_cap_usd", "3", "0", 0.0),
        ("cost_cap_usd", "3", None, 3.0),
        ("approval_ttl_seconds", "60", "5", 5),
        ("approval_ttl_seconds", "60", None, 60),
        ("tool_output_chars", "4000", "90000", 90000),
        ("tool_output_chars", "4000", "10", 10),
        ("tool_output_chars", "4000", None, 4000),
        ("autonomous", "true", "false", False),
        ("autonomous", "true", None, True),
        ("routes", "['fake:echo']", "['openai:o9']", (Route("openai", "o9"),)),
        ("routes", "['fake:echo']", None, None),
        ("routes", "['fake:echo']", "[]", None),
        ("shell_ask_patterns", "[mkfs]", "[]", ()),
        ("shell_ask_patterns", "[mkfs]", None, ("mkfs",)),
        ("shell_allow_patterns", "[ls -l]", "[git status, '*']", ("git status",)),
        ("shell_allow_patterns", "[ls -l]", None, ("ls -l",)),
        ("toolset", "portal", "crew", "crew"),
        ("toolset", "portal", None, "portal"),
    ],
)
def test_the_agents_own_value_wins_else_the_crews_holds(crew: Crew, key: str, crews: str, own: str | None, value: object) -> None:
    agent = crew.agent(f"{key}: {own}\n" if own is not None else "", f"{key}: {crews}\n")
    assert getattr(agent, key) == value


@pytest.mark.spec("AGT-13", "AGT-19")
def test_no_key_is_inherited_from_the_master(crew: Crew) -> None:
    crew.write("default", "max_steps: 99\ntools: []\nbrowser: act\nautonomous: true\n")
    agent = crew.agent("")
    assert (agent.max_steps, agent.tools, agent.profile.browser, agent.autonomous) == (12, None, None, False)


@pytest.mark.spec("AGT-13", "AGT-22")
@pytest.mark.parametrize(
    ("profile", "config", "expected"),
    [
        ("mode: chat", "", (False, 12, 1.0)),
        ("mode: work", "", (True, 40, 5.0)),
        ("mode: work\nautonomous: false\nmax_steps: 9\ncost_cap_usd: 2", "", (False, 9, 2.0)),
        ("mode: work", "autonomous: false\nmax_steps: 20\ncost_cap_usd: 0.5", (False, 20, 0.5)),
        ("mode: work\nmax_steps: 100", "max_steps: 20", (True, 100, 5.0)),
        ("mode: chat", "autonomous: true\nmax_steps: 20", (True, 20, 1.0)),
    ],
)
def test_work_mode_changes_defaults_and_nothing_that_was_written(
    crew: Crew, profile: str, config: str, expected: tuple[object, ...]
) -> None:
    agent = crew.agent(profile, config)
    assert (agent.autonomous, agent.max_steps, agent.cost_cap_usd) == expected


@pytest.mark.spec("AGT-14", "WS-1")
def test_a_workspace_stands_against_the_agents_directory(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert crew.agent("workspace: ../../shared").workspace == crew.home.root / "shared"
    assert crew.agent("workspace: ~/project\nskills_dirs: [skills2, /opt/skills]").workspace == Path("/home/ada/project")
    assert crew.roster().get("ada").skills_dirs == (crew.home.agents_dir / "ada" / "skills2", Path("/opt/skills"))
    assert crew.agent("workspace: project", agent="default").workspace == crew.home.root / "project"


@pytest.mark.spec("AGT-14")
@pytest.mark.parametrize(("workspace", "warned"), [("../..", True), ("../../..", True), ("/", True), ("..", False), ("w", False)])
def test_a_workspace_that_holds_the_home_is_allowed_and_said(crew: Crew, workspace: str, warned: bool) -> None:
    assert any("workspace" in warning for warning in crew.warnings(f"workspace: {workspace}")) is warned


@pytest.mark.spec("AGT-14")
def test_a_link_to_the_home_is_said_too(crew: Crew, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(crew.home.root)
    assert len(crew.warnings(f"workspace: {tmp_path / 'link'}")) == 1


@pytest.mark.spec("SHL-55")
@pytest.mark.parametrize(
    ("workspace", "entry", "stops"),
    [
        ("../..", ".", True),
        ("../../..", "home", True),
        ("..", "ada", True),
        ("/", ".", True),
        ("../..", "workspace", False),
        ("w", ".", False),
        ("..", "ada/workspace", False),
    ],
)
def test_a_shell_that_could_rewrite_its_keeps_ceilings_stops_startup(crew: Crew, workspace: str, entry: str, stops: bool) -> None:
    path = crew.write("ada", f"workspace: {workspace}\nshell_write_paths: ['{entry}']\n")
    if not stops:
        assert crew.roster().get("ada").switches.shell_write_paths == (entry,)
        return
    with pytest.raises(StartupStop) as caught:
        crew.roster()
    assert str(path) in caught.value.message
    assert caught.value.fields["key"] == "shell_write_paths"


@pytest.mark.spec("AGT-15", "TOOL-22", "TOOL-23", "DLG-3")
@pytest.mark.parametrize(
    ("profile", "says"),
    [
        ("tools: [workspace_reed]", "workspace_reed"),
        ("tools: [mcp__notion__search]", "key mcp"),
        ("tools: [browser_navigate]", "key browser"),
        ("tools: [computer_act]", "key computer"),
        ("tools: [tool_search]", "mcp"),
        ("tools: [tool_script]", "script_calls"),
        ("tools: [lsp]", "key code"),
        ("tools: [vibe_spawn]", "key vibe"),
        ("tools: [budget_check]", "budget_tool"),
        ("tools: [knowledge_search]", "key knowledge"),
        ("tools: [delegate]", "delegate"),
        ("tools: [workspace_edit]", "chat mode"),
        ("tools: [workspace_glob]\nextra_tools: [workspace]", "chat mode"),
        ("tools: [search_tools]", "tool_search"),
        ("extra_tools: [workspac]", "workspac"),
        ("delegates: [bob]", "bob"),
        ("mcp: [notion]", "notion"),
        ("knowledge: [papers]", "papers"),
        ("deferred_groups: [browser]", "discovery"),
        ("discovery: true\ndeferred_groups: [nothing]", "nothing"),
        ("shell_allow_patterns: ['.*']", "'.*'"),
    ],
)
def test_what_gives_nothing_is_one_warning_and_startup_goes_on(crew: Crew, profile: str, says: str) -> None:
    warnings = crew.warnings(profile)
    assert len(warnings) == 1
    assert "ada" in warnings[0]
    assert says in warnings[0]


@pytest.mark.spec("AGT-15", "AGT-16", "AGT-17", "PTL-25", "PTL-80", "TOOL-23")
@pytest.mark.parametrize(
    "profile",
    [
        "tools: [image_read, workspace_read, calculator, list_files, shell_run]",
        "mode: work\ntools: [workspace_edit, delegate]",
        "delegates: [default, zoe]\ntools: [delegate]",
        "tools: [edit_file]\nextra_tools: [workspace]",
        "toolset: portal\ntools: [edit_file]\ndeferred_groups: [web]",
        "mcp: [notion]\nknowledge: [wiki, papers]",
        "discovery: true\ndeferred_groups: [browser, 'mcp:notion']",
        "extra_tools: [tasks, run_code]",
    ],
)
def test_what_gives_something_is_no_warning(crew: Crew, profile: str) -> None:
    crew.write("zoe", "")
    config = "mcp_servers: {notion: {url: 'https://notion.example'}}\nknowledge_bases: {papers: {path: /papers}}\n"
    assert crew.warnings(profile, config) == []


@pytest.mark.spec("PTL-25")
def test_portal_names_are_kept_under_the_crewlab_name(crew: Crew) -> None:
    agent = crew.agent("tools: [list_files, workspace_list, read_file]\nextra_tools: [delete_file]")
    assert (agent.tools, agent.extra_tools) == (("workspace_list", "workspace_read"), ("workspace_delete",))


@pytest.mark.spec("AGT-20", "DLG-1", "DLG-2", "DLG-5", "AGT-16")
@pytest.mark.parametrize(
    ("agent", "profile", "may", "whom"),
    [
        ("default", "", True, ("ada", "zoe")),
        ("default", "delegates: [zoe, bob]", True, ("zoe",)),
        ("default", "tools: []", False, ("ada", "zoe")),
        ("ada", "", False, ()),
        ("ada", "mode: work", True, ()),
        ("ada", "delegates: [zoe, default, zoe, ada]", True, ("zoe", "default")),
        ("ada", "delegates: []", True, ()),
        ("ada", "mode: work\ntools: [workspace_read]", False, ()),
        ("ada", "mode: work\ntools: [delegate]", True, ()),
    ],
)
def test_who_may_give_work_to_whom(crew: Crew, agent: str, profile: str, may: bool, whom: tuple[str, ...]) -> None:
    crew.write("zoe", "")
    crew.write("ada", "")
    built = crew.agent(profile, agent=agent)
    assert (built.may_delegate, built.delegates) == (may, whom)


@pytest.mark.spec("PTL-18", "PTL-32")
@pytest.mark.parametrize(
    ("profile", "config", "chars"),
    [("", "", 0), ("toolset: portal", "", 4000), ("", "toolset: portal", 4000), ("toolset: portal\nworkspace_rewrite_max_chars: 0", "", 0)],
)
def test_how_long_a_file_may_be_replaced_whole_follows_the_toolset(crew: Crew, profile: str, config: str, chars: int) -> None:
    assert crew.agent(profile, config).rewrite_max_chars == chars


@pytest.mark.spec("PTL-18", "NBK-8", "BRW-7", "DSK-3", "TIER-7", "TIER-13", "VIBE-2", "SCR-1", "SHL-42", "AGT-13")
@pytest.mark.parametrize(
    ("toolset", "differing"),
    [
        ("crew", {"memory_tools": True, "history_tool": "all", "artifact_check": "warn", "discovery": False}),
        ("portal", {"memory_tools": False, "history_tool": "off", "artifact_check": "require", "discovery": True}),
    ],
)
@pytest.mark.parametrize(("agent", "notebooks"), [("default", "run"), ("ada", "off")])
def test_switches_have_the_defaults_of_the_register(
    crew: Crew, toolset: str, differing: dict[str, object], agent: str, notebooks: str
) -> None:
    switches = crew.agent(f"toolset: {toolset}", agent=agent).switches
    assert dataclasses.asdict(switches) == {
        **differing,
        "budget_tool": False,
        "knowledge": (),
        "deferred_groups": (),
        "embedding": None,
        "mcp": (),
        "shell_network": True,
        "shell_write_paths": None,
        "browser": "off",
        "browser_hosts": None,
        "computer": "off",
        "computer_apps": (),
        "script_calls": "read_only",
        "script_llm": True,
        "code": "off",
        "vibe": False,
        "tier_cap": "exec",
        "notebooks": notebooks,
        "notebook_paths": None,
    }


@pytest.mark.spec("PTL-18", "NBK-8", "BRW-7", "DSK-3", "TIER-7", "TIER-13", "VIBE-2", "SCR-1", "SHL-42")
@pytest.mark.parametrize(
    ("key", "written", "value"),
    [
        ("memory_tools", "false", False),
        ("budget_tool", "true", True),
        ("history_tool", "off", "off"),
        ("artifact_check", "off", "off"),
        ("discovery", "true", True),
        ("embedding", "false", False),
        ("shell_network", "false", False),
        ("shell_write_paths", "[]", ()),
        ("browser", "read", "read"),
        ("computer", "'on'", "on"),
        ("script_calls", "none", "none"),
        ("script_llm", "false", False),
        ("code", "write", "write"),
        ("vibe", "true", True),
        ("tier_cap", "read", "read"),
        ("notebooks", "", "off"),
        ("notebook_paths", "[]", ()),
    ],
)
def test_a_switch_that_is_written_holds(crew: Crew, key: str, written: str, value: object) -> None:
    assert getattr(crew.agent(f"{key}: {written}", agent="default").switches, key) == value


@pytest.mark.spec("MEMF-1", "MEMF-2")
def test_the_persona_is_both_files_in_order_as_they_are_now(crew: Crew) -> None:
    agent = crew.agent("")
    (agent.directory / "INSTRUCTIONS.md").write_text("Work slowly.\n", encoding="utf-8")
    assert persona_of(agent, Texts()) == "Work slowly."
    (agent.directory / "PERSONA.md").write_text("You are Ada.\n", encoding="utf-8")
    assert persona_of(agent, Texts()) == "You are Ada.\n\nWork slowly."


@pytest.mark.spec("TURN-3")
def test_warnings_come_in_the_language_of_the_crew(crew: Crew) -> None:
    crew.write("ada", "tools: [nothing_such, mcp__x__y, delegate, workspace_edit]\ndelegates: []\nmcp: [x]\nworkspace: /\nextra_tools: [q]")
    english, vietnamese = crew.roster().warnings, crew.roster(language="vi").warnings
    assert len(english) == len(vietnamese) == 6
    assert not set(english) & set(vietnamese)

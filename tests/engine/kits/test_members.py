"""Agents of kits: who becomes a member, with what (KIT-1 to KIT-8)."""

import logging
from pathlib import Path

import pytest

from crewlab.engine.agents.kits.members import slug, tools_of
from crewlab.engine.agents.persona import persona_of
from crewlab.engine.agents.roster import Roster, load_roster
from crewlab.engine.home.layout import Home
from crewlab.engine.home.settings import load_settings
from crewlab.engine.texts import Texts
from tests.fixtures.kits import LOOSE, OPENCODE, REVIEWER
from tests.fixtures.remembered import put

EN = Texts("en")


def crew_of(root: Path) -> Roster:
    home = Home(root)
    return load_roster(home, load_settings(home, {}), EN)


@pytest.mark.spec("KIT-1", "KIT-3", "KIT-6", "KIT-7", "KIT-8")
def test_public_shapes_of_subagents_become_members(tmp_path: Path) -> None:
    put(tmp_path / ".claude" / "agents" / "reviewer.md", REVIEWER)
    put(tmp_path / ".agents" / "agents" / "loose.md", LOOSE)
    put(tmp_path / ".opencode" / "agent" / "review.md", OPENCODE)
    put(tmp_path / ".opencode" / "agents" / "docs.md", "---\nmode: work\nmodel: ollama:qwen3:8b\n---\nWrite docs.")
    put(tmp_path / ".claude" / "agents" / "plain.md", "No head at all.")
    put(tmp_path / ".claude" / "agents" / "deep" / "no.md", REVIEWER)
    roster = crew_of(tmp_path)
    assert [agent.id for agent in roster.all()] == ["default", "code-reviewer", "docs", "plain", "review", "test-writer"]
    reviewer = roster.get("code-reviewer")
    assert (reviewer.origin, reviewer.mode, reviewer.routes, reviewer.master) == ("kit", "chat", None, False)
    assert reviewer.tools == ("workspace_read", "workspace_grep", "workspace_glob", "shell_run")
    assert reviewer.description.startswith("Expert code review specialist.")
    assert reviewer.workspace == tmp_path / "workspace"
    assert persona_of(reviewer, EN).startswith("You are a senior code reviewer")
    assert roster.get("test-writer").description.startswith("Use this agent when: tests are missing. Examples:")
    assert roster.get("test-writer").tools == ("workspace_read", "workspace_write")
    docs = roster.get("docs")
    assert (docs.mode, [str(route) for route in docs.routes or ()], docs.tools) == ("work", ["ollama:qwen3:8b"], None)
    review = roster.get("review").tools
    assert review is not None
    assert {"workspace_read", "fetch_url"} <= set(review)
    assert not {"workspace_write", "workspace_edit", "shell_run"} & set(review)
    assert set(roster.master.delegates) == {"code-reviewer", "docs", "plain", "review", "test-writer"}


@pytest.mark.spec("KIT-6", "MEMF-2")
def test_a_profile_of_the_same_id_has_the_last_word_and_the_rest_comes_from_the_markdown(tmp_path: Path) -> None:
    put(tmp_path / ".claude" / "agents" / "reviewer.md", REVIEWER)
    directory = tmp_path / "agents" / "code-reviewer"
    put(directory / "agent.yaml", "name: Rita\ntools: [workspace_read]\nmax_steps: 7\n")
    agent = crew_of(tmp_path).get("code-reviewer")
    assert (agent.origin, agent.name, agent.tools, agent.max_steps) == ("profile", "Rita", ("workspace_read",), 7)
    assert agent.description.startswith("Expert code review")
    assert agent.workspace == directory / "workspace"
    assert persona_of(agent, EN).startswith("You are a senior")
    put(directory / "PERSONA.md", "I am Rita.")
    assert persona_of(agent, EN) == "I am Rita."


@pytest.mark.spec("MEMF-1", "KIT-7")
def test_an_edit_of_the_text_acts_on_the_next_turn(tmp_path: Path) -> None:
    file = put(tmp_path / ".claude" / "agents" / "a.md", "---\nname: a\n---\nfirst")
    agent = crew_of(tmp_path).get("a")
    assert persona_of(agent, EN) == "first"
    put(file, "---\nname: a\n---\nsecond text")
    assert persona_of(agent, EN) == "second text"


@pytest.mark.spec("KIT-4", "KIT-8")
def test_an_agents_directory_comes_before_the_home_and_has_its_members_as_delegates(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    ada = tmp_path / "agents" / "ada"
    put(ada / "agent.yaml", "name: Ada\n")
    put(tmp_path / "agents" / "bob" / "agent.yaml", "delegates: []\n")
    put(ada / ".claude" / "agents" / "x.md", "---\nname: x\n---\nada claude")
    put(ada / ".agents" / "agents" / "x.md", "---\nname: x\n---\nada agents")
    put(tmp_path / ".agents" / "agents" / "x.md", "---\nname: x\n---\nhome")
    put(tmp_path / ".claude" / "agents" / "y.md", "---\nname: y\n---\nhome")
    roster = crew_of(tmp_path)
    assert persona_of(roster.get("x"), EN) == "ada agents"
    assert roster.get("ada").delegates == ("x",)
    assert roster.get("ada").may_delegate
    assert roster.get("bob").delegates == ()
    assert sum("is shadowed by" in line and "/x.md" in line for line in caplog.messages) == 2


@pytest.mark.spec("KIT-5")
def test_files_that_cannot_be_read_are_left_out_with_a_warning_and_startup_goes_on(tmp_path: Path) -> None:
    agents = tmp_path / "home" / ".claude" / "agents"
    put(tmp_path / "elsewhere.md", REVIEWER)
    put(agents / "good.md", "---\nname: good\n---\nx")
    (agents / "link.md").symlink_to(tmp_path / "elsewhere.md")
    (agents / "inside.md").symlink_to(agents / "good.md")
    (agents / "gone.md").symlink_to(agents / "nowhere.md")
    put(agents / "large.md", "---\nname: large\n---\n" + "x" * 256 * 1024)
    put(agents / "latin.md", b"---\nname: latin\n---\n" + b"\xe9")
    put(agents / "broken.md", "---\nname: [\n---\nx")
    put(agents / "owner.md", "---\nname: owner\n---\nx")
    put(agents / "default.md", "---\nname: Default\n---\nx")
    put(agents / "sign.md", "---\nname: '!!!'\n---\nx")
    put(agents / "empty.md", "")
    (agents / "folder.md").mkdir()
    roster = crew_of(tmp_path / "home")
    assert [agent.id for agent in roster.all()] == ["default", "good"]
    told = {Path(warning.split("The file ")[1].split(" of a kit")[0]).stem: warning for warning in roster.warnings if "of a kit" in warning}
    assert set(told) == {"link", "gone", "large", "latin", "broken", "owner", "default", "sign", "empty"}
    assert "256 KB" in told["large"]
    assert "UTF-8" in told["latin"]
    assert "out of the kit" in told["link"]


@pytest.mark.spec("KIT-5")
def test_a_kit_directory_may_be_a_link_itself(tmp_path: Path) -> None:
    put(tmp_path / "mine" / "agents" / "good.md", "---\nname: good\n---\nx")
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".claude").symlink_to(tmp_path / "mine")
    assert [agent.id for agent in crew_of(tmp_path / "home").all()] == ["default", "good"]


@pytest.mark.spec("KIT-2")
@pytest.mark.parametrize("workspace", ["workspace", "agents/ada/workspace", "agents/ada", "."])
def test_a_kit_in_a_workspace_is_not_read(tmp_path: Path, workspace: str) -> None:
    put(tmp_path / "agents" / "ada" / "agent.yaml", f"workspace: {tmp_path / workspace}\n")
    put(tmp_path / workspace / ".claude" / "agents" / "bad.md", REVIEWER)
    roster = crew_of(tmp_path)
    assert [agent.id for agent in roster.all()] == ["default", "ada"]
    read_otherwise = workspace in ("agents/ada", ".")
    assert any("lies in the workspace" in warning for warning in roster.warnings) is read_otherwise


@pytest.mark.spec("KIT-20", "KIT-7")
@pytest.mark.parametrize(
    ("written", "tools"),
    [
        ("Read, Write, Edit, MultiEdit", ("workspace_read", "workspace_write", "workspace_edit")),
        ("LS, Glob, Grep, Bash", ("workspace_list", "workspace_glob", "workspace_grep", "shell_run")),
        ("WebFetch,WebSearch,Task,Agent", ("fetch_url", "web_search", "delegate")),
        ("AskUserQuestion, Skill", ("ask_user", "skill_read")),
        (["read", "write", "edit", "patch", "apply_patch"], ("workspace_read", "workspace_write", "workspace_edit", "workspace_patch")),
        (["list", "glob", "grep", "bash"], ("workspace_list", "workspace_glob", "workspace_grep", "shell_run")),
        (["webfetch", "websearch", "task", "question", "skill"], ("fetch_url", "web_search", "delegate", "ask_user", "skill_read")),
        ("NotebookRead, NotebookEdit", ("notebook_read", "notebook_edit")),
        ("mcp__github__list_issues, TodoWrite", ("mcp__github__list_issues", "TodoWrite")),
        ("workspace_read", ("workspace_read",)),
        ("Bash(git add, git commit), Read", ("Bash(git add, git commit)", "workspace_read")),
        ("'Read', \"Grep\"", ("workspace_read", "workspace_grep")),
        ({"*": False, "read": True}, ("workspace_read",)),
        ({"write": True}, None),
        ("*", None),
        ("", ()),
        (None, ()),
        (5, ("5",)),
    ],
)
def test_tools_go_through_the_alias_table(written: object, tools: tuple[str, ...] | None) -> None:
    assert tools_of({"tools": written}) == tools
    assert tools_of({}) is None


@pytest.mark.spec("KIT-7")
@pytest.mark.parametrize(
    ("written", "made"),
    [("Code Reviewer", "code-reviewer"), ("Đánh giá mã", "danh-gia-ma"), ("a__b", "a-b"), ("-x-", "x"), ("漢字", ""), ("a" * 60, "a" * 40)],
)
def test_a_name_becomes_an_id(written: str, made: str) -> None:
    assert slug(written) == made


@pytest.mark.spec("KIT-7")
def test_a_name_that_is_no_id_stays_as_the_shown_name_and_unknown_tools_are_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    put(tmp_path / ".claude" / "agents" / "a.md", "---\nname: Code Reviewer\ntools: TodoWrite\nmodel: opus\n---\nx")
    roster = crew_of(tmp_path)
    agent = roster.get("code-reviewer")
    assert (agent.name, agent.tools, agent.routes) == ("Code Reviewer", ("TodoWrite",), None)
    assert any("TodoWrite" in warning for warning in roster.warnings)
    assert sum("'opus'" in line for line in caplog.messages) == 1


@pytest.mark.spec("KIT-6")
def test_a_directory_that_memory_made_for_a_kits_agent_is_no_mistake(tmp_path: Path) -> None:
    put(tmp_path / ".claude" / "agents" / "reviewer.md", REVIEWER)
    put(tmp_path / "agents" / "code-reviewer" / "MEMORY.md", "x")
    put(tmp_path / "agents" / "other" / "MEMORY.md", "x")
    told = [warning for warning in crew_of(tmp_path).warnings if "agent.yaml" in warning]
    assert len(told) == 1
    assert "agents/other" in told[0]

"""The team of the Crew manager as a person uses it: agents, their profiles, what is refused and what is kept; and the keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from crewlab.engine.agents.agent import PERSONA_FILES
from crewlab.engine.home.profile import AgentProfile
from tests.e2e.test_manager import ENGLISH, NARROW, THEMES, WIDE, manager
from tests.fixtures.access import OVERFLOW, serious
from tests.fixtures.desk import Desk, Lab

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]
MASTER = """\
telegram: {token_env: TELEGRAM_BOT_TOKEN, chat_id: 42}
schedules:
- id: morning
  name: Morning papers
  cron: 0 7 * * 1-5
  prompt: Look for new papers
"""
CODER = """\
# the one who builds
name: Coder      # on the door
mode: work

# enough for a morning
max_steps: 30
tools: [workspace_read, legacy_search, shell_run]
shell_ask_patterns: ["rm -r "]
"""
READER = "# reads\nname: Reader\nmcp: [papers, gone]\nbrowser: read\nbrowser_hosts: [example.org]\nscript_calls: none\n"
SCOUT = "---\nname: scout\ndescription: Looks ahead.\n---\nYou look ahead.\n"
CONFIG = "mcp_servers:\n  papers: {url: https://papers.example/mcp}\nroutes: [fake:echo]\n"
SECRET = "sk-or-not-a-real-key-0123456789"
SLIM = {"width": 400, "height": 900}


def filled(folder: Path, language: str = "en") -> Lab:
    lab = Lab(folder, routes="", config=CONFIG + f"language: {language}\n")
    (lab.home / "agent.yaml").write_text(MASTER, encoding="utf-8")
    for id, text in {"coder": CODER, "reader": READER, "spare": "name: Spare\n"}.items():
        (lab.home / "agents" / id).mkdir(parents=True)
        (lab.home / "agents" / id / "agent.yaml").write_text(text, encoding="utf-8")
    (lab.home / ".claude" / "agents").mkdir(parents=True)
    (lab.home / ".claude" / "agents" / "scout.md").write_text(SCOUT, encoding="utf-8")
    return lab


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    found = filled(tmp_path_factory.mktemp("team"))
    try:
        found.start()
        yield found
    finally:
        found.stop()


@pytest.fixture
def desk(page: Page, lab: Lab) -> Iterator[Desk]:
    page.set_viewport_size(WIDE)
    desk = Desk(page, lab)
    desk.open()
    yield desk
    assert desk.errors == []


def profile(lab: Lab, id: str) -> str:
    return (lab.home / "agents" / id / "agent.yaml").read_text(encoding="utf-8")


def agent(lab: Lab, id: str) -> dict[str, Any]:
    found: dict[str, Any] = lab.get(f"agents/{id}").json()
    return found


def go(desk: Desk, rest: str | None = None, section: str = "team") -> Locator:
    desk.execute("crewlab:open-manager", section=section, rest=rest)
    found = manager(desk)
    found.locator(":is(.crew-page, .crew-team) :is(h1, h2)").first.wait_for()
    return found


def edited(desk: Desk, id: str, part: str = "identity") -> Locator:
    found = go(desk, f"{id}/{part}").get_by_role("article")
    found.locator(".crew-savebar, .crew-notice").first.wait_for()
    return found


def field(editor: Locator, key: str) -> Locator:
    return editor.locator(f'[data-key="{key}"]')


def saved(editor: Locator) -> None:
    editor.get_by_role("button", name="Save", exact=True).click()
    expect(editor.locator(".crew-savebar [role=status]")).to_have_text("Nothing to save")


# --- the list


@pytest.mark.spec("UI-85", "AGT-26", "AGT-27", "AGT-29")
def test_the_agents_stand_with_their_marks_and_a_template_joins_with_one_click(desk: Desk, lab: Lab) -> None:
    found = go(desk)
    rows = found.locator(".crew-agents .agent")
    expect(rows.first).to_contain_text("Master")
    expect(rows.first).to_contain_text("Telegram")
    expect(rows.first).to_contain_text("Next: Morning papers")
    expect(rows.filter(has_text="Coder")).to_contain_text("work")
    expect(rows.first).to_contain_text("warnings")  # those of the whole crew stand with the master
    expect(rows.filter(has_text="scout")).to_contain_text("from a kit")
    template = found.locator(".crew-template").filter(has_text="Developer")
    expect(template).to_contain_text("Brings along: Researcher, Kongming, the shared skills")
    template.get_by_role("button", name="Install Developer").click()
    expect(rows.filter(has_text="Kongming")).to_have_count(1)
    expect(template).to_contain_text("in the crew")
    ids = [one["id"] for one in lab.get("agents").json()["agents"]]
    assert {"fullstack-developer", "researcher", "kongming"} <= set(ids)


def test_a_new_agent_is_made_and_a_wrong_id_is_said_beside_its_field(desk: Desk, lab: Lab) -> None:
    found = go(desk)
    found.get_by_role("button", name="Add agent").click()
    form = found.get_by_role("form", name="New agent")
    id = form.get_by_role("textbox", name="Id")
    expect(id).to_be_focused()
    id.fill("Not An Id")
    form.get_by_role("textbox", name="Name").fill("Mira")
    form.get_by_role("button", name="Make the agent").click()
    expect(id).to_have_attribute("aria-invalid", "true")
    expect(id).to_have_value("Not An Id")
    expect(id).to_be_focused()
    id.fill("mira")
    desk.page.keyboard.press("Enter")
    expect(found.get_by_role("article", name="Mira")).to_be_visible()
    assert profile(lab, "mira") == "name: Mira\n"


# --- the profile


@pytest.mark.spec("UI-86", "AGT-13")
def test_every_key_of_a_profile_has_its_field(desk: Desk) -> None:
    editor = edited(desk, "coder")
    shown = set(editor.locator("[data-key]").evaluate_all("all => all.map(one => one.dataset.key)"))
    assert shown == {*AgentProfile.model_fields, *PERSONA_FILES}


@pytest.mark.spec("UI-86", "AGT-11", "AGT-35", "AGT-36")
def test_a_save_writes_what_was_changed_and_nothing_else(desk: Desk, lab: Lab) -> None:
    before = profile(lab, "coder")
    editor = edited(desk, "coder")
    save = editor.get_by_role("button", name="Save", exact=True)
    expect(save).to_be_disabled()
    field(editor, "max_steps").get_by_role("textbox").fill("31")
    field(editor, "description").get_by_role("textbox").fill("Builds things: and #mends them")
    field(editor, "PERSONA.md").get_by_role("textbox").fill("Calm and short.")
    expect(manager(desk).locator(".crew-agents .agent").filter(has_text="Coder")).to_contain_text("not saved")
    saved(editor)
    after = profile(lab, "coder")
    assert after == before.replace("max_steps: 30", "max_steps: 31") + "description: 'Builds things: and #mends them'\n"
    assert (lab.home / "agents" / "coder" / "PERSONA.md").read_text(encoding="utf-8") == "Calm and short."
    assert agent(lab, "coder")["max_steps"] == 31
    field(editor, "max_steps").get_by_role("textbox").fill("30")
    field(editor, "description").get_by_role("textbox").fill("")
    saved(editor)
    assert profile(lab, "coder") == before


@pytest.mark.spec("UI-86", "UI-8", "AGT-18", "UI-118")
def test_what_is_refused_is_said_beside_its_field_and_stays_typed(desk: Desk, lab: Lab) -> None:
    before = profile(lab, "coder")
    editor = edited(desk, "coder", "limits")
    steps = field(editor, "max_steps")
    steps.get_by_role("textbox").fill("0")
    field(editor, "write_paths").get_by_role("button", name="Write a list").click()
    field(editor, "write_paths").get_by_role("textbox").fill("../out")
    editor.get_by_role("button", name="Save", exact=True).click()
    expect(editor.locator(".crew-savebar")).to_contain_text("Not saved: 2 fields need a change, under Limits")
    expect(steps).to_contain_text("max_steps must be at least 1.")
    expect(steps.get_by_role("textbox")).to_be_focused()
    expect(steps.get_by_role("textbox")).to_have_value("0")
    described = steps.get_by_role("textbox").evaluate(
        "box => document.getElementById(box.getAttribute('aria-describedby').split(' ').at(-1)).innerText"
    )
    assert "at least 1" in described
    expect(field(editor, "write_paths").get_by_role("textbox")).to_have_attribute("aria-invalid", "true")
    expect(editor.get_by_role("navigation").get_by_role("button", name="Limits needs a change")).to_be_visible()
    assert profile(lab, "coder") == before
    go(desk, "reader")
    go(desk, section="tools")
    editor = edited(desk, "coder", "limits")  # nothing typed is lost on the way
    expect(field(editor, "max_steps").get_by_role("textbox")).to_have_value("0")
    editor.get_by_role("button", name="Discard").click()
    expect(field(editor, "max_steps").get_by_role("textbox")).to_have_value("30")


@pytest.mark.spec("AGT-35", "UI-8")
def test_a_file_that_was_changed_by_hand_is_not_written_over(desk: Desk, lab: Lab) -> None:
    path = lab.home / "agents" / "spare" / "agent.yaml"
    path.write_text("name: Spare\n# by hand\n", encoding="utf-8")
    editor = edited(desk, "spare")
    field(editor, "name").get_by_role("textbox").fill("Other")
    editor.get_by_role("button", name="Save", exact=True).click()
    expect(editor.locator(".crew-savebar")).to_contain_text("was changed by hand")
    expect(field(editor, "name").get_by_role("textbox")).to_have_value("Other")
    assert path.read_text(encoding="utf-8") == "name: Spare\n# by hand\n"
    path.write_text("name: Spare\n", encoding="utf-8")
    saved(editor)
    assert path.read_text(encoding="utf-8") == "name: Other\n"
    lab.api("PATCH", "agents/spare", {"name": "Spare"})


@pytest.mark.spec("UI-87", "TOOL-48", "AGT-36", "SCR-236")
def test_the_list_of_tools_is_written_only_when_it_changes(desk: Desk, lab: Lab) -> None:
    editor = edited(desk, "reader", "tools")
    tools = field(editor, "tools")
    expect(tools.get_by_role("radio", name="Every suitable tool")).to_be_checked()
    tools.get_by_role("radio", name="Only the selected").check()
    boxes = tools.get_by_role("checkbox")
    held = [name for name in agent(lab, "reader")["listable_tools"] if name in agent(lab, "reader")["tools"]]
    expect(tools.locator("input:checked[type=checkbox]")).to_have_count(len(held))
    assert {"tool_script", "tool_search"}.isdisjoint(boxes.evaluate_all("all => all.map(one => one.parentElement.innerText)"))
    tools.get_by_role("radio", name="Every suitable tool").check()
    expect(editor.get_by_role("button", name="Save", exact=True)).to_be_disabled()
    editor = edited(desk, "coder", "tools")
    tools = field(editor, "tools")
    old = tools.locator(".crew-tick").filter(has_text="legacy_search")
    expect(old).to_contain_text("unknown")
    tools.locator(".crew-tick").filter(has=desk.page.get_by_text("workspace_list", exact=True)).get_by_role("checkbox").check()
    saved(editor)
    assert agent(lab, "coder")["declared"]["tools"] == ["workspace_read", "legacy_search", "shell_run", "workspace_list"]
    old.get_by_role("checkbox").uncheck()
    saved(editor)
    expect(old).to_have_count(0)
    assert "# on the door" in profile(lab, "coder")


@pytest.mark.spec("UI-91", "JOB-3", "JOB-4", "JOB-20")
def test_a_schedule_is_told_in_words_while_it_is_typed_and_joins_the_clock(desk: Desk, lab: Lab) -> None:
    editor = edited(desk, "reader", "schedules")
    box = field(editor, "schedules")
    box.get_by_role("button", name="Add a schedule").click()
    entry = box.get_by_role("group", name="Schedule 1")
    line = entry.get_by_role("textbox", name="Cron line")
    line.fill("0 7 * * mon-fri")
    expect(entry.locator(".crew-moments")).to_contain_text("Monday to Friday at 07:00")
    expect(entry.locator(".crew-moments")).to_contain_text(re.compile(r"Next: .*07:00; .*07:00; .*07:00"))
    line.fill("0 7 * *")
    expect(entry.get_by_role("status")).to_contain_text("cron must be five cron fields")
    editor.get_by_role("button", name="Save", exact=True).click()
    expect(editor.locator(".crew-savebar")).to_contain_text("under Schedules")
    expect(line).to_have_value("0 7 * *")
    line.fill("30 6 * * *")
    entry.get_by_role("textbox", name="Message").fill("What is new?")
    entry.get_by_text("More").click()
    entry.get_by_role("textbox", name="Title").fill("Early")
    saved(editor)
    job = next(one for one in lab.get("jobs").json()["jobs"] if one["agent_id"] == "reader")
    assert (job["name"], job["cron"], job["words"]) == ("Early", "30 6 * * *", "Every day at 06:30")
    assert profile(lab, "reader").startswith("# reads\n")
    found = go(desk, section="jobs")
    found.get_by_role("button", name="Edit Early").click()
    expect(found.get_by_role("navigation", name="Parts of the profile").locator("[aria-current]")).to_have_text("Schedules")
    found.get_by_role("button", name="Remove Early").click()
    saved(found.get_by_role("article"))
    assert [one for one in lab.get("jobs").json()["jobs"] if one["agent_id"] == "reader"] == []


@pytest.mark.spec("SHL-87", "SHL-89", "SHL-26", "SHL-29")
def test_the_lists_of_the_shell_are_edited_and_tried_without_asking_anybody(desk: Desk, lab: Lab) -> None:
    editor = edited(desk, "coder", "shell")
    asks = field(editor, "shell_ask_patterns").get_by_role("textbox")
    expect(asks).to_have_value("rm -r ")
    asks.fill("rm -r \n| sh")
    field(editor, "shell_allow_patterns").get_by_role("button", name="Write a list").click()
    field(editor, "shell_allow_patterns").get_by_role("textbox").fill("git ")
    asked: list[str] = []
    desk.page.on("request", lambda request: asked.append(request.url) if "/crewlab/" in request.url else None)
    box = editor.get_by_role("textbox", name="Try a command")
    part = box.locator("xpath=..")
    for command, said in {
        "git status": 'Runs without asking. Meets "git "',
        "git log | SH": 'Asks, in every conversation. Meets "| sh"',
        "make": "Asks, unless the conversation is autonomous",
    }.items():
        box.fill(command)
        expect(part.get_by_role("status")).to_contain_text(said)
    assert asked == []
    field(editor, "shell_write_paths").get_by_role("button", name="Write a list").click()
    field(editor, "shell_write_paths").get_by_role("textbox").fill("../out")
    editor.get_by_role("button", name="Save", exact=True).click()
    expect(field(editor, "shell_write_paths")).to_contain_text("shell_write_paths")
    assert agent(lab, "coder")["shell_ask_patterns"] == ["rm -r "]
    field(editor, "shell_write_paths").get_by_role("button", name="Use the default").click()
    saved(editor)
    assert agent(lab, "coder")["shell_ask_patterns"] == ["rm -r ", "| sh"]
    assert agent(lab, "coder")["shell_write_paths"] is None


@pytest.mark.spec("SCR-235")
def test_scripts_have_three_choices_and_a_way_to_what_they_keep(desk: Desk, lab: Lab) -> None:
    editor = edited(desk, "reader", "script")
    calls = field(editor, "script_calls")
    expect(calls.get_by_role("radio", name="No scripts")).to_be_checked()
    expect(calls.locator(".says")).to_have_count(3)
    calls.get_by_role("radio", name="Also tools that write").check()
    field(editor, "script_llm").get_by_role("radio", name="Off").check()
    saved(editor)
    assert (agent(lab, "reader")["script_calls"], agent(lab, "reader")["script_llm"]) == ("gated", False)
    calls.get_by_role("radio", name="Default").check()
    field(editor, "script_llm").get_by_role("radio", name="Default").check()
    saved(editor)
    assert (agent(lab, "reader")["script_calls"], agent(lab, "reader")["script_llm"]) == ("read_only", True)
    assert "script_" not in profile(lab, "reader")
    editor.get_by_role("button", name="See what scripts of this agent keep").click()
    expect(manager(desk).get_by_role("tab", name="Scripts")).to_have_attribute("aria-selected", "true")
    expect(manager(desk).get_by_role("combobox").first).to_have_value("reader")


@pytest.mark.spec("SCR-237", "TOOL-47")
def test_the_table_says_why_an_agent_has_no_scripts(desk: Desk, lab: Lab) -> None:
    lab.api("PATCH", "agents/reader", {"script_calls": "none"})
    lab.api("PATCH", "agents/spare", {"tools": ["workspace_write"]})
    found = go(desk, section="tools")
    row = found.get_by_role("row").filter(has=desk.page.get_by_text("tool_script", exact=True))
    expect(row).to_contain_text("comes with reading tools")
    expect(row.locator("td.no_script")).to_have_text("⊘set to script_calls: none")
    legend = found.get_by_label("Signs")
    expect(legend).to_contain_text("set to script_calls: none")
    lab.api("PATCH", "agents/reader", {"script_calls": None})
    lab.api("PATCH", "agents/spare", {"tools": None})
    expect(row.locator("td.no_script")).to_have_count(0)
    expect(legend).not_to_contain_text("script_calls: none")


@pytest.mark.spec("UI-88", "UI-90", "AGT-17")
def test_a_line_that_is_no_host_holds_the_save_back_and_an_undeclared_server_can_be_unticked(desk: Desk, lab: Lab) -> None:
    editor = edited(desk, "reader", "browser")
    hosts = field(editor, "browser_hosts")
    box = hosts.get_by_role("textbox")
    box.fill("example.org\nhttps://shop.example\n")
    expect(hosts).to_contain_text("https://shop.example is no host name.")
    sent: list[str] = []
    desk.page.on("request", lambda request: sent.append(request.method) if request.method == "PATCH" else None)
    editor.get_by_role("button", name="Save", exact=True).click()
    expect(box).to_be_focused()
    assert sent == []
    box.fill("")  # an emptied box is no list (BRW-15)
    servers = field(editor, "mcp")
    expect(servers.get_by_role("checkbox", name="papers")).to_be_checked()
    gone = servers.locator(".crew-tick").filter(has_text="gone")
    expect(gone).to_contain_text("unknown")
    gone.get_by_role("checkbox").uncheck()
    saved(editor)
    assert (agent(lab, "reader")["declared"]["mcp"], agent(lab, "reader")["browser_hosts"]) == (["papers"], None)
    expect(gone).to_have_count(0)


@pytest.mark.spec("UI-92", "TURN-79", "TOOL-49")
def test_the_whole_prompt_is_shown_with_its_length(desk: Desk, lab: Lab) -> None:
    editor = edited(desk, "coder")
    editor.get_by_role("button", name="Show prompt").click()
    shown = manager(desk).get_by_role("article", name="Prompt of Coder")
    expect(shown.locator("pre")).to_contain_text("You are Coder")
    answer = lab.get("agents/coder/prompt").json()
    expect(shown).to_contain_text(f"{answer['prompt_chars']:,} characters")
    assert shown.locator("pre").inner_text().strip() == answer["prompt"].strip()
    expect(shown).to_contain_text("No day notes")
    shown.get_by_role("button", name="Back to the profile").click()
    expect(manager(desk).get_by_role("article", name="Coder")).to_be_visible()


@pytest.mark.spec("KIT-6", "KIT-8")
def test_an_agent_of_a_kit_is_locked_until_it_has_a_profile_of_its_own(desk: Desk, lab: Lab) -> None:
    editor = edited(desk, "scout")
    expect(field(editor, "name").get_by_role("textbox")).not_to_be_editable()
    expect(editor.locator(".crew-savebar")).to_have_count(0)
    editor.get_by_role("button", name="Make a profile of its own").click()
    expect(editor.locator(".crew-savebar")).to_be_visible()
    assert agent(lab, "scout")["origin"] == "profile"


@pytest.mark.spec("UI-93", "AGT-37", "AGT-19")
def test_removing_asks_for_the_name_and_says_where_the_folder_lies(desk: Desk, lab: Lab) -> None:
    expect(edited(desk, "default").get_by_role("button", name="Remove this agent…")).to_have_count(0)
    editor = edited(desk, "spare")
    part = editor.get_by_role("region", name="Remove")
    expect(part).to_contain_text("What its scripts keep, its browser profile")
    expect(part).to_contain_text("trash/spare-")
    part.get_by_role("button", name="Remove this agent…").click()
    sure = part.get_by_role("button", name="Remove", exact=True)
    box = part.get_by_role("textbox", name="Type its name, Spare")
    box.fill("spar")
    expect(sure).to_be_disabled()
    box.press("Enter")
    assert lab.get("agents/spare").status_code == 200
    box.fill("Spare")
    sure.click()
    said = manager(desk).locator(".crew-agents [role=status]").filter(has_text="spare was removed")
    moved = Path(said.locator(".crew-mono").inner_text())
    assert (moved / "agent.yaml").exists()
    assert lab.get("agents/spare").status_code == 404


# --- keys and routes


@pytest.mark.spec("UI-99", "UI-101", "CHN-41", "CHN-45", "CHN-46", "CHN-47")
def test_a_key_is_set_tried_and_removed_and_never_shown(desk: Desk, lab: Lab) -> None:
    found = go(desk, section="connections")
    row = found.locator(".crew-key").filter(has_text="TAVILY_API_KEY")
    expect(row).to_contain_text("Missing")
    row.get_by_role("button", name="Set TAVILY_API_KEY").click()
    value = row.get_by_label("Value of TAVILY_API_KEY")
    expect(value).to_be_focused()
    assert value.get_attribute("type") == "password"
    value.fill(SECRET * 200)  # longer than a value may be
    desk.page.keyboard.press("Enter")
    expect(row.get_by_role("alert")).to_be_visible()
    expect(value).to_have_value("")  # a secret is not kept after a refusal
    value.fill(SECRET)
    desk.page.keyboard.press("Enter")
    expect(row).to_contain_text("Present")
    expect(value).to_have_count(0)
    assert SECRET in (lab.home / "secrets" / "secrets.env").read_text(encoding="utf-8")
    assert SECRET not in desk.page.content()
    row.get_by_role("button", name="Remove TAVILY_API_KEY").click()
    desk.page.locator(".jp-Dialog button.jp-mod-warn").click()
    expect(row).to_contain_text("Missing")
    address = found.locator(".crew-key").filter(has_text="OLLAMA_BASE_URL")
    address.get_by_role("button", name="Set OLLAMA_BASE_URL").click()
    address.get_by_label("Value of OLLAMA_BASE_URL").fill("ftp://nowhere")
    desk.page.keyboard.press("Enter")
    expect(address.get_by_role("alert")).to_contain_text("http://")
    expect(address.get_by_label("Value of OLLAMA_BASE_URL")).to_have_value("ftp://nowhere")
    address.get_by_label("Value of OLLAMA_BASE_URL").fill("http://127.0.0.1:9")
    desk.page.keyboard.press("Enter")
    address.get_by_role("button", name="Check OLLAMA_BASE_URL").click()
    expect(address.get_by_role("status")).to_contain_text("cannot be reached")
    other = found.get_by_role("form", name="Set another variable")
    other.get_by_label("Name of the variable").fill("PATH")
    other.get_by_label("Value", exact=True).fill("x")
    other.get_by_role("button", name="Set").click()
    expect(other.get_by_role("alert")).to_be_visible()
    expect(other.get_by_label("Name of the variable")).to_have_value("PATH")
    expect(other.get_by_label("Value", exact=True)).to_have_value("")
    other.get_by_label("Name of the variable").fill("MY_SERVICE_KEY")
    other.get_by_label("Value", exact=True).fill(SECRET)
    other.get_by_role("button", name="Set").click()
    expect(found.locator(".crew-key").filter(has_text="MY_SERVICE_KEY")).to_contain_text("Present")


@pytest.mark.spec("UI-99", "UI-101", "CHN-45", "CHN-47", "SHL-88", "SCR-13")
def test_routes_are_changed_and_what_would_break_is_refused_with_the_field_kept(desk: Desk, lab: Lab) -> None:
    found = go(desk, section="connections")
    expect(found.get_by_role("region", name="Sandboxes")).to_contain_text("Scripts")
    card = found.get_by_role("region", name="Routes")
    card.get_by_role("button", name="Change the routes").click()
    chat = card.get_by_role("group", name="Chat")
    chat.get_by_role("combobox", name="Route 1").fill("anthropic:claude-x")
    card.get_by_role("button", name="Save").click()
    expect(card.get_by_role("alert")).to_contain_text("ANTHROPIC_API_KEY")
    expect(chat.get_by_role("combobox", name="Route 1")).to_have_value("anthropic:claude-x")
    chat.get_by_role("combobox", name="Route 1").fill("nonsense")
    card.get_by_role("button", name="Save").click()
    expect(card).to_contain_text("routes[1]")
    assert lab.get("connections").json()["routes"] == ["fake:echo"]
    chat.get_by_role("button", name="Add a route").click()
    chat.get_by_role("combobox", name="Route 1").fill("anthropic:claude-x")
    chat.get_by_role("combobox", name="Route 2").fill("fake:echo")
    chat.get_by_role("button", name="Try route 2 earlier").click()
    card.get_by_role("button", name="Save").click()
    expect(card.get_by_role("button", name="Change the routes")).to_be_visible()
    assert lab.get("connections").json()["routes"] == ["fake:echo", "anthropic:claude-x"]
    providers = found.get_by_role("region", name="Providers")
    expect(providers).to_contain_text("ANTHROPIC_API_KEY")
    text = (lab.home / "config.yaml").read_text(encoding="utf-8")
    assert text.startswith("mcp_servers:\n  papers: {url: https://papers.example/mcp}\n")
    assert json.dumps(lab.get("connections").json()).find(SECRET) == -1


# --- how it looks


OWN = re.compile(  # names and texts of the home, and what is written as code
    r"\S*[/_.:*`]\S*|Coder|Reader|Scout|scout|Crew|Spare|Looks ahead|cron|git status|\b(rm|sudo|git|chmod)\b[^\n]*"
)


@pytest.mark.spec("UI-6", "UI-117", "UI-118", "UI-120")
@pytest.mark.parametrize("language", ["en", "vi"])
def test_the_editor_in_both_languages_themes_and_widths(page: Page, tmp_path: Path, language: str) -> None:
    lab = filled(tmp_path, language)
    try:
        lab.start()
        page.set_viewport_size(WIDE)
        desk = Desk(page, lab)
        desk.open()
        for theme, light in THEMES.items():
            desk.execute("apputils:change-theme", theme=theme)
            page.wait_for_selector(f"body[data-jp-theme-light='{light}']", state="attached")
            for size in (WIDE, NARROW, SLIM):
                page.set_viewport_size(size)
                found = go(desk, "coder/shell")
                field(found, "shell_ask_patterns").get_by_role("textbox").wait_for()
                assert serious(page) == []
                assert found.evaluate(OVERFLOW) == []
                if language == "vi":
                    assert ENGLISH.findall(OWN.sub("", found.get_by_role("article").inner_text())) == []
        assert desk.errors == []
    finally:
        lab.stop()

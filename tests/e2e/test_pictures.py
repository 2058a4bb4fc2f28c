"""The pictures of the documentation, taken from the running program so that they stay true.

``CREWLAB_PICTURES=1`` writes them to ``docs/images``; otherwise they are taken to a temporary folder. Each test says what
its picture must show. The conversation about the stations is scripted (``tests/fixtures/story.py``) and goes through the
real loop, gate and tools; the pictures of the first minutes are of the real local model.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.fixtures.desk import PATIENCE_MS, Desk, Lab, a_lab, free_port
from tests.fixtures.pictures import take
from tests.fixtures.story import COMMAND_WISH, CONFIGURATION, JOBS_WISH, QUESTION, REPORT_WISH, ROUTE, TEAM, fill

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]
SIZE = {"width": 1280, "height": 800}
TALL = {"width": 1280, "height": 1120}
PANEL, NOTEBOOK = 400, 830  # widths of the chat and of what stands beside it
THEMES = [("light", "JupyterLab Light"), ("dark", "JupyterLab Dark")]
SETTLED = "body[data-jp-theme-light='{light}']"
CELLS: list[tuple[str, str]] = [
    ("markdown", "# Ten years of four stations\n\nMean temperature of each year, 2015 to 2024."),
    ("code", "%load_ext crewlab"),
    ("code", f"%%crew --new --into turn\n{QUESTION}"),
    ("code", "from crewlab.widgets import RunTimeline\n\nRunTimeline(conversation=turn.conversation)"),
]
OTHERS = ["Draft of the methods section", "Station metadata cleanup", "Why does clean.ipynb run out of memory?"]
KERNEL = {"kernelspec": {"name": "python3", "display_name": "Python 3 (ipykernel)"}}
NOTHING_SET_UP = "OLLAMA_BASE_URL"


def story_lab(folder: Path) -> Lab:
    lab = Lab(folder, routes=ROUTE)
    lab.configure(CONFIGURATION)
    lab.settings("@jupyterlab/notebook-extension/tracker", {"windowingMode": "none"})
    fill(lab.home / "workspace")
    cells = [cell(kind, source, f"c{index}") for index, (kind, source) in enumerate(CELLS)]
    notebook = {"cells": cells, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}
    (lab.root / "stations.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    return lab


def cell(kind: str, source: str, name: str) -> dict[str, object]:
    """A cell as a notebook file has it."""
    made: dict[str, object] = {"cell_type": kind, "id": name, "source": source, "metadata": {}}
    return made | ({"outputs": [], "execution_count": None} if kind == "code" else {})


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    lab = story_lab(tmp_path_factory.mktemp("story"))
    try:
        lab.start()
        yield lab
    finally:
        lab.stop()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """As a new user has it: nothing but the model that comes along."""
    environ = {NOTHING_SET_UP: f"http://127.0.0.1:{free_port()}/v1"}
    with a_lab(tmp_path_factory.mktemp("small"), routes="", environ=environ) as found:
        yield found


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A crew of three, each with a script of its own."""
    folder = tmp_path_factory.mktemp("team")
    lab = Lab(folder, routes=f"fake:script:{folder}/crew.yaml")
    fill(lab.home / "workspace")
    for name, (about, script) in TEAM.items():
        (folder / f"{name}.yaml").write_text(script, encoding="utf-8")
        directory = lab.home / "agents" / name if name != "crew" else lab.home
        fill(directory / "workspace")
        if name != "crew":
            profile = f"name: {name.title()}\ndescription: {about}\nroutes: ['fake:script:{folder}/{name}.yaml']\n"
            (directory / "agent.yaml").write_text(profile, encoding="utf-8")
    try:
        lab.start()
        yield lab
    finally:
        lab.stop()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=SIZE, device_scale_factor=1.5, locale="en-US", timezone_id="UTC")
    yield context.new_page()
    context.close()


def show(desk: Desk, theme: str) -> None:
    """Choose the theme, fold the file browser away, give the panel room."""
    desk.execute("apputils:change-theme", theme=theme)
    desk.page.wait_for_selector(SETTLED.format(light=str("Light" in theme).lower()), state="attached")
    desk.page.wait_for_selector("#jupyterlab-splash", state="detached")
    desk.page.evaluate("jupyterapp.shell.collapseLeft()")
    desk.page.evaluate("([main, panel]) => jupyterapp.shell._hsplitPanel.setRelativeSizes([0, main, panel])", [NOTEBOOK, PANEL])


def opened(page: Page, lab: Lab, theme: str) -> Desk:
    desk = Desk(page, lab)
    desk.open()
    page.locator(".jp-Launcher").wait_for()
    desk.chat()
    show(desk, theme)
    return desk


def finished(desk: Desk) -> None:
    """The answer is whole and drawn."""
    desk.page.locator(".crew-acts").last.wait_for(timeout=PATIENCE_MS)
    desk.page.wait_for_function("!document.querySelector('.crew-text.live, .crew-text[data-plain]')")


def run_notebook(desk: Desk, lab: Lab) -> str:
    """Open the notebook and run it whole; the id of its conversation."""
    desk.page.evaluate("jupyterapp.serviceManager.sessions.shutdownAll()")  # a kernel of its own
    desk.execute("docmanager:open", path="stations.ipynb")
    desk.page.wait_for_function("jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'")
    desk.execute("notebook:run-all-cells")
    desk.page.locator(".jp-Notebook .crew-card").get_by_text("Done").wait_for()
    conversation: str = lab.get("conversations").json()["conversations"][0]["id"]
    return conversation


@pytest.mark.spec("UI-26", "UI-155")
@pytest.mark.parametrize(("mode", "theme"), THEMES)
def test_chat_beside_a_notebook(page: Page, lab: Lab, tmp_path: Path, mode: str, theme: str) -> None:
    desk = opened(page, lab, theme)
    conversation = run_notebook(desk, lab)
    desk.execute("crewlab:open-conversation", id=conversation)
    finished(desk)
    panel = page.locator("#crewlab-panel")
    expect(panel).to_contain_text("Read file")
    expect(panel.locator("table")).to_contain_text("Dachstein")
    expect(panel.locator("pre code")).to_contain_text("linregress")
    formula = panel.locator("mjx-container[display='true']")
    expect(formula).to_be_visible()
    assert "$" not in panel.locator(".crew-text").last.inner_text()
    page.locator(".jp-Notebook .crew-card").scroll_into_view_if_needed()
    expect(page.locator(".jp-Notebook .crew-card")).to_be_in_viewport()
    take(page, f"chat-{mode}", tmp_path)
    page.evaluate("jupyterapp.shell.collapseRight()")
    page.set_viewport_size(TALL)
    page.locator(".jp-Notebook .jp-Cell").first.scroll_into_view_if_needed()
    for part in (page.get_by_text("%%crew").first, page.locator(".jp-Notebook .crew-card")):
        expect(part).to_be_in_viewport()
    take(page, f"notebook-{mode}", tmp_path)
    assert desk.errors == []


COMPONENTS: list[tuple[str, str]] = [
    ("code", "from crewlab.widgets import AgentsTable, Chat\n\nchat = Chat({conversation!r})\nchat"),
    ("code", "AgentsTable()"),
]


@pytest.mark.spec("UI-155")
@pytest.mark.parametrize(("mode", "theme"), THEMES)
def test_components_in_a_notebook(page: Page, lab: Lab, tmp_path: Path, mode: str, theme: str) -> None:
    desk = opened(page, lab, theme)
    conversation = run_notebook(desk, lab)
    cells = [cell(kind, source.format(conversation=conversation), f"w{index}") for index, (kind, source) in enumerate(COMPONENTS)]
    notebook = {"cells": cells, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}
    (lab.root / "crew.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    desk.execute("docmanager:open", path="crew.ipynb")
    page.wait_for_function("jupyterapp.shell.currentWidget?.context?.path === 'crew.ipynb'")
    page.wait_for_function("jupyterapp.shell.currentWidget.sessionContext?.session?.kernel?.status === 'idle'")
    desk.execute("notebook:run-all-cells")
    front = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    expect(front.locator(".crew-chatbox")).to_contain_text("Dachstein")
    expect(front.locator("table.agents")).to_be_visible()
    front.locator("table.agents button.who").first.click()
    expect(front.locator("table.agents .runs li").first).to_be_visible()
    page.evaluate("jupyterapp.shell.collapseRight()")
    page.set_viewport_size(TALL)
    front.locator(".jp-Cell").first.scroll_into_view_if_needed()
    expect(front.locator("table.agents")).to_be_in_viewport()
    take(page, f"components-{mode}", tmp_path)
    assert desk.errors == []


@pytest.mark.spec("UI-59")
@pytest.mark.parametrize(("mode", "theme"), THEMES)
def test_a_request_waits(page: Page, lab: Lab, tmp_path: Path, mode: str, theme: str) -> None:
    desk = opened(page, lab, theme)
    conversation = run_notebook(desk, lab)
    page.locator(".jp-Notebook .jp-Cell").first.scroll_into_view_if_needed()
    desk.execute("crewlab:open-conversation", id=conversation)
    finished(desk)
    desk.send(REPORT_WISH)
    bar = page.locator(".crew-ask")
    bar.wait_for()
    bar.get_by_role("button", name="Show all").first.click()
    expect(bar).to_contain_text("reports/warming.md")
    for name in ("Approve", "Deny", "Always allow in this conversation"):
        expect(bar.get_by_role("button", name=name)).to_be_in_viewport()
    take(page, f"approval-{mode}", tmp_path)
    bar.get_by_role("button", name="Deny").click()
    bar.wait_for(state="detached")
    assert desk.errors == []


@pytest.mark.spec("UI-59", "SHL-90", "UI-31")
@pytest.mark.parametrize(("mode", "theme"), THEMES)
def test_a_command_waits(page: Page, team: Lab, tmp_path: Path, mode: str, theme: str) -> None:
    desk = opened(page, team, theme)
    desk.execute("crewlab:new-conversation")
    desk.send(COMMAND_WISH)
    bar = page.locator(".crew-ask")
    expect(bar).to_contain_text("git push --force-with-lease")
    expect(bar).to_contain_text("Asks every time: git push")
    box = bar.locator("pre")
    for word in box.locator(".crew-whole").all():  # a word in two lines would look like two words
        assert word.evaluate("element => element.getClientRects().length") == 1
    for name in ("Approve", "Deny"):
        expect(bar.get_by_role("button", name=name)).to_be_in_viewport()
    expect(bar.get_by_role("button", name="Always allow in this conversation")).to_have_count(0)
    take(page, f"shell-{mode}", tmp_path)
    bar.get_by_role("button", name="Deny").click()
    bar.wait_for(state="detached")
    expect(desk.thread).to_contain_text("Did not run command")
    assert desk.errors == []


@pytest.mark.spec("DLG-55", "GATE-38")
@pytest.mark.parametrize(("mode", "theme"), THEMES)
def test_jobs_are_given_out(page: Page, team: Lab, tmp_path: Path, mode: str, theme: str) -> None:
    desk = opened(page, team, theme)
    desk.execute("crewlab:new-conversation")
    desk.send(JOBS_WISH)
    bar = page.locator(".crew-ask")
    expect(bar).to_contain_text("Bob asks in a job that was given out here.")
    expect(desk.thread.get_by_role("group", name="Job of Ada")).to_contain_text("Done", timeout=PATIENCE_MS)
    expect(desk.thread.get_by_role("group", name="Job of Bob")).to_contain_text("Waits for you")
    take(page, f"jobs-{mode}", tmp_path)
    bar.get_by_role("button", name="Deny").click()
    bar.wait_for(state="detached")
    finished(desk)
    assert desk.errors == []


@pytest.mark.spec("UI-65", "UI-133")
@pytest.mark.parametrize(("mode", "theme"), THEMES)
def test_the_wide_chat(page: Page, lab: Lab, tmp_path: Path, mode: str, theme: str) -> None:
    for known in lab.get("conversations").json()["conversations"]:
        lab.api("DELETE", f"conversations/{known['id']}")
    for title in OTHERS:
        lab.post("conversations", {"title": title})
    desk = opened(page, lab, theme)
    desk.execute("crewlab:new-conversation")
    desk.send(QUESTION)
    finished(desk)
    page.evaluate("jupyterapp.shell.collapseRight()")
    desk.execute("crewlab:open-chat-main")
    main = page.locator("#crewlab-chat-main")
    expect(main.locator(".crew-column")).to_be_visible()
    expect(main.locator("mjx-container").first).to_be_visible()
    expect(main.locator(".crew-side")).to_contain_text(QUESTION[:20])
    page.wait_for_function("!document.querySelector('#crewlab-chat-main .crew-text[data-plain]')")
    take(page, f"wide-{mode}", tmp_path)
    assert desk.errors == []


@pytest.mark.spec("UI-10")
@pytest.mark.parametrize(("mode", "theme"), THEMES)
def test_the_welcome_of_an_empty_home(page: Page, small: Lab, tmp_path: Path, mode: str, theme: str) -> None:
    desk = opened(page, small, theme)
    desk.execute("crewlab:new-conversation")
    welcome = page.locator(".crew-welcome")
    expect(welcome).to_contain_text("Answering with a small demonstration model")
    expect(welcome.get_by_role("button", name="Hello!")).to_be_in_viewport()
    take(page, f"welcome-{mode}", tmp_path)
    assert desk.errors == []


@pytest.mark.spec("UI-59", "LOC-6")
@pytest.mark.parametrize(("mode", "theme"), THEMES)
def test_the_first_minute_with_the_local_model(page: Page, small: Lab, tmp_path: Path, mode: str, theme: str) -> None:
    desk = opened(page, small, theme)
    desk.execute("crewlab:new-conversation")
    page.locator(".crew-starters").get_by_role("button", name="Hello!").click()
    finished(desk)
    desk.send("Write 'hello' to notes.txt")
    page.locator(".crew-ask").wait_for()
    take(page, f"first-{mode}", tmp_path)
    page.locator(".crew-ask").get_by_role("button", name="Deny").click()
    page.locator(".crew-ask").wait_for(state="detached")
    assert desk.errors == []


@pytest.mark.spec("UI-85", "UI-86")
@pytest.mark.parametrize(("mode", "theme"), THEMES)
def test_the_team_with_a_field_that_is_refused(page: Page, team: Lab, tmp_path: Path, mode: str, theme: str) -> None:
    desk = opened(page, team, theme)
    page.evaluate("jupyterapp.shell.collapseRight()")
    id = team.get("agents").json()["agents"][1]["id"]
    desk.execute("crewlab:open-manager", section="team", rest=f"{id}/limits")
    found = page.locator(".crewlab-ManagerWidget")
    found.locator("[data-key=max_steps] input").fill("0")
    found.get_by_role("button", name="Save", exact=True).click()
    expect(found.locator(".crew-savebar")).to_contain_text("1 field needs a change, under Limits")
    take(page, f"team-{mode}", tmp_path)
    found.get_by_role("button", name="Discard").click()
    assert desk.errors == []


@pytest.mark.spec("UI-99")
@pytest.mark.parametrize(("mode", "theme"), THEMES)
def test_the_connections_while_a_key_is_set(page: Page, team: Lab, tmp_path: Path, mode: str, theme: str) -> None:
    desk = opened(page, team, theme)
    page.evaluate("jupyterapp.shell.collapseRight()")
    desk.execute("crewlab:open-manager", section="connections")
    found = page.locator(".crewlab-ManagerWidget")
    found.get_by_role("button", name="Set OPENROUTER_API_KEY").click()
    found.get_by_label("Value of OPENROUTER_API_KEY").fill("not a real one")
    found.get_by_role("region", name="Keys").evaluate("card => card.scrollIntoView()")
    take(page, f"connections-{mode}", tmp_path)
    assert desk.errors == []

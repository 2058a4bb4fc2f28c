"""The components as a person meets them: real JupyterLab and Notebook 7, a real kernel, a real page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.ui.notebook.browser import LabProcess, chromium, jupyterlab, picture

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.usefixtures("front_end")]

TOKEN = "t0ken-of-this-test"
START = "import crewlab\nfrom crewlab.widgets import AgentsTable, Approvals, Chat, CostChart, ScriptStore\ncrew = crewlab.connect()\n"
EVIL = "<img src=x onerror='window.pwned=1'>"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabProcess]:
    with jupyterlab(tmp_path_factory.mktemp("lab"), TOKEN) as lab:
        yield lab


def run(page: Page, index: int) -> None:
    """Runs one cell and waits for its end."""
    page.evaluate(
        """async index => {
            const panel = jupyterapp.shell.currentWidget;
            panel.content.activeCellIndex = index;
            await jupyterapp.commands.execute('notebook:run-cell');
        }""",
        index,
    )


def output(page: Page, index: int) -> Locator:
    return page.locator(".jp-Notebook .jp-Cell").nth(index).locator(".jp-OutputArea")


@pytest.fixture(params=["lab", "notebook 7"])
def opened(request: pytest.FixtureRequest, browser: Browser, lab: LabProcess) -> Iterator[Page]:
    cells = [
        f"{START}chat = Chat()\nchat",
        "print(chat.status, repr(chat.text), chat.pending)",
        "asks = Approvals()\nasks",
        "table = AgentsTable()\ntable",
        "print(table.selected)",
    ]
    name = f"{request.param.replace(' ', '-')}.ipynb"
    page = lab.open(browser, name, cells) if request.param == "lab" else lab.open_classic(browser, name, cells)
    page.set_viewport_size({"width": 1440, "height": 1000})
    yield page
    page.close()


def send(chat: Locator, text: str) -> None:
    chat.get_by_label("Message", exact=True).fill(text)
    chat.get_by_label("Message", exact=True).press("Enter")


@pytest.mark.spec("UI-155", "UI-156", "UI-159", "UI-161", "UI-162", "FQ-6", "GATE-31", "GATE-33")
def test_a_person_chats_decides_and_looks_at_the_crew_in_a_notebook(opened: Page) -> None:
    page = opened
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(str(data))))
    run(page, 0)
    chat = output(page, 0).locator(".crew-chatbox")
    send(chat, f"Hello **there** {EVIL}")
    expect(chat.locator("strong")).to_have_text("there")
    assert page.evaluate("window.pwned") is None
    assert chat.locator("img").count() == 0
    content = "x" * 3000 + " the last word"
    send(chat, f'/tool workspace_write {{"path": "a.txt", "content": "{content}"}}')
    card = chat.get_by_role("group", name="Write a file?")
    card.get_by_role("button", name="Show all").first.click()
    expect(card).to_contain_text("the last word")
    run(page, 1)
    expect(output(page, 1)).to_contain_text("waiting")
    run(page, 2)
    asks = output(page, 2).locator(".crew-card")
    other = asks.get_by_role("group", name="Write a file?")
    expect(other.get_by_role("button", name="Always allow in this conversation")).to_be_visible()
    picture(page, f"components-{page.url.count('notebooks/')}-chat")
    other.get_by_role("button", name="Approve").click()
    expect(asks).to_contain_text("No request waits for you.")
    expect(chat).to_contain_text("Wrote file")
    expect(chat.get_by_label("Message", exact=True)).to_be_enabled()
    asks.get_by_role("button", name=re.compile(r"Show \d decided")).click()
    expect(asks.get_by_role("table")).to_contain_text("Approved")
    run(page, 3)
    table = output(page, 3).get_by_role("table")
    table.get_by_role("checkbox").first.check()
    table.locator("button.who").first.click()
    expect(table.locator(".runs li").first).to_contain_text("Done")
    run(page, 4)
    expect(output(page, 4)).to_contain_text("['default']")
    picture(page, f"components-{page.url.count('notebooks/')}-table")
    assert TOKEN not in "".join(frames)


@pytest.mark.spec("GATE-33", "UI-161")
def test_a_request_with_a_reason_offers_no_always(browser: Browser, lab: LabProcess) -> None:
    page = lab.open(browser, "reason.ipynb", [f"{START}chat = Chat()\nchat"])
    run(page, 0)
    chat = output(page, 0).locator(".crew-chatbox")
    when = '{"name": "Due", "cron": "0 9 * * *", "prompt": "look"}'
    send(chat, f"/tool schedule_create {when}")
    card = chat.get_by_role("group", name="Add a schedule?")
    expect(card.get_by_role("button", name="Approve")).to_be_visible()
    expect(card.get_by_role("button", name="Always allow in this conversation")).to_have_count(0)
    picture(page, "components-reason")
    card.get_by_role("button", name="Deny").click()
    expect(card).to_have_count(0)
    page.close()


@pytest.mark.spec("UI-83", "UI-155")
def test_the_cost_chart_draws_what_was_called(browser: Browser, lab: LabProcess) -> None:
    page = lab.open(browser, "costs.ipynb", [f"{START}crew.ask('Hi')\nCostChart()"])
    run(page, 0)
    chart = output(page, 0).locator(".crew-costbox")
    expect(chart.locator("svg.crew-plot")).to_be_visible()
    chart.get_by_role("radio", name="30 days").click()
    expect(chart.get_by_role("radio", name="30 days")).to_have_attribute("aria-checked", "true")
    picture(page, "components-costs")
    page.evaluate("jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    page.wait_for_selector("body[data-jp-theme-light='false']", state="attached")
    page.wait_for_selector("#jupyterlab-splash", state="detached")
    picture(page, "components-costs-dark")
    page.close()


@pytest.mark.spec("STO-55")
def test_what_a_script_keeps_is_read_and_deleted_in_a_notebook(browser: Browser, lab: LabProcess) -> None:
    script = json.dumps({"script": "store('told', ['a1', 'b2'])"})
    cells = [f"{START}turn = crew.ask('/tool tool_script ' + {script!r})", "ScriptStore(turn.conversation['agent_id'])"]
    page = lab.open(browser, "store.ipynb", cells)
    run(page, 0)
    run(page, 1)
    store = output(page, 1).locator(".crew-card").first
    expect(store).to_contain_text("told")
    store.get_by_role("button", name='Show value of "told"').click()
    expect(store.locator("pre.crew-code")).to_contain_text('"a1"')
    picture(page, "components-store")
    store.get_by_role("button", name='Delete "told"').click()
    store.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
    expect(store.get_by_role("status")).to_contain_text("1 value deleted")
    expect(store.get_by_role("button", name='Delete "told"')).to_have_count(0)
    page.close()

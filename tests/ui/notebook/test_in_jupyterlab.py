"""The notebook side as a person meets it: a real JupyterLab, a real kernel, a real page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.ui.notebook.browser import LabProcess, chromium, jupyterlab, picture

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.usefixtures("front_end")]

TOKEN = "t0ken-of-this-test"  # the page itself has it; what comes from a kernel must not
ATTACK = "Hello **there** <img src=x onerror='window.pwned=1'> [go](javascript:window.pwned=2)\n\n```html\n<b>code</b>\n```"


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
            const notebook = jupyterapp.shell.currentWidget.content;
            notebook.activeCellIndex = index;
            await jupyterapp.commands.execute('notebook:run-cell');
        }""",
        index,
    )


def output(page: Page, index: int):  # type: ignore[no-untyped-def]
    return page.locator(".jp-Notebook .jp-Cell").nth(index).locator(".jp-OutputArea")


@pytest.mark.spec("UI-147", "UI-153", "UI-154")
def test_an_answer_stands_in_the_cell_and_nothing_in_it_runs(browser: Browser, lab: LabProcess) -> None:
    page = lab.open(browser, "answer.ipynb", [f"import crewlab\ncrew = crewlab.connect()\nturn = crew.ask({ATTACK!r})"])
    run(page, 0)
    answer = output(page, 0)
    expect(answer.locator("strong")).to_have_text("there")
    expect(answer.locator("pre")).to_contain_text("<b>code</b>")
    expect(answer).to_contain_text("<img src=x onerror='window.pwned=1'>")
    assert answer.locator("img").count() == 0
    assert answer.locator("a[href^='javascript']").count() == 0
    assert page.evaluate("window.pwned") is None
    page.close()


@pytest.mark.spec("UI-155", "UI-158", "UI-159", "FQ-6")
def test_a_timeline_follows_a_conversation(browser: Browser, lab: LabProcess) -> None:
    cells = [
        "import crewlab\nfrom crewlab.widgets import RunTimeline\ntalk = crewlab.connect().new()\n(line := RunTimeline(conversation=talk))",
        'turn = talk.send(\'/tool workspace_write {"path": "b.txt", "content": "x"}\')',
        "turn.approval.approve()\nturn.wait().status",
        "print(line.selected_step, line.status)",
    ]
    frames: list[str] = []
    page = lab.open(browser, "timeline.ipynb", cells)
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: frames.append(str(data))))
    run(page, 0)
    card = output(page, 0).locator(".crew-card")
    expect(card).to_contain_text("Steps appear here when a turn begins.")
    run(page, 1)
    expect(card.get_by_role("status")).to_have_text("Waits for you")
    expect(card.get_by_role("listitem")).to_have_count(2)
    run(page, 2)
    expect(card.get_by_role("status")).to_have_text("Done")
    expect(card).to_contain_text("4 steps")
    expect(card).to_contain_text("Wrote file")
    card.get_by_role("button", name="Wrote file").click()
    expect(card).to_contain_text("Wrote b.txt")
    run(page, 3)
    expect(output(page, 3)).to_contain_text("2 done")
    picture(page, "timeline-light")
    page.evaluate("jupyterapp.commands.execute('apputils:change-theme', { theme: 'JupyterLab Dark' })")
    page.wait_for_selector("body[data-jp-theme-light='false']", state="attached")
    page.wait_for_selector("#jupyterlab-splash", state="detached")
    assert page.evaluate("getComputedStyle(document.querySelector('.crew-card')).backgroundColor") == "rgb(33, 33, 33)"
    assert page.locator(".crew-widget.alone").count() == 0
    picture(page, "timeline-dark")
    assert TOKEN not in "".join(frames)
    page.close()


@pytest.mark.spec("UI-150", "UI-153")
def test_a_magic_shows_what_waits_and_what_to_call(browser: Browser, lab: LabProcess) -> None:
    cells = ["%load_ext crewlab", '%%crew --into turn\n/tool workspace_write {"path": "c.txt", "content": "<b>x</b>"}', "%crew_approvals"]
    page = lab.open(browser, "magic.ipynb", cells)
    for index in range(3):
        run(page, index)
    expect(output(page, 1)).to_contain_text("Waits for your decision")
    expect(output(page, 1)).to_contain_text('"content": "<b>x</b>"')
    expect(output(page, 1)).to_contain_text(".approve()")
    expect(output(page, 2).locator("table")).to_contain_text("workspace_write")
    picture(page, "magic")
    page.close()

"""The widget's file in a bare page, as VS Code, marimo or an exported notebook give it: no theme of JupyterLab around."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from crewlab.notebook.reducers import empty_conversation
from crewlab.widgets.state import timeline_state
from tests.ui.notebook.browser import chromium, picture
from tests.ui.notebook.samples import approval, run, step

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

BEGAN_AGO = 40  # seconds


def at(seconds: int) -> str:
    """A moment of the run, counted from its beginning."""
    return (datetime.now(UTC) + timedelta(seconds=seconds - BEGAN_AGO)).isoformat()


def a_run() -> dict[str, Any]:
    steps = [
        step(0, "model", started_at=at(0), route="fake:echo", ms=1800, cost_usd=0.0121),
        step(1, started_at=at(2), ms=4000, arguments={"path": "data/heat.csv"}, output="24 rows"),
        step(2, started_at=at(7), status="error", error="The file ends in its footer.", arguments={"path": "data/st_016.parquet"}),
        step(3, "wait", started_at=at(9), tool="workspace_write", name=None, ms=9000),
        step(4, "steer", started_at=at(18), text="use 0–21 days, not 0–14", ms=None),
        step(5, started_at=at(19), status="running", ms=None, name="tool_script", arguments={"description": "fit 24 stations"}),
    ]
    return run(status="running", started_at=at(0), ended_at=None, cost_usd=0.1843, steps=steps)


RENDER = """async ([code, css, state, width]) => {
    const style = document.createElement('style'); style.textContent = css; document.head.append(style);
    const place = document.createElement('div'); place.style.width = width + 'px';
    const values = { state, selected_step: null };
    const model = { get: n => values[n], set: (n, v) => { values[n] = v; }, save_changes() {}, send() {}, on() {}, off() {} };
    const module = await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
    module.default.render({ model, el: place });
    document.body.append(place);
}"""
CONTRAST = """() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const paint = (...colours) => {
        canvas.clearRect(0, 0, 1, 1);
        for (const colour of colours) { canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1); }
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = rgb => rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const ground = getComputedStyle(document.querySelector('.crew-card')).backgroundColor;
    const found = {};
    for (const name of ['.what', '.arg', '.v', '.crew-why', '.figs', '.crew-btn']) {
        const one = document.querySelector(name);
        const [a, b] = [light(paint(ground, getComputedStyle(one).color)), light(paint(ground))];
        found[name] = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    }
    return found;
}"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


def draw(browser: Browser, front_end: Path, *, width: int = 800, body: str = "") -> Page:
    state = {"v": 0, "at": at(BEGAN_AGO), "language": "en", "offline": None, **timeline_state(a_run())}
    page = browser.new_page(viewport={"width": 900, "height": 480})
    page.goto("about:blank")
    page.set_content(f"<body {body}></body>")
    code, css = (front_end / "timeline.js").read_text(), (front_end / "timeline.css").read_text()
    page.evaluate(RENDER, [code, css, json.loads(json.dumps(state)), width])
    page.wait_for_selector(".crew-card .crew-step")
    return page


@pytest.mark.spec("UI-155")
@pytest.mark.parametrize(
    ("body", "dark"),
    [
        ("class='vscode-light' style='background:#fff'", False),
        ("class='vscode-dark' style='background:#1e1e1e'", True),
        ("style='background:rgb(20, 20, 20)'", True),
        ("", False),
    ],
    ids=["vscode light", "vscode dark", "a dark page", "a bare page"],
)
def test_it_is_readable_outside_of_jupyterlab(browser: Browser, front_end: Path, body: str, dark: bool) -> None:
    page = draw(browser, front_end, body=body)
    assert page.evaluate("document.querySelector('.crew-widget').classList.contains('dark')") is dark
    contrasts = page.evaluate(CONTRAST)
    assert {name: round(value, 1) for name, value in contrasts.items() if value < 4.5} == {}
    picture(page, f"alone-{'dark' if dark else 'light'}")
    page.evaluate("kind => { document.body.className = kind; }", "vscode-light" if dark else "vscode-dark")
    page.wait_for_function("dark => document.querySelector('.crew-widget').classList.contains('dark') === dark", arg=not dark)
    page.close()


@pytest.mark.spec("UI-155")
def test_a_narrow_widget_leaves_the_track_out(browser: Browser, front_end: Path) -> None:
    wide, narrow = draw(browser, front_end, width=700), draw(browser, front_end, width=420)
    for page, shown in ((wide, True), (narrow, False)):
        assert page.locator(".crew-wf .tr").first.is_visible() is shown
        assert page.locator(".crew-wf .v").nth(2).is_visible()
        assert page.evaluate("document.querySelector('.crew-card').scrollWidth <= document.querySelector('.crew-card').clientWidth + 1")
    picture(narrow, "alone-narrow")
    wide.close()
    narrow.close()


HEAD = {"v": 0, "language": "en", "offline": None, "dropped": 0, "agents": [{"id": "default", "name": "Crew", "master": True}]}
SUMS = dict.fromkeys(("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens", "unknown", "estimated"), 0)
PART = {**SUMS, "cost_usd": 0.5, "calls": 2, "span": "2026-01-01", "agent_id": "default", "provider": "p", "model": "m", "purpose": "turn"}
WAITS = approval(agent_id="default", created_at=at(0), expires_at=at(900), options=[], labels=[], answer=None, decided_at=None)
ROW = {"id": "default", "name": "Crew", "description": "", "master": True, "mode": "chat", "live": False, "tools": ["eval"]}
ROW |= {"next": None, "week": None}
SHELF = {"namespace": "job:due", "kind": "job", "ref": "due", "title": "Due", "orphan": False, "chars": 9, "entries": []}
SAID = {"kind": "user", "key": "m1", "message_id": 1, "text": "Chào bạn", "created_at": None, "steered": False}
SAID |= {"sending": False, "typed": None, "files": []}
STATES: dict[str, tuple[dict[str, Any], str, str]] = {  # the state, what is read in it, and what is a button
    "approvals": ({"pending": [WAITS], "hidden": 0, "decided": []}, "Write a file?", ".crew-ask .acts button"),
    "agents": ({"agents": [ROW], "live": []}, "Crew", "button.who"),
    "chat": ({**empty_conversation(), "items": [SAID], "id": "c_1", "gone": False, "agent": None}, "Chào bạn", ".crew-send"),
    "costs": ({"ledger": {"period": "week", "spans": ["2026-01-01"], "parts": [PART]}}, "USD by day", ".crew-costbox > fieldset button"),
    "scriptstore": ({"agent": "scout", "limit_chars": 10, "namespaces": [SHELF]}, "Nearly full", ".crew-shelf .head .crew-btn"),
}


@pytest.mark.spec("UI-155", "UI-160", "FQ-6")
@pytest.mark.parametrize("body", ["class='vscode-light' style='background:#fff'", "class='vscode-dark' style='background:#1e1e1e'"])
@pytest.mark.parametrize("name", sorted(STATES))
def test_every_component_shows_its_last_state_in_a_page_without_jupyterlab(browser: Browser, front_end: Path, name: str, body: str) -> None:
    fields, words, buttons = STATES[name]
    page = browser.new_page(viewport={"width": 900, "height": 640})
    page.goto("about:blank")
    page.set_content(f"<body {body}></body>")
    code, css = (front_end / f"{name}.js").read_text(), (front_end / f"{name}.css").read_text()
    page.evaluate(RENDER, [code, css, json.loads(json.dumps({**HEAD, "at": at(BEGAN_AGO), **fields})), 800])
    page.get_by_text(words).first.wait_for()
    page.get_by_text("State of").wait_for()
    off = page.locator(buttons)
    assert off.count() > 0
    assert all(off.nth(index).is_disabled() for index in range(off.count()))
    assert page.evaluate("document.body.scrollWidth <= 900")
    picture(page, f"alone-{name}-{'dark' if 'dark' in body else 'light'}")
    page.close()


@pytest.mark.spec("UI-160")
def test_without_a_kernel_it_shows_its_last_state_with_its_time_and_stop_is_off(browser: Browser, front_end: Path) -> None:
    page = draw(browser, front_end)
    page.get_by_text("State of").wait_for()
    assert page.get_by_role("button", name="Stop").is_disabled()
    picture(page, "alone-still")
    page.close()

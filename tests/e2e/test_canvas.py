"""Canvases in a real JupyterLab: opened from the chat, edited, in conflict, restored, put into a notebook, shown while written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.fixtures.canvases import png
from tests.fixtures.desk import Desk, Lab, a_lab

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(400)]
PLAN = "# Lag windows\n\nWe compared windows of 0-7 and 0-14 days.\n\n## Exclusions\n\nNone.\n"
CODE = "def double(number):\n    return number * 2\n"
HOSTILE = (
    "# Links\n\n[script](javascript:window.__hit=1) [data](data:text/html,<script>window.__hit=1</script>)\n\n"
    "<img src=x onerror='window.__hit=1'><script>window.__hit=1</script>\n\n![far](https://evil.example/pixel.png)\n"
)
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40" onload="window.__hit=1"><script>window.__hit=1</script>'
    '<a href="javascript:window.__hit=1"><rect width="80" height="40" fill="teal"/></a></svg>'
)
TITLE = "\u202eReport\u2066 \u200bplan"


def turn(match: str, *calls: dict[str, Any], text: str = "Done.") -> dict[str, Any]:
    """Answers a message with calls, one after the other, and a word."""
    return {"match": match, "rounds": [*[[call] for call in calls], [{"text": text}]]}


def create(title: str, kind: str, content: str, **more: Any) -> dict[str, Any]:
    return {"call": "artifact_create", "arguments": {"title": title, "kind": kind, "content": content, **more}}


SCRIPT = [
    turn("^plan$", create("Lag windows", "markdown", PLAN)),
    turn("^code$", create("Double", "code", CODE, language="python")),
    turn("^hostile$", create(TITLE, "markdown", HOSTILE)),
    turn("^svg$", create("A square", "svg", SVG)),
    turn("^diagram$", create("A diagram", "mermaid", "graph TD\n  A[Start] --> B[End]\n")),
    turn("^broken$", create("No diagram", "mermaid", "graph TD\n  A[[[ -->\n")),
    turn("^picture$", {"call": "artifact_import", "arguments": {"path": "dot.png"}}),
    turn(
        r"^edit (\w{8})$",
        {"call": "artifact_edit", "arguments": {"id": "{1}", "old": "0-14 days.", "new": "0-14 and 0-21 days."}},
    ),
    turn(
        "^twice$",
        create("Written twice", "markdown", "one\n"),
        create("Another", "markdown", "two\n"),
    ),
    {
        "match": "^grow$",
        "rounds": [[{**create("Growing page", "markdown", "# Growing\n\nfirst words and more"), "pieces": 12}, {"hang": True}]],
    },
    {
        "match": r"^change (\w{8})$",
        "rounds": [
            [
                {"call": "artifact_rewrite", "arguments": {"id": "{1}", "content": "# Rewritten\n\nas it grows"}, "pieces": 9},
                {"hang": True},
            ]
        ],
    },
]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("canvases")
    script = folder / "script.json"
    script.write_text(json.dumps({"turns": SCRIPT}), encoding="utf-8")
    with a_lab(folder, routes=f"fake:script:{script}") as lab:
        workspace = lab.home / "workspace"
        workspace.mkdir(exist_ok=True)
        (workspace / "dot.png").write_bytes(png(40, 30))
        yield lab


class Table:
    """JupyterLab with the chat at the side and canvases in the middle."""

    def __init__(self, desk: Desk, lab: Lab) -> None:
        self.desk = desk
        self.page = desk.page
        self.lab = lab

    def ask(self, text: str, fresh: bool = True) -> None:
        """Have the crew do it, in a conversation of its own."""
        self.desk.chat()
        if fresh:
            self.desk.execute("crewlab:new-conversation")
        self.desk.send(text)

    def make(self, text: str, title: str) -> str:
        """A canvas that the crew writes; its id, with the document open."""
        self.ask(text)
        self.chip(title).click()
        self.canvas.locator(".crew-canvas-bar").wait_for()
        return self.newest(title)

    def newest(self, title: str) -> str:
        found = self.lab.get("artifacts").json()["artifacts"]
        return str(next(one["id"] for one in found if one["title"] == title))

    def chip(self, title: str) -> Locator:
        return self.desk.thread.locator(".crew-canvas-chip", has_text=title).last

    @property
    def canvas(self) -> Locator:
        """The document in front."""
        return self.page.locator(".crewlab-Canvas:not(.lm-mod-hidden) .crew-canvas").last

    def button(self, name: str) -> Locator:
        return self.canvas.get_by_role("button", name=name, exact=True)

    def write(self, text: str) -> None:
        """Replace the whole text in the editor."""
        editor = self.canvas.locator(".cm-content[contenteditable=true]")
        editor.click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)

    def content(self, canvas: str, version: int | None = None) -> str:
        where = f"artifacts/{canvas}" if version is None else f"artifacts/{canvas}/versions/{version}"
        return str(self.lab.get(where).json()["content"])

    def save_elsewhere(self, canvas: str, content: str, base: int) -> None:
        assert self.lab.api("PUT", f"artifacts/{canvas}", {"content": content, "base_version": base}).status_code == 200


@pytest.fixture
def table(page: Page, lab: Lab) -> Iterator[Table]:
    desk = Desk(page, lab)
    desk.open()
    yield Table(desk, lab)
    assert desk.errors == []


@pytest.mark.spec("CNV-113", "CNV-121", "CNV-128", "UI-34")
def test_a_person_opens_a_canvas_from_the_chat_edits_it_and_sees_who_wrote_what(table: Table) -> None:
    canvas = table.make("plan", "Lag windows")
    expect(table.canvas.locator("h1", has_text="Lag windows")).to_be_visible()
    table.button("Edit").click()
    table.write(PLAN + "\nA person was here.\n")
    expect(table.canvas.get_by_text("Unsaved", exact=True)).to_be_visible()
    table.page.keyboard.press("Control+s")
    expect(table.canvas.get_by_text("Unsaved", exact=True)).to_have_count(0)
    table.button("Close editor").click()
    expect(table.canvas.get_by_text("A person was here.")).to_be_visible()
    assert table.content(canvas) == PLAN + "\nA person was here.\n"
    rows = table.canvas.get_by_role("navigation", name="Versions").get_by_role("button")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("You")
    expect(rows.first).to_contain_text("save")
    table.button("Compare").click()
    expect(table.canvas.locator("tr.more", has_text="A person was here.")).to_be_visible()
    table.button("Restore v1").click()
    table.page.locator(".jp-Dialog button.jp-mod-accept").click()
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("restore")
    assert table.content(canvas) == PLAN


@pytest.mark.spec("CNV-122", "CNV-126", "CNV-131")
def test_two_who_write_at_once_lose_no_word(table: Table) -> None:
    canvas = table.make("plan", "Lag windows")
    table.button("Edit").click()
    table.write("My own words.\n")
    table.save_elsewhere(canvas, PLAN.replace("None.", "Station 16."), 1)
    expect(table.canvas.get_by_text("You have unsaved text based on v1. v2 by You is newer.")).to_be_visible()
    table.button("Save").click()
    expect(table.canvas.get_by_text("Not saved: v2 by You is newer than v1")).to_be_visible()
    assert table.content(canvas) == PLAN.replace("None.", "Station 16.")
    expect(table.canvas.locator(".cm-content")).to_contain_text("My own words.")
    table.desk.reload()
    expect(table.canvas.locator(".cm-content")).to_contain_text("My own words.")  # kept on the device
    table.button("Compare with mine").click()
    expect(table.canvas.locator("tr.less", has_text="Station 16.")).to_be_visible()
    expect(table.canvas.locator("tr.more", has_text="My own words.")).to_be_visible()
    table.button("Save mine as v3").click()
    expect(table.canvas.get_by_role("navigation", name="Versions").get_by_role("button")).to_have_count(3)
    assert table.content(canvas) == "My own words.\n"
    assert "Station 16." in table.content(canvas, 2)


@pytest.mark.spec("CNV-112", "CNV-131", "UI-34")
def test_an_agents_edit_comes_into_the_open_document_and_a_chip_stands_once_for_each_canvas(table: Table) -> None:
    canvas = table.make("plan", "Lag windows")
    table.ask(f"edit {canvas}", fresh=False)
    expect(table.canvas.get_by_text("0-14 and 0-21 days.")).to_be_visible()
    table.ask("twice")
    table.desk.see("Done.")
    expect(table.desk.thread.locator(".crew-canvas-chip")).to_have_count(2)
    expect(table.chip("Another").locator(".crew-dot")).to_be_visible()  # not looked at yet
    table.chip("Another").click()
    expect(table.chip("Another").locator(".crew-dot")).to_have_count(0)


@pytest.mark.spec("UI-141")
def test_code_and_markdown_become_cells_of_the_open_notebook(table: Table) -> None:
    spec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    body = {"cells": [], "metadata": {"kernelspec": spec}, "nbformat": 4, "nbformat_minor": 5}
    (table.lab.root / "n.ipynb").write_text(json.dumps(body), encoding="utf-8")
    table.desk.execute_quietly("docmanager:open", path="n.ipynb", factory="Notebook")
    table.page.wait_for_function("window.jupyterapp.shell.currentWidget?.context?.sessionContext?.session?.kernel?.status === 'idle'")
    table.page.evaluate("window.jupyterapp.shell.collapseLeft()")
    table.make("code", "Double")
    expect(table.canvas.locator(".cm-content")).to_contain_text("def double")
    notebook, document = table.page.locator(".jp-NotebookPanel"), table.canvas
    expect(notebook).to_be_visible()  # beside it, not in front of it
    left, right = notebook.bounding_box(), document.bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] + left["width"] <= right["x"] + 2
    table.button("Insert as cell").click()
    expect(table.page.locator(".jp-NotebookPanel .jp-CodeCell .cm-content", has_text="def double")).to_be_visible()
    table.make("plan", "Lag windows")
    table.button("Insert as Markdown cell").click()
    expect(table.page.locator(".jp-NotebookPanel .jp-MarkdownCell", has_text="Lag windows")).to_be_visible()


@pytest.mark.spec("CNV-113", "CNV-8")
def test_nothing_in_markdown_or_a_drawing_acts_and_a_title_cannot_turn_the_page_round(table: Table) -> None:
    table.page.on("request", lambda request: asked.append(request.url))
    asked: list[str] = []
    table.ask("hostile")
    table.desk.see("Done.")
    table.desk.thread.locator(".crew-canvas-chip").click()
    table.canvas.locator("h1", has_text="Links").wait_for()
    shown = table.canvas.locator(".crew-canvas-bar h2").inner_text()
    assert shown == "Report plan"
    assert not re.search("[\u200b\u202a-\u202e\u2066-\u2069]", str(table.page.locator(".lm-TabBar-tabLabel").all_inner_texts()))
    expect(table.canvas.locator("a", has_text="far")).to_be_visible()
    links = table.canvas.locator(".crew-text a").evaluate_all("found => found.map(a => a.getAttribute('href') ?? '')")
    assert not [link for link in links if link.startswith(("javascript:", "data:"))]
    table.canvas.get_by_text("script", exact=True).click()
    table.make("svg", "A square")
    picture = table.canvas.locator(".crew-canvas-body img")
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("found => found.naturalWidth") == 80
    assert str(picture.get_attribute("src")).startswith("blob:")
    picture.click()
    assert table.page.evaluate("window.__hit") is None
    assert not [url for url in asked if "evil.example" in url]


@pytest.mark.spec("CNV-113", "CNV-45")
def test_a_picture_is_shown_from_an_object_url(table: Table) -> None:
    table.make("picture", "dot.png")
    picture = table.canvas.locator(".crew-canvas-body img")
    expect(picture).to_have_js_property("naturalWidth", 40)
    assert str(picture.get_attribute("src")).startswith("blob:")


@pytest.mark.spec("CNV-107", "CNV-109", "CNV-110", "CNV-111", "UI-35")
def test_the_person_sees_a_canvas_come_into_being_and_nothing_stays_of_one_that_failed(table: Table) -> None:
    canvas = table.make("plan", "Lag windows")
    table.ask("grow")
    draft = table.desk.thread.locator(".crew-canvas-draft")
    expect(draft).to_contain_text("first words and more")
    draft.get_by_role("button").click()
    expect(table.canvas.locator("h1", has_text="Growing")).to_be_visible()
    table.desk.execute("crewlab:canvas-previews")
    expect(draft).to_have_count(0)
    assert "off" in table.page.evaluate("Object.entries(localStorage).filter(([key]) => key.includes('canvas-preview')).map(([, v]) => v)")
    table.desk.execute("crewlab:canvas-previews")
    expect(draft).to_have_count(1)
    table.desk.execute("crewlab:stop")
    expect(draft).to_have_count(0)
    expect(table.page.locator(".crewlab-Canvas", has_text="Growing")).to_have_count(0)
    table.desk.execute("crewlab:open-canvas", id=canvas)
    table.ask(f"change {canvas}")
    expect(table.canvas.locator("h1", has_text="Rewritten")).to_be_visible()
    table.desk.execute("crewlab:stop")
    expect(table.canvas.locator("h1", has_text="Lag windows")).to_be_visible()
    assert table.content(canvas) == PLAN


@pytest.mark.spec("CNV-129", "CNV-131", "CNV-122")
def test_a_canvas_that_is_deleted_elsewhere_says_so_and_gives_the_unsaved_words_back(table: Table) -> None:
    canvas = table.make("plan", "Lag windows")
    table.button("Edit").click()
    table.write("Words that nobody else has.")
    assert table.lab.api("DELETE", f"artifacts/{canvas}").status_code == 200
    expect(table.canvas.get_by_text("This canvas is gone.")).to_be_visible()
    expect(table.canvas.locator(".cm-content")).to_contain_text("Words that nobody else has.")
    expect(table.button("Copy my text")).to_be_visible()


@pytest.mark.spec("CNV-121", "CNV-125")
def test_rename_download_and_a_file_in_place_of_the_text(table: Table, tmp_path: Path) -> None:
    canvas = table.make("plan", "Lag windows")
    with table.page.expect_download() as loading:
        table.button("Download").click()
    assert Path(loading.value.path()).read_text(encoding="utf-8") == PLAN
    table.button("More").click()
    table.canvas.get_by_role("menuitem", name="Rename").click()
    table.page.locator(".jp-Dialog input").fill("Windows, second try")
    table.page.locator(".jp-Dialog button.jp-mod-accept").click()
    expect(table.canvas.locator(".crew-canvas-bar h2")).to_have_text("Windows, second try")
    expect(table.chip("Windows, second try")).to_be_visible()
    (tmp_path / "other.md").write_bytes("\ufeffFrom a file.\r\nSecond line.\r\n".encode())
    table.button("More").click()
    with table.page.expect_file_chooser() as choosing:
        table.canvas.get_by_role("menuitem", name="Replace text from a file").click()
    choosing.value.set_files(tmp_path / "other.md")
    expect(table.canvas.locator(".cm-content")).to_contain_text("From a file.")
    table.button("Save").click()
    expect(table.canvas.get_by_text("Unsaved", exact=True)).to_have_count(0)
    assert table.content(canvas) == "From a file.\r\nSecond line.\r\n"


@pytest.mark.spec("CNV-120")
def test_a_diagram_is_drawn_without_a_network_and_one_that_cannot_be_drawn_shows_its_source(table: Table) -> None:
    table.page.context.route(re.compile(r"https?://(?!127\.0\.0\.1)"), lambda route: route.abort())
    table.make("diagram", "A diagram")
    drawn = table.canvas.frame_locator("iframe").frame_locator("iframe")
    expect(drawn.locator("svg p", has_text="Start")).to_be_visible()
    table.make("broken", "No diagram")
    expect(table.canvas.frame_locator("iframe").frame_locator("iframe").locator("#source")).to_contain_text("A[[[ -->")

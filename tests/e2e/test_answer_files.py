"""Pictures and files that an answer names, a link from outside, and a new build, in a real JupyterLab."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.fixtures.desk import PATIENCE_MS, Desk, Lab, a_lab

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(400)]
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP8z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==")
NETWORK = re.compile(r"status of 404|net::ERR")


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with a_lab(tmp_path_factory.mktemp("lab"), routes="fake:echo") as found:
        (found.home / "workspace" / "out").mkdir(parents=True)
        (found.home / "workspace" / "out" / "x.png").write_bytes(PNG)
        (found.home / "workspace" / "data.csv").write_text("a,b\n1,2\n")
        yield found


@pytest.fixture
def desk(page: Page, lab: Lab) -> Iterator[Desk]:
    desk = Desk(page, lab)
    yield desk
    assert desk.errors == []


@pytest.mark.spec("UI-36", "MED-2", "MED-6", "MED-7", "FIL-2", "CHN-66")
def test_pictures_are_drawn_and_files_downloaded_without_a_token_in_an_address(desk: Desk, lab: Lab) -> None:
    asked: list[Request] = []
    desk.page.on("request", lambda request: asked.append(request) if "/files?" in request.url else None)
    desk.open()
    desk.chat()
    desk.execute("crewlab:new-conversation")
    desk.composer.fill(
        "Look:\n\nMEDIA:out/x.png\n\nand\n\nFILE:data.csv\nMEDIA:../secrets.env.png\nFILE:secrets.env\n\n```\nMEDIA:code.png\n```"
    )
    desk.composer.press("Enter")
    picture = desk.thread.get_by_role("img", name="x.png")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.naturalWidth") == 2
    assert str(picture.get_attribute("src")).startswith("blob:")
    notes = desk.thread.get_by_role("note")
    expect(notes).to_have_count(2)
    expect(notes.nth(0)).to_contain_text("Not shown: ../secrets.env.png.")
    expect(notes.nth(1)).to_contain_text("Not offered: secrets.env.")
    expect(desk.thread.locator("pre")).to_have_text("MEDIA:code.png")
    with desk.page.expect_download() as download:
        desk.thread.get_by_role("button", name="Download: data.csv").click()
    assert download.value.suggested_filename == "data.csv"
    assert download.value.path().read_text() == "a,b\n1,2\n"
    assert asked
    assert [request.url for request in asked if "token" in request.url.lower()] == []
    assert all(request.headers.get("authorization") == f"token {lab.token}" for request in asked)


@pytest.mark.spec("UI-78")
@pytest.mark.parametrize("rest", [False, True])
def test_a_link_from_outside_opens_the_chat_and_leaves_the_address(desk: Desk, lab: Lab, rest: bool) -> None:
    made = lab.post("conversations", {"title": "From outside"}).json()
    place = "chat" + (quote(f"/{made['id']}", safe="") if rest else "")
    desk.page.goto(f"{lab.url}lab/workspaces/auto-link?reset&token={lab.token}&crewlab={place}")
    desk.ready()
    expect(desk.composer).to_be_visible()
    expect(desk.composer).to_be_focused(timeout=PATIENCE_MS)
    assert "crewlab=" not in desk.page.url
    assert "/lab/workspaces/auto-link" in desk.page.url
    if rest:
        expect(desk.page.locator("#crewlab-panel")).to_contain_text("From outside")


@pytest.mark.spec("UI-127", "UI-128")
def test_another_build_is_a_bar_with_reload_and_the_same_build_is_nothing(desk: Desk, lab: Lab) -> None:
    built = json.loads((lab.folder / "share/labextensions/@crewlab/labextension/package.json").read_text())
    entry = built["jupyterlab"]["_build"]["load"].rpartition("/")[2]
    assert lab.get("version").json()["entry"] == entry
    desk.page.clock.install()  # 30 seconds pass at once
    desk.open()
    desk.chat()
    bar = desk.page.get_by_text("A new version is ready.")
    with desk.page.expect_response(lambda answer: "crewlab/api/version" in answer.url):
        desk.page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(bar).to_have_count(0)

    def other(route: Route) -> None:
        route.fulfill(json={"version": "0.1.0", "entry": "remoteEntry.00112233445566.js", "language": None})

    desk.page.route("**/crewlab/api/version*", other)
    desk.page.clock.fast_forward(31_000)
    with desk.page.expect_response(lambda answer: "crewlab/api/version" in answer.url):
        desk.page.evaluate("window.dispatchEvent(new Event('focus'))")
    expect(bar.first).to_be_visible()
    desk.page.unroute("**/crewlab/api/version*", other)
    with desk.page.expect_navigation():
        desk.page.get_by_role("button", name="Reload").first.click()
    desk.ready()
    expect(bar).to_have_count(0)


@pytest.mark.spec("UI-104", "UI-103")
def test_what_belongs_to_the_device_is_never_sent_to_the_server(desk: Desk) -> None:
    bodies: list[str] = []
    desk.page.on("request", lambda request: bodies.append(request.post_data or ""))
    desk.open()
    desk.chat()
    desk.execute("crewlab:new-conversation")
    desk.composer.fill("words that stay on this screen")
    key = "Object.keys(localStorage).find(key => localStorage.getItem(key) === 'words that stay on this screen')"
    desk.page.wait_for_function(key)
    assert str(desk.page.evaluate(key)).startswith("crewlab:/")
    with desk.page.expect_response(lambda answer: "/api/workspaces/" in answer.url and answer.request.method == "PUT"):
        desk.execute("crewlab:open-chat-main")
    assert [body for body in bodies if "stay on this screen" in body] == []


@pytest.mark.spec("UI-126")
def test_files_of_the_front_end_carry_their_content_in_their_names(lab: Lab) -> None:
    static = lab.folder / "share/labextensions/@crewlab/labextension/static"
    scripts = [path.name for path in static.glob("*.js") if path.name != "style.js"]
    assert len(scripts) >= 2
    assert [name for name in scripts if not re.fullmatch(r"\w+\.[0-9a-f]{16}\.js", name)] == []

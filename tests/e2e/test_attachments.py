"""Files given to the crew in the chat, in a narrow panel whose model has a long name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.test_narrow_vietnamese import CUT, narrow
from tests.fixtures.desk import Desk, Lab, a_lab
from tests.fixtures.pictures import look

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]
DROP = """(target, [name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: 'text/csv' }));
  for (const kind of ['dragenter', 'dragover', 'drop'])
    target.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("files")
    script = folder / ("a-model-with-a-name-that-is-far-longer-than-a-narrow-panel-is-wide" * 2 + ".json")
    script.write_text(json.dumps({"turns": [{"rounds": [[{"text": "seen: {last}"}]]}]}))
    with a_lab(folder, routes=f"fake:script:{script}") as found:
        yield found


@pytest.mark.spec("UI-52", "PTL-89", "PTL-91", "UI-12")
def test_files_are_dropped_and_chosen_and_go_with_the_message(page: Page, lab: Lab, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 1000, "height": 900})
    desk = Desk(page, lab)
    desk.open()
    desk.chat()
    narrow(desk, 320)
    desk.execute("crewlab:new-conversation")
    panel = page.locator("#crewlab-panel")
    expect(page.locator(".crew-model")).to_contain_text("a-model-with-a-name")
    look(page, "files-model-card", tmp_path)
    assert panel.evaluate(CUT) == []

    field = page.get_by_role("textbox", name="Message")
    field.fill("look at these")
    page.locator(".crew-composer").evaluate(DROP, ["dropped.csv", "a,b"])
    chips = page.locator(".crew-files li")
    expect(chips).to_have_count(1)
    chosen = tmp_path / "chosen with a long name, so long that the chip must shorten it.txt"
    chosen.write_text("words")
    page.locator(".crew-composer input[type=file]").set_input_files(chosen)
    expect(chips).to_have_count(2)
    page.locator(".crew-composer").evaluate(DROP, ["empty.csv", ""])
    expect(page.locator(".crew-files li.failed")).to_contain_text("empty.csv is empty")
    expect(field).to_have_value("look at these")
    expect(page.locator(".crew-files li[aria-busy=true]")).to_have_count(0)
    look(page, "files-composer", tmp_path)
    assert page.locator(".crew-composer").evaluate(CUT) == []
    page.get_by_role("button", name="Remove empty.csv").click()
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.locator("#crewlab-panel main")).to_contain_text("seen: look at these")
    expect(chips).to_have_count(0)
    expect(page.locator(".crew-brought a")).to_have_count(2)
    look(page, "files-thread", tmp_path)
    assert panel.evaluate(CUT) == []
    inbox = sorted(path.name.split("Z-")[1] for path in (lab.home / "workspace" / "inbox").iterdir())
    assert inbox == ["chosen with a long name_ so long that the chip must shorten it.txt", "dropped.csv"]
    link = page.locator(".crew-brought a").first
    assert page.request.get(str(link.evaluate("one => one.href"))).text() == "a,b"
    page.reload()
    desk.ready()
    desk.chat()
    expect(page.locator(".crew-brought a")).to_have_count(2)
    assert desk.errors == []

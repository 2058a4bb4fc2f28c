"""A crew that speaks Vietnamese in a narrow panel: nothing is cut, nothing is missing, nothing is left in English."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixtures.desk import PATIENCE_MS, Desk, Lab, a_lab, free_port
from tests.fixtures.pictures import look

pytestmark = [pytest.mark.e2e, pytest.mark.slow, pytest.mark.timeout(600)]
WIDTHS = [320, 420]  # UI-12: the narrowest side bar, and one that a person has drawn wider
ENGLISH = re.compile(r"\b(the|and|this|write|bytes|approve|deny|always|left|waits?|show|working|message|options|send|file)\b", re.I)
CUT = """root => {
  const edge = root.getBoundingClientRect();
  const found = [];
  for (const element of root.querySelectorAll('*')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim() !== '');
    const box = element.getBoundingClientRect();
    const style = getComputedStyle(element);
    if (!own || box.width === 0 || style.visibility === 'hidden' || element.closest('[aria-live], .crew-sr')) continue;
    if (box.right > edge.right + 1 || box.left < edge.left - 1) found.push(['outside', element.textContent]);
    else if (style.textOverflow === 'ellipsis') {
      if (element.scrollWidth > element.clientWidth + 1 && !element.closest('[title]')) found.push(['shortened', element.textContent]);
    } else if (style.display !== 'inline' && element.scrollWidth > element.clientWidth + 1 && style.overflowX !== 'auto')
      found.push(['cut', element.textContent]);
  }
  return found;
}"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    environ = {"OLLAMA_BASE_URL": f"http://127.0.0.1:{free_port()}/v1"}
    with a_lab(tmp_path_factory.mktemp("vi"), routes="", environ=environ, config="language: vi\n") as found:
        yield found


def narrow(desk: Desk, width: int) -> None:
    """The panel at exactly that width."""
    script = """async wanted => {
      const shell = jupyterapp.shell;
      shell.collapseLeft();
      const panel = document.querySelector('#crewlab-panel');
      let asked = wanted;
      for (let turn = 0; turn < 20 && panel.offsetWidth !== wanted; turn++) {
        const all = shell._hsplitPanel.node.offsetWidth;
        shell._hsplitPanel.setRelativeSizes([0, all - asked, asked]);
        await new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
        asked += wanted - panel.offsetWidth;
      }
      return panel.offsetWidth;
    }"""
    desk.page.evaluate(script, width)
    desk.page.wait_for_function("wanted => Math.abs(document.querySelector('#crewlab-panel').offsetWidth - wanted) <= 2", arg=width)


def whole(page: Page, name: str, folder: Path) -> None:
    """What the panel shows is Vietnamese and stands there whole."""
    panel = page.locator("#crewlab-panel")
    look(page, name, folder)
    assert panel.evaluate(CUT) == []
    said = re.sub(r"\S*[/_.:]\S*|`[^`]*`|Hello there|export \S+|ollama pull \S+|crewlab \w+( \w+)*|FILE", "", panel.inner_text())
    assert ENGLISH.findall(said) == []


@pytest.mark.spec("UI-6", "UI-12")
@pytest.mark.parametrize("width", WIDTHS)
def test_the_panel_in_vietnamese(page: Page, lab: Lab, tmp_path: Path, width: int) -> None:
    page.set_viewport_size({"width": 1000, "height": 900})
    desk = Desk(page, lab)
    desk.open()
    desk.chat()
    narrow(desk, width)
    desk.execute("crewlab:new-conversation")
    expect(page.locator(".crew-welcome")).to_contain_text("Đang trả lời bằng một mô hình nhỏ để minh họa")
    whole(page, f"vi-welcome-{width}", tmp_path)
    page.locator(".crew-welcome .crew-foottext").scroll_into_view_if_needed()
    whole(page, f"vi-ways-{width}", tmp_path)

    page.locator(".crew-starters button").nth(2).click()
    bar = page.locator(".crew-ask")
    bar.wait_for(timeout=PATIENCE_MS)
    whole(page, f"vi-ask-{width}", tmp_path)
    bar.get_by_role("button", name="Hiện tất cả").first.click()
    for name in ("Phê duyệt", "Từ chối", "Luôn cho phép trong cuộc trò chuyện này"):
        expect(bar.get_by_role("button", name=name)).to_be_in_viewport()
    whole(page, f"vi-ask-open-{width}", tmp_path)
    bar.get_by_role("button", name="Phê duyệt").click()
    page.locator(".crew-acts").last.wait_for()
    desk.until((lab.home / "workspace" / "notes.txt").exists)
    assert (lab.home / "workspace" / "notes.txt").read_text() == "xin chào"
    whole(page, f"vi-done-{width}", tmp_path)

    page.get_by_role("button", name="Các cuộc trò chuyện").first.click()
    page.get_by_role("option").first.wait_for()
    look(page, f"vi-list-{width}", tmp_path)
    assert page.locator(".crew-drawer").evaluate(CUT) == []
    assert desk.errors == []

"""Typing Vietnamese with an input method: the composed text arrives as it was composed, and Enter inside a composition sends nothing."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.fixtures.desk import PATIENCE_MS, Desk, Lab, a_lab

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

# What Telex (and, in the second word, VNI) shows while a person types: d, dd → đ, …; the last of each is what is put in.
TELEX = [["d", "đ", "đu", "đuo", "đươ", "đươn", "đương", "đường"], ["t", "to", "toi", "tơi", "tới"]]
VNI = [["b", "bi", "bie", "biê", "biên", "biển"], ["x", "xa", "xan", "xanh"]]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with a_lab(tmp_path_factory.mktemp("lab")) as found:
        yield found


@pytest.mark.spec("FU-5", "FU-6")
def test_telex_and_vni_compose_whole_words_and_enter_belongs_to_the_composition(page: Page, lab: Lab) -> None:
    desk = Desk(page, lab)
    desk.open()
    desk.chat()
    desk.composer.click()
    ime = page.context.new_cdp_session(page)
    for place, states in enumerate([*TELEX, *VNI]):
        for state in states:
            ime.send("Input.imeSetComposition", {"text": state, "selectionStart": len(state), "selectionEnd": len(state)})
        if place == 1:  # Enter ends a composition for the input method; the page must not take it for "send"
            desk.composer.dispatch_event("keydown", {"key": "Enter", "code": "Enter", "isComposing": True, "bubbles": True})
        ime.send("Input.insertText", {"text": states[-1]})
        if place < 3:
            ime.send("Input.insertText", {"text": " "})
    expect(desk.composer).to_have_value("đường tới biển xanh")
    assert desk.lab.get("conversations").json()["conversations"] == []
    desk.composer.press("Enter")
    expect(desk.thread).to_contain_text("đường tới biển xanh", timeout=PATIENCE_MS)
    conversation = desk.lab.get("conversations").json()["conversations"][0]["id"]
    stored = desk.lab.get(f"conversations/{conversation}").json()["messages"][0]["content"]
    assert stored == unicodedata.normalize("NFC", "đường tới biển xanh")
    assert desk.errors == []

"""The status line of a child in all the ways models write it (DLG-50 to DLG-53)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.delegate.status import declared

CASES = [
    # the ways to write the key
    ("Status: DONE", ("done", "")),
    ("**Status:** ✅ DONE", ("done", "")),
    ("**Status**: DONE", ("done", "")),
    ("**Status: DONE**", ("done", "")),
    ("__Status:__ done", ("done", "")),
    ("*Status:* Done.", ("done", "")),
    ("## Status: DONE", ("done", "")),
    ("### **Status:** `BLOCKED`", ("blocked", "")),
    ("- Status: needs-context", ("needs_context", "")),
    ("* **Status:** needs context", ("needs_context", "")),
    ("  1. Status: BLOCKED", ("blocked", "")),
    ("> Status: BLOCKED", ("blocked", "")),
    ("🏁 Status: DONE", ("done", "")),
    ("STATUS : BLOCKED", ("blocked", "")),
    ("status:done", ("done", "")),
    ("Status： BLOCKED", ("blocked", "")),
    # the ways to write the value
    ("Status: DONE_WITH_CONCERNS", ("done_with_concerns", "")),
    ("Status: done with concerns – the chart is old", ("done_with_concerns", "the chart is old")),
    ("Status: Done-With-Concerns", ("done_with_concerns", "")),
    ("Status: `DONE_WITH_CONCERNS`", ("done_with_concerns", "")),
    ("Status: ⚠️ **DONE WITH CONCERNS**", ("done_with_concerns", "")),
    ("Status: 🛑 `BLOCKED` — no key", ("blocked", "no key")),
    # the reason
    ("Status: BLOCKED - no permission to write", ("blocked", "no permission to write")),
    ("Status: BLOCKED: no permission", ("blocked", "no permission")),
    ("Status: BLOCKED, no permission", ("blocked", "no permission")),
    ("Status: BLOCKED (no permission)", ("blocked", "no permission")),
    ("Status: BLOCKED. No permission.", ("blocked", "No permission.")),
    ("**Status: BLOCKED** — *no permission*", ("blocked", "no permission")),
    ("`Status: BLOCKED — no key`", ("blocked", "no key")),
    ("Status: BLOCKED — `a.txt` is closed", ("blocked", "`a.txt` is closed")),
    ("Status: BLOCKED because of the key", ("blocked", "because of the key")),
    ("Status: BLOCKED\nSummary: no permission", ("blocked", "no permission")),
    ("Status: BLOCKED\n\n\n**Summary:** no permission", ("blocked", "no permission")),
    ("- Status: BLOCKED\n- Summary: `no` permission", ("blocked", "`no` permission")),
    ("Status: BLOCKED – this\nSummary: that", ("blocked", "this")),
    ("Status: BLOCKED\nand then\nSummary: not directly after", ("blocked", "")),
    # the last that counts decides
    ("Status: BLOCKED\n\nIn the end it went.\nStatus: DONE", ("done", "")),
    ("Status: DONE\nStatus: in progress", ("done", "")),
    ("Status: open", None),
    ("Status: donee", None),
    ("Status: done_ish", None),
    ("Status:", None),
    ("The Status: DONE", None),
    ("Status DONE", None),
    ("nothing of the kind", None),
    ("", None),
    # code blocks
    ("```\nStatus: BLOCKED\n```", ("blocked", "")),
    ("```\nstatus: blocked\n```", None),
    ("```text\nStatus: Blocked\n```", None),
    ("~~~\nStatus: NEEDS CONTEXT – which year\n~~~", ("needs_context", "which year")),
    ("Status: DONE\n```\nStatus: BLOCKED\n```", ("done", "")),
    ("```\nStatus: BLOCKED\n```\nstatus: done", ("done", "")),
    ("````\n```\nStatus: DONE\n````\nStatus: BLOCKED", ("blocked", "")),
    ("```\nnever closed\nStatus: DONE\n", ("done", "")),
    ("```\nStatus: BLOCKED\n``` not a closing line\nStatus: DONE\n```", ("done", "")),
]


@pytest.mark.spec("DLG-50", "DLG-51", "DLG-52", "DLG-53")
@pytest.mark.parametrize(("text", "said"), CASES)
def test_a_status_line_is_read_in_every_way_models_write_it(text, said):
    found = declared(text)
    assert (found and (found.status, found.reason)) == said


@pytest.mark.spec("DLG-50", "DLG-53")
@pytest.mark.parametrize(("text", "said"), [(text, said) for text, said in CASES if said and "```" not in text and "~~~" not in text])
def test_words_around_it_and_windows_line_ends_change_nothing(text, said):
    found = declared(f"I looked at it.\r\n\r\n{text}\n")
    assert found is not None
    assert (found.status, found.reason) == said


@given(st.text(alphabet=st.sampled_from("Status:DONEblocked *_`#->\n~.()\u2028 "), max_size=200))
def test_no_text_breaks_the_reading(text):
    found = declared(text)
    assert found is None or found.status in ("done", "done_with_concerns", "blocked", "needs_context")


@pytest.mark.parametrize(
    "line", ["*" * 200_000, "status " * 30_000, "Status: " + "_" * 200_000, "`" * 200_000, "Status:" + " " * 200_000 + "x"]
)
def test_a_line_without_end_is_read_once(line):
    assert declared(f"{line}\nStatus: DONE") is not None

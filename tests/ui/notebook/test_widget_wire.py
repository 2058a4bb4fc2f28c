"""How the state of a widget travels: whole, then as changes, in pages that Jupyter lets through."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.widgets.state import timeline_state
from crewlab.widgets.wire import (
    BYTES_PER_SECOND,
    KEPT_BYTES,
    MAX_STATE_BYTES,
    PAGE_CHARS,
    Json,
    apply_change,
    changes,
    pages,
    size,
    trimmed,
)
from tests.fixtures.source import ROOT
from tests.ui.notebook.samples import run, step

LISTS = {"steps": "index", "items": "key"}
WEBSOCKET_BYTES = 10 * 1024 * 1024  # FQ-4: what Jupyter's WebSocket takes in one message
IOPUB_BYTES_PER_SECOND = 1_000_000  # what Jupyter's server passes on by its defaults


def state_of(v: int, record: Json | None, **more: object) -> Json:
    return {"v": v, "at": f"then {v}", "language": "en", "offline": None, **timeline_state(record), **more}


CASES = json.loads((ROOT / "tests" / "ui" / "widgets" / "changes.json").read_text(encoding="utf-8"))


@pytest.mark.spec("UI-156", "UI-158")
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_examples_that_the_page_is_tested_on(case: Json) -> None:
    assert changes(case["old"], case["new"], LISTS) == case["change"]
    if case["change"]:
        assert apply_change(case["old"], case["change"]) == case["new"]


@pytest.mark.spec("UI-158")
def test_only_what_has_changed_is_sent() -> None:
    old = state_of(1, run(status="running", steps=[step(0), step(1, status="running", ms=None)]))
    new = state_of(2, run(status="running", steps=[step(0), step(1), step(2, status="running", ms=None)]))
    change = changes(old, new, LISTS)
    assert change is not None
    assert change["set"] == {}
    assert [one["index"] for one in change["lists"]["steps"]["put"]] == [1, 2]


@pytest.mark.spec("UI-158")
def test_nothing_is_sent_when_only_the_time_differs() -> None:
    assert changes(state_of(1, run(steps=[step(0)])), state_of(2, run(steps=[step(0)])), LISTS) is None


@pytest.mark.spec("UI-158")
def test_of_a_long_answer_that_grows_only_the_end_travels() -> None:
    text = "word " * 20_000
    old = {"v": 1, "at": "", "items": [{"key": "a", "text": text, "streaming": True}]}
    new = {"v": 2, "at": "", "items": [{"key": "a", "text": text + "more", "streaming": True}]}
    change = changes(old, new, LISTS)
    assert change is not None
    assert size(change) < 200
    assert apply_change(old, change) == new


@pytest.mark.spec("UI-158")
def test_a_state_above_two_megabytes_drops_its_oldest_steps_and_says_how_many() -> None:
    steps = [step(index, output="ä" * 50_000) for index in range(60)]
    state = trimmed(timeline_state(run(steps=steps)), "steps", MAX_STATE_BYTES)
    assert MAX_STATE_BYTES == 2 * 1024 * 1024
    assert MAX_STATE_BYTES - 200_000 < size(state) <= MAX_STATE_BYTES + 1000
    assert state["dropped"] + len(state["steps"]) == 60
    assert state["steps"][-1]["index"] == 59
    again = trimmed(state, "steps", KEPT_BYTES)
    assert again["dropped"] + len(again["steps"]) == 60


@pytest.mark.spec("FQ-4")
@pytest.mark.parametrize("character", ["a", "\\", '"', "\0", "ữ", "🌍"])
def test_a_state_of_any_size_travels_in_messages_far_below_the_limits_of_jupyter(character: str) -> None:
    message = {"type": "state", "state": state_of(1, run(steps=[step(0, output=character * 2_000_000)]))}
    sent = list(pages(message, 7))
    assert len(sent) >= 2_000_000 // PAGE_CHARS
    assert max(len(json.dumps(page).encode()) for page in sent) < WEBSOCKET_BYTES / 8
    assert max(size(page) for page in sent) < IOPUB_BYTES_PER_SECOND / 2
    assert [(page["of"], page["index"], page["count"]) for page in sent] == [(7, index, len(sent)) for index in range(len(sent))]
    assert json.loads("".join(page["text"] for page in sent)) == message
    assert BYTES_PER_SECOND <= IOPUB_BYTES_PER_SECOND / 2


def test_a_short_message_is_no_page() -> None:
    assert list(pages({"type": "answer", "id": 1}, 3)) == [{"type": "answer", "id": 1}]


def test_fields_that_say_nothing_do_not_travel() -> None:
    assert "cost_usd" not in timeline_state(run(steps=[step(0)]))["steps"][0]


entry = st.tuples(st.integers(0, 6), st.sampled_from(["", "a", "ab", "abc", "x"]), st.booleans())
entries = st.lists(entry, max_size=6, unique_by=lambda one: one[0])
states = st.builds(
    lambda items, offline: {"items": [{"key": key, "text": text, "live": live} for key, text, live in items], "offline": offline},
    entries,
    st.sampled_from([None, "gone"]),
)


@pytest.mark.spec("UI-158")
@given(states, states)
@settings(deadline=None)
def test_any_change_turns_the_old_state_into_the_new_one(one: Json, other: Json) -> None:
    old: dict[str, Any] = {"v": 1, "at": "a", **one}
    new: dict[str, Any] = {"v": 2, "at": "b", **other}
    change = changes(old, new, LISTS)
    assert (one == other) is (change is None)
    if change is not None:
        assert apply_change(old, json.loads(json.dumps(change))) == new

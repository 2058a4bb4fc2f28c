"""The reducers of the notebook side give what those of the extension give (TURN-6, UI-2)."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.notebook import reducers

FILES = sorted((Path(__file__).resolve().parent.parent / "events").glob("*.jsonl"))
RECORDED = {path.stem: [json.loads(line)["data"] for line in path.read_text().splitlines()] for path in FILES}
TALKS = {name: data for name, data in RECORDED.items() if not name.startswith("activity")}
EVENTS = [event for data in TALKS.values() for event in data]
WATCHING = [event for event in EVENTS if event["type"] == "watching"]


def view_of(name: str) -> dict[str, Any]:
    activity = name.startswith("activity")
    view = reducers.empty_activity() if activity else reducers.empty_conversation()
    for data in RECORDED[name]:
        view = (reducers.reduce_activity if activity else reducers.reduce_conversation)(view, data)
    return view


@pytest.mark.spec("TURN-6", "UI-111")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_recorded_file_gives_its_view(path: Path) -> None:
    before = copy.deepcopy(RECORDED[path.stem])
    assert view_of(path.stem) == json.loads(path.with_suffix("").with_suffix(".view.json").read_text())
    assert RECORDED[path.stem] == before


@pytest.mark.spec("UI-30", "TURN-36")
@given(st.lists(st.sampled_from(EVENTS), max_size=12), st.sampled_from(WATCHING))
def test_after_a_fresh_watching_nothing_earlier_is_left(heard: list[dict[str, Any]], watching: dict[str, Any]) -> None:
    view = reducers.empty_conversation()
    for event in heard:
        view = reducers.reduce_conversation(view, event)
    assert reducers.reduce_conversation(view, watching) == reducers.show_conversation(watching["conversation"], watching["running"])


@pytest.mark.spec("UI-111")
def test_an_unknown_event_gives_the_same_view() -> None:
    view = view_of("plain")
    assert reducers.reduce_conversation(view, {"type": "no_such_event"}) is view
    activity = view_of("activity-snapshot")
    assert reducers.reduce_activity(activity, {"type": "no_such_frame"}) is activity


def test_the_end_of_a_turn_outlives_a_watching_of_the_same_turn() -> None:
    view = view_of("halted-budget")
    again = {**WATCHING[0], "running": False, "conversation": {**RECORDED["halted-budget"][0]["conversation"], "title": "New"}}
    kept = reducers.keep_end(view, reducers.reduce_conversation(view, again))
    assert kept["end"] == view["end"]
    assert kept["conversation"]["title"] == "New"
    begun = reducers.reduce_conversation(view, {**again, "running": True})
    assert reducers.keep_end(view, begun)["end"] is None


def test_own_words_and_chips_are_kept_once() -> None:
    view = view_of("queue")
    chip = {"item_id": 8, "kind": "steer", "text": "Use UTC", "position": 2, "created_at": ""}
    assert [one["text"] for one in reducers.add_queued(view, chip)["queued"]] == ["", "Use UTC", ""]
    sent = reducers.add_sent(view, 9, "Hello")
    assert reducers.add_sent(sent, 9, "Hello") is sent

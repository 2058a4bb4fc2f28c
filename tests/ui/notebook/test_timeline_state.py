"""What a timeline shows, and how it travels as changes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.widgets.state import MAX_STATE_BYTES, Json, apply_change, changes, is_over, timeline_state
from tests.fixtures.source import ROOT
from tests.ui.notebook.samples import run, step

AT = "2026-01-01T00:00:10+00:00"


def state_of(record: Json, **more: object) -> Json:
    return {**timeline_state(record, at=AT, language="en"), **more}


@pytest.mark.spec("UI-158")
def test_only_what_has_changed_is_sent() -> None:
    old = state_of(run(status="running", steps=[step(0), step(1, status="running", ms=None)]))
    new = state_of(run(status="running", cost_usd=0.5, steps=[step(0), step(1), step(2, status="running", ms=None)]))
    change = changes(old, new)
    assert change is not None
    assert change["run"] == {"cost_usd": 0.5}
    assert [one["index"] for one in change["steps"]] == [1, 2]
    assert apply_change(old, change) == new


@pytest.mark.spec("UI-158")
def test_nothing_is_sent_when_only_the_time_differs() -> None:
    old, new = state_of(run(steps=[step(0)])), timeline_state(run(steps=[step(0)]), at="later", language="en")
    assert changes(old, new) is None


@pytest.mark.spec("UI-158")
def test_another_run_is_sent_whole() -> None:
    change = changes(state_of(run()), state_of(run(id="r_2")))
    assert change is not None
    assert (change["type"], change["state"]["run"]["id"]) == ("state", "r_2")


@pytest.mark.spec("UI-158")
def test_a_state_above_two_megabytes_drops_its_oldest_steps_and_says_how_many() -> None:
    steps = [step(index, output="ä" * 50_000) for index in range(60)]
    state = state_of(run(steps=steps))
    size = len(json.dumps(state, ensure_ascii=False).encode())
    assert MAX_STATE_BYTES == 2 * 1024 * 1024
    assert MAX_STATE_BYTES - 200_000 < size <= MAX_STATE_BYTES + 1000
    assert state["dropped"] + len(state["steps"]) == 60
    assert state["steps"][-1]["index"] == 59


CASES = json.loads((ROOT / "tests" / "ui" / "widgets" / "changes.json").read_text(encoding="utf-8"))


@pytest.mark.spec("UI-156", "UI-158")
@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_the_examples_that_the_page_is_tested_on(case: Json) -> None:
    assert changes(case["old"], case["new"]) == case["change"]
    if case["change"]:
        assert apply_change(case["old"], case["change"]) == case["new"]


def test_fields_that_say_nothing_do_not_travel() -> None:
    assert "cost_usd" not in state_of(run(steps=[step(0)]))["steps"][0]


@pytest.mark.parametrize(("status", "over"), [("running", False), ("waiting", False), ("done", True), ("halted", True), ("error", True)])
def test_a_run_is_over_with_its_last_status(status: str, over: bool) -> None:
    assert is_over(state_of(run(status=status))) is over
    assert is_over({}) is False


records = st.builds(
    lambda steps, status, cost, offline, limit: {
        **timeline_state(run(status=status, cost_usd=cost, steps=steps), at=AT, language="en", limit=limit),
        "offline": offline,
    },
    st.lists(st.tuples(st.sampled_from(["running", "done", "error"]), st.sampled_from(["", "x" * 300])), max_size=6).map(
        lambda made: [step(index, status=status, output=output) for index, (status, output) in enumerate(made)]
    ),
    st.sampled_from(["running", "waiting", "done"]),
    st.sampled_from([0.0, 0.5]),
    st.sampled_from([None, "gone"]),
    st.sampled_from([MAX_STATE_BYTES, 1500]),
)


@pytest.mark.spec("UI-158")
@given(records, records)
@settings(deadline=None)
def test_any_change_turns_the_old_state_into_the_new_one(old: Json, new: Json) -> None:
    change = changes(old, new)
    assert (old if change is None else apply_change(old, change)) == new

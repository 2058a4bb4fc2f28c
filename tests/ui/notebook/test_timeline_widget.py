"""``RunTimeline`` on the kernel's side: one subscription, paced messages, no token, no thread left."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from crewlab.client import Crew, CrewError
from crewlab.widgets import hub as hubs
from crewlab.widgets.timeline import RunTimeline
from crewlab.widgets.wire import KEPT_BYTES, PAGE_CHARS, size
from tests.ui.notebook.samples import run, step
from tests.ui.notebook.seen import PATIENCE, STREAM, Seen, ask, ready
from tests.ui.notebook.standin import Answer, StandIn, stream

pytestmark = pytest.mark.usefixtures("front_end")


@pytest.fixture
def hold(standin: StandIn) -> Iterator[threading.Event]:
    hold = threading.Event()
    standin.on("GET /activity/runs/r_1", Answer(body=run(status="running", steps=[step(0)])))
    yield hold
    hold.set()


def live(standin: StandIn, hold: threading.Event, *frames: dict[str, Any]) -> None:
    standin.on(STREAM, stream([{"type": "snapshot", "runs": [], "pending": 0}, *frames], hold=hold))


@pytest.mark.spec("UI-155", "UI-162")
def test_a_run_is_read_and_its_status_can_be_observed(standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event) -> None:
    live(standin, hold, {"type": "run", "run": run(id="other")}, {"type": "run", "run": run(status="done", steps=[step(0), step(1)])})
    told: list[str] = []
    widget = RunTimeline("r_1", crew=crew)
    widget.observe(lambda change: told.append(change["new"]), "status")
    seen.until(lambda: (seen.state.get("run") or {}).get("status") == "done")
    assert widget.status == "done"
    assert told[-1] == "done"
    assert [one["index"] for one in widget.state["steps"]] == [0, 1]
    chosen: list[int | None] = []
    widget.observe(lambda change: chosen.append(change["new"]), "selected_step")
    assert ask(widget, seen, "select", step=1)["error"] is None
    widget.selected_step = None
    assert chosen == [1, None]
    widget.close()


@pytest.mark.spec("UI-155")
def test_of_a_conversation_the_newest_run_is_shown_and_the_next_one_when_it_begins(
    standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event
) -> None:
    child = run(id="child", conversation_id="c_9")
    standin.on("GET /activity/runs", Answer(body={"runs": [child, run(), run(id="r_0")], "more": False}))
    later = run(id="r_2", status="running", started_at="2026-01-01T01:00:00+00:00")
    live(standin, hold, {"type": "run", "run": child}, {"type": "run", "run": later})
    widget = RunTimeline(conversation="c_1", crew=crew)
    seen.until(lambda: (seen.state.get("run") or {}).get("id") == "r_2")
    assert standin.wait_for("GET /activity/runs").query["conversation_id"] == "c_1"
    widget.close()


@pytest.mark.spec("UI-157", "UI-163")
def test_widgets_of_a_kernel_share_one_subscription_that_ends_with_the_last(
    standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event
) -> None:
    live(standin, hold)

    def threads() -> list[str]:
        return [one.name for one in threading.enumerate() if one.name == "crewlab-widgets"]

    first = RunTimeline("r_1", crew=crew)
    second = RunTimeline("r_1", crew=crew)
    third = RunTimeline("r_1", crew=crew)
    seen.until(lambda: len(seen.sent) >= 3)
    assert len(standin.requests(STREAM)) == 1
    assert threads() == ["crewlab-widgets"]
    assert all(one.daemon for one in threading.enumerate() if one.name.startswith("crewlab"))
    first.close()
    second.close()
    assert threads() == ["crewlab-widgets"]
    third.close()
    assert threads() == []
    assert standin.left.acquire(timeout=PATIENCE)
    assert hubs._hubs == {}


@pytest.mark.spec("UI-158")
def test_a_flood_of_frames_is_at_most_ten_messages_a_second_and_ends_right(
    standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event
) -> None:
    count = 300
    frames = [{"type": "run", "run": run(status="running", cost_usd=n / 100, steps=[step(0, output=str(n))])} for n in range(1, count)]
    live(standin, hold, *frames, {"type": "run", "run": run(status="done", cost_usd=3.0, steps=[step(0, output="last")])})
    widget = RunTimeline("r_1", crew=crew)
    widget._message(widget, {"type": "ready"}, [])
    seen.until(lambda: (seen.state.get("run") or {}).get("status") == "done")
    assert seen.state["steps"][0]["output"] == "last"
    times = [at for at, _ in seen.raw]
    assert len(times) < count / 10
    for start in times:
        assert len([at for at in times if start <= at < start + 0.95]) <= 10
    widget.close()


@pytest.mark.spec("UI-158", "FQ-6")
def test_before_the_page_is_ready_nothing_is_sent_that_could_be_lost_and_then_the_whole_state(
    standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event
) -> None:
    live(standin, hold)
    widget = RunTimeline("r_1", crew=crew)
    seen.until(lambda: seen.sent)
    assert [list(one) for one in seen.sent] == [["trait"]]
    ready(widget, seen)
    assert seen.sent[-1]["state"]["run"]["id"] == "r_1"
    widget.close()


@pytest.mark.spec("FQ-4")
def test_a_long_run_is_kept_short_in_the_model_and_travels_to_the_page_in_pages(
    standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event
) -> None:
    long = run(status="running", steps=[step(index, output="x" * 40_000) for index in range(30)])
    live(standin, hold, {"type": "run", "run": long})
    widget = RunTimeline("r_1", crew=crew)
    seen.until(lambda: len(seen.state.get("steps", [])) > 1)
    assert size(widget.state) <= KEPT_BYTES + 1000
    assert len(widget.state["steps"]) + widget.state["dropped"] == 30
    ready(widget, seen)
    assert (len(seen.state["steps"]), seen.state["dropped"]) == (30, 0)
    assert max(size(one) for _, one in seen.raw) < 10 * PAGE_CHARS
    widget.close()


@pytest.mark.spec("UI-159")
def test_stop_goes_through_the_client_and_its_answer_or_error_comes_back(
    standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event
) -> None:
    live(standin, hold)
    route = "POST /conversations/c_1/stop"
    standin.on(
        route, Answer(body={"cleared": [], "cancelled": True}), Answer(status=404, body={"message": "It is gone.", "code": "not_found"})
    )
    widget = RunTimeline("r_1", crew=crew)
    seen.until(lambda: seen.state.get("run"))
    faults = [ask(widget, seen, "stop")["error"] for _ in range(2)]
    assert [fault and fault["message"] for fault in faults] == [None, "It is gone."]
    assert len(standin.requests(route)) == 2
    widget.close()


@pytest.mark.spec("UI-159")
def test_the_token_is_in_nothing_that_reaches_the_page(standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event) -> None:
    live(standin, hold)
    widget = RunTimeline("r_1", crew=crew)
    seen.until(lambda: seen.sent)
    everything = json.dumps(seen.raw) + json.dumps(widget.get_state(), default=str) + repr(widget)
    assert "s3cr3t-token" not in everything
    assert standin.requests(STREAM)[0].headers["authorization"] == "token s3cr3t-token"
    widget.close()


@pytest.mark.parametrize("message", [None, "ready", [], {"action": "approve_all"}, {"action": "select", "step": "1"}, {"type": 5}])
def test_a_message_nobody_knows_does_nothing(standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event, message: Any) -> None:
    live(standin, hold)
    widget = RunTimeline("r_1", crew=crew)
    seen.until(lambda: seen.sent)
    widget._message(widget, message, [])
    widget.close()
    assert [one.method for one in standin.seen if one.method != "GET"] == []


def test_a_timeline_shows_one_thing(crew: Crew) -> None:
    for wrong in ({}, {"run_id": "r", "conversation": "c"}):
        with pytest.raises(CrewError, match="one thing"):
            RunTimeline(**wrong, crew=crew)  # type: ignore[arg-type]


def test_a_run_that_does_not_exist_is_said_in_the_widget_when_the_server_answers_so(standin: StandIn, crew: Crew, seen: Seen) -> None:
    hold = threading.Event()
    standin.on("GET /activity/runs/r_9", Answer(status=404, body={"message": "There is no run 'r_9'.", "code": "not_found"}))
    live(standin, hold)
    widget = RunTimeline("r_9", crew=crew)
    seen.until(lambda: seen.sent)
    assert seen.state["offline"] == "There is no run 'r_9'."
    widget.close()
    hold.set()

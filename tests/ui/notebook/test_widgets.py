"""Crew table, chat, approvals, script store and cost chart on the kernel's side, against a stand-in that speaks the routes."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from crewlab.client import Crew, CrewError
from crewlab.widgets import AgentsTable, Approvals, Chat, CostChart, ScriptStore
from crewlab.widgets.approvals import within
from crewlab.widgets.live import LiveWidget
from crewlab.widgets.wire import KEPT_BYTES, MAX_STATE_BYTES, size
from tests.ui.notebook.samples import approval, conversation, done, message, run, text, watching
from tests.ui.notebook.seen import STREAM, Seen, ask, ready
from tests.ui.notebook.standin import Answer, StandIn, stream

pytestmark = pytest.mark.usefixtures("front_end")

NODE = "POST /conversations/c_1/messages"
AGENTS = [
    {"id": "master", "name": "Minh", "master": True, "mode": "chat", "live": False, "origin": "default", "tools": ["eval"]},
    {"id": "scout", "name": "Scout", "master": False, "mode": "work", "live": True, "origin": "kit", "tools": []},
]
SUMS = {"cost_usd": 0.5, "unknown": 1, "estimated": 0, "calls": 2, "prompt_tokens": 1, "completion_tokens": 1, "cached_tokens": 0}
PART = {**SUMS, "reasoning_tokens": 0, "span": "2026-01-01", "agent_id": "scout", "provider": "fake", "model": "echo", "purpose": "turn"}


def job(id: str, at: str | None, **more: Any) -> dict[str, Any]:
    return {"id": id, "agent_id": id.split("/")[0], "name": id.split("/")[1], "enabled": True, "paused": False, "next_run_at": at, **more}


def full(**more: Any) -> dict[str, Any]:
    """A conversation with the figures that a real one has."""
    figures = {"spent_usd": 0.25, "unknown_cost_calls": 0, "estimated_cost_calls": 0, "cost_cap_usd": 0}
    return conversation(**{**figures, "auto_approve": [], "compactions": [], **more})


@pytest.fixture
def hold(standin: StandIn) -> Iterator[threading.Event]:
    hold = threading.Event()
    standin.on("GET /agents", Answer(body={"agents": AGENTS}))
    standin.on("GET /jobs", Answer(body={"jobs": [job("scout/b", "2026-01-03"), job("scout/a", "2026-01-02"), job("master/c", None)]}))
    standin.on("GET /stats/parts", Answer(body={"period": "week", "spans": ["2026-01-01"], "parts": [PART, PART]}))
    yield hold
    hold.set()


def live(standin: StandIn, hold: threading.Event, *frames: dict[str, Any]) -> None:
    standin.on(STREAM, stream([{"type": "snapshot", "runs": [], "pending": 0}, *frames], hold=hold))


# Crew table


@pytest.mark.spec("UI-155", "UI-162")
def test_the_crew_table_says_of_each_agent_what_it_does_costs_and_holds(
    standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event
) -> None:
    live(standin, hold, {"type": "run", "run": run(id="r_9", agent_id="scout", status="running")})
    widget = AgentsTable(crew=crew)
    seen.until(lambda: seen.state.get("agents") and seen.state["live"])
    master, scout = seen.state["agents"]
    assert (master["name"], master["tools"], master["next"], master["week"]) == ("Minh", ["eval"], None, None)
    assert scout["next"] == {"id": "scout/a", "name": "a", "at": "2026-01-02"}
    assert (scout["week"]["cost_usd"], scout["week"]["unknown"]) == (1.0, 2)
    assert [one["agent_id"] for one in seen.state["live"]] == ["scout"]
    assert standin.requests("GET /stats/parts")[0].query == {"period": "week"}
    standin.on("GET /activity/runs", Answer(body={"runs": [run(agent_id="scout")], "more": False}))
    answer = ask(widget, seen, "runs", agent="scout")
    assert [one["id"] for one in answer["value"]["runs"]] == ["r_1"]
    assert standin.requests("GET /activity/runs")[0].query["agent_id"] == "scout"
    told: list[list[str]] = []
    widget.observe(lambda change: told.append(change["new"]), "selected")
    ask(widget, seen, "select", agents=["scout", "nobody"])
    assert told == [["scout"]]
    widget.close()


# Approvals


@pytest.mark.spec("UI-155", "UI-159", "GATE-31")
def test_requests_come_with_every_argument_and_are_decided_one_by_one(
    standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event
) -> None:
    long = approval(arguments={"path": "a.txt", "content": "ữ" * 300_000})
    decided = approval(id="ap_0", status="approved")
    standin.on("GET /approvals", Answer(body={"approvals": [long]}), Answer(body={"approvals": [long, decided]}))
    live(standin, hold)
    widget = Approvals(crew=crew)
    seen.until(lambda: seen.sent)
    assert size(widget.state) <= KEPT_BYTES
    assert (widget.state["pending"], widget.state["hidden"]) == ([], 1)
    ready(widget, seen)
    seen.until(lambda: seen.state["decided"])
    assert seen.state["pending"] == [long]
    assert [one["id"] for one in seen.state["decided"]] == ["ap_0"]
    assert widget.pending[0]["arguments"] == long["arguments"]
    late = Answer(status=409, body={"message": "", "code": "not_pending"})
    standin.on("POST /approvals/ap_1", Answer(body=approval(status="approved")), late)
    assert ask(widget, seen, "decide", approval="ap_1", decision="approve", always=True)["error"] is None
    assert ask(widget, seen, "decide", approval="ap_1", labels=["red"], text="or so")["error"]["code"] == "not_pending"
    ask(widget, seen, "decide", approval="ap_1", skip=True)
    assert [one.body for one in standin.requests("POST /approvals/ap_1")] == [
        {"decision": "approve", "always": True},
        {"answer": {"labels": ["red"], "text": "or so"}},
        {"skip": True},
    ]
    widget.close()


@pytest.mark.spec("UI-149")
@pytest.mark.parametrize("what", [{}, {"decision": "yes"}, {"approval": "ap_1"}, {"decision": None}])
def test_a_message_that_is_no_decision_decides_nothing(
    standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event, what: dict[str, Any]
) -> None:
    standin.on("GET /approvals", Answer(body={"approvals": [approval()]}))
    live(standin, hold)
    widget = Approvals(crew=crew)
    ready(widget, seen)
    assert ask(widget, seen, "decide", **{"approval": "ap_1", **what})["error"]["code"] == "invalid"
    assert [one.method for one in standin.seen if one.method != "GET"] == []
    widget.close()


@pytest.mark.spec("GATE-31", "UI-158")
def test_requests_that_wait_are_never_shortened_and_those_without_room_are_counted() -> None:
    requests = [approval(id=f"ap_{n}", arguments={"content": "x" * 900_000}) for n in range(4)]
    shown = within({"pending": requests, "hidden": 0, "decided": [approval(id="old")], "agents": [], "dropped": 0}, MAX_STATE_BYTES)
    assert (shown["pending"], shown["hidden"], shown["dropped"]) == (requests[:2], 2, 1)
    huge = approval(arguments={"content": "x" * 3 * MAX_STATE_BYTES})
    alone = within({"pending": [huge], "hidden": 0, "decided": [], "agents": [], "dropped": 0}, MAX_STATE_BYTES)
    assert alone["pending"] == [huge]


@pytest.mark.spec("UI-5", "UI-63")
def test_a_decision_made_elsewhere_has_the_list_read_again(standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event) -> None:
    waiting, none = Answer(body={"approvals": [approval()]}), Answer(body={"approvals": []})
    standin.on("GET /approvals", waiting, waiting, none)
    event = {"type": "event", "run_id": "r_1", "conversation_id": "c_1", "agent_id": "master", "name": "approval_decided", "data": {}}
    live(standin, hold, event)
    widget = Approvals(crew=crew)
    seen.until(lambda: seen.state.get("pending") == [] and len(standin.requests("GET /approvals")) >= 3)
    widget.close()


# Script store


KEY = {"key": " a\u200b", "chars": 3, "preview": "[1]", "updated_at": "2026-01-01T00:00:00+00:00"}
SHELF = {"namespace": "job:due", "kind": "job", "ref": "due", "title": None, "orphan": True, "chars": 6, "entries": [KEY]}


@pytest.fixture
def store(standin: StandIn, hold: threading.Event) -> str:
    live(standin, hold)
    standin.on("GET /agents/scout/script-store", Answer(body={"limit_chars": 262144, "namespaces": [SHELF]}))
    return "/agents/scout/script-store"


@pytest.mark.spec("STO-55", "STO-35")
def test_the_script_store_reads_lists_and_values_and_deletes_by_its_three_routes(
    standin: StandIn, crew: Crew, seen: Seen, store: str
) -> None:
    widget = ScriptStore("scout", crew=crew)
    ready(widget, seen)
    assert seen.state["namespaces"] == [SHELF]
    value = {"namespace": "job:due", "key": KEY["key"], "text": "[1]" + " " * 250_000, "chars": 3, "updated_at": KEY["updated_at"]}
    standin.on(f"GET {store}/value", Answer(body=value))
    assert ask(widget, seen, "value", namespace="job:due", key=KEY["key"])["value"] == value
    assert standin.requests(f"GET {store}/value")[0].query == {"namespace": "job:due", "key": KEY["key"]}
    standin.on(f"DELETE {store}", Answer(body={"deleted": 1}))
    assert ask(widget, seen, "delete", namespace="job:due", key=KEY["key"])["value"] == {"deleted": 1}
    ask(widget, seen, "delete", namespace="job:due", all=True)
    assert [one.query for one in standin.requests(f"DELETE {store}")] == [
        {"namespace": "job:due", "key": KEY["key"]},
        {"namespace": "job:due"},
    ]
    assert len(standin.requests(f"GET {store}")) >= 3
    assert {one.method for one in standin.seen} == {"GET", "DELETE"}
    widget.close()


@pytest.mark.spec("STO-55")
@pytest.mark.parametrize("what", [{}, {"key": "a"}, {"namespace": "job:due"}, {"all": True}])
def test_a_message_that_names_too_little_deletes_nothing(
    standin: StandIn, crew: Crew, seen: Seen, store: str, what: dict[str, Any]
) -> None:
    widget = ScriptStore("scout", crew=crew)
    ready(widget, seen)
    assert ask(widget, seen, "delete", **what)["error"]["code"] == "invalid"
    assert standin.requests(f"DELETE {store}") == []
    widget.close()


@pytest.mark.spec("STO-50")
def test_a_value_that_is_gone_or_was_written_again_has_the_list_read_again(standin: StandIn, crew: Crew, seen: Seen, store: str) -> None:
    widget = ScriptStore("scout", crew=crew)
    ready(widget, seen)
    before = len(standin.requests(f"GET {store}"))
    newer = {"namespace": "job:due", "key": KEY["key"], "text": "[2]", "chars": 3, "updated_at": "2026-01-02T00:00:00+00:00"}
    standin.on(f"GET {store}/value", Answer(body=newer), Answer(status=404, body={"message": "It is gone.", "code": "value_not_found"}))
    assert ask(widget, seen, "value", namespace="job:due", key=KEY["key"])["value"] == newer
    assert len(standin.requests(f"GET {store}")) >= before + 1
    assert ask(widget, seen, "value", namespace="job:due", key=KEY["key"])["error"]["status"] == 404
    with standin.came:
        assert standin.came.wait_for(lambda: len(standin.requests(f"GET {store}")) >= before + 2, 5)
    widget.close()


# Cost chart


@pytest.mark.spec("UI-83")
def test_the_cost_chart_has_the_parts_of_the_ledger_and_changes_its_period(
    standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event
) -> None:
    live(standin, hold)
    widget = CostChart(crew=crew)
    ready(widget, seen)
    assert seen.state["ledger"]["parts"] == [PART, PART]
    assert "unknown" in widget.plain()
    ask(widget, seen, "period", period="all")
    assert standin.requests("GET /stats/parts")[-1].query == {"period": "all"}
    assert ask(widget, seen, "period", period="ever")["error"]["code"] == "invalid"
    widget.close()
    with pytest.raises(CrewError, match="ever"):
        CostChart("ever", crew=crew)


# Chat


@pytest.mark.spec("UI-155", "UI-49", "UI-162")
def test_the_first_message_opens_a_conversation_and_its_answer_grows(
    standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event
) -> None:
    live(standin, hold)
    standin.on("POST /conversations", Answer(status=201, body=conversation()))
    sent = {"status": "started", "run_id": "r_1", "message_id": 1, "queued": None, "running": True}
    standin.on(NODE, Answer(lost=True), Answer(body=sent))
    stored = [message(1, "user", "Hi", tool_calls=[]), message(2, "assistant", "Hello there", tool_calls=[], model=None, cost_usd=None)]
    begun = watching(True, **{k: v for k, v in full().items() if k not in ("running", "messages")}, messages=stored[:1])
    end = done(estimated_cost_calls=0, delegated_usd=0, relayed_from=None)
    standin.on("GET /conversations/c_1/turn", stream([begun, text("Hello "), text("there"), end]))
    standin.on("GET /conversations/c_1", Answer(body=full(messages=stored)))
    widget = Chat(agent="scout", crew=crew)
    ready(widget, seen)
    answer = ask(widget, seen, "send", text="Hi", request_id="f" * 32)
    assert answer["value"] == sent
    assert standin.requests("POST /conversations")[0].body == {"agent": "scout"}
    assert [one.body["request_id"] for one in standin.requests(NODE)] == ["f" * 32] * 2
    seen.until(lambda: widget.status == "done")
    assert [(item["kind"], item["text"]) for item in seen.state["items"]] == [("user", "Hi"), ("answer", "Hello there")]
    assert (widget.text, widget.conversation_id, widget.pending) == ("Hello there", "c_1", None)
    assert widget.plain() == "> Hi\n\nHello there"
    widget.close()


@pytest.mark.spec("UI-42", "UI-45", "UI-48")
def test_words_sent_meanwhile_are_chips_and_stop_gives_them_back(standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event) -> None:
    live(standin, hold)
    running = full(running=True, messages=[message(1, "user", "Go", tool_calls=[])])
    standin.on("GET /conversations/c_1", Answer(body=running))
    begun = {"type": "watching", "conversation": running, "running": True}
    standin.on("GET /conversations/c_1/turn", stream([begun, text("So")], hold=hold))
    place = {"item_id": 7, "kind": "message", "position": 1}
    queued = {"status": "queued", "run_id": None, "message_id": None, "queued": place, "running": True}
    standin.on(NODE, Answer(body=queued), Answer(status=422, body={"message": "no words", "code": "empty_steer"}))
    standin.on("POST /conversations/c_1/stop", Answer(body={"cleared": ["next"], "cancelled": True}))
    widget = Chat("c_1", crew=crew)
    ready(widget, seen)
    seen.until(lambda: widget.text == "So")
    ask(widget, seen, "send", text="next", request_id="a" * 32)
    seen.until(lambda: [one["text"] for one in seen.state["queued"]] == ["next"])
    assert ask(widget, seen, "send", text="/steer", request_id="b" * 32)["error"]["code"] == "empty_steer"
    assert ask(widget, seen, "stop")["value"] == {"cleared": ["next"], "cancelled": True}
    seen.until(lambda: seen.state["queued"] == [])
    widget.close()
    assert standin.left.acquire(timeout=5)


@pytest.mark.spec("UI-161", "GATE-32")
def test_a_request_of_the_conversation_is_shown_and_decided_and_the_turn_followed(
    standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event
) -> None:
    live(standin, hold)
    asked = {**approval(), "agent_id": "master"}
    call = {"id": "t1", "name": "workspace_write", "arguments": asked["arguments"]}
    stored = [message(1, "user", "Go", tool_calls=[]), message(2, "assistant", "", tool_calls=[call], model=None, cost_usd=None)]
    standin.on("GET /conversations/c_1", Answer(body=full(pending=asked, messages=stored)))
    standin.on("GET /conversations/c_1/turn", stream([watching(True, **{k: v for k, v in full().items() if k != "running"})], hold=hold))
    standin.on("POST /approvals/ap_1", Answer(body={**asked, "status": "approved", "skipped": False}))
    widget = Chat("c_1", crew=crew)
    ready(widget, seen)
    assert (seen.state["pending"], widget.status, widget.pending) == (asked, "waiting", asked)
    ask(widget, seen, "decide", approval="ap_1", decision="approve")
    seen.until(lambda: seen.state["pending"] is None and seen.state["running"])
    standin.wait_for("GET /conversations/c_1/turn")
    widget.close()


@pytest.mark.spec("FRK-1", "UI-58")
def test_a_branch_is_made_and_shown_in_place(standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event) -> None:
    live(standin, hold)
    standin.on("GET /conversations/c_1", Answer(body=full(messages=[message(1, "user", "Go", tool_calls=[])])))
    standin.on("GET /conversations/c_2", Answer(body=full(id="c_2", title="Branch")))
    standin.on("POST /conversations/c_1/fork", Answer(status=201, body=full(id="c_2")))
    widget = Chat("c_1", crew=crew)
    ready(widget, seen)
    assert ask(widget, seen, "fork", before=1)["value"] == {"id": "c_2"}
    ask(widget, seen, "open", conversation="c_2")
    seen.until(lambda: seen.state["id"] == "c_2" and seen.state["conversation"]["title"] == "Branch")
    widget.close()


@pytest.mark.spec("UI-158")
def test_a_long_thread_drops_its_oldest_and_says_how_many(standin: StandIn, crew: Crew, seen: Seen, hold: threading.Event) -> None:
    live(standin, hold)
    stored = [message(n, "user", "x" * 100_000, tool_calls=[]) for n in range(40)]
    standin.on("GET /conversations/c_1", Answer(body=full(messages=stored)))
    widget = Chat("c_1", crew=crew)
    ready(widget, seen)
    assert size(seen.state) <= MAX_STATE_BYTES + 1000
    assert seen.state["dropped"] + len(seen.state["items"]) == 40
    assert seen.state["items"][-1]["key"] == "m39"
    widget.close()


# All of them

MAKE: dict[str, Callable[[Crew], LiveWidget]] = {
    "agents": lambda crew: AgentsTable(crew=crew),
    "approvals": lambda crew: Approvals(crew=crew),
    "chat": lambda crew: Chat("c_1", crew=crew),
    "costs": lambda crew: CostChart(crew=crew),
    "store": lambda crew: ScriptStore("scout", crew=crew),
}


@pytest.fixture(params=sorted(MAKE))
def any_widget(request: pytest.FixtureRequest, standin: StandIn, crew: Crew, store: str) -> Iterator[LiveWidget]:
    standin.on("GET /approvals", Answer(body={"approvals": [approval()]}))
    standin.on("GET /conversations/c_1", Answer(body=full(messages=[message(1, "user", "Chào bạn", tool_calls=[])])))
    widget = MAKE[request.param](crew)
    yield widget
    widget.close()


@pytest.mark.spec("UI-147", "UI-160")
def test_where_no_widgets_are_drawn_its_state_stands_as_text(any_widget: LiveWidget, seen: Seen) -> None:
    bundle = any_widget._repr_mimebundle_()
    assert bundle is not None
    assert "application/vnd.jupyter.widget-view+json" in bundle[0]
    words = {"AgentsTable": "Scout", "Approvals": '"content": "hi"', "Chat": "Chào bạn", "CostChart": "2026-01-01"}
    assert words.get(type(any_widget).__name__, "job:due") in bundle[0]["text/plain"]


@pytest.mark.spec("UI-159", "UI-163")
def test_no_token_reaches_the_page_and_no_thread_is_left(any_widget: LiveWidget, seen: Seen) -> None:
    ready(any_widget, seen)
    everything = json.dumps(seen.raw) + json.dumps(any_widget.get_state(), default=str) + repr(any_widget) + any_widget.plain()
    assert "s3cr3t-token" not in everything
    any_widget.close()
    assert [one.name for one in threading.enumerate() if one.name == "crewlab-widgets"] == []


@pytest.mark.parametrize("content", [None, [], {"action": "approve_all"}, {"action": "__class__"}, {"type": 5}, {"action": ["x"]}])
def test_a_message_nobody_knows_does_nothing(any_widget: LiveWidget, seen: Seen, standin: StandIn, content: Any) -> None:
    any_widget._message(any_widget, content, [])
    ready(any_widget, seen)
    assert [one.method for one in standin.seen if one.method != "GET"] == []


@pytest.mark.spec("UI-8", "UI-155")
def test_what_cannot_be_read_is_said_in_the_widget(standin: StandIn, crew: Crew, seen: Seen) -> None:
    hold = threading.Event()
    live(standin, hold)
    unknown = {"message": "There is no agent 'nobody'.", "code": "agent_not_found"}
    standin.on("GET /agents/nobody/script-store", Answer(status=404, body=unknown))
    widget = ScriptStore("nobody", crew=crew)
    seen.until(lambda: seen.state.get("offline") == "There is no agent 'nobody'.")
    assert widget.plain() == "There is no agent 'nobody'."
    widget.close()
    hold.set()

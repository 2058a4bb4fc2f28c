"""The client's objects: what they send, what they give back, how they show themselves."""

from __future__ import annotations

import asyncio
import gc
import inspect
import sys
import threading
from typing import Any

import pytest

from crewlab import client
from crewlab.client import ApprovalPending, AsyncCrew, ConfigInvalid, Crew, CrewError, HomeLocked, NotFound, QueueFull, ServerGone
from crewlab.notebook.records import Record, Rows, Run
from crewlab.notebook.zone import iana_zone
from tests.ui.notebook.samples import approval, conversation, done, message, run, step, text, watching
from tests.ui.notebook.standin import Answer, StandIn, stream

POST = "POST /conversations/c_1/messages"
TURN = "GET /conversations/c_1/turn"
HTML = "<img src=x onerror=alert(1)>"


def with_conversation(standin: StandIn, **more: Any) -> None:
    standin.on("GET /conversations/c_1", Answer(body=conversation(**more)))


@pytest.mark.spec("UI-144", "UI-148")
def test_a_message_carries_a_name_the_source_and_the_zone(standin: StandIn, crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Ho_Chi_Minh")
    with_conversation(standin)
    standin.on(POST, stream([watching(), text("Hello"), text(" there"), done()]))
    turn = crew.conversation("c_1").send("hi")
    assert (turn.text, turn.status) == ("Hello there", "done")
    sent = standin.requests(POST)[0]
    assert sent.headers["x-crewlab-source"] == "notebook"
    assert sent.headers["authorization"] == "token s3cr3t-token"
    assert sent.body["text"] == "hi"
    assert sent.body["timezone"] == "Asia/Ho_Chi_Minh"
    assert len(sent.body["request_id"]) == 32


@pytest.mark.spec("UI-148")
def test_a_zone_without_a_known_name_is_left_out(tmp_path: Any) -> None:
    (tmp_path / "zoneinfo" / "Europe").mkdir(parents=True)
    (tmp_path / "zoneinfo" / "Europe" / "Vienna").touch()
    (tmp_path / "localtime").symlink_to(tmp_path / "zoneinfo" / "Europe" / "Vienna")
    assert iana_zone({}, tmp_path / "localtime") == "Europe/Vienna"
    assert iana_zone({"TZ": "CET-1CEST"}, tmp_path / "localtime") is None
    assert iana_zone({}, tmp_path / "none") is None


@pytest.mark.spec("UI-142", "UI-144")
async def test_the_asynchronous_client_does_the_same(standin: StandIn) -> None:
    standin.on("POST /conversations", Answer(status=201, body=conversation()))
    standin.on(POST, stream([watching(), text("Hello"), done()]))
    standin.on("GET /activity/runs/r_1", Answer(body=run(steps=[step(0)])))
    async with AsyncCrew(standin.url, token="t") as crew:
        turn = await crew.ask("hi", agent="coder")
        assert (turn.text, turn.status, await turn.cost_usd()) == ("Hello", "done", 0.25)
    assert standin.requests("POST /conversations")[0].body == {"agent": "coder"}


@pytest.mark.spec("UI-142")
def test_both_clients_have_the_same_methods() -> None:
    def public(kind: type) -> set[str]:
        return {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}

    assert public(Crew) == public(AsyncCrew)
    for plain, other in ((client.Conversation, client.AsyncConversation), (client.Approval, client.AsyncApproval)):
        assert public(other) - public(plain) <= {"path", "body", "set_autonomous"}


@pytest.mark.spec("UI-144")
def test_a_turn_that_waits_has_its_request_and_goes_on_after_the_decision(standin: StandIn, crew: Crew) -> None:
    with_conversation(standin)
    standin.on(POST, stream([watching(), {"type": "approval_required", "approval": approval()}]))
    standin.on("POST /approvals/ap_1", Answer(body=approval(status="approved")))
    standin.on(TURN, stream([watching(messages=[message(1, "user", "hi")]), text("Wrote it."), done()]))
    turn = crew.conversation("c_1").send("write")
    assert turn.status == "waiting"
    request = turn.approval
    assert request is not None
    assert request.arguments == {"path": "a.txt", "content": "hi"}
    assert request.approve().status == "approved"
    assert standin.requests("POST /approvals/ap_1")[0].body == {"decision": "approve", "always": False}
    assert (turn.wait().status, turn.text, turn.approval) == ("done", "Wrote it.", None)


@pytest.mark.spec("UI-144", "ASKU-9", "GATE-88")
def test_a_question_is_answered_with_words_with_labels_or_not_at_all(crew: Crew, standin: StandIn) -> None:
    standin.on("GET /approvals/ap_1", Answer(body=approval(kind="question", question="Which?")))
    standin.on("POST /approvals/ap_1", Answer(body=approval(kind="question", status="answered")))
    asked = crew.approval("ap_1")
    assert asked.answer("by rail") is asked
    asked.answer(labels=["A", "B"])
    asked.answer("soon", labels=("A",))
    assert asked.skip().status == "answered"
    assert [one.body for one in standin.requests("POST /approvals/ap_1")] == [
        {"answer": "by rail"},
        {"answer": {"labels": ["A", "B"], "text": ""}},
        {"answer": {"labels": ["A"], "text": "soon"}},
        {"skip": True},
    ]


@pytest.mark.spec("UI-144")
def test_a_queued_message_is_followed_when_its_turn_has_come(standin: StandIn, crew: Crew) -> None:
    waiting = {"item_id": 7, "kind": "follow_up", "text": "next", "position": 1}
    standin.on(
        "GET /conversations/c_1", Answer(body=conversation()), Answer(body=conversation(queued=[waiting])), Answer(body=conversation())
    )
    standin.on(POST, stream([{"type": "queued", "item_id": 7, "kind": "follow_up", "position": 1}]))
    standin.on(TURN, stream([watching(), text("first"), done()]), stream([watching(), text("second"), done()]))
    turn = crew.conversation("c_1").send("next")
    assert (turn.status, turn.run) == ("queued", None)
    assert (turn.wait().text, turn.status) == ("second", "done")


@pytest.mark.spec("UI-144", "UI-145")
def test_a_turn_that_was_over_before_we_joined_reads_its_end_from_the_run(standin: StandIn, crew: Crew) -> None:
    stored = [message(1, "user", "a"), message(2, "assistant", "old"), message(3, "user", "b"), message(4, "assistant", "new")]
    with_conversation(standin, messages=stored)
    standin.on(POST, Answer(body={"status": "started", "run_id": "r_1", "message_id": 3, "queued": None, "running": True}))
    standin.on(TURN, Answer(status=204))
    standin.on("GET /activity/runs/r_1", Answer(body=run(status="halted", halt_reason="loop", after_seq=2)))
    turn = crew.conversation("c_1").send("b", wait=False)
    assert turn.status == "running"
    assert (turn.wait().status, turn.text) == ("halted", "new")


@pytest.mark.spec("UI-144")
def test_the_cost_is_none_when_a_price_is_unknown(standin: StandIn, crew: Crew) -> None:
    standin.on("GET /activity/runs/r_1", Answer(body=run(unknown_cost_calls=1, steps=[step(0), step(1, "model", route="a:b", ms=65_000)])))
    record = crew.run("r_1")
    assert record.price_usd is None
    assert "unknown" in repr(record)
    assert "$0" not in repr(record)
    assert [one.kind for one in record.steps] == ["tool", "model"]
    assert record.steps_df()[1]["ms"] == 65_000 if isinstance(record.steps_df(), list) else record.steps_df().shape[0] == 2
    assert "1 m 05 s" in repr(record.steps)


@pytest.mark.spec("UI-144")
def test_the_routes_behind_the_methods(standin: StandIn, crew: Crew) -> None:
    with_conversation(standin, messages=[message(1, "user", "hi")])
    standin.on("GET /agents", Answer(body={"agents": [{"id": "master", "name": "Master"}]}))
    standin.on("GET /agents/master", Answer(body={"id": "master", "name": "Master"}))
    standin.on("GET /conversations", Answer(body={"conversations": [conversation()], "more": False}))
    standin.on("GET /activity/runs", Answer(body={"runs": [run()], "more": False}))
    standin.on("GET /approvals", Answer(body={"approvals": [approval()]}))
    standin.on("GET /approvals/ap_1", Answer(body=approval()))
    standin.on("POST /approvals/ap_1", Answer(body=approval(status="denied")))
    standin.on("POST /inbound", Answer(body={"text": "gathered", "status": "done"}))
    standin.on("POST /conversations/c_1/stop", Answer(body={"cleared": ["later"], "cancelled": True}))
    standin.on("PATCH /conversations/c_1", Answer(body=conversation(autonomous=True)))
    standin.on("DELETE /conversations/c_1", Answer(status=204))
    standin.on(POST, Answer(body={"status": "queued", "run_id": None, "message_id": None, "queued": {"item_id": 1}, "running": True}))
    standin.on("GET /activity/stream", stream([{"type": "snapshot", "runs": [run()], "pending": 1}]))
    talk = crew.conversation("c_1")
    assert (crew.agents()[0].name, crew.agent("master").id, crew.conversations("master", 5)[0].title) == ("Master", "master", "First")
    assert (crew.runs("master", "c_1", 5)[0].id, crew.approval("ap_1").deny().status) == ("r_1", "denied")
    assert crew.inbound("hi", source="lab").text == "gathered"
    assert (talk.messages[0].content, talk.stop().cleared, talk.steer("faster").status) == ("hi", ["later"], "queued")
    talk.autonomous = True
    assert talk.autonomous is True
    talk.delete()
    assert standin.requests(POST)[0].body["text"] == "/steer faster"
    assert standin.requests("GET /activity/runs")[0].query == {"agent_id": "master", "conversation_id": "c_1", "limit": "5"}
    assert standin.requests("POST /inbound")[0].body == {"text": "hi", "source": "lab"}
    frames = crew.activity()
    assert next(frames).runs[0]["id"] == "r_1"


@pytest.mark.spec("UI-146")
@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (404, "not_found", NotFound),
        (409, "approval_pending", ApprovalPending),
        (429, "queue_full", QueueFull),
        (503, "home_locked", HomeLocked),
        (503, "config_invalid", ConfigInvalid),
        (422, "text_too_long", CrewError),
    ],
)
def test_each_refusal_has_its_exception(standin: StandIn, crew: Crew, status: int, code: str, kind: type[CrewError]) -> None:
    with_conversation(standin)
    standin.on(POST, Answer(status=status, body={"message": "What to do.", "code": code, "field": "text"}))
    with pytest.raises(kind) as caught:
        crew.conversation("c_1").send("hi")
    error = caught.value
    assert (type(error), error.code, error.status, error.message, error.fields) == (kind, code, status, "What to do.", {"field": "text"})


@pytest.mark.spec("UI-146", "UI-143")
def test_a_server_that_is_gone_is_an_error_without_a_token() -> None:
    with Crew("http://127.0.0.1:9", token="s3cr3t-token", timeout=2) as crew, pytest.raises(ServerGone) as caught:
        crew.agents()
    assert "http://127.0.0.1:9" in caught.value.message
    assert "s3cr3t" not in f"{caught.value!r} {caught.value} {crew!r} {crew._crew!r} {crew._crew._http!r}"


@pytest.mark.parametrize(("status", "says"), [(403, "token"), (404, "has no crewlab"), (500, "status 500")])
def test_a_refusal_of_jupyter_itself_says_what_to_do(standin: StandIn, crew: Crew, status: int, says: str) -> None:
    standin.on("GET /agents", Answer(status=status, html=True))
    with pytest.raises(CrewError, match=says):
        crew.agents()


@pytest.mark.spec("UI-149")
def test_nothing_approves_more_than_one_request_by_itself() -> None:
    for kind in (Crew, AsyncCrew, client.Conversation, client.AsyncConversation, client.Turn, client.AsyncTurn):
        assert [name for name in dir(kind) if "approve" in name or "always" in name] == []
    for kind in (client.Approval, client.AsyncApproval):
        always = inspect.signature(kind.approve).parameters["always"]
        assert always.default is False
    for kind in (Crew, AsyncCrew):
        for name, method in inspect.getmembers(kind, inspect.isfunction):
            assert not {"approve", "approve_all", "auto_approve", "autonomous"} & set(inspect.signature(method).parameters), name


@pytest.mark.spec("UI-149")
def test_a_request_is_never_decided_without_being_called(standin: StandIn, crew: Crew) -> None:
    with_conversation(standin)
    standin.on(POST, stream([watching(), {"type": "approval_required", "approval": approval()}]))
    standin.on(TURN, Answer(status=204))
    turn = crew.conversation("c_1").send("write")
    standin.answers["GET /conversations/c_1"].clear()
    with_conversation(standin, pending=approval())
    assert turn.wait().status == "waiting"
    assert [seen.path for seen in standin.seen if "approvals" in seen.path] == []


@pytest.mark.spec("UI-147")
def test_every_text_in_a_display_is_escaped(standin: StandIn, crew: Crew) -> None:
    standin.on("GET /conversations", Answer(body={"conversations": [conversation(title=HTML, id=HTML)], "more": False}))
    standin.on("GET /agents", Answer(body={"agents": [{"id": "a", "name": HTML, "description": HTML}]}))
    standin.on("GET /approvals", Answer(body={"approvals": [approval(arguments={HTML: HTML}, reason=HTML)]}))
    shown = [
        crew.conversations(),
        crew.agents(),
        crew.approvals(),
        crew.approvals()[0],
        Run(run(summary=HTML)),
        Run(run(steps=[step(0, name=HTML)])).steps,
    ]
    for one in shown:
        html = one._repr_html_()
        assert "<img" not in html
        assert "&lt;img" in html


@pytest.mark.spec("UI-147")
def test_a_list_is_a_dataframe_where_pandas_is_and_a_list_of_dicts_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Rows([Record({"a": 1}), Record({"a": 2})])
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert rows.df() == [{"a": 1}, {"a": 2}]

    class FakePandas:
        @staticmethod
        def DataFrame(rows: list[dict[str, int]]) -> tuple[str, list[dict[str, int]]]:
            return "frame", rows

    monkeypatch.setitem(sys.modules, "pandas", FakePandas)
    assert rows.df() == ("frame", [{"a": 1}, {"a": 2}])
    assert repr(rows) == "a\n1\n2"


def test_a_field_that_is_not_there_is_named() -> None:
    with pytest.raises(AttributeError, match="has no field 'b'; it has a"):
        _ = Record({"a": 1}).b


@pytest.mark.spec("UI-163")
def test_clients_share_one_thread_and_a_forgotten_one_leaves_no_connection(standin: StandIn) -> None:
    standin.on("GET /agents", Answer(body={"agents": []}))
    crews = [Crew(standin.url) for _ in range(5)]
    for crew in crews:
        crew.agents()
    assert [one.name for one in threading.enumerate()].count("crewlab-client") == 1
    connections = [crew._crew._http.client for crew in crews]
    portal = crews[0]._portal
    del crew, crews
    gc.collect()

    async def closed() -> bool:
        async with asyncio.timeout(5):
            while not all(one.is_closed for one in connections):
                await asyncio.sleep(0)
        return True

    assert portal.run(closed())


@pytest.mark.spec("COST-20", "EST-4", "TURN-5")
def test_the_usage_ledger_shows_itself_with_estimates_marked(standin: StandIn, crew: Crew) -> None:
    sums = {"cost_usd": 0.5, "unknown": 1, "estimated": 2, "calls": 4, "prompt_tokens": 10, "completion_tokens": 5}
    whole = {
        "days": [{"day": "2026-03-11", **sums}],
        "models": [{"provider": "openai", "model": "m", **sums}],
        "purposes": [],
        "agents": [],
    }
    standin.on("GET /stats", Answer(body={**whole, "totals": sums}))
    stats = crew.stats()
    assert stats.totals.unknown == 1
    assert "≈ $0.5000" in repr(stats)
    assert "2026-03-11" in stats.days._repr_html_()
    assert stats.models[0].shown()["model"] == "m"


@pytest.mark.spec("EST-4")
def test_an_estimated_price_of_a_run_is_marked() -> None:
    assert Run(run(cost_usd=0.25, estimated_cost_calls=1)).shown()["cost"] == "≈ $0.2500"
    assert Run(run(cost_usd=0.25, estimated_cost_calls=0)).shown()["cost"] == "$0.2500"

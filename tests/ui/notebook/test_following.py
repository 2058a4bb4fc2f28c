"""One turn over a connection that may break."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from crewlab.notebook.errors import ServerGone
from crewlab.notebook.following import RESEND_AFTER, activity, join_turn, send_turn
from crewlab.notebook.http import Http
from crewlab.notebook.locate import Server
from crewlab.notebook.sse import SseParser
from tests.ui.notebook.samples import conversation, done, text, watching
from tests.ui.notebook.standin import Answer, StandIn, stream

POST = "POST /conversations/c_1/messages"
TURN = "GET /conversations/c_1/turn"
BODY = {"text": "hi", "request_id": "0" * 32}


class Sleeper:
    """Takes no time and remembers how long it should have slept."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.slept.append(seconds)


@pytest.fixture
async def http(standin: StandIn) -> AsyncIterator[Http]:
    http = Http(Server(standin.url, "t"), timeout=5)
    yield http
    await http.close()


@pytest.mark.spec("UI-145")
async def test_a_message_whose_answer_is_lost_is_sent_again_under_the_same_name(standin: StandIn, http: Http) -> None:
    standin.on(POST, Answer(lost=True), Answer(lost=True), stream([text("hello"), done()]))
    sleep = Sleeper()
    events = [event["type"] async for event in send_turn(http, "c_1", BODY, sleep=sleep)]
    assert events == ["text_delta", "done"]
    assert [seen.body["request_id"] for seen in standin.requests(POST)] == ["0" * 32] * 3
    assert sleep.slept == [1.0, 2.0]


@pytest.mark.spec("UI-145")
async def test_a_message_is_given_up_after_the_last_try(standin: StandIn, http: Http) -> None:
    standin.on(POST, Answer(lost=True))
    sleep = Sleeper()
    with pytest.raises(ServerGone, match="does not answer"):
        async for _ in send_turn(http, "c_1", BODY, sleep=sleep):
            pass
    assert sleep.slept == list(RESEND_AFTER)
    assert len(standin.requests(POST)) == len(RESEND_AFTER) + 1


@pytest.mark.spec("UI-145", "WIRE-2")
@pytest.mark.parametrize("broken", [True, False], ids=["cut off", "closed without an end"])
async def test_a_broken_stream_is_joined_where_it_broke_and_never_sent_again(standin: StandIn, http: Http, broken: bool) -> None:
    standin.on(POST, stream([text("one "), text("two ")], broken=broken))
    standin.on(TURN, stream([watching(), text("one two three"), done()]))
    events = [event async for event in send_turn(http, "c_1", BODY, sleep=Sleeper())]
    assert [event["type"] for event in events] == ["text_delta", "text_delta", "watching", "text_delta", "done"]
    assert standin.requests(TURN)[0].headers["last-event-id"] == "e-2"
    assert len(standin.requests(POST)) == 1


@pytest.mark.spec("UI-145")
async def test_a_turn_that_ended_meanwhile_gives_the_conversation_as_stored(standin: StandIn, http: Http) -> None:
    standin.on(TURN, Answer(status=204))
    standin.on("GET /conversations/c_1", Answer(body=conversation(title="now")))
    events = [event async for event in join_turn(http, "c_1", sleep=Sleeper())]
    assert [(event["type"], event["running"], event["conversation"]["title"]) for event in events] == [("watching", False, "now")]


@pytest.mark.spec("UI-145", "TURN-38")
@pytest.mark.parametrize(
    ("event", "ends"),
    [
        ({"type": "queued", "item_id": 1, "kind": "follow_up", "position": 1}, True),
        ({"type": "approval_required", "approval": {"id": "a", "nested_in": None}}, True),
        ({"type": "approval_required", "approval": {"id": "a", "nested_in": "t9"}}, False),
        ({"type": "halted", "run_id": "r", "reason": "loop"}, True),
        ({"type": "stopped", "run_id": "r"}, True),
        ({"type": "error", "run_id": "r", "code": "internal", "message": "m"}, True),
        ({"type": "tool_result", "name": "x"}, False),
    ],
)
async def test_iterators_end_with_the_events_that_end_a_turn(standin: StandIn, http: Http, event: dict[str, object], ends: bool) -> None:
    standin.on(POST, stream([event, done()]))
    seen = [one["type"] async for one in send_turn(http, "c_1", BODY, sleep=Sleeper())]
    assert seen == ([event["type"]] if ends else [event["type"], "done"])


@pytest.mark.spec("WIRE-10")
async def test_the_activity_stream_is_opened_again_with_the_last_id(standin: StandIn, http: Http) -> None:
    jobs, tools = {"type": "jobs"}, {"type": "tools"}
    standin.on("GET /activity/stream", stream([jobs]), Answer(lost=True), Answer(lost=True), stream([tools], first_id=2))
    sleep = Sleeper()
    frames = activity(http, sleep=sleep)
    assert [(await anext(frames))["type"], (await anext(frames))["type"]] == ["jobs", "tools"]
    await frames.aclose()
    assert [seen.headers.get("last-event-id") for seen in standin.requests("GET /activity/stream")] == [None, "e-1", "e-1", "e-1"]
    assert sleep.slept == [0.0, 0.0, 1.0, 2.0]


@pytest.mark.spec("WIRE-4")
def test_frames_are_read_line_by_line_and_pings_are_dropped() -> None:
    parser = SseParser()
    lines = [
        ": ping",
        "",
        "id: e-7",
        "event: note",
        'data: {"type":"note",',
        'data: "text":"a\\u2028b"}',
        "",
        "data: no json",
        "",
        "data: [1]",
        "",
    ]
    frames = [frame for line in lines for frame in parser.feed(line)]
    assert [(frame.id, frame.event, frame.data["text"]) for frame in frames] == [("e-7", "note", "a\u2028b")]

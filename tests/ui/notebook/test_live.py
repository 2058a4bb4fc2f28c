"""An answer that grows in a cell's output."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from crewlab.notebook.live import UPDATES_PER_SECOND, Live, bundle
from crewlab.notebook.progress import Progress, apply
from crewlab.notebook.requests import request_text
from tests.ui.notebook.samples import approval, done, message, text, watching


class Paper:
    """Remembers what was shown."""

    def __init__(self) -> None:
        self.shown: list[Mapping[str, str]] = []

    def show(self, bundle: Mapping[str, str]) -> None:
        self.shown.append(bundle)


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def fold(*events: dict[str, object]) -> Progress:
    progress = Progress()
    for event in events:
        progress = apply(progress, event)
    return progress


@pytest.mark.spec("UI-153")
def test_a_hundred_deltas_in_a_second_are_at_most_ten_drawings_and_the_last_is_among_them() -> None:
    paper, clock = Paper(), Clock()
    live = Live(paper, clock=clock)
    progress = Progress()
    for number in range(100):
        progress = apply(progress, text(f"{number} "))
        live.show(progress)
        clock.now += 0.01
    assert 2 <= len(paper.shown) <= UPDATES_PER_SECOND + 1
    assert 0 <= (live.wait() or 0) <= 1 / UPDATES_PER_SECOND
    live.flush()
    assert "99 " in paper.shown[-1]["text/plain"]
    assert live.wait() is None


@pytest.mark.spec("UI-153")
def test_the_end_is_drawn_at_once_and_is_plain_markdown() -> None:
    paper, clock = Paper(), Clock()
    live = Live(paper, clock=clock)
    live.show(fold(text("# Title\n\n- one")))
    assert paper.shown[-1]["text/markdown"] != "# Title\n\n- one"
    live.show(fold(text("# Title\n\n- one"), done()))
    assert paper.shown[-1] == {"text/markdown": "# Title\n\n- one", "text/plain": "# Title\n\n- one"}


@pytest.mark.spec("UI-153", "GATE-31")
def test_a_pending_request_shows_all_arguments_and_what_to_call() -> None:
    long = "x" * 5000
    request = approval(arguments={"path": "a.txt", "content": long}, reason="outside the workspace")
    shown = bundle(fold(text("I will write."), {"type": "approval_required", "approval": request}))["text/markdown"]
    for part in (
        "I will write.",
        "workspace_write",
        long,
        "outside the workspace",
        '.approval("ap_1").approve()',
        '.approval("ap_1").deny()',
    ):
        assert part in shown


def test_a_request_in_vietnamese() -> None:
    assert "Hãy quyết định" in request_text(approval(), "vi")


ASKED = {
    "kind": "question",
    "tool": "ask_user",
    "question": "Which *port*? ```",
    "context": "<b>It changes</b> table 2.",
    "options": [
        {"label": "Hamburg", "description": "The large one", "suggested": True},
        {"label": "[x](http://y)", "description": None, "suggested": False},
    ],
    "default": "Kiel",
}


@pytest.mark.spec("UI-153", "GATE-32", "GATE-92", "ASKU-8")
@pytest.mark.parametrize("language", ["en", "vi"])
def test_a_question_shows_its_options_by_number_as_text_and_how_it_is_answered(language: str) -> None:
    shown = request_text(approval(**ASKED), language)
    for part in (
        "Which *port*? ```",
        "1. Hamburg (",
        "): The large one",
        "2. [x](http://y)",
        "Kiel",
        '("ap_1").answer(',
        '("ap_1").skip()',
    ):
        assert part in shown
    assert "approve()" not in shown
    assert "````text\nWhich *port*?" in shown  # the fence is longer than any run of the words in it


@pytest.mark.spec("FI-1")
def test_a_request_says_what_the_turn_had_read_before_it_asked() -> None:
    before = {"tool": "fetch_url", "argument": "https://a.example", "more": 2}
    shown = request_text(approval(read_before=before, again=True), "en")
    assert "read the following from outside (and 2 more before)" in shown
    assert "```text\nfetch_url https://a.example\n```" in shown
    assert "what it touches has changed" in shown
    assert "outside" not in request_text(approval(read_before=None), "en")


@pytest.mark.parametrize(
    ("event", "line"),
    [
        ({"type": "halted", "run_id": "r", "reason": "budget"}, "spending cap"),
        ({"type": "error", "run_id": "r", "code": "no_route", "message": "No model answers."}, "No model answers."),
        ({"type": "stopped", "run_id": "r"}, "Stopped by you"),
        ({"type": "queued", "item_id": 1, "kind": "follow_up", "position": 3}, "place 3"),
        ({"type": "tool_call", "tool_call_id": "t", "name": "web_search", "arguments": {}, "run_id": "r"}, "web_search"),
    ],
)
def test_what_is_not_an_answer_is_one_line(event: dict[str, object], line: str) -> None:
    shown = bundle(fold(text("So far"), event))["text/plain"]
    assert shown.startswith("So far")
    assert line in shown


def test_parts_between_tool_calls_are_paragraphs() -> None:
    call = {"type": "tool_call", "tool_call_id": "t", "name": "x", "arguments": {}, "run_id": "r"}
    progress = fold(text("One"), text(" two."), call, {"type": "tool_result", "name": "x"}, text("Three."), done())
    assert progress.text == "One two.\n\nThree."
    assert progress.run_id == "r_1"


def test_a_viewer_that_joins_takes_the_answers_of_the_last_turn_only() -> None:
    stored = [
        message(1, "user", "a"),
        message(2, "assistant", "old"),
        message(3, "user", "b"),
        message(4, "assistant", ""),
        message(5, "tool", "out"),
        message(6, "user", "steered"),
        message(7, "assistant", "mine"),
    ]
    progress = fold(watching(messages=stored), text(" and more"))
    assert progress.parts == ("mine", " and more")


def test_nested_requests_do_not_pause_the_turn() -> None:
    progress = fold({"type": "approval_required", "approval": approval(nested_in="t1")})
    assert (progress.status, progress.pending is not None) == ("running", True)
    after = apply(progress, {"type": "approval_decided", "approval_id": "ap_1", "status": "approved"})
    assert after.pending is None

"""The pure parts of a turn: steps, history, loop guard, first words, steer."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.clock import FakeClock
from crewlab.engine.records import Message, Run, ToolCall
from crewlab.engine.turn import frames, host, steps
from crewlab.engine.turn.guard import LoopGuard
from crewlab.engine.turn.history import arrange, open_calls

NOW = "2026-01-01T00:00:00.000000+00:00"


def message(seq, role, content="", calls=(), result_of=None, context=None):
    return Message(
        id=seq, seq=seq, role=role, content=content, tool_calls=list(calls), tool_call_id=result_of, context=context, created_at=NOW
    )


def call(name):
    return ToolCall(id=name, name="tool", arguments={})


@pytest.mark.spec("FH-1", "TURN-24")
def test_a_result_stored_later_stands_behind_its_call():
    stored = [
        message(1, "user", "do"),
        message(2, "assistant", "", [call("a"), call("b")]),
        message(3, "tool", "A", result_of="a"),
        message(4, "user", "go on"),
        message(5, "tool", "B", result_of="b"),
    ]
    assert [(m.role, m.content, m.tool_call_id) for m in arrange(stored)] == [
        ("user", "do", None),
        ("assistant", "", None),
        ("tool", "A", "a"),
        ("tool", "B", "b"),
        ("user", "go on", None),
    ]
    assert open_calls(stored) == []
    assert [c.id for c in open_calls(stored[:-1])] == ["b"]


@given(st.lists(st.sampled_from(["user", "assistant", "call", "result", "stray"]), max_size=30))
@pytest.mark.spec("FH-1")
def test_whatever_was_cut_every_result_follows_its_call_and_nothing_is_doubled(kinds):
    stored, waiting = [], []
    for seq, kind in enumerate(kinds, start=1):
        if kind == "call":
            stored.append(message(seq, "assistant", "", [call(f"c{seq}")]))
            waiting.append(f"c{seq}")
        elif kind == "result" and waiting:
            stored.append(message(seq, "tool", "r", result_of=waiting.pop(0)))
        elif kind == "stray":
            stored.append(message(seq, "tool", "r", result_of=f"unknown{seq}"))
        elif kind in ("user", "assistant"):
            stored.append(message(seq, kind, "x"))
    arranged = arrange(stored)
    for place, chat in enumerate(arranged):
        if chat.role == "tool":
            before = arranged[place - 1]
            assert before.role == "tool" or chat.tool_call_id in [c.id for c in before.tool_calls]
    results = [chat.tool_call_id for chat in arranged if chat.role == "tool"]
    assert len(results) == len(set(results))
    assert {c.id for c in open_calls(stored)} == set(waiting)


@pytest.mark.spec("TURN-80")
def test_the_systems_parts_stand_before_the_persons_words():
    arranged = arrange([message(1, "user", "my words", context={"parts": ["[context]", "plan mode"]})])
    assert arranged[0].content == "[context]\n\nplan mode\n\nmy words"
    assert arrange([message(1, "user", "my words")])[0].content == "my words"


@pytest.mark.spec("TURN-84", "OUT-39")
def test_the_card_keeps_twelve_arguments_and_160_characters_of_each():
    arguments = {f"a{n}": "x" * 200 for n in range(15)}
    kept = steps.card_arguments(arguments)
    assert list(kept) == [f"a{n}" for n in range(12)] + ["…"]
    assert kept["…"] == 3
    assert kept["a0"] == "x" * 160 + "…"
    assert steps.card_arguments({"n": 7, "t": "x" * 160, "big": 10**170}) == {"n": 7, "t": "x" * 160, "big": "1" + "0" * 159 + "…"}
    assert steps.card_arguments("{broken") == {"…": "{broken"}


@pytest.mark.spec("TURN-84", "OUT-38")
def test_the_card_keeps_the_beginning_of_a_good_answer_and_both_ends_of_a_failure():
    assert steps.card_output("a \n b", ok=True) == "a b"
    assert steps.card_output("y" * 160, ok=True) == "y" * 160
    assert steps.card_output("y" * 161, ok=True) == "y" * 160 + "…"
    assert steps.card_output("z" * 600, ok=False) == "z" * 600
    long = "h" * 200 + "m" * 1 + "t" * 400
    assert steps.card_output(long, ok=False) == "h" * 200 + "…" + "t" * 400


@pytest.mark.spec("TURN-82", "WIRE-3", "WIRE-13", "RES-16", "TURN-36", "TURN-94")
def test_the_numbers_of_runs_and_streams_are_those_of_the_rules():
    run = Run(id="r", agent_id="default", source="chat", conversation_id="c", status="running", started_at=NOW)
    steps.finish(run, "done", "s" * 500, NOW)
    assert run.summary == "s" * 200
    assert (frames.KEPT_SECONDS, frames.VIEWER_QUEUE, host.REMEMBERED_ENDS, host.SHUTDOWN_SECONDS) == (60, 256, 512, 10)


@pytest.mark.spec("TURN-83")
def test_a_step_is_begun_and_ended_with_its_duration():
    run = Run(id="r", agent_id="default", source="chat", conversation_id="c", status="running", started_at=NOW)
    clock = FakeClock()
    step = steps.begin(run, clock, "tool", name="t")
    assert (step.index, step.status, steps.running(run, "tool")) == (0, "running", step)
    steps.end(step, 12, output="x")
    assert (step.status, step.ms, step.output) == ("done", 12, "x")
    left = steps.begin(run, clock, "model")
    steps.close_running(run)
    assert (left.status, left.ms) == ("error", 0)
    assert json.loads(run.model_dump_json())["steps"][0]["kind"] == "tool"


@pytest.mark.spec("ESC-7", "ESC-9")
def test_the_third_repetition_of_a_call_with_the_same_answer_is_stuck():
    guard = LoopGuard()
    said = [guard.note("t", {"a": 1, "b": 2}, "same") for _ in range(3)]
    said.append(guard.note("t", {"b": 2, "a": 1}, "same"))
    assert said == ["", "", "note", "stuck"]
    assert guard.note("t", {"a": 1, "b": 2}, "other") == ""
    assert {guard.note("progress_note", {}, "ok") for _ in range(9)} == {""}


@pytest.mark.spec("OUT-38", "OUT-42")
def test_what_the_card_keeps_is_what_the_front_end_would_keep() -> None:
    """The cases are shared with ``tests/ui/shared/kept.test.ts``."""
    cases = json.loads((Path(__file__).parents[2] / "fixtures" / "kept.json").read_text(encoding="utf-8"))
    assert len(cases) > 10
    for case in cases:
        assert steps.card_output(case["text"], ok=True) == case["good"]
        assert steps.card_output(case["text"], ok=False) == case["bad"]
        assert len(case["good"]) <= 161
        assert len(case["bad"]) <= 601

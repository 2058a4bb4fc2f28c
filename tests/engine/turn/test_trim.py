"""Old tool results are shortened in the prompt of later turns, in a way that stays."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.records import Message, ToolCall
from crewlab.engine.texts import Texts
from crewlab.engine.turn import trim as module
from crewlab.engine.turn.history import arrange
from crewlab.engine.turn.trim import HEAD_CHARS, trim
from tests.fixtures.crews import a_crew, say

TEXTS = Texts()
AT = "2026-01-01T00:00:00.000000+00:00"


def history(turns):
    """Messages of turns; each turn is a list of (tool, characters of its result); returns them and each ``after_seq``."""
    messages, marks = [], []
    for turn, results in enumerate(turns):
        marks.append(len(messages))

        def add(role, content, **more):
            seq = len(messages) + 1
            messages.append(Message(id=seq, seq=seq, role=role, content=content, created_at=AT, **more))

        add("user", f"q{turn}")
        for place, (name, chars) in enumerate(results):
            call = f"c{turn}_{place}"
            add("assistant", "", tool_calls=[ToolCall(id=call, name=name, arguments={})])
            add("tool", f"{call}:" + "x" * chars, tool_call_id=call, name=name)
        add("assistant", "done")
    return messages, marks


def contents(messages):
    return {m.tool_call_id: m.content for m in messages if m.role == "tool"}


@pytest.mark.spec("TURN-31", "OUT-64", "DLG-44")
def test_results_older_than_four_openings_are_cut_to_their_beginning_with_the_id_of_the_call():
    messages, marks = history(
        [[("fetch", 150_000), ("delegate", 60_000), ("small", 1_900)], [("fetch", 3_000)], [], [], [("fetch", 5_000)]]
    )
    found = contents(trim(messages, marks[-1], TEXTS))
    whole = contents(messages)
    assert found["c0_0"].startswith(whole["c0_0"][:HEAD_CHARS] + "\n")
    assert len(found["c0_0"]) < HEAD_CHARS + 120
    assert "c0_0" in found["c0_0"].splitlines()[-1]
    assert str(len(whole["c0_0"])) in found["c0_0"].splitlines()[-1]
    for kept in ("c0_1", "c0_2", "c1_0", "c4_0"):  # a child's answer, a short one, the last four turns, the running turn
        assert found[kept] == whole[kept]


@pytest.mark.spec("TURN-31")
def test_a_history_up_to_the_limit_is_left_whole_and_the_running_turn_does_not_count():
    messages, marks = history([[("fetch", 150_000)], [], [], [], [("fetch", 190_000)]])
    assert trim(messages, marks[-1], TEXTS) == messages


TURNS = st.lists(st.lists(st.tuples(st.sampled_from(["fetch", "delegate"]), st.integers(0, 90_000)), max_size=2), min_size=1, max_size=12)


@pytest.mark.spec("TURN-31")
@settings(max_examples=60, deadline=None)
@given(turns=TURNS)
def test_a_result_once_shortened_stays_shortened_in_the_same_way(turns):
    messages, marks = history(turns)
    before: dict[str, str] = {}
    for number, mark in enumerate(marks):
        end = marks[number + 1] if number + 1 < len(marks) else len(messages)
        seen = contents(trim(messages[: mark + 1], mark, TEXTS))
        for call, content in before.items():
            assert seen[call] == content
        later = contents(trim(messages[:end], mark, TEXTS))
        assert {call: later[call] for call in seen} == seen  # the same at the end of the turn as at its start
        whole = contents(messages)
        before = {call: content for call, content in later.items() if content != whole[call]}


@pytest.mark.spec("TURN-31")
async def test_the_model_reads_the_short_form_and_the_store_keeps_the_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "HISTORY_CHARS", 5_000)
    seen = []

    async def looks(scene):
        seen.append(scene.request.messages)
        yield "ok"

    async with a_crew(tmp_path, routes="fake:looks", scripts={"looks": looks}) as crew:
        conversation = crew.conversations.create().id
        messages, _ = history([[("fetch", 6_000)], [], [], []])
        for m in messages:
            crew.store.messages.append(
                conversation, m.role, m.content, AT, tool_calls=tuple(m.tool_calls), tool_call_id=m.tool_call_id, name=m.name
            )
        await say(crew, "go", conversation)
        assert len(next(m for m in seen[0] if m.role == "tool").content) < 700
        stored = crew.conversations.detail(conversation).messages
        assert len(next(m for m in stored if m.role == "tool").content) > 6_000
        assert len(arrange(stored)) == len(stored)

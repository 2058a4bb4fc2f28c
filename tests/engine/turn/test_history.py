"""The arrangement that grows with a turn is the one that is made from all messages."""

from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.records import Message, ToolCall
from crewlab.engine.turn.history import History, arrange

Kind = st.one_of(
    st.just(("user", 0)),
    st.tuples(st.just("assistant"), st.integers(0, 3)),
    st.tuples(st.just("tool"), st.integers(0, 5)),
)


def messages(kinds: list[tuple[str, int]]) -> list[Message]:
    """A history in which results come in order, late, in another order, or for no call at all; none comes twice."""
    made: list[Message] = []
    open_ids: list[str] = []
    for place, (kind, n) in enumerate(kinds, start=1):
        values = {"id": place, "seq": place, "role": kind, "content": f"{place}", "created_at": ""}
        if kind == "assistant":
            ids = [f"c{place}_{i}" for i in range(n)]
            open_ids += ids
            values["tool_calls"] = [ToolCall(id=each, name="t", arguments={}) for each in ids]
        if kind == "tool":
            values["tool_call_id"] = open_ids.pop(n % len(open_ids)) if open_ids and n < 5 else f"nobody{place}"
        made.append(Message(**values))
    return made


@given(st.lists(Kind, max_size=14), st.integers(0, 14))
def test_growing_arranges_like_making_anew(kinds: list[tuple[str, int]], known: int) -> None:
    stored = messages(kinds)
    history = History(stored[:known])
    assert history.arranged() == arrange(stored[:known])
    for place in range(known, len(stored)):
        history.append(stored[place])
        assert history.arranged() == arrange(stored[: place + 1])
    for message in stored:
        assert all(history.used(call.id) for call in message.tool_calls)

"""The reader of server-sent events: cuts anywhere, endings of any kind, a bound on the length."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crewlab.engine.models.sse import SseDecoder, SseEvent, SseTooLong

STREAM = ": comment\r\n\r\nevent: a\ndata: Xin chào 👋\ndata:second\n\ndata\n\r\rid: 3\rdata: é\r\n\r\ndata: last".encode()
EVENTS = [SseEvent("a", "Xin chào 👋\nsecond"), SseEvent("", ""), SseEvent("", "é"), SseEvent("", "last")]


def decode(pieces: list[bytes]) -> list[SseEvent]:
    decoder = SseDecoder()
    events = [event for piece in pieces for event in decoder.feed(piece)]
    return events + decoder.finish()


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_every_split_gives_the_same_events(cuts: list[int]) -> None:
    edges = [0, *sorted(cuts), len(STREAM)]
    assert decode([STREAM[a:b] for a, b in itertools.pairwise(edges)]) == EVENTS


def test_byte_by_byte() -> None:
    assert decode([STREAM[n : n + 1] for n in range(len(STREAM))]) == EVENTS


def test_a_byte_order_mark_and_bad_bytes_do_not_stop_it() -> None:
    assert decode([b"\xef\xbb", b"\xbfdata: a\n\n", b"data: \xff\n\n"]) == [SseEvent("", "a"), SseEvent("", "\ufffd")]


@pytest.mark.parametrize("endless", [b"data: " + b"x" * 200, b"x" * 200, b"data: xxxxxxxxx\n" * 20])
def test_an_endless_event_is_refused(endless: bytes) -> None:
    decoder = SseDecoder(max_chars=100)
    with pytest.raises(SseTooLong):
        for start in range(0, len(endless), 7):
            decoder.feed(endless[start : start + 7])

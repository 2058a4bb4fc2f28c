"""An incremental reader of server-sent events: bytes in, the data of whole events out.

Cuts may fall anywhere, also inside a UTF-8 character or between CR and LF.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass

MAX_EVENT_CHARS = 8 * 1024 * 1024  # one event; longer means that the server does not speak SSE


class SseTooLong(Exception):
    """One event is longer than ``MAX_EVENT_CHARS``."""


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One event: its name (empty when the server gave none) and its data lines joined."""

    name: str
    data: str


class SseDecoder:
    """``feed`` bytes, get events; ``finish`` gives an event that the server did not end."""

    def __init__(self, max_chars: int = MAX_EVENT_CHARS) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._max = max_chars
        self._line: list[str] = []
        self._line_chars = 0
        self._after_cr = False
        self._first = True
        self._name = ""
        self._data: list[str] = []
        self._data_chars = 0

    def feed(self, chunk: bytes) -> list[SseEvent]:
        """The events that ``chunk`` completes."""
        return self._take(self._decoder.decode(chunk))

    def finish(self) -> list[SseEvent]:
        """What is left at the end of the stream: a last event without its empty line counts."""
        events = self._take(self._decoder.decode(b"", True))
        if self._line:
            self._end_line(events)
        self._dispatch(events)
        return events

    def _take(self, text: str) -> list[SseEvent]:
        events: list[SseEvent] = []
        if text and self._first:
            self._first = False
            text = text.removeprefix("\ufeff")
        if self._after_cr and text:
            self._after_cr = False
            text = text.removeprefix("\n")
        start = 0
        while (end := _line_end(text, start)) >= 0:
            self._keep(text[start:end])
            self._end_line(events)
            start = end + 1
            if text[end] == "\r":
                if start == len(text):
                    self._after_cr = True
                elif text[start] == "\n":
                    start += 1
        self._keep(text[start:])
        return events

    def _keep(self, piece: str) -> None:
        if piece:
            self._line_chars += len(piece)
            if self._line_chars + self._data_chars > self._max:
                raise SseTooLong
            self._line.append(piece)

    def _end_line(self, events: list[SseEvent]) -> None:
        line = "".join(self._line)
        self._line, self._line_chars = [], 0
        if not line:
            self._dispatch(events)
            return
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
            self._data_chars += len(value) + 1
        elif field == "event":
            self._name = value

    def _dispatch(self, events: list[SseEvent]) -> None:
        if self._data:
            events.append(SseEvent(self._name, "\n".join(self._data)))
        self._name, self._data, self._data_chars = "", [], 0


def _line_end(text: str, start: int) -> int:
    newline, carriage = text.find("\n", start), text.find("\r", start)
    if newline < 0 or carriage < 0:
        return max(newline, carriage)
    return min(newline, carriage)

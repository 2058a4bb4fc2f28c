"""What a small model writes, read while it streams (LOC-14, LOC-16).

``ReplyReader`` reads ``{"answer": "…"}`` or ``{"tool": …, "args": {…}}`` and gives the answer's text as it
grows. ``runs_away`` notices a text that only repeats itself.
"""

from __future__ import annotations

import json
import re

from crewlab.engine.models.calls import read_arguments
from crewlab.engine.models.unicode import SurrogateMender
from crewlab.engine.records import ToolCall

ANSWER = re.compile(r'\s*\{\s*"answer"\s*:\s*"')
TOOL = re.compile(r'"tool"\s*:\s*"([^"]*)"')
ARGS = re.compile(r'"args"\s*:\s*(\{.*)', re.DOTALL)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
UNICODE_DIGITS = 4
REPEATS = 6  # of the same piece at the end of a text
MIN_RUN_CHARS = 90
MAX_PIECE_CHARS = 160
TAIL_CHARS = 1_600
SENTENCE_END = re.compile(r"[.!?\n]+\s*")
MIN_SENTENCE_CHARS = 24
SENTENCE_REPEATS = 4
DIGITS = re.compile(r"\d+")


class ReplyReader:
    """``feed`` pieces of the raw reply, get pieces of the answer's text; ``call`` at the end."""

    def __init__(self) -> None:
        self._raw = ""
        self._at: int | None = None  # where in the raw text the answer is read on
        self._closed = False
        self._mender = SurrogateMender()

    def feed(self, piece: str) -> str:
        """The text that ``piece`` adds to the answer."""
        self._raw += piece
        if self._at is None:
            found = ANSWER.match(self._raw)
            if found is None:
                return ""
            self._at = found.end()
        out: list[str] = []
        while not self._closed and (char := self._next_char()) is not None:
            out.append(char)
        return self._mender.add("".join(out))

    def _next_char(self) -> str | None:
        """One character of the JSON string, or ``None`` when the rest has not come or the string ends."""
        at, raw = self._at or 0, self._raw
        if at >= len(raw):
            return None
        if raw[at] == '"':
            self._closed = True
            return None
        if raw[at] != "\\":
            self._at = at + 1
            return raw[at]
        if at + 1 >= len(raw):
            return None
        if raw[at + 1] != "u":
            self._at = at + 2
            return ESCAPES.get(raw[at + 1], raw[at + 1])
        digits = raw[at + 2 : at + 2 + UNICODE_DIGITS]
        if len(digits) < UNICODE_DIGITS:
            return None
        self._at = at + 2 + UNICODE_DIGITS
        try:
            return chr(int(digits, 16))
        except ValueError:
            return "\ufffd"

    def call(self, call_id: str) -> ToolCall | None:
        """The call of the reply; arguments that broke off stay as they are (PRV-18)."""
        if self._at is not None:
            return None
        try:
            reply = json.loads(self._raw)
        except (ValueError, RecursionError):
            reply = None
        if isinstance(reply, dict) and isinstance(reply.get("tool"), str):
            arguments = reply.get("args", {})
            return ToolCall(id=call_id, name=reply["tool"], arguments=arguments if isinstance(arguments, dict) else str(arguments))
        tool, rest = TOOL.search(self._raw), ARGS.search(self._raw)
        if tool is None:
            return None
        return ToolCall(id=call_id, name=tool[1], arguments=read_arguments(rest[1]) if rest else "{")


def runs_away(text: str) -> bool:
    """Whether ``text`` repeats itself at its end: one piece again and again, or one sentence too often.

    Numbers count as equal, so that a numbered list of the same word is noticed.
    """
    tail = DIGITS.sub("#", text[-TAIL_CHARS:])
    for size in range(1, MAX_PIECE_CHARS + 1):
        need = max(REPEATS * size, MIN_RUN_CHARS)
        if need > len(tail):
            break
        if tail[-need:][size:] == tail[-need:][:-size]:
            return True
    sentences = [part for part in SENTENCE_END.split(tail) if len(part) >= MIN_SENTENCE_CHARS]
    return len(sentences) > 1 and sentences.count(sentences[-2]) >= SENTENCE_REPEATS

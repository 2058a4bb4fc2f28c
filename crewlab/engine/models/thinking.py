"""Thinking that a server leaves in the text, between ``<think>`` tags at the beginning (PRV-12)."""

from __future__ import annotations

from typing import Literal

BEGIN, END = "<think>", "</think>"


class ThinkingFilter:
    """``feed`` pieces, get the text without the thinking; ``inside`` while the model thinks."""

    def __init__(self) -> None:
        self._state: Literal["before", "inside", "after", "text"] = "before"
        self._held = ""

    @property
    def inside(self) -> bool:
        """Whether the last piece was thinking."""
        return self._state == "inside"

    def feed(self, piece: str) -> str:
        """What of ``piece`` is text."""
        if self._state == "text":
            return piece
        self._held += piece
        if self._state == "before":
            start = self._held.lstrip()
            if BEGIN.startswith(start[: len(BEGIN)]) and len(start) < len(BEGIN):
                return ""
            if not start.startswith(BEGIN):
                return self.finish()
            self._state, self._held = "inside", start[len(BEGIN) :]
        if self._state == "inside":
            _, end, rest = self._held.partition(END)
            if not end:
                self._held = self._held[-len(END) :]
                return ""
            self._state, self._held = "after", rest
        self._held = self._held.lstrip()
        return self.finish() if self._held else ""

    def finish(self) -> str:
        """The text still held, when the stream ends or no thinking begins; unfinished thinking is dropped."""
        if self._state == "inside":
            return ""
        self._state = "text"
        held, self._held = self._held, ""
        return held

"""Server-sent events as text becomes frames: the wire form of WIRE-4, parsed line by line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Frame:
    """One event of a stream: ``id`` is what ``Last-Event-ID`` names, ``data`` repeats the name as ``type``."""

    id: str | None
    event: str
    data: dict[str, Any]


@dataclass(slots=True)
class SseParser:
    """Feed it lines without their ends; it gives a frame at each empty line. Comments (the ping) are dropped."""

    _id: str | None = None
    _event: str = ""
    _data: list[str] = field(default_factory=list)

    def feed(self, line: str) -> Iterator[Frame]:
        """The frames that ``line`` completes: none or one. Data that is no JSON object is dropped."""
        if line == "":
            yield from self._finish()
        elif not line.startswith(":"):
            name, _, value = line.partition(":")
            self._field(name, value.removeprefix(" "))

    def _field(self, name: str, value: str) -> None:
        if name == "data":
            self._data.append(value)
        elif name == "event":
            self._event = value
        elif name == "id" and "\0" not in value:
            self._id = value

    def _finish(self) -> Iterator[Frame]:
        text, event = "\n".join(self._data), self._event
        self._data, self._event = [], ""
        if not text:
            return
        try:
            data = json.loads(text)
        except ValueError:
            return
        if isinstance(data, dict):
            yield Frame(self._id, event or str(data.get("type", "message")), data)

"""What a widget has sent to the page, and the page's side of it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from crewlab.widgets.live import LiveWidget
from crewlab.widgets.wire import Json, apply_change

PATIENCE = 30.0
STREAM = "GET /activity/stream"


class Seen:
    """Custom messages (pages put together again) and values of the state trait, in order, with their times."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.raw: list[tuple[float, Any]] = []
        self.sent: list[Any] = []
        self.state: Json = {}
        self.changed = threading.Condition()
        self._pages: dict[int, list[str]] = {}
        monkeypatch.setattr(LiveWidget, "send", lambda _, content, buffers=None: self.add(content))
        monkeypatch.setattr(LiveWidget, "send_state", lambda one, key=None: self.add({"trait": one.state}) if key == "state" else None)

    def add(self, content: Any) -> None:
        with self.changed:
            self.raw.append((time.monotonic(), content))
            whole = self._whole(content)
            if whole is not None:
                self.sent.append(whole)
                self._take(whole)
            self.changed.notify_all()

    def _whole(self, content: Any) -> Any:
        if content.get("type") != "page":
            return content
        texts = self._pages.setdefault(content["of"], [])
        assert len(texts) == content["index"]
        texts.append(content["text"])
        return json.loads("".join(texts)) if len(texts) == content["count"] else None

    def _take(self, message: Mapping[str, Any]) -> None:
        if "trait" in message:
            self.state = message["trait"]
        elif message.get("type") in ("state", "change"):
            assert message["type"] == "state" or self.state["v"] == message["from"]
            self.state = apply_change(self.state, message)

    def until(self, found: Callable[[], object]) -> None:
        """Waits until ``found`` says so."""
        with self.changed:
            assert self.changed.wait_for(found, PATIENCE), (self.state, self.sent[-3:])

    def answers(self) -> list[Any]:
        """Answers to what the page asked for."""
        return [one for one in self.sent if one.get("type") == "answer"]


def ask(widget: LiveWidget, seen: Seen, action: str, **fields: Any) -> Any:
    """Asks as the page does; the answer as it comes."""
    number = len(seen.sent) + 1000
    widget._message(widget, {"action": action, "id": number, **fields}, [])
    seen.until(lambda: [one for one in seen.answers() if one["id"] == number])
    return next(one for one in seen.answers() if one["id"] == number)


def ready(widget: LiveWidget, seen: Seen) -> None:
    """The page is there and has the whole state."""
    before = len(seen.sent)
    widget._message(widget, {"type": "ready"}, [])
    seen.until(lambda: any(one.get("type") == "state" and one["state"]["v"] > 0 for one in seen.sent[before:]))

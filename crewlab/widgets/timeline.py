"""``RunTimeline``: one run, live (UI-155)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from crewlab.notebook.chat import Conversation
from crewlab.notebook.client import Crew
from crewlab.notebook.errors import CrewError
from crewlab.notebook.http import Http
from crewlab.notebook.locate import locate
from crewlab.notebook.words import machine_language, say
from crewlab.widgets.hub import Hub, hub_of
from crewlab.widgets.state import changes, is_over, timeline_state

STATIC = Path(__file__).parent / "static"
LOOK_BACK = 20  # runs of a conversation to look through: those of its children stand among them (TURN-91)

Json = dict[str, Any]


def front_end(name: str) -> Path:
    """A built file of the front end; raises ``CrewError`` when it has not been built."""
    path = STATIC / name
    if not path.exists():
        raise CrewError("no_front_end", 0, say("no_front_end"))
    return path


class RunTimeline(anywidget.AnyWidget):
    """The timeline of a run, or of the newest run of a conversation. The page gets text and numbers, never the token (UI-159).

    Python code may read and observe ``selected_step`` (index of the chosen step, or None) and ``status`` (UI-162).
    """

    _esm = front_end("timeline.js")
    _css = front_end("timeline.css")

    state = traitlets.Dict().tag(sync=True)
    selected_step = traitlets.Int(None, allow_none=True).tag(sync=True)
    status = traitlets.Unicode("")

    def __init__(self, run_id: str | None = None, *, conversation: Conversation | str | None = None, crew: Crew | None = None) -> None:
        if (run_id is None) == (conversation is None):
            raise CrewError("invalid", 0, say("one_of_run_conversation"))
        self._run_id = run_id
        self._conversation_id = conversation if conversation is None or isinstance(conversation, str) else str(conversation["id"])
        self._run: Mapping[str, Any] | None = None
        self._offline: str | None = None  # why the server cannot be heard
        self._fault: str | None = None  # why the run cannot be shown
        self._loaded = False
        self._sent: Json = {}
        self._ready = False
        self._whole = False
        self._language = machine_language()
        super().__init__()
        self._hub: Hub = hub_of(crew.server if crew is not None else locate())
        self.on_msg(self._message)
        self._hub.join(self)

    def close(self) -> None:
        """Ends the widget; the last one of a kernel ends the subscription (UI-163)."""
        hub = getattr(self, "_hub", None)
        if hub is not None:
            hub.leave(self)
        super().close()

    async def load(self, http: Http) -> None:
        """Reads the run as it stands."""
        try:
            self._language = await http.read_language() or self._language
            run = await self._read(http)
        except CrewError as fault:
            run, self._fault = None, fault.message
        self._loaded = True
        if run is not None and self._run is None:  # what the stream has told meanwhile is newer
            self._take(run)

    async def _read(self, http: Http) -> Mapping[str, Any] | None:
        run_id = self._run_id
        if run_id is None:
            params = {"conversation_id": self._conversation_id, "limit": LOOK_BACK}
            found = (await http.json("GET", "/activity/runs", params=params))["runs"]
            own = [run for run in found if run.get("conversation_id") == self._conversation_id]
            if not own:
                return None
            run_id = str(own[0]["id"])
        return await http.json("GET", f"/activity/runs/{run_id}")

    def frame(self, frame: Mapping[str, Any]) -> None:
        """Takes the run out of a ``snapshot`` or ``run`` frame."""
        self._offline = None
        if frame.get("type") == "snapshot":
            for run in sorted(frame["runs"], key=lambda run: str(run["started_at"])):
                self._take(run)
        elif frame.get("type") == "run":
            self._take(frame["run"])

    def _take(self, run: Mapping[str, Any]) -> None:
        if self._run_id is not None:
            wanted = run["id"] == self._run_id
        else:
            newer = self._run is None or run["id"] == self._run["id"] or run["started_at"] >= self._run["started_at"]
            wanted = run.get("conversation_id") == self._conversation_id and newer
        if wanted:
            self._run = run

    def offline(self, message: str | None) -> None:
        """The server is gone: the state stays, with the reason."""
        self._offline = message

    def flush(self) -> None:
        """Sends the change since the last time; whole at the start, at the end and when the page asks (UI-158)."""
        state = self._state()
        if not self._loaded and self._run is None:
            return
        change = changes(self._sent, state)
        if change is None and not self._whole:
            return
        self._sent, whole, self._whole = state, self._whole, False
        self.status = str(state["run"]["status"]) if state["run"] else ""
        if whole and self.state == state:
            self.send({"type": "state", "state": state})
        elif whole or not self._ready or is_over(state):
            self.state = state
        else:
            self.send(change)

    def _state(self) -> Json:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return {
            **timeline_state(self._run, at=now, language=self._language),
            "offline": self._offline or (self._fault if self._run is None else None),
        }

    def _message(self, _widget: object, content: Any, _buffers: object) -> None:
        """A message of the page: ``ready``, or an action (UI-159)."""
        if not isinstance(content, dict):
            return
        if content.get("type") == "ready":
            self._ready = self._whole = True
            self._hub.touch()
        elif content.get("action") == "stop":
            self._hub.call(self._stop)
        elif content.get("action") == "select" and isinstance(content.get("step"), int | None):
            self.selected_step = content.get("step")

    async def _stop(self, http: Http) -> None:
        """Stops the turn; the page that asked hears how it went."""
        answer: Json = {"type": "answer", "action": "stop", "error": None}
        try:
            if self._run is not None and self._run.get("conversation_id"):
                await http.json("POST", f"/conversations/{self._run['conversation_id']}/stop")
        except CrewError as fault:
            answer["error"] = fault.message
        self.send(answer)

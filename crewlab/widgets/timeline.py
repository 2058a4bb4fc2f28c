"""``RunTimeline``: one run, live (UI-155)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from crewlab.notebook.chat import Conversation
from crewlab.notebook.client import Crew
from crewlab.notebook.errors import CrewError
from crewlab.notebook.http import Http
from crewlab.notebook.records import Run
from crewlab.notebook.words import say
from crewlab.widgets.live import Action, LiveWidget, front_end
from crewlab.widgets.state import timeline_state
from crewlab.widgets.wire import Json, trimmed

LOOK_BACK = 20  # runs of a conversation to look through: those of its children stand among them (TURN-91)


class RunTimeline(LiveWidget):
    """The timeline of a run, or of the newest run of a conversation. The page gets text and numbers, never the token (UI-159).

    Python code may read and observe ``selected_step`` (index of the chosen step, or None) and ``status`` (UI-162).
    """

    _esm = front_end("timeline.js")
    _css = front_end("timeline.css")
    LISTS: ClassVar[Mapping[str, str]] = {"steps": "index"}

    selected_step = traitlets.Int(None, allow_none=True).tag(sync=True)

    def __init__(self, run_id: str | None = None, *, conversation: Conversation | str | None = None, crew: Crew | None = None) -> None:
        if (run_id is None) == (conversation is None):
            raise CrewError("invalid", 0, say("one_of_run_conversation"))
        self._run_id = run_id
        self._conversation_id = conversation if conversation is None or isinstance(conversation, str) else str(conversation["id"])
        self._run: Mapping[str, Any] | None = None
        super().__init__(crew)

    async def read(self, http: Http) -> None:
        """Reads the run as it stands."""
        run = await self._find(http)
        if run is not None and self._run is None:  # what the stream has told meanwhile is newer
            self._show(run)

    async def _find(self, http: Http) -> Mapping[str, Any] | None:
        run_id = self._run_id
        if run_id is None:
            params = {"conversation_id": self._conversation_id, "limit": LOOK_BACK}
            found = (await http.json("GET", "/activity/runs", params=params))["runs"]
            own = [run for run in found if run.get("conversation_id") == self._conversation_id]
            if not own:
                return None
            run_id = str(own[0]["id"])
        return await http.json("GET", f"/activity/runs/{run_id}")

    def take(self, frame: Mapping[str, Any]) -> bool:
        """Takes the run out of a ``snapshot`` or ``run`` frame."""
        if frame.get("type") == "snapshot":
            for run in sorted(frame["runs"], key=lambda run: str(run["started_at"])):
                self._show(run)
        elif frame.get("type") == "run":
            self._show(frame["run"])
        return False

    def _show(self, run: Mapping[str, Any]) -> None:
        if self._run_id is not None:
            wanted = run["id"] == self._run_id
        else:
            newer = self._run is None or run["id"] == self._run["id"] or run["started_at"] >= self._run["started_at"]
            wanted = run.get("conversation_id") == self._conversation_id and newer
        if wanted:
            self._run, self._fault = run, None
            self._loaded.set()

    def contents(self) -> Json:
        """Head and steps of the run."""
        return timeline_state(self._run)

    def trim(self, contents: Json, limit: int) -> Json:
        """Without the oldest steps, when there are too many."""
        return trimmed(contents, "steps", limit)

    def told(self, contents: Json) -> None:
        """The status of the run."""
        self.status = str(contents["run"]["status"]) if contents["run"] else ""

    def actions(self) -> Mapping[str, Action]:
        """Stop the turn, choose a step."""
        return {"stop": self._stop, "select": self._select}

    async def _stop(self, http: Http, _: Mapping[str, Any]) -> None:
        if self._run is not None and self._run.get("conversation_id"):
            await http.json("POST", f"/conversations/{self._run['conversation_id']}/stop")

    async def _select(self, _: Http, content: Mapping[str, Any]) -> None:
        if not isinstance(content["step"], int | None):
            raise ValueError(content["step"])
        self.selected_step = content["step"]

    def plain(self) -> str:
        """The run and its steps as text."""
        if self._run is None:
            return self._fault or say("no_run", self._language)
        run = Run(self._run)
        return f"{run!r}\n{run.steps!r}" if run.steps else repr(run)

"""``Approvals``: what waits for a person, decided in place, and what was decided (UI-155, GATE-32)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import traitlets

from crewlab.notebook.client import Crew
from crewlab.notebook.http import Http
from crewlab.notebook.requests import request_text
from crewlab.notebook.words import say
from crewlab.widgets.live import Action, LiveWidget, front_end
from crewlab.widgets.wire import MAX_STATE_BYTES, Json, size, trimmed

MOST = 200  # requests read at a time (TURN-14)
DECIDED = 50  # decided requests shown
ASKED = ("approval_required", "approval_decided")  # events that change the list


def decision_of(content: Mapping[str, Any]) -> Json:
    """What the page said to a request, as the route takes it (GATE-73, ASKU-9). Raises ``ValueError``."""
    if content.get("skip") is True:
        return {"skip": True}
    if "labels" in content:
        return {"answer": {"labels": [str(label) for label in content["labels"]], "text": str(content.get("text", ""))}}
    if content["decision"] not in ("approve", "deny"):
        raise ValueError(content["decision"])
    return {"decision": content["decision"], "always": content.get("always") is True}


async def name_agents(http: Http) -> list[Json]:
    """The agents as pages name them."""
    agents = (await http.json("GET", "/agents"))["agents"]
    return [{"id": agent["id"], "name": agent["name"], "master": bool(agent.get("master"))} for agent in agents]


def within(contents: Json, limit: int) -> Json:
    """Without the oldest decided requests, when there are too many. A request that waits is never shortened (GATE-31):
    those for which there is no room come when others are decided, and ``hidden`` says how many they are."""
    fields = trimmed(contents, "decided", limit)
    room = limit - size({**fields, "pending": []})
    shown: list[Json] = []
    for request in fields["pending"]:
        room -= size(request)
        if room < 0 and (shown or limit < MAX_STATE_BYTES):
            break
        shown.append(request)
    hidden = fields.get("hidden", 0) + len(fields["pending"]) - len(shown)
    return {**fields, "pending": shown, "hidden": hidden}


class Approvals(LiveWidget):
    """Requests of the whole crew, each with all its arguments. Nothing is decided but by a person's click (UI-149).

    Python code may read and observe ``pending``: the requests that wait (UI-162).
    """

    _esm = front_end("approvals.js")
    _css = front_end("approvals.css")
    LISTS: ClassVar[Mapping[str, str]] = {"pending": "id", "decided": "id", "agents": "id"}

    pending = traitlets.List(traitlets.Dict())

    def __init__(self, *, crew: Crew | None = None) -> None:
        self._pending: list[Json] = []
        self._decided: list[Json] = []
        self._agents: list[Json] = []
        super().__init__(crew)

    async def read(self, http: Http) -> None:
        """Reads what waits, and what was decided last."""
        waiting = (await http.json("GET", "/approvals", params={"status": "pending", "limit": MOST}))["approvals"]
        found = (await http.json("GET", "/approvals", params={"limit": min(MOST, len(waiting) + DECIDED)}))["approvals"]
        self._agents = await name_agents(http)
        self._pending = [one for one in waiting if one["status"] == "pending"]
        self._decided = [one for one in found if one["status"] != "pending"][:DECIDED][::-1]

    def take(self, frame: Mapping[str, Any]) -> bool:
        """A request has come or gone; after a new connection something may have been missed."""
        kind = frame.get("type")
        if kind == "event":
            return frame.get("name") in ASKED
        return kind == "snapshot" or (kind == "conversation" and bool(frame.get("deleted")))

    def contents(self) -> Json:
        """What waits, the longest first as the server lists it; decided ones, the newest last."""
        return {"pending": self._pending, "hidden": 0, "decided": self._decided, "agents": self._agents, "dropped": 0}

    def trim(self, contents: Json, limit: int) -> Json:
        """Within ``limit``."""
        return within(contents, limit)

    def told(self, contents: Json) -> None:
        """The requests that wait."""
        self.pending = self._pending
        self.status = f"{len(self._pending)} pending"

    def actions(self) -> Mapping[str, Action]:
        """Decide, answer, skip: one request at a time."""
        return {"decide": self._decide}

    async def _decide(self, http: Http, content: Mapping[str, Any]) -> Json:
        try:
            return await http.json("POST", f"/approvals/{content['approval']}", body=decision_of(content))
        finally:
            self.reread()  # also when somebody was first (UI-63)

    def plain(self) -> str:
        """What waits, with every argument, as text."""
        if self._fault or not self._pending:
            return self._fault or say("nothing_waits", self._language)
        return "\n\n".join(request_text(one, self._language) for one in self._pending)

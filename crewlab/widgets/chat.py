"""``Chat``: one conversation with its composer (UI-155)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any, ClassVar

import traitlets

from crewlab.notebook.chat import Conversation
from crewlab.notebook.client import Crew
from crewlab.notebook.errors import CrewError, NotFound, ServerGone
from crewlab.notebook.following import RESEND_AFTER, join_turn
from crewlab.notebook.http import Http
from crewlab.notebook.reducers import add_queued, add_sent, empty_conversation, keep_end, reduce_conversation, show_conversation
from crewlab.notebook.words import say
from crewlab.notebook.zone import iana_zone
from crewlab.widgets.approvals import decision_of, name_agents
from crewlab.widgets.live import Action, LiveWidget, front_end
from crewlab.widgets.wire import Json, trimmed


class Chat(LiveWidget):
    """A thread with its stream, queue, requests and composer. Without ``conversation`` the first message opens one with ``agent``.

    Python code may read and observe ``conversation_id``, ``status``, ``text`` (the last answer so far) and ``pending`` (UI-162).
    """

    _esm = front_end("chat.js")
    _css = front_end("chat.css")
    LISTS: ClassVar[Mapping[str, str]] = {"items": "key", "queued": "item_id", "agents": "id"}

    conversation_id = traitlets.Unicode(None, allow_none=True)
    text = traitlets.Unicode("")
    pending = traitlets.Dict(None, allow_none=True)

    def __init__(self, conversation: Conversation | str | None = None, agent: str | None = None, *, crew: Crew | None = None) -> None:
        self._id = conversation if conversation is None or isinstance(conversation, str) else str(conversation["id"])
        self._agent = agent
        self._agents: list[Json] = []
        self._view: Json = empty_conversation()
        self._gone = False
        self._following: asyncio.Task[None] | None = None
        super().__init__(crew)

    # What stands in the thread

    async def read(self, http: Http) -> None:
        """Reads the conversation as it stands; a turn that runs is followed."""
        if not self._agents:
            self._agents = await name_agents(http)
        if self._id is None or self._follows:
            return
        try:
            detail = await http.json("GET", f"/conversations/{self._id}")
        except NotFound:
            self._gone = True
            return
        if not self._follows:  # what the stream has told meanwhile is newer
            self._view = keep_end(self._view, show_conversation(detail, bool(detail["running"])))
        if detail["running"]:
            self._follow()

    def take(self, frame: Mapping[str, Any]) -> bool:
        """What another side did to this conversation: its turns are followed, its changes read."""
        kind = frame.get("type")
        if self._id is None:
            return False
        if kind == "conversation" and frame.get("deleted") and frame.get("id") == self._id:
            self._gone = True
            return False
        changed = kind == "snapshot" or _of(frame) == self._id
        if changed and not self._follows and kind == "run" and frame["run"]["status"] == "running":
            self._follow()
        return changed and not self._follows

    @property
    def _follows(self) -> bool:
        return self._following is not None and not self._following.done()

    def _follow(self) -> None:
        if not self._follows:
            self._following = asyncio.get_running_loop().create_task(self._hub.with_http(self._events))

    async def _events(self, http: Http) -> None:
        """The events of the running turn, to its end; then the conversation is read, because the next may have begun."""
        try:
            async with aclosing(join_turn(http, str(self._id))) as events:
                async for event in events:
                    self._view = keep_end(self._view, reduce_conversation(self._view, event))
                    self._hub.touch()
        except CrewError as fault:
            self._fault = fault.message
        finally:
            self._following = None
        self.reread()

    def contents(self) -> Json:
        """The view of the conversation."""
        return {**self._view, "id": self._id, "gone": self._gone, "agent": self._agent, "agents": self._agents, "dropped": 0}

    def trim(self, contents: Json, limit: int) -> Json:
        """Without the oldest things of the thread, when there are too many."""
        return trimmed(contents, "items", limit)

    def told(self, contents: Json) -> None:
        """What Python code reads."""
        self.conversation_id = self._id
        self.pending = self._view["pending"]
        self.text = next((item["text"] for item in reversed(self._view["items"]) if item["kind"] == "answer"), "")
        self.status = status_of(self._view)

    # What the page may ask for

    def actions(self) -> Mapping[str, Action]:
        """Send (and with it queue and steer), stop, decide, raise the cap, branch."""
        return {"send": self._say, "stop": self._stop, "decide": self._decide, "cap": self._cap, "fork": self._fork, "open": self._open}

    async def _say(self, http: Http, content: Mapping[str, Any]) -> Json:
        """Sends under the name that the page gave, so that a repeated send is one message (UI-49)."""
        text, name = str(content["text"]), str(content["request_id"])
        if self._id is None:
            body = {"agent": self._agent} if self._agent else {}
            self._id = str((await http.json("POST", "/conversations", body=body))["id"])
        zone = iana_zone()
        sent = await self._post(http, {"text": text, "request_id": name, **({"timezone": zone} if zone else {})})
        self._take_sent(sent, text)
        return sent

    async def _post(self, http: Http, body: Json) -> Json:
        for delay in RESEND_AFTER:
            try:
                return await http.json("POST", f"/conversations/{self._id}/messages", body=body)
            except ServerGone:
                await asyncio.sleep(delay)
        return await http.json("POST", f"/conversations/{self._id}/messages", body=body)

    def _take_sent(self, sent: Json, text: str) -> None:
        place = sent.get("queued")
        if place:
            self._view = add_queued(self._view, {"created_at": "", **place, "text": text})
        elif sent.get("message_id") is not None and sent.get("status") == "started":
            self._view = {**add_sent(self._view, sent["message_id"], text), "running": True}
        self._follow()

    async def _stop(self, http: Http, _: Mapping[str, Any]) -> Json:
        answer = await http.json("POST", f"/conversations/{self._id}/stop")
        self._view = {**self._view, "queued": []}  # QUE-19
        return answer

    async def _decide(self, http: Http, content: Mapping[str, Any]) -> Json:
        try:
            decided = await http.json("POST", f"/approvals/{content['approval']}", body=decision_of(content))
        except CrewError:
            self.reread()  # somebody was first (UI-63)
            raise
        event = {"type": "approval_decided", "approval_id": decided["id"], **{n: decided.get(n) for n in ("status", "always", "skipped")}}
        self._view = reduce_conversation(self._view, event)
        self._follow()
        return decided

    async def _cap(self, http: Http, content: Mapping[str, Any]) -> None:
        detail = await http.json("PATCH", f"/conversations/{self._id}", body={"cost_cap_usd": float(content["usd"])})
        self._view = keep_end(self._view, show_conversation(detail, bool(detail["running"])))

    async def _fork(self, http: Http, content: Mapping[str, Any]) -> Json:
        made = await http.json("POST", f"/conversations/{self._id}/fork", body={"before_message_id": int(content["before"])})
        return {"id": made["id"]}

    async def _open(self, http: Http, content: Mapping[str, Any]) -> None:
        """Shows another conversation: the branch that was just made."""
        if self._following is not None:
            self._following.cancel()
            self._following = None
        self._id, self._view, self._gone = str(content["conversation"]), empty_conversation(), False
        await self.read(http)

    def close(self) -> None:
        """Ends the widget; the turn goes on in the server (UI-146)."""
        following = self._following
        if following is not None:
            self._hub.later(following.cancel)
        super().close()

    def plain(self) -> str:
        """The thread as text."""
        if self._fault or not self._view["items"]:
            return self._fault or say("no_messages", self._language)
        said = [item for item in self._view["items"] if item["kind"] in ("user", "answer")]
        return "\n\n".join(f"> {item['text']}" if item["kind"] == "user" else item["text"] for item in said)


def status_of(view: Mapping[str, Any]) -> str:
    """``running``, ``waiting``, or how the last turn ended; "" before the first."""
    if view["pending"]:
        return "waiting"
    return "running" if view["running"] else str((view["end"] or {}).get("type", ""))


def _of(frame: Mapping[str, Any]) -> object:
    """The conversation that a frame is about."""
    inner = frame.get("run") or frame.get("conversation") or {}
    return frame.get("conversation_id") or (inner.get("conversation_id") if "run" in frame else inner.get("id"))

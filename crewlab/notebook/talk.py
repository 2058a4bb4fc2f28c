"""Conversation, turn and approval, asynchronous (UI-144)."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from crewlab.notebook.errors import CrewError
from crewlab.notebook.following import join_turn, new_request_id, send_turn
from crewlab.notebook.http import Http
from crewlab.notebook.progress import Progress, apply
from crewlab.notebook.records import Event, Json, Message, Record, Rows, Run
from crewlab.notebook.zone import iana_zone

STEER = "/steer "  # QUE-6: how a steer is written


class AsyncApproval(Record):
    """A request for a person (GATE-30). It is decided here only by calling one of its methods (UI-149)."""

    SHOWN = ("id", "status", "tool", "question", "arguments", "reason", "summary", "expires_at")

    def __init__(self, http: Http, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self._http = http

    async def approve(self, always: bool = False) -> AsyncApproval:
        """Allows this call; ``always`` also every later call of the tool in this conversation, where that is offered."""
        return await self._decide("approve", always)

    async def deny(self) -> AsyncApproval:
        """Refuses this call; the turn goes on without it."""
        return await self._decide("deny", False)

    async def answer(self, text: str = "", labels: Sequence[str] | None = None) -> AsyncApproval:
        """Answers a question: ``text`` in your own words, or the number or label of an option; ``labels`` chooses several (ASKU-9)."""
        return await self._say({"answer": text if labels is None else {"labels": list(labels), "text": text}})

    async def skip(self) -> AsyncApproval:
        """Skips a question; the agent goes on with an assumption of its own (GATE-88)."""
        return await self._say({"skip": True})

    async def _decide(self, decision: str, always: bool) -> AsyncApproval:
        return await self._say({"decision": decision, "always": always})

    async def _say(self, body: Json) -> AsyncApproval:
        data = await self._http.json("POST", f"/approvals/{self['id']}", body=body)
        self._data.update(data)
        return self


class AsyncRun(Run):
    """The record of a turn that can also be exported."""

    def __init__(self, http: Http, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self._http = http

    async def export(self, format: str = "json", full: bool = False) -> str:
        """The whole turn as the text of a file, ``json`` or ``md`` (TURN-100). Read it through before you pass it on.

        ``full`` leaves results of tools whole that are longer than 2,000 characters.
        """
        params: dict[str, str | int | None] = {"format": format, "full": 1 if full else None}
        return await self._http.text(f"/activity/runs/{self['id']}/export", params=params)


class AsyncConversation(Record):
    """One conversation. Fields are as last read; ``refresh`` reads them again."""

    SHOWN = ("id", "title", "agent_id", "running", "updated_at")

    def __init__(self, http: Http, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self._http = http

    @property
    def path(self) -> str:
        """The route of this conversation."""
        return f"/conversations/{self['id']}"

    async def refresh(self) -> AsyncConversation:
        """Reads the conversation again."""
        self._data.update(await self._http.json("GET", self.path))
        return self

    async def messages(self) -> Rows[Message]:
        """The messages as stored now."""
        await self.refresh()
        return Rows(Message(message) for message in self["messages"])

    def body(self, text: str) -> Json:
        """What a send carries: the text, a name for it (UI-145) and the time zone when one is known (UI-148)."""
        zone = iana_zone()
        return {"text": text, "request_id": new_request_id(), **({"timezone": zone} if zone else {})}

    async def send(self, text: str, wait: bool = True) -> AsyncTurn:
        """Sends ``text``. With ``wait`` returns when the turn has ended or waits for a person, else as soon as it is stored."""
        if wait:
            turn = AsyncTurn(self)
            async with aclosing(turn.sent(text)) as events:
                async for _ in events:
                    pass
            return turn
        answer = await self._http.json("POST", f"{self.path}/messages", body=self.body(text))
        queued = answer.get("queued")
        status: Any = "queued" if queued else "running" if answer.get("running") else "ended"
        return AsyncTurn(self, Progress(status=status, run_id=answer.get("run_id"), queued=queued))

    async def stream(self, text: str) -> AsyncGenerator[Event, None]:
        """Sends ``text`` and yields the events of its turn."""
        async with aclosing(AsyncTurn(self).sent(text)) as events:
            async for event in events:
                yield event

    async def steer(self, text: str) -> Record:
        """Puts words into the running turn; without one they open a turn."""
        return Record(await self._http.json("POST", f"{self.path}/messages", body=self.body(STEER + text)))

    async def stop(self) -> Record:
        """Stops the running turn; ``cleared`` holds the texts that were waiting."""
        return Record(await self._http.json("POST", f"{self.path}/stop"))

    async def watch(self) -> AsyncGenerator[Event, None]:
        """The events of the running turn, from a ``watching`` event on."""
        async with aclosing(join_turn(self._http, self["id"])) as events:
            async for event in events:
                yield Event(event)

    async def fork(self, before: Message | int) -> AsyncConversation:
        """A new conversation with everything before this message of yours (FRK-1); this one is not changed."""
        body = {"before_message_id": before if isinstance(before, int) else before["id"]}
        return AsyncConversation(self._http, await self._http.json("POST", f"{self.path}/fork", body=body))

    async def export(self) -> str:
        """The whole conversation as Markdown (TURN-109)."""
        return await self._http.text(f"{self.path}/export")

    async def delete(self) -> None:
        """Deletes the conversation with everything that hangs on it."""
        await self._http.json("DELETE", self.path)

    async def set_autonomous(self, on: bool) -> None:
        """Whether calls of this conversation run without asking."""
        self._data.update(await self._http.json("PATCH", self.path, body={"autonomous": on}))

    def turn(self) -> AsyncTurn:
        """The turn that runs now, or the last one: ``wait`` follows it."""
        return AsyncTurn(self)


class AsyncTurn:
    """One turn of a conversation: what it has come to so far."""

    def __init__(self, conversation: AsyncConversation, progress: Progress | None = None) -> None:
        self.conversation = conversation
        self.progress = progress or Progress()
        self._http = conversation._http
        self._run: AsyncRun | None = None

    def __repr__(self) -> str:
        return f"{type(self).__name__}(status={self.status!r}, conversation={self.conversation['id']!r}, text={self.text[:80]!r})"

    @property
    def text(self) -> str:
        """The answer so far."""
        return self.progress.text

    @property
    def status(self) -> str:
        """``running``, ``waiting`` (for a person), ``queued``, ``done``, ``halted``, ``stopped`` or ``error``."""
        return self.progress.status

    @property
    def language(self) -> str | None:
        """The crew's language, once it has been asked."""
        return self._http.language

    async def read_language(self) -> str | None:
        """The crew's language, asked once."""
        return await self._http.read_language()

    @property
    def approval(self) -> AsyncApproval | None:
        """The request the turn waits for."""
        pending = self.progress.pending
        return AsyncApproval(self._http, pending) if pending else None

    async def run(self) -> AsyncRun | None:
        """The record of the turn, read once when the turn is over; None when it has not begun."""
        if self._run is not None:
            return self._run
        run = await self._read_run()
        if run is not None and run["status"] not in ("running", "waiting"):
            self._run = run
        return run

    async def _read_run(self) -> AsyncRun | None:
        if self.progress.run_id:
            return AsyncRun(self._http, await self._http.json("GET", f"/activity/runs/{self.progress.run_id}"))
        if self.progress.status == "queued":
            return None
        found = await self._http.json("GET", "/activity/runs", params={"conversation_id": self.conversation["id"], "limit": 1})
        return AsyncRun(self._http, found["runs"][0]) if found["runs"] else None

    async def cost_usd(self) -> float | None:
        """What the turn has cost, None when the price of a call is unknown."""
        run = await self.run()
        return run.price_usd if run is not None else None

    async def wait(self) -> AsyncTurn:
        """Follows the turn until it has ended or waits for a person again."""
        async with aclosing(self.followed()) as events:
            async for _ in events:
                pass
        return self

    async def sent(self, text: str) -> AsyncGenerator[Event, None]:
        """Sends ``text`` as this turn's message; yields its events."""
        body = self.conversation.body(text)
        async with aclosing(send_turn(self._http, self.conversation["id"], body)) as events:
            async for event in events:
                yield self._take(event)
        await self._settle()

    async def followed(self) -> AsyncGenerator[Event, None]:
        """Joins the turn and yields its events; a message that waits in the queue is followed when its turn has come."""
        while True:
            waits_for = (self.progress.queued or {}).get("item_id")
            async with aclosing(join_turn(self._http, self.conversation["id"])) as events:
                async for event in events:
                    yield self._take(event)
            if waits_for is None or self.progress.status == "waiting" or not await self._still_queued(waits_for):
                break
        await self._settle()

    def _take(self, event: Json) -> Event:
        self.progress = apply(self.progress, event)
        return Event(event)

    async def _still_queued(self, item_id: int) -> bool:
        await self.conversation.refresh()
        return any(item["item_id"] == item_id for item in self.conversation["queued"])

    async def _settle(self) -> None:
        """A turn that was over before we joined says in its run how it ended."""
        if self.progress.status != "ended":
            return
        try:
            run = await self.run()
        except CrewError:
            return
        if run is not None:
            self.progress = self.progress.ended(run)

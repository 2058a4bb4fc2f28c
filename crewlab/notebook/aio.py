"""The asynchronous client (UI-142): the crew of one server. ``crewlab.notebook.client`` is the same for plain code.

Nothing here decides for a person: every approval is decided one by one, by name (UI-149).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import Self

from crewlab.notebook.canvases import AsyncArtifact
from crewlab.notebook.errors import NotFound
from crewlab.notebook.following import activity
from crewlab.notebook.http import Http
from crewlab.notebook.jobs import AsyncJob
from crewlab.notebook.locate import Server, locate
from crewlab.notebook.records import Agent, Event, Hit, Json, Record, Rows, Stats
from crewlab.notebook.talk import AsyncApproval, AsyncConversation, AsyncRun, AsyncTurn
from crewlab.notebook.words import say

TIMEOUT_SECONDS = 30.0  # UI-142


class AsyncCrew:
    """The crew of a running Jupyter server, asynchronous. ``url`` and ``token`` are found when left out (UI-143)."""

    def __init__(self, url: str | None = None, token: str | None = None, timeout: float = TIMEOUT_SECONDS) -> None:
        self._http = Http(locate(url, token), timeout)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._http.server.url!r})"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()

    @property
    def server(self) -> Server:
        """Where this crew answers."""
        return self._http.server

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.close()

    async def language(self) -> str | None:
        """The crew's language, asked once: ``en`` or ``vi``; None while the server cannot say."""
        return await self._http.read_language()

    async def version(self) -> Record:
        """What the server serves: ``version``, ``entry``, ``language``."""
        return Record(await self._http.json("GET", "/version"))

    async def analytics(self, *, fresh: bool = False) -> Record:
        """What is published for questions in SQL; ``fresh`` brings it up to date first (ANL-6)."""
        if fresh:
            return Record(await self._http.json("POST", "/analytics/refresh", patient=True))
        return Record(await self._http.json("GET", "/analytics"))

    async def save_snapshot(self, file: Path) -> None:
        """Fetch the file that is published, for ``crewlab.analytics.connect(path=file)``."""
        await self._http.save("/analytics/snapshot", file)

    async def agents(self) -> Rows[Agent]:
        """The agents of the crew, the master first."""
        return Rows(Agent(agent) for agent in (await self._http.json("GET", "/agents"))["agents"])

    async def agent(self, id: str) -> Agent:
        """One agent by id."""
        return Agent(await self._http.json("GET", f"/agents/{id}"))

    async def new(self, agent: str | None = None, title: str | None = None) -> AsyncConversation:
        """Opens a conversation with ``agent`` (default: the master)."""
        body = {key: value for key, value in (("agent", agent), ("title", title)) if value is not None}
        return AsyncConversation(self._http, await self._http.json("POST", "/conversations", body=body))

    async def conversations(self, agent: str | None = None, limit: int | None = None) -> Rows[AsyncConversation]:
        """Conversations with ``agent`` (default: the master), newest first."""
        answer = await self._http.json("GET", "/conversations", params={"agent": agent, "limit": limit})
        return Rows(AsyncConversation(self._http, one) for one in answer["conversations"])

    async def conversation(self, id: str) -> AsyncConversation:
        """One conversation by id."""
        return AsyncConversation(self._http, await self._http.json("GET", f"/conversations/{id}"))

    async def ask(self, text: str, agent: str | None = None, conversation: AsyncConversation | str | None = None) -> AsyncTurn:
        """Sends ``text`` and waits until the turn has ended or waits for a person. Without ``conversation`` a new one is opened."""
        return await (await self.open(agent, conversation)).send(text)

    async def open(self, agent: str | None, conversation: AsyncConversation | str | None) -> AsyncConversation:
        """The conversation that is meant: the given one, one by id, or a new one."""
        if isinstance(conversation, str):
            return await self.conversation(conversation)
        return conversation or await self.new(agent)

    async def runs(
        self, agent: str | None = None, conversation: str | None = None, limit: int | None = None, before: str | None = None
    ) -> Rows[AsyncRun]:
        """Runs, newest first; those of a conversation with those of its children (TURN-91)."""
        params: dict[str, str | int | None] = {"agent_id": agent, "conversation_id": conversation, "limit": limit, "before": before}
        return Rows(AsyncRun(self._http, run) for run in (await self._http.json("GET", "/activity/runs", params=params))["runs"])

    async def run(self, id: str) -> AsyncRun:
        """One run with all its steps."""
        return AsyncRun(self._http, await self._http.json("GET", f"/activity/runs/{id}"))

    async def search(self, q: str, limit: int | None = None) -> Rows[Hit]:
        """What was said in the whole crew and holds every word of ``q``, best first (FTS-9)."""
        return Rows(Hit(hit) for hit in (await self._http.json("GET", "/messages/search", params={"q": q, "limit": limit}))["results"])

    async def approvals(self, status: str | None = "pending", conversation: str | None = None) -> Rows[AsyncApproval]:
        """Requests for a person; ``status=None`` gives the decided ones too."""
        answer = await self._http.json("GET", "/approvals", params={"status": status, "conversation_id": conversation})
        return Rows(AsyncApproval(self._http, one) for one in answer["approvals"])

    async def approval(self, id: str) -> AsyncApproval:
        """One request by id."""
        return AsyncApproval(self._http, await self._http.json("GET", f"/approvals/{id}"))

    async def artifacts(self, conversation: str | None = None, query: str | None = None, limit: int | None = None) -> Rows[AsyncArtifact]:
        """Canvases, the last changed first; those of a conversation with those of its children (CNV-125)."""
        params: dict[str, str | int | None] = {"conversation_id": conversation, "query": query, "limit": limit}
        return Rows(AsyncArtifact(self._http, one) for one in (await self._http.json("GET", "/artifacts", params=params))["artifacts"])

    async def artifact(self, id: str) -> AsyncArtifact:
        """One canvas by id."""
        found = await self._http.json("GET", f"/artifacts/{id}")
        return AsyncArtifact(self._http, {name: value for name, value in found.items() if name not in ("content", "content_url", "usage")})

    async def jobs(self) -> Rows[AsyncJob]:
        """The jobs of the crew."""
        return Rows(AsyncJob(self._http, job) for job in (await self._http.json("GET", "/jobs"))["jobs"])

    async def job(self, id: str) -> AsyncJob:
        """One job by id, ``agent/schedule``. Raises ``NotFound``."""
        for job in await self.jobs():
            if job["id"] == id:
                return job
        raise NotFound("not_found", 0, say("no_job", self._http.language, id=id))

    async def stats(self) -> Stats:
        """What model calls have cost: by day, model, purpose and agent (COST-20)."""
        return Stats(await self._http.json("GET", "/stats"))

    async def activity(self) -> AsyncIterator[Event]:
        """The frames of the whole crew, from a snapshot on, until the iterator is closed."""
        async for frame in activity(self._http):
            yield Event(frame)

    async def inbound(self, text: str, agent: str | None = None, conversation_id: str | None = None, source: str | None = None) -> Record:
        """Sends as another program would and waits for the gathered answer (TURN-17). A repeated call is a second message."""
        given: Json = {"text": text, "agent": agent, "conversation_id": conversation_id, "source": source}
        body = {key: value for key, value in given.items() if value is not None}
        return Record(await self._http.json("POST", "/inbound", body=body, patient=True))

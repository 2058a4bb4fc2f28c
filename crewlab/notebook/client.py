"""The client for plain code (UI-142): ``AsyncCrew`` with its loop in a thread of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Self, TypeVar

from crewlab.notebook.aio import TIMEOUT_SECONDS, AsyncCrew
from crewlab.notebook.canvases import Artifact
from crewlab.notebook.chat import Approval, Conversation, Run, Turn
from crewlab.notebook.jobs import Job
from crewlab.notebook.locate import Server
from crewlab.notebook.portal import Portal, Pull
from crewlab.notebook.records import Agent, Event, Hit, Record, Rows, Stats

T = TypeVar("T")
PORTAL = Portal("crewlab-client")  # one thread for every client of this process


class Crew:
    """The crew of a running Jupyter server. ``url`` and ``token`` are found when left out (UI-143)."""

    def __init__(self, url: str | None = None, token: str | None = None, timeout: float = TIMEOUT_SECONDS) -> None:
        self._crew = AsyncCrew(url, token, timeout)
        self._portal = PORTAL

    def __repr__(self) -> str:
        return f"Crew({self.server.url!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def server(self) -> Server:
        """Where this crew answers; its token does not show."""
        return self._crew.server

    @property
    def language(self) -> str | None:
        """The crew's language, ``en`` or ``vi``; None while the server cannot say."""
        return self._portal.run(self._crew.language())

    def close(self) -> None:
        """Closes the connections. The object may be used again."""
        if self._portal.alive:
            self._portal.run(self._crew.close())

    def version(self) -> Record:
        """What the server serves: ``version``, ``entry``, ``language``."""
        return self._portal.run(self._crew.version())

    def analytics(self, *, fresh: bool = False) -> Record:
        """What is published for questions in SQL; ``fresh`` brings it up to date first (ANL-6)."""
        return self._portal.run(self._crew.analytics(fresh=fresh))

    def save_snapshot(self, file: Path) -> None:
        """Fetch the file that is published, for ``crewlab.analytics.connect(path=file)``."""
        self._portal.run(self._crew.save_snapshot(file))

    def agents(self) -> Rows[Agent]:
        """The agents of the crew, the master first."""
        return self._portal.run(self._crew.agents())

    def agent(self, id: str) -> Agent:
        """One agent by id."""
        return self._portal.run(self._crew.agent(id))

    def ask(self, text: str, agent: str | None = None, conversation: Conversation | str | None = None) -> Turn:
        """Sends ``text``, shows the answer as it grows in the cell's output, and returns the turn when it ends or waits.

        Without ``conversation`` a new one is opened. An interrupt leaves the turn running in the server.
        """
        return self.open(agent, conversation).ask(text)

    def open(self, agent: str | None = None, conversation: Conversation | str | None = None) -> Conversation:
        """The conversation that is meant: the given one, one by id, or a new one with ``agent``."""
        if isinstance(conversation, Conversation):
            return conversation
        return self.conversation(conversation) if conversation else self.new(agent)

    def new(self, agent: str | None = None, title: str | None = None) -> Conversation:
        """Opens a conversation with ``agent`` (default: the master)."""
        return Conversation(self._portal, self._portal.run(self._crew.new(agent, title)))

    def conversations(self, agent: str | None = None, limit: int | None = None) -> Rows[Conversation]:
        """Conversations with ``agent`` (default: the master), newest first."""
        return Rows(Conversation(self._portal, one) for one in self._portal.run(self._crew.conversations(agent, limit)))

    def conversation(self, id: str) -> Conversation:
        """One conversation by id."""
        return Conversation(self._portal, self._portal.run(self._crew.conversation(id)))

    def runs(
        self, agent: str | None = None, conversation: str | None = None, limit: int | None = None, before: str | None = None
    ) -> Rows[Run]:
        """Runs, newest first; those of a conversation with those of its children."""
        return Rows(Run(self._portal, one) for one in self._portal.run(self._crew.runs(agent, conversation, limit, before)))

    def run(self, id: str) -> Run:
        """One run with all its steps."""
        return Run(self._portal, self._portal.run(self._crew.run(id)))

    def search(self, q: str, limit: int | None = None) -> Rows[Hit]:
        """What was said in the whole crew and holds every word of ``q``, best first (FTS-9)."""
        return self._portal.run(self._crew.search(q, limit))

    def approvals(self, status: str | None = "pending", conversation: str | None = None) -> Rows[Approval]:
        """Requests for a person; ``status=None`` gives the decided ones too. Each is decided by itself (UI-149)."""
        return Rows(Approval(self._portal, one) for one in self._portal.run(self._crew.approvals(status, conversation)))

    def approval(self, id: str) -> Approval:
        """One request by id."""
        return Approval(self._portal, self._portal.run(self._crew.approval(id)))

    def artifacts(self, conversation: str | None = None, query: str | None = None, limit: int | None = None) -> Rows[Artifact]:
        """Canvases, the last changed first; those of a conversation with those of its children (CNV-125)."""
        return Rows(Artifact(self._portal, one) for one in self._portal.run(self._crew.artifacts(conversation, query, limit)))

    def artifact(self, id: str) -> Artifact:
        """One canvas by id."""
        return Artifact(self._portal, self._portal.run(self._crew.artifact(id)))

    def jobs(self) -> Rows[Job]:
        """The jobs of the crew."""
        return Rows(Job(self._portal, one) for one in self._portal.run(self._crew.jobs()))

    def job(self, id: str) -> Job:
        """One job by id, ``agent/schedule``. Raises ``NotFound``."""
        return Job(self._portal, self._portal.run(self._crew.job(id)))

    def stats(self) -> Stats:
        """What model calls have cost: ``days``, ``models``, ``purposes``, ``agents`` and ``totals`` (COST-20)."""
        return self._portal.run(self._crew.stats())

    def activity(self) -> Iterator[Event]:
        """The frames of the whole crew, from a snapshot on, until the iterator is closed."""
        return iter(Pull(self._portal, self._crew.activity()))

    def inbound(self, text: str, agent: str | None = None, conversation_id: str | None = None, source: str | None = None) -> Record:
        """Sends as another program would and waits for the gathered answer (TURN-17)."""
        return self._portal.run(self._crew.inbound(text, agent, conversation_id, source))


def connect(url: str | None = None, token: str | None = None, timeout: float = TIMEOUT_SECONDS) -> Crew:
    """The crew of this notebook's server; ``url`` and ``token`` are found when left out (UI-143)."""
    return Crew(url, token, timeout)

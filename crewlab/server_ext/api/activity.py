"""The activity of the whole crew: its stream, its runs, and many topics in one stream (TURN-92, TURN-93, WIRE-9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crewlab.engine.errors import CrewError, Invalid
from crewlab.engine.records import Run
from crewlab.server_ext.api.models import ResumeHeaders, RunList, RunQuery, StreamQuery
from crewlab.server_ext.following import Frames, Stream, join
from crewlab.server_ext.wire import MAX_TOPICS

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew


async def stream(crew: Crew, headers: ResumeHeaders) -> Stream:
    """Everything the crew does, as it happens; does not end."""
    return Stream([crew.hub.join(headers.last_event_id)])


async def many(crew: Crew, query: StreamQuery) -> Stream:
    """The frames of several topics in one stream, for windows without a WebSocket."""
    topics = dict(_topic_and_id(named) for named in query.topic)
    if len(topics) > MAX_TOPICS:
        raise Invalid(crew.texts("http.too_many_topics", limit=MAX_TOPICS), field="topic")
    joined: list[Frames] = []
    try:
        for topic, after in topics.items():
            joined.append(join(crew, topic, after))
    except CrewError:
        for source in joined:
            source.close()
        raise
    return Stream(joined, whole=True)


def _topic_and_id(named: str) -> tuple[str, str | None]:
    topic, _, after = named.partition("@")
    return topic, after or None


async def runs(crew: Crew, query: RunQuery) -> RunList:
    """Runs, newest first."""
    found, more = crew.runs.list(query.agent_id, query.conversation_id, query.before, query.limit)
    return RunList(runs=found, more=more)


async def run(crew: Crew, run_id: str) -> Run:
    """One run with all its steps."""
    return crew.runs.get(run_id)

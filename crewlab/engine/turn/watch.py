"""TurnWatch and the activity hub: who hears what (TURN-34 to TURN-36, TURN-92 to TURN-96)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from crewlab.engine.activity_events import ActivityFrame, ConversationFrame, EventFrame, RunFrame, Snapshot
from crewlab.engine.event import Event
from crewlab.engine.events import STREAM_ONLY
from crewlab.engine.records import ConversationSummary, Run
from crewlab.engine.turn.frames import Topic, Watcher

ACTIVITY_TOPIC = "activity"  # WIRE-1
CONVERSATION_TOPIC = "conversation:"  # WIRE-1


class TurnWatch:
    """Publishes the events of every conversation that somebody watches.

    ``fresh`` builds the first events of a viewer: ``watching`` and, in mid-turn, the text so far.
    It raises ``NotFound`` when the conversation is gone.
    """

    def __init__(self, fresh: Callable[[str], Sequence[Event]]) -> None:
        self._fresh = fresh
        self._topics: dict[str, Topic] = {}
        self._base = 0

    def join(self, conversation_id: str, after: str | None = None, *, until_end: bool = False) -> Watcher:
        """A viewer of one conversation; with ``until_end`` it ends as TURN-38 says. Raises ``NotFound``."""
        topic = self._topics.get(conversation_id)
        if topic is None:
            first = self._fresh(conversation_id)  # refuses an unknown conversation
            topic = Topic(CONVERSATION_TOPIC + conversation_id, lambda: self._fresh(conversation_id), refreshes=True, start=self._base + 1)
            topic.on_forgotten = lambda gone: self._forget(conversation_id, gone)
            self._topics[conversation_id] = topic
            return topic.join(after, until_end=until_end, first=first)
        return topic.join(after, until_end=until_end)

    def _forget(self, conversation_id: str, topic: Topic) -> None:
        self._base = max(self._base, topic.n)  # a number is never used for two frames
        self._topics.pop(conversation_id, None)

    def publish(self, conversation_id: str, event: Event) -> None:
        """Tell the viewers of the conversation; never waits."""
        topic = self._topics.get(conversation_id)
        if topic is not None:
            topic.publish(event)

    def watched(self, conversation_id: str) -> bool:
        """Whether building an event for the viewers is worth it."""
        topic = self._topics.get(conversation_id)
        return topic is not None and topic.watched

    def refresh(self, conversation_id: str) -> None:
        """The conversation changed outside the events of a turn (WIRE-6)."""
        topic = self._topics.get(conversation_id)
        if topic is not None:
            topic.refresh()

    def close(self) -> None:
        """End every viewer."""
        for topic in tuple(self._topics.values()):
            topic.close()


class ActivityHub:
    """The runs of the whole crew: running and waiting ones in memory, told to every watcher (TURN-88)."""

    def __init__(self, pending: Callable[[], int]) -> None:
        self.live: dict[str, Run] = {}
        self.unwritten: list[Run] = []
        """Runs that have ended while the store could not be written (DUR-6)."""
        self.going_down = False
        self.listeners: list[Callable[[Run], None]] = []
        """Told of every change of a run, after the watchers."""
        self._pending = pending
        self._topic = Topic(ACTIVITY_TOPIC, self._snapshot, refreshes=False)

    def _snapshot(self) -> Sequence[Event]:
        runs = sorted(self.live.values(), key=lambda run: run.started_at, reverse=True)
        return [Snapshot(runs=runs, pending=self._pending())]

    def join(self, after: str | None = None) -> Watcher:
        """A watcher of the activity stream; the first frame is ``snapshot``."""
        return self._topic.join(after)

    def run(self, run: Run) -> None:
        """A run has reached a step boundary or changed its status (TURN-87)."""
        if run.status in ("running", "waiting"):
            self.live[run.id] = run
        else:
            self.live.pop(run.id, None)
        if self._topic.watched:
            self._topic.publish(RunFrame(run=run))
        for heard in self.listeners:
            heard(run)

    def event(self, run: Run | None, conversation_id: str, agent_id: str, event: Event) -> None:
        """Pass a conversation event on, unless it is stream-only (TURN-41)."""
        if event.type in STREAM_ONLY or not self._topic.watched:
            return
        self._topic.publish(
            EventFrame(
                run_id=run.id if run else None,
                conversation_id=conversation_id,
                agent_id=agent_id,
                name=event.type,
                data=event.model_dump(mode="json"),
            )
        )

    def conversation(self, summary: ConversationSummary) -> None:
        """A conversation has changed."""
        if self._topic.watched:
            self._topic.publish(ConversationFrame(conversation=summary))

    def announce(self, frame: ActivityFrame) -> None:
        """Tell every watcher of the crew something that belongs to no run."""
        if self._topic.watched:
            self._topic.publish(frame)

    def deleted(self, conversation_id: str) -> None:
        """A conversation is gone."""
        if self._topic.watched:
            self._topic.publish(ConversationFrame(id=conversation_id, deleted=True))

    @property
    def watched(self) -> bool:
        """Whether building a summary is worth it."""
        return self._topic.watched

    def close(self) -> None:
        """End every watcher."""
        self._topic.close()

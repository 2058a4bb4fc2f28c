"""The turns of delegated conversations: opened, waited for, stopped (DLG-10 to DLG-28, DLG-69)."""

from __future__ import annotations

import asyncio
from datetime import datetime

from crewlab.engine.clock import new_id
from crewlab.engine.errors import NotFound
from crewlab.engine.events import ApprovalDecided, Stopped
from crewlab.engine.records import INTERRUPTED, Run
from crewlab.engine.store.children import is_child, source_of
from crewlab.engine.store.conversations import StoredConversation
from crewlab.engine.tools.children import Begun, Job
from crewlab.engine.turn import steps
from crewlab.engine.turn.holding import cap_of
from crewlab.engine.turn.host import Opening, TurnHost
from crewlab.engine.turn.turn import Parts

STOP_SECONDS = 10.0  # a tool that swallows its cancellation does not hold the parent for longer


class Children:
    """Implements ``ChildTurns`` of the tools. ``attach`` is called once, when the host is there."""

    def __init__(self) -> None:
        self._waiting: dict[str, list[asyncio.Event]] = {}
        self._unwanted: set[str] = set()

    def attach(self, parts: Parts, host: TurnHost) -> Children:
        """Take the parts of the turns; every change of a run wakes who waits for it. Returns itself."""
        self._parts = parts
        self._host = host
        parts.hub.listeners.append(self._heard)
        return self

    @property
    def going_down(self) -> bool:
        """Whether the server is going down."""
        return self._parts.hub.going_down

    def begin(self, job: Job) -> Begun:
        """The child of this job, found by the id of its call or opened (DLG-69). Raises ``NotFound``, ``StoreWriteFailed``."""
        store = self._parts.store
        child_id = store.children.opened_by(job.parent_id, job.call_id) or self._open(job)
        run = next(iter(self._runs(child_id, job.parent_id)), None)
        if run is not None:
            return Begun(child_id, run.id)
        conversation = store.conversations.get(child_id)
        if conversation is None:
            raise NotFound(self._parts.texts("turn.conversation_gone", id=child_id))
        live = self._host.live.get(job.parent_id)
        opening = Opening(job.task, conversation.source, live.run.timezone if live else None, written_by="agent")  # DLG-13, PTL-154
        turn, _ = self._host.open(conversation, opening)
        self._parts.hub.conversation(self._host.summarise(child_id))
        return Begun(child_id, turn.run.id)

    def _runs(self, child_id: str, parent_id: str) -> list[Run]:
        return [run for run in self._parts.store.runs.of(child_id) if run.source == source_of(parent_id)]

    def _open(self, job: Job) -> str:
        """A new conversation with the parent's stance, what is left of its money and its tier cap (DLG-20 to DLG-22)."""
        parts = self._parts
        parent = parts.store.conversations.get(job.parent_id)
        if parent is None:
            raise NotFound(parts.texts("turn.conversation_gone", id=job.parent_id))
        agent = parts.roster.get(job.agent_id)
        child_id, now = new_id("c"), parts.now()
        parts.store.conversations.insert(
            {
                "id": child_id,
                "agent_id": agent.id,
                "source": source_of(parent.id),
                "autonomous": parent.autonomous,
                "approval_ttl_seconds": parent.approval_ttl_seconds,
                "cost_cap_usd": inherited_cap(parent, agent.cost_cap_usd),
                "tier_cap": "read" if job.read_only else cap_of(parts.roster.get(parent.agent_id), parent),
                "parent_id": parent.id,
                "parent_call_id": job.call_id,
                "root_id": parent.root_id or parent.id,
                "chain_source": self._chain_source(parent),
                "created_at": now,
                "updated_at": now,
            }
        )
        return child_id

    def _chain_source(self, parent: StoredConversation) -> str | None:
        """The source of the turn that started the chain (DLG-22)."""
        live = self._host.live.get(parent.id)
        if live is None or is_child(live.run.source):
            return parent.chain_source
        return live.run.source

    async def wait(self, parent_id: str, child: Begun, seconds: float, grace: float) -> bool:
        """Wait for the end of the child's run (DLG-25); see ``ChildTurns``."""
        clock = self._parts.clock
        woken = asyncio.Event()
        self._waiting.setdefault(child.run_id, []).append(woken)
        until = clock.monotonic() + seconds
        try:
            while not self._over(child):
                if until <= clock.monotonic():
                    until = clock.monotonic() + self._beyond(child, grace)
                if until <= clock.monotonic():
                    return False
                woken.clear()
                await _either(woken, until - clock.monotonic())
            return True
        except asyncio.CancelledError:
            turn = self._host.live.get(parent_id)
            if turn is None or turn.stop != "shutdown":
                self._stop(child)
            raise
        finally:
            self._waiting[child.run_id].remove(woken)
            if not self._waiting[child.run_id]:
                del self._waiting[child.run_id]

    def _over(self, child: Begun) -> bool:
        return child.run_id not in self._parts.hub.live

    def _beyond(self, child: Begun, grace: float) -> float:
        """Seconds to wait beyond the given time: until ``grace`` after the deadline of an open request, else 0."""
        pending = self._parts.store.approvals.pending_of(child.conversation_id)
        if pending is None:
            return 0.0
        return (datetime.fromisoformat(pending.expires_at) - self._parts.clock.now()).total_seconds() + grace

    def tick(self) -> None:
        """Let everybody who waits look at the clock again."""
        for woken in (event for events in self._waiting.values() for event in events):
            woken.set()

    def _heard(self, run: Run) -> None:
        for woken in self._waiting.get(run.id, ()):
            woken.set()

    async def stop(self, child: Begun) -> None:
        """Stop the child and wait for its end (DLG-27)."""
        self._stop(child)
        await self.wait("", child, STOP_SECONDS, 0.0)

    def _stop(self, child: Begun) -> None:
        if self._host.cancel(child.conversation_id):
            self._unwanted.add(child.conversation_id)
        else:
            self._close_waiting(child.conversation_id)

    def turn_ended(self, conversation_id: str) -> None:
        """A turn has ended or paused; one that was stopped while it was about to pause does not wait for anybody."""
        if conversation_id in self._unwanted:
            self._unwanted.discard(conversation_id)
            self._close_waiting(conversation_id)

    def _close_waiting(self, conversation_id: str) -> None:
        """Close a paused turn as interrupted and its request as expired, in one commit (DLG-27)."""
        parts = self._parts
        runs = [run for run in parts.hub.live.values() if run.conversation_id == conversation_id and run.status == "waiting"]
        pending = parts.store.approvals.pending_of(conversation_id)
        with parts.store.transaction():
            if pending is not None:
                parts.store.approvals.decide(pending.id, "expired", parts.now())
            for run in runs:
                steps.finish(run, "error", INTERRUPTED, parts.now())
                parts.store.runs.save(run)
        for run in runs:
            if pending is not None:
                event = ApprovalDecided(approval_id=pending.id, status="expired")
                parts.watch.publish(conversation_id, event)
                parts.hub.event(run, conversation_id, run.agent_id, event)
            parts.hub.run(run)
            parts.watch.publish(conversation_id, Stopped(run_id=run.id))


def inherited_cap(parent: StoredConversation, own: float) -> float:
    """The child's cap: what is left of the parent's, or the agent's own when that is smaller; 0 is none (DLG-21). Pure."""
    caps = [own] if own > 0 else []
    if parent.cost_cap_usd > 0:
        caps.append(parent.cost_cap_usd - parent.spent_usd)
    return min(caps, default=0.0)


async def _either(woken: asyncio.Event, seconds: float) -> None:
    """Wait until woken, at most so long."""
    try:
        async with asyncio.timeout(seconds):
            await woken.wait()
    except TimeoutError:
        return

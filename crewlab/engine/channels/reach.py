"""What a channel may use of the crew; built once by ``crew.py``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from crewlab.engine.channels.inbound import Inbound
from crewlab.engine.home.keys import KeyRing
from crewlab.engine.jobs.scheduler import Scheduler
from crewlab.engine.turn.conversations import Conversations
from crewlab.engine.turn.decisions import Decisions
from crewlab.engine.turn.host import TurnHost
from crewlab.engine.turn.stats import Stats
from crewlab.engine.turn.turn import Parts


@dataclass(frozen=True, slots=True)
class Reach:
    """The parts of a crew that a channel stands on. ``artifact`` gives name and bytes of a canvas, ``None`` when it cannot be sent."""

    parts: Parts
    keys: KeyRing
    inbound: Inbound
    host: TurnHost
    conversations: Conversations
    approvals: Decisions
    jobs: Scheduler
    stats: Stats
    artifact: Callable[[str, str | None], Awaitable[tuple[str, bytes] | None]] | None = None

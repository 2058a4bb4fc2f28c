"""What a channel may use of the crew; built once by ``crew.py``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from crewlab.engine.channels.inbound import Inbound
from crewlab.engine.home.keys import KeyRing
from crewlab.engine.jobs.scheduler import Scheduler
from crewlab.engine.records import Message
from crewlab.engine.turn.attachments import Attached
from crewlab.engine.turn.conversations import Conversations
from crewlab.engine.turn.decisions import Decisions
from crewlab.engine.turn.host import TurnHost
from crewlab.engine.turn.stats import Stats
from crewlab.engine.turn.turn import Parts


@dataclass(frozen=True, slots=True)
class Reach:
    """The parts of a crew that a channel stands on.

    ``artifact`` gives name and bytes of a canvas that a conversation reaches, ``None`` when it cannot be sent (CNV-81);
    ``written`` the canvases that these messages wrote, as one line each (CNV-83).
    """

    parts: Parts
    keys: KeyRing
    inbound: Inbound
    attached: Attached
    host: TurnHost
    conversations: Conversations
    approvals: Decisions
    jobs: Scheduler
    stats: Stats
    artifact: Callable[[str, str], tuple[str, bytes] | None]
    written: Callable[[Sequence[Message]], list[str]]

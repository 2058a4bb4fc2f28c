"""The block a turn's own message opens with: whom the model talks to, and what time it is there (PTL-146, PTL-151).

It stands in the message and never in the system prompt, because a clock there would be a new prefix in each turn (PTL-147).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from zoneinfo import ZoneInfo

from crewlab.engine.clock import Clock
from crewlab.engine.home.settings import Settings
from crewlab.engine.home.settings_models import Person
from crewlab.engine.home.zones import is_zone
from crewlab.engine.texts import Texts
from crewlab.engine.turn.prompt import WEEKDAYS

OPEN, CLOSE = "[context]", "[/context]"  # PTL-151: fixed tokens in every language
NO_ZONE = "UTC"  # PTL-150


class WhoAndWhen:
    """Makes the block from the settings in force at the moment of the turn (PTL-152)."""

    def __init__(self, settings: Callable[[], Settings], clock: Clock, texts: Texts) -> None:
        self._settings = settings
        self._clock = clock
        self._texts = texts

    def block(self, reported: str | None) -> str:
        """The block for a turn whose face reported this zone; an unknown name counts as none (PTL-154)."""
        settings = self._settings()
        zone = reported if reported and is_zone(reported) else settings.timezone or NO_ZONE
        return written(settings.person, self._clock.now().astimezone(ZoneInfo(zone)), zone, self._texts)


def written(person: Person, now: datetime, zone: str, texts: Texts) -> str:
    """The block. Parts of the person that are missing are left out, and without any the line is (PTL-151). Pure."""
    parts = [part for part in (person.name, person.department, person.organisation) if part]
    who = [texts("prompt.context_with", person=", ".join(parts))] if parts else []
    when = texts(
        "prompt.context_now",
        weekday=texts(f"prompt.{WEEKDAYS[now.weekday()]}"),
        day=now.day,
        month=texts(f"prompt.month_{now.month}"),
        year=str(now.year),
        time=f"{now:%H:%M}",
        zone=zone,
    )
    return "\n".join([OPEN, *who, when, CLOSE])

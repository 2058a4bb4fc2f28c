"""What a schedule means while somebody writes it: in words, and its next moments (UI-91)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import islice

from crewlab.engine.errors import Invalid
from crewlab.engine.home.cron import every_minutes, is_cron
from crewlab.engine.home.timing import cron_runs
from crewlab.engine.home.timing_words import words
from crewlab.engine.texts import Texts

SHOWN_MOMENTS = 3  # UI-91


@dataclass(frozen=True, slots=True)
class Preview:
    """The words and at most three moments, in UTC; fewer when the line hardly ever fires."""

    words: str
    moments: tuple[datetime, ...]


def preview(cron: str | None, every: str | None, now: datetime, zone: tzinfo, texts: Texts) -> Preview:
    """What the scheduler would do with the line if it were saved at ``now``. Raises ``Invalid`` that names ``cron`` or ``every``."""
    if (cron is None) == (every is None):
        raise _wrong("cron", texts("home.must_exactly_one", keys="cron, every"), texts)
    if cron is not None:
        if not is_cron(cron):
            raise _wrong("cron", texts("home.must_cron"), texts)
        return Preview(words(cron, None, texts), tuple(islice(cron_runs(cron, now, zone), SHOWN_MOMENTS)))
    minutes = every_minutes(every or "")
    if minutes is None:
        raise _wrong("every", texts("home.must_every"), texts)
    return Preview(words(None, every, texts), tuple(now + timedelta(minutes=minutes * turn) for turn in range(1, SHOWN_MOMENTS + 1)))


def _wrong(key: str, must: str, texts: Texts) -> Invalid:
    return Invalid(texts("home.field_must", key=key, must=must), field=key)

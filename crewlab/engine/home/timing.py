"""When a cron line or an interval fires next, in the person's zone (JOB-15, JOB-16, JOB-19).

A cron line is read on the wall clock; croniter says which minutes match. Where the clock goes forward, a skipped
minute counts at the first valid minute after it; where it goes back, a repeated minute counts once, the first time.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import islice

from crewlab.engine.home.cron import every_minutes

YEARS_BETWEEN = 9  # 29 February skips at most eight years
MINUTE = timedelta(minutes=1)


def instant(local: datetime, zone: tzinfo) -> datetime:
    """The moment, in UTC, at which the clock of ``zone`` shows ``local`` (naive, whole minutes) as JOB-16 counts it."""
    moment = local.replace(tzinfo=zone, fold=0).astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) == local:
        return moment
    before = local.replace(tzinfo=zone, fold=1).astimezone(UTC)  # a skipped time: read with the later offset it lies before the change
    offset = before.astimezone(zone).utcoffset()
    while moment - before > MINUTE:
        middle = before + (moment - before) // 2
        middle = middle.replace(second=0, microsecond=0)
        if middle <= before:
            middle = before + MINUTE
        if middle.astimezone(zone).utcoffset() == offset:
            before = middle
        else:
            moment = middle
    return moment


def cron_runs(line: str, after: datetime, zone: tzinfo) -> Iterator[datetime]:
    """The moments at which ``line`` fires, in UTC, each later than the one before and all later than ``after``; may be empty."""
    from croniter import CroniterError, croniter

    local = after.astimezone(zone).replace(tzinfo=None)
    last = after
    try:
        wall = croniter(line, local, max_years_between_matches=YEARS_BETWEEN)
        while True:
            moment = instant(wall.get_next(datetime), zone)
            if moment > last:
                last = moment
                yield moment
    except (CroniterError, OverflowError, ValueError):  # no such day in sight: 31 February
        return


def next_run(cron: str | None, every: str | None, mark: datetime, zone: tzinfo) -> datetime | None:
    """The first moment after ``mark``, in UTC; ``None`` for a cron line that never fires."""
    if cron is not None:
        return next(cron_runs(cron, mark, zone), None)
    minutes = every_minutes(every or "")
    return None if minutes is None else mark.astimezone(UTC) + timedelta(minutes=minutes)


def missed(cron: str | None, every: str | None, mark: datetime, now: datetime, zone: tzinfo, limit: int = 1000) -> int:
    """How many moments lie in ``mark`` < moment ≤ ``now``, counted to ``limit``."""
    if cron is not None:
        return sum(1 for moment in islice(cron_runs(cron, mark, zone), limit) if moment <= now)
    minutes = every_minutes(every or "")
    return 0 if minutes is None else min(limit, int((now - mark) / timedelta(minutes=minutes)))

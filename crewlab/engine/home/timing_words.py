"""A schedule in words: "Every day at 07:00" (JOB-26, GATE-103)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, tzinfo

from crewlab.engine.home.cron import every_minutes
from crewlab.engine.texts import Texts

MAX_TIMES = 4  # more times a day than this are given as the line itself
HOUR, DAY = 60, 24 * 60
WEEK = 7
WORKDAYS = [1, 2, 3, 4, 5]
Field = Sequence[int | str]


def words(cron: str | None, every: str | None, texts: Texts) -> str:
    """The schedule as a person would say it; a line too odd for that stands as it was written."""
    if cron is None:
        return _interval(every_minutes(every or "") or 0, texts)
    try:
        minute, hour, day, month, weekday = _expanded(cron)
    except ValueError:
        return texts("jobs.cron_line", line=cron)
    times, days = _times(minute, hour, texts), _days(day, weekday, texts)
    if times is None or days is None:
        return texts("jobs.cron_line", line=cron)
    said = times if days == "" and not times.startswith(texts("jobs.at", times="").strip()) else f"{days or texts('jobs.daily')} {times}"
    if not _any(month):
        names = ", ".join(texts(f"jobs.month_{number}") for number in month)
        said = texts("jobs.in_months", said=said, months=names)
    return said[:1].upper() + said[1:]


def local_time(moment: datetime, zone: tzinfo) -> str:
    """Date and minute on the person's clock, with the zone's offset."""
    return moment.astimezone(zone).strftime("%Y-%m-%d %H:%M %z")


def _expanded(cron: str) -> tuple[Field, Field, Field, Field, Field]:
    from croniter import croniter

    fields, nth_weekday = croniter.expand(cron)
    if nth_weekday:
        raise ValueError(cron)
    minute, hour, day, month, weekday = fields[:5]
    return minute, hour, day, month, weekday


def _any(field: Field) -> bool:
    return list(field) == ["*"]


def _numbers(field: Field) -> list[int] | None:
    return [value for value in field if isinstance(value, int)] if all(isinstance(value, int) for value in field) else None


def _step(field: Field, whole: int) -> int | None:
    """The step of a field that counts evenly from 0 to the end."""
    numbers = _numbers(field)
    if not numbers or len(numbers) < 2 or numbers[0] != 0:
        return None
    step = numbers[1]
    return step if whole % step == 0 and numbers == list(range(0, whole, step)) else None


def _interval(minutes: int, texts: Texts) -> str:
    for unit, name in ((DAY, "days"), (HOUR, "hours"), (1, "minutes")):
        if minutes % unit == 0:
            count = minutes // unit
            return texts(f"jobs.every_{name}_one") if count == 1 else texts(f"jobs.every_{name}", count=count)
    return ""


def _times(minute: Field, hour: Field, texts: Texts) -> str | None:
    at, hours = _numbers(minute), _numbers(hour)
    if at is not None and hours is not None and len(at) * len(hours) <= MAX_TIMES:
        return texts("jobs.at", times=", ".join(f"{h:02}:{m:02}" for h in hours for m in at))
    if _any(hour) and (_any(minute) or (step := _step(minute, HOUR)) is not None):
        return _interval(1 if _any(minute) else step or 1, texts).lower()
    if at is None or len(at) != 1:
        return None
    if _any(hour):
        return texts("jobs.hourly", minute=f"{at[0]:02}")
    every = _step(hour, 24)
    return None if every is None else texts("jobs.hours_at", count=every, minute=f"{at[0]:02}")


def _days(day: Field, weekday: Field, texts: Texts) -> str | None:
    """``""`` for every day."""
    if _any(day) and _any(weekday):
        return ""
    days, weekdays = _numbers(day), _numbers(weekday)
    if _any(day) and weekdays is not None:
        found = sorted({number % WEEK for number in weekdays}, key=lambda number: (number - 1) % WEEK)
        if found == WORKDAYS:
            return texts("jobs.workdays")
        return texts("jobs.weekdays", days=", ".join(texts(f"jobs.day_{number}") for number in found))
    if _any(weekday) and days is not None:
        return texts("jobs.month_days", days=", ".join(map(str, days)))
    return None

"""Which cron lines and intervals can be read (JOB-3, JOB-4, JOB-16). When they fire is the scheduler's matter."""

from __future__ import annotations

import re

CRON_CHARS = 100  # GATE-101 table: a cron line has at most 100 characters
EVERY_MINUTES = (1, 366 * 24 * 60)  # JOB-4: at least a minute; at most a year

_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FIELDS: tuple[tuple[int, int, tuple[str, ...], int], ...] = (  # lowest, highest, names, number of the first name
    (0, 59, (), 0),
    (0, 23, (), 0),
    (1, 31, (), 0),
    (1, 12, _MONTHS, 1),
    (0, 7, _DAYS, 0),
)
_PART = re.compile(r"(?P<first>\*|\w+)(?:-(?P<last>\w+))?(?:/(?P<step>\d{1,4}))?")
_UNITS = {"m": 1, "h": 60, "d": 24 * 60}
_EVERY = re.compile(r"(\d{1,6})([mhd])")


def is_cron(text: str) -> bool:
    """Whether ``text`` is a five-field cron line; names such as ``mon`` and ``jan`` count (JOB-16)."""
    fields = text.split()
    return len(text) <= CRON_CHARS and len(fields) == len(_FIELDS) and all(map(_is_field, fields, range(len(fields))))


def every_minutes(text: str) -> int | None:
    """The minutes of ``30m``, ``2h`` or ``1d``; ``None`` when it is no interval or out of range (JOB-4)."""
    match = _EVERY.fullmatch(text)
    if match is None:
        return None
    minutes = int(match[1]) * _UNITS[match[2]]
    return minutes if EVERY_MINUTES[0] <= minutes <= EVERY_MINUTES[1] else None


def _is_field(field: str, place: int) -> bool:
    if place == 2 and field.lower() == "l":  # the last day of the month
        return True
    return all(_is_part(part.lower(), place) for part in field.split(","))


def _is_part(part: str, place: int) -> bool:
    if place == 4:
        part = re.sub(r"#[1-5]$", "", part)  # the n-th such day of the month
    match = _PART.fullmatch(part)
    if match is None or int(match["step"] or 1) == 0:
        return False
    if match["first"] == "*":
        return match["last"] is None
    return all(_in_range(name, place) for name in (match["first"], match["last"]) if name is not None)


def _in_range(name: str, place: int) -> bool:
    low, high, names, first = _FIELDS[place]
    number = names.index(name) + first if name in names else int(name) if name.isascii() and name.isdigit() else -1
    return low <= number <= high

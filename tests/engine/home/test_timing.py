"""When a cron line fires, against a second implementation, over the changes of the clock (JOB-16, FZ)."""

from __future__ import annotations

from collections.abc import Callable, Container
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from croniter import croniter
from cronsim import CronSim
from hypothesis import given, settings
from hypothesis import strategies as st

from crewlab.engine.home.cron import is_cron
from crewlab.engine.home.timing import cron_runs, missed, next_run
from crewlab.engine.home.timing_words import words
from crewlab.engine.texts import Texts

# Lord Howe shifts by 30 minutes.
ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago", "Asia/Ho_Chi_Minh")
YEARS = range(2020, 2041)
DAILY = ("30 2 * * *", "45 1 * * *", "0 7 * * mon-fri", "15 0 1 * *", "10 2,14 * * *")


def runs(line: str, zone: str, start: datetime, end: datetime) -> list[datetime]:
    found = []
    for moment in cron_runs(line, start, ZoneInfo(zone)):
        if moment >= end:
            break
        found.append(moment)
    return found


@pytest.mark.spec("JOB-16", "FZ-1", "FZ-3", "FZ-6")
@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("line", DAILY)
def test_lines_with_a_time_of_day_agree_with_a_second_library_over_twenty_one_years(line: str, zone: str) -> None:
    place = ZoneInfo(zone)
    start, end = datetime(2020, 1, 1, tzinfo=UTC), datetime(2041, 1, 1, tzinfo=UTC)
    other = []
    for moment in CronSim(line, start.astimezone(place)):
        if moment.astimezone(UTC) >= end:
            break
        other.append(moment.astimezone(UTC))
    assert runs(line, zone, start, end) == other


@pytest.mark.spec("JOB-16", "SCH-2")
@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(
    ("line", "minutes", "hours"),
    [
        ("*/15 * * * *", range(0, 60, 15), range(24)),
        ("5 * * * *", (5,), range(24)),
        ("0 */2 * * *", (0,), range(0, 24, 2)),
        ("20 1-3 * * *", (20,), (1, 2, 3)),
    ],
)
def test_every_wall_clock_minute_that_matches_fires_exactly_once(
    line: str, minutes: Container[int], hours: Container[int], zone: str
) -> None:
    """The oracle walks the wall clock minute by minute over each change of 2020 to 2040."""
    place = ZoneInfo(zone)
    for year in YEARS:
        for start in _changes(place, year):
            begin, end = start - timedelta(hours=3), start + timedelta(hours=3)
            fires = _oracle(lambda wall: wall.minute in minutes and wall.hour in hours, place, begin, end)
            assert runs(line, zone, begin, end) == fires, (zone, start)


@cache
def _changes(zone: ZoneInfo, year: int) -> list[datetime]:
    days = [datetime(year, 1, 1, tzinfo=UTC) + timedelta(days=n) for n in range(366)]
    hours = [day + timedelta(hours=n) for day in days for n in range(24) if _offset(day, zone) != _offset(day + timedelta(days=1), zone)]
    return [hour + timedelta(hours=1) for hour in hours if _offset(hour, zone) != _offset(hour + timedelta(hours=1), zone)]


def _offset(moment: datetime, zone: ZoneInfo) -> timedelta | None:
    return moment.astimezone(zone).utcoffset()


def _oracle(matches: Callable[[datetime], bool], zone: ZoneInfo, begin: datetime, end: datetime) -> list[datetime]:
    """Moments in order; a wall minute seen before is skipped, skipped wall minutes count for the minute after the gap."""
    seen: set[datetime] = set()
    found = []
    moment = begin - timedelta(hours=2)
    wall = moment.astimezone(zone).replace(tzinfo=None)
    while moment + timedelta(minutes=1) < end:
        moment += timedelta(minutes=1)
        now = moment.astimezone(zone).replace(tzinfo=None)
        passed = (now - wall) // timedelta(minutes=1)
        minutes = [wall + timedelta(minutes=n) for n in range(1, passed + 1)] or [now]
        wall = now
        fires = False
        for minute in minutes:
            if minute not in seen:
                seen.add(minute)
                fires = fires or matches(minute)
        if fires and moment > begin:
            found.append(moment)
    return found


@pytest.mark.spec("JOB-16", "FZ-1")
def test_the_policy_in_two_nights_of_new_york() -> None:
    zone = ZoneInfo("America/New_York")
    spring = list(islice(cron_runs("30 2 * * *", datetime(2026, 3, 7, 12, tzinfo=UTC), zone), 2))
    assert [f"{moment.astimezone(zone):%d %H:%M}" for moment in spring] == ["08 03:00", "09 02:30"]
    autumn = list(islice(cron_runs("30 1 * * *", datetime(2026, 10, 31, 12, tzinfo=UTC), zone), 2))
    assert [f"{moment.astimezone(zone):%d %H:%M %z}" for moment in autumn] == ["01 01:30 -0400", "02 01:30 -0500"]


@pytest.mark.spec("JOB-16", "JOB-19")
@settings(max_examples=300, deadline=None)
@given(
    line=st.sampled_from([*DAILY, "*/7 * * * *", "0 0 29 2 *", "0 12 l * *", "0 0 * * sat#2", "59 23 31 12 *"]),
    zone=st.sampled_from(ZONES),
    seconds=st.integers(0, 20 * 366 * 86400),
)
def test_the_next_moment_is_always_after_the_previous(line: str, zone: str, seconds: int) -> None:
    after = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    for moment in islice(cron_runs(line, after, ZoneInfo(zone)), 5):
        assert moment > after
        assert (moment.second, moment.microsecond, moment.tzinfo) == (0, 0, UTC)
        after = moment


@pytest.mark.spec("JOB-19")
def test_an_interval_counts_from_the_mark_and_missed_moments_are_counted() -> None:
    mark, zone = datetime(2026, 3, 7, 12, 0, 30, tzinfo=UTC), ZoneInfo("America/New_York")
    assert next_run(None, "90m", mark, zone) == mark + timedelta(minutes=90)
    assert next_run("0 0 31 2 *", None, mark, zone) is None
    assert missed(None, "30m", mark, mark + timedelta(hours=8), zone) == 16
    assert missed("0 * * * *", None, mark, mark + timedelta(hours=8), zone) == 8
    assert missed("* * * * *", None, mark, mark + timedelta(days=9), zone) == 1000


FIELD = st.text("0123456789*/-,#lLmonsunjan", min_size=1, max_size=7)


@pytest.mark.spec("JOB-4", "JOB-16")
@settings(max_examples=1500, deadline=None)
@given(st.lists(FIELD, min_size=5, max_size=5).map(" ".join))
def test_a_line_that_is_taken_can_be_read_by_the_library(line: str) -> None:
    if is_cron(line):
        assert croniter.is_valid(line), line


@pytest.mark.parametrize(
    ("cron", "every", "english", "vietnamese"),
    [
        ("0 7 * * *", None, "Every day at 07:00", "Mỗi ngày lúc 07:00"),
        ("30 8 * * mon-fri", None, "Monday to Friday at 08:30", "Thứ Hai đến thứ Sáu lúc 08:30"),
        ("0 9,18 * * 0,6", None, "Every Saturday, Sunday at 09:00, 18:00", "Mỗi thứ Bảy, Chủ nhật lúc 09:00, 18:00"),
        ("0 9 1,15 * *", None, "On day 1, 15 of the month at 09:00", "Ngày 1, 15 hằng tháng lúc 09:00"),
        ("5 4 * jan sun", None, "Every Sunday at 04:05, in January", "Mỗi Chủ nhật lúc 04:05, vào tháng Một"),
        ("*/15 * * * *", None, "Every 15 minutes", "Cứ 15 phút"),
        ("5 * * * *", None, "Every hour at minute 05", "Mỗi giờ vào phút 05"),
        ("0 7 * * 1#2", None, "By the cron line 0 7 * * 1#2", "Theo dòng cron 0 7 * * 1#2"),
        ("0 0 l * *", None, "By the cron line 0 0 l * *", "Theo dòng cron 0 0 l * *"),
        ("1 2 3 * mon", None, "By the cron line 1 2 3 * mon", "Theo dòng cron 1 2 3 * mon"),
        (None, "90m", "Every 90 minutes", "Cứ 90 phút"),
        (None, "1d", "Every 24 hours", "Cứ 24 giờ"),
    ],
)
@pytest.mark.spec("JOB-26", "GATE-103")
def test_a_schedule_in_words(cron: str | None, every: str | None, english: str, vietnamese: str) -> None:
    assert words(cron, every, Texts("en")) == english
    assert words(cron, every, Texts("vi")) == vietnamese

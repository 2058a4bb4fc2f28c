"""Time and ids behind small protocols, so that tests neither sleep nor guess."""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Wall time for records, monotonic time for durations."""

    def now(self) -> datetime:
        """The time now, UTC, timezone-aware."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()


class FakeClock:
    """A clock that moves only when told; for tests and drills."""

    def __init__(self, start: datetime | None = None) -> None:
        self._now = start or datetime(2026, 1, 1, tzinfo=UTC)
        self._elapsed = 0.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._elapsed

    def advance(self, seconds: float) -> None:
        """Move both times forward by ``seconds``."""
        self._now += timedelta(seconds=seconds)
        self._elapsed += seconds


def iso(moment: datetime) -> str:
    """``moment`` as UTC ISO 8601 with microseconds and offset (TURN-7); sorts as text."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def new_id(prefix: str) -> str:
    """A fresh opaque id such as ``c_3f9a…`` (96 random bits)."""
    return f"{prefix}_{secrets.token_hex(12)}"

"""Channels of other installed packages (AGT-39): built from ``Reach``, started aside and ended with the crew."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from crewlab.engine.channels.reach import Reach
from crewlab.engine.home.packages import CHANNELS, brought, left_out

STOP_SECONDS = 5.0  # a channel that does not end is left behind

log = logging.getLogger(__name__)


class Channel(Protocol):
    """What an entry point ``crewlab.channels`` gives when it is called with a ``Reach``; ``None`` when nothing is set up for it."""

    async def start(self) -> None:
        """Begin to listen; may run as long as the channel does."""

    async def stop(self) -> None:
        """End, and let go of everything."""


class OutsideChannels:
    """The channels of other packages. One that fails is told in the log and harms nobody else."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._running: list[tuple[str, Channel, asyncio.Task[None]]] = []

    def start(self) -> None:
        """Build each and start it aside; the crew does not wait for it."""
        for name, build in brought(CHANNELS):
            try:
                channel = build(self._reach)
            except Exception as error:  # noqa: BLE001 - code of another package
                left_out(CHANNELS, name, f"{type(error).__name__}: {error}")
                continue
            if channel is not None:
                task = asyncio.create_task(_guarded(name, "start", channel.start), name=f"crewlab channel {name}")
                self._running.append((name, channel, task))

    async def stop(self) -> None:
        """End all of them at once, within ``STOP_SECONDS``."""
        ends = [asyncio.create_task(_guarded(name, "stop", channel.stop)) for name, channel, _ in self._running]
        tasks = [*ends, *(task for _, _, task in self._running)]
        self._running = []
        if ends:
            await asyncio.wait(ends, timeout=STOP_SECONDS)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=STOP_SECONDS)


async def _guarded(name: str, what: str, act: Callable[[], Awaitable[None]]) -> None:
    try:
        await act()
    except Exception:
        log.exception("the channel %s could not %s", name, what)

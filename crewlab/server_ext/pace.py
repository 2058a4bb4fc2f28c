"""When a stream that has just written may write again (WIRE-16)."""

from __future__ import annotations

import asyncio

GAP_SECONDS = 0.02  # WIRE-16: what a person does not see


class Pace:
    """Lets streams that have just written wait for one common tick, so that what comes meanwhile goes out in one write (WIRE-16).

    The first frame after a silence waits for nothing.
    """

    def __init__(self, gap: float = GAP_SECONDS) -> None:
        self.gap = gap
        self._tick: asyncio.Future[None] | None = None

    async def since(self, last: float) -> None:
        """Come back at the next tick when ``last``, a time of the loop, was less than the gap ago."""
        loop = asyncio.get_running_loop()
        if loop.time() - last >= self.gap:
            return
        if self._tick is None or self._tick.done() or self._tick.get_loop() is not loop:
            tick = self._tick = loop.create_future()
            loop.call_later(self.gap, lambda: None if tick.done() else tick.set_result(None))
        await asyncio.shield(self._tick)

"""Several works at once, their results in the order in which they were given (DLG-30, DLG-31)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from typing import TypeVar

AT_ONCE = 8  # DLG-31

T = TypeVar("T")


async def in_order(works: Sequence[Callable[[], Awaitable[T]]], at_once: int = AT_ONCE) -> AsyncGenerator[T]:
    """Start the works together, at most ``at_once`` of them running, and give their results in order.

    Raises what a work raises. What still runs when the generator is closed is cancelled and awaited.
    """
    places = asyncio.Semaphore(at_once)

    async def placed(work: Callable[[], Awaitable[T]]) -> T:
        async with places:
            return await work()

    tasks = [asyncio.ensure_future(placed(work)) for work in works]
    try:
        for task in tasks:
            yield await task
    finally:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

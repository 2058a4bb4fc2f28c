"""How the calls of one batch run: reads at the same time, writes one after another, delegations with places of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

AT_ONCE = 4  # SCR-113
DELEGATIONS_AT_ONCE = 3  # SCR-153


@dataclass(frozen=True, slots=True)
class Element:
    """One call: what runs it, whether it is a delegation (it then holds none of the four places)."""

    run: Callable[[], Awaitable[dict[str, Any]]]
    delegation: bool = False


async def run_batch(elements: Sequence[Element], *, writes: bool) -> list[dict[str, Any]]:
    """The results in written order. ``writes``: one after another (SCR-114); when the task is cancelled, so are the calls that started."""
    if writes:
        return [await element.run() for element in elements]
    places, delegations = asyncio.Semaphore(AT_ONCE), asyncio.Semaphore(DELEGATIONS_AT_ONCE)

    async def held(element: Element) -> dict[str, Any]:
        async with delegations if element.delegation else places:
            return await element.run()

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(held(element)) for element in elements]
    return [task.result() for task in tasks]

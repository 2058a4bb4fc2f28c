"""The order and the places of the calls of a batch."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from crewlab.engine.script.batches import Element, run_batch


class Calls:
    """Calls that wait until they are let go; counts how many run at the same time, by kind."""

    def __init__(self) -> None:
        self.running: dict[bool, int] = {False: 0, True: 0}
        self.most: dict[bool, int] = {False: 0, True: 0}
        self.started: list[int] = []
        self.cancelled: list[int] = []

    def element(self, number: int, delegation: bool = False) -> Element:
        async def run() -> dict[str, Any]:
            self.started.append(number)
            self.running[delegation] += 1
            self.most[delegation] = max(self.most[delegation], self.running[delegation])
            try:
                for _ in range(20 - number):
                    await asyncio.sleep(0)
            except asyncio.CancelledError:
                self.cancelled.append(number)
                raise
            finally:
                self.running[delegation] -= 1
            return {"ok": True, "output": str(number)}

        return Element(run, delegation)


@pytest.mark.spec("SCR-112", "SCR-113")
async def test_four_reads_run_at_once_and_answer_in_written_order() -> None:
    calls = Calls()
    results = await run_batch([calls.element(number) for number in range(10)], writes=False)
    assert [one["output"] for one in results] == [str(number) for number in range(10)]
    assert calls.most[False] == 4


@pytest.mark.spec("SCR-114")
async def test_a_batch_that_writes_runs_one_after_another() -> None:
    calls = Calls()
    await run_batch([calls.element(0), calls.element(1, True), calls.element(2)], writes=True)
    assert (calls.most, calls.started) == ({False: 1, True: 1}, [0, 1, 2])


@pytest.mark.spec("SCR-153")
async def test_three_delegations_at_once_hold_no_place_of_the_reads() -> None:
    calls = Calls()
    await run_batch(
        [*(calls.element(number, True) for number in range(5)), *(calls.element(number) for number in range(5, 10))], writes=False
    )
    assert calls.most == {True: 3, False: 4}


@pytest.mark.spec("SCR-19")
async def test_when_the_script_ends_what_started_is_cancelled_and_the_rest_never_starts() -> None:
    calls = Calls()
    task = asyncio.create_task(run_batch([calls.element(number) for number in range(10)], writes=False))
    for _ in range(5):
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(calls.started) == sorted(calls.cancelled) == [0, 1, 2, 3]

"""No script reaches the limit of CPU before its steps are used up: the CPU of the worst operations, measured for each step (SCR-241)."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator

import pytest

from crewlab.engine.script.child.limits import MAX_SECONDS, MAX_STEPS
from crewlab.engine.script.child.session import CPU_SECONDS
from tests.engine.script.inside import Result, script
from tests.engine.script.worst import OPERATIONS

STEPS = 40_000  # measured for each operation; the whole budget would take minutes


def cpu(source: str, steps: int) -> tuple[Result, float]:
    """CPU, not the clock: other work on the machine does not count."""
    start = time.process_time()
    ended = script(source, steps=steps)
    return ended, time.process_time() - start


@pytest.fixture(autouse=True)
def _collect_as_the_child_does() -> Iterator[None]:
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
    yield
    gc.set_threshold(*before)
    gc.unfreeze()


@pytest.mark.spec("SCR-241", "SCR-246", "SCR-49", "SCR-50", "SCR-51")
@pytest.mark.parametrize("name", OPERATIONS)
def test_all_steps_of_the_worst_operation_take_less_than_half_of_the_limit(name: str) -> None:
    setup, operation = OPERATIONS[name]
    prepared, before = cpu(setup or "pass", MAX_STEPS)
    assert prepared.code == "ok", prepared
    looped = setup + "\nwhile True:\n    " + operation.replace("\n", "\n    ")
    ended, after = cpu(looped, min(MAX_STEPS, prepared.steps + STEPS))
    assert ended.code in ("limit_steps", "limit_int"), ended
    spent = max(ended.steps - prepared.steps, STEPS // 2)
    assert (after - before) / spent * MAX_STEPS < CPU_SECONDS[0] / 2


CHAIN = """
d = {{}}
x = 0
for i in range(40000):
    d[x] = 1
    x = (x * 5 + 1) % 65536
d.pop(0)
print('built')
{}while True:
    0 in d
"""


@pytest.mark.spec("SCR-247", "SCR-241")
def test_a_script_whose_keys_meet_on_purpose_stops_at_half_of_the_cpu_and_keeps_what_it_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small integers can be chosen so that one lookup passes all of them; no charge of a single key can know that."""
    assert CPU_SECONDS[0] / 2 == MAX_SECONDS
    from tests.engine.script import inside

    quick = inside.Meter
    monkeypatch.setattr(inside, "Meter", lambda steps, memory: quick(steps, memory, seconds=0.5))
    ended = script(CHAIN.format(""))
    assert (ended.code, ended.printed, ended.line) == ("limit_steps", "built", 10)
    assert ended.steps < MAX_STEPS
    caught = script(
        CHAIN.format("try:\n  ").replace("    0 in d", "    0 in d\nexcept Exception:\n  print('caught')\nfinally:\n  print('finally')")
    )
    assert (caught.code, caught.printed) == ("limit_steps", "built")

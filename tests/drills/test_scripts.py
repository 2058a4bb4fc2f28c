"""Many more made programs than the tests run: ours and CPython's say the same (`make drill`: 100,000)."""

from __future__ import annotations

import collections
import os
import random

import pytest

from tests.engine.script.test_differential import compare

PROGRAMS = int(os.environ.get("CREWLAB_DRILL_PROGRAMS", "300"))
SEED = int(os.environ.get("CREWLAB_DRILL_SEED", "20261130"))


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.spec("SCR-21", "SCR-46")
def test_made_programs_do_what_cpython_does() -> None:
    chance = random.Random(SEED)
    ended: collections.Counter[str] = collections.Counter()
    for _ in range(PROGRAMS):
        ended[compare(chance.randbytes(chance.randint(20, 250)))] += 1
    print(f"{PROGRAMS} programs, seed {SEED}: {dict(ended)}")
    assert ended["ok"] > PROGRAMS // 2
    assert ended["uncaught"] > PROGRAMS // 10

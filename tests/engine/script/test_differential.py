"""Over the language the interpreter does what CPython does: the same output, the same class of error, the same line."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.engine.script.inside import script
from tests.engine.script.programs import Program, oracle

PROGRAMS = 2_000
MAX_PRINTED = 60_000  # SCR-66: then the middle is left out


def compare(data: bytes) -> str:
    """Run the program of ``data`` in both; gives how ours ended."""
    source = Program(data).source()
    ours = script(source)
    if ours.code in ("limit_int", "limit_value", "limit_steps", "limit_memory"):
        return ours.code
    assert ours.code in ("ok", "uncaught"), (ours.code, ours.line, ours.params, source)
    theirs = oracle(source)
    if len(theirs.output) >= MAX_PRINTED:
        return "shortened"
    error, line = ("", 0) if ours.code == "ok" else (ours.params["type"], ours.line)
    assert (ours.printed, error, line) == (theirs.output, theirs.error, theirs.line), source
    return ours.code


@pytest.mark.spec("SCR-50", "SCR-61", "SCR-62")
def test_a_program_stopped_anywhere_has_printed_the_beginning_of_what_it_prints() -> None:
    """Whatever the budget, the steps are those of the whole run up to there, and the stop has a line."""
    chance = random.Random(241)
    for _ in range(300):
        source = Program(chance.randbytes(chance.randint(20, 200))).source()
        whole = script(source)
        if whole.code != "ok" or len(whole.printed) >= MAX_PRINTED:
            continue
        assert script(source, steps=whole.steps).code == "ok"
        for part in (1, whole.steps // 3, whole.steps * 2 // 3, whole.steps - 1):
            cut = script(source, steps=part)
            assert cut.code == "limit_steps", source
            assert (whole.printed.startswith(cut.printed), cut.steps <= part, cut.line > 0) == (True, True, True), (part, cut, source)


@pytest.mark.spec("SCR-21", "SCR-46", "SCR-25", "SCR-60", "SCR-244")
@settings(max_examples=PROGRAMS, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(st.binary(min_size=20, max_size=250))
def test_a_program_does_what_cpython_does(data: bytes) -> None:
    compare(data)

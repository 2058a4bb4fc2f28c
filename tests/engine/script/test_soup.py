"""What Python's own compiler rejects is refused, and whatever is accepted runs to an end the language knows."""

from __future__ import annotations

import os
import warnings
from typing import Any

import pytest

from tests.engine.script.inside import script
from tests.engine.script.soup import Soup

PROGRAMS = int(os.environ.get("CREWLAB_DRILL_PROGRAMS", "6000"))
ENDS = {"ok", "uncaught", "syntax", "refused_syntax", "limit_steps", "limit_calls", "limit_llm", "limit_depth", "limit_value", "limit_int"}


def answer(op: str, fields: dict[str, Any]) -> dict[str, Any]:
    return {"ok": True, "value": [] if op == "batch" else "t"}


def rejected(source: str) -> str:
    """Why CPython does not compile the program; empty when it does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "<soup>", "exec")
        except (SyntaxError, ValueError) as error:
            return str(error)
    return ""


@pytest.mark.spec("SCR-22", "SCR-28", "SCR-243")
@pytest.mark.timeout(1800)
def test_nothing_that_the_compiler_rejects_gets_past_the_check() -> None:
    ran = 0
    for number in range(PROGRAMS):
        source = Soup(number).source
        why = rejected(source)
        ended = script(source, steps=300, answer=answer)
        assert ended.code in ENDS, source
        if ended.code in ("syntax", "refused_syntax"):
            assert (ended.printed, ended.sent) == ("", []), source
            assert 1 <= ended.line <= source.count("\n") + 1
        else:
            assert not why, (why, source)
            ran += 1
    assert ran > PROGRAMS // 20, "too few get past the check to mean anything"

"""The cases that the agent editor's own judgements are tested on, decided by the engine: both say the same."""

from __future__ import annotations

import json
from typing import Any

import pytest

from crewlab.engine.home.patterns import first_match, split_allow_patterns, split_fence_patterns
from crewlab.engine.home.profile_models import browser_host
from crewlab.engine.home.wrong import Wrong
from tests.fixtures.source import ROOT

SHELL: list[dict[str, Any]] = json.loads((ROOT / "tests" / "fixtures" / "shell_cases.json").read_text(encoding="utf-8"))
HOSTS: list[tuple[str, bool]] = json.loads((ROOT / "tests" / "fixtures" / "host_cases.json").read_text(encoding="utf-8"))


@pytest.mark.spec("SHL-26", "SHL-27", "SHL-29", "SHL-34", "SHL-36")
@pytest.mark.parametrize("case", SHELL)
def test_the_lists_meet_a_command_as_the_editor_says(case: dict[str, Any]) -> None:
    lists = {
        "deny": split_fence_patterns(case["deny"])[0],
        "ask": split_fence_patterns(case["ask"])[0],
        "allow": split_allow_patterns(case["allow"])[0],
    }
    met = next(((name, found) for name, items in lists.items() if (found := first_match(case["command"], items))), (None, None))
    assert met == (case["list"], case["pattern"])


@pytest.mark.spec("BRW-14", "BRW-15")
@pytest.mark.parametrize(("line", "good"), HOSTS)
def test_a_host_stands_in_the_file_as_the_editor_says(line: str, good: bool) -> None:
    if good:
        assert browser_host(line) == line
    else:
        with pytest.raises(Wrong):
            browser_host(line)

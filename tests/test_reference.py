"""The pages that are generated are those the program would write now; the pages by hand name files that are there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from crewlab.engine.home.environment import FORMS, variable
from crewlab.engine.home.profile import AgentProfile
from crewlab.engine.home.settings import Settings
from tests.fixtures.source import ROOT

REGISTERS = (ROOT / "docs" / "spec" / "README.md").read_text(encoding="utf-8")
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "reference").glob("*.md")),
]
NAMED_PATH = re.compile(r"`((?:crewlab|labextension|scripts|tests|docs|notebooks|benchmarks|\.ci)/[\w./@-]+)`")


def rows(letter: str) -> list[list[str]]:
    section = REGISTERS.split(f"## Register {letter}:", 1)[1].split("\n## ", 1)[0]
    return [line.strip("|").split(" | ") for line in section.splitlines() if line.startswith("| `")]


def names(cell: str) -> set[str]:
    return set(re.findall(r"`([a-zA-Z_]+)`", cell))


def test_the_page_of_the_configuration_is_what_the_models_say() -> None:
    result = subprocess.run([sys.executable, "scripts/reference.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.spec("AGT-8", "TURN-4")
def test_the_keys_and_variables_of_config_yaml_are_those_of_the_register() -> None:
    table = rows("A")
    keys = set().union(*(names(row[0]) for row in table))
    assert set(Settings.model_fields) == keys
    assert {variable(key) for key in FORMS} == set().union(*(names(row[1]) for row in table))


@pytest.mark.spec("AGT-13", "TURN-4")
def test_the_keys_of_agent_yaml_are_those_of_the_register() -> None:
    assert set(AgentProfile.model_fields) == set().union(*(names(row[0]) for row in rows("B")))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_a_page_names_is_there(page: Path) -> None:
    named = NAMED_PATH.findall(page.read_text(encoding="utf-8"))
    assert [path for path in named if not (ROOT / path).exists()] == []

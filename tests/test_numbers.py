"""A number whose comment names a requirement is the number of that requirement: a change of either alone is found here.

What the numbers do is tested beside the parts; this holds that they are the ones that were agreed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.fixtures.source import ROOT, python_files

REQUIREMENT = re.compile(r"\*\*([A-Z]+-\d+)\*\*|\|\s*\**([A-Z]{2,}-\d+)\**\s*\|")
NAMED = re.compile(r"[A-Z]{2,5}-\d+")
UNITS = {
    1024: ("KB", "KiB"),
    1 << 20: ("MB", "MiB"),
    1 << 30: ("GB", "GiB"),
    1000: ("KB",),
    10**6: ("MB", "million"),
    10**9: ("billion",),
    60: ("min", "minutes"),
    3600: ("h",),
    86400: ("day", "days"),
    0.001: ("ms", "milliseconds"),
    0.01: ("%",),
}
COUNTED = "one,two second,three third,four quarter,five,six,seven,eight,nine,ten,eleven,twelve"
WORDS = dict(enumerate(COUNTED.split(","), start=1))
OCTAL = range(0o400, 0o1000)
OWN = {  # the comment names the rule that the number serves; the number itself is ours
    "crewlab/engine/canvas/service.py HEAD_LINES": "lines of the head that DLG-36 draws",
    "crewlab/engine/sandbox/launcher.py PORTS": "how many numbers 0 to 65535 are",
    "crewlab/engine/sandbox/service.py PROBE_SECONDS": "patience of a probe",
    "crewlab/engine/script/child/limits.py MAX_ROUND": "a bound of a form",
    "crewlab/engine/script/child/limits.py MAX_INDENT": "a bound of a form",
    "crewlab/engine/script/child/limits.py COLLISIONS_PER_STEP": "a charge, held by the test of SCR-241",
    "crewlab/engine/script/child/limits.py CASE_PER_STEP": "a charge, held by the test of SCR-241",
    "crewlab/engine/script/child/session.py RECURSION": "room for what the source depth allows",
    "crewlab/engine/tools/fence.py NUMBER_BYTES": "bytes that give 16 hexadecimal digits",
    "crewlab/engine/tools/memory/facts.py NEAR_NAMES": "how many near names are listed",
    "crewlab/engine/tools/web/firecrawl.py PAGE_SECONDS": "what slow means",
    "crewlab/notebook/http.py PROBE_SECONDS": "patience of a probe",
    "crewlab/server_ext/api/models.py LIST_APPROVALS": "length of a page",
    "crewlab/server_ext/socket.py READ_LIMIT_BYTES": "what is read in order to be refused",
    "crewlab/server_ext/sse.py STALLED_PINGS": "when a silent reader is given up",
    "crewlab/server_ext/window.py SILENT_BEATS": "when a silent reader is given up",
    "crewlab/widgets/timeline.py LOOK_BACK": "how far a widget looks back",
}


@dataclass(frozen=True)
class Number:
    """A named number of the source with the requirements that its comment names."""

    name: str
    value: float
    requirements: tuple[str, ...]


def requirements() -> dict[str, str]:
    """The text of each requirement, the table that follows it included."""
    found: dict[str, str] = {}
    for page in (ROOT / "docs" / "spec").glob("*.md"):
        current = ""
        for line in page.read_text(encoding="utf-8").splitlines():
            begins = REQUIREMENT.match(line)
            current = (begins[1] or begins[2]) if begins else "" if line.startswith("#") else current
            if current:
                found[current] = f"{found.get(current, '')}\n{line}"
    return found


def numbers() -> Iterator[Number]:
    """The numbers of the package that say where they come from."""
    for path in python_files():
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for node in ast.parse(source).body:
            if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name) or not node.targets[0].id.isupper():
                continue
            named = tuple(NAMED.findall(lines[node.lineno - 1].partition("#")[2]))
            value = product(node.value)
            if named and value is not None:
                yield Number(f"{path.relative_to(ROOT)} {node.targets[0].id}", value, named)


def product(node: ast.expr) -> float | None:
    """The value of a number, or of a product, power or shift of numbers."""
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return node.value
    if not isinstance(node, ast.BinOp):
        return None
    left, right = product(node.left), product(node.right)
    if left is None or right is None:
        return None
    ways = {ast.Mult: lambda: left * right, ast.Pow: lambda: left**right, ast.LShift: lambda: int(left) << int(right)}
    return float(ways[type(node.op)]()) if type(node.op) in ways else None


def written(value: float) -> set[str]:
    """The ways in which a text may write a number."""
    ways = {f"{value:g}", f"{value:,.0f}"} if value == int(value) else {f"{value:g}"}
    for size, names in UNITS.items():
        count = value / size
        if count >= 0.5 and abs(count - round(count, 3)) < 1e-9:
            ways |= {f"{amount}{gap}{name}" for amount in (f"{count:g}", f"{count:,.0f}") for gap in (" ", "", "-") for name in names}
    if value in OCTAL and value == int(value):
        ways |= {f"mode {int(value):o}", f"0{int(value):o}", f"mode {int(value):04o}"}
    return ways | set(WORDS.get(int(value), "").split() if value == int(value) else ())


def stands_in(value: float, text: str) -> bool:
    """Whether a text writes this number, on its own and not within a longer one."""
    return any(re.search(rf"(?<![\w.,]){re.escape(way)}(?:th)?(?!\w|,\d)", text) for way in written(value))


TEXTS = requirements()
NUMBERS = list(numbers())


def test_the_source_has_numbers_and_the_specification_their_requirements() -> None:
    assert len(NUMBERS) > 250
    assert {each for number in NUMBERS for each in number.requirements} <= set(TEXTS)
    assert set(OWN) <= {number.name for number in NUMBERS}


@pytest.mark.parametrize("number", [each for each in NUMBERS if each.name not in OWN], ids=lambda each: each.name)
def test_a_number_is_the_one_of_its_requirement(number: Number) -> None:
    assert any(stands_in(number.value, TEXTS[each]) for each in number.requirements), number


@pytest.mark.parametrize("number", [each for each in NUMBERS if each.name in OWN], ids=lambda each: each.name)
def test_a_number_of_our_own_is_needed_on_the_list(number: Number) -> None:
    assert not any(stands_in(number.value, TEXTS[each]) for each in number.requirements), number


@pytest.mark.parametrize(("value", "text"), [(120, "1200 s"), (12, "3.12"), (4096, "14,096 units"), (3, "thirteen times")])
def test_another_number_is_not_taken_for_it(value: float, text: str) -> None:
    assert not stands_in(value, text)

"""What a stranger gets: one version, one licence, the specification as it was given, no word about where it was made."""

import json
import re
import subprocess
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from crewlab._version import __version__
from tests.fixtures.source import FRONT, ROOT, tracked

SPEC = ROOT / "docs" / "spec"
GIVEN = ROOT.parent / "shared" / "spec"
OWN_PAGES = {"additions.md"}
REQUIREMENT = re.compile(r"^[-*| ]*\*\*([A-Z][A-Z0-9]{1,6}-\d+[a-z]?)\*\*")
NAMED = re.compile(r"\b([A-Z][A-Z0-9]{1,6}-\d+[a-z]?)\b")
MARKS = re.compile(r"mark\.spec\(([^)]*)\)|//\s*spec:\s*(.+)")
BINARY = {".png", ".gguf", ".ico", ".woff2", ".db", ".ipynb"}

# Put together here, so that this file does not find itself.
PLACES = ["/" + "work/", "/" + "tmp/wt-", "/" + "tmp/crewlab-", "/" + "tmp/tmp-", "/" + "root/", "/opt/" + "wheels"]
HOSTS = re.compile(
    "|".join([r"registry\." + r"npmjs", r"registry\." + r"yarnpkg", r"pypi\." + r"org", r"files\." + r"pythonhosted", r"deb\." + r"debian"])
)


def texts() -> dict[str, str]:
    given = {str(path.relative_to(ROOT)) for path in SPEC.glob("*.md")} - {f"docs/spec/{name}" for name in OWN_PAGES}
    return {
        name: path.read_text(encoding="utf-8")
        for path in tracked()
        if path.suffix not in BINARY and (name := str(path.relative_to(ROOT))) not in given
    }


def requirements() -> set[str]:
    return {
        match[1]
        for page in SPEC.glob("*.md")
        for line in page.read_text(encoding="utf-8").splitlines()
        if (match := REQUIREMENT.match(line))
    }


def test_no_file_names_a_place_of_the_machine_it_was_written_on() -> None:
    assert [(name, place) for name, text in texts().items() for place in PLACES if place in text] == []


def test_no_file_names_a_registry_host() -> None:
    assert [(name, found[0]) for name, text in texts().items() if (found := HOSTS.search(text))] == []


def test_the_specification_is_the_one_that_was_given() -> None:
    differing = [page.name for page in sorted(GIVEN.glob("*.md")) if (SPEC / page.name).read_bytes() != page.read_bytes()]
    assert differing == []


def test_every_id_that_a_test_names_is_a_requirement() -> None:
    known = requirements()
    assert len(known) > 1000
    unknown = [
        (str(path.relative_to(ROOT)), name)
        for path in tracked()
        if path.suffix in {".py", ".ts", ".tsx"}
        for marks in MARKS.findall(path.read_text(encoding="utf-8"))
        for name in NAMED.findall(marks[0] or marks[1])
        if name not in known
    ]
    assert unknown == []


def test_the_version_and_the_licence_are_the_same_everywhere() -> None:
    package = json.loads((FRONT / "package.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert package["version"] == __version__
    assert package["license"] == project["license"] == "BSD-3-Clause"
    assert "BSD 3-Clause" in (ROOT / "LICENSE").read_text(encoding="utf-8")


def test_the_extra_all_holds_every_other_extra_for_people() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(extras["all"][0].removeprefix("crewlab[").removesuffix("]").split(",")) == set(extras) - {"all", "dev"}


@pytest.mark.parametrize("target", ["lab", "test", "lint", "types", "bench", "wheel", "clean", "help"])
def test_make_offers_the_guessable_commands(target: str) -> None:
    shown = subprocess.run(["make", "-s", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.search(rf"^  make {target}\s+\S", shown, re.M)


def test_every_link_of_the_pages_leads_to_a_file() -> None:
    broken = []
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "reference").glob("*.md")]:
        for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8")):
            if "://" not in link and not (page.parent / link).exists():
                broken.append((page.name, link))
    assert broken == []


@pytest.mark.spec("FV-8")
def test_every_dependency_has_a_floor_and_what_is_pinned_stands_above_it() -> None:
    """Known holes lie below the floors; the versions the tests run with must not lie there either."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [
        *project["project"]["dependencies"],
        *(one for group in project["project"]["optional-dependencies"].values() for one in group),
    ]
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {canonicalize_name(one.name): one for line in lines if "==" in line for one in [Requirement(line)]}
    floors = {one.name: one.specifier for line in wanted for one in [Requirement(line)] if one.name != "crewlab"}
    assert len(floors) > 20
    assert [name for name, bounds in floors.items() if not any(bound.operator in (">=", "==") for bound in bounds)] == []
    found = {name: next(iter(pinned[canonicalize_name(name)].specifier)).version for name in floors if canonicalize_name(name) in pinned}
    assert len(found) > 20
    assert {name: version for name, version in found.items() if not floors[name].contains(version)} == {}

"""The shape of the source: small files, small functions, packages that say what they are for (house rules 1, 2, 8)."""

import ast
import re
import subprocess
import sys

import pytest

from tests.fixtures.source import FRONT, PACKAGE, ROOT, front_files, front_lines, in_catalogue, python_files, python_lines

MAX_LINES = 200  # TURN-2


@pytest.mark.spec("TURN-2")
def test_no_python_source_file_has_more_than_200_lines_of_code() -> None:
    counts = {
        str(path.relative_to(ROOT)): python_lines(path.read_text(encoding="utf-8")) for path in python_files() if not in_catalogue(path)
    }
    assert len(counts) > 20
    assert {name: count for name, count in counts.items() if count > MAX_LINES} == {}


@pytest.mark.spec("TURN-2")
def test_no_front_end_source_file_has_more_than_200_lines_of_code() -> None:
    counts = {
        str(path.relative_to(ROOT)): front_lines(path.read_text(encoding="utf-8")) for path in front_files() if not in_catalogue(path)
    }
    assert any(name.endswith(".tsx") for name in counts)
    assert any(name.endswith(".css") for name in counts)
    assert {name: count for name, count in counts.items() if count > MAX_LINES} == {}


@pytest.mark.spec("TURN-2")
def test_a_class_is_given_its_looks_in_one_sheet() -> None:
    """All sheets are loaded together: the same name in two parts of the program dresses both as the last one says."""
    shared = {"crew-composer", "crew-diff"}  # one component each, in two sheets
    sheets: dict[str, set[str]] = {}
    for path in sorted((FRONT / "style").glob("*.css")):
        for name in re.findall(r"^\.(crew-[\w-]+) \{", path.read_text(encoding="utf-8"), re.MULTILINE):
            sheets.setdefault(name, set()).add(path.name)
    assert len(sheets) > 100
    assert {name: found for name, found in sheets.items() if len(found) > 1 and name not in shared} == {}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", 0),
        ('"""A module."""\n\n# why\nx = 1  # and a comment\n', 1),
        ('def f():\n    """Says.\n\n    More.\n    """\n    return (\n        1,\n\n        2,\n    )\n', 5),
        ('x = """one\n\ntwo"""\n', 3),
        ("class A:\n    b: int\n    '''Of b.'''\n", 2),
    ],
)
def test_lines_of_python_are_counted_without_blanks_comments_and_docstrings(text: str, lines: int) -> None:
    assert python_lines(text) == lines


@pytest.mark.spec("TURN-2")
@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", 0),
        ("/** Says.\n * More. */\nconst a = 1; // and a comment\n\n// why\n", 1),
        ("const url = 'http://a/*';\nconst b = 2;\n/* c */ const d = 3;\n", 3),
        ("const t = `one // two\n/* three */`;\n", 2),
        (".a {\n  color: red; /* why */\n}\n/* over\n two lines */\n", 3),
    ],
)
def test_lines_of_the_front_end_are_counted_without_blanks_and_comments(text: str, lines: int) -> None:
    assert front_lines(text) == lines


def test_no_function_is_more_complex_than_12() -> None:
    command = [sys.executable, "-m", "ruff", "check", "--select", "C901", "--ignore-noqa", "--output-format", "concise", str(PACKAGE)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, ""), result.stdout


def test_the_linters_limits_are_those_of_the_house_rules() -> None:
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert "max-complexity = 12\n" in pyproject
    eslint = "".join(path.read_text(encoding="utf-8") for path in FRONT.glob("eslint.config.*"))
    assert "complexity" in eslint
    assert "no-explicit-any" in eslint


def test_every_package_says_what_it_is_for() -> None:
    folders = {path.parent for path in python_files()}
    silent = []
    for folder in sorted(folders):
        init = folder / "__init__.py"
        if not init.is_file() or not ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))):
            silent.append(str(folder.relative_to(ROOT)))
    assert silent == []

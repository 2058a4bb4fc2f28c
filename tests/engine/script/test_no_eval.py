"""The text of a script reaches Python's parser and nothing else of Python (SCR-15)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from crewlab.engine.script import child

FOLDER = Path(child.__file__).parent
RUNS_TEXT = {"eval", "exec", "compile", "__import__", "__builtins__"}
MODULES = {"runpy", "code", "codeop", "importlib", "builtins"}
LOADER = "main.py"  # runs the compiled files of the interpreter itself, before the script arrives


def offences(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every place that names what could run text, whether it is called there or handed on."""
    only_trees: set[ast.AST] = set()  # calls of `compile` that give a tree, and no code
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="compile"), args=[_, _, ast.Constant("exec"), ast.Attribute(attr="PyCF_ONLY_AST")]):
                only_trees.add(node.func)
            case ast.Name(id=name) if name in RUNS_TEXT and isinstance(node.ctx, ast.Load) and node not in only_trees:
                yield node.lineno, name
            case ast.Attribute(attr=name) if name in {"eval", "exec", "compile", "literal_eval", "run_module", "run_path"}:
                if not (isinstance(node.value, ast.Name) and node.value.id == "re"):
                    yield node.lineno, name
            case ast.Import(names=names):
                yield from ((node.lineno, one.name) for one in names if one.name.partition(".")[0] in MODULES)
            case ast.ImportFrom(module=str(module)):
                if module.partition(".")[0] in MODULES:
                    yield node.lineno, module


@pytest.mark.spec("SCR-15")
def test_the_interpreter_names_nothing_that_runs_text() -> None:
    files = sorted(FOLDER.glob("*.py"))
    assert len(files) > 20
    found = {path.name: sorted(name for _, name in offences(ast.parse(path.read_text()))) for path in files}
    assert {name: names for name, names in found.items() if names} == {LOADER: ["__import__", "exec"]}
    assert sum("PyCF_ONLY_AST" in path.read_text() for path in files) == 1  # the one way in


@pytest.mark.spec("SCR-15")
def test_what_starts_the_interpreter_runs_its_own_files_alone() -> None:
    source = (FOLDER / LOADER).read_text()
    assert "exec(code, module.__dict__)" in source
    assert '__import__("child.session", fromlist=["serve"])' in source
    assert "stdin" not in source  # the script is read later, by the interpreter


@pytest.mark.parametrize(
    "source",
    [
        "eval(x)",
        "run = exec",
        "compile(x, '', 'exec')",
        "import builtins",
        "from importlib import x",
        "a.eval(x)",
        "compile(x, y, 'exec', 0)",
    ],
)
def test_the_search_finds_what_it_looks_for(source: str) -> None:
    assert list(offences(ast.parse(source)))

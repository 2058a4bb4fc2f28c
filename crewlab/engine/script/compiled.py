"""The interpreter's files as one file of byte code, made beforehand where that is allowed: reading thirty files costs more than they do.

A child run with ``-B`` writes nothing; it reads the bundle beside its entry when that is newer than every source, else the sources.
"""

from __future__ import annotations

import ast
import logging
import marshal
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

log = logging.getLogger(__name__)

CHILD = Path(__file__).resolve().with_name("child")
ENTRY = CHILD / "main.py"


def bundle_path() -> Path:
    """Where the child of this Python looks for the bundle (see ``child/main.py``)."""
    return CHILD / "__pycache__" / f"bundle.{sys.implementation.cache_tag}"


def _full(stem: str) -> str:
    return "child" if stem == "__init__" else f"child.{stem}"


def _order(trees: dict[str, ast.Module]) -> list[str]:
    """The modules, each after those that it imports when it is loaded."""
    ordered: dict[str, None] = {}

    def visit(stem: str) -> None:
        if stem in ordered or stem not in trees:
            return
        for node in trees[stem].body:
            if isinstance(node, ast.ImportFrom) and node.level:
                for needed in [node.module] if node.module else [alias.name for alias in node.names]:
                    visit(needed)
        ordered[stem] = None

    for stem in ["__init__", *sorted(trees)]:
        visit(stem)
    return list(ordered)


class _Bare(ast.NodeTransformer):
    """Annotations are for people and checkers: the child does without them, and starts sooner."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "__future__" else node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        bare = ast.Pass() if node.value is None else ast.Assign([node.target], node.value)
        return ast.copy_location(bare, node)


def _bare(tree: ast.Module) -> ast.Module:
    bare: ast.Module = _Bare().visit(tree)
    return ast.fix_missing_locations(bare)


@cache
def prepare() -> None:
    """Make the bundle when it is missing or older than a source; a read-only installation starts slower and is no error."""
    bundle = bundle_path()
    sources = [source for source in CHILD.glob("*.py") if source != ENTRY]
    try:
        if bundle.exists() and bundle.stat().st_mtime >= max(source.stat().st_mtime for source in sources):
            return
        trees = {source.stem: ast.parse(source.read_bytes(), str(source)) for source in sources}
        codes = [
            (_full(stem), compile(_bare(trees[stem]), str(CHILD / f"{stem}.py"), "exec", dont_inherit=True, optimize=2))
            for stem in _order(trees)
        ]
        bundle.parent.mkdir(exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=bundle.parent)
        with os.fdopen(descriptor, "wb") as file:
            marshal.dump(codes, file)
        os.chmod(name, 0o644)
        os.replace(name, bundle)
    except OSError as error:
        log.info("the script interpreter is not compiled beforehand: %s", error)

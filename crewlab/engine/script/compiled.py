"""The interpreter's files, compiled beforehand where that is allowed: a child run with ``-B`` reads what is cached and writes nothing."""

from __future__ import annotations

import importlib.util
import logging
import os
import py_compile
from functools import cache
from pathlib import Path

log = logging.getLogger(__name__)

CHILD = Path(__file__).resolve().with_name("child")
ENTRY = CHILD / "main.py"


@cache
def prepare() -> None:
    """Compile what is not compiled or older than its source; a read-only installation starts slower and is no error."""
    for source in CHILD.glob("*.py"):
        cached = importlib.util.cache_from_source(str(source))
        try:
            if os.path.exists(cached) and os.path.getmtime(cached) >= source.stat().st_mtime:
                continue
            py_compile.compile(str(source), cfile=cached, doraise=True, quiet=2)
        except (OSError, py_compile.PyCompileError) as error:
            log.info("the script interpreter is not compiled beforehand: %s", error)
            return

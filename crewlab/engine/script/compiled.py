"""The interpreter's files as one file of byte code, made beforehand where that is allowed: reading thirty files costs more than they do.

A child run with ``-B`` writes nothing; it reads the bundle beside its entry when that is newer than every source, else the sources.
"""

from __future__ import annotations

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


@cache
def prepare() -> None:
    """Make the bundle when it is missing or older than a source; a read-only installation starts slower and is no error."""
    bundle = bundle_path()
    sources = [source for source in CHILD.glob("*.py") if source != ENTRY]
    try:
        if bundle.exists() and bundle.stat().st_mtime >= max(source.stat().st_mtime for source in sources):
            return
        codes = {source.stem: compile(source.read_bytes(), str(source), "exec", dont_inherit=True, optimize=2) for source in sources}
        bundle.parent.mkdir(exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=bundle.parent)
        with os.fdopen(descriptor, "wb") as file:
            marshal.dump(codes, file)
        os.chmod(name, 0o644)
        os.replace(name, bundle)
    except OSError as error:
        log.info("the script interpreter is not compiled beforehand: %s", error)

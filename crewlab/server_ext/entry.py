"""Which build of the front end this server serves (UI-127)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

LABEXTENSION = "@crewlab/labextension"
HASHED = re.compile(r"^remoteEntry\.[0-9a-f]{8,}\.js$")


def entry_of(roots: Iterable[str | Path]) -> str:
    """Name of the hashed entry file of the first built extension under ``roots``; "" when there is none."""
    for root in roots:
        try:
            package = json.loads((Path(root) / LABEXTENSION / "package.json").read_text(encoding="utf-8"))
            name = PurePosixPath(package["jupyterlab"]["_build"]["load"]).name
        except (OSError, ValueError, KeyError, TypeError):  # not here, or not built
            continue
        return name if HASHED.match(name) else ""
    return ""


def served_entry() -> str:
    """The entry that Jupyter serves from its data folders."""
    from jupyter_core.paths import jupyter_path

    return entry_of(jupyter_path("labextensions"))

"""Putting settings files in place, whole, unless somebody changed them by hand since they were read (AGT-35)."""

from __future__ import annotations

from pathlib import Path

from crewlab.engine.errors import Conflict, StartupStop
from crewlab.engine.home.whole import write_whole
from crewlab.engine.home.yamlfile import read_text
from crewlab.engine.texts import Texts


def save_file(path: Path, before: str | None, after: str, texts: Texts) -> None:
    """Put ``after`` in the place of ``path``. Raises ``Conflict`` (``file_changed``) when it no longer says ``before``, ``OSError``."""
    try:
        now = read_text(path, texts)
    except StartupStop as stop:
        raise _changed(path, texts) from stop
    if now != before:
        raise _changed(path, texts)
    if after != (before or ""):
        write_whole(path.resolve(), after.encode())  # a link of the person's stays a link


def _changed(path: Path, texts: Texts) -> Conflict:
    return Conflict(texts("change.file_changed", file=path), code="file_changed")

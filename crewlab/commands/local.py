"""``crewlab local …``: the model that is there without a key. The work is in ``engine/models/local_install.py``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from crewlab.engine.errors import Invalid
from crewlab.engine.home.layout import Home
from crewlab.engine.texts import Texts

if TYPE_CHECKING:
    from types import ModuleType


class LocalStatus(Protocol):
    """What ``local_install.status`` answers."""

    installed: bool
    name: str | None
    why: str


def install_model(home: Home) -> int:
    """Fetch the small model into this environment; returns the exit code."""
    code: int = _local().install(home)
    return code


def add_model(home: Home, file: Path, texts: Texts) -> int:
    """Take a model file of the person's own as a ``local:`` route."""
    path = file.expanduser()
    if not path.is_file():
        raise Invalid(texts("cli.no_model_file", file=path))
    try:
        added: Path = _local().add(home, path)
    except ValueError as error:
        raise Invalid(str(error)) from error
    print(texts("cli.model_added", name=added.stem, file=added))
    return 0


def local_status(home: Home) -> LocalStatus:
    """Whether a local model can answer, and if not, why."""
    status: LocalStatus = _local().status(home)
    return status


def _local() -> ModuleType:
    import importlib

    return importlib.import_module("crewlab.engine.models.local_install")

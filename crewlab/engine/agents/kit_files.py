"""The files of kits: which directories count, and reading one file (KIT-1 to KIT-5)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from crewlab.engine.agents.kit_names import KINDS, Kind
from crewlab.engine.home.heads import loose_head, split_head

MAX_BYTES = 256 * 1024  # KIT-5
MAX_FILES = 2_000  # of one kit
MAX_DEPTH = 8  # of commands in folders

Part = Literal["agents", "commands", "skills"]
FOLDERS: dict[Part, dict[Kind, tuple[str, ...]]] = {  # KIT-3
    "agents": {".agents": ("agents",), ".claude": ("agents",), ".opencode": ("agent", "agents")},
    "commands": {".agents": ("commands",), ".claude": ("commands",), ".opencode": ("command", "commands")},
    "skills": {".agents": ("skills",), ".claude": ("skills",), ".opencode": ("skill", "skills")},
}
Trouble = Literal["outside", "large", "unreadable", "not_utf8", "empty", "bad_id"]


@dataclass(frozen=True, slots=True)
class Kit:
    """One kit directory. ``owner`` is the agent in whose directory it lies, ``None`` for the home's."""

    root: Path
    kind: Kind
    owner: str | None

    def folders(self, part: Part) -> Iterator[Path]:
        """The folders of the kit that hold this part and do not lead out of it."""
        inside = self.root.resolve()
        for name in FOLDERS[part][self.kind]:
            folder = self.root / name
            if folder.is_dir() and folder.resolve().is_relative_to(inside):
                yield folder


@dataclass(frozen=True, slots=True)
class KitFile:
    """One Markdown file of a kit. ``name`` are the folders below the part and the stem."""

    kit: Kit
    path: Path
    name: tuple[str, ...]
    head: dict[str, Any]
    body: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was left out (KIT-5)."""

    path: Path
    why: Trouble


Read = Callable[[Kit, Path, tuple[str, ...]], KitFile | Skipped]


def kits_of(directory: Path, owner: str | None, workspaces: Callable[[], Iterable[Path]]) -> list[Kit]:
    """The kits in ``directory``, best first. One inside a workspace belongs to whoever works there and is not read (KIT-2)."""
    found = [Kit(directory / kind, kind, owner) for kind in KINDS if (directory / kind).is_dir()]
    closed = [path.resolve() for path in workspaces()] if found else []
    return [kit for kit in found if not any(kit.root.resolve().is_relative_to(path) for path in closed)]


def markdown(kit: Kit, part: Part, *, deep: bool = False, read: Read | None = None) -> Iterator[KitFile | Skipped]:
    """The Markdown files of one part in the order of their names; with ``deep`` those in folders below too.

    ``read`` takes the place of ``read_file`` for somebody who remembers what was read.
    """
    for folder in kit.folders(part):
        for count, path in enumerate(_walk(folder, MAX_DEPTH if deep else 0)):
            if count >= MAX_FILES:
                return
            yield (read or read_file)(kit, path, (*path.relative_to(folder).parent.parts, path.stem))


def read_file(kit: Kit, path: Path, name: tuple[str, ...]) -> KitFile | Skipped:
    """One file with its head, or why it is left out."""
    if not path.resolve().is_relative_to(kit.root.resolve()):
        return Skipped(path, "outside")
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError:
        return Skipped(path, "unreadable")
    if len(data) > MAX_BYTES:
        return Skipped(path, "large")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return Skipped(path, "not_utf8")
    head, body = split_head(text)
    head = loose_head(text) if head is None else head
    return KitFile(kit, path, name, head, body.strip()) if head or body.strip() else Skipped(path, "empty")


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.endswith(".md") and not entry.is_dir(follow_symlinks=False):
            yield Path(entry.path)
        elif depth and entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), depth - 1)

"""Where kits lie and how their files are read: never through a link that leads out, never more than 256 KB (KIT-1 to KIT-5)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from crewlab.engine.home.heads import split_head
from crewlab.engine.home.textfiles import FileText, TextFiles
from crewlab.engine.texts import Texts

World = Literal["agents", "claude", "opencode"]
WORLDS: tuple[World, ...] = ("agents", "claude", "opencode")  # KIT-4, in this order
Kind = Literal["agents", "commands", "skills"]

MAX_BYTES = 256 * 1024  # KIT-5
MAX_FILES = 500  # of one kind in one kit
MAX_DEPTH = 6  # of directories below `commands`

_SHARED: dict[Kind, tuple[str, ...]] = {"agents": ("agents",), "commands": ("commands",), "skills": ("skills",)}
_PLACES: dict[World, dict[Kind, tuple[str, ...]]] = {  # KIT-3
    "agents": _SHARED,
    "claude": _SHARED,
    "opencode": {"agents": ("agent", "agents"), "commands": ("command", "commands"), "skills": ("skill", "skills")},
}
HOOK_FILES: dict[World, tuple[str, ...]] = {  # KIT-3
    "agents": ("hooks.json",),
    "claude": ("settings.json", "settings.local.json"),
    "opencode": (),
}
FILES = TextFiles()


@dataclass(frozen=True, slots=True)
class Kit:
    """One kit directory. It may be a link itself; what lies in it may not lead out of it."""

    world: World
    root: Path

    def places(self, kind: Kind) -> tuple[Path, ...]:
        """Where files of this kind lie."""
        return tuple(self.root / name for name in _PLACES[self.world][kind])


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


def kits_in(directory: Path, workspaces: Iterable[Path] = ()) -> list[Kit | Shut]:
    """The kits of a directory in the order of preference. One that lies in a workspace is data for the crew and shut (KIT-2)."""
    found: list[Kit | Shut] = []
    inside = [workspace.resolve() for workspace in workspaces]
    for world in WORLDS:
        root = directory / f".{world}"
        if not root.is_dir():
            continue
        real = root.resolve()
        around = next((workspace for workspace in inside if real.is_relative_to(workspace)), None)
        found.append(Kit(world, root) if around is None else Shut(root, around))
    return found


def files_of(kit: Kit, kind: Kind, *, deep: bool = False) -> Iterator[KitFile]:
    """The Markdown files of one kind, by name; with ``deep`` also those of subdirectories. Links to directories are not followed."""
    count = 0
    for place in kit.places(kind):
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
    for name in HOOK_FILES[kit.world]:
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
        return left_out(file.path, "too_large", texts)
    text = files.read(file.path)
    if text.trouble is not None or not text.there:
        return left_out(file.path, text.trouble or "unreadable", texts)
    return text


def left_out(path: Path, why: str, texts: Texts, **values: object) -> str:
    """The warning about a file."""
    return texts("kits.skipped", file=path, why=texts(f"kits.why_{why}", **values))


def kit_head(text: str) -> tuple[dict[str, object] | None, str]:
    """Head and body. Public kits often have heads that are no YAML (``description: Use when: …``); those are read line by line."""
    head, body = split_head(text)
    return (head, body) if head is not None else (_by_line(text), body)


def _by_line(text: str) -> dict[str, object] | None:
    values: dict[str, str] = {}
    last = ""
    for line in text.splitlines()[1:]:
        if line.rstrip() == "---":
            break
        key, colon, value = line.partition(":")
        if colon and key and not line[0].isspace() and key.replace("-", "").replace("_", "").isalnum():
            last = key
            values[key] = value.strip()
        elif last:
            values[last] += f" {line.strip()}"
    plain = all(_looks_plain(value) for value in values.values())
    return dict(values) if values and plain else None


def _looks_plain(value: str) -> bool:
    """Whether a value is a sentence rather than YAML that was left open."""
    return not value.startswith(("[", "{")) or value.rstrip().endswith(("]", "}"))

"""What a sandboxed command may not do to the machine as a whole: too many processes, a full disk."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from crewlab.engine.sandbox.process import Watch, children


@dataclass(frozen=True, slots=True)
class Limits:
    """``processes`` alive in one sandbox, and the bytes that stay free on the disks it can write."""

    processes: int = 512
    free_bytes: int = 1024**3


def watcher(limits: Limits, folders: Iterable[Path]) -> Watch:
    """A watch over one sandbox. A disk that is nearly full already may lose half of what is free."""
    floors = {folder: min(limits.free_bytes, free // 2) for folder in folders if (free := free_bytes(folder)) is not None}

    def watch(pid: int) -> str | None:
        if any((free_bytes(folder) or floor) < floor for folder, floor in floors.items()):
            return "disk"
        return "processes" if processes(pid) > limits.processes else None

    return watch


def processes(outermost: int) -> int:
    """How many processes live in the namespace below bubblewrap's outermost process."""
    for first in children(outermost):
        try:
            return sum(name.isdigit() for name in os.listdir(os.path.join("/proc", str(first), "root", "proc")))
        except OSError:  # gone, or not ours to look at
            return 0
    return 0


def free_bytes(folder: Path) -> int | None:
    """What is free on the disk of ``folder``; ``None`` when it cannot be told."""
    try:
        status = os.statvfs(folder)
    except OSError:
        return None
    return status.f_bavail * status.f_frsize

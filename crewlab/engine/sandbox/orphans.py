"""Sandboxes that a killed server left (SBX-10).

Bubblewrap makes its first child and then tells it to begin. Killed between the two, it leaves a child that waits for ever:
nothing runs in it, and the kernel has not been asked yet to end it with its parent.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

PROC = Path("/proc")


def end_orphans(program: str, folder: Path) -> int:
    """End what runs ``program`` with a place below ``folder`` and was not started by this process; how many.

    ``folder`` belongs to a home, and the home's lock to this server: nobody else's sandbox is ever meant. Only where ``/proc`` is.
    """
    parents: dict[int, int] = {}
    for entry in PROC.iterdir() if PROC.is_dir() else ():
        if entry.name.isdigit() and _is_of(entry, program, folder):
            with contextlib.suppress(OSError, ValueError, IndexError):
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
    orphans = [pid for pid, parent in parents.items() if parent != os.getpid() and parent not in parents]
    for pid in orphans:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    return len(orphans)


def _is_of(entry: Path, program: str, folder: Path) -> bool:
    try:
        words = (entry / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    below = os.fsencode(folder) + b"/"
    return words[0] == os.fsencode(program) and any(word.startswith(below) for word in words)

"""The ports of what Jupyter has running beside us: kernels, and other servers of the same person (SBX-11)."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

FILE_BYTES = 64 * 1024  # a connection file has some hundred
FILES = 1024
LOWEST_PORT = 1024  # what is below serves the world; a kernel is given none of it
PORT_KEYS = ("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port", "port")


def listening(folders: Iterable[Path]) -> tuple[int, ...]:
    """The ports named in the connection files of ``folders``, sorted; a file that cannot be read names none."""
    return tuple(sorted({port for folder in folders for file in _files(folder) for port in _ports(file)}))


def _files(folder: Path) -> list[Path]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        return []
    return [folder / name for name in names[:FILES]]


def _ports(file: Path) -> Iterator[int]:
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as opened:
            said = json.loads(opened.read(FILE_BYTES)) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None
    except (OSError, ValueError):
        return
    named = said if isinstance(said, dict) else {}
    for port in (named.get(key) for key in PORT_KEYS):
        if type(port) is int and LOWEST_PORT <= port <= 65535:
            yield port

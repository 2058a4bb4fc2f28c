"""The private temporary folder of each agent: there, closed to other users, tidied (SHL-72)."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from crewlab.engine.home.layout import Home
from crewlab.engine.sandbox.places import sandbox_tmp

KEPT_SECONDS = 7 * 24 * 3600.0  # SHL-72
PRIVATE = 0o700  # SHL-72


def folder_of(home: Home, owner: str) -> Path:
    """The folder of an agent, made where it is missing."""
    folder = sandbox_tmp(home) / owner
    folder.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
    folder.chmod(PRIVATE)
    return folder


def forget(home: Home, owner: str) -> None:
    """Remove the folder of an agent."""
    shutil.rmtree(sandbox_tmp(home) / owner, ignore_errors=True)


def empty(home: Home, owner: str) -> None:
    """Remove what lies in the folder of an agent."""
    for entry in folder_of(home, owner).iterdir():
        _remove(entry)


def remove_old(home: Home) -> None:
    """Remove the entries of all agents that nobody touched for ``KEPT_SECONDS``."""
    before = time.time() - KEPT_SECONDS
    base = sandbox_tmp(home)
    for agent in base.iterdir() if base.is_dir() else ():
        for entry in agent.iterdir() if agent.is_dir() and not agent.is_symlink() else ():
            if _last_touched(entry) < before:
                _remove(entry)


def _last_touched(entry: Path) -> float:
    """When the entry or anything below it was last written; no link is followed."""
    newest = entry.lstat().st_mtime
    if entry.is_symlink() or not entry.is_dir():
        return newest
    for base, folders, files in os.walk(entry):
        for name in (*folders, *files):
            newest = max(newest, os.lstat(os.path.join(base, name)).st_mtime)
    return newest


def _remove(entry: Path) -> None:
    if entry.is_dir() and not entry.is_symlink():
        shutil.rmtree(entry, ignore_errors=True)
    else:
        entry.unlink(missing_ok=True)

"""What other installed packages bring (AGT-39). A broken one is one line in the log and is left out; it never stops the start."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import Any

TOOLS, PROVIDERS, CHANNELS = "crewlab.tools", "crewlab.providers", "crewlab.channels"  # AGT-39

log = logging.getLogger(__name__)


def brought(group: str) -> Iterator[tuple[str, Any]]:
    """Name and object of each entry point of the group, by name; of two with one name the first stands."""
    seen: set[str] = set()
    for entry in sorted(entry_points(group=group), key=lambda entry: (entry.name, entry.value)):
        if entry.name in seen:
            left_out(group, entry.name, "name taken")
            continue
        seen.add(entry.name)
        loaded = _loaded(entry)
        if loaded is not None:
            yield entry.name, loaded


def left_out(group: str, name: str, why: object) -> None:
    """Say in the log what is left out, and why."""
    log.warning("%s of the entry point group %s is left out: %s", name, group, why)


def _loaded(entry: EntryPoint) -> Any:
    try:
        found = entry.load()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - code of another package
        left_out(entry.group, entry.name, f"{entry.value} cannot be loaded ({type(error).__name__}: {error})")
        return None
    if not callable(found):
        left_out(entry.group, entry.name, f"{entry.value} is no function")
        return None
    return found

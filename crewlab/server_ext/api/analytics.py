"""The copy for questions in SQL (ANL-6). No route runs SQL."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

from crewlab.engine.records import Record
from crewlab.engine.tools.workspace.serving import OpenFile
from crewlab.server_ext.api.files import BYTES, FileReply

if TYPE_CHECKING:
    from crewlab.engine.analytics.service import State
    from crewlab.engine.crew import Crew


class AnalyticsState(Record):
    """The copy as it is published: ``path`` is its folder, ``snapshot`` the current file there, ``bytes`` the size of that file.

    ``error`` says why the last update failed; the snapshot before it goes on being served.
    """

    enabled: bool
    path: str
    snapshot: str | None
    published_at: str | None
    rows: dict[str, int]
    bytes: int
    error: str | None


async def read(crew: Crew) -> AnalyticsState:
    """What is published, and whether the copy is kept at all."""
    return _view(await crew.analytics.state())


async def refresh(crew: Crew) -> AnalyticsState:
    """Bring the copy up to date and publish it."""
    return _view(await crew.analytics.refresh())


async def snapshot(crew: Crew) -> FileReply:
    """The current file, for a kernel on another machine."""
    path = crew.analytics.current()
    file = await asyncio.to_thread(_open, path)
    headers = {"Content-Disposition": f'attachment; filename="{path.name}"', "X-Content-Type-Options": "nosniff"}
    return FileReply(file, BYTES, headers)


def _open(path: Path) -> OpenFile:
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    return OpenFile(descriptor, path.name, os.fstat(descriptor).st_size)


def _view(state: State) -> AnalyticsState:
    return AnalyticsState(
        enabled=state.enabled,
        path=str(state.path),
        snapshot=state.snapshot,
        published_at=state.published_at,
        rows=state.rows,
        bytes=state.bytes,
        error=state.error,
    )

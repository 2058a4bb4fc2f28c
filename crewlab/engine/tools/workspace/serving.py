"""A file of the workspace for a person's page: opened as the file tools open theirs, read in pieces (CHN-67, MED-12)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass

from crewlab.engine.tools.contract import ToolContext, ToolError
from crewlab.engine.tools.workspace.opening import regular_file
from crewlab.engine.tools.workspace.paths import resolve_file

CHUNK_BYTES = 1 << 18


@dataclass(frozen=True, slots=True)
class OpenFile:
    """An open regular file; whoever holds it closes it. ``name`` is the last part of its real path, ``size`` in bytes."""

    descriptor: int
    name: str
    size: int

    async def chunks(self) -> AsyncIterator[bytes]:
        """The bytes that were there when it was opened; fewer when it has been cut since."""
        left = self.size
        while left > 0:
            data = await asyncio.to_thread(os.read, self.descriptor, min(CHUNK_BYTES, left))
            if not data:
                return
            left -= len(data)
            yield data

    def close(self) -> None:
        """Let go of the file."""
        os.close(self.descriptor)


async def open_file(path: str, context: ToolContext) -> OpenFile | None:
    """The regular file at ``path`` inside the workspace; ``None`` for everything else there may be (CHN-67)."""
    return await asyncio.to_thread(_open, path, context)


def _open(path: str, context: ToolContext) -> OpenFile | None:
    try:
        place = resolve_file(path, context)
        with regular_file(place, context) as descriptor:
            size = os.fstat(descriptor).st_size
            return OpenFile(os.dup(descriptor), place.text[-1], size)
    except ToolError:
        return None

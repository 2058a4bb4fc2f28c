"""Runs and conversations as files (TURN-100 to TURN-109)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from crewlab.server_ext.api.models import RunExportQuery
from crewlab.server_ext.routing import File

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew
    from crewlab.engine.turn.exports import ExportFile


async def run(crew: Crew, run_id: str, query: RunExportQuery) -> File:
    """One turn with its messages, its calls and what it delegated, secrets masked."""
    return _file(await crew.exports.run(run_id, query.format, full=query.full))


async def conversation(crew: Crew, id: str) -> File:
    """The whole conversation as Markdown, secrets masked."""
    return _file(await crew.exports.conversation(id))


def _file(export: ExportFile) -> File:
    return File(export.name, export.content_type, export.text.encode("utf-8", errors="replace"))

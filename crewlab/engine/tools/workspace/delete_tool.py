"""``workspace_delete``: one regular file (PTL-34)."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.shown import exact, size
from crewlab.engine.tools.workspace.opening import check_regular, explained, parent, regular_file, status_of
from crewlab.engine.tools.workspace.paths import Place, check_write, resolve_file

FIRST_LINES = 10  # PTL-34
FIRST_BYTES = 1 << 14
CLOSED = ".git"  # PTL-34


def delete_tool(texts: Texts) -> Tool:
    """The tool; it changes state outside the conversation, so it requires approval (TOOL-2)."""
    return Tool(
        name="workspace_delete",
        description=texts("worktools.workspace_delete.description"),
        parameters={
            "type": "object",
            "properties": {"path": {"type": "string", "description": texts("worktools.workspace_delete.path")}},
            "required": ["path"],
            "additionalProperties": False,
        },
        run=_run,
        tier="write",
        script="gated",
        requires_approval=True,
        refuse_reason=_refuse,
        summary=_summary,
        marking="own",
    )


def _place(path: str, context: ToolContext) -> tuple[Place, os.stat_result]:
    """Where the file is, and what it is now. Raises ``ToolError`` for everything but a regular file that may be written."""
    place = resolve_file(path, context)
    check_write(place, context)
    if any(part.casefold() == CLOSED for part in (*place.text, *place.parts)):
        raise ToolError(context.texts("worktools.delete_git", path=place.asked))
    if os.path.islink(place.root.joinpath(*place.text)):
        raise ToolError(context.texts("worktools.delete_link", path=place.asked))
    with parent(place, context) as holder:
        status = status_of(holder, place.parts[-1])
    if status is None:
        raise ToolError(context.texts("tools.path_not_there", path=place.asked))
    check_regular(status, place, context)
    return place, status


def _refuse(arguments: Arguments, context: ToolContext) -> str | None:
    """Rule 1 of the gate: nobody is asked about what cannot be deleted (GATE-10)."""
    try:
        _place(arguments["path"], context)
    except ToolError as error:
        return error.message
    return None


def _summary(arguments: Arguments, context: ToolContext) -> str | None:
    """What the approval card says: path, size, last change and the first lines (PTL-34)."""
    texts = context.texts
    try:
        place, status = _place(arguments["path"], context)
        with regular_file(place, context) as descriptor:
            data = os.read(descriptor, FIRST_BYTES)
    except (ToolError, OSError):
        return None
    changed = datetime.fromtimestamp(status.st_mtime, UTC).strftime("%Y-%m-%d %H:%M UTC")
    said = texts("worktools.delete_summary", path=place.name, size=size(status.st_size, texts), changed=changed)
    lines = data.decode(errors="replace").splitlines()[:FIRST_LINES] if b"\0" not in data else []
    return "\n".join([said, *lines])


async def _run(arguments: Arguments, context: ToolContext) -> str:
    return await asyncio.to_thread(_delete, arguments["path"], context)


def _delete(path: str, context: ToolContext) -> str:
    place, status = _place(path, context)
    try:
        with parent(place, context) as holder:
            os.unlink(place.parts[-1], dir_fd=holder)
    except OSError as error:
        raise explained(error, place, context) from error
    return context.texts("worktools.delete_done", path=place.name, size=exact(status.st_size, context.texts))

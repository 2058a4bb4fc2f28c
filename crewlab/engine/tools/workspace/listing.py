"""``workspace_list``: one directory, one line per entry (WS-14)."""

from __future__ import annotations

import asyncio
import os
import stat

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.fence import lined
from crewlab.engine.tools.shown import UNSHOWABLE, grouped, size
from crewlab.engine.tools.workspace.opening import directory
from crewlab.engine.tools.workspace.paths import Place, resolve

TOP = "."


def list_tool(texts: Texts) -> Tool:
    """The tool; reading, so it may be called again after a restart (TOOL-5)."""
    return Tool(
        name="workspace_list",
        description=texts("tools.workspace_list.description"),
        parameters={
            "type": "object",
            "properties": {"path": {"type": "string", "description": texts("tools.workspace_list.path")}},
            "additionalProperties": False,
        },
        run=_run,
        tier="read",
        script="any",
        replay_safe=True,
        refuse_reason=_refuse,
        marking="line",
    )


def _refuse(arguments: Arguments, context: ToolContext) -> str | None:
    try:
        resolve(arguments.get("path", TOP), context)
    except ToolError as error:
        return error.message
    return None


async def _run(arguments: Arguments, context: ToolContext) -> str:
    return await asyncio.to_thread(_list, arguments.get("path", TOP), context)


def _list(path: str, context: ToolContext) -> str:
    texts = context.texts
    place = resolve(path, context)
    if not place.parts and not place.root.exists():
        return texts("tools.list_empty", path=place.name)
    with directory(place, context) as here, os.scandir(here) as entries:
        lines = [_line(entry, place, texts) for entry in sorted(entries, key=lambda entry: entry.name)]
    if not lines:
        return texts("tools.list_empty", path=place.name)
    head = "tools.list_head_one" if len(lines) == 1 else "tools.list_head"
    return lined(texts(head, path=place.name, count=grouped(len(lines), texts)), "\n".join(lines), texts)


def _line(entry: os.DirEntry[str], place: Place, texts: Texts) -> str:
    """One entry; a name with a line break or half a character in it cannot pass for another line."""
    name = UNSHOWABLE.sub(lambda found: f"\\x{ord(found[0]):02x}", entry.name)
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError:  # gone since the directory was read, or not ours to look at
        return texts("tools.list_special", name=name)
    if stat.S_ISLNK(status.st_mode):
        return texts("tools.list_link_directory" if _leads_to_directory(place, entry.name) else "tools.list_link", name=name)
    if stat.S_ISDIR(status.st_mode):
        return f"{name}/"
    if stat.S_ISREG(status.st_mode):
        return texts("tools.list_file", name=name, size=size(status.st_size, texts))
    return texts("tools.list_special", name=name)


def _leads_to_directory(place: Place, name: str) -> bool:
    """Whether a link stays inside the workspace and is a directory there; nothing outside is looked at (WS-13)."""
    target = os.path.realpath(place.root.joinpath(*place.parts, name))
    return target.startswith(f"{place.root}{os.sep}") and os.path.isdir(target)

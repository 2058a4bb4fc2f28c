"""``workspace_read``: a text file, whole or a window of lines (WS-15 to WS-18).

The only limit of what is returned is the agent's ceiling, which marks the place of its cut (WS-16).
"""

from __future__ import annotations

import asyncio
import codecs
import os
from collections.abc import Iterator

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.shown import grouped, size
from crewlab.engine.tools.workspace.opening import explained, regular_file
from crewlab.engine.tools.workspace.paths import Place, resolve_file

MAX_WHOLE_BYTES = 20 * 1024 * 1024  # WS-18
CHUNK_BYTES = 1 << 18
IMAGES = (".jpg", ".jpeg", ".png", ".webp", ".gif")
PDF = ".pdf"


def read_tool(texts: Texts) -> Tool:
    """The tool; reading, so it may be called again after a restart (TOOL-5)."""
    number = {"type": "integer", "minimum": 1}
    return Tool(
        name="workspace_read",
        description=texts("tools.workspace_read.description"),
        parameters={
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": texts("tools.workspace_read.path")},
                "offset": {**number, "description": texts("tools.workspace_read.offset")},
                "limit": {**number, "description": texts("tools.workspace_read.limit")},
            },
            "required": ["path"],
            "additionalProperties": False,
        },
        run=_run,
        tier="read",
        script="any",
        replay_safe=True,
        refuse_reason=_refuse,
        marking="bare",
    )


def _refuse(arguments: Arguments, context: ToolContext) -> str | None:
    try:
        resolve_file(arguments["path"], context)
    except ToolError as error:
        return error.message
    return None


async def _run(arguments: Arguments, context: ToolContext) -> str:
    return await asyncio.to_thread(_read, arguments["path"], arguments.get("offset"), arguments.get("limit"), context)


def _read(path: str, offset: int | None, limit: int | None, context: ToolContext) -> str:
    for name, value in (("offset", offset), ("limit", limit)):
        if value is not None and value < 1:
            raise ToolError(context.texts("tools.read_below_one", name=name, value=value))
    place = resolve_file(path, context)
    with regular_file(place, context) as descriptor:
        try:
            if offset is None and limit is None:
                return _whole(descriptor, place, context)
            return _window(descriptor, offset or 1, limit, place, context)
        except UnicodeDecodeError as error:
            raise _not_text(place, context) from error
        except OSError as error:
            raise explained(error, place, context) from error


def _not_text(place: Place, context: ToolContext) -> ToolError:
    message = context.texts("tools.read_not_text", path=place.asked)
    lower = place.name.lower()
    if lower.endswith(IMAGES):
        message += context.texts("tools.read_use_image")
    elif lower.endswith(PDF):
        message += context.texts("tools.read_use_pdf")
    return ToolError(message)


def _chunks(descriptor: int, place: Place, context: ToolContext) -> Iterator[str]:
    """The text piece by piece, its byte order mark dropped; raises for what is not text."""
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    while True:
        if context.cancel.is_set():
            raise ToolError(context.texts("tools.read_stopped", path=place.asked))
        data = os.read(descriptor, CHUNK_BYTES)
        if b"\x00" in data:
            raise _not_text(place, context)
        yield decoder.decode(data, final=not data)
        if not data:
            return


def _whole(descriptor: int, place: Place, context: ToolContext) -> str:
    texts = context.texts
    length = os.fstat(descriptor).st_size
    out: list[str] = []
    for text in _chunks(descriptor, place, context):
        out.append(text)
        length = max(length, os.lseek(descriptor, 0, os.SEEK_CUR))  # a file may grow, and some say 0
        if length > MAX_WHOLE_BYTES:
            limit = size(MAX_WHOLE_BYTES, texts)
            raise ToolError(texts("tools.read_too_large", path=place.asked, size=size(length, texts), limit=limit))
    return "".join(out) or texts("tools.read_empty", path=place.name)


def _window(descriptor: int, first: int, limit: int | None, place: Place, context: ToolContext) -> str:
    """Lines ``first`` and following under a line that says which they are (WS-17). Lines end with a line feed only."""
    texts = context.texts
    last = None if limit is None else first + limit - 1
    lines: list[str] = []
    held = breaks = 0
    rest_is_line = False
    for text in _chunks(descriptor, place, context):
        if not text:
            continue
        inside = text.count("\n")
        if breaks + inside + 1 >= first and (last is None or breaks < last):
            pieces = text.split("\n")
            start = max(0, first - breaks - 1)
            stop = len(pieces) if last is None else min(len(pieces), last - breaks)
            kept = "\n".join(pieces[start:stop]) + ("\n" if stop < len(pieces) else "")
            held += len(kept)
            if held > MAX_WHOLE_BYTES:
                raise ToolError(texts("tools.read_window_too_large", path=place.asked, limit=size(MAX_WHOLE_BYTES, texts)))
            lines.append(kept)
        breaks += inside
        rest_is_line = not text.endswith("\n")
    total = breaks + rest_is_line
    if total == 0:
        return texts("tools.read_empty", path=place.name)
    if first > total:
        raise ToolError(texts("tools.read_beyond", path=place.asked, total=grouped(total, texts), offset=first))
    head = texts("tools.read_window", path=place.name, first=first, last=min(total, last or total), total=total)
    return f"{head}\n{''.join(lines)}"

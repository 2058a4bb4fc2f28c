"""``workspace_edit``: an exact passage of a file replaced (WS-21 to WS-24)."""

from __future__ import annotations

import asyncio
import os
import re

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.fence import lined
from crewlab.engine.tools.shown import grouped, size
from crewlab.engine.tools.workspace.opening import regular_file
from crewlab.engine.tools.workspace.paths import Place, check_write, resolve_file
from crewlab.engine.tools.workspace.writing import Planned, write

DIFF_LINES = 40  # WS-23
FIRST_LINES = 5  # WS-24
MAX_BYTES = 20 * 1024 * 1024  # as WS-18: a whole text
MAX_DIFFED_LINES = 20_000  # a comparison above this would take seconds of the one interpreter
HUNK = re.compile(r"@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@")
CRLF = "\r\n"


def edit_tool(texts: Texts) -> Tool:
    """The tool; it changes state outside the conversation, so it requires approval (TOOL-2)."""
    return Tool(
        name="workspace_edit",
        description=texts("worktools.workspace_edit.description"),
        parameters={
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": texts("tools.workspace_write.path")},
                "old": {"type": "string", "description": texts("worktools.workspace_edit.old")},
                "new": {"type": "string", "description": texts("worktools.workspace_edit.new")},
                "replace_all": {"type": "boolean", "description": texts("worktools.workspace_edit.replace_all")},
            },
            "required": ["path", "old", "new"],
            "additionalProperties": False,
        },
        run=_run,
        tier="write",
        script="gated",
        requires_approval=True,
        refuse_reason=_refuse,
        marking="line",
    )


def _place(arguments: Arguments, context: ToolContext) -> Place:
    place = resolve_file(arguments["path"], context)
    check_write(place, context)
    return place


def _refuse(arguments: Arguments, context: ToolContext) -> str | None:
    """Rule 1 of the gate: a path that may not be written, whatever a person says (GATE-10)."""
    try:
        _place(arguments, context)
    except ToolError as error:
        return error.message
    return None


async def _run(arguments: Arguments, context: ToolContext) -> str:
    return await asyncio.to_thread(_edit, arguments, context)


def _edit(arguments: Arguments, context: ToolContext) -> str:
    texts, old, new = context.texts, arguments["old"], arguments["new"]
    if not old:
        raise ToolError(texts("worktools.edit_empty"))
    if old == new:
        raise ToolError(texts("worktools.edit_same"))
    place = _place(arguments, context)
    before = _text(place, context)
    if old not in before and CRLF in before and "\n" in old and CRLF not in old:  # the file's own line endings (WS-24)
        old, new = old.replace("\n", CRLF), new.replace(CRLF, "\n").replace("\n", CRLF)
    count = before.count(old)
    if count == 0:
        raise ToolError(texts("worktools.edit_absent", path=place.asked))
    if count > 1 and not arguments.get("replace_all", False):
        lines = ", ".join(str(line) for line in _lines(before, old))
        more = "…" if count > FIRST_LINES else ""
        raise ToolError(texts("worktools.edit_repeated", path=place.asked, count=grouped(count, texts), lines=lines + more))
    after = before.replace(old, new)
    try:
        data = after.encode()
    except UnicodeEncodeError:
        raise ToolError(texts("tools.write_half_character", path=place.asked)) from None
    write(Planned(place, data, len(before.encode())), context)
    return lined(texts("worktools.edit_done", path=place.name, count=grouped(count, texts)), diff(before, after, texts), texts)


def _text(place: Place, context: ToolContext) -> str:
    """The file as it is, byte for byte; raises ``ToolError`` for one that is no text or too large."""
    with regular_file(place, context) as descriptor:
        length = os.fstat(descriptor).st_size
        with os.fdopen(os.dup(descriptor), "rb") as file:
            data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        shown = size(max(length, len(data)), context.texts)
        raise ToolError(context.texts("worktools.edit_large", path=place.asked, size=shown, limit=size(MAX_BYTES, context.texts)))
    if b"\0" in data:
        raise ToolError(context.texts("tools.read_not_text", path=place.asked))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise ToolError(context.texts("tools.read_not_text", path=place.asked)) from error


def _lines(text: str, old: str) -> list[int]:
    """The lines on which the first five passages begin."""
    found: list[int] = []
    place = text.find(old)
    while place >= 0 and len(found) < FIRST_LINES:
        found.append(text.count("\n", 0, place) + 1)
        place = text.find(old, place + len(old))
    return found


def diff(before: str, after: str, texts: Texts) -> str:
    """What has changed, at most 40 lines of it (WS-23). Only the changed middle is compared, so a long file costs little."""
    import difflib

    old, new = before.split("\n"), after.split("\n")
    first = next((place for place, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new)))
    start = max(0, first - 3)
    rest = min(len(old), len(new)) - first
    last = next((place for place in range(rest) if old[-1 - place] != new[-1 - place]), rest)
    keep = max(0, last - 3)
    changed, with_ = old[start : len(old) - keep], new[start : len(new) - keep]
    if len(changed) + len(with_) > MAX_DIFFED_LINES:
        return texts("worktools.edit_no_diff")

    def whole(match: re.Match[str]) -> str:
        return f"@@ -{int(match[1]) + start}{match[2] or ''} +{int(match[3]) + start}{match[4] or ''} @@"

    compared = list(difflib.unified_diff(changed, with_, lineterm="", n=3))[2:]
    lines = [HUNK.sub(whole, line) if line.startswith("@@ ") else line.rstrip("\r") for line in compared]
    shown = lines[:DIFF_LINES]
    if len(lines) > DIFF_LINES:
        shown.append(texts("worktools.edit_more", count=grouped(len(lines) - DIFF_LINES, texts)))
    return "\n".join(shown)

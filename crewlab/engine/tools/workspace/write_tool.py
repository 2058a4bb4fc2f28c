"""``workspace_write``: whole text files, one or up to three with one approval (WS-19, PTL-31)."""

from __future__ import annotations

import asyncio

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.shown import exact, size
from crewlab.engine.tools.workspace.binding import binding_of
from crewlab.engine.tools.workspace.writing import Planned, plan, write

MAX_FILES = 3  # PTL-31
ONE = ("path", "content")
MANY = ("files",)


def write_tool(texts: Texts) -> Tool:
    """The tool; it changes state outside the conversation, so it requires approval (TOOL-2)."""
    path = {"type": "string", "description": texts("tools.workspace_write.path")}
    content = {"type": "string", "description": texts("tools.workspace_write.content")}
    one = {"type": "object", "properties": {"path": path, "content": content}, "required": list(ONE), "additionalProperties": False}
    many = {
        "type": "array",
        "items": one,
        "minItems": 1,
        "maxItems": MAX_FILES,
        "description": texts("tools.workspace_write.files"),
    }
    return Tool(
        name="workspace_write",
        description=texts("tools.workspace_write.description"),
        parameters={"type": "object", "properties": {"path": path, "content": content, "files": many}, "additionalProperties": False},
        run=_run,
        tier="write",
        script="gated",
        requires_approval=True,
        refuse_reason=_refuse,
        marking="own",
        summary=_summary,
        binding=lambda arguments, context: binding_of((path for path, _ in _files(arguments)), context),
        one_of=(ONE, MANY),
    )


def _files(arguments: Arguments) -> list[tuple[str, str]]:
    if "files" in arguments:
        return [(each["path"], each["content"]) for each in arguments["files"]]
    return [(arguments["path"], arguments["content"])]


def _refuse(arguments: Arguments, context: ToolContext) -> str | None:
    """Rule 1 of the gate: what cannot be written whatever a person says is not asked (GATE-10)."""
    try:
        plan(_files(arguments), context)
    except ToolError as error:
        return error.message
    return None


def _summary(arguments: Arguments, context: ToolContext) -> str | None:
    """One sentence for the approval card: every file with its size and whether it exists (PTL-31)."""
    try:
        planned = plan(_files(arguments), context)
    except (ToolError, OSError):
        return None  # the gate has refused it, or running it will say what is wrong
    if len(planned) == 1:
        return _describe(planned[0], "tools.write_summary", context.texts)
    parts = "; ".join(_describe(each, "tools.write_part", context.texts) for each in planned)
    return context.texts("tools.write_summary_many", count=len(planned), parts=parts)


def _describe(each: Planned, key: str, texts: Texts) -> str:
    fresh = exact(len(each.data), texts)
    if each.old_bytes is None:
        return texts(f"{key}_new", path=each.place.name, size=fresh)
    return texts(f"{key}_replace", path=each.place.name, size=fresh, old=size(each.old_bytes, texts))


async def _run(arguments: Arguments, context: ToolContext) -> str:
    return await asyncio.to_thread(_write_all, _files(arguments), context)


def _write_all(files: list[tuple[str, str]], context: ToolContext) -> str:
    planned = plan(files, context)
    lines: list[str] = []
    for index, each in enumerate(planned):
        try:
            new = write(each, context)
        except ToolError as error:
            if len(planned) == 1:
                raise
            raise _partly(error, planned, index, context.texts) from error
        key = "tools.write_new" if new else "tools.write_replaced"
        lines.append(context.texts(key, path=each.place.name, size=exact(len(each.data), context.texts)))
    return "\n".join(lines)


def _partly(error: ToolError, planned: list[Planned], failed: int, texts: Texts) -> ToolError:
    """The answer when writing fails midway: which files were written and which not (PTL-31)."""
    names = [each.place.name for each in planned]
    written = ", ".join(names[:failed]) or texts("tools.write_none")
    return ToolError(texts("tools.write_partly", failure=error.message, written=written, missing=", ".join(names[failed:])))

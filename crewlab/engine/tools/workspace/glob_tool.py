"""``workspace_glob``: the files whose path fits a pattern (WS-29)."""

from __future__ import annotations

import asyncio

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.fence import lined
from crewlab.engine.tools.shown import grouped, shown_path
from crewlab.engine.tools.workspace.globs import Globs
from crewlab.engine.tools.workspace.paths import resolve
from crewlab.engine.tools.workspace.walking import files

MAX_PATHS = 500  # WS-29
TOP = "."


def glob_tool(texts: Texts) -> Tool:
    """The tool; reading, so it may be called again after a restart (TOOL-5)."""
    return Tool(
        name="workspace_glob",
        description=texts("worktools.workspace_glob.description", limit=MAX_PATHS),
        parameters={
            "type": "object",
            "properties": {
                "pattern": {"type": "string", "minLength": 1, "description": texts("worktools.workspace_glob.pattern")},
                "path": {"type": "string", "description": texts("worktools.search_path")},
            },
            "required": ["pattern"],
            "additionalProperties": False,
        },
        run=_run,
        tier="read",
        script="any",
        replay_safe=True,
        refuse_reason=refuse_path,
        marking="line",
    )


def refuse_path(arguments: Arguments, context: ToolContext) -> str | None:
    """Rule 1 of the gate for a directory that is searched (GATE-10)."""
    try:
        resolve(arguments.get("path", TOP), context)
    except ToolError as error:
        return error.message
    return None


def globs_of(pattern: str, texts: Texts, *, anywhere: bool = False) -> Globs:
    """The pattern; raises ``ToolError`` for one that cannot be used."""
    try:
        return Globs(pattern, anywhere=anywhere)
    except ValueError as error:
        raise ToolError(texts(f"worktools.glob_{error}", pattern=shown_path(pattern))) from error


async def _run(arguments: Arguments, context: ToolContext) -> str:
    return await asyncio.to_thread(_glob, arguments["pattern"], arguments.get("path", TOP), context)


def _glob(pattern: str, path: str, context: ToolContext) -> str:
    texts = context.texts
    globs = globs_of(pattern, texts)
    place = resolve(path, context)
    prefix = () if not place.text else place.text
    found: list[str] = []
    more = False
    if place.parts or place.root.exists():
        for each in files(place, context, context.cancel.is_set):
            if not globs.match(each.parts):
                continue
            if len(found) == MAX_PATHS:
                more = True
                break
            found.append(shown_path("/".join((*prefix, *each.parts))))
    if not found:
        return texts("worktools.glob_none", pattern=shown_path(pattern), path=place.name)
    if more:
        found.append(texts("worktools.glob_more", limit=MAX_PATHS))
    head = texts("worktools.glob_head", count=grouped(len(found) - more, texts), pattern=shown_path(pattern), path=place.name)
    return lined(head, "\n".join(found), texts)

"""``workspace_grep``: lines that fit a regular expression, or literal strings (WS-25 to WS-28, PTL-30)."""

from __future__ import annotations

import json

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext
from crewlab.engine.tools.fence import lined
from crewlab.engine.tools.shown import grouped, shown_path
from crewlab.engine.tools.workspace.glob_tool import TOP, globs_of, refuse_path
from crewlab.engine.tools.workspace.paths import resolve
from crewlab.engine.tools.workspace.searching import MAX_RESULTS, SECONDS, Outcome, Query, Search

MAX_STRINGS = 5  # PTL-30
MAX_STRING_CHARS = 200  # PTL-30
MAX_CONTEXT = 3  # PTL-30
BETWEEN = "--"


def grep_tool(texts: Texts) -> Tool:
    """The tool; reading, so it may be called again after a restart (TOOL-5)."""
    return Tool(
        name="workspace_grep",
        description=texts("worktools.workspace_grep.description", limit=MAX_RESULTS),
        parameters={
            "type": "object",
            "properties": {
                "pattern": {"type": "string", "minLength": 1, "description": texts("worktools.workspace_grep.pattern")},
                "strings": {
                    "type": "array",
                    "items": {"type": "string", "minLength": 1, "maxLength": MAX_STRING_CHARS},
                    "minItems": 1,
                    "maxItems": MAX_STRINGS,
                    "description": texts("worktools.workspace_grep.strings"),
                },
                "path": {"type": "string", "description": texts("worktools.search_path")},
                "glob": {"type": "string", "minLength": 1, "description": texts("worktools.workspace_grep.glob")},
                "ignore_case": {"type": "boolean", "description": texts("worktools.workspace_grep.ignore_case")},
                "context": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": MAX_CONTEXT,
                    "description": texts("worktools.workspace_grep.context"),
                },
            },
            "additionalProperties": False,
        },
        run=_run,
        tier="read",
        script="any",
        replay_safe=True,
        refuse_reason=refuse_path,
        one_of=(("pattern",), ("strings",)),
        marking="line",
    )


async def _run(arguments: Arguments, context: ToolContext) -> str:
    texts = context.texts
    strings = tuple(dict.fromkeys(arguments.get("strings", ())))
    place = resolve(arguments.get("path", TOP), context)
    query = Query(
        patterns=strings or (arguments["pattern"],),
        literal=bool(strings),
        ignore_case=bool(strings) or arguments.get("ignore_case", False),
        context=arguments.get("context", 0),
        globs=globs_of(arguments["glob"], texts, anywhere=True) if "glob" in arguments else None,
    )
    outcome = await Search(query, place, context).run()
    notes = [texts("worktools.grep_more", limit=MAX_RESULTS)] if outcome.more else []
    notes += [texts("worktools.grep_late", seconds=round(SECONDS))] if outcome.late else []
    if not outcome.hits and not strings:
        return "\n".join([texts("worktools.grep_none", pattern=shown_path(query.patterns[0]), path=place.name), *notes])
    head = texts("worktools.grep_head", count=grouped(len(outcome.hits), texts), path=place.name)
    return lined(head, "\n".join([*_body(outcome, strings, query.context, texts), *notes]), texts)


def _body(outcome: Outcome, strings: tuple[str, ...], around: int, texts: Texts) -> list[str]:
    """The lines of the answer, by string where strings were given, each with its own count (PTL-30)."""
    if not strings:
        return _of_pattern(outcome, 0, around)
    out: list[str] = []
    for place, string in enumerate(strings):
        count = sum(pattern == place for pattern, _, _ in outcome.hits)
        out.append(texts("worktools.grep_string", string=json.dumps(string, ensure_ascii=False), count=grouped(count, texts)))
        out += _of_pattern(outcome, place, around)
    return out


def _of_pattern(outcome: Outcome, pattern: int, around: int) -> list[str]:
    by_path: dict[str, list[int]] = {}
    for place, path, line in outcome.hits:
        if place == pattern:
            by_path.setdefault(path, []).append(line)
    out: list[str] = []
    for path, hits in by_path.items():
        texts = outcome.lines[path]
        last = None
        for line in _windows(hits, around, texts):
            if around and out and (last is None or line > last + 1):
                out.append(BETWEEN)
            mark = ":" if line in hits else "-"
            out.append(f"{path}{mark}{line}{mark} {texts[line]}")
            last = line
    return out


def _windows(hits: list[int], around: int, texts: dict[int, str]) -> list[int]:
    """The lines to be shown, each once, so that windows that overlap are joined (PTL-30)."""
    return sorted({line for hit in hits for line in range(hit - around, hit + around + 1) if line in texts})

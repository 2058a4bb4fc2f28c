"""``tool_output_read``: the whole text of a shortened result, piece by piece (OUT-50 to OUT-59, PTL-51, PTL-52)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from crewlab.engine.agents.roster import Agent
from crewlab.engine.home.layout import Home
from crewlab.engine.texts import Texts
from crewlab.engine.tools import spill
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.family import FamilyParts
from crewlab.engine.tools.fence import SCRIPT_CHARS, lined
from crewlab.engine.tools.shown import clean_name

PIECE_CHARS = 8_000  # OUT-50, OUT-54
MAX_REFS = 3  # PTL-51
REF_CHARS = 4_000  # PTL-51
MIN_REF_CHARS, MAX_REF_CHARS = 1_024, 20_000  # PTL-51

NameOf = Callable[[str, str], str | None]
"""The tool of a call: (conversation, call id)."""


def family(parts: FamilyParts, _agent: Agent) -> list[Tool]:
    """The tool, for every agent (subject to its list, OUT-45)."""
    return [output_tool(parts.texts, parts.home, parts.store.messages.tool_of)]


def output_tool(texts: Texts, home: Home, name_of: NameOf) -> Tool:
    """The tool; reading, so it may be called again after a restart (TOOL-5)."""

    async def run(arguments: Arguments, context: ToolContext) -> str:
        if "refs" in arguments:
            names = {ref: name_of(context.conversation_id or "", ref) or "" for ref in arguments["refs"]}
            return await asyncio.to_thread(_refs, arguments, context, home, names)
        if "maxChars" in arguments:
            raise ToolError(texts("output.max_chars_alone"))
        return await asyncio.to_thread(_one, arguments, context, home)

    number = {"type": "integer", "minimum": 1}
    return Tool(
        name="tool_output_read",
        description=texts("output.tool_output_read.description"),
        parameters={
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": texts("output.tool_output_read.id")},
                "offset": {"type": "integer", "minimum": 0, "description": texts("output.tool_output_read.offset")},
                "limit": {**number, "description": texts("output.tool_output_read.limit")},
                "refs": {
                    "type": "array",
                    "items": {"type": "string"},
                    "minItems": 1,
                    "maxItems": MAX_REFS,
                    "description": texts("output.tool_output_read.refs"),
                },
                "maxChars": {
                    "type": "integer",
                    "minimum": MIN_REF_CHARS,
                    "maximum": MAX_REF_CHARS,
                    "description": texts("output.tool_output_read.max_chars"),
                },
            },
            "additionalProperties": False,
        },
        run=run,
        tier="read",
        script="any",
        replay_safe=True,
        one_of=(("id",), ("refs",)),
        marking="line",
        keeps_ceiling=True,
    )


def _text(call_id: str, context: ToolContext, home: Home) -> str | None:
    """What is kept under the id in the caller's own conversation (OUT-57)."""
    if context.conversation_id is None:
        return None
    try:
        return spill.read(home, context.conversation_id, call_id)
    except (OSError, UnicodeDecodeError) as error:
        raise ToolError(context.texts("output.unreadable", id=clean_name(call_id, spill.MAX_ID_CHARS))) from error


def _one(arguments: Arguments, context: ToolContext, home: Home) -> str:
    texts, call_id = context.texts, arguments["id"]
    ceiling = SCRIPT_CHARS if context.in_script else context.output_chars  # OUT-55
    whole = _text(call_id, context, home)
    shown = clean_name(call_id, spill.MAX_ID_CHARS)
    if whole is None:
        raise ToolError(texts("output.not_kept", id=shown))
    offset = arguments.get("offset", 0)
    _check_offset(offset, whole, shown, texts)

    end = "output.piece_end_cut" if spill.is_cut(home, context.conversation_id or "", call_id) else "output.piece_end"

    def around(stop: int) -> str:
        head = texts("output.piece_head", id=shown, first=offset, last=stop, total=len(whole))
        foot = texts("output.piece_more", next=stop) if stop < len(whole) else texts(end)
        return f"{lined(head, whole[offset:stop], texts)}\n{foot}"

    limit = arguments.get("limit", ceiling if context.in_script else PIECE_CHARS)
    piece = _fitting(around, offset, min(len(whole), offset + limit), ceiling)
    if piece is None:
        raise ToolError(texts("output.no_room", ceiling=ceiling))  # OUT-59
    return piece


def _check_offset(offset: int, whole: str, shown: str, texts: Texts) -> None:
    if offset >= len(whole):
        raise ToolError(texts("output.beyond", id=shown, offset=offset, total=len(whole)))


def _fitting(around: Callable[[int], str], start: int, stop: int, room: int) -> str | None:
    """The longest piece from ``start`` to at most ``stop`` that takes ``room`` characters with its lines; ``None``: not one character."""
    most = stop
    while stop > start and (over := len(around(stop)) - room) > 0:
        stop -= over
    while start < stop < most and len(around(stop + 1)) <= room:  # shorter numbers in the lines leave a little more room
        stop += 1
    return around(stop) if stop > start else None


def _refs(arguments: Arguments, context: ToolContext, home: Home, names: dict[str, str]) -> str:
    texts, refs = context.texts, list(names)
    offset = arguments.get("offset", 0)
    if "limit" in arguments:
        raise ToolError(texts("output.limit_with_refs"))
    if "offset" in arguments and len(refs) > 1:
        raise ToolError(texts("output.offset_with_refs"))
    most = arguments.get("maxChars", REF_CHARS)
    parts: list[str] = []
    found = False
    for ref in refs:
        whole = _text(ref, context, home)
        shown = clean_name(ref, spill.MAX_ID_CHARS)
        if whole is None:
            parts.append(texts("output.not_kept", id=shown))
            continue
        found = True
        _check_offset(offset, whole, shown, texts)
        parts.append(_ref_piece(ref, whole, offset, most, names[ref], texts))
    if not found:
        raise ToolError("\n".join(parts))
    return "\n\n".join(parts)


def _ref_piece(ref: str, whole: str, offset: int, most: int, name: str, texts: Texts) -> str:
    def around(stop: int) -> str:
        head = texts("output.ref_head", id=ref, name=clean_name(name), first=offset, last=stop, total=len(whole))
        more = f"tool_output_read({json.dumps({'refs': [ref], 'offset': stop, 'maxChars': most})})"
        foot = texts("output.ref_more", call=more) if stop < len(whole) else texts("output.piece_end")
        return f"{lined(head, whole[offset:stop], texts)}\n{foot}"

    piece = _fitting(around, offset, len(whole), most)
    if piece is None:
        raise ToolError(texts("output.no_room", ceiling=most))
    return piece

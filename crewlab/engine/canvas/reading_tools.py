"""``artifact_list`` and ``artifact_read`` (CNV-36 to CNV-46)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from crewlab.engine.canvas.bench import Bench, field, schema
from crewlab.engine.canvas.diff import count_lines
from crewlab.engine.canvas.hand import Hand
from crewlab.engine.canvas.paging import Page, add_range, is_whole, page, with_reading
from crewlab.engine.canvas.pictures import picture_of
from crewlab.engine.canvas.titles import fold, shown
from crewlab.engine.store.canvas_marks import Mark
from crewlab.engine.store.canvases import StoredCanvas
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.fence import fence, room
from crewlab.engine.tools.shown import exact, grouped, size

LISTED = 30  # CNV-37


def reading_tools(bench: Bench) -> list[Tool]:
    """The two tools that only look; ``artifact_read`` leaves a mark, so scripts may not call it (CNV-19)."""
    one = {"minimum": 1}
    read = schema(
        id=field(bench.texts, "id"),
        version=field(bench.texts, "version", "integer", **one),
        offset=field(bench.texts, "offset", "integer", **one),
        char=field(bench.texts, "char", "integer", minimum=0),
        required=("id",),
    )
    plain: dict[str, Any] = {"tier": "read", "replay_safe": True}
    return [
        bench.tool("artifact_list", schema(query=field(bench.texts, "query")), _list, script="any", marking="bare", **plain),
        bench.tool("artifact_read", read, _read, script="no", marking="fenced", **plain),
    ]


async def _list(hand: Hand, arguments: Arguments, context: ToolContext) -> str:
    query = arguments.get("query") or ""
    found, total = hand.library.store.canvases.reachable(context.agent_id, hand.chain.root, fold(query.strip()), LISTED)
    if not found:
        return hand.texts("canvas.list_none_match", query=shown(query)) if query.strip() else hand.texts("canvas.list_none")
    lines = [hand.texts("canvas.list_head", count=grouped(total, context.texts)), *(_line(hand, canvas) for canvas in found)]
    if total > len(found):
        lines.append(hand.texts("canvas.list_more", count=grouped(total - len(found), context.texts)))
    return "\n".join(lines)


def _line(hand: Hand, canvas: StoredCanvas) -> str:
    mark = hand.mark(canvas.id)
    state = "" if mark.known >= canvas.version else hand.texts("canvas.list_unread" if not mark.known else "canvas.list_newer")
    origin = hand.texts("canvas.list_from", path=shown(canvas.source_path)) if canvas.source_path else ""
    kind = f"{canvas.kind} ({canvas.language})" if canvas.language else canvas.kind
    return f"{canvas.id} v{canvas.version} · {kind} · {shown(canvas.title)} · {size(canvas.bytes, hand.context.texts)}{origin}{state}"


async def _read(hand: Hand, arguments: Arguments, context: ToolContext) -> str:
    if context.in_script:
        raise ToolError(hand.texts("canvas.read_in_script"))
    canvas = hand.canvas(arguments["id"])
    version = arguments.get("version", canvas.version)
    data = hand.library.store.canvases.content(canvas.id, version)
    if data is None:
        raise ToolError(hand.texts("canvas.no_version", id=canvas.id, version=version, newest=canvas.version))
    if canvas.kind == "image":
        return _picture(hand, canvas, version, data)
    return _text(hand, canvas, version, data, arguments)


def _known(mark: Mark, canvas: StoredCanvas, version: int) -> Mark:
    """The mark after any page of ``version`` (CNV-15); what was kept for a note that says no more than this is dropped."""
    known = max(mark.known, version)
    mark = replace(mark, known=known, title=canvas.title)
    return replace(mark, changes=None, changes_to=None) if known >= (mark.changes_to or 0) else mark


def _picture(hand: Hand, canvas: StoredCanvas, version: int, data: bytes) -> str:
    picture = picture_of(data)
    mark = _known(hand.mark(canvas.id), canvas, version)
    hand.keep(canvas.id, replace(mark, whole=max(mark.whole, version)))
    width, height, form = (picture.width, picture.height, picture.format) if picture else (0, 0, "?")
    of = {"id": canvas.id, "version": version, "title": shown(canvas.title), "size": exact(len(data), hand.context.texts)}
    return hand.texts("canvas.read_picture", **of, format=form, width=width, height=height)


def _text(hand: Hand, canvas: StoredCanvas, version: int, data: bytes, arguments: Arguments) -> str:
    texts, text = hand.context.texts, data.decode()
    total = count_lines(text)
    head = hand.texts(
        "canvas.read_head",
        id=canvas.id,
        version=version,
        kind=canvas.kind,
        title=shown(canvas.title),
        size=exact(len(data), texts),
        lines=grouped(total, texts),
    )
    holds = room(hand.context.output_chars) - len(head)
    if holds < 1:
        raise ToolError(texts("fence.no_room", ceiling=hand.context.output_chars))
    found = page(text, arguments.get("offset", 1), arguments.get("char", 0), holds)
    if found is None:
        raise ToolError(hand.texts("canvas.read_beyond", id=canvas.id, version=version, lines=grouped(total, texts)))
    _remember(hand, canvas, version, found, len(text))
    made = hand.library.store.canvases.version(canvas.id, version)
    body = fence("DOCUMENT", text[found.start : found.end].removesuffix("\n"), texts, own=made is not None and made.author == hand.author)
    return "\n".join([head, body, _foot(hand, canvas, version, found)])


def _remember(hand: Hand, canvas: StoredCanvas, version: int, found: Page, length: int) -> None:
    """Raise ``known``, and ``whole`` once every part of the version was read (CNV-18)."""
    mark = _known(hand.mark(canvas.id), canvas, version)
    ranges = add_range(mark.pages.get(version, []), found.start, found.end)
    if is_whole(ranges, length):
        pages = {each: kept for each, kept in mark.pages.items() if each != version}
        mark = replace(mark, whole=max(mark.whole, version), pages=pages)
    else:
        mark = replace(mark, pages=with_reading(mark.pages, version, ranges))
    hand.keep(canvas.id, mark)


def _foot(hand: Hand, canvas: StoredCanvas, version: int, found: Page) -> str:
    """The call that reads on in exactly this version, or that the end is reached (CNV-42)."""
    if found.next is None:
        return hand.texts("canvas.read_end", line=found.last_line)
    offset, char = found.next
    inside = f", char={char}" if char else ""
    return hand.texts(
        "canvas.read_on", line=found.last_line, call=f'artifact_read(id="{canvas.id}", version={version}, offset={offset}{inside})'
    )

"""``artifact_create``, ``artifact_edit`` and ``artifact_rewrite`` (CNV-31 to CNV-35, CNV-47 to CNV-57)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from crewlab.engine.artifacts import ArtifactHow, ArtifactKind
from crewlab.engine.canvas import matching
from crewlab.engine.canvas.bench import Bench, field, schema
from crewlab.engine.canvas.check import checked
from crewlab.engine.canvas.diff import ANSWER_CHARS, CONFLICT_CHARS, count_lines, diff
from crewlab.engine.canvas.hand import TRIES, Hand
from crewlab.engine.canvas.kinds import CAPS, LANGUAGE_CHARS, WRITTEN
from crewlab.engine.canvas.library import Draft, Moved, clipped
from crewlab.engine.canvas.tags import tag
from crewlab.engine.canvas.titles import TITLE_CHARS, clean_title
from crewlab.engine.store.canvas_marks import Mark
from crewlab.engine.store.canvases import StoredCanvas
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.fence import fence
from crewlab.engine.tools.shown import exact, grouped, size

TELEGRAM = "telegram"
Changed = Callable[[StoredCanvas, str], Awaitable[str]]
"""The new text of a canvas, by its newest version and that one's text. Raises ``ToolError``."""


def writing_tools(bench: Bench) -> list[Tool]:
    """The three tools that write text the model sends."""
    text = field(bench.texts, "content", minLength=1)
    create = schema(
        title=field(bench.texts, "title"),
        kind={**field(bench.texts, "kind"), "enum": [*WRITTEN, "image"]},
        content=text,
        language=field(bench.texts, "language"),
        required=("title", "kind", "content"),
    )
    passage = {name: field(bench.texts, name) for name in ("id", "old", "new")}
    every = field(bench.texts, "replace_all", "boolean")
    return [
        bench.tool("artifact_create", create, _create, writes=True),
        bench.tool("artifact_edit", schema(**passage, replace_all=every, required=("id", "old", "new")), _edit, writes=True),
        bench.tool(
            "artifact_rewrite",
            schema(id=passage["id"], content=field(bench.texts, "content"), required=("id", "content")),
            _rewrite,
            writes=True,
            marking="fenced",
        ),
    ]


def title_of(hand: Hand, raw: str) -> str:
    """The title as it is stored. Raises ``ToolError`` (CNV-8)."""
    title = clean_title(raw)
    if title is None:
        raise ToolError(hand.texts("canvas.title_bad", limit=TITLE_CHARS))
    return title


def language_of(hand: Hand, kind: ArtifactKind, raw: str | None) -> str | None:
    """The language as it is stored; it goes with kind ``code`` alone (CNV-34)."""
    language = (raw or "").strip() or None
    if language is not None and (kind != "code" or len(language) > LANGUAGE_CHARS):
        raise ToolError(hand.texts("canvas.language_kind", limit=LANGUAGE_CHARS))
    return language


def sendable(hand: Hand, canvas_id: str) -> list[str]:
    """How a canvas goes out with the reply, where that is Telegram or a script may say so (CNV-35)."""
    where = hand.context.source == TELEGRAM or hand.context.in_script
    return [hand.texts("canvas.send_with", id=canvas_id)] if where else []


async def _create(hand: Hand, arguments: Arguments, context: ToolContext) -> str:
    kind: ArtifactKind = arguments["kind"]
    if kind == "image":
        raise ToolError(hand.texts("canvas.image_create"))
    title = title_of(hand, arguments["title"])
    language = language_of(hand, kind, arguments.get("language"))
    data = hand.encoded(arguments["content"], kind)
    hand.may_write()
    found = await checked(hand, kind, data)
    canvas = hand.make(Draft(title, kind, language, data), "create", whole=True)
    made = hand.texts("canvas.created", title=title, kind=kind, size=size(len(data), context.texts))
    return "\n".join([tag(canvas.id, 1), *found, made, *sendable(hand, canvas.id)])


def text_canvas(hand: Hand, canvas_id: str) -> StoredCanvas:
    """A canvas in reach that holds text (CNV-47, CNV-56)."""
    canvas = hand.canvas(canvas_id)
    if canvas.kind == "image":
        raise ToolError(hand.texts("canvas.image_edit"))
    return canvas


async def _edit(hand: Hand, arguments: Arguments, _context: ToolContext) -> str:
    old, new = arguments["old"], arguments["new"]
    if not old:
        raise ToolError(hand.texts("canvas.old_empty"))
    hand.encoded(new, "html")  # the widest cap; that of the kind is checked on the whole

    def judge(canvas: StoredCanvas, text: str) -> str:
        if new == old:
            return text
        match = matching.find(text, old)
        if match is None:
            raise ToolError(_not_found(hand, canvas, matching.nearest(text, old)))
        if match.count > 1 and not arguments.get("replace_all", False):
            raise ToolError(hand.texts("canvas.found_often", count=match.count))
        if match.chars_after(new) > CAPS[canvas.kind]:
            hand.check_cap(match.chars_after(new), canvas.kind)
        return match.replaced(new)

    async def changed(canvas: StoredCanvas, text: str) -> str:
        return await asyncio.to_thread(judge, canvas, text)

    return await _change(hand, arguments["id"], "edit", changed, lambda canvas: lambda mark: mark.whole == canvas.version)


def _not_found(hand: Hand, canvas: StoredCanvas, near: str | None) -> str:
    if near is None:
        return hand.texts("canvas.not_found", id=canvas.id)
    return hand.texts("canvas.not_found_near", id=canvas.id) + "\n" + fence("DOCUMENT", near, hand.context.texts)


async def _rewrite(hand: Hand, arguments: Arguments, _context: ToolContext) -> str:
    async def changed(canvas: StoredCanvas, text: str) -> str:
        if hand.mark(canvas.id).whole != canvas.version:
            raise ToolError(await _unseen(hand, canvas, text))
        return str(arguments["content"])

    return await _change(hand, arguments["id"], "rewrite", changed, lambda _canvas: lambda _mark: True)


async def _unseen(hand: Hand, canvas: StoredCanvas, text: str) -> str:
    """The refusal of a rewrite on a version the agent has not seen whole, with what changed since (CNV-54, CNV-55)."""
    whole = hand.mark(canvas.id).whole
    if not whole:
        return hand.texts("canvas.never_whole", id=canvas.id)
    lines = await diff(hand.library.text(canvas, whole), text)
    head = hand.texts("canvas.unseen", id=canvas.id, version=canvas.version, whole=whole)
    if lines is None:
        return f"{head}\n{hand.texts('canvas.diff_long', id=canvas.id)}"
    return f"{head}\n{fence('DOCUMENT', clipped(lines, CONFLICT_CHARS), hand.context.texts)}"


async def _change(
    hand: Hand, canvas_id: str, how: ArtifactHow, changed: Changed, whole: Callable[[StoredCanvas], Callable[[Mark], bool]]
) -> str:
    """Judge and store on the newest version; when another came in between, judge anew by the same rules (CNV-29)."""
    hand.may_write()
    for _ in range(TRIES):
        canvas = text_canvas(hand, canvas_id)
        before = hand.library.text(canvas)
        after = await changed(canvas, before)
        data = hand.encoded(after, canvas.kind)
        if after == before:
            return f"{tag(canvas.id, canvas.version, unchanged=True)}\n{hand.texts('canvas.unchanged')}"
        found = await checked(hand, canvas.kind, data)
        lines = await diff(before, after)
        try:
            version = await hand.add(canvas, data, how, whole=whole(canvas))
        except Moved:
            continue
        return "\n".join([tag(canvas.id, version), *found, *grown(hand, after, len(data)), *_shown(hand, canvas.id, lines)])
    raise ToolError(hand.texts("canvas.overtaken", id=canvas_id))


def grown(hand: Hand, text: str, length: int) -> list[str]:
    """The new size in bytes and in lines, counted as pages count them (CNV-52)."""
    lines = count_lines(text)
    texts = hand.context.texts
    return [hand.texts("canvas.now", size=exact(length, texts), lines=grouped(lines, texts))]


def _shown(hand: Hand, canvas_id: str, lines: str | None) -> list[str]:
    return [hand.texts("canvas.diff_long", id=canvas_id)] if lines is None else [clipped(lines, ANSWER_CHARS)]

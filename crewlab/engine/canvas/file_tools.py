"""``artifact_import`` and ``artifact_export``: files of the workspace into canvases and back (CNV-61 to CNV-77)."""

from __future__ import annotations

import asyncio
import os
from typing import cast

from crewlab.engine.artifacts import ArtifactKind
from crewlab.engine.canvas.bench import Bench, field, schema
from crewlab.engine.canvas.check import checked
from crewlab.engine.canvas.files import read_source
from crewlab.engine.canvas.hand import TRIES, Hand, hand_of
from crewlab.engine.canvas.kinds import ENDINGS, KINDS, LANGUAGES, ending_of
from crewlab.engine.canvas.library import Draft, Moved
from crewlab.engine.canvas.tags import tag
from crewlab.engine.canvas.titles import shown
from crewlab.engine.canvas.writing_tools import grown, language_of, sendable, title_of
from crewlab.engine.store.canvases import Source, StoredCanvas
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.shown import exact, shown_path, size
from crewlab.engine.tools.workspace.paths import Place, resolve_file
from crewlab.engine.tools.workspace.writing import Planned, plan_bytes, write


def file_tools(bench: Bench) -> list[Tool]:
    """The two tools between canvases and files; an export overwrites what has no history, so it asks (CNV-73)."""
    texts = bench.texts
    into = schema(
        path=field(texts, "path"),
        id=field(texts, "import_id"),
        title=field(texts, "title"),
        kind={**field(texts, "import_kind"), "enum": list(KINDS)},
        language=field(texts, "language"),
        replace=field(texts, "replace", "boolean"),
        required=("path",),
    )
    out = schema(
        id=field(texts, "id"), path=field(texts, "path"), version=field(texts, "version", "integer", minimum=1), required=("id", "path")
    )

    def refuse(arguments: Arguments, context: ToolContext) -> str | None:
        try:
            _planned(hand_of(bench.library, bench.agent, context), arguments)
        except ToolError as error:
            return error.message
        return None

    def summary(arguments: Arguments, context: ToolContext) -> str | None:
        try:
            canvas, version, planned = _planned(hand_of(bench.library, bench.agent, context), arguments)
        except (ToolError, OSError):
            return None  # the gate has refused it, or running it will say what is wrong
        return _words(canvas, version, planned, "export_ask", context)

    return [
        bench.tool("artifact_import", into, _import, writes=True),
        bench.tool("artifact_export", out, _export, requires_approval=True, refuse_reason=refuse, summary=summary),
    ]


async def _import(hand: Hand, arguments: Arguments, context: ToolContext) -> str:
    hand.may_write()
    path = arguments["path"]
    place = resolve_file(path, context)
    if "id" in arguments:
        return await _import_into(hand, arguments, place)
    kind = _kind(hand, arguments, place)
    language = language_of(hand, kind, arguments.get("language")) or (LANGUAGES.get(ending_of(place.name)) if kind == "code" else None)
    title = title_of(hand, arguments.get("title") or place.text[-1])
    data = await asyncio.to_thread(read_source, path, kind, context)
    found = await checked(hand, kind, data)
    canvas = hand.make(Draft(title, kind, language, data, Source(place.name, context.agent_id)), "import", whole=False)
    made = hand.texts("canvas.imported", path=place.asked, title=title, kind=kind, size=size(len(data), context.texts))
    return "\n".join([tag(canvas.id, 1), *found, made, *sendable(hand, canvas.id)])


def _kind(hand: Hand, arguments: Arguments, place: Place) -> ArtifactKind:
    """The kind that is named, else that of the ending (CNV-64)."""
    kind = arguments.get("kind") or ENDINGS.get(ending_of(place.name))
    if kind is None:
        raise ToolError(hand.texts("canvas.import_kind", path=place.asked, kinds=", ".join(KINDS)))
    return cast("ArtifactKind", kind)


async def _import_into(hand: Hand, arguments: Arguments, place: Place) -> str:
    """A new version of a canvas that is there; one the agent has not seen needs ``replace`` (CNV-65 to CNV-67)."""
    if "title" in arguments or "language" in arguments:
        raise ToolError(hand.texts("canvas.import_title"))
    for _ in range(TRIES):
        canvas = hand.canvas(arguments["id"])
        kind = _kind(hand, arguments, place)
        if kind != canvas.kind:
            raise ToolError(hand.texts("canvas.import_other_kind", id=canvas.id, kind=canvas.kind, found=kind))
        data = await asyncio.to_thread(read_source, arguments["path"], kind, hand.context)
        if data == hand.library.store.canvases.content(canvas.id, canvas.version):
            return f"{tag(canvas.id, canvas.version, unchanged=True)}\n{hand.texts('canvas.unchanged')}"
        if canvas.version > hand.mark(canvas.id).known and not arguments.get("replace", False):
            raise ToolError(hand.texts("canvas.import_unseen", id=canvas.id, version=canvas.version))
        found = await checked(hand, kind, data)
        try:
            source = Source(place.name, hand.context.agent_id)
            version = await hand.add(canvas, data, "import", whole=lambda _mark: False, source=source)
        except Moved:
            continue
        return "\n".join([tag(canvas.id, version), *found, *_size(hand, kind, data)])
    raise ToolError(hand.texts("canvas.overtaken", id=shown_path(arguments["id"])))


def _size(hand: Hand, kind: ArtifactKind, data: bytes) -> list[str]:
    if kind == "image":
        return [hand.texts("canvas.now_picture", size=exact(len(data), hand.context.texts))]
    return grown(hand, data.decode(), len(data))


def _planned(hand: Hand, arguments: Arguments) -> tuple[StoredCanvas, int, Planned]:
    """Everything about an export that can be checked beforehand (CNV-75)."""
    canvas = hand.canvas(arguments["id"])
    version = arguments.get("version", canvas.version)
    data = hand.library.store.canvases.content(canvas.id, version)
    if data is None:
        raise ToolError(hand.texts("canvas.no_version", id=canvas.id, version=version, newest=canvas.version))
    place = resolve_file(arguments["path"], hand.context)
    if os.path.islink(place.root.joinpath(*place.text)):
        raise ToolError(hand.texts("canvas.export_link", path=place.asked))
    return canvas, version, plan_bytes(place, data, hand.context)


async def _export(hand: Hand, arguments: Arguments, context: ToolContext) -> str:
    canvas, version, planned = _planned(hand, arguments)
    new = await asyncio.to_thread(write, planned, context)
    return _words(canvas, version, planned, "exported" if new else "exported_over", context)


def _words(canvas: StoredCanvas, version: int, planned: Planned, key: str, context: ToolContext) -> str:
    over = planned.old_bytes is not None
    if key == "export_ask" and over:
        key = "export_ask_over"
    of = {"id": canvas.id, "version": version, "title": shown(canvas.title), "path": planned.place.name}
    return context.texts(f"canvas.{key}", **of, size=exact(len(planned.data), context.texts))

"""Files of the workspace as content of canvases, under the path rules of the file tools (CNV-62 to CNV-64). Blocks: use a thread."""

from __future__ import annotations

import os

from crewlab.engine.artifacts import ArtifactKind
from crewlab.engine.canvas.kinds import CAPS
from crewlab.engine.canvas.pictures import picture_of
from crewlab.engine.tools.contract import ToolContext, ToolError
from crewlab.engine.tools.shown import size
from crewlab.engine.tools.workspace.opening import explained, regular_file
from crewlab.engine.tools.workspace.paths import Place, resolve_file

MARK = b"\xef\xbb\xbf"  # a byte order mark
NUL = b"\x00"


class Unfit(ToolError):
    """The file is larger than the cap of the kind."""


def read_source(path: str, kind: ArtifactKind, context: ToolContext) -> bytes:
    """The content a file has for a canvas of ``kind``. Raises ``ToolError`` for what cannot be one, ``Unfit`` for its size."""
    place = resolve_file(path, context)
    with regular_file(place, context) as descriptor:
        try:
            data = _read(descriptor, kind, place, context)
        except OSError as error:
            raise explained(error, place, context) from error
    if kind == "image":
        if picture_of(data) is None:
            raise ToolError(context.texts("canvas.import_no_picture", path=place.asked))
        return data
    data = data.removeprefix(MARK)
    try:
        data.decode()
    except UnicodeDecodeError:
        raise ToolError(context.texts("canvas.import_not_text", path=place.asked)) from None
    if NUL in data:
        raise ToolError(context.texts("canvas.import_not_text", path=place.asked))
    return data


def _read(descriptor: int, kind: ArtifactKind, place: Place, context: ToolContext) -> bytes:
    """The bytes, as far as the kind may hold them: a file may grow while it is read."""
    cap, found, held = CAPS[kind], bytearray(), os.fstat(descriptor).st_size
    while len(found) <= cap + len(MARK):
        piece = os.read(descriptor, cap + len(MARK) + 1 - len(found))
        if not piece:
            break
        found += piece
    if len(bytes(found).removeprefix(MARK) if kind != "image" else found) <= cap:
        return bytes(found)
    texts = context.texts
    taken = size(max(held, len(found)), texts)
    raise Unfit(texts("canvas.import_too_large", path=place.asked, size=taken, kind=kind, cap=size(cap, texts)))

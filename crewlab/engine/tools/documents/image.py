"""``image_read``: a question about a picture, asked of the vision chain (VIS-1 to VIS-11)."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import Arguments, Tool, ToolContext, ToolError
from crewlab.engine.tools.documents.finding import opened, refusal
from crewlab.engine.tools.shown import size

MAX_IMAGE_BYTES = 8 * 1024 * 1024  # VIS-5
MAX_QUESTION_CHARS = 2000  # VIS-11
NAMES = {".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".webp": "image/webp", ".gif": "image/gif"}  # VIS-5
HEAD_BYTES = 12


def kind_of(head: bytes) -> str | None:
    """The media type that the first bytes of a picture show; ``None`` for anything but the four kinds (VIS-5)."""
    if head.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if head.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if head[:4] == b"RIFF" and head[8:12] == b"WEBP" else None


def image_tool(texts: Texts, home: Path) -> Tool:
    """The tool; reading, so it may be called again after a restart (TOOL-5)."""

    async def run(arguments: Arguments, context: ToolContext) -> str:
        if context.sight is None:
            raise ToolError(texts("media.no_sight"))
        picture, kind = await asyncio.to_thread(_load, arguments["path"], context, home)
        question = arguments.get("question") or texts("media.describe")
        answer, charge = await context.sight.read("image", texts("media.look_system"), question, picture, kind)
        context.charges.append(charge)
        return f"{texts('media.picture_data')}\n{answer}"

    return Tool(
        name="image_read",
        description=texts("media.image_read.description"),
        parameters={
            "type": "object",
            "properties": {
                "path": {"type": "string", "description": texts("media.image_read.path")},
                "question": {"type": "string", "maxLength": MAX_QUESTION_CHARS, "description": texts("media.image_read.question")},
            },
            "required": ["path"],
            "additionalProperties": False,
        },
        run=run,
        tier="read",
        script="any",
        replay_safe=True,
        refuse_reason=lambda arguments, context: refusal(arguments["path"], context, home),
        marking="line",
    )


def _load(path: str, context: ToolContext, home: Path) -> tuple[bytes, str]:
    """The picture and its media type, decided from its first bytes."""
    texts = context.texts
    with opened(path, context, home) as found:
        length = os.fstat(found.descriptor).st_size
        if length > MAX_IMAGE_BYTES:
            raise ToolError(
                texts("media.image_large", path=found.asked, size=size(length, texts), limit=size(MAX_IMAGE_BYTES, texts))
            )
        with os.fdopen(os.dup(found.descriptor), "rb") as file:
            data = file.read(MAX_IMAGE_BYTES + 1)
        kind = kind_of(data[:HEAD_BYTES])
        named = NAMES.get(Path(path).suffix.lower())
        if kind is None or len(data) > MAX_IMAGE_BYTES:
            raise ToolError(texts("media.no_image", path=found.asked))
        if named != kind:
            raise ToolError(texts("media.image_misnamed", path=found.asked, kind=kind.removeprefix("image/")))
        return data, kind

"""Files of an agent's workspace, served as what they are: written by somebody nobody has checked (CHN-66, MED-13 to MED-17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from crewlab.engine.errors import NotFound, TooLarge
from crewlab.engine.tools.contract import ToolContext
from crewlab.engine.tools.workspace.serving import OpenFile, open_file
from crewlab.server_ext.api.models import FileQuery

if TYPE_CHECKING:
    from crewlab.engine.crew import Crew

MAX_BYTES = 64 * 1024 * 1024  # FIL-1
MEGABYTE = 1024 * 1024
BYTES = "application/octet-stream"
PDF = "application/pdf"
TEXT = "text/plain; charset=utf-8"
IN_PLACE: dict[str, str] = {  # CHN-66, MED-16: fixed here, so that every machine gives the same headers
    **{"png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"},
    "pdf": PDF,
    **dict.fromkeys(("txt", "md", "csv", "tsv", "json", "log", "py", "yaml", "yml", "toml"), TEXT),
}
SANDBOX = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"  # MED-15; the style is the browser's own
PDF_POLICY = "frame-ancestors 'self'"  # a browser's reader does not work in a sandbox


@dataclass(frozen=True, slots=True)
class FileReply:
    """An answer that is a file; whoever sends it closes ``file``."""

    file: OpenFile
    content_type: str
    headers: dict[str, str]


async def read(crew: Crew, id: str, query: FileQuery) -> FileReply:
    """The bytes of one file of the agent's workspace."""
    agent = crew.roster.get(id)
    context = ToolContext(agent_id=agent.id, workspace=agent.workspace, texts=crew.texts, closed_paths=crew.home.reserved(None))
    file = await open_file(query.path, context)
    if file is None:
        raise NotFound(crew.texts("files.not_there", path=repr(query.path)))
    if file.size > MAX_BYTES:
        file.close()
        raise TooLarge(crew.texts("files.too_large", path=repr(query.path), limit=MAX_BYTES // MEGABYTE))
    content_type = IN_PLACE.get(suffix(file.name), BYTES)
    return FileReply(file, content_type, headers_of(file.name, content_type))


def suffix(name: str) -> str:
    """What follows the last dot, small; "" for a name without one or with nothing before it."""
    stem, _, end = name.rpartition(".")
    return end.lower() if stem else ""


def headers_of(name: str, content_type: str) -> dict[str, str]:
    """What tells a browser to trust nothing of the file (CHN-66)."""
    way = "attachment" if content_type == BYTES else "inline"
    return {
        "Content-Security-Policy": PDF_POLICY if content_type == PDF else SANDBOX,
        "Content-Disposition": f"{way}; filename*=UTF-8''{quote(name, safe='', errors='replace')}",
        "X-Content-Type-Options": "nosniff",
    }

"""What an approval of a file call is bound to: the real place of each path and the file that stands there (ASK-1)."""

from __future__ import annotations

import json
from collections.abc import Iterable

from crewlab.engine.tools.contract import ToolContext
from crewlab.engine.tools.workspace.opening import parent, status_of
from crewlab.engine.tools.workspace.paths import Place, resolve_file

NEW = "new"


def binding_of(paths: Iterable[str], context: ToolContext) -> str:
    """One line for what ``paths`` mean now, links followed. Raises ``ToolError`` for one that no file call may touch."""
    return json.dumps([_what_stands(resolve_file(path, context), context) for path in paths], ensure_ascii=True)


def _what_stands(place: Place, context: ToolContext) -> list[object]:
    """The real path below the real workspace, and the identity, size and time of the file that is there."""
    real = "/".join(place.parts)
    if not place.root.joinpath(*place.parts[:-1]).is_dir():
        return [str(place.root), real, NEW]
    with parent(place, context) as holder:
        status = status_of(holder, place.parts[-1])
    if status is None:
        return [str(place.root), real, NEW]
    return [str(place.root), real, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns]

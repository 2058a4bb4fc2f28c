"""Where a path of the model really is, and whether file tools may go there (WS-2 to WS-13).

A path is normalised as text, then its links are followed; both results must lie inside the workspace.
What comes out, a ``Place``, holds only real components, so that opening it one by one without following
links (``opening.py``) reaches that place and no other, whatever is swapped in between (WS-5).
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from crewlab.engine.tools.contract import ToolContext, ToolError
from crewlab.engine.tools.shown import shown_path
from crewlab.engine.tools.workspace.reserved import Parts, Reserved, below, fold, reserved, segments

MAX_PATH_CHARS = 4096  # what systems take at most; keeps resolving cheap

UNUSABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")  # WS-6: control characters, and halves of characters


@dataclass(frozen=True, slots=True)
class Place:
    """A checked path. ``parts`` are the real components below the real ``root``; ``text`` those the model meant."""

    root: Path
    parts: Parts
    text: Parts
    asked: str
    blind: bool
    reserved: Reserved

    @property
    def name(self) -> str:
        """The normalised path, ``.`` for the workspace itself."""
        return shown_path("/".join(self.text)) if self.text else "."

    @property
    def key(self) -> Parts:
        """Equal for two paths of the same file, as the file system compares names."""
        return fold(self.parts, self.blind)


def resolve(raw: str, context: ToolContext) -> Place:
    """The place ``raw`` means; raises ``ToolError`` for a path that leaves the workspace or enters a reserved place."""
    texts, asked = context.texts, shown_path(raw)
    if UNUSABLE.search(raw):
        raise ToolError(texts("tools.path_control", path=asked))
    if len(raw) > MAX_PATH_CHARS:
        raise ToolError(texts("tools.path_long", path=asked, limit=MAX_PATH_CHARS))
    try:
        return _resolve(raw, asked, context)
    except OSError as error:  # a link that was there when it was looked at and gone when it was read
        raise ToolError(texts("tools.path_changed", path=asked)) from error


def _resolve(raw: str, asked: str, context: ToolContext) -> Place:
    texts = context.texts
    root = os.path.realpath(context.workspace)
    blind = case_blind(root)
    text = _absolute(raw, context.workspace, root, blind) if raw.startswith("/") else _relative(raw)
    real = None if text is None else segments(os.path.realpath("/".join((root, *text))))
    parts = None if real is None else below(real, segments(root), blind)
    if text is None or real is None or parts is None:
        raise ToolError(texts("tools.path_outside", path=asked))
    closed = reserved(context)
    if closed.hold(real, blind):
        raise ToolError(texts("tools.path_reserved", path=asked))
    return Place(Path(root), parts, text, asked, blind, closed)


def resolve_file(raw: str, context: ToolContext) -> Place:
    """``resolve`` where a file is needed: an empty path and one that can only be a directory are refused (WS-6)."""
    if not raw.strip():
        raise ToolError(context.texts("tools.path_empty"))
    place = resolve(raw, context)
    if raw.endswith("/") or not place.parts:
        raise ToolError(context.texts("tools.path_is_directory", path=place.asked))
    return place


def check_write(place: Place, context: ToolContext) -> None:
    """Raises ``ToolError`` unless ``write_paths`` lets this agent write at ``place``, as text and really (WS-7, WS-9, WS-10)."""
    if context.write_paths is None:  # WS-11
        return
    entries = [(entry, parts) for entry in context.write_paths if (parts := entry_parts(entry)) is not None]
    if not entries:
        raise ToolError(context.texts("tools.write_nowhere", path=place.asked))
    as_text = any(below(place.text, parts, place.blind) is not None for _, parts in entries)
    if not as_text or not any(_really_below(place, parts) for _, parts in entries):
        places = ", ".join(shown_path(entry) for entry, _ in entries)
        raise ToolError(context.texts("tools.write_elsewhere", path=place.asked, places=places))


def entry_parts(entry: str) -> Parts | None:
    """An entry of ``write_paths`` by segments; ``None`` for one that is absolute, empty or has ``..`` in it (WS-11)."""
    names = segments(entry)
    if not entry.strip() or entry.startswith("/") or ".." in names or UNUSABLE.search(entry):
        return None
    return tuple(name for name in names if name != ".")


def _really_below(place: Place, entry: Parts) -> bool:
    root = segments(str(place.root))
    real = segments(os.path.realpath(place.root.joinpath(*entry)))
    return below((*root, *place.parts), real, place.blind) is not None


def _relative(raw: str) -> Parts | None:
    """The segments of a relative path without ``.`` and ``..``; ``None`` when it leads out at any point."""
    out: list[str] = []
    for segment in raw.split("/"):
        if segment == "..":
            if not out:
                return None
            out.pop()
        elif segment not in ("", "."):
            out.append(segment)
    return tuple(out)


def _absolute(raw: str, workspace: Path, root: str, blind: bool) -> Parts | None:
    """The segments below the workspace of an absolute path that lies inside it, as written or really (WS-2)."""
    path = os.path.normpath("/" + raw.lstrip("/"))
    for candidate in (path, os.path.realpath(path)):
        for base in (os.path.normpath(workspace), root):
            inside = below(segments(candidate), segments(base), blind)
            if inside is not None:
                return inside
    return None


@lru_cache(maxsize=64)
def case_blind(directory: str) -> bool:
    """Whether names there are the same in upper and lower case: asked of the nearest directory whose name has letters (WS-5)."""
    path = Path(directory)
    for each in (path, *path.parents):
        other = each.name.swapcase()
        if other == each.name:
            continue
        try:
            return os.path.samestat(os.lstat(each), os.lstat(each.with_name(other)))
        except FileNotFoundError:
            if each.exists():
                return False
        except OSError:
            return True  # cannot tell: compare strictly against reserved places
    return False

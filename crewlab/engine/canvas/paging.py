"""One page of a text, and which parts of it were read (CNV-18, CNV-41 to CNV-44). Pure."""

from __future__ import annotations

from dataclasses import dataclass

from crewlab.engine.store.canvas_marks import Ranges

KEPT_READINGS = 20  # versions whose progress is kept


@dataclass(frozen=True, slots=True)
class Page:
    """Characters ``start`` to ``end`` of a text; ``offset`` and ``char`` are where the next one begins, ``None`` at the end."""

    start: int
    end: int
    last_line: int
    next: tuple[int, int] | None


def line_start(text: str, offset: int) -> int | None:
    """Where line ``offset`` begins, counted from 1; ``None`` beyond the end."""
    place = 0
    for _ in range(offset - 1):
        place = text.find("\n", place) + 1
        if place == 0 or place == len(text):
            return None
    return place


def page(text: str, offset: int, char: int, room: int) -> Page | None:
    """The page that begins at ``char`` of line ``offset`` and holds at most ``room`` characters; ``None`` beyond the end.

    It ends with a line where it can, and inside a line only when that line alone does not fit (CNV-43).
    """
    first = line_start(text, offset)
    if first is None:
        return None
    line_end = text.find("\n", first)
    start = first + char
    if start > (len(text) if line_end < 0 else line_end):
        return None
    end = min(start + room, len(text))
    if end == len(text):
        return Page(start, end, offset + text.count("\n", start, max(start, end - 1)), None)
    cut = text.rfind("\n", start, end)
    if cut < 0:
        return Page(start, end, offset, (offset, end - first))
    lines = text.count("\n", start, cut + 1)
    return Page(start, cut + 1, offset + lines - 1, (offset + lines, 0))


def add_range(ranges: Ranges, start: int, end: int) -> Ranges:
    """The parts read with one more; what touches becomes one."""
    merged: Ranges = []
    for first, after in sorted([*ranges, [start, end]]):
        if merged and first <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], after)
        else:
            merged.append([first, after])
    return merged


def is_whole(ranges: Ranges, length: int) -> bool:
    """Whether everything was read, in whatever order."""
    return len(ranges) == 1 and ranges[0][0] == 0 and ranges[0][1] >= length


def with_reading(pages: dict[int, Ranges], version: int, ranges: Ranges) -> dict[int, Ranges]:
    """The progress by version; only that on the newest few is kept."""
    merged = {**pages, version: ranges}
    return {each: merged[each] for each in sorted(merged)[-KEPT_READINGS:]}

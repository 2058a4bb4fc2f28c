"""Lines of an answer that name a file (MED-1, MED-3, MED-8, CHN-16, CHN-17)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

LINE = re.compile(r"(MEDIA|FILE):(.*)")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
PHOTOS = frozenset({"png", "jpg", "jpeg", "webp", "gif"})  # MED-7
PHOTOS_OF_FILE = frozenset({"png", "jpg", "jpeg", "webp"})  # CHN-17
DOCUMENTS = frozenset({"pdf", "csv", "md", "txt", "xlsx", "json", "zip"})  # CHN-18
MAX_DOCUMENT = 20 * 1024 * 1024  # CHN-18
MAX_PHOTO = 10 * 1024 * 1024  # MED-7
ARTIFACT = "artifact:"  # CHN-20


@dataclass(frozen=True, slots=True)
class Named:
    """A file an answer names: ``way`` is how it is sent, ``None`` when its kind may not be."""

    path: str
    way: Literal["photo", "document", "artifact"] | None

    @property
    def limit(self) -> int:
        """How many bytes it may have."""
        return MAX_PHOTO if self.way == "photo" else MAX_DOCUMENT


def read(text: str) -> tuple[str, list[Named]]:
    """The text without those lines, and the files in order; lines inside code blocks are text."""
    kept: list[str] = []
    files: list[Named] = []
    fence = ""
    for line in text.split("\n"):
        mark = FENCE.match(line)
        if mark and (not fence or (mark[1][0] == fence[0] and len(mark[1]) >= len(fence) and not line.strip(" " + fence[0]))):
            fence = "" if fence else mark[1]
        named = None if fence else LINE.fullmatch(line)
        if named is None:
            kept.append(line)
        else:
            files.append(_named(named[1], named[2].strip()))
    return "\n".join(kept).strip(), files


def _named(prefix: str, path: str) -> Named:
    ending = path.rpartition(".")[2].lower() if "." in path else ""
    if prefix == "FILE" and path.startswith(ARTIFACT):
        return Named(path.removeprefix(ARTIFACT).strip(), "artifact")
    if prefix == "MEDIA":
        return Named(path, "photo" if ending in PHOTOS else None)
    return Named(path, "photo" if ending in PHOTOS_OF_FILE else "document" if ending in DOCUMENTS else None)

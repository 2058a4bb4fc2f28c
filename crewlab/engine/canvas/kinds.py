"""Kinds of canvases: what each may hold, which file endings mean it, and how it is named as a file (CNV-6, CNV-64)."""

from __future__ import annotations

import re
from typing import get_args

from crewlab.engine.artifacts import ArtifactKind

KB = 1024  # CNV-7
MB = 1024 * KB
CAPS: dict[ArtifactKind, int] = {  # CNV-6
    "markdown": 512 * KB,
    "code": 512 * KB,
    "mermaid": 512 * KB,
    "html": 4 * MB,
    "svg": 2 * MB,
    "image": 2 * MB,
}
STORE_BYTES = 1024 * MB  # CNV-9: all versions of all canvases
AGENT_BYTES = STORE_BYTES * 9 // 10  # CNV-9: where agents stop
LANGUAGE_CHARS = 40  # CNV-31
KINDS: tuple[ArtifactKind, ...] = get_args(ArtifactKind)
WRITTEN: tuple[ArtifactKind, ...] = ("markdown", "code", "html", "svg", "mermaid")  # CNV-31
VISUAL: frozenset[ArtifactKind] = frozenset({"html", "svg", "mermaid", "image"})  # PTL-108
PAGES: frozenset[ArtifactKind] = frozenset({"html", "mermaid"})  # CNV-114

LANGUAGES = {  # CNV-64: kind `code`, with the language of the ending
    **{"py": "python", "js": "javascript", "ts": "typescript", "tsx": "tsx", "jsx": "jsx", "json": "json", "yaml": "yaml", "yml": "yaml"},
    **{"toml": "toml", "ini": "ini", "sh": "shell", "sql": "sql", "css": "css", "c": "c", "h": "c", "cpp": "cpp", "rs": "rust", "go": "go"},
    **{"java": "java", "rb": "ruby", "php": "php", "swift": "swift", "kt": "kotlin", "r": "r", "lua": "lua", "ipynb": "json"},
    **{"csv": "csv", "xml": "xml"},
}
ENDINGS: dict[str, ArtifactKind] = {  # CNV-64
    **dict.fromkeys(("md", "markdown", "txt"), "markdown"),
    **dict.fromkeys(("html", "htm"), "html"),
    "svg": "svg",
    **dict.fromkeys(("mmd", "mermaid"), "mermaid"),
    **dict.fromkeys(("png", "jpg", "jpeg", "gif", "webp"), "image"),
    **dict.fromkeys(LANGUAGES, "code"),
}
NAMED: dict[ArtifactKind, str] = {"markdown": "md", "html": "html", "svg": "svg", "mermaid": "mmd"}
FILE_NAME_CHARS = 100
NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f-\x9f/\\:*?"<>|]')


def ending_of(path: str) -> str:
    """What follows the last dot of the file's name, small; "" for a name without one or with nothing before it."""
    stem, _, end = path.rpartition("/")[2].rpartition(".")
    return end.lower() if stem else ""


def _own_ending(kind: ArtifactKind, language: str | None, picture: str) -> str:
    if kind == "image":
        return "jpg" if picture == "jpeg" else picture
    if kind == "code":
        return next((end for end, name in LANGUAGES.items() if name == (language or "").lower()), "txt")
    return NAMED[kind]


def file_name(title: str, kind: ArtifactKind, language: str | None, picture: str = "png") -> str:
    """The name a canvas has as a file: its title and the ending of its kind (CNV-81). ``picture`` is the format of an image."""
    end, stem = _own_ending(kind, language, picture), NOT_IN_NAMES.sub("_", title)
    named = ending_of(stem)
    if ENDINGS.get(named) == kind:  # a title that is a file's name already; a picture is named after what it really is
        stem, end = stem.rpartition(".")[0], end if kind == "image" else named
    return f"{stem[:FILE_NAME_CHARS].strip(' .') or kind}.{end}"

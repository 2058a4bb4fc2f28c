"""How names, paths and numbers that came from outside are written into a sentence."""

from __future__ import annotations

import re

from crewlab.engine.texts import Texts

MAX_NAME_CHARS = 64  # PTL-9
MAX_PATH_SHOWN = 300  # a refusal names the path; a longer one is cut there
KIB = 1024
UNITS = ("KB", "MB", "GB", "TB")

UNSHOWABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def clean_name(name: str, limit: int = MAX_NAME_CHARS) -> str:
    """``name`` without control characters and cut at ``limit`` (PTL-9)."""
    return UNSHOWABLE.sub("", name[: limit * 4])[:limit]


def shown_path(path: str) -> str:
    """``path`` as it was written, on one line: control characters as escapes, cut at 300 characters (WS-13)."""
    text = UNSHOWABLE.sub(lambda found: f"\\x{ord(found[0]):02x}", path[:MAX_PATH_SHOWN])
    return text if len(path) <= MAX_PATH_SHOWN else text + "…"


def clean_line(text: str, limit: int) -> str:
    """The first words of ``text`` on one line, without control characters, cut at ``limit``."""
    line = " ".join(UNSHOWABLE.sub(" ", text[: limit * 4]).split())
    return line if len(line) <= limit else line[:limit] + "…"


def grouped(number: int, texts: Texts) -> str:
    """``1204`` as ``1,204`` (English) or ``1.204`` (Vietnamese)."""
    return f"{number:,}".replace(",", texts("tools.thousands"))


def exact(count: int, texts: Texts) -> str:
    """A number of bytes, not rounded: ``1,204 bytes``."""
    return texts("tools.byte_one") if count == 1 else texts("tools.bytes", count=grouped(count, texts))


def size(count: int, texts: Texts) -> str:
    """A number of bytes for people: ``812 bytes``, ``3.1 KB``, ``20 MB``."""
    if count < KIB:
        return exact(count, texts)
    amount, unit = count / KIB, 0
    while round(amount, 1) >= KIB and unit < len(UNITS) - 1:
        amount, unit = amount / KIB, unit + 1
    text = f"{amount:.1f}".removesuffix(".0").replace(".", texts("tools.decimal"))
    return f"{text} {UNITS[unit]}"

"""The tag that begins the answer of a canvas write: a fixed token, the same in both languages (CNV-23, TURN-3)."""

from __future__ import annotations

import re
from dataclasses import dataclass

TAG = re.compile(r"\[artifact ([a-z0-9]{1,80}) v(\d{1,9})\]( unchanged)?(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Tag:
    """Which version of which canvas an answer is about."""

    id: str
    version: int
    unchanged: bool


def tag(canvas_id: str, version: int, *, unchanged: bool = False) -> str:
    """The first line of a write's answer."""
    return f"[artifact {canvas_id} v{version}]{' unchanged' if unchanged else ''}"


def read_tag(answer: str) -> Tag | None:
    """The tag an answer begins with; ``None`` for any other answer (CNV-83)."""
    found = TAG.match(answer)
    return Tag(found[1], int(found[2]), found[3] is not None) if found else None

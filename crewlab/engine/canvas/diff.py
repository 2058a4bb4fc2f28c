"""Diffs of two texts: unified, bounded, and never computed on the event loop (CNV-58 to CNV-60)."""

from __future__ import annotations

import asyncio
import difflib

CHANGED_LINES = 600  # CNV-59: comparing line by line costs the square of that number
CONTEXT = 3  # CNV-58
ANSWER_CHARS = 1_500  # CNV-52, CNV-100
CONFLICT_CHARS = 4_000  # CNV-54


def count_lines(text: str) -> int:
    r"""Lines counted by ``\n``; a last one without a line end counts (CNV-44)."""
    return text.count("\n") + bool(text and not text.endswith("\n"))


def _shared(old: list[str], new: list[str]) -> tuple[int, int]:
    """How many lines both have in common at the beginning, and after that at the end."""
    most = min(len(old), len(new))
    head = next((place for place in range(most) if old[place] != new[place]), most)
    tail = next((place for place in range(most - head) if old[-1 - place] != new[-1 - place]), most - head)
    return head, tail


def draw(old: str, new: str) -> str | None:
    """The unified diff; "" for equal texts, ``None`` when more than 600 lines changed. Takes time: call ``diff`` from the loop."""
    before, after = old.split("\n"), new.split("\n")
    head, tail = _shared(before, after)
    if max(len(before), len(after)) - head - tail > CHANGED_LINES:
        return None
    start = max(0, head - CONTEXT)
    left = before[start : len(before) - max(0, tail - CONTEXT)]
    right = after[start : len(after) - max(0, tail - CONTEXT)]
    lines: list[str] = []
    for group in difflib.SequenceMatcher(None, left, right).get_grouped_opcodes(CONTEXT):
        _, i1, _, j1, _ = group[0]
        _, _, i2, _, j2 = group[-1]
        lines.append(f"@@ -{_span(start, i1, i2)} +{_span(start, j1, j2)} @@")
        for kind, a1, a2, b1, b2 in group:
            if kind == "equal":
                lines += [f" {line}" for line in left[a1:a2]]
                continue
            lines += [f"-{line}" for line in left[a1:a2]]
            lines += [f"+{line}" for line in right[b1:b2]]
    return "\n".join(lines)


def _span(start: int, first: int, after: int) -> str:
    length = after - first
    return f"{start + first + (length > 0)},{length}"


async def diff(old: str, new: str) -> str | None:
    """``draw`` in a thread of its own (CNV-60)."""
    return await asyncio.to_thread(draw, old, new)

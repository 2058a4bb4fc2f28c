"""The result of a job as text: two lines of head, the canvases, one empty line, the body (DLG-36 to DLG-46, DLG-57 to DLG-60). Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from crewlab.engine.tools.children import WrittenCanvas

FIELD_CHARS = 160  # DLG-40
MAX_CANVASES = 12  # DLG-59
REFUSAL_CHARS = 600  # TURN-84

_FIRST = re.compile(
    r"conversation=(?P<id>\S+) status=(?P<status>\w+) spent=\$(?P<spent>[\d.]+) steps=(?P<steps>\d+)(?: unknown_calls=(?P<unknown>\d+))?"
)
_SECOND = re.compile(r"outcome=(?P<outcome>\w+)(?: reason=(?P<reason>.*))?")
_TAG = re.compile(r"\[artifact (?P<id>\S+) v(?P<version>\d+)\](?: (?P<title>.*))?")
_MORE = re.compile(r"\(\+(?P<more>\d+) more canvases, see artifact_list\)\n?")


class Figures(NamedTuple):
    """Line one: the child's conversation, the status of its run, its money and steps."""

    conversation_id: str
    status: str
    spent_usd: float
    steps: int
    unknown_calls: int = 0


class Result(NamedTuple):
    """A result as it is read back. ``more``: canvases beyond those that are named."""

    figures: Figures
    outcome: str
    reason: str
    canvases: tuple[WrittenCanvas, ...]
    more: int
    body: str


def field(text: str) -> str:
    """A quoted field: one line of at most 160 characters (DLG-40)."""
    return " ".join(text.split())[:FIELD_CHARS].rstrip()


def head(figures: Figures, outcome: str, reason: str, canvases: Sequence[WrittenCanvas]) -> str:
    """Everything above the body, the empty line included."""
    unknown = f" unknown_calls={figures.unknown_calls}" if figures.unknown_calls else ""
    first = f"conversation={figures.conversation_id} status={figures.status} spent=${figures.spent_usd:.4f} steps={figures.steps}{unknown}"
    second = f"outcome={outcome} reason={field(reason)}" if reason else f"outcome={outcome}"
    lines = [f"[artifact {canvas.id} v{canvas.version}] {field(canvas.title)}".rstrip() for canvas in canvases[:MAX_CANVASES]]
    return "\n".join([first, second, *lines, "", ""])


def more_line(canvases: Sequence[WrittenCanvas]) -> str:
    """The line that begins the body when not all canvases are named, else an empty text (DLG-59)."""
    left = len(canvases) - MAX_CANVASES
    return f"(+{left} more canvases, see artifact_list)\n" if left > 0 else ""


def card(text: str) -> str:
    """What the run card keeps: the head of a result, of a refusal its beginning (JOBS-3)."""
    found = read(text)
    if found is None:
        return " ".join(text.split())[:REFUSAL_CHARS]
    return text[: len(text) - len(found.body)].rstrip("\n") + "\n"


def read(text: str) -> Result | None:
    """A stored result in its parts; ``None`` for a text that is none (a refusal).

    A result without the empty line is read as having no canvases (DLG-46); tags below that line are the child's words (DLG-60).
    """
    first_line, _, rest = text.partition("\n")
    second_line, _, rest = rest.partition("\n")
    first, second = _FIRST.fullmatch(first_line), _SECOND.fullmatch(second_line)
    if first is None or second is None:
        return None
    figures = Figures(first["id"], first["status"], float(first["spent"]), int(first["steps"]), int(first["unknown"] or 0))
    canvases, body = _block(rest)
    more = _MORE.match(body)
    if more is not None:
        body = body[more.end() :]
    return Result(figures, second["outcome"], second["reason"] or "", canvases, int(more["more"]) if more else 0, body)


def _block(rest: str) -> tuple[tuple[WrittenCanvas, ...], str]:
    lines = rest.split("\n")
    canvases: list[WrittenCanvas] = []
    for place, line in enumerate(lines):
        tag = _TAG.fullmatch(line)
        if tag is None:
            return (tuple(canvases), "\n".join(lines[place + 1 :])) if not line else ((), rest)
        canvases.append(WrittenCanvas(tag["id"], int(tag["version"]), tag["title"] or ""))
    return (), rest

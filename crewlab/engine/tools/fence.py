"""The one place where text from outside is marked as what it is: data (BRW-55, FI-2, FI-5; rule 10 of the house).

``fence`` and ``fenced`` put it between two lines, ``lined`` below one; which of them a tool uses, or why none, it declares as ``marking``.

What stands between the lines is data: the number of the lines is made anew for each answer, so whoever
wrote the text cannot have written a closing line in advance.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Literal

from crewlab.engine.texts import Texts
from crewlab.engine.tools.contract import ToolContext

Label = Literal["PAGE", "SCREEN", "RESULT", "DOCUMENT", "OUTPUT", "NOTES", "TEXT"]
"""What the text is: a page or document read for the agent (``PAGE``), the screen, a child's result, a canvas, a command's output,
what was written down or said earlier (``NOTES``), what a script gives a model to read (``TEXT``)."""

NUMBER_BYTES = 8  # BRW-55: 16 lower-case hex digits
NOTES_CHARS = 700  # OUT-61, BRW-59: set aside for the fence, the line above it and notes

SCRIPT_CHARS = 200_000  # OUT-55, OUT-62: what a script can hold


def fence(label: Label, text: str, texts: Texts, *, own: bool = False) -> str:
    """``text`` between ``<<<LABEL n`` and ``LABEL n>>>``, below one line that says that it is data and not instructions.

    ``own``: the agent itself wrote the text, and that line is left out (CNV-46).
    """
    number = secrets.token_hex(NUMBER_BYTES)
    above = "" if own else f"{texts('fence.data')}\n"
    return f"{above}<<<{label} {number}\n{text}\n{label} {number}>>>"


def standing(label: Label, text: str, texts: Texts, told: str) -> str:
    """The fence of what stands in every prompt: the same bytes as long as ``text`` is the same (TURN-70), below the sentence ``told``.

    The number is made from the text and stands nowhere in it, so no text can hold its own closing line.
    """
    number = ""
    while not number or number in text:
        number = hashlib.sha256(f"{label}\n{number}\n{text}".encode()).hexdigest()[: NUMBER_BYTES * 2]
    return f"{told}\n<<<{label} {number}\n{text}\n{label} {number}>>>"


def lined(words: str, text: str, texts: Texts) -> str:
    """``text`` below one line: ``words`` (the program's own, without a line break), and that what follows is data and not instructions.

    For text that must stay as it is, and whose form no fence may break.
    """
    return f"{words}{texts('fence.line')}\n{text}"


def ceiling_of(context: ToolContext) -> int:
    """What an answer that measures itself may take: the agent's ceiling, in a script at most what a script can hold (OUT-62)."""
    return min(context.output_chars, SCRIPT_CHARS) if context.in_script else context.output_chars


def room(ceiling: int) -> int:
    """How many characters of content an answer of at most ``ceiling`` can hold in a fence; 0 or less: no fence at all (BRW-60)."""
    return ceiling - NOTES_CHARS


def fenced(label: Label, text: str, ceiling: int, texts: Texts, *, head: str = "") -> str:
    """An answer of at most ``ceiling`` characters: ``head`` (the program's own words), then as much of ``text`` as fits in a fence.

    The text is cut from its end by characters and a line inside says how much of how much was kept (OUT-61). Where not even
    the fence fits, the answer says so and names ``tool_output_chars``; an opened fence is always closed.
    """
    holds = room(ceiling) - len(head)
    if holds < 1:
        return texts("fence.no_room", ceiling=ceiling)[:ceiling]
    if len(text) > holds:
        text = text[:holds] + "\n" + texts("fence.kept", kept=holds, total=len(text))
    body = fence(label, text, texts)
    return f"{head}\n{body}" if head else body

"""The part of a result below its head (DLG-41, DLG-42, DLG-45, FI-4). Pure.

What a child wrote is data: it stands in a fence whose number it cannot know, so none of its words can end it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from crewlab.engine.delegate.account import Account
from crewlab.engine.delegate.outcome import Ended
from crewlab.engine.delegate.result import FIELD_CHARS, more_line
from crewlab.engine.records import ToolCall
from crewlab.engine.texts import Texts
from crewlab.engine.tools.children import WrittenCanvas
from crewlab.engine.tools.fence import fenced, room
from crewlab.engine.tools.shown import clean_name

MAX_CALLS = 30  # DLG-42
MAX_ARGUMENTS = 12  # OUT-39


def body_of(of: Account, ended: Ended, canvases: Sequence[WrittenCanvas], ceiling: int, texts: Texts) -> str:
    """The body in at most ``ceiling`` characters, or a note alone where the words find no room."""
    lines = [texts("delegate.unfinished")] if ended.halfway else []
    if not of.words.strip():
        lines.append(texts("delegate.no_words"))
    above = more_line(canvases) + "\n".join(lines)
    data = "\n\n".join(part for part in (_calls(of.succeeded, texts) if ended.halfway else "", of.words) if part.strip())
    if not data:
        return above
    if room(ceiling) - len(above) < 1:
        return f"{above}\n{texts('delegate.no_room')}".lstrip("\n")
    return fenced("RESULT", data, ceiling, texts, head=above.rstrip("\n"))


def _calls(calls: Sequence[ToolCall], texts: Texts) -> str:
    if not calls:
        return texts("delegate.no_calls")
    lines = [texts("delegate.calls"), *(f"- {abbreviated(call)}" for call in calls[:MAX_CALLS])]
    if len(calls) > MAX_CALLS:
        lines.append(texts("delegate.more_calls", count=len(calls) - MAX_CALLS))
    return "\n".join(lines)


def abbreviated(call: ToolCall) -> str:
    """The name and the first twelve arguments, each cut at 160 characters (OUT-39)."""
    if isinstance(call.arguments, str):
        return f"{clean_name(call.name)}({call.arguments[:FIELD_CHARS]})"
    shown = [f"{name[:FIELD_CHARS]}={_value(value)}" for name, value in list(call.arguments.items())[:MAX_ARGUMENTS]]
    left = len(call.arguments) - MAX_ARGUMENTS
    return f"{clean_name(call.name)}({', '.join([*shown, f'…={left}'] if left > 0 else shown)})"


def _value(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= FIELD_CHARS else text[:FIELD_CHARS] + "…"

"""What a compaction keeps by itself, whatever a model writes: opening task, decisions, canvas tags (CMP-5). Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from crewlab.engine.records import Compaction, Message, ToolCall
from crewlab.engine.texts import Texts
from crewlab.engine.turn.trim import opens

CANVAS_TAG = re.compile(r"\[artifact (\S{1,80}) v(\d{1,9})\]")  # a fixed token of TURN-3
TASK_SHARE = 0.4  # of the room for facts
ASKED_CHARS = 200
CALL_CHARS = 120
PIECE_HEAD, PIECE_TAIL = 1_000, 500
NOT_RUN = frozenset({"refused", "denied", "expired", "unknown"})  # CTX-1: what a person or the gate decided, or nobody knows


def facts(replaced: Sequence[Message], held: Compaction | None, texts: Texts, limit: int) -> str:
    """Of all messages that are replaced: the opening task, canvas tags, calls decided against, what the person asked since.

    At most ``limit`` characters.
    """
    opening = next((message for message in replaced if opens(message)), None)
    lines = [texts("compact.task", text=_cut(opening.content, int(limit * TASK_SHARE)))] if opening else []
    tags = canvas_tags([held.text] if held else [], replaced)
    if tags:
        lines.append(texts("compact.canvases", tags=" ".join(tags)))
    asked = [message.content for message in replaced if message.role == "user" and message is not opening]
    last = [texts("compact.asked", text=_cut(" ".join(text.split()), ASKED_CHARS)) for text in asked]
    return _within([*lines, *decisions(replaced, texts)], last, limit)


def canvas_tags(texts: Iterable[str], messages: Iterable[Message]) -> list[str]:
    """The newest tag of every canvas, in the order of their first mention."""
    newest: dict[str, int] = {}
    for text in [*texts, *(message.content for message in messages)]:
        for name, version in CANVAS_TAG.findall(text):
            newest[name] = max(newest.get(name, 0), int(version))
    return [f"[artifact {name} v{version}]" for name, version in newest.items()]


def decisions(messages: Sequence[Message], texts: Texts) -> list[str]:
    """One line per call that a person or the gate decided against, or of which nobody knows whether it ran."""
    calls = {call.id: call for message in messages for call in message.tool_calls}
    lines = []
    for message in messages:
        outcome = (message.context or {}).get("outcome") if message.role == "tool" else None
        call = calls.get(message.tool_call_id or "")
        if outcome in NOT_RUN and call is not None:
            lines.append(texts("compact.decided", call=_said(call), outcome=outcome))
    return lines


def transcript(cut: Sequence[Message], earlier: str, texts: Texts, limit: int) -> str:
    """What the summariser reads: each message shortened, the middle left out when all of them are still too long."""
    pieces = [texts("compact.earlier", text=earlier)] if earlier else []
    for message in cut:
        said = " ".join(_said(call) for call in message.tool_calls)
        text = f"{message.content}\n{said}".strip()
        if text:
            pieces.append(f"<{message.role}>\n{_ends(text, PIECE_HEAD, PIECE_TAIL)}\n</{message.role}>")
    return _ends("\n".join(pieces), limit // 2, limit // 2)


def _said(call: ToolCall) -> str:
    arguments = call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
    return f"{call.name}({_cut(arguments, CALL_CHARS)})"


def _cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[: max(0, chars - 1)] + "…"


def _ends(text: str, head: int, tail: int) -> str:
    return text if len(text) <= head + tail else f"{text[:head]}\n…\n{text[-tail:]}"


def _within(lines: list[str], last: list[str], limit: int) -> str:
    """As many lines as fit; of ``last`` the newest."""
    kept: list[str] = []
    left = limit
    for line in lines:
        if len(line) + 1 <= left:
            kept.append(line)
            left -= len(line) + 1
    newest: list[str] = []
    for line in reversed(last):
        if len(line) + 1 > left:
            break
        newest.insert(0, line)
        left -= len(line) + 1
    return "\n".join([*kept, *newest])

"""The short prompt form: few words, few messages, always within the context of a small model (LOC-10, LOC-11)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from crewlab.engine.models.base import ChatMessage, ToolSpec
from crewlab.engine.models.calls import write_arguments
from crewlab.engine.texts import Texts

CONTEXT_TOKENS = 8_192
OUTPUT_TOKENS = 768
MARGIN_TOKENS = 128
BUDGET_TOKENS = CONTEXT_TOKENS - OUTPUT_TOKENS - MARGIN_TOKENS
BLOCK_TOKENS = BUDGET_TOKENS // 3  # what is dropped at once, so that the prompt's beginning stays the same for a while
MESSAGE_TOKENS = 8
ASCII_PER_TOKEN = 3
OTHER_PER_TOKEN = 0.5  # a small English vocabulary spends about two tokens on a letter with signs
MAX_DESCRIPTION_CHARS = 160

Written = dict[str, str]


@dataclass(frozen=True, slots=True)
class Shots:
    """Pairs of a question and its answer that show a tiny model how short to be."""

    pairs: tuple[tuple[str, str], ...] = ()

    def written(self) -> list[Written]:
        """As messages."""
        return [{"role": role, "content": text} for pair in self.pairs for role, text in zip(("user", "assistant"), pair, strict=True)]


def tokens(text: str) -> int:
    """A careful estimate, rather too many than too few."""
    plain = sum(char < "\x80" for char in text)
    return MESSAGE_TOKENS + int(plain / ASCII_PER_TOKEN + (len(text) - plain) / OTHER_PER_TOKEN)


def shots(texts: Texts, key: str) -> Shots:
    """The pairs of a text of the catalogue: lines in turns, question and answer."""
    lines = [line for line in texts(key).splitlines() if line.strip()]
    return Shots(tuple(zip(lines[::2], lines[1::2], strict=True)))


def tool_lines(tools: tuple[ToolSpec, ...], texts: Texts) -> str:
    """One line per tool."""
    return "\n".join(
        texts(
            "models.local_tool_line",
            name=tool.name,
            parameters=", ".join(tool.parameters.get("properties") or ()),
            description=" ".join(tool.description.split())[:MAX_DESCRIPTION_CHARS],
        )
        for tool in tools
    )


def history(messages: tuple[ChatMessage, ...], texts: Texts) -> list[Written]:
    """The messages as plain turns of two roles; calls and results become text, neighbours of one role one message."""
    written: list[Written] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        content = _content(message, texts)
        if not content.strip():
            continue
        if written and written[-1]["role"] == role:
            written[-1] = {"role": role, "content": f"{written[-1]['content']}\n\n{content}"}
        else:
            written.append({"role": role, "content": content})
    return written


def _content(message: ChatMessage, texts: Texts) -> str:
    if message.role == "tool":
        return texts("models.local_result", name=message.name or "", result=message.content)
    calls: list[str] = []
    for call in message.tool_calls:
        form: dict[str, Any] = {"tool": call.name, "args": write_arguments(call.arguments)}
        calls.append(json.dumps(form, ensure_ascii=False))
    return "\n".join([*([message.words] if message.words else []), *calls])


def fit(system: str, head: list[Written], turns: list[Written], budget: int = BUDGET_TOKENS) -> list[Written]:
    """The prompt within ``budget`` tokens: the oldest turns go first, in blocks; the last one is cut in its middle.

    Dropping in blocks keeps the beginning of the prompt the same over many turns, and what a small
    model has read once it need not read again.
    """
    fixed = tokens(system) + sum(tokens(message["content"]) for message in head)
    room = max(budget - fixed, budget // 4)
    sizes = [tokens(turn["content"]) for turn in turns]
    drop = 0
    block = min(BLOCK_TOKENS, room // 2)
    while sum(sizes) - drop > room:
        drop += block
    start, gone = 0, 0
    while start < len(turns) - 1 and (gone < drop or turns[start]["role"] != "user"):
        gone += sizes[start]
        start += 1
    kept = [dict(turn) for turn in turns[start:]]
    if kept:
        spare = room - sum(sizes[start:-1])
        kept[-1]["content"] = _cut(kept[-1]["content"], max(spare, room // 2))
    return [*([{"role": "system", "content": system}] if system else []), *head, *kept]


def _cut(text: str, room: int) -> str:
    """``text`` with its middle left out so that it takes about ``room`` tokens."""
    while tokens(text) > room and len(text) > MESSAGE_TOKENS:
        keep = max(int(len(text) * room / tokens(text) * 0.48), 2)
        if 2 * keep >= len(text):
            break
        text = f"{text[:keep]}\n…\n{text[-keep:]}"
    return text

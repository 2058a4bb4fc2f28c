"""How much of a model's window a turn takes: windows and estimates of tokens (CMP-1, CMP-2). Pure but for asking the chain."""

from __future__ import annotations

import json
from collections.abc import Iterable

from crewlab.engine.models.chain import ProviderChain
from crewlab.engine.records import Compaction, Message
from crewlab.engine.turn.trim import size_of
from crewlab.engine.turn.turn import Turn

DEFAULT_WINDOW = 128_000  # CMP-1: tokens of a model whose window nobody has told
OLLAMA_WINDOW = 32_768  # CMP-1: what a server at home is often started with
CHARS_PER_TOKEN = 4  # CMP-2


async def window_of(chain: ProviderChain) -> int:
    """The window of the chain's first route in tokens."""
    told = await chain.window()
    if told is not None:
        return told
    return OLLAMA_WINDOW if chain.routes[0].provider == "ollama" else DEFAULT_WINDOW


def tokens_of(chars: int) -> int:
    """An estimate; the figures of providers replace it as soon as there is one."""
    return -(-chars // CHARS_PER_TOKEN)


def tool_tokens(turn: Turn) -> int:
    """What the declared tools take; counted once a turn."""
    if turn.tool_tokens is None:
        chars = sum(len(spec.name) + len(spec.description) + len(json.dumps(spec.parameters)) for spec in turn.specs)
        turn.tool_tokens = tokens_of(chars)
    return turn.tool_tokens


def base_tokens(turn: Turn) -> int:
    """System prompt and tools: what every request of the turn begins with."""
    return tokens_of(len(turn.system)) + tool_tokens(turn)


def visible(messages: Iterable[Message], held: Compaction | None) -> list[Message]:
    """The messages that the model still reads themselves."""
    return [message for message in messages if held is None or message.seq > held.through_seq]


def used_tokens(turn: Turn) -> int:
    """What the next request takes: the provider's last figure and what came since, else an estimate of everything."""
    held = turn.messages.compaction
    since = 0
    for message in reversed(turn.messages.stored):
        if held is not None and message.seq <= held.at_seq:
            break  # figures from before the compaction are of another request
        if message.role == "assistant" and message.prompt_tokens:
            return message.prompt_tokens + (message.completion_tokens or tokens_of(size_of(message))) + tokens_of(since)
        since += size_of(message)
    chars = sum(size_of(message) for message in visible(turn.messages.stored, held)) + (len(held.text) if held else 0)
    return base_tokens(turn) + tokens_of(chars)

"""A request that its server called too long: one compaction, one more try, then the sizes (CMP-9 to CMP-11)."""

from __future__ import annotations

from crewlab.engine.models.base import RoutesFailed
from crewlab.engine.models.overflow import UNSAID
from crewlab.engine.records import Message
from crewlab.engine.turn.ask import ask, chain_of
from crewlab.engine.turn.budget import base_tokens, tokens_of, tool_tokens, used_tokens, window_of
from crewlab.engine.turn.compact import WORTH, PromptTooLarge, compact, cut_of
from crewlab.engine.turn.trim import size_of
from crewlab.engine.turn.turn import Parts, Turn

BYTES_PER_TOKEN = 3  # CMP-10: a request is at most so many tokens, in any script


async def ask_in_window(parts: Parts, turn: Turn) -> Message:
    """Ask the chain; a request that was too long is compacted and asked once more.

    Raises as ``ask``; ``RoutesFailed`` too when nothing could be freed, so that no request is sent twice as it is.
    """
    try:
        return await ask(parts, turn)
    except RoutesFailed as error:
        if not await is_too_long(parts, turn, error) or not await shrink(parts, turn, error):
            raise
    return await ask(parts, turn)


async def is_too_long(parts: Parts, turn: Turn, error: RoutesFailed) -> bool:
    """Whether a route said so, or refused without a word a request that cannot fit (CMP-9, CMP-10)."""
    if any(failure.too_long for failure in error.errors):
        return True
    if not any(failure.status in UNSAID for failure in error.errors):
        return False
    return bytes_of(turn) > BYTES_PER_TOKEN * await window_of(await chain_of(parts, turn))


def bytes_of(turn: Turn) -> int:
    """The bytes of the next request's words; three of them are at most about one token in any script."""
    said = sum(len(message.content.encode()) for message in turn.messages.arranged())
    return len(turn.system.encode()) + said + tool_tokens(turn) * BYTES_PER_TOKEN


async def shrink(parts: Parts, turn: Turn, error: RoutesFailed) -> bool:
    """Compact the conversation to what the server can read; ``False`` when it was done in this turn, or would free nothing (CMP-7)."""
    chain = await chain_of(parts, turn)
    if chain.small or any(step.kind == "compaction" for step in turn.run.steps):
        return False
    used = used_tokens(turn)
    limits = [failure.limit for failure in error.errors if failure.limit]
    window = min(used, await window_of(chain), *limits)
    room = max(0, window - base_tokens(turn))  # what instructions and tools leave to the conversation
    cut = cut_of(turn.messages.stored, turn.messages.compaction, room)
    if tokens_of(sum(map(size_of, cut))) < WORTH * window:
        return False
    await compact(parts, turn, cut, used, room)
    return True


async def explained(parts: Parts, turn: Turn, error: RoutesFailed) -> RoutesFailed | PromptTooLarge:
    """What to tell the person when nothing helped: for a request that was too long, what takes the room."""
    if not await is_too_long(parts, turn, error):
        return error
    total, tools = used_tokens(turn), tool_tokens(turn)
    system = base_tokens(turn) - tools
    compacted = any(step.kind == "compaction" for step in turn.run.steps)
    sizes = {"system": system, "tools": tools, "messages": max(0, total - system - tools), "total": total}
    done = parts.texts("compact.was_compacted" if compacted else "compact.nothing_to_free")
    return PromptTooLarge(parts.texts("compact.refused", lines="\n".join(error.lines), done=done, **sizes))

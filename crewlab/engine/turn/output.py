"""What a result becomes before a model reads it: kept in a file, and shortened in one of three ways (OUT-1, OUT-7, OUT-43)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from crewlab.engine.models.base import ChatMessage, ChatRequest, NoRoute, RoutesFailed, StreamBroken
from crewlab.engine.store.conversations import Charge
from crewlab.engine.texts import Texts
from crewlab.engine.tools import spill
from crewlab.engine.tools.call import Ran
from crewlab.engine.tools.ceiling import ASIDE_CHARS, Shortened, fit, with_pointer
from crewlab.engine.tools.contract import Tool, ToolContext
from crewlab.engine.tools.shown import grouped
from crewlab.engine.tools.summary import question, split
from crewlab.engine.turn.side import charge_of, side_chain
from crewlab.engine.turn.turn import Parts, Turn

SUMMARY_SECONDS = 30.0  # OUT-32
PORTAL_KEPT_CHARS = 4_000  # PTL-53
READER = "tool_output_read"  # OUT-43

log = logging.getLogger(__name__)


async def limited(parts: Parts, turn: Turn, tool: Tool, ran: Ran, context: ToolContext) -> Shortened:
    """The result as the model reads it. A used summary adds its price to ``context.charges`` (OUT-25).

    Never fails: what cannot be kept or summarised is cut (OUT-8, OUT-27, OUT-47). Only cancellation comes out.
    """
    text, limit = ran.text, turn.agent.tool_output_chars
    whole = Shortened(text, None, len(text))
    if tool.keeps_ceiling and ran.ok and not ran.hooked:
        return whole
    over = len(text) > limit
    if not over and not (ran.ok and turn.agent.toolset == "portal" and len(text) > PORTAL_KEPT_CHARS):
        return whole
    pointer = await _keep(parts, turn, context.call_id, text)
    if not over:
        return await _aside(with_pointer, text, limit, parts, pointer) if pointer else whole
    told = await _summary(parts, turn, text, pointer, context)
    return told if told is not None else await _aside(fit, text, limit, parts, pointer)


async def _aside(way: Callable[[str, int, Texts, str], Shortened], text: str, limit: int, parts: Parts, pointer: str) -> Shortened:
    """``way``, for a long text in a thread."""
    if len(text) <= ASIDE_CHARS:
        return way(text, limit, parts.texts, pointer)
    return await asyncio.to_thread(way, text, limit, parts.texts, pointer)


async def _keep(parts: Parts, turn: Turn, call_id: str, text: str) -> str:
    """Keep the whole text where the agent can read it back; the pointer line, empty when it is not kept (OUT-45 to OUT-47)."""
    if turn.registry.get(READER) is None or not turn.conversation_id or not spill.can_name(call_id):
        return ""
    try:
        kept = await keep_whole(parts, turn.conversation_id, call_id, text)
    except OSError as error:
        log.warning("the whole output of call %s was not kept: %s", call_id, error)
        return ""
    key = "output.pointer" if kept.chars == kept.total else "output.pointer_partly"
    texts = parts.texts
    return texts(key, total=grouped(kept.total, texts), kept=grouped(kept.chars, texts), id=call_id)


async def keep_whole(parts: Parts, conversation_id: str, call_id: str, text: str) -> spill.Kept:
    """Write it for ``tool_output_read``. Raises ``OSError``.

    The thread that writes goes on when the turn is cancelled, and nothing stays for a conversation that is deleted meanwhile.
    """
    writing = asyncio.ensure_future(asyncio.to_thread(spill.keep, parts.home, conversation_id, call_id, text))
    writing.add_done_callback(lambda _: _forget_if_deleted(parts, conversation_id))
    return await asyncio.shield(writing)


def _forget_if_deleted(parts: Parts, conversation_id: str) -> None:
    """What was written while its conversation was being deleted goes as well (OUT-48)."""
    if not parts.hub.going_down and parts.store.conversations.get(conversation_id) is None:
        spill.forget(parts.home, conversation_id)


async def _summary(parts: Parts, turn: Turn, text: str, pointer: str, context: ToolContext) -> Shortened | None:
    """The ``summary`` way; ``None`` wherever a plain cut is to be made (OUT-27, OUT-29, OUT-32)."""
    parted = split(text, turn.agent.tool_output_chars, parts.texts, pointer)
    if parted is None or turn.stop is not None or _is_spent(parts, turn, context):
        return None
    system, message = question(parted, parts.texts)
    try:
        async with asyncio.timeout(SUMMARY_SECONDS):
            side = await side_chain(parts, turn.agent, turn.conversation_id)
            if not side.chain.writes_aside:
                return None
            completion = await side.ask("tool_summary", ChatRequest(system, (ChatMessage("user", message),)))
    except (NoRoute, RoutesFailed, StreamBroken, TimeoutError) as error:
        log.info("no summary of a long output: %r", error)
        return None
    except Exception:  # a fault of a provider: the tool has answered, and what it said is not lost for it (OUT-27)
        log.exception("the summary of a long output failed")
        return None
    summary = completion.text.strip()
    if not summary:
        return None
    context.charges.append(charge_of(side.calls))
    return Shortened(parted.text(summary), "summary", len(text))


def _is_spent(parts: Parts, turn: Turn, context: ToolContext) -> bool:
    """Whether the conversation has reached its cap with what the call has cost so far (OUT-32)."""
    conversation = parts.store.conversations.get(turn.conversation_id)
    spent = sum(context.charges, Charge()).usd
    return conversation is None or 0 < conversation.cost_cap_usd <= conversation.spent_usd + spent

"""Keeping a turn within its model's window (CMP-1 to CMP-8): refusal at the start, one compaction per turn.

The store keeps every message; a compaction is a row of its own that the model reads in place of the older ones.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from crewlab.engine.events import Compacted
from crewlab.engine.models.base import ChatMessage, ChatRequest, RoutesFailed, StreamBroken
from crewlab.engine.models.metered import MeteredChain, SideCall
from crewlab.engine.records import Compaction, Message
from crewlab.engine.store.conversations import Charge
from crewlab.engine.turn import steps
from crewlab.engine.turn.ask import chain_of
from crewlab.engine.turn.budget import CHARS_PER_TOKEN, base_tokens, tokens_of, tool_tokens, used_tokens, visible, window_of
from crewlab.engine.turn.digest import facts, transcript
from crewlab.engine.turn.history import open_calls
from crewlab.engine.turn.side import charge_of, side_chain
from crewlab.engine.turn.trim import opens, size_of
from crewlab.engine.turn.turn import Parts, Turn

NEAR = 0.8  # CMP-4: the share of the window from which a conversation is compacted
KEPT = 0.3  # CMP-4: the share that the newest messages may keep
TOLD = 0.1  # CMP-5: the share that each of the facts and the summary in words may take
WORTH = 0.1  # CMP-7: what a compaction must free
TOLD_CHARS = 8_000  # CMP-5: and never more than this
SECONDS = 120.0  # CMP-5
UNCHECKED_TOKENS = 4_000  # no model is asked for its window for less

log = logging.getLogger(__name__)


class PromptTooLarge(Exception):
    """The request of the turn cannot fit the model's window (CMP-3); the message is for people and names the sizes."""


async def fit(parts: Parts, turn: Turn) -> None:
    """Make sure that the next request fits: refuse, compact, or leave everything as it is.

    Raises ``PromptTooLarge`` and ``NoRoute``. A small model fits its prompt itself (LOC-11).
    """
    chain = await chain_of(parts, turn)
    used = used_tokens(turn)
    if chain.small or (used < UNCHECKED_TOKENS and not chain.declares_window):
        return
    window = await window_of(chain)
    if steps.model_calls(turn.run) == 0:
        _refuse_too_large(parts, turn, str(chain.routes[0]), window)
    if used <= NEAR * window or any(step.kind == "compaction" for step in turn.run.steps):
        return
    cut = cut_of(turn.messages.stored, turn.messages.compaction, window)
    if cut:
        await compact(parts, turn, cut, used, window)


def _refuse_too_large(parts: Parts, turn: Turn, route: str, window: int) -> None:
    opening = next((message for message in reversed(turn.messages.stored) if opens(message)), None)
    message = tokens_of(size_of(opening)) if opening is not None else 0
    total = base_tokens(turn) + message
    if total > window:
        tools = tool_tokens(turn)
        sizes = {"system": total - message - tools, "tools": tools, "message": message, "total": total}
        raise PromptTooLarge(parts.texts("compact.too_large", route=route, window=window, **sizes))


def cut_of(messages: Sequence[Message], held: Compaction | None, window: int) -> list[Message]:
    """The messages that a compaction would replace beyond those replaced before; empty when it would free too little.

    The newest stay, as many as take 30 % of the window; a call is never parted from its result, and an open call stays.
    """
    seen = visible(messages, held)
    room = int(KEPT * window) * CHARS_PER_TOKEN
    border = len(seen) - 1
    chars = size_of(seen[border]) if seen else 0
    while border > 0 and chars + size_of(seen[border - 1]) <= room:
        border -= 1
        chars += size_of(seen[border])
    while border > 0 and (seen[border].role == "tool" or open_calls(seen[:border])):
        border -= 1
    cut = seen[:border]
    freed = tokens_of(sum(size_of(message) for message in cut)) - 2 * min(int(TOLD * window), TOLD_CHARS // CHARS_PER_TOKEN)
    return cut if freed >= WORTH * window else []


async def compact(parts: Parts, turn: Turn, cut: list[Message], used: int, window: int) -> None:
    """Replace the messages of ``cut`` by a summary, in one commit with its money (CMP-5, CMP-6)."""

    def paid(call: SideCall) -> None:
        """The call and its step end in the commit of its row, so that a start after a cut does not count it again (DUR-1)."""
        charge = charge_of(side.calls)
        cost = None if charge.unknown else charge.usd
        steps.end(step, _ms(parts, started), cost_usd=cost, cost_estimated=bool(charge.estimated) or None)
        _pay(parts, turn, charge_of((call,)))

    side = await side_chain(parts, turn.agent, turn.conversation_id, paid=paid)
    step = steps.begin(turn.run, parts.clock, "compaction", route=str(side.chain.routes[0]))
    started = parts.clock.monotonic()
    turn.save(parts)
    limit = min(int(TOLD * window) * CHARS_PER_TOKEN, TOLD_CHARS)
    try:
        words = await _words(parts, turn, side, cut, limit, window)
    except asyncio.CancelledError:
        if step.status == "running":  # cut before an answer began: nothing to pay
            steps.end(step, _ms(parts, started), "error")
        raise
    replaced = [message for message in turn.messages.stored if message.seq <= cut[-1].seq]
    told = facts(replaced, turn.messages.compaction, parts.texts, limit)
    text = parts.texts("compact.summary", facts=told, words=words)
    before = sum(size_of(message) for message in cut) + (len(turn.messages.compaction.text) if turn.messages.compaction else 0)
    after = max(0, used - tokens_of(before)) + tokens_of(len(text))
    steps.end(step, _ms(parts, started), text=parts.texts("compact.step", before=used, after=after))
    seqs = (cut[-1].seq, turn.messages.stored[-1].seq)
    with parts.store.transaction():
        compaction = parts.store.compactions.add(turn.conversation_id, turn.run.id, seqs, text, (used, after), parts.now())
        parts.store.conversations.touch(turn.conversation_id, parts.now())
        parts.store.runs.save(turn.run)
    turn.messages.compact(compaction)
    parts.hub.run(turn.run)
    turn.emit(parts, Compacted(compaction=compaction))


def _ms(parts: Parts, started: float) -> int:
    return round((parts.clock.monotonic() - started) * 1000)


def _pay(parts: Parts, turn: Turn, charge: Charge) -> None:
    """Add the money to the run and the conversation, in the transaction of what it was spent on (DB-9)."""
    run = turn.run
    run.cost_usd += charge.usd
    run.unknown_cost_calls += charge.unknown
    run.estimated_cost_calls += charge.estimated
    parts.store.conversations.charge(turn.conversation_id, charge, parts.now())
    parts.store.runs.save(run)


async def _words(parts: Parts, turn: Turn, side: MeteredChain, cut: list[Message], limit: int, window: int) -> str:
    """The summary in words by a side call; when no model gives one, the earlier one stands beside the facts (CMP-5)."""
    earlier = turn.messages.compaction.text if turn.messages.compaction else ""
    text = transcript(cut, earlier, parts.texts, int(window * KEPT) * CHARS_PER_TOKEN)
    system = parts.texts("compact.system", words=limit // 8)
    words = ""
    try:
        async with asyncio.timeout(SECONDS):
            words = (await side.ask("compaction", ChatRequest(system, (ChatMessage("user", text),)))).text.strip()
    except (RoutesFailed, StreamBroken, TimeoutError) as error:
        log.warning("no summary in words of %s: %s", turn.conversation_id, error)
    words = words or earlier or parts.texts("compact.no_words")
    return words if len(words) <= limit else words[: limit - 1] + "…"

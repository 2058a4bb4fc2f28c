"""What a child left behind, read from the store: its run, its words, its calls, its money (DLG-41, DLG-66)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crewlab.engine.records import Message, Run, ToolCall
from crewlab.engine.store.children import Decided
from crewlab.engine.store.conversations import Charge
from crewlab.engine.store.slices import messages_of
from crewlab.engine.store.store import Store
from crewlab.engine.tools.children import Begun


@dataclass(frozen=True, slots=True)
class Account:
    """What there is of a child. ``whole``: its words were not cut off by a stop or a failure."""

    run: Run | None
    last: Decided | None
    words: str
    whole: bool
    succeeded: Sequence[ToolCall]
    charge: Charge


def account(store: Store, child: Begun) -> Account:
    """The child as it stands now."""
    run = store.runs.get(child.run_id)
    messages = messages_of(store.db, run)[0] if run else []
    said = next((m for m in reversed(messages) if m.role == "assistant" and m.content.strip()), None)
    partial = said is not None and bool((said.context or {}).get("partial"))
    words = said.content if said else ""
    return Account(
        run, store.children.last_decided(child.conversation_id), words, not partial, _succeeded(messages), _charge(store, child, run)
    )


def _succeeded(messages: Sequence[Message]) -> list[ToolCall]:
    """The calls whose result is no error, in order."""
    good = {m.tool_call_id for m in messages if m.role == "tool" and (m.context or {}).get("outcome", "ok") == "ok"}
    return [call for message in messages for call in message.tool_calls if call.id in good]


def _charge(store: Store, child: Begun, run: Run | None) -> Charge:
    """All that the child's conversation has cost; of a deleted one what its run knows."""
    conversation = store.conversations.get(child.conversation_id)
    source = conversation or run
    if source is None:
        return Charge(child=True)
    usd = conversation.spent_usd if conversation else run.cost_usd if run else 0.0
    return Charge(usd, source.unknown_cost_calls, source.estimated_cost_calls, usd, child=True)

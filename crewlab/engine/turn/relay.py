"""Handing a child's answer to the person word for word, in place of another model call (DLG-74 to DLG-79)."""

from __future__ import annotations

from crewlab.engine.records import Message
from crewlab.engine.store.children import is_child
from crewlab.engine.tools.contract import Handover
from crewlab.engine.turn import steps
from crewlab.engine.turn.turn import Parts, Turn


def may_relay(parts: Parts, turn: Turn) -> bool:
    """The turn's side of the conditions of DLG-75; the tool that offers the answer has seen to the others."""
    if not turn.agent.master or is_child(turn.run.source):
        return False
    said = [m for m in turn.messages.stored if m.seq > (turn.run.after_seq or 0) and m.role != "tool"]
    asked = [m for m in said if m.role == "assistant"]
    steered = any((m.context or {}).get("steer") for m in said) or parts.store.queue.waiting(turn.conversation_id, "steer")
    alone = len(asked) == 1 and len(asked[0].tool_calls) == 1 and not asked[0].content.strip()
    return alone and not steered


def write(parts: Parts, turn: Turn, answer: Handover, now: str) -> Message:
    """Store the answer and the end of the turn; within the commit of the call's result (DLG-77, DLG-78)."""
    turn.run.relayed_from = answer.agent_id
    steps.finish(turn.run, "done", answer.text, now)
    context = {"relayed_from": answer.agent_id}
    return parts.store.messages.append(turn.conversation_id, "assistant", answer.text, now, context=context)

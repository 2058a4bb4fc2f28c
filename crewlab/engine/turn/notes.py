"""Progress notes: a call that is a line of the run and not a piece of work (GATE-95 to GATE-99)."""

from __future__ import annotations

from crewlab.engine.events import Note
from crewlab.engine.records import ToolCall
from crewlab.engine.turn import steps
from crewlab.engine.turn.turn import Parts, Turn

NOTE_CHARS = 200  # GATE-96, GATE-98


def is_note(turn: Turn, call: ToolCall) -> bool:
    """Whether the call is a progress note the turn holds, with a text; one that is wrongly formed is answered like any wrong call."""
    tool = turn.registry.get(call.name)
    if tool is None or tool.step != "note" or not isinstance(call.arguments, dict):
        return False
    return set(call.arguments) == {"text"} and isinstance(call.arguments["text"], str)


def words(text: str) -> str:
    """One line of at most 200 characters (GATE-98)."""
    return " ".join(text.split())[:NOTE_CHARS].rstrip()


def take(parts: Parts, turn: Turn, call: ToolCall) -> None:
    """Add the step of the note and store the fixed answer, in one commit; an empty text adds no step (GATE-97, GATE-98)."""
    text = words(call.arguments["text"]) if isinstance(call.arguments, dict) else ""
    if text:
        steps.end(steps.begin(turn.run, parts.clock, "note", text=text), None)
    with parts.store.transaction():
        message = parts.store.messages.append(
            turn.conversation_id, "tool", parts.texts("output.noted"), parts.now(), tool_call_id=call.id, name=call.name
        )
        parts.store.runs.save(turn.run)
    turn.messages.append(message)
    parts.hub.run(turn.run)
    if text:
        turn.emit(parts, Note(text=text))

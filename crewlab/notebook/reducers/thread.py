"""Stored messages as things of the thread; mirrors ``labextension/src/shared/thread.ts``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

Item = dict[str, Any]

NOTE = "progress_note"  # GATE-97
NOTE_CHARS = 200  # GATE-98
PARALLEL = "delegate"  # TURN-26: the only built-in tool whose calls run at the same time


def new_tool(items: Sequence[Item], call_id: str, name: str, arguments: Any, state: str) -> Item:
    """A call that has not ended."""
    return {
        "kind": "tool",
        "key": _tool_key(items, call_id),
        "tool_call_id": call_id,
        "name": name,
        "arguments": arguments,
        "state": state,
        "output": None,
        "ms": None,
        "cost_usd": None,
        "shortened": None,
        "original_chars": None,
        "received_chars": None,
        "printed_chars": None,
        "calls": [],
        "next_index": 0,
        "stream": "",
    }


def tool_place(items: Sequence[Item], call_id: str) -> int:
    """Place of the newest call with this id, or -1: providers may give an id again in a later turn."""
    for place in range(len(items) - 1, -1, -1):
        if items[place]["kind"] == "tool" and items[place]["tool_call_id"] == call_id:
            return place
    return -1


def held_call(approval: Item) -> str:
    """The call that a request holds up: of a question inside a kernel cell that is the cell's (EVAL-30)."""
    return str(approval["call_id"] if approval["nested_in"] is None else approval["nested_in"])


def user_item(
    message_id: int | None,
    key: str,
    text: str,
    created_at: str | None,
    steered: bool,
    *,
    typed: str | None = None,
    files: Sequence[Item] = (),
) -> Item:
    """A message a person sent; ``typed`` is what they wrote where a command of a kit wrote the text."""
    return {
        "kind": "user",
        "key": key,
        "message_id": message_id,
        "text": text,
        "created_at": created_at,
        "steered": steered,
        "sending": False,
        "typed": typed,
        "files": list(files),
    }


def user_of(message: Item) -> Item:
    """A stored message of a person."""
    context = message["context"] or {}
    return user_item(
        message["id"],
        f"m{message['id']}",
        message["content"],
        message["created_at"],
        context.get("steer") is True,
        typed=(context.get("command") or {}).get("typed"),
        files=context.get("attachments") or [],
    )


def renewed(items: Sequence[Item], message: Item) -> list[Item] | None:
    """The thread with this message of a person as it is stored; ``None`` when it is not in there."""
    known = [item["kind"] == "user" and item["message_id"] == message["id"] for item in items]
    return [user_of(message) if same else item for same, item in zip(known, items, strict=True)] if any(known) else None


def steer_item(event: Item) -> Item:
    """Words that were inserted into the running turn."""
    typed, files = event.get("typed"), event.get("attachments") or []
    return user_item(event["message_id"], f"m{event['message_id']}", event["text"], None, True, typed=typed, files=files)


def compacted_item(compaction: Item) -> Item:
    """The line where the model began to read a summary in place of what stands above (CMP-8)."""
    figures = {name: compaction[name] for name in ("tokens_before", "tokens_after", "text")}
    return {"kind": "compacted", "key": f"k{compaction['id']}", **figures}


def show_messages(conversation: Item, running: bool) -> list[Item]:
    """The stored thread, with the state of calls that have no result yet."""
    items: list[Item] = []
    compactions = list(conversation["compactions"])
    for message in conversation["messages"]:
        context = message["context"] or {}
        if message["role"] == "user":
            items.append(user_of(message))
        elif message["role"] == "assistant":
            _add_answer(items, message, context)
        elif message["role"] == "tool":
            _add_result(items, message, context)
        while compactions and compactions[0]["at_seq"] <= message["seq"]:
            items.append(compacted_item(compactions.pop(0)))
    return _settle(items, conversation, running)


def _add_answer(items: list[Item], message: Item, context: Item) -> None:
    if message["content"] != "" or not message["tool_calls"]:
        partial = context.get("partial")
        items.append(
            {
                "kind": "answer",
                "key": f"m{message['id']}",
                "message_id": message["id"],
                "text": message["content"],
                "model": message["model"],
                "cost_usd": message["cost_usd"],
                "created_at": message["created_at"],
                "partial": partial if partial in ("error", "stopped") else None,
                "streaming": False,
                "relayed_from": relayed if isinstance(relayed := context.get("relayed_from"), str) else None,
            }
        )
    for call in message["tool_calls"]:
        items.append(new_tool(items, call["id"], call["name"], call["arguments"], "open"))


def _add_result(items: list[Item], message: Item, context: Item) -> None:
    call_id = message["tool_call_id"] or ""
    place = tool_place(items, call_id)
    known = place >= 0 and items[place]["output"] is None
    before = items[place] if known else new_tool(items, call_id, message["name"] or "", {}, "open")
    if message["name"] == NOTE and context.get("outcome") is None:
        return _take_note(items, before, place if known else len(items))
    calls = context.get("calls")
    calls = calls if isinstance(calls, list) else []
    after = {
        **before,
        "state": state_of(context.get("outcome")),
        "output": message["content"],
        "cost_usd": message["cost_usd"],
        "received_chars": _number_of(context.get("received_chars")),
        "printed_chars": _number_of(context.get("printed_chars")),
        "calls": calls,
        "next_index": len(calls),
    }
    if known:
        items[place] = after
    else:
        items.append(after)


def _take_note(items: list[Item], call: Item, place: int) -> None:
    """A progress note is a line and no call; an empty one is nothing (GATE-97, GATE-98)."""
    said = call["arguments"].get("text") if isinstance(call["arguments"], dict) else None
    text = " ".join(said.split())[:NOTE_CHARS].rstrip() if isinstance(said, str) else ""
    items[place : place + 1] = [{"kind": "note", "key": call["key"], "text": text}] if text else []


def state_of(outcome: object) -> str:
    """How a stored call ended (CTX-1)."""
    if outcome in ("error", "unknown"):
        return "error"
    return outcome if isinstance(outcome, str) and outcome in ("refused", "denied", "expired") else "done"


def _settle(items: list[Item], conversation: Item, running: bool) -> list[Item]:
    """Calls without a result: what waits, what runs, and what nobody works on any more."""
    pending = conversation["pending"]
    waiting = held_call(pending) if pending else None
    working = _running_calls(conversation["messages"]) if running else set()
    settled = []
    for item in items:
        if item["kind"] == "tool" and item["output"] is None:
            call_id = item["tool_call_id"]
            state = "waiting" if call_id == waiting else "running" if call_id in working else item["state"]
            item = {**item, "state": state}
        settled.append(item)
    return settled


def _running_calls(messages: Sequence[Item]) -> set[str]:
    """The first call of the last answer that has no result, and those that run beside it (TURN-26)."""
    last = next((place for place in range(len(messages) - 1, -1, -1) if messages[place]["role"] == "assistant"), -1)
    if last < 0:
        return set()
    ended = {message["tool_call_id"] for message in messages[last + 1 :]}
    unended = [call for call in messages[last]["tool_calls"] if call["id"] not in ended]
    alone = next((place for place, call in enumerate(unended) if call["name"] != PARALLEL), len(unended))
    return {call["id"] for call in unended[: max(alone, 1)]}


def _tool_key(items: Sequence[Item], call_id: str) -> str:
    same = sum(1 for item in items if item["kind"] == "tool" and item["tool_call_id"] == call_id)
    return f"t{call_id}" if same == 0 else f"t{call_id}:{same + 1}"


def _number_of(value: object) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None

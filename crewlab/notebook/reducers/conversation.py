"""From the events of one conversation to what is drawn (UI-2, TURN-40); mirrors ``labextension/src/shared/conversation.ts``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from crewlab.notebook.reducers import thread

View = dict[str, Any]
Event = dict[str, Any]

_ELSEWHERE = ("messages", "compactions", "queued", "tasks", "pending")  # parts the view holds in places of their own
_RESULT = ("output", "ms", "cost_usd", "shortened", "original_chars", "received_chars", "printed_chars", "calls")


def empty_conversation() -> View:
    """The view before anything is known."""
    return {
        "conversation": None,
        "items": [],
        "queued": [],
        "tasks": [],
        "pending": None,
        "running": False,
        "thinking": False,
        "end": None,
        "spent_usd": 0,
        "unknown_cost_calls": 0,
        "estimated_cost_calls": 0,
    }


def show_conversation(conversation: dict[str, Any], running: bool) -> View:
    """The view of a stored conversation."""
    return {
        **empty_conversation(),
        "conversation": {name: value for name, value in conversation.items() if name not in _ELSEWHERE},
        "items": thread.show_messages(conversation, running),
        "queued": conversation["queued"],
        "tasks": conversation["tasks"],
        "pending": conversation["pending"],
        "running": running,
        "spent_usd": conversation["spent_usd"],
        "unknown_cost_calls": conversation["unknown_cost_calls"],
        "estimated_cost_calls": conversation["estimated_cost_calls"],
    }


def reduce_conversation(view: View, event: Event) -> View:
    """The view after one more event; an event that is not known changes nothing (UI-111)."""
    handle = _HANDLERS.get(event["type"])
    if handle is None:
        return view
    after = handle(view, event)
    thinking = event["type"] == "thinking" or (event["type"] == "queued" and after["thinking"])  # UI-27
    return after if after["thinking"] == thinking else {**after, "thinking": thinking}


def keep_end(before: View, after: View) -> View:
    """``after`` with how the last turn ended, which a ``watching`` outside a turn forgets, while the thread ends with that turn."""
    same = _id_of(before) == _id_of(after) and _last_user(before) == _last_user(after)
    kept = same and before["end"] and not after["end"] and not after["running"] and not after["pending"]
    return {**after, "end": before["end"]} if kept else after


def add_sent(view: View, message_id: int, text: str) -> View:
    """A message of this side whose turn has begun; nothing when the thread has it already."""
    if any(item["kind"] == "user" and item["message_id"] == message_id for item in view["items"]):
        return view
    return {**view, "end": None, "items": [*view["items"], thread.user_item(message_id, f"m{message_id}", text, None, False)]}


def add_queued(view: View, item: dict[str, Any]) -> View:
    """A chip with its words; the event ``queued`` has none (UI-42)."""
    known = any(one["item_id"] == item["item_id"] for one in view["queued"])
    queued = [item if one["item_id"] == item["item_id"] else one for one in view["queued"]]
    return {**view, "queued": queued if known else [*queued, item]}


def _watching(view: View, event: Event) -> View:
    return show_conversation(event["conversation"], event["running"])


def _queued(view: View, event: Event) -> View:
    if any(one["item_id"] == event["item_id"] for one in view["queued"]):
        return view
    chip = {name: event[name] for name in ("item_id", "kind", "position")}
    return add_queued(view, {**chip, "text": "", "created_at": "", "attachments": []})


def _working(view: View) -> View:
    """Something of a turn was heard, so one runs."""
    return view if view["running"] and view["end"] is None else {**view, "running": True, "end": None}


def _opened(view: View, event: Event) -> View:
    """A turn has begun: its message joins the thread once, its chips go (WIRE-14)."""
    left = [one for one in view["queued"] if one["item_id"] not in event["item_ids"]]
    queued = [{**one, "position": place} for place, one in enumerate(left, start=1)]
    head = {name: value for name, value in event["conversation"].items() if name not in _ELSEWHERE}
    after = {**view, "conversation": head, "queued": queued, "running": True, "pending": None, "end": None}
    message = event["message"]
    if message is None:
        return after
    items = thread.renewed(view["items"], message)  # this side sent it: now it is told as it was stored
    return _push(after, thread.user_of(message)) if items is None else {**after, "items": items}


def _text_delta(view: View, event: Event) -> View:
    items = view["items"]
    if items and items[-1]["kind"] == "answer" and items[-1]["streaming"]:
        return _working({**view, "items": [*items[:-1], {**items[-1], "text": items[-1]["text"] + event["text"]}]})
    answer = {"kind": "answer", "key": _live_key(view), "message_id": None, "text": event["text"], "model": None, "cost_usd": None}
    answer["relayed_from"] = None
    return _working({**view, "items": [*items, {**answer, "created_at": None, "partial": None, "streaming": True}]})


def _close_text(items: list[dict[str, Any]], partial: str | None) -> list[dict[str, Any]]:
    """The answer being written is complete as far as it goes."""
    if items and items[-1]["kind"] == "answer" and items[-1]["streaming"]:
        return [*items[:-1], {**items[-1], "streaming": False, "partial": partial}]
    return items


def _push(view: View, item: dict[str, Any]) -> View:
    return {**view, "items": [*_close_text(view["items"], None), item]}


def _live_key(view: View) -> str:
    return f"x{len(view['items'])}"


def _change_tool(view: View, call_id: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> View:
    place = thread.tool_place(view["items"], call_id)
    if place < 0:
        return view
    items = list(view["items"])
    items[place] = change(items[place])
    return {**view, "items": items}


def _begun(view: View, call_id: str) -> bool:
    place = thread.tool_place(view["items"], call_id)
    return place >= 0 and view["items"][place]["output"] is None


def _start_call(view: View, call_id: str, name: str, arguments: Any, state: str) -> View:
    if not _begun(view, call_id):
        return _push(view, thread.new_tool(view["items"], call_id, name, arguments, state))

    def change(item: dict[str, Any]) -> dict[str, Any]:
        closed = item["state"] in ("denied", "expired") and state == "running"  # a decided call is announced again before its result
        return {**item, "name": name, "arguments": arguments, "state": item["state"] if closed else state}

    started = _change_tool(view, call_id, change)
    return {**started, "items": _close_text(started["items"], None)}


def _tool_call(view: View, event: Event) -> View:
    return _working(_start_call(view, event["tool_call_id"], event["name"], event["arguments"], "running"))


def _tool_stream(view: View, event: Event) -> View:
    return _change_tool(view, event["tool_call_id"], lambda item: {**item, "stream": item["stream"] + event["text"]})


def _nested_call(view: View, event: Event) -> View:
    def change(item: dict[str, Any]) -> dict[str, Any]:
        if event["index"] < item["next_index"]:
            return item
        return {**item, "calls": [*item["calls"], event["call"]], "next_index": event["index"] + 1}

    return _change_tool(view, event["tool_call_id"], change)


def _tool_result(view: View, event: Event) -> View:
    """A call has ended, also one whose beginning this side has not heard."""
    call_id = event["tool_call_id"]
    start = view if _begun(view, call_id) else _push(view, thread.new_tool(view["items"], call_id, event["name"], {}, "refused"))

    def change(item: dict[str, Any]) -> dict[str, Any]:
        state = thread.state_of(event["outcome"])
        after = {name: event[name] for name in _RESULT}
        return {**item, **after, "state": state, "next_index": max(item["next_index"], len(event["calls"]))}

    return _change_tool(start, call_id, change)


def _pause(view: View, event: Event) -> View:
    approval = event["approval"]
    nested = approval["nested_in"] is not None
    if nested:
        held = _change_tool(view, thread.held_call(approval), lambda item: {**item, "state": "waiting"})
    else:
        held = _start_call(view, approval["call_id"], approval["tool"], approval["arguments"], "waiting")
    return {**held, "pending": approval, "running": nested, "end": None}


def _go_on(view: View, event: Event) -> View:
    """A decision takes hold of the conversation at once (QUE-4): the turn goes on, with the call run or refused."""
    pending = view["pending"]
    if not pending or pending["id"] != event["approval_id"]:
        return view
    state = _decided_state(pending, event["status"])
    after = _change_tool(view, thread.held_call(pending), lambda item: {**item, "state": state})
    head = after["conversation"]
    if event["always"] and head and pending["tool"] not in head["auto_approve"]:
        head = {**head, "auto_approve": [*head["auto_approve"], pending["tool"]]}
    return {**after, "pending": None, "running": True, "conversation": head}


def _decided_state(pending: dict[str, Any], status: str) -> str:
    """A denied or expired call does not run; a question that nobody answered may go on with its default."""
    closed = status == "denied" or (status == "expired" and pending["kind"] == "tool")
    return status if closed and pending["nested_in"] is None else "running"


def _steer(view: View, event: Event) -> View:
    left = [one for one in view["queued"] if one["item_id"] not in event["item_ids"]]
    queued = [{**one, "position": place} for place, one in enumerate(left, start=1)]
    return _push({**view, "queued": queued}, thread.steer_item(event))


def _line(kind: str, *fields: str) -> Callable[[View, Event], View]:
    """A handler that adds one line of its own to the thread."""
    return lambda view, event: _push(view, {"kind": kind, "key": _live_key(view), **{name: event[name] for name in fields}})


def _end(partial: str | None, *fields: str) -> Callable[[View, Event], View]:
    """A handler of an end event whose ``end`` has ``fields``."""

    def finish(view: View, event: Event) -> View:
        items = [
            {**item, "state": "open"} if item["kind"] == "tool" and item["state"] in ("running", "waiting") else item
            for item in _close_text(view["items"], partial)
        ]
        after = {**view, "items": items, "running": False, "pending": None, "end": {name: event[name] for name in ("type", *fields)}}
        if partial == "stopped":
            after["queued"] = []  # QUE-19: Stop takes the whole queue
        if event.get("relayed_from"):
            after["items"] = _relayed(items, event["relayed_from"])
        if "spent_usd" not in event:
            return after
        costs = {name: event[name] for name in ("spent_usd", "unknown_cost_calls", "estimated_cost_calls")}
        head = after["conversation"] and {**after["conversation"], **costs, "delegated_usd": event["delegated_usd"]}
        return {**after, **costs, "conversation": head}

    return finish


def _relayed(items: list[dict[str, Any]], agent_id: str) -> list[dict[str, Any]]:
    """The answer that ends the turn is another agent's (DLG-77)."""
    if not items or items[-1]["kind"] != "answer":
        return items
    return [*items[:-1], {**items[-1], "relayed_from": agent_id}]


def _id_of(view: View) -> str | None:
    return view["conversation"]["id"] if view["conversation"] else None


def _last_user(view: View) -> int | None:
    return next((item["message_id"] for item in reversed(view["items"]) if item["kind"] == "user"), None)


_HANDLERS: dict[str, Callable[[View, Event], View]] = {
    "watching": _watching,
    "queued": _queued,
    "opened": _opened,
    "text_delta": _text_delta,
    "thinking": lambda view, event: _working(view),
    "tool_call": _tool_call,
    "tool_stream": _tool_stream,
    "nested_call": _nested_call,
    "tool_result": _tool_result,
    "approval_required": _pause,
    "approval_decided": _go_on,
    "steer": _steer,
    "note": _line("note", "text"),
    "tasks": lambda view, event: {**view, "tasks": event["tasks"]},
    "route_fallback": _line("fallback", "from_route", "to_route", "error"),
    "escalated": _line("escalated", "route", "reason"),
    "compacted": lambda view, event: _push(view, thread.compacted_item(event["compaction"])),
    "done": _end(None, "run_id", "cost_usd", "suggestions"),
    "halted": _end(None, "run_id", "reason", "cost_usd"),
    "stopped": _end("stopped", "run_id"),
    "error": _end("error", "run_id", "code", "message"),
}

"""Following one turn over a connection that may break (UI-145, UI-49, WIRE-2).

A message is sent under a name, so a lost answer is asked for again without saying it twice; a broken stream is joined
again where it broke, and the fresh ``watching`` frame is one of the events.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any

from crewlab.notebook.errors import ServerGone
from crewlab.notebook.http import Http, StreamBroken
from crewlab.notebook.sse import Frame
from crewlab.notebook.words import say

RESEND_AFTER = (1.0, 2.0, 4.0)  # UI-49: seconds before the same name is sent again
REJOIN_AFTER = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0)  # WIRE-10; then the server counts as gone
END_EVENTS = frozenset({"done", "halted", "error", "stopped", "queued"})  # TURN-38

Json = dict[str, Any]
Sleep = Callable[[float], Awaitable[None]]


def new_request_id() -> str:
    """A name for one send: 32 hex characters (UI-49)."""
    return secrets.token_hex(16)


def ends_turn(event: Mapping[str, Any]) -> bool:
    """Whether a stream of the conversation ends after ``event`` (TURN-38)."""
    kind = event.get("type")
    if kind == "approval_required":
        approval = event.get("approval")
        return isinstance(approval, Mapping) and approval.get("nested_in") is None
    return kind in END_EVENTS or (kind == "watching" and event.get("running") is False)


async def send_turn(
    http: Http, conversation_id: str, body: Mapping[str, object], *, sleep: Sleep = asyncio.sleep
) -> AsyncGenerator[Json, None]:
    """Sends a message and yields the events of its turn up to the one that ends the stream.

    ``body`` carries a ``request_id``; with it the message is sent again after 1, 2 and 4 seconds when the answer is lost
    before the first event. Raises ``ServerGone`` when the server stays away.
    """
    for delay in (*RESEND_AFTER, None):
        last: Frame | None = None
        try:
            async with http.stream("POST", f"/conversations/{conversation_id}/messages", body=body) as frames:
                if frames is not None:
                    async for frame in frames:
                        last = frame
                        yield frame.data
                        if ends_turn(frame.data):
                            return
        except StreamBroken:
            pass  # joined again or sent again below
        if last is not None:
            async for event in join_turn(http, conversation_id, last.id, sleep=sleep):
                yield event
            return
        if delay is not None:
            await sleep(delay)
    raise _gone(http)


async def join_turn(
    http: Http, conversation_id: str, last_id: str | None = None, *, sleep: Sleep = asyncio.sleep
) -> AsyncGenerator[Json, None]:
    """The events of the running turn, from ``last_id`` on. Without a running turn: one ``watching`` with ``running: false``."""
    tries = 0
    while tries < len(REJOIN_AFTER):
        await sleep(REJOIN_AFTER[tries])
        tries += 1
        try:
            async with http.stream("GET", f"/conversations/{conversation_id}/turn", last_id=last_id) as frames:
                if frames is None:
                    detail = await http.json("GET", f"/conversations/{conversation_id}")
                    if detail.get("running"):
                        continue  # a turn has begun in between
                    yield {"type": "watching", "conversation": detail, "running": False}
                    return
                async for frame in frames:
                    last_id, tries = frame.id, 0
                    yield frame.data
                    if ends_turn(frame.data):
                        return
        except (StreamBroken, ServerGone):
            continue
    raise _gone(http)


async def activity(http: Http, last_id: str | None = None, *, sleep: Sleep = asyncio.sleep) -> AsyncGenerator[Json, None]:
    """The frames of the whole crew, for ever; a broken stream is opened again (WIRE-10)."""
    tries = 0
    while tries < len(REJOIN_AFTER):
        await sleep(REJOIN_AFTER[tries])
        tries += 1
        try:
            async with http.stream("GET", "/activity/stream", last_id=last_id) as frames:
                if frames is not None:
                    async for frame in frames:
                        last_id, tries = frame.id, 0
                        yield frame.data
        except StreamBroken:
            continue
    raise _gone(http)


def _gone(http: Http) -> ServerGone:
    return ServerGone(say("server_gone", http.language, url=http.server.url, fault="StreamBroken"))

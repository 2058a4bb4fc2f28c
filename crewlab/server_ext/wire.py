"""What travels on the connection of a window: frames and the few messages around them (WIRE-1, WIRE-5)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from crewlab.engine.activity_events import ActivityFrame
from crewlab.engine.events import ConversationEvent
from crewlab.engine.records import Record

ACTIVITY = "activity"
CONVERSATION = "conversation:"
MAX_TOPICS = 64  # WIRE-8


class WireFrame(Record):
    """One event on one topic; the same four parts in every transport (WIRE-1)."""

    topic: str
    id: str
    event: str
    data: Annotated[ConversationEvent | ActivityFrame, Field(discriminator="type")]


class Subscribe(Record):
    """The window wants the frames of a topic, those after the id ``after`` when it is still known."""

    op: Literal["subscribe"]
    topic: str
    after: str | None = None


class Unsubscribe(Record):
    """The window no longer wants a topic."""

    op: Literal["unsubscribe"]
    topic: str


class Pong(Record):
    """The window is still there."""

    op: Literal["pong"]


class Subscribed(Record):
    """The topic is open; its frames follow."""

    op: Literal["subscribed"] = "subscribed"
    topic: str


class Refused(Record):
    """The message could not be obeyed. ``topic`` is "" when none could be read (WIRE-8)."""

    op: Literal["refused"] = "refused"
    topic: str
    code: str
    message: str


class Cut(Record):
    """The topic was closed because the window fell behind, or what it showed is gone: subscribe again (WIRE-7)."""

    op: Literal["cut"] = "cut"
    topic: str


class Ping(Record):
    """The server is still there."""

    op: Literal["ping"] = "ping"


ClientMessage = Annotated[Subscribe | Unsubscribe | Pong, Field(discriminator="op")]
ServerMessage = Annotated[Subscribed | Refused | Cut | Ping, Field(discriminator="op")]


def client_messages() -> TypeAdapter[ClientMessage]:
    """Validator of what a window says."""
    return TypeAdapter(ClientMessage)

"""The base of every event and frame that leaves the engine."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Event(BaseModel):
    """Base of all events. ``type`` repeats the name of the event on the wire (TURN-39)."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    type: str

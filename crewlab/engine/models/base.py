"""The contract of a provider: what is asked, what streams back, and how it fails (PRV-19).

A provider streams ``TextDelta``, ``ReasoningDelta`` and ``CallDelta`` items and, last, one
``Completion``. The chain (``chain.py``) adds ``RouteStarted``, ``RouteRetry`` and ``RouteFailed``.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from crewlab.engine.home.routes import Route
from crewlab.engine.models.unicode import mend
from crewlab.engine.records import ToolCall


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture that a message of the user carries: the bytes of a file of ``media_type``."""

    media_type: str
    data: bytes

    @property
    def base64(self) -> str:
        """The bytes as requests carry them."""
        return b64encode(self.data).decode()


@dataclass(frozen=True, slots=True)
class Sound:
    """Spoken words that a message of the user carries: the bytes of a file of ``kind`` (``ogg``, ``mp3``, ``wav``)."""

    kind: str
    data: bytes

    @property
    def base64(self) -> str:
        """The bytes as requests carry them."""
        return b64encode(self.data).decode()


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message as a provider reads it. ``content`` of a tool message is the tool's answer; ``pictures`` stand in user messages.

    ``own`` is the person's text alone where ``content`` has parts of the system before it (TURN-80): for a model that is too
    small to read them, and for scripts that answer to what was said.
    """

    role: Literal["user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    name: str | None = None
    pictures: tuple[Picture, ...] = ()
    own: str | None = None
    sounds: tuple[Sound, ...] = ()

    @property
    def words(self) -> str:
        """What was said, without what the system put before it."""
        return self.content if self.own is None else self.own


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """What a model is told about a tool: name, description, JSON schema of the parameters."""

    name: str
    description: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One model call: system prompt, history, declared tools, in that order (PRV-16).

    ``short_system`` replaces ``system`` for a provider that says ``small`` (a model that reads
    150 tokens a second cannot be given the full prompt).
    """

    system: str
    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolSpec, ...] = ()
    short_system: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of one call; ``None`` where the provider does not say."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    cache_write_tokens: int | None = None  # for the price alone; a part of the prompt's

    def grown(self, told: Usage) -> Usage:
        """These counts when the provider tells more of the same call: its figures count from the beginning and never fall (FM-2)."""
        pairs = ((getattr(self, name), getattr(told, name)) for name in self.__dataclass_fields__)
        return Usage(*(max((number for number in pair if number is not None), default=None) for pair in pairs))


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """The model reasons; the content is dropped at once (PRV-12)."""


@dataclass(frozen=True, slots=True)
class CallDelta:
    """A fragment of a tool call: ``index`` is its place in the message, ``arguments`` JSON text."""

    index: int
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ProviderNotice:
    """A line for the person about the provider itself, such as "starting the local model"."""

    text: str


@dataclass(frozen=True, slots=True)
class Completion:
    """The whole answer of one call. ``cost_usd`` is ``None`` when the price is unknown (TURN-5).

    ``cost_estimated`` says that it is not the provider's own figure (EST-1).

    ``provider`` and ``model`` are filled by the chain. A tool call whose arguments were not a JSON
    object keeps them as text (PRV-18).
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    cost_usd: float | None = None
    cost_estimated: bool = False
    provider: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class RouteStarted:
    """The chain asks this route now."""

    route: str


@dataclass(frozen=True, slots=True)
class RouteRetry:
    """The same route is asked again after a transient error (PRV-8); not sent to viewers."""

    route: str
    error: str


@dataclass(frozen=True, slots=True)
class RouteFailed:
    """The route failed before anything was shown; ``next_route`` is asked, ``None`` if it was the last."""

    route: str
    error: str
    next_route: str | None


ProviderItem = TextDelta | ReasoningDelta | CallDelta | ProviderNotice | Completion
ChainItem = ProviderItem | RouteStarted | RouteRetry | RouteFailed


class ProviderError(Exception):
    """A call of a provider failed.

    ``transient`` marks what PRV-7 retries once (408, 425, 429, 5xx, connection errors, time-outs).
    ``unreadable_call`` marks a provider that could not read the model's own call (FT-1).
    ``started`` says that the answer had begun, so that the call may have been charged (COST-2).
    ``too_long`` says that the request does not fit the model's window (CMP-9); ``limit`` is the window in tokens if it was named.
    The message is for people and names what to do; it never carries a key.
    """

    def __init__(
        self,
        message: str,
        *,
        transient: bool = False,
        status: int | None = None,
        unreadable_call: bool = False,
        started: bool = False,
        too_long: bool = False,
        limit: int | None = None,
    ) -> None:
        self.message = mend(message)  # no half character may come as far as the store
        super().__init__(self.message)
        self.transient = transient
        self.status = status
        self.unreadable_call = unreadable_call
        self.started = started
        self.too_long = too_long
        self.limit = limit


class RoutesFailed(Exception):
    """Every route failed before anything was shown (PRV-17). ``lines`` has one line per route, ``errors`` what each said."""

    def __init__(self, lines: list[str], errors: tuple[ProviderError, ...] = ()) -> None:
        super().__init__("; ".join(lines))
        self.lines = lines
        self.errors = errors


class NoRoute(Exception):
    """No usable route at all (PRV-17, ``no_route``): the person is pointed at Connections."""


class StreamBroken(Exception):
    """The stream failed after something was shown (PRV-6). ``error`` is for people."""

    def __init__(self, route: str, error: str) -> None:
        super().__init__(f"{route}: {error}")
        self.route = route
        self.error = error


@runtime_checkable
class Windowed(Protocol):
    """A provider that knows how many tokens its models can read (CMP-1)."""

    def window(self, route: Route) -> int | None: ...


@runtime_checkable
class WritesAside(Protocol):
    """A scripted provider that says whether it can write titles and summaries (TURN-56)."""

    def writes_aside(self, route: Route) -> bool: ...


class Provider(Protocol):
    """Anything that streams an answer.

    ``small`` asks for the short prompt form. ``stream`` yields deltas and ends with exactly one
    ``Completion``; it raises ``ProviderError``. Closing the iterator ends the request.
    """

    name: str
    small: bool

    def stream(self, request: ChatRequest, route: Route) -> AsyncIterator[ProviderItem]: ...

    async def close(self) -> None: ...
